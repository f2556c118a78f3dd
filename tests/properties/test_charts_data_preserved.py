"""Law: every value of a chart's data is in its table, as often as in the data, and the table in its text."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given

from tests.visual.chart_samples import charts
from tests.visual.rendered_charts import render_chart, to_string

pytestmark = [pytest.mark.needs("resvg_py"), pytest.mark.corpora]


def values(chart: dict[str, Any]) -> Iterator[str]:
    kind, position = chart["type"], "y" if chart["options"].get("indexAxis") == "y" else "x"
    for dataset in chart["data"]["datasets"]:
        for entry in dataset["data"]:
            if isinstance(entry, dict):
                # Values at one named position share its label.
                shared = set() if kind in {"scatter", "bubble"} else {position}
                yield from (to_string(each) for key, each in entry.items() if each is not None and key not in shared)
            elif isinstance(entry, list):
                yield from map(to_string, entry) if kind == "scatter" else [" – ".join(map(to_string, entry))]
            elif entry is not None:
                yield to_string(entry)


@given(charts())
def test_every_value_is_in_the_table_and_every_cell_in_the_plain_text(chart: dict[str, Any]) -> None:
    sketch = render_chart(chart)
    cells = [cell for row in sketch.table[1:] for cell in row]
    characters = "".join((sketch.plain_text or "").split())

    assert Counter(values(chart)) - Counter(cells) == Counter()
    assert [cell for cell in cells if "".join(cell.split()) not in characters] == []
    assert {len(row) for row in sketch.table} == {len(sketch.table[0])}
