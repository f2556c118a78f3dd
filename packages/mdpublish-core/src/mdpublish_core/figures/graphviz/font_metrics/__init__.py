"""Fonts for Graphviz to measure text with: advance widths without outlines.

With system fonts, layout would differ between machines and labels could be too narrow. These have the widths of
`figures.fonts`; `Figure Mono` is at least as wide as common monospaced fonts, too.

`python -m mdpublish_core.figures.graphviz.font_metrics` regenerates the files; a test detects stale ones.
"""

import struct
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path

from mdpublish_core.figures.fonts import text_width

FOLDER = Path(__file__).parent / "fonts"

SANS, MONO = "Figure Sans", "Figure Mono"

_EM = 2_048

# Of DejaVu Sans, in em.
_ASCENT, _DESCENT = 0.928, 0.236

# Average ratio to regular widths; that of DejaVu Sans is the highest of common fonts.
_BOLD_FACTOR = 1.14

# In em: Courier has 0.6, DejaVu Sans Mono 0.602.
_MONO_WIDTH = 0.602

# Scripts and symbols, ideographs, and the tag characters of emoji.
_PLANES = ((0x20, 0xD800), (0xE000, 0xFFFE), (0x10000, 0x3FFFE), (0xE0000, 0xE0200))

# Arabic, Syriac and similar scripts.
_JOINED = ((0x600, 0x870), (0x8A0, 0x900), (0xFB50, 0xFE00), (0xFE70, 0xFEFF))


def label_width(label: str, size: float, *, family: str = SANS, is_bold: bool = False) -> float:
    """Approximate Graphviz's width, without kerning."""
    return size * sum(_WIDTHS[_FILES[family, is_bold]](character) for character in label)


def build_fonts() -> Mapping[str, bytes]:
    return {
        name: _font(family, _WIDTHS[name], is_bold=is_bold)
        for (family, is_bold), name in _FILES.items()
        if is_bold == ("bold" in name)
    }


def _sans(character: str) -> float:
    return text_width(character, 1.0)


def _bold(character: str) -> float:
    return _BOLD_FACTOR * text_width(character, 1.0)


def _mono(character: str) -> float:
    width = text_width(character, 1.0)
    return max(_MONO_WIDTH, width) if width else 0.0


_WIDTHS: Mapping[str, Callable[[str], float]] = {"sans.ttf": _sans, "sans-bold.ttf": _bold, "mono.ttf": _mono}

_FILES = {(SANS, False): "sans.ttf", (SANS, True): "sans-bold.ttf", (MONO, False): "mono.ttf", (MONO, True): "mono.ttf"}


def _font(family: str, width: Callable[[str], float], *, is_bold: bool) -> bytes:
    """Return a TrueType font: https://learn.microsoft.com/en-us/typography/opentype/spec/."""
    widths, groups = _groups(width)
    glyphs = len(widths)
    weight, style = (700, "Bold") if is_bold else (400, "Regular")
    ascent, descent = round(_ASCENT * _EM), round(_DESCENT * _EM)
    tables = {
        b"OS/2": struct.pack(
            ">HhHHH10hh10sIIII4sHHHhhhHHII2h3H",
            4, round(0.5 * _EM), weight, 5, 0,
            0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
            bytes(10), 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, 0xFFFFFFFF, b"none",
            0x20 if is_bold else 0x40, 0x20, 0xFFFF, ascent, -descent, 0, ascent, descent,
            0xFFFFFFFF, 0xFFFFFFFF, round(0.547 * _EM), round(0.729 * _EM), 0, 0x20, 0,
        ),
        b"cmap": _cmap(groups),
        b"glyf": b"",
        b"head": struct.pack(
            ">IIIIHHQQ4hHHhhh", 0x10000, 0x10000, 0, 0x5F0F3CF5, 0, _EM, 0, 0, 0, 0, 1, 1, int(is_bold), 8, 2, 1, 0
        ),
        b"hhea": struct.pack(">I3hH3h3h4hhH", 0x10000, ascent, -descent, 0, max(widths), 0, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0, glyphs),
        b"hmtx": b"".join(struct.pack(">Hh", each, 0) for each in widths),
        b"loca": bytes(4 * (glyphs + 1)),
        b"maxp": struct.pack(">I14H", 0x10000, glyphs, 3, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0),
        b"name": _names({1: family, 2: style, 4: f"{family} {style}", 6: f"{family}-{style}".replace(" ", "")}),
        b"post": struct.pack(">IIhhIIIII", 0x30000, 0, 0, 0, 0, 0, 0, 0, 0),
    }  # fmt: skip
    return _file(tables)


def _groups(width: Callable[[str], float]) -> tuple[list[int], list[tuple[int, int, int]]]:
    """Return glyph widths and the character ranges `(first, last, glyph)`; glyph 0 is `.notdef`."""
    widths = [round(0.9 * _EM)]
    glyphs: dict[tuple[int, int], int] = {}
    groups: list[tuple[int, int, int]] = []
    for start, end in _PLANES:
        for code in range(start, end):
            units = round(width(chr(code)) * _EM)
            glyph = glyphs.setdefault((units, code if _is_joined(code) else 0), len(widths))
            if glyph == len(widths):
                widths.append(units)
            if groups and groups[-1][1:] == (code - 1, glyph):
                groups[-1] = (groups[-1][0], code, glyph)
            else:
                groups.append((code, code, glyph))
    return widths, groups


def _is_joined(code: int) -> bool:
    """Whether a character joins its neighbors, so that it needs a glyph of its own."""
    return any(start <= code < end for start, end in _JOINED)


def _cmap(groups: Iterable[tuple[int, int, int]]) -> bytes:
    """Format 13: many characters to one glyph."""
    packed = b"".join(struct.pack(">3I", *group) for group in groups)
    table = struct.pack(">HHIII", 13, 0, 16 + len(packed), 0, len(packed) // 12) + packed
    return struct.pack(">HHHHI", 0, 1, 3, 10, 12) + table


def _names(names: Mapping[int, str]) -> bytes:
    encoded = {number: name.encode("utf-16-be") for number, name in names.items()}
    records, start = b"", 0
    for number, string in encoded.items():
        records += struct.pack(">6H", 3, 1, 0x409, number, len(string), start)
        start += len(string)
    return struct.pack(">3H", 0, len(encoded), 6 + len(records)) + records + b"".join(encoded.values())


def _file(tables: Mapping[bytes, bytes]) -> bytes:
    count = len(tables)
    power = 1 << (count.bit_length() - 1)
    head = struct.pack(">IHHHH", 0x10000, count, 16 * power, power.bit_length() - 1, 16 * (count - power))
    directory, body = b"", b""
    start = len(head) + 16 * count
    for tag, table in sorted(tables.items()):
        padded = table + bytes(-len(table) % 4)
        checksum = sum(struct.unpack(f">{len(padded) // 4}I", padded)) & 0xFFFFFFFF
        directory += struct.pack(">4sIII", tag, checksum, start + len(body), len(table))
        body += padded
    return head + directory + body
