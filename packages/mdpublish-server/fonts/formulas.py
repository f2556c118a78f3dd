"""The font of formulas on pages: STIX Two Math as ziamath ships it, which draws them in images."""

import sys
from importlib.resources import files
from typing import Any

from families import FACES
from fontTools.ttLib import TTFont
from pages import FONTS, write_font
from sources import Archives, require_free, require_unreserved, saved, subset

NAME = "STIX Two Math"

FREQUENT = frozenset(
    [
        *range(0x20, 0x7F),
        *map(ord, "\u00a0¬°±·×÷†‡…′″‴‖‗―ℏℓ℘ℑℜℎℵ∂∇∅∞∀∃∄∈∉∋∌∏∐∑−∓∔∖∗∘∙√∛∝∠∡∢∣∤∥∦∧∨∩∪∫∬∭∮∯∴∵∼≀≃≅≈≍≐≔≕≜≝≟≠≡≢≤≥≦≧≪≫"),
        *map(ord, "≮≯≰≱≲≳≺≻⊂⊃⊄⊆⊇⊈⊊⊎⊏⊐⊑⊒⊓⊔⊕⊖⊗⊘⊙⊢⊣⊤⊥⊨⊩⋀⋁⋂⋃⋄⋅⋆⋈⋮⋯⋰⋱⌈⌉⌊⌋⟨⟩⟮⟯⟦⟧⟵⟶⟷⟸⟹⟺⟼"),
        *map(ord, "←↑→↓↔↕↖↗↘↙↦↩↪↼↽⇀⇁⇌⇐⇑⇒⇓⇔⇕∶□◯◻△▽▷◁★♠♡♢♣♭♮♯■▲▼⏞⏟⏜⏝⎴⎵⎛⎝⎞⎠⎡⎣⎤⎦⎢⎥⎧⎨⎩⎪⎫⎬⎭"),
        *map(
            ord,
            "\u0300\u0301\u0302\u0303\u0304\u0305\u0306\u0307\u0308\u030a\u030c\u0332\u0338\u20d0\u20d1\u20d6\u20d7\u20db",
        ),
        *map(ord, "ˆˇ˘˙˚˜¨´`¯‾^~ı𝚤𝚥ℂℍℕℙℚℝℤℬℰℱℋℐℒℳℛ⁡⁢⁣"),
        *range(0x391, 0x3CA),  # Greek
        *map(ord, "ϑϕϖϱϵϰ"),
        *range(0x1D434, 0x1D468),  # italic, of Latin letters
        *range(0x1D6E2, 0x1D71C),  # and Greek ones
        *range(0x1D400, 0x1D434),  # bold
        *range(0x1D49C, 0x1D4B6),  # script capitals
        *range(0x1D538, 0x1D552),  # double-struck capitals
    ]
)
"""Characters of most formulas."""

RARE = (
    frozenset([*range(0x2100, 0x2400), *range(0x25A0, 0x2600), *range(0x27C0, 0x2B00), *range(0x1D400, 0x1D800)])
    - FREQUENT
)
"""Other alphabets, operators and arrows."""

_FEATURES = ["ssty", "dtls", "flac"]
"""Of formulas: letters of scripts, letters without dots, flat accents."""


def build(archives: Archives) -> dict[str, Any]:
    licence = archives.licence(next(face for face in FACES if face.name == "STIX Two Text"))
    require_free(NAME, licence)
    (FONTS / "stix-two-math.OFL.txt").write_text(licence, "utf-8")
    names = {}
    for part, characters in (("frequent", FREQUENT), ("rare", RARE)):
        with (files("ziamath.fonts") / "STIXTwoMath-Regular.ttf").open("rb") as content:
            font = TTFont(content, recalcTimestamp=False)
            require_unreserved(NAME, font)
            known = characters & frozenset(font.getBestCmap())
            written = saved(subset(font, known, _FEATURES), "woff2")
        ending = [] if part == "frequent" else ["extended"]
        names[part] = {"file": write_font(["stix-two-math", "400", *ending], written), "range": _range(known)}
        sys.stdout.write(f"{NAME}, {part}: {len(written):,} bytes\n")
    return {"name": NAME, **names}


def _range(characters: frozenset[int]) -> str:
    """Return a CSS `unicode-range`."""
    ranges: list[list[int]] = []
    for code in sorted(characters):
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    return ",".join(f"U+{first:x}" if first == last else f"U+{first:x}-{last:x}" for first, last in ranges)
