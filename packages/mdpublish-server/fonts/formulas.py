"""The font of formulas on pages: STIX Two Math as ziamath ships it, which draws them in images."""

import sys
from importlib.resources import files
from typing import Any

from characters import characters
from families import FACES
from fontTools.ttLib import TTFont
from pages import FONTS, write_font
from sources import Archives, require_free, require_unreserved, saved, subset

NAME = "STIX Two Math"

FREQUENT = characters("frequent")
RARE = characters("rare") - FREQUENT

_FEATURES = ["ssty", "dtls", "flac"]
"""Of formulas: letters of scripts, letters without dots, flat accents."""


def build(archives: Archives) -> dict[str, Any]:
    licence = archives.licence(next(face for face in FACES if face.name == "STIX Two Text"))
    require_free(NAME, licence)
    (FONTS / "stix-two-math.OFL.txt").write_text(licence, "utf-8")
    names = {}
    for part, codes in (("frequent", FREQUENT), ("rare", RARE)):
        with (files("ziamath.fonts") / "STIXTwoMath-Regular.ttf").open("rb") as content:
            font = TTFont(content, recalcTimestamp=False)
            require_unreserved(NAME, font)
            known = codes & frozenset(font.getBestCmap())
            written = saved(subset(font, known, _FEATURES), "woff2")
        ending = [] if part == "frequent" else ["extended"]
        names[part] = {"file": write_font(["stix-two-math", "400", *ending], written), "range": _range(known)}
        sys.stdout.write(f"{NAME}, {part}: {len(written):,} bytes\n")
    return {"name": NAME, **names}


def _range(codes: frozenset[int]) -> str:
    """Return a CSS `unicode-range`."""
    ranges: list[list[int]] = []
    for code in sorted(codes):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ",".join(f"U+{first:x}" if first == last else f"U+{first:x}-{last:x}" for first, last in ranges)
