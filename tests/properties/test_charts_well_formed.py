"""Law: a chart's SVG may stand in any page as it is: only numbers, colours and clips of its own, and nothing that is clean_svg away."""

from typing import Any

from hypothesis import given
from lxml import etree

from mdpublish_core.figures.request import FigureError
from mdpublish_core.figures.svg import clean_svg
from tests.figures.chart_drawings import (
    COLOUR,
    colours,
    name_of,
    sketched,
    strange_addresses,
    texts,
    tips,
    words_for_numbers,
)
from tests.figures.chart_junk import broken_charts
from tests.figures.chart_samples import charts

ELEMENTS = {"svg", "g", "path", "rect", "circle", "text", "tspan", "title", "clipPath"}


def check(svg: str) -> None:
    root = etree.fromstring(svg.encode())
    clean = etree.fromstring(clean_svg(svg).document().encode())

    assert {name_of(each) for each in root.iter()} <= ELEMENTS
    assert words_for_numbers(root) == []
    assert [colour for colour in colours(root) if not COLOUR.fullmatch(colour)] == []
    assert strange_addresses(root) == []
    assert words_of(clean) == words_of(root)


def words_of(root: "etree._Element") -> list[list[str]]:
    """Return the words of each text; how much space is between them nobody sees."""
    return [text.split() for text in (*texts(root), *tips(root))]


@given(charts())
def test_drawing_is_well_formed(chart: dict[str, Any]) -> None:
    check(sketched(chart).svg or "")


@given(broken_charts())
def test_drawing_of_a_broken_chart_is_well_formed(chart: dict[str, Any]) -> None:
    try:
        svg = sketched(chart).svg
    except FigureError:
        return
    check(svg or "")
