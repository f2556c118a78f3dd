"""The faces of images: of figures, and of the titles of social images. TrueType, since resvg reads no WOFF2."""

import io
import json
import sys
from pathlib import Path
from typing import Any

from characters import characters
from families import FACES, FAMILIES, SYMBOLS, Family, FigureFace, Package, Style
from fontTools.merge import Merger
from fontTools.ttLib import TTFont
from sources import Archives, require_unreserved, saved, subset

FOLDER = Path(__file__).parents[3] / "packages/mdpublish-core/src/mdpublish_core/figures/faces"

TITLES = characters("titles")
FIGURES = TITLES | characters("figures")

_TITLE_FEATURES = ["kern"]
_FIGURE_FEATURES: list[str] = []
"""Pairs of small letters are not kerned: the tables are a third of a file."""

PREFIX = "mdpublish "
"""Of the names in the files, so that no installed font has the same one."""


def build(archives: Archives) -> None:
    FOLDER.mkdir(exist_ok=True)
    for old in FOLDER.iterdir():
        if old.suffix != ".py":
            old.unlink()
    facts: dict[str, Any] = {"faces": {}, "kinds": {}}
    for face in FACES:
        facts["kinds"][face.kind] = face.name
        facts["faces"][face.name] = [_figure_face(face, style, archives) for style in face.styles]
        _write_licence(face, archives)
    for family in FAMILIES:
        if family.titles:
            facts["faces"][family.name] = [_title_face(family, style, archives) for style in family.titles]
            _write_licence(family, archives)
    _build_symbols(archives)
    (FOLDER / "faces.json").write_text(json.dumps(facts, indent=1, sort_keys=True) + "\n", "utf-8")
    total = sum(path.stat().st_size for path in FOLDER.iterdir())
    sys.stdout.write(f"faces of images: {total:,} bytes\n")


def _build_symbols(archives: Archives) -> None:
    """Write symbols without letters: resvg draws all of a text in the first font that has what its own lacks."""
    font = subset(archives.font(SYMBOLS, SYMBOLS.paths[0]), characters("symbols"), _FIGURE_FEATURES)
    _rename(font, "Symbols", Style(400))
    (FOLDER / "symbols.ttf").write_bytes(saved(font, None))
    (FOLDER / "symbols.LICENSE.txt").write_bytes(archives.read(SYMBOLS, SYMBOLS.licence))


def _figure_face(face: FigureFace, style: Style, archives: Archives) -> dict[str, Any]:
    font = archives.font(face, face.paths[face.styles.index(style)])
    require_unreserved(face.name, font)
    return _written(face, style, subset(font, FIGURES, _FIGURE_FEATURES))


def _title_face(family: Family, style: Style, archives: Archives) -> dict[str, Any]:
    parts = []
    for font in archives.scripts(family, style):
        require_unreserved(family.name, font)
        # Fontsource's files overlap.
        covered = {code for part in parts for code in TTFont(io.BytesIO(part)).getBestCmap()}
        parts.append(saved(subset(font, TITLES - covered, _TITLE_FEATURES), None))
    merged = Merger().merge([io.BytesIO(part) for part in parts]) if len(parts) > 1 else TTFont(io.BytesIO(parts[0]))
    merged.recalcTimestamp = False
    # Merging writes the current time.
    merged["head"].created = merged["head"].modified = 0
    return _written(family, style, merged)


def _written(package: Package, style: Style, font: TTFont) -> dict[str, Any]:
    _rename(font, package.name, style)
    path = f"{package.slug}-{style.weight}{'-italic' if style.is_italic else ''}.ttf"
    (FOLDER / path).write_bytes(saved(font, None))
    return {"file": path, "weight": style.weight, "is_italic": style.is_italic}


def _rename(font: TTFont, name: str, style: Style) -> None:
    font["OS/2"].usWeightClass = style.weight
    for tag in ("DSIG", "STAT", "prep", "gasp"):
        if tag in font:
            del font[tag]
    font["post"].formatType = 3.0
    for record in list(font["name"].names):
        if record.nameID in {1, 4, 6} or record.platformID != 3:
            font["name"].removeNames(record.nameID, record.platformID, record.platEncID, record.langID)
    family = f"{PREFIX}{name}"
    for number, value in ((1, family), (4, family), (6, family.replace(" ", ""))):
        font["name"].setName(value, number, 3, 1, 0x409)


def _write_licence(package: Package, archives: Archives) -> None:
    (FOLDER / f"{package.slug}.OFL.txt").write_text(archives.licence(package), "utf-8")
