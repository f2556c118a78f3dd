"""The hosted fonts, subsets for pages, and the metrics of their fallbacks."""

import hashlib
import json
import sys
from pathlib import Path
from tomllib import loads
from typing import Any

from characters import characters
from families import FAMILIES, STANDARDS, Family, Style
from fontTools.ttLib import TTFont
from sources import Archives, require_unreserved, saved, subset

ROOT = Path(__file__).parents[3]
FONTS = ROOT / "themes/fonts"
FACTS = ROOT / "packages/mdpublish-core/src/mdpublish_core/templates/hosted_fonts.json"

LATIN = characters("latin")
EXTENDED = characters("extended") - LATIN

SPACE = frozenset([0x20])
"""Printers set the space behind a word in the word's font, though pages take none from the extended file."""

EXTENDED_RANGE = "U+100-130,U+132-151,U+154-17F,U+218-21B"
"""The same as a CSS `unicode-range`."""

FEATURES = ["kern", "liga", "lnum", "onum", "smcp", "tnum"]
"""OpenType features to keep; code ligatures (`calt`) are dropped on purpose."""

_FREQUENCIES: dict[str, float] = loads(Path(__file__).with_name("letters.toml").read_text("utf-8"))
"""Of English, in percent."""


def build(archives: Archives) -> dict[str, Any]:
    FONTS.mkdir(exist_ok=True)
    for old in FONTS.iterdir():
        old.unlink()
    return {family.name: _build_family(family, archives) for family in FAMILIES}


def write_facts(families: dict[str, Any], formulas: dict[str, Any]) -> None:
    font_facts = {"extended_range": EXTENDED_RANGE, "families": families, "formulas": formulas}
    FACTS.write_text(json.dumps(font_facts, indent=1, sort_keys=True) + "\n", "utf-8")


def write_font(parts: list[str], content: bytes) -> str:
    """Write a file with a name that changes with its content."""
    name = f"{'-'.join(parts)}.{hashlib.sha256(content).hexdigest()[:8]}.woff2"
    (FONTS / name).write_bytes(content)
    return name


def _build_family(family: Family, archives: Archives) -> dict[str, Any]:
    (FONTS / f"{family.slug}.OFL.txt").write_text(archives.licence(family), "utf-8")
    styles = [_build_style(family, style, archives) for style in family.styles]
    total = sum((FONTS / name).stat().st_size for style in styles for name in style["files"].values())
    sys.stdout.write(f"{family.name}: {len(styles)} styles, {total:,} bytes\n")
    return {"fallback": family.fallback, "styles": styles}


def _build_style(family: Family, style: Style, archives: Archives) -> dict[str, Any]:
    source = _scaled(family, archives.scripts(family, style)[0])
    require_unreserved(family.name, source)
    standard = _standard(family, style, archives)
    fits = {"letters": _measured(source, standard), "capitals": _measured(source, standard, in_capitals=True)}
    names = {"latin": _written(family, style, source, LATIN)}
    if family.has_extended:
        # Read again: a font is subset in place.
        names["extended"] = _written(family, style, _scaled(family, archives.scripts(family, style)[-1]), EXTENDED)
    return {"weight": style.weight, "is_italic": style.is_italic, "files": names, **fits}


def _scaled(family: Family, font: TTFont) -> TTFont:
    font["head"].unitsPerEm = round(font["head"].unitsPerEm / family.scale)
    return font


def _written(family: Family, style: Style, font: TTFont, written: frozenset[int]) -> str:
    parts = [family.slug, str(style.weight), *(["italic"] if style.is_italic else [])]
    parts += ["extended"] if written is EXTENDED else []
    return write_font(parts, saved(subset(font, written | SPACE, FEATURES), "woff2"))


def _measured(font: TTFont, standard: TTFont, *, in_capitals: bool = False) -> dict[str, float]:
    """Return the metrics, in percent, that fit `standard` to `font`."""
    adjust = _mean_width(font, in_capitals=in_capitals) / _mean_width(standard, in_capitals=in_capitals)
    height = font["head"].unitsPerEm * adjust / 100
    line = font["hhea"]
    return {
        "size_adjust": round(adjust * 100, 2),
        "ascent": round(line.ascent / height, 2),
        "descent": round(-line.descent / height, 2),
        "line_gap": round(line.lineGap / height, 2),
    }


def _mean_width(font: TTFont, *, in_capitals: bool) -> float:
    """Return the mean letter width of English in em."""
    glyphs, widths = font.getBestCmap(), font["hmtx"]
    frequencies = {each.upper() if in_capitals else each: often for each, often in _FREQUENCIES.items()}
    total = sum(often * widths[glyphs[ord(each)]][0] for each, often in frequencies.items())
    return float(total / sum(_FREQUENCIES.values()) / font["head"].unitsPerEm)


def _standard(family: Family, style: Style, archives: Archives) -> TTFont:
    """Return the font that is metric-compatible with the fallback."""
    package = STANDARDS[family.fallback]
    weight, slope = 700 if style.is_bold else 400, "italic" if style.is_italic else "normal"
    return archives.font(package, f"files/{package.slug}-latin-{weight}-{slope}.woff2")
