"""Law: nothing of a chart lies outside its view box, as long as names are short and options ask for nothing odd."""

from typing import Any

from hypothesis import given

from tests.visual.chart_samples import charts
from tests.visual.rendered_charts import reaches, render_svg, view_of

# Half of a line's edge, and what letters are wider than Chart.js reckons that turned ones are, in px.
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
