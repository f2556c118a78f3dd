"""Validation of fields: functions return the normalized value or raise `ValidationError`."""

import re
from typing import Any, Literal, TypeVar
from unicodedata import category

from mdpublish_core import ALL_EXTENSIONS, get_template
from mdpublish_core.errors import UnknownChoice, did_you_mean
from mdpublish_core.hosting import outputs
from mdpublish_core.hosting.documents import language_tag
from mdpublish_core.hosting.files import MAX_FILE_BYTES
from mdpublish_server.errors import ValidationError

MARKDOWN_BYTES = 102_400
"""About forty printed pages."""

CONTENT_BYTES = 1_000_000
"""A book of five hundred pages."""

OPTION_FILE_BYTES = 2_000_000
"""Of a letterhead with its logo, a tenth."""

TITLE_CHARACTERS = 200

DESCRIPTION_CHARACTERS = 500

FOLDER_CHARACTERS = 60

UNTITLED = "Untitled"

MEDIA_FORMS = ("inline",)
"""Forms of images in an imported file."""

IMAGE_FORMS: tuple[Literal["cid", "data"], ...] = ("cid", "data")

FILE_FORMATS = {name: each for name, each in outputs.FILES.items() if each.is_file and not each.is_page}
"""Outputs that people save, so that they are a response of their own."""

FILE_OPTIONS = {
    name: each for file in FILE_FORMATS for name, each in outputs.requested_options(file).items() if name != "lang"
}
"""Options of some of them, by the names of a request's fields; the language is one of all formats."""

BLOCKS = "blocks"

DESTINATIONS_OF_FORMATS = {
    each.name: tuple(filter(None, (each.destination, each.also_for)))
    for each in (*FILE_FORMATS.values(), outputs.FILES[BLOCKS])
}
"""Formats that are made for destinations, with their names."""

DEFAULT_FORMAT = "json"

CONVERT_FORMATS = (DEFAULT_FORMAT, *DESTINATIONS_OF_FORMATS)

EXTENSION_NAMES = tuple(f"{sign}{name}" for sign in ("", "no-") for name in sorted(ALL_EXTENSIONS))
"""Names for `select_extensions`."""

# Controls, line separators and bidirectional overrides.
_CONTROL_CHARACTERS = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")

_UNSEEN = frozenset({"Cc", "Cf", "Mn", "Me", "Zl", "Zp", "Zs"})
"""Categories of characters that are not seen alone; what this Python does not know may be."""

# Letters and signs that are drawn as nothing: of Hangul, and of Braille.
_BLANKS = "\u115f\u1160\u2800\u3164\uffa0"

# Replaced by a space in descriptions.
_WHITE_SPACE = re.compile("[\t\n\r\u2028\u2029]+")

_SHOWN_CHARACTERS = 60

_Name = TypeVar("_Name", bound=str)


def validate_markdown(field: str, markdown: str, *, max_bytes: int = MARKDOWN_BYTES) -> str:
    """Require 1 to `max_bytes` bytes of UTF-8, and replace NUL."""
    if not markdown:
        raise ValidationError(f"{field} must be 1 to {max_bytes:,} bytes of UTF-8 (got 0)")
    return _within_size(field, markdown, max_bytes)


def validate_content(content: str) -> str:
    return _within_size("content", content, CONTENT_BYTES)


def validate_title(title: str) -> str:
    return _within_length("title", _clean(title), TITLE_CHARACTERS) or UNTITLED


def validate_description(description: str | None) -> str | None:
    """Join lines; return None if empty."""
    cleaned = _clean(_WHITE_SPACE.sub(" ", description or ""))
    return _within_length("description", cleaned, DESCRIPTION_CHARACTERS) or None


def validate_folder(name: str | None) -> str | None:
    """Return None if empty."""
    return _within_length("folder", _clean(name or ""), FOLDER_CHARACTERS) or None


def validate_printable(field: str, value: str, *, max_characters: int, allowed: str = "") -> str:
    """Return a text without characters that are not printable, but for those in `allowed`."""
    cleaned = "".join(character for character in value if character in allowed or character.isprintable()).strip()
    return _if_visible(_within_length(field, cleaned, max_characters))


def title_from_heading(heading: str | None) -> str:
    cleaned = _clean(heading or "")
    if len(cleaned) > TITLE_CHARACTERS:
        cleaned = cleaned[: TITLE_CHARACTERS - 1].rstrip() + "…"
    return cleaned or UNTITLED


def validate_destination(name: str) -> str:
    return validate_choice("destination", outputs.destination_names(), name)


def validate_template(template_id: str) -> str:
    try:
        return get_template(template_id).id
    except UnknownChoice as error:
        raise _unknown("template_id", template_id, error.known) from None


def requires_pro(template_id: str) -> str:
    """Return what a message says of a template that the plan does not allow."""
    return f"{template_id!r} requires the Pro plan; use a template of the category free"


def validate_theme_mode(theme_mode: str) -> outputs.ThemeMode:
    return validate_choice("theme_mode", outputs.THEME_MODES, theme_mode)


def validate_page_width(page_width: str) -> outputs.PageWidth:
    return validate_choice("page_width", outputs.PAGE_WIDTHS, page_width)


def validate_language(field: str, language: str) -> str:
    """Require a BCP 47 tag, as front matter does."""
    try:
        return language_tag(language)
    except ValueError as error:
        raise ValidationError(f"{field} {error}") from None


def validate_freed(restricted: bool) -> bool:
    if restricted:
        raise ValidationError("restricted must be false: only pages restrict an image (got true)")
    return restricted


def formats_with(option: str) -> list[str]:
    """Return the formats that have an option."""
    return [name for name in FILE_FORMATS if option in outputs.requested_options(name)]


def validate_option(declared: outputs.Option, value: Any) -> Any:
    """Require what an option of a file can be, as its field declares it."""
    if declared.is_file and len(value) > OPTION_FILE_BYTES:
        raise ValidationError(f"{declared.name} must be at most {OPTION_FILE_BYTES:,} bytes (got {len(value):,})")
    if problem := declared.problem(value):
        raise ValidationError(f"{declared.name} {problem}")
    return value


def validate_file(content: bytes) -> bytes:
    if not 0 < len(content) <= MAX_FILE_BYTES:
        raise ValidationError(f"file must be 1 to {MAX_FILE_BYTES:,} bytes (got {len(content):,})")
    return content


def validate_extensions(names: tuple[str, ...]) -> tuple[str, ...]:
    if len(names) > len(EXTENSION_NAMES):
        raise ValidationError(f"extensions must have at most {len(EXTENSION_NAMES)} items (got {len(names):,})")
    for number, name in enumerate(names):
        validate_choice(f"extensions[{number}]", EXTENSION_NAMES, name)
    return names


def _within_size(field: str, markdown: str, max_bytes: int) -> str:
    # A character has at most four bytes: most texts need no encoding.
    if 4 * len(markdown) > max_bytes and (size := len(markdown.encode())) > max_bytes:
        raise ValidationError(f"{field} must be at most {max_bytes:,} bytes of UTF-8 (got {size:,})")
    return markdown.replace("\0", "\ufffd")


def _within_length(field: str, cleaned: str, max_characters: int) -> str:
    if len(cleaned) > max_characters:
        raise ValidationError(f"{field} must be at most {max_characters:,} characters (got {len(cleaned):,})")
    return cleaned


def _clean(title: str) -> str:
    return _if_visible(_CONTROL_CHARACTERS.sub("", title).strip())


def _if_visible(value: str) -> str:
    """Return a text, or nothing if no character of it is seen."""
    return value if any(category(each) not in _UNSEEN and each not in _BLANKS for each in value) else ""


def validate_choice(field: str, known: tuple[_Name, ...], value: str) -> _Name:
    """Require one of some values."""
    for name in known:
        if name == value:
            return name
    raise _unknown(field, value, known)


def _unknown(field: str, value: str, known: tuple[str, ...]) -> ValidationError:
    shown = value if len(value) <= _SHOWN_CHARACTERS else value[: _SHOWN_CHARACTERS - 1] + "…"
    return ValidationError(f"{field} must be one of {', '.join(known)} (got {shown!r}){did_you_mean(value, known)}")
