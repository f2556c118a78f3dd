"""Fonts for Graphviz to measure text with: advance widths without outlines.

With system fonts, layout would differ between machines and labels could be too narrow. These have the widths of
`figures.fonts`; `Figure Mono` is at least as wide as common monospaced fonts, too.

`nox -s fonts` makes the files; a test compares them with the widths here.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from mdpublish_core.figures.fonts import text_width

FOLDER = Path(__file__).parent / "fonts"

SANS, MONO = "Figure Sans", "Figure Mono"

# Average ratio to regular widths; that of DejaVu Sans is the highest of common fonts.
_BOLD_FACTOR = 1.14

# In em: Courier has 0.6, DejaVu Sans Mono 0.602.
_MONO_WIDTH = 0.602


def label_width(label: str, size: float, *, family: str = SANS, is_bold: bool = False) -> float:
    """Approximate Graphviz's width, without kerning."""
    return size * sum(WIDTHS[FILES[family, is_bold]](character) for character in label)


def _mono(character: str) -> float:
    width = text_width(character, 1.0)
    return max(_MONO_WIDTH, width) if width else 0.0


WIDTHS: Mapping[str, Callable[[str], float]] = {
    "sans.ttf": lambda character: text_width(character, 1.0),
    "sans-bold.ttf": lambda character: _BOLD_FACTOR * text_width(character, 1.0),
    "mono.ttf": _mono,
}

FILES = {(SANS, False): "sans.ttf", (SANS, True): "sans-bold.ttf", (MONO, False): "mono.ttf", (MONO, True): "mono.ttf"}
