"""The last part of a page's address: what a caller may ask for, and what is made of a title.

Whether a slug is free, and which suffix it gets if not, is decided by those who store it.
"""

import re
import secrets
import string

from anyascii import anyascii

from mdpublish_server.errors import ValidationError

SLUG_PATTERN = r"[a-z0-9]+(-[a-z0-9]+)*"

SLUG_CHARACTERS = range(3, 61)
"""How many characters a slug may have: 3 to 60."""

TITLE_SLUG_CHARACTERS = 50
"""Characters of a slug made of a title; what is left of 60 takes a suffix."""

_SUFFIX_CHARACTERS = 6
"""36 to the 6th are two thousand million addresses that nobody tries out one by one."""

_RANDOM_CHARACTERS = 12

_ALPHABET = string.ascii_lowercase + string.digits

_SLUG = re.compile(SLUG_PATTERN)

_OTHERS = re.compile(r"[^a-z0-9]+")

# What German readers expect; anyascii drops the dots. The second form of each is the letter with its dots apart.
_GERMAN = (("ä", "ae"), ("a\u0308", "ae"), ("ö", "oe"), ("o\u0308", "oe"), ("ü", "ue"), ("u\u0308", "ue"), ("ß", "ss"))


def validate_slug(slug: str) -> str:
    """Return the slug; raises `ValidationError` where it is none."""
    if len(slug) not in SLUG_CHARACTERS:
        raise ValidationError(
            f"slug is {len(slug):,} characters; it takes {SLUG_CHARACTERS[0]} to {SLUG_CHARACTERS[-1]}"
        )
    # Tested after its length, so that a message repeats 60 characters at most.
    if not _SLUG.fullmatch(slug):
        raise ValidationError(f"slug is {slug!r}; it takes a-z, 0-9 and single hyphens between them")
    return slug


def slug_of_title(title: str) -> str | None:
    """Return the slug that a title makes, at most 50 characters; None where less than a slug can be made of it.

    Other scripts are transliterated, and whatever is neither letter nor digit becomes one hyphen. A long title is cut at
    the end of a word, or within one where more than half would go. Linear in the title's length.
    """
    latin = title.lower()
    for character, replacement in _GERMAN:
        latin = latin.replace(character, replacement)
    slug = _OTHERS.sub("-", anyascii(latin).lower()).strip("-")
    if len(slug) > TITLE_SLUG_CHARACTERS:
        slug = _cut(slug)
    return slug if len(slug) in SLUG_CHARACTERS else None


def random_suffix() -> str:
    """Return 6 characters that make the address of a link-only page hard to guess."""
    return _random(_SUFFIX_CHARACTERS)


def random_slug() -> str:
    """Return a slug for a title that makes none: 12 characters, as hard to guess as a suffix and more."""
    return _random(_RANDOM_CHARACTERS)


def with_suffix(slug: str, suffix: str) -> str:
    """Return `slug-suffix`, the slug shortened where both are longer than 60; the suffix is some of `[a-z0-9]`."""
    assert _SLUG.fullmatch(slug)
    assert re.fullmatch(r"[a-z0-9]{1,20}", suffix)
    room = SLUG_CHARACTERS[-1] - len(suffix) - 1
    return f"{slug[:room].rstrip('-')}-{suffix}"


def _cut(slug: str) -> str:
    # With the character after the last one that fits, a word that ends just there is seen to be whole.
    end = slug.rfind("-", 0, TITLE_SLUG_CHARACTERS + 1)
    return slug[: end if end >= TITLE_SLUG_CHARACTERS // 2 else TITLE_SLUG_CHARACTERS].rstrip("-")


def _random(characters: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(characters))
