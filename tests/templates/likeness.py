# ruff: noqa: T201  (prints its findings)
"""Likeness of templates below their titles: `python -m tests.templates.likeness` lists the nearest pairs.

Pages of one text are compared block by block, so that a larger title shifts nothing: silhouettes (where a block begins
and ends, whether it stands beside another, its grounds and edges), faces of section heads and text, dress of elements.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from statistics import mean
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from mdpublish_core import PageOptions, list_templates, parse, render
from mdpublish_core.templates import Template
from tests.templates.design import Design, glyph_distance, part_distances, read_design
from tests.templates.phone import ORIGIN, View, phone_browser, show

if TYPE_CHECKING:
    from playwright.sync_api import Page

BELOW = parse((Path(__file__).parent / "below.md").read_text("utf-8"))

VIEW = View(1440, 900)

MIN_DISTANCE = 0.25
"""Of two templates: what their faces alone can make."""

ONE_SILHOUETTE = 0.1
"""Silhouettes that are nearer are one at a glance."""

NEAREST = 20

_WEIGHTS = {"section": 3, "subsection": 1, "quote": 2, "callout": 2, "code": 1, "table": 1, "lists": 1}
_FAR = 240
"""In px: blocks whose ends differ by as much, together, are at other places."""

_SCRIPT = Path(__file__).with_suffix(".js").read_text("utf-8").partition("\n")[2]


@dataclass(frozen=True, slots=True)
class Below:
    blocks: Sequence[dict[str, Any]]
    design: Design


def open_below(page: "Page", template: Template) -> None:
    options = PageOptions(title="Below", font_url=f"{ORIGIN}fonts/", reading_time=True, toc=True)
    html = render(BELOW, to="page", options=options, template=template).html
    show(page, html.replace("font-display:optional", "font-display:block"), VIEW)


def read_below(page: "Page", template: Template) -> Below:
    open_below(page, template)
    return Below(page.evaluate(_SCRIPT), read_design(page, VIEW.height))


def silhouette_distance(one: Below, other: Below) -> float:
    return mean(map(_block_distance, one.blocks, other.blocks))


def below_distance(one: Below, other: Below) -> float:
    """Return how far apart two pages are below their titles, from 0 to 1."""
    parts = part_distances(one.design, other.design)
    dress = sum(weight * parts[part] for part, weight in _WEIGHTS.items()) / sum(_WEIGHTS.values())
    faces = min(1.0, glyph_distance(one.design.glyphs["text"], other.design.glyphs["text"]) / 0.6)
    return 0.4 * silhouette_distance(one, other) + 0.35 * dress + 0.25 * faces


def _block_distance(one: dict[str, Any], other: dict[str, Any]) -> float:
    place: float = min(1.0, (abs(one["left"] - other["left"]) + abs(one["right"] - other["right"])) / _FAR)
    ours, theirs = set(one["paint"]), set(other["paint"])
    paint = len(ours ^ theirs) / max(1, len(ours | theirs))
    return 0.6 * place + 0.2 * bool(one["isBeside"] != other["isBeside"]) + 0.2 * paint


def all_below(page: "Page") -> dict[str, Below]:
    """Read all templates; takes half a minute."""
    return {each.id: read_below(page, each) for each in list_templates()}


def nearest_below(pages: dict[str, Below]) -> list[tuple[float, str, str]]:
    """Return all pairs by their distance, nearest first."""
    return sorted((below_distance(pages[one], pages[other]), one, other) for one, other in combinations(pages, 2))


def main() -> None:
    with TemporaryDirectory() as folder, phone_browser(Path(folder)) as browser:
        pages = all_below(browser.new_page())
    pairs = nearest_below(pages)
    for distance, one, other in pairs[:NEAREST]:
        print(f"{distance:.3f}  {one} and {other}")
    print(
        f"{sum(distance < MIN_DISTANCE for distance, *_ in pairs)} of {len(pairs)} pairs are nearer than {MIN_DISTANCE}"
    )
    silhouettes = [silhouette_distance(pages[one], pages[other]) for one, other in combinations(pages, 2)]
    print(f"{sum(distance < ONE_SILHOUETTE for distance in silhouettes)} have one silhouette")


if __name__ == "__main__":
    main()
