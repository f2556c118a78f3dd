"""Law: a chart's SVG is safe in any page: only numbers, colors and its own clips; clean_svg removes nothing."""

from typing import Any

import pytest
from hypothesis import given
from lxml import etree

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.svg import clean_svg
from tests.visual.chart_samples import charts
from tests.visual.malformed_charts import broken_charts
from tests.visual.rendered_charts import (
    COLOR,
    colors,
    drawn_labels,
    foreign_urls,
    name_of,
    render_chart,
    tooltips,
    words_for_numbers,
)

pytestmark = [pytest.mark.needs("resvg_py"), pytest.mark.corpora]

ELEMENTS = {"svg", "g", "path", "rect", "circle", "text", "tspan", "title", "clipPath"}


def check(svg: str) -> None:
    root = etree.fromstring(svg.encode())
    clean = etree.fromstring(clean_svg(svg).document().encode())

    assert {name_of(each) for each in root.iter()} <= ELEMENTS
    assert words_for_numbers(root) == []
    assert [color for color in colors(root) if not COLOR.fullmatch(color)] == []
    assert foreign_urls(root) == []
    assert words_of(clean) == words_of(root)


def words_of(root: "etree._Element") -> list[list[str]]:
    return [element.split() for element in (*drawn_labels(root), *tooltips(root))]


@given(charts())
def test_svg_is_well_formed(chart: dict[str, Any]) -> None:
    check(render_chart(chart).svg or "")


@given(broken_charts())
def test_svg_of_a_broken_chart_is_well_formed(chart: dict[str, Any]) -> None:
    try:
        svg = render_chart(chart).svg
    except FigureError:
        return
    check(svg or "")
