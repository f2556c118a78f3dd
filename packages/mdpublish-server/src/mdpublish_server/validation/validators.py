"""What a text, its title and its style may be; every message names the field, the bound and what arrived."""

import re
from typing import Literal

from mdpublish_core import UnknownChoice, get_template
from mdpublish_core.destinations import get_destination
from mdpublish_core.templates import PAGE_WIDTHS, THEME_MODES, PageWidth, ThemeMode
from mdpublish_server.errors import ValidationError

MARKDOWN_BYTES = 102_400
"""Bytes of UTF-8 in a text to convert or to publish as a demo: 100 KB, about forty printed pages."""

CONTENT_BYTES = 1_000_000
"""Bytes of UTF-8 in a document that is kept: a book of five hundred pages."""

TITLE_CHARACTERS = 200

DESCRIPTION_CHARACTERS = 500

UNTITLED = "Untitled"

VISIBILITIES = ("link", "public")

IMAGE_FORMS: tuple[Literal["cid", "data"], ...] = ("cid", "data")

# Control characters, what ends lines in Unicode, and what turns the direction of the text after it around.
_CONTROL_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

# In a description these part words.
_WHITE_SPACE = re.compile("[\t\n\r\u2028\u2029]+")

# How much of a wrong value a message repeats.
_SHOWN_CHARACTERS = 60


def validate_markdown(field: str, markdown: str, *, max_bytes: int = MARKDOWN_BYTES) -> str:
    """Return the Markdown text of `field`, of 1 to `max_bytes` bytes of UTF-8, with U+FFFD where NUL stands.

    Raises `ValidationError`.
    """
    if not markdown:
        raise ValidationError(f"{field} is empty; it takes 1 to {max_bytes:,} bytes of UTF-8")
    return _within_size(field, markdown, max_bytes)


def validate_content(content: str) -> str:
    """Return a document's text, which may be empty, with U+FFFD where NUL stands; raises `ValidationError`."""
    return _within_size("content", content, CONTENT_BYTES)


def validate_title(title: str) -> str:
    """Return the title without control characters and white space at its ends; an empty one becomes `Untitled`.

    Raises `ValidationError`.
    """
    cleaned = _clean(title)
    if len(cleaned) > TITLE_CHARACTERS:
        raise ValidationError(f"title is {len(cleaned):,} characters; at most {TITLE_CHARACTERS} are allowed")
    return cleaned or UNTITLED


def validate_description(description: str | None) -> str | None:
    """Return a description on one line; one that is empty is none. Raises `ValidationError`."""
    cleaned = _clean(_WHITE_SPACE.sub(" ", description or ""))
    if len(cleaned) > DESCRIPTION_CHARACTERS:
        raise ValidationError(
            f"description is {len(cleaned):,} characters; at most {DESCRIPTION_CHARACTERS} are allowed"
        )
    return cleaned or None


def title_from_heading(heading: str | None) -> str:
    """Return the title that a text's first heading makes, cut where it is longer than a title may be."""
    cleaned = _clean(heading or "")
    if len(cleaned) > TITLE_CHARACTERS:
        cleaned = cleaned[: TITLE_CHARACTERS - 1].rstrip() + "…"
    return cleaned or UNTITLED


def validate_destination(name: str) -> str:
    """Return the destination's name; raises `ValidationError` where there is none of this name."""
    try:
        return get_destination(name).name
    except UnknownChoice as error:
        raise _unknown("destination", name, error.known) from None


def validate_template(template_id: str) -> str:
    """Return the template's id; raises `ValidationError` where there is none of this id."""
    try:
        return get_template(template_id).id
    except UnknownChoice as error:
        raise _unknown("template_id", template_id, error.known) from None


def validate_theme_mode(theme_mode: str) -> ThemeMode:
    """Return the theme mode; raises `ValidationError` where it is neither light nor dark."""
    if theme_mode not in THEME_MODES:
        raise _unknown("theme_mode", theme_mode, THEME_MODES)
    return theme_mode


def validate_page_width(page_width: str) -> PageWidth:
    """Return the page width; raises `ValidationError` where there is none of this name."""
    if page_width not in PAGE_WIDTHS:
        raise _unknown("page_width", page_width, PAGE_WIDTHS)
    return page_width


def validate_visibility(visibility: str) -> str:
    """Return the visibility; raises `ValidationError` where there is none of this name."""
    if visibility not in VISIBILITIES:
        raise _unknown("visibility", visibility, VISIBILITIES)
    return visibility


def validate_images(images: str) -> Literal["cid", "data"]:
    """Return how pictures travel; raises `ValidationError` where there is no such way."""
    if images not in IMAGE_FORMS:
        raise _unknown("images", images, IMAGE_FORMS)
    return images


def _within_size(field: str, markdown: str, max_bytes: int) -> str:
    # No character takes more than four bytes, so most texts need not be encoded to know that they are short enough.
    if 4 * len(markdown) > max_bytes and (size := len(markdown.encode())) > max_bytes:
        raise ValidationError(f"{field} is {size:,} bytes of UTF-8; at most {max_bytes:,} are allowed")
    return markdown.replace("\0", "\ufffd")


def _clean(title: str) -> str:
    return _CONTROL_CHARACTERS.sub("", title).strip()


def _unknown(field: str, value: str, known: tuple[str, ...]) -> ValidationError:
    shown = value if len(value) <= _SHOWN_CHARACTERS else value[: _SHOWN_CHARACTERS - 1] + "…"
    return ValidationError(f"{field} is {shown!r}, which is unknown; known are: {', '.join(known)}")
