"""The template's own faces inside a Word file: TrueType, obfuscated as ECMA-376-1, 17.8.1 requires.

The hosted files are WOFF2, some in two parts, with names of other styles inside: Word finds a face by its names.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from io import BytesIO
from typing import Any, NamedTuple
from uuid import UUID

from mdpublish_core.errors import importing_extra
from mdpublish_core.templates import Style
from mdpublish_core.templates.hosted_fonts import FONT_FOLDER, HostedStyle, hosted_families

_SLOTS = {"Regular": (400, False), "Bold": (700, False), "Italic": (400, True), "BoldItalic": (700, True)}
"""Weight and slope of Word's four faces, in the schema's order."""

_BOLD = 600

# Of OpenType's table `name`: family, style, full name and PostScript's, and those of a larger family, which Word prefers.
_NAMES, _LARGER_FAMILY = (1, 2, 4, 6), (16, 17, 21, 22, 25)

_OBFUSCATED_BYTES = 32


class EmbeddedFace(NamedTuple):
    """A face of Word's, such as `Bold`, and the file, obfuscated by its key."""

    slot: str
    key: str
    content: bytes


def with_embedded_fonts(style: Style) -> Style:
    """Return the style with the template's hosted fonts in place of those that Word comes with."""
    fonts = style.template.fonts
    hosted = {purpose: family for purpose, family in fonts.hosted._asdict().items() if family}
    return style._replace(template=replace(style.template, fonts=fonts._replace(word=fonts.word._replace(**hosted))))


def embedded_faces(fonts: Iterable[str], *, is_extended: bool) -> Mapping[str, tuple[EmbeddedFace, ...]]:
    """Return the faces of the hosted families among some fonts. Raises `MissingExtra`."""
    families = hosted_families()
    return {
        name: tuple(_face(name, slot, style, is_extended=is_extended) for slot, style in _styles(families[name].styles))
        for name in sorted(fonts)
        if name in families
    }


def _styles(styles: tuple[HostedStyle, ...]) -> Iterator[tuple[str, HostedStyle]]:
    """Yield the nearest style for each slot; one of headings may be the only one."""
    for slot, (weight, is_italic) in _SLOTS.items():
        of_slope = [style for style in styles if style.is_italic == is_italic]
        fitting = [style for style in of_slope if (style.weight >= _BOLD) == (weight >= _BOLD)]
        if nearest := fitting or (of_slope if slot == "Regular" else []):
            yield slot, min(nearest, key=lambda style: abs(style.weight - weight))


def _face(family: str, slot: str, style: HostedStyle, *, is_extended: bool) -> EmbeddedFace:
    content = _true_type(family, slot, style.files if is_extended else style.files[:1])
    key = UUID(bytes=sha256(content).digest()[:16])
    mask = key.bytes[::-1] * (_OBFUSCATED_BYTES // len(key.bytes))
    start = bytes(byte ^ other for byte, other in zip(content, mask, strict=False))
    return EmbeddedFace(slot, f"{{{str(key).upper()}}}", start + content[_OBFUSCATED_BYTES:])


@lru_cache(maxsize=64)
def _true_type(family: str, slot: str, files: tuple[str, ...]) -> bytes:
    with importing_extra("pdf", "fonttools"):
        from fontTools.merge import Merger
        from fontTools.ttLib import TTFont

        import_module("brotli")  # by which it reads WOFF2

    parts = [TTFont(FONT_FOLDER / name) for name in files]
    for part in parts:
        part.flavor = None
    font = parts[0] if len(parts) == 1 else Merger().merge([BytesIO(_saved(part)) for part in parts])
    # Equal files have equal fonts, whenever they are made.
    head, font.recalcTimestamp = font["head"], False
    head.created = head.modified = parts[0]["head"].created
    _rename(font, family, slot)
    return _saved(font)


def _saved(font: Any) -> bytes:
    output = BytesIO()
    font.save(output)
    return output.getvalue()


def _rename(font: Any, family: str, slot: str) -> None:
    is_bold, is_italic = slot.startswith("Bold"), slot.endswith("Italic")
    shown = {"BoldItalic": "Bold Italic"}.get(slot, slot)
    names, flags = font["name"], font["OS/2"]
    for number in (*_NAMES, *_LARGER_FAMILY):
        names.removeNames(nameID=number)
    written = (family, shown, f"{family} {shown}", f"{family}-{slot}".replace(" ", ""))
    for number, name in zip(_NAMES, written, strict=True):
        names.setName(name, number, 3, 1, 0x409)
    flags.usWeightClass = 700 if is_bold else 400
    # Italic, bold and regular: https://learn.microsoft.com/en-us/typography/opentype/spec/os2#fsselection
    flags.fsSelection = flags.fsSelection & ~0b1100001 | is_italic | is_bold << 5 | (slot == "Regular") << 6
    font["head"].macStyle = is_bold | is_italic << 1
