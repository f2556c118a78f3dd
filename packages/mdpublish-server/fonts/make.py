"""Builds the hosted fonts: downloads, verifies, subsets and measures them. Reproducible byte for byte.

Writes the server's `web/static/fonts` and the core's `hosted_fonts.json`. Run by `nox -s fonts`.
"""

import hashlib
import io
import json
import re
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

from families import FAMILIES, STANDARDS, Family, Package, Style
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from tests.corpora import npm
from tests.corpora.cache import digest

ROOT = Path(__file__).parents[3]
FONTS = ROOT / "packages/mdpublish-server/src/mdpublish_server/web/static/fonts"
FACTS = ROOT / "packages/mdpublish-core/src/mdpublish_core/templates/hosted_fonts.json"

LATIN = frozenset(
    [
        *range(0x20, 0x7F),  # Basic Latin
        *range(0xA0, 0x100),  # Latin-1
        *map(ord, "ıŒœˆ˚˜"),
        *range(0x2002, 0x200B),  # spaces
        *range(0x2010, 0x2028),  # dashes, quotation marks, daggers, bullet, ellipsis
        *map(ord, "\u202f‰′″‹›⁄€™←↑→↓↩−≈≠≤≥❯"),
    ]
)
"""Western European languages, and characters that templates use."""

EXTENDED = frozenset([*range(0x100, 0x180), *range(0x218, 0x21C)]) - LATIN
"""Latin Extended-A, and the four letters of Romanian outside it."""

EXTENDED_RANGE = "U+100-130,U+132-151,U+154-17F,U+218-21B"
"""The same as a CSS `unicode-range`."""

FEATURES = ["kern", "liga", "lnum", "onum", "smcp", "tnum"]
"""OpenType features to keep; code ligatures (`calt`) are dropped on purpose."""

# Copyright, names, license and its URL, as the OFL requires.
_NAMES = [0, 1, 2, 4, 6, 13, 14]

# Letter frequencies of English in percent: https://norvig.com/mayzner.html. The mean word has 4.79 letters.
_OFTEN = (
    12.49,
    9.28,
    8.04,
    7.64,
    7.57,
    7.23,
    6.51,
    6.28,
    5.05,
    4.07,
    3.82,
    3.34,
    2.73,
    2.51,
    2.40,
    2.14,
    1.87,
    1.68,
    1.66,
)
_SELDOM = (1.48, 1.05, 0.54, 0.23, 0.16, 0.12, 0.09, 100 / 4.79)
_FREQUENCIES = dict(zip("etaoinsrhldcumfpgwybvkxjqz ", _OFTEN + _SELDOM, strict=True))


class Refused(Exception):  # noqa: N818  (the word names the fault)
    """A package that must not be hosted, or differs from the pinned one."""


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        packages = [*FAMILIES, *STANDARDS.values()]
        npm.pack([f"{each.package}@{each.version}" for each in packages], folder, "fonts")
        archives = {each.package: _opened(each, folder) for each in packages}
        FONTS.mkdir(exist_ok=True)
        for old in FONTS.iterdir():
            old.unlink()
        facts = {family.name: _build_family(family, archives) for family in FAMILIES}
    font_facts = {"extended_range": EXTENDED_RANGE, "families": facts}
    FACTS.write_text(json.dumps(font_facts, indent=1, sort_keys=True) + "\n", "utf-8")


def _opened(package: Package, folder: str) -> tarfile.TarFile:
    path = npm.archive_of(package.package, package.version, folder)
    if digest(path.read_bytes()) != package.sha256:
        raise Refused(f"{package.package} has SHA-256 {digest(path.read_bytes())}, not the pinned {package.sha256}")
    return tarfile.open(path, "r:gz")


def _build_family(family: Family, archives: dict[str, tarfile.TarFile]) -> dict[str, Any]:
    licence = _read(archives[family.package], "LICENSE").decode()
    _require_free(family, licence)
    (FONTS / f"{family.slug}.OFL.txt").write_text(licence, "utf-8")
    styles = [_build_style(family, style, archives) for style in family.styles]
    total = sum((FONTS / name).stat().st_size for style in styles for name in style["files"].values())
    sys.stdout.write(f"{family.name}: {len(styles)} styles, {total:,} bytes\n")
    return {"fallback": family.fallback, "styles": styles}


def _build_style(family: Family, style: Style, archives: dict[str, tarfile.TarFile]) -> dict[str, Any]:
    ending = f"{style.weight}-{'italic' if style.is_italic else 'normal'}.woff2"
    source = _font(archives[family.package], f"files/{family.slug}-latin-{ending}")
    _require_unreserved(family, source)
    standard = _standard(family, style, archives)
    fits = {"letters": _measured(source, standard), "capitals": _measured(source, standard, in_capitals=True)}
    names = {"latin": _written(family, style, source, LATIN)}
    if family.has_extended:
        extended = _font(archives[family.package], f"files/{family.slug}-latin-ext-{ending}")
        names["extended"] = _written(family, style, extended, EXTENDED)
    return {"weight": style.weight, "is_italic": style.is_italic, "files": names, **fits}


def _written(family: Family, style: Style, font: TTFont, characters: frozenset[int]) -> str:
    options = Options()
    # A third of some files, and hardly used by modern screens.
    options.hinting = False
    options.layout_features = FEATURES
    options.name_IDs = _NAMES
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=characters)
    subsetter.subset(font)
    font.flavor = "woff2"
    buffer = io.BytesIO()
    font.save(buffer)
    content = buffer.getvalue()
    parts = [family.slug, str(style.weight), *(["italic"] if style.is_italic else [])]
    parts += ["extended"] if characters is EXTENDED else []
    name = f"{'-'.join(parts)}.{hashlib.sha256(content).hexdigest()[:8]}.woff2"
    (FONTS / name).write_bytes(content)
    return name


def _require_free(family: Family, licence: str) -> None:
    """Reject a license other than the OFL, or with a Reserved Font Name."""
    if "SIL OPEN FONT LICENSE VERSION 1.1" not in licence.upper():
        raise Refused(f"{family.name} is not under the OFL")
    # The copyright statement precedes the license text.
    statement = licence.partition("This Font Software is licensed")[0]
    if "copyright" not in statement.lower() or "reserved" in statement.lower():
        raise Refused(f"{family.name} has another copyright statement than one that reserves no name: {statement}")


def _require_unreserved(family: Family, font: TTFont) -> None:
    """Reject a Reserved Font Name in the font's name table, which some license files omit."""
    name_records = " ".join(record.toUnicode() for record in font["name"].names)
    if re.search(r"reserved\s+font\s+name", name_records, re.IGNORECASE):
        raise Refused(f"{family.name} reserves a name in its own table of names: {name_records[:300]}")


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


def _standard(family: Family, style: Style, archives: dict[str, tarfile.TarFile]) -> TTFont:
    """Return the font that is metric-compatible with the fallback."""
    package = STANDARDS[family.fallback]
    slug = package.slug
    weight = 700 if style.is_bold else 400
    return _font(
        archives[package.package], f"files/{slug}-latin-{weight}-{'italic' if style.is_italic else 'normal'}.woff2"
    )


def _font(archive: tarfile.TarFile, path: str) -> TTFont:
    # A current timestamp would make the output differ.
    return TTFont(io.BytesIO(_read(archive, path)), recalcTimestamp=False)


def _read(archive: tarfile.TarFile, path: str) -> bytes:
    reader = archive.extractfile(f"package/{path}")
    assert reader is not None, "a regular file can be read"
    return reader.read()


if __name__ == "__main__":
    main()
