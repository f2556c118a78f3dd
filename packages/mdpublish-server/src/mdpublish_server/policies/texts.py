"""What a text, its title and its style may be; every message names the field, the bound and what arrived."""

import re

from mdpublish_core import UnknownChoice, get_template
from mdpublish_core.destinations import get_destination
from mdpublish_core.templates import THEME_MODES, ThemeMode
from mdpublish_server.errors import ValidationError

MARKDOWN_BYTES = 102_400
"""Bytes of UTF-8 in a text to convert or to publish as a demo: 100 KB, about forty printed pages."""

TITLE_CHARACTERS = 200

UNTITLED = "Untitled"

_CONTROL_CHARACTERS = re.compile(r"[\x00-\x1f\x7f-\x9f]")

# How much of a wrong value a message repeats.
_SHOWN_CHARACTERS = 60


def checked_markdown(field: str, markdown: str) -> str:
    """Return the Markdown text of `field` with U+FFFD where NUL stands; raises `ValidationError`."""
    if not markdown:
        raise ValidationError(f"{field} is empty; it takes 1 to {MARKDOWN_BYTES:,} bytes of UTF-8")
    size = len(markdown.encode())
    if size > MARKDOWN_BYTES:
        raise ValidationError(f"{field} is {size:,} bytes of UTF-8; at most {MARKDOWN_BYTES:,} are allowed")
    return markdown.replace("\0", "\ufffd")


def checked_title(title: str) -> str:
    """Return the title without control characters and white space at its ends; an empty one becomes `Untitled`.

    Raises `ValidationError`.
    """
    cleaned = _clean(title)
    if len(cleaned) > TITLE_CHARACTERS:
        raise ValidationError(f"title is {len(cleaned):,} characters; at most {TITLE_CHARACTERS} are allowed")
    return cleaned or UNTITLED


def title_of_heading(heading: str | None) -> str:
    """Return the title that a text's first heading makes, cut where it is longer than a title may be."""
    cleaned = _clean(heading or "")
    if len(cleaned) > TITLE_CHARACTERS:
        cleaned = cleaned[: TITLE_CHARACTERS - 1].rstrip() + "…"
    return cleaned or UNTITLED


def checked_destination(name: str) -> str:
    """Return the destination's name; raises `ValidationError` where there is none of this name."""
    try:
        return get_destination(name).name
    except UnknownChoice as error:
        raise _unknown("destination", name, error.known) from None


def checked_template(template_id: str) -> str:
    """Return the template's id; raises `ValidationError` where there is none of this id."""
    try:
        return get_template(template_id).id
    except UnknownChoice as error:
        raise _unknown("template_id", template_id, error.known) from None


def checked_theme_mode(theme_mode: str) -> ThemeMode:
    """Return the theme mode; raises `ValidationError` where it is neither light nor dark."""
    if theme_mode not in THEME_MODES:
        raise _unknown("theme_mode", theme_mode, THEME_MODES)
    return theme_mode


def _clean(title: str) -> str:
    return _CONTROL_CHARACTERS.sub("", title).strip()


def _unknown(field: str, value: str, known: tuple[str, ...]) -> ValidationError:
    shown = value if len(value) <= _SHOWN_CHARACTERS else value[: _SHOWN_CHARACTERS - 1] + "…"
    return ValidationError(f"{field} is {shown!r}, which is unknown; known are: {', '.join(known)}")
