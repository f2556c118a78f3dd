"""Chart.js's own fixtures: each is drawn, and what is left out of it has a notice with its line."""

import re
from collections import Counter

import pytest

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.request import EngineOutput
from tests.remarks import remark
from tests.visual.chartjs_fixtures import COUNTS, Fixture, fixtures
from tests.visual.rendered_charts import render_chart

pytestmark = pytest.mark.visual_charts

# Remarks about the whole chart have no line.
_WHOLE = re.compile(r"the chart is empty|the legend has no space|\d+ more parts? ")


def drawn(fixture: Fixture) -> EngineOutput | FigureError:
    try:
        return render_chart(fixture.source)
    except FigureError as problem:
        return problem


@pytest.mark.short
def test_every_fixture_of_chart_js_is_drawn(request: pytest.FixtureRequest) -> None:
    outcomes = {each: drawn(each) for each in fixtures()}
    refused = [f"{each.name}: {result}" for each, result in outcomes.items() if isinstance(result, FigureError)]
    numbers = Counter(each.language for each, result in outcomes.items() if isinstance(result, EngineOutput))

    remark(
        request.config,
        f"charts: of Chart.js's fixtures, {numbers['json']} in JSON and {numbers['js']} in JavaScript are drawn",
    )
    assert refused == []
    assert numbers == COUNTS


@pytest.mark.short
def test_what_is_left_out_of_a_fixture_has_a_line() -> None:
    unclear = [
        f"{each.name}: {note.message}"
        for each in fixtures()
        if isinstance(result := drawn(each), EngineOutput)
        for note in result.remarks
        if note.line is None and not _WHOLE.match(note.message)
    ]

    assert unclear == []
