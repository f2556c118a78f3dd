"""Malformed charts: values of wrong types, out of range, missing, or misplaced."""

import copy
import json
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

from hypothesis import strategies as st

from tests.visual.chart_configurations import configurations

Path = tuple[str | int, ...]

_MARKS = "\u0301"

JUNK: Sequence[Any] = (
    *json.loads(r"""[
        null, true, false, 0, -1, 1, 3.7, 1e3, 1e9, 1e15, 1e17, 1e21, 1e199, -1e200, 1e-199, 1e308, -1e308, 1e-8, 5e-324, -0.0,
        9007199254740993, 2147483648, 8.64e15, 8640000000000002,
        "", "NaN", "Infinity", "-1", "0x10", "1e999", "50%", "-50%", "true", "auto", "none", "x", "y", "r", "+1", "-1", "+0",
        "red", "#12", "url(#a)", "currentColor", "transparent", "hsl(nan 1% 1%)", "rgb(1e99,0,0)", "color-mix(in srgb, red)",
        "center", "middle", "single", "bar", "line", "pie", "radar", "time", "timeseries", "logarithmic", "radialLinear",
        "category", "linear", "2024-02-30", "2024-01-01", "+275760-09-13", "-271821-04-20", "day", "yyyy", "QQQQQQ'",
        "<b>&amp;</b>", "</script>", "]]>", "\u202e", "\ud800", "\u0000\u001b", "\ud83c\udff3\ufe0f\u200d\ud83c\udf08", "a\nb",
        [], {}, [[]], [{}], [null], [1, 2], [3, -4, 5], ["a", "b"], [[1, 2], [3, 4]], [1e199, -1e199], [0, 0], [-1],
        {"x": 1, "y": 2}, {"x": null}, {"x": "a", "y": "b", "r": -9}, [{"x": 1e199, "y": -1e199, "r": 1e199}],
        {"a": {"b": {}}}, {"value": 5}, {"value": "x"}, {"target": {"value": 1}}, {"top": 9, "left": "x"},
        {"display": true, "text": [null, 1]}, {"size": 0}, {"size": 1e9, "lineHeight": "9e9%"}, {"size": -3},
        {"enabled": true}, {"__proto__": {"x": 1}}
    ]"""),
    *("long " * 90, "字" * 60, _MARKS * 40),
)


@cache
def vocabulary() -> tuple[str, ...]:
    keys = {
        str(step)
        for each in configurations()
        for path, _ in nested_values(each.json)
        for step in path
        if type(step) is str
    }
    return (*sorted(keys), "__proto__", "constructor", "length", "", "a.b", "0")


def nested_values(value: Any, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inner:
        yield (*path, key), each
        yield from nested_values(each, (*path, key))


@st.composite
def broken_charts(draw: st.DrawFn, max_mutations: int = 6) -> dict[str, Any]:
    chart = copy.deepcopy(draw(st.sampled_from(configurations())).json)
    for _ in range(draw(st.integers(1, max_mutations))):
        paths = [path for path, _ in nested_values(chart)]
        if not paths:
            break
        _break(draw, chart, draw(st.sampled_from(paths)))
    return chart


def _break(draw: st.DrawFn, chart: Any, path: Path) -> None:
    parent = chart
    for step in path[:-1]:
        parent = parent[step]
    last = path[-1]
    kind = draw(st.sampled_from(("junk", "junk", "drop", "key", "move")))
    if kind == "drop":
        del parent[last]
    elif kind == "move":
        parent[last] = copy.deepcopy(draw(st.sampled_from([value for _, value in nested_values(chart)])))
    elif kind == "key" and isinstance(parent, dict):
        parent[draw(st.sampled_from(vocabulary()))] = copy.deepcopy(draw(st.sampled_from(JUNK)))
    else:
        parent[last] = copy.deepcopy(draw(st.sampled_from(JUNK)))


def any_json() -> st.SearchStrategy[Any]:
    leaves = st.one_of(
        st.sampled_from(JUNK), st.integers(), st.floats(allow_nan=False, allow_infinity=False), st.text()
    )
    keys = st.one_of(st.sampled_from(vocabulary()), st.text(max_size=5))
    inner = st.recursive(leaves, lambda deeper: st.one_of(st.lists(deeper), st.dictionaries(keys, deeper)))
    kinds = st.sampled_from(("bar", "line", "pie", "doughnut", "radar", "polarArea", "scatter", "bubble"))
    datasets = st.lists(st.dictionaries(keys, inner, max_size=5))
    chart = st.fixed_dictionaries(
        {"type": kinds, "data": st.fixed_dictionaries({"datasets": datasets}, optional={"labels": inner})},
        optional={"options": st.dictionaries(keys, inner)},
    )
    return st.one_of(chart, inner)
