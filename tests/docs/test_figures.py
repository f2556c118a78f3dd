"""The pages on figures and math show each example's source and result."""

import re
from pathlib import Path

import pytest

from mdpublish_core import parse
from mdpublish_core.figures.charts.series import SERIES
from mdpublish_core.figures.mermaid.sources import TYPES
from mdpublish_core.nodes import Figure
from tests.docs.examples import blocks_of
from tests.docs.pages import ROOT

MERMAID, GRAPHVIZ, CHARTS, MATH = (
    ROOT / f"docs/reference/{name}.md" for name in ("mermaid", "graphviz", "charts", "math")
)
PAGES = [pytest.param(page, id=page.name) for page in (MERMAID, GRAPHVIZ, CHARTS, MATH)]

# https://graphviz.org/docs/layouts/
ENGINES = {"dot", "neato", "twopi", "circo", "fdp", "sfdp", "osage", "patchwork"}

NEWER_TYPES = (
    *("block", "sankey", "xychart", "kanban", "architecture", "packet", "radar", "treemap", "requirementDiagram"),
    *("C4", "zenuml", "treeView"),
)
"""Each is the beginning of a first word."""


def examples_of(page: Path) -> list[str]:
    return [block.code for block in blocks_of(page) if block.language == "markdown" and not block.file]


def figures_of(page: Path) -> list[Figure]:
    return [token for token in parse(page.read_text("utf-8")).figures_and_math if isinstance(token, Figure)]


@pytest.mark.parametrize("page", PAGES)
def test_example_is_drawn_below_its_markdown(page: Path) -> None:
    markdown = page.read_text("utf-8")

    for example in examples_of(page):
        assert f"````markdown\n{example}````\n\n{example}" in markdown


@pytest.mark.parametrize("page", PAGES)
def test_nothing_is_drawn_that_is_not_an_example(page: Path) -> None:
    drawn = [len(parse(example).figures_and_math) for example in examples_of(page)]

    assert all(drawn)
    assert len(parse(page.read_text("utf-8")).figures_and_math) == sum(drawn)


def test_every_type_of_mermaid_has_an_example() -> None:
    shown = {figure.content.partition("\n")[0].split()[0] for figure in figures_of(MERMAID)}

    assert [kind for kind in (*TYPES, *NEWER_TYPES) if not any(word.startswith(kind) for word in shown)] == []


def test_every_engine_of_graphviz_has_an_example() -> None:
    named = set()
    for figure in figures_of(GRAPHVIZ):
        layout = re.search(r"layout=(\w+)", figure.content)
        named.add(figure.options.get("engine") or (layout and layout[1]) or figure.language)

    assert named == ENGINES


def chart_type(source: str) -> str:
    named = re.search(r"""["']?type["']?: ["'](\w+)["']""", source)
    assert named is not None
    return named[1]


def test_every_type_of_chart_has_an_example() -> None:
    assert {chart_type(figure.content) for figure in figures_of(CHARTS)} == set(SERIES)
