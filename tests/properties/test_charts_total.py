"""Law: any chart's source is rendered, or its author gets a notice; nothing else is raised.

`test_charts_well_formed.py` and `test_charts_within_view.py` draw every valid chart.
"""

import json
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_core.figures.request import FailedFigure, RenderedFigure
from mdpublish_core.figures.worker import render
from mdpublish_core.testing import hostile_text
from tests.visual.malformed_charts import any_json, broken_charts
from tests.visual.rendered_charts import chart_request

pytestmark = [pytest.mark.needs("resvg_py"), pytest.mark.corpora]

# Messages quote part of the chart.
MAX_CHARACTERS = 400


def check(source: str) -> None:
    result = render(chart_request(source))

    assert isinstance(result, RenderedFigure | FailedFigure)
    if isinstance(result, FailedFigure):
        assert result.problem
        assert len(result.problem) <= MAX_CHARACTERS
        assert (result.line or 1) >= 1
        assert (result.column or 1) >= 1
    else:
        assert result.svg is not None
        assert result.description
        assert all(len(remark) <= MAX_CHARACTERS for remark in result.remarks)


@given(broken_charts())
@example({"type": "bar", "options": {"indexAxis": {}}})
@example({"type": "bar", "data": {"datasets": [{"data": [1], "borderSkipped": []}]}})
@example({"type": "line", "data": {"datasets": [{"stepped": {}}]}})
@example({"type": "polarArea", "data": {"datasets": [{"data": [5e-324, 1]}]}})
@example({"type": "line", "options": {"scales": {"y": {"min": "#12", "max": 50}}}})
@example({"type": "line", "options": {"scales": {"x": {"ticks": {"maxTicksLimit": -1}}}}})
@example({"type": "radar", "options": {"scales": {"r": {"ticks": {"backdropPadding": {"y": 1e9}}}}}})
def test_broken_chart_is_drawn_or_refused(chart: dict[str, Any]) -> None:
    check(json.dumps(chart))


@given(any_json())
def test_any_json_is_drawn_or_refused(value: Any) -> None:
    check(json.dumps(value))


@given(broken_charts(max_mutations=1), st.data())
def test_json_that_ends_anywhere_is_drawn_or_refused(chart: dict[str, Any], data: st.DataObject) -> None:
    source = json.dumps(chart)

    check(source[: data.draw(st.integers(0, len(source)))])


@given(hostile_text())
@example("\ud800")
@example("\0")
def test_any_source_is_drawn_or_refused(source: str) -> None:
    check(source)
