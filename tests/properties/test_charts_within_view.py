"""Law: a chart with short names and ordinary options stays within its view box."""

from typing import Any

import pytest
from hypothesis import given

from tests.visual.chart_samples import charts
from tests.visual.rendered_charts import reaches, render_svg, view_of

pytestmark = [pytest.mark.needs("resvg_py"), pytest.mark.corpora]

# In px: half a line's width, and Chart.js's error for rotated text.
SLACK = 2.0


@given(charts())
def test_nothing_is_outside(chart: dict[str, Any]) -> None:
    root = render_svg(chart)
    left, top, right, bottom = view_of(root)

    for element, box in reaches(root):
        assert left - SLACK <= box[0], element.text
        assert top - SLACK <= box[1], element.text
        assert box[2] <= right + SLACK, element.text
        assert box[3] <= bottom + SLACK, element.text
