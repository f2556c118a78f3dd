"""Tables and charts of the DataFrames that other packages make."""

import json
from typing import Any

import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

from mdpublish_core import markdown, nodes, parse
from tests.core.test_markdown_of_data import cells

pytestmark = pytest.mark.interop

COLUMNS = {"city": ["South|East", None], "n": [1, None], "share": [0.5, float("nan")]}
SAME = [["city", "n", "share"], ["South|East", "1", "0.5"], ["", "", ""]]


@pytest.mark.parametrize(
    "data",
    [
        pd.DataFrame(COLUMNS).astype({"n": "Int64"}),
        pd.DataFrame(COLUMNS).astype({"n": "Int64"}).set_index("city"),
        pl.DataFrame(COLUMNS),
        pa.table(COLUMNS),
    ],
    ids=["pandas", "pandas with an index", "Polars", "Arrow"],
)
def test_frames_are_the_same_table(data: Any) -> None:
    written = markdown.table(data)

    [table] = parse(written).children
    assert isinstance(table, nodes.Table)
    assert cells(written) == SAME
    assert table.column_align == [None, 1, 1]


def test_series_of_pandas_keep_what_their_index_says() -> None:
    frame = pd.DataFrame({"city": ["b", "a", "b"], "n": [1, 2, 3], "day": pd.to_datetime(["2026-01-02"] * 3)})

    assert cells(markdown.table(frame.groupby("city")["n"].sum())) == [["city", "n"], ["a", "2"], ["b", "4"]]
    assert cells(markdown.table(frame["n"].describe()))[3] == ["std", "1.0"]
    assert cells(markdown.table(frame[frame.n > 2])) == [["city", "n", "day"], ["b", "3", "2026-01-02"]]
    pivoted = frame.pivot_table(index="city", columns="n", values=["n"], aggfunc=["sum"])
    assert cells(markdown.table(pivoted))[0][0] == "city"


def test_charts_of_frames_have_their_numbers() -> None:
    frame = pd.DataFrame({"day": pd.to_datetime(["2026-01-02", "2026-01-03"]), "n": [1, None]})

    for data in (frame, pl.DataFrame({"day": ["2026-01-02", "2026-01-03"], "n": [1, None]})):
        [figure] = parse(markdown.chart("line", data)).children
        assert isinstance(figure, nodes.Figure)
        drawn = json.loads(figure.content)["data"]
        assert drawn == {"labels": ["2026-01-02", "2026-01-03"], "datasets": [{"label": "n", "data": [1, None]}]}
