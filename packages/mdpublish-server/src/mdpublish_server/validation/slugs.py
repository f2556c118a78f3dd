"""Slugs: validation and generation."""

import re
import secrets
import string

from anyascii import anyascii

from mdpublish_server.errors import ValidationError

SLUG_PATTERN = r"[a-z0-9]+(-[a-z0-9]+)*"

SLUG_CHARACTERS = range(3, 61)

TITLE_SLUG_CHARACTERS = 50
"""Leaves room for a suffix."""

_SUFFIX_CHARACTERS = 6
"""36^6: too many to guess."""

_RANDOM_CHARACTERS = 12

_ALPHABET = string.ascii_lowercase + string.digits

_SLUG = re.compile(SLUG_PATTERN)

_OTHERS = re.compile(r"[^a-z0-9]+")

# Reserved on Windows, with any extension.
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
)

# Composed and decomposed; anyascii drops the dots.
_GERMAN = (("ä", "ae"), ("a\u0308", "ae"), ("ö", "oe"), ("o\u0308", "oe"), ("ü", "ue"), ("u\u0308", "ue"), ("ß", "ss"))


def validate_slug(slug: str) -> str:
    if len(slug) not in SLUG_CHARACTERS:
        raise ValidationError(
            f"slug must be {SLUG_CHARACTERS[0]} to {SLUG_CHARACTERS[-1]} characters (got {len(slug):,})"
        )
    # After the length check: the message quotes it.
    if not _SLUG.fullmatch(slug):
        raise ValidationError(f"slug must consist of a-z, 0-9 and single hyphens between them (got {slug!r})")
    return slug


def slug_of_title(title: str) -> str:
    """Return at most 50 characters, cut at a word boundary if possible. Linear time.

    The result is empty, or shorter than a slug may be, if the title has too few usable characters.
    """
    latin = title.lower()
    for character, replacement in _GERMAN:
        latin = latin.replace(character, replacement)
    slug = _OTHERS.sub("-", anyascii(latin).lower()).strip("-")
    if len(slug) > TITLE_SLUG_CHARACTERS:
        slug = _cut(slug)
    return slug


def file_name_of(slug: str) -> str:
    """Return a file's name, without an extension, that is valid on every system."""
    return f"{slug}-document" if slug in _DEVICES else slug


def is_too_short(slug: str) -> bool:
    return len(slug) < SLUG_CHARACTERS[0]


def random_suffix() -> str:
    return _random(_SUFFIX_CHARACTERS)


def random_slug() -> str:
    return _random(_RANDOM_CHARACTERS)


def with_suffix(slug: str, suffix: str) -> str:
    assert _SLUG.fullmatch(slug)
    assert re.fullmatch(r"[a-z0-9]{1,20}", suffix)
    room = SLUG_CHARACTERS[-1] - len(suffix) - 1
    return f"{slug[:room].rstrip('-')}-{suffix}"


def _cut(slug: str) -> str:
    # A hyphen there means the last word fits.
    end = slug.rfind("-", 0, TITLE_SLUG_CHARACTERS + 1)
    return slug[: end if end >= TITLE_SLUG_CHARACTERS // 2 else TITLE_SLUG_CHARACTERS].rstrip("-")


def _random(characters: int) -> str:
    return "".join(secrets.choice(_ALPHABET) for _ in range(characters))
