"""Law: the same chart gives the same image, table and notices, whatever was rendered before."""

from typing import Any

import pytest
from hypothesis import given

from mdpublish_core.figures.worker import render
from tests.visual.chart_samples import charts
from tests.visual.malformed_charts import broken_charts
from tests.visual.rendered_charts import chart_request

pytestmark = [pytest.mark.needs("resvg_py"), pytest.mark.corpora]


@given(charts(), charts())
def test_same_chart_gives_same_svg(chart: dict[str, Any], other: dict[str, Any]) -> None:
    first = render(chart_request(chart))
    render(chart_request(other))

    assert render(chart_request(chart)) == first


@given(broken_charts(), broken_charts())
def test_same_broken_chart_gives_same_result(chart: dict[str, Any], other: dict[str, Any]) -> None:
    first = render(chart_request(chart))
    render(chart_request(other))

    assert render(chart_request(chart)) == first
