"""Makes the fonts in which Graphviz measures text: advance widths without outlines. Run by `nox -s fonts`."""

from fontTools.fontBuilder import FontBuilder
from fontTools.ttLib import newTable
from fontTools.ttLib.tables._c_m_a_p import CmapSubtable
from fontTools.ttLib.tables._g_l_y_f import Glyph

from mdpublish_core.figures.graphviz.font_metrics import FILES, FOLDER, WIDTHS

_EM = 2_048

# Of DejaVu Sans, in em.
_ASCENT, _DESCENT, _X_HEIGHT, _CAP_HEIGHT = 0.928, 0.236, 0.547, 0.729

_ALL = 0xFFFFFFFF  # scripts

_CREATED = 2_082_844_800  # 1970, in seconds since 1904

_MISSING_WIDTH = 0.9  # em

# Scripts and symbols, ideographs, and the tag characters of emoji.
_PLANES = ((0x20, 0xD800), (0xE000, 0xFFFE), (0x10000, 0x3FFFE), (0xE0000, 0xE0200))

# Arabic, Syriac and similar scripts join their neighbors, so each character needs a glyph of its own.
_JOINED = ((0x600, 0x870), (0x8A0, 0x900), (0xFB50, 0xFE00), (0xFE70, 0xFEFF))


def main() -> None:
    FOLDER.mkdir(exist_ok=True)
    for (family, is_bold), name in FILES.items():
        if is_bold == ("bold" in name):
            _font(family, name, is_bold=is_bold).save(FOLDER / name)


def _font(family: str, name: str, *, is_bold: bool) -> FontBuilder:
    widths, characters = _glyphs(name)
    ascent, descent = round(_ASCENT * _EM), round(_DESCENT * _EM)
    builder = FontBuilder(_EM)
    builder.setupGlyphOrder(list(widths))
    builder.setupGlyf({glyph: Glyph() for glyph in widths})
    builder.setupHorizontalMetrics({glyph: (width, 0) for glyph, width in widths.items()})
    builder.setupHorizontalHeader(ascent=ascent, descent=-descent)
    # Many characters to one glyph.
    table = CmapSubtable.newSubtable(13)
    table.platformID, table.platEncID, table.language, table.cmap = 3, 10, 0, characters
    builder.font["cmap"] = newTable("cmap")
    builder.font["cmap"].tableVersion, builder.font["cmap"].tables = 0, [table]
    builder.setupNameTable({"familyName": family, "styleName": "Bold" if is_bold else "Regular"})
    builder.setupOS2(
        version=4,
        **dict.fromkeys(
            (*(f"ulUnicodeRange{part}" for part in range(1, 5)), "ulCodePageRange1", "ulCodePageRange2"), _ALL
        ),
        fsType=0,
        sxHeight=round(_X_HEIGHT * _EM),
        sCapHeight=round(_CAP_HEIGHT * _EM),
        usWeightClass=700 if is_bold else 400,
        fsSelection=0x20 if is_bold else 0x40,
        sTypoAscender=ascent,
        sTypoDescender=-descent,
        usWinAscent=ascent,
        usWinDescent=descent,
    )
    builder.setupPost(keepGlyphNames=False)
    builder.updateHead(created=_CREATED, modified=_CREATED, macStyle=int(is_bold))
    return builder


def _glyphs(name: str) -> tuple[dict[str, int], dict[int, str]]:
    """Return the widths of glyphs, and the glyphs of characters; those of one width share one."""
    widths = {".notdef": round(_MISSING_WIDTH * _EM)}
    characters: dict[int, str] = {}
    for code in (code for start, end in _PLANES for code in range(start, end)):
        width = round(WIDTHS[name](chr(code)) * _EM)
        is_joined = any(start <= code < end for start, end in _JOINED)
        glyph = f"u{code:x}" if is_joined else f"w{width}"
        widths[glyph] = width
        characters[code] = glyph
    return widths, characters


if __name__ == "__main__":
    main()
