"""Law: the same chart comes to the same drawing, table and remarks, whatever was drawn in between."""

from typing import Any

from hypothesis import given

from mdpublish_core.figures.worker import render
from tests.figures.chart_drawings import order_of
from tests.figures.chart_junk import broken_charts
from tests.figures.chart_samples import charts


@given(charts(), charts())
def test_same_chart_gives_same_drawing(chart: dict[str, Any], other: dict[str, Any]) -> None:
    first = render(order_of(chart))
    render(order_of(other))

    assert render(order_of(chart)) == first


@given(broken_charts(), broken_charts())
def test_same_broken_chart_gives_same_answer(chart: dict[str, Any], other: dict[str, Any]) -> None:
    first = render(order_of(chart))
    render(order_of(other))

    assert render(order_of(chart)) == first
