"""The distance of two designs: what is painted and in which face, whatever the sizes and line breaks.

A page is described by `design.js` from what Chromium computed: marks, such as `title: thick bottom edge`, glyphs as
they are drawn, and colors. Two pages are compared part by part; the distance of two parts is between 0 and 1.
"""

from base64 import b64decode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import log
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mdpublish_core import list_templates
from mdpublish_core.css.colors import oklab_distance
from mdpublish_core.templates import THEME_MODES, Template, ThemeMode
from tests.templates.measurements import SPECIMEN
from tests.templates.phone import DESKTOP, PHONE, View, open_template

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from playwright.sync_api import Page

VIEWS = (PHONE, DESKTOP)

MIN_FORM_DISTANCE = 0.27
"""Distance of two templates in any view: more than glyphs weigh, and than any of these makes of eight unlike ones:

| change | distance, at most |
|---|---|
| other sizes, measure and spacing, by a fifth | 0.04 |
| the colors of another template | 0.02 |
| another variant of one element | 0.08 |
| other variants of all that is below the first screen: quotes, callouts, code, tables, lists, rules | 0.12 |
| the fonts of another template, hosted ones for text and code too | 0.25 |

So a template must change two things at least that a reader sees at first sight, for instance its fonts and its title.
`test_alikeness` measures these again.
"""

WEIGHTS = {
    "title": 0.17,
    "title's glyphs": 0.13,
    "text's glyphs": 0.13,
    "opening": 0.13,
    "page": 0.13,
    "section": 0.09,
    "quote": 0.04,
    "callout": 0.04,
    "code": 0.04,
    "table": 0.04,
    "lists": 0.03,
    "subsection": 0.02,
    "text": 0.01,
}
"""Of form: three quarters are on the first screen."""

COLOR_WEIGHT = 0.25
"""Of colors beside form, in the distance of what is seen."""

_HALF = 2
"""As many different marks make half of a part's distance."""

_MAX_RATIO = log(2.2)
"""Between the sizes of two titles."""

_MAX_GLYPHS = 0.6
"""Between glyphs: a serif and a grotesk."""

_MAX_COLOR = 0.35
"""Mean in OKLab."""

_SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8")
_CELL = (72, 56)


@dataclass(frozen=True, slots=True)
class Design:
    marks: Mapping[str, frozenset[str]]
    ratios: Mapping[str, float]
    """Sizes of headings relative to text."""

    glyphs: Mapping[str, "NDArray[np.float32]"]
    """Coverage of glyphs of one x-height."""

    colors: tuple[str, ...]


def read_design(page: "Page", height: int) -> Design:
    result: dict[str, Any] = page.evaluate(_SCRIPT, height)
    return Design(
        marks={part: frozenset(marks) for part, marks in result["marks"].items()},
        ratios=result["ratios"],
        glyphs={part: _coverage(glyphs) for part, glyphs in result["glyphs"].items()},
        colors=tuple("#" + bytes(color).hex() for color in result["colors"]),
    )


def design_of(page: "Page", template: Template, theme_mode: ThemeMode, view: View) -> Design:
    open_template(page, template, theme_mode, view, SPECIMEN)
    return read_design(page, view.height)


def all_designs(page: "Page", views: Sequence[View] = VIEWS) -> dict[tuple[View, ThemeMode], dict[str, Design]]:
    """Return the designs of all templates by view and mode; takes half a minute a view."""
    return {
        (view, mode): {each.id: design_of(page, each, mode, view) for each in list_templates()}
        for view in views
        for mode in THEME_MODES
    }


def _coverage(glyphs: str) -> "NDArray[np.float32]":
    """Means of 2 x 2 pixels, so that half a pixel more or less matters little."""
    import numpy as np

    height, width = _CELL
    pixels = np.frombuffer(b64decode(glyphs), dtype=np.uint8).astype(np.float32).reshape(height, -1) / 255
    assert pixels.shape[1] % width == 0
    result: NDArray[np.float32] = pixels.reshape(height // 2, 2, -1, 2).mean(axis=(1, 3))
    return result


def part_distances(one: Design, other: Design) -> dict[str, float]:
    """Return the distance of each part of form."""
    parts = {part: _marks_distance(marks, other.marks[part]) for part, marks in one.marks.items()}
    for part, ratio in one.ratios.items():
        sizes = min(1.0, abs(log(ratio / other.ratios[part])) / _MAX_RATIO)
        parts[part] = 0.65 * parts[part] + 0.35 * sizes
    for part, coverage in one.glyphs.items():
        parts[f"{part}'s glyphs"] = min(1.0, glyph_distance(coverage, other.glyphs[part]) / _MAX_GLYPHS)
    return parts


def form_distance(one: Design, other: Design) -> float:
    """Return how far apart two designs are without their colors, from 0 to 1."""
    parts = part_distances(one, other)
    return sum(weight * parts[part] for part, weight in WEIGHTS.items())


def color_distance(one: Design, other: Design) -> float:
    distances = [oklab_distance(ours, theirs) for ours, theirs in zip(one.colors, other.colors, strict=True)]
    return min(1.0, sum(distances) / len(distances) / _MAX_COLOR)


def seen_distance(one: Design, other: Design) -> float:
    """Return the distance of form and colors together."""
    return (1 - COLOR_WEIGHT) * form_distance(one, other) + COLOR_WEIGHT * color_distance(one, other)


def glyph_distance(one: "NDArray[np.float32]", other: "NDArray[np.float32]") -> float:
    """Return the share of ink that is not common (1 less the Jaccard index)."""
    import numpy as np

    return 1 - float(np.minimum(one, other).sum() / np.maximum(one, other).sum())


def _marks_distance(ours: frozenset[str], theirs: frozenset[str]) -> float:
    different = len(ours ^ theirs)
    return different / (different + _HALF)


def nearest_pairs(designs: Mapping[str, Design]) -> list[tuple[float, str, str]]:
    """Return all pairs by their distance of form, nearest first."""
    return sorted((form_distance(designs[one], designs[other]), one, other) for one, other in combinations(designs, 2))
