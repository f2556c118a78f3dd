"""Hostile and broken charts are rendered, or rejected with a reason, and within the time limit of a figure."""

import json
import re
from collections.abc import Mapping
from typing import Any

import pytest
from lxml import etree

from mdpublish_core import convert
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.request import EngineOutput
from mdpublish_core.figures.svg import MAX_SVG_BYTES, clean_svg
from mdpublish_core.options.limits import DEFAULT_LIMITS
from mdpublish_core.writers.outputs import DESTINATIONS
from tests.cpu_time import median_seconds
from tests.sampling import sampled
from tests.visual.rendered_charts import (
    COLOR,
    colors,
    drawn_labels,
    foreign_urls,
    render_chart,
    tooltips,
    words_for_numbers,
)

pytestmark = pytest.mark.needs("resvg_py")

SECONDS = DEFAULT_LIMITS.max_figure_seconds
"""Of CPU time, as `nox -s security` measures it."""

SCRIPT = "</script></title></text></svg><script>alert(1)</script>"

RATIOS: tuple[Any, ...] = (0, -1, 1e-9, 1e199, 0.14, 560, "-0", [], {})
LOCALES: tuple[Any, ...] = ("xx-YY", SCRIPT, "", "de-DE-u-nu-arab", 5, None, [])
IDS: tuple[Any, ...] = ("y\x00", "y<b>", "y'\"", "y.b", "y__proto__", "", None, 5, [], {})
STACKS: tuple[Any, ...] = ("", None, 5, [], {}, "\x00", "__proto__", SCRIPT, "a.b")
FILLS: tuple[Any, ...] = (
    *("-0", "+9999999999", 1e99, "", []),
    *({"value": "x"}, {"value": 1e199}, {"target": {}}, {"target": {"target": "+1"}}, {"above": 7, "target": 5}),
)

MANY = range(20_000)
FEW, HUNDRED = range(200), range(100)


def chart(kind: str = "bar", data: Any = (1, 2, 3), options: Any = None, **dataset: Any) -> dict[str, Any]:
    return {**of(kind, {"label": "d", "data": data, **dataset}, labels=["a", "b", "c"]), "options": options or {}}


def of(kind: str, *datasets: Any, **data: Any) -> dict[str, Any]:
    return {"type": kind, "data": {"datasets": list(datasets), **data}}


def with_plugins(source: dict[str, Any], **plugins: Any) -> dict[str, Any]:
    return {**source, "options": {**source["options"], "plugins": plugins}}


def plugged(**plugins: Any) -> dict[str, Any]:
    return with_plugins(chart(), **plugins)


def scaled(kind: str = "line", data: Any = (1, 2, 3), **scales: Any) -> dict[str, Any]:
    return on_scales(chart(kind, data), **scales)


def timed(*timestamps: Any, **options: Any) -> dict[str, Any]:
    data = [{"x": moment, "y": number} for number, moment in enumerate(timestamps)]
    return scaled(data=data, x={"type": "time", **options})


def on_scales(source: dict[str, Any], **scales: Any) -> dict[str, Any]:
    return {**source, "options": {"scales": scales}}


def on_many_scales(days: int) -> dict[str, Any]:
    """Series over this many days, on eight time axes."""
    data = [{"x": 0, "y": 1}, {"x": days * 864e5, "y": 2}]
    datasets = ({"data": data, "xAxisID": f"x{number % 8}"} for number in HUNDRED)
    return on_scales(
        of("line", *datasets), **{f"x{number}": {"type": "time", "time": {"unit": "day"}} for number in range(8)}
    )


def many(kind: str, labels: Any = FEW, **dataset: Any) -> dict[str, Any]:
    """100 datasets of 200 values with gaps."""
    values = [None if number % 3 == 1 else number % 7 - 2 for number in FEW]
    datasets = ({"data": values, **{key: at(number) for key, at in dataset.items()}} for number in HUNDRED)
    return of(kind, *datasets, labels=[*labels])


def stacked(source: dict[str, Any]) -> dict[str, Any]:
    return on_scales(source, x={"stacked": True}, y={"stacked": True})


# Must neither raise nor take long. What is large is made when it is asked for: pytest keeps modules until the end.
FIXED: Mapping[str, Any] = {
    # Names with a meaning in JavaScript.
    "prototypes": '{"type": "bar", "__proto__": {"type": "x"}, "constructor": {"prototype": {"x": 1}}, "data": {"datasets": '
    '[{"__proto__": [1], "data": {"__proto__": 1, "constructor": 2, "toString": 3, "length": 4}}]}, "options": {"__proto__": 1}}',
    "paths": chart(
        "line", [{"__proto__": {"x": 1}, "a": {"b": 2}}], parsing={"xAxisKey": "__proto__.x", "yAxisKey": "a.b"}
    ),
    "paths of nothing": chart("line", [{"": {"": 1}}], parsing={"xAxisKey": "", "yAxisKey": "."}),
    "long paths": chart("line", [{"x": 1}] * 2_000, parsing={"xAxisKey": "x", "yAxisKey": ".".join("x" * 240)}),
    # Text.
    "markup": {**chart(label=SCRIPT), "data": {"labels": [SCRIPT, [SCRIPT, "&amp;"]], "datasets": [{"data": [1, 2]}]}},
    "markup in titles": plugged(title={"display": True, "text": [SCRIPT, "]]>"]}),
    "markup in fonts": plugged(
        legend={"labels": {"font": {"family": f'x"{SCRIPT}', "weight": SCRIPT, "style": SCRIPT}}}
    ),
    "markup in colours": chart(backgroundColor='red"/><script>', borderColor="url(http://a.example/)", borderWidth=2),
    "addresses as colours": chart(backgroundColor=["url(#c0)", "url('javascript:x')", "image(red)", "var(--x)"]),
    "both directions": chart(label="\u202eabc\u202d\u2066\u2067\u2069", data={"\u202ea": 1, "\u200f\u061c": 2}),
    "control characters": chart(label="".join(map(chr, range(32))), data={"\x00": 1, "\x1b[2J": 2, "\x7f\x9f": 3}),
    "noncharacters": chart(label="\ufffe\uffff\U0001ffff\ufdd0", data={"\ufffd": 1}),
    "lone surrogates": '{"type": "bar", "data": {"labels": ["\\ud800", "\\udfff\\ud800"], "datasets": [{"label": "\\ud83d", "data": [1]}]}}',
    "raw surrogates": '{"type": "bar", "data": {"labels": ["\ud800", "\udfff"], "datasets": [{"data": [1, 2]}]}}',
    "marks on marks": chart(label="a" + "\u0301" * 499, data={"b" + "\u20dd" * 400: 1}),
    "wide letters": chart(label="字" * 500, data={"\u3000" * 500: 1, "🏳️‍🌈" * 80: 2}),
    "only spaces": chart(label=" " * 500, data={" ": 1, "\u00a0": 2, "\t\n\r": 3}),
    # Depth and length.
    "deep": lambda: '{"type": "bar", "options": ' + '{"a":' * 100_000 + "1" + "}" * 100_001,
    "deep lists": lambda: '{"type": "bar", "data": {"labels": [' + "[" * 100_000 + "]" * 100_000 + "]}}",
    "open": lambda: '{"type": "bar", "data": {"datasets": [{"data": [' * 30_000,
    "only brackets": lambda: "[" * 1_000_000,
    "only quotes": lambda: '"' * 1_000_001,
    "only backslashes": lambda: '{"a": "' + "\\" * 1_000_001,
    "digits": lambda: '{"type": "bar", "data": {"datasets": [{"data": [' + "9" * 1_000_000 + "]}]}}",
    "digits behind a point": lambda: '{"type": "bar", "data": {"datasets": [{"data": [0.' + "1" * 1_000_000 + "]}]}}",
    "exponents": '{"type": "bar", "data": {"datasets": [{"data": [1e'
    + "9" * 100_000
    + ", 1e-"
    + "9" * 100_000
    + "]}]}}",
    "empty objects": lambda: chart("line", [{}] * 20_000),
    "empty objects beyond the bound": lambda: chart("line", [{}] * 100_000),
    "empty objects elsewhere": lambda: chart(options={"x": [{}] * 100_000, "plugins": {"y": [{}] * 100_000}}),
    "empty lists": lambda: of("bar", {"data": [[]] * 20_000}, labels=[[]] * 20_000),
    "long keys": lambda: {**chart(), "k" * 1_000_000: 1},
    "long keys of data": lambda: chart(data={"k" * 1_000_000: 1}),
    "many keys": lambda: chart(options={f"k{number}": number for number in range(100_000)}),
    "many plugins": lambda: plugged(**{f"k{number}": number for number in range(100_000)}),
    "many functions": lambda: chart(options={f"k{number}": "function () {}" for number in range(20_000)}),
    "almost functions": lambda: chart(options={f"k{number}": "(" + "a," * 240 for number in range(2_000)}),
    "options in options": chart(options=chart(options=chart(options=chart()))),
    "options everywhere": chart(
        options={key: {"options": {"scales": {"x": {}}}, "datasets": [{}]} for key in ("plugins", "scales", "elements")}
    ),
    "many labels": lambda: of("bar", {"data": [1]}, labels=["x" * 400] * 20_000),
    "many lines": lambda: of("bar", {"data": [1]}, labels=[["x"] * 50_000] * 20),
    "many lines of a name": lambda: chart(label=["x"] * 100_000),
    "many lines of a title": lambda: plugged(title={"display": True, "text": ["x"] * 100_000}),
    "many dashes": lambda: chart("line", borderDash=[1, 2] * 50_000),
    "many colours": lambda: chart(backgroundColor=["red"] * 300_000),
    "many scales": of(
        "line",
        *({"data": [1, 2], "xAxisID": f"x{number}", "yAxisID": f"y{number}"} for number in HUNDRED),
        labels=[*MANY],
    ),
    "many ticks": scaled(x={"ticks": {"autoSkip": False}}, y={"ticks": {"stepSize": 1e-9, "autoSkip": False}}),
    "labels on many scales": on_scales(
        of("line", *({"data": [1], "xAxisID": f"x{number % 8}"} for number in HUNDRED), labels=[*MANY]),
        **{f"x{number}": {"ticks": {"autoSkip": False}} for number in range(8)},
    ),
    "days on many scales": on_many_scales(2_499),
    "days beyond the bound on many scales": on_many_scales(19_999),
    "days on one scale": timed(0, 19_999 * 864e5, time={"unit": "day"}),
    # Plugins.
    "many data labels": chart("line", [*MANY], options={"plugins": {"datalabels": {"display": "auto"}}}),
    "many data labels of a value": lambda: plugged(datalabels={"labels": {f"l{number}": {} for number in MANY}}),
    "huge data labels": plugged(datalabels=dict.fromkeys(("offset", "padding", "rotation", "borderWidth"), 1e199)),
    "many annotations": lambda: plugged(annotation={"annotations": [{}] * 20_000}),
    "annotations far away": plugged(
        annotation={
            "annotations": [
                {"type": kind, "xMin": -1e199, "yMax": 1e199, "yValue": "x", "label": {"content": "a" * 500}}
                for kind in ("line", "box", "label", "point")
            ]
        }
    ),
    "annotations at all of time": with_plugins(
        timed(0, 1, time={"unit": "day"}), annotation={"annotations": [{"scaleID": "x", "value": 8.64e15}]}
    ),
    "annotations of an early version": chart(
        options={"annotation": {"annotations": [None, 5, {"label": []}]}, "scales": {"xAxes": [{"id": {}}, [], 5]}}
    ),
    # Numbers.
    "numbers as texts": chart("line", ["1", " 2 ", "0x10", "1e3", "1_000", "Infinity", "nan", "", "٣", "1e999"]),
    "huge": chart("line", [1e199, -1e199, 1e200]),
    "tiny": chart("line", [5e-324, -5e-324, 1e-199]),
    "near": chart("line", [1, 1.0000000000000002]),
    "whole and huge": chart("line", [9007199254740993, 10**100]),
    "truths": chart("line", [True, False, None, [], [[]], {}, "x", [1, 2, 3, 4]]),
    "no list": chart("line", "12345"),
    "datasets of other kinds": of("bar", None, 1, "x", [], [{}], {"data": None}, {"data": 7}),
    "labels of other kinds": of("bar", {"data": [1] * 9}, labels=[None, 1.5, True, {}, [None, {}]]),
    "labels that are none": of("pie", {"data": [1, 2]}, labels="abc"),
    # Fills that refer to one another.
    "fill by sign": of("line", {"data": [1, 2], "fill": "+1"}, {"data": [2, 1], "fill": "-1"}, labels=[1, 2]),
    "fill hidden in a ring": of(
        "line",
        *({"data": [1, 2], "fill": (number + 1) % 9, "hidden": number % 2 == 0} for number in range(9)),
        labels=[1, 2],
    ),
    "fill hidden for all": of(
        "radar", {"data": [1, 2], "fill": "+1", "hidden": True}, {"data": [1], "fill": 0}, labels=[1, 2]
    ),
    "fill to nowhere": chart("line", fill=[0, "+0", {"target": {"target": "+1"}}]),
    "fill to anything": of("line", *({"data": [1, 2], "fill": fill} for fill in FILLS), labels=[1, 2]),
    "every fill with gaps": many("line", fill=lambda number: (number + 1) % 100),
    "every fill stacked": stacked(many("line", fill=lambda _: "stack")),
    "every fill curved": stacked(many("line", fill=lambda _: "-1", tension=lambda _: 0.4)),
    "every fill around": many("radar", fill=lambda number: (number + 1) % 100),
    "stacks at places of their own": on_scales(
        of(
            "line",
            *({"fill": "stack", "data": [{"x": item + 200 * number, "y": 1} for item in FEW]} for number in HUNDRED),
        ),
        x={"type": "linear"},
        y={"stacked": True},
    ),
    # Names of stacks and axes.
    "stacks": stacked(many("bar", stack=lambda number: STACKS[number % len(STACKS)])),
    "stacks that skip": many("bar", stack=lambda number: f"s{number}", skipNull=lambda _: True),
    "axis ids": of("line", *({"data": [1, 2], "yAxisID": name} for name in IDS)),
    "axis of another direction": of("line", {"data": [1], "yAxisID": "x", "xAxisID": "y"}),
    "axis around a centre": chart("line", rAxisID="r", xAxisID="r"),
    "positions at what is missing": scaled(x={"position": {"nowhere": 5}}, y={"position": {"x": {}}}),
    "positions at one another": scaled(x={"position": {"y": 1e199}}, y={"position": {"x": -1e199}}),
    "positions at themselves": scaled(x={"position": {"x": 1}}, y={"position": {"y": "z"}}),
    "positions of other kinds": scaled(x={"position": [], "axis": "y"}, y={"position": 5, "axis": {}}),
    # Sizes.
    "no sizes": chart("bubble", [{"x": 1, "y": 1, "r": 0}, {"x": 1, "y": 1, "r": None}], borderWidth=0, pointRadius=0),
    "negative radii": chart("bubble", [{"x": 1, "y": 2, "r": -5}], borderWidth=-3),
    "negative radii of points": chart("line", pointRadius=-5, pointBorderWidth=-1, pointHoverRadius=-1e9),
    "negative radii of slices": chart(
        "doughnut", radius=-50, cutout=-50, borderRadius=-9, spacing=-9, offset=-1e9, weight=-1
    ),
    "huge radii": chart("doughnut", radius=1e199, cutout="1e199%", borderRadius=1e199, spacing=1e199, offset=1e199),
    "turned for ever": chart("pie", rotation=1e199, circumference=1e199),
    "turned backwards": chart("doughnut", rotation=-1e9, circumference=-360),
    "no turn": chart("pie", circumference=0),
    "rings without weight": of("pie", {"data": [1, 2], "weight": 0}, {"data": [1], "weight": 0}),
    "huge tension": chart("line", tension=1e199, fill=True),
    "negative tension": chart("line", tension=-1e9),
    "dashes of other kinds": chart("line", borderDash=[0, 0, -1, "x", None, [], 1e199], borderDashOffset=-1e199),
    "fine dashes": chart("line", borderDash=[1e-199, 1e-9], borderDashOffset=1e199),
    "no letters": scaled(
        x={"ticks": {"font": {"size": 0}}}, y={"title": {"display": True, "text": "x", "font": {"size": 0}}}
    ),
    "huge letters": scaled(
        x={"ticks": {"font": {"size": 1e9, "lineHeight": 1e9}}}, y={"ticks": {"font": {"size": 1e199}}}
    ),
    "letters of other kinds": scaled(
        x={"ticks": {"font": {"size": [], "lineHeight": "-1", "weight": {}, "family": 5}}}
    ),
    "huge paddings": chart(
        options={"layout": {"padding": 1e199}, "plugins": {"title": {"display": True, "padding": -1e199}}}
    ),
    "huge bars": chart(
        barThickness=1e199, barPercentage=-1e9, categoryPercentage=1e199, minBarLength=1e199, base=1e199
    ),
    "negative bars": chart(barThickness=-5, maxBarThickness=-5, inflateAmount=-1e9, borderWidth=-9, borderRadius=-9),
    "wide borders": chart(borderWidth=1e199, borderRadius=1e199, borderSkipped=["middle", 5, [], {}]),
    "legend of nothing": plugged(legend={"maxWidth": -1, "maxHeight": 0, "labels": {"boxWidth": -5}}),
    "huge legend": plugged(legend={"labels": {"boxWidth": 1e199, "padding": 1e199, "boxHeight": -1e199}}),
    **{f"aspectRatio {ratio}": chart(options={"aspectRatio": ratio}) for ratio in RATIOS},
    **{
        f"low {kind}": chart(kind, options={"aspectRatio": 300, "plugins": {"title": {"display": True, "text": "x"}}})
        for kind in ("bar", "pie", "radar", "polarArea")
    },
    # Scales.
    "min above max": scaled(x={"min": 5, "max": -5}, y={"min": 9, "max": 1, "suggestedMin": 99, "suggestedMax": -99}),
    "min is max": scaled(y={"min": 2, "max": 2, "ticks": {"stepSize": 0}}),
    "limits of other kinds": scaled(y={"min": {}, "max": [], "suggestedMin": "x", "suggestedMax": True}),
    "limits far away": scaled(
        y={"min": -1e199, "max": 1e199, "ticks": {"stepSize": 1e-199}}, x={"min": -1e9, "max": 1e9}
    ),
    "grace": scaled(y={"grace": "1e199%", "beginAtZero": True}),
    "grace below nothing": scaled(y={"grace": -1e9}),
    "precision": scaled(y={"ticks": {"precision": 1e199, "count": 1_000}}),
    "negative precision": scaled(y={"ticks": {"precision": -400}}),
    "no ticks": scaled(y={"ticks": {"maxTicksLimit": 0, "stepSize": -0.0}}),
    "less than no ticks": scaled(
        y={"ticks": {"maxTicksLimit": -5, "sampleSize": -1}}, x={"ticks": {"maxTicksLimit": 1e-199}}
    ),
    "rotations": scaled(x={"ticks": {"minRotation": 1e199, "maxRotation": -1e199}}),
    "rotations backwards": scaled(
        x={"ticks": {"minRotation": 400, "maxRotation": 500, "mirror": True}}, y={"ticks": {"minRotation": 90}}
    ),
    "weights": scaled(x={"weight": 1e199, "stack": "s", "stackWeight": 0}, y={"stack": "s", "stackWeight": -1}),
    "logarithms below zero": scaled(data=[-1, 0, -1e9], y={"type": "logarithmic"}),
    "logarithms of everything": scaled(data=[1e-199, 5, 1e199], y={"type": "logarithmic", "min": -5, "max": 0}),
    "logarithms of nothing": scaled(
        data=[], y={"type": "logarithmic", "min": 5, "max": 5, "ticks": {"stepSize": 1e-9}}
    ),
    "logarithms of one": scaled(data=[7], y={"type": "logarithmic", "beginAtZero": True, "reverse": True}),
    "logarithmic bars": scaled("bar", [[-1, 0], [1, 1e99], 0], y={"type": "logarithmic", "stacked": True}),
    "formats": scaled(y={"ticks": {"format": {"minimumFractionDigits": 100, "maximumFractionDigits": 0}}}),
    "formats of other kinds": scaled(
        y={"ticks": {"format": {"style": [], "currency": {}, "notation": 5, "unit": SCRIPT}}}
    ),
    **{f"locale {locale}": chart("line", [1e6, 0.5], {"locale": locale}) for locale in LOCALES},
    "radial of nothing": scaled("radar", [], r={"min": 0, "max": 0, "startAngle": 1e199}),
    "radial of one": {"type": "radar", "data": {"labels": ["a"], "datasets": [{"data": [5], "fill": True}]}},
    "radial ticks": scaled("polarArea", [1, -2, 1e199], r={"ticks": {"count": 1_000, "backdropPadding": 1e9}}),
    "angles": scaled("polarArea", [1, 2, 3], r={"startAngle": "x"})
    | {"options": {"elements": {"arc": {"angle": [1e199, -5, 0]}}}},
    # Time.
    "all of time": timed(-8.64e15, 8.64e15),
    "all of time, by days": timed(-8.64e15, 8.64e15, time={"unit": "day"}),
    "all of time, by centuries": timed(-8.64e15, 8.64e15, time={"unit": "year"}, ticks={"stepSize": 100}),
    "the first and the last day": timed("-271821-04-20T00:00:00Z", "+275760-09-13T00:00:00Z", time={"unit": "year"}),
    "beyond time": timed(8.64e15 + 2, -8.64e15 - 2, 1e199, "-999999-01-01"),
    "the last moment": timed(8.64e15, 8.64e15, time={"unit": "millisecond", "round": "year"}, offset=True),
    "the first moment": timed(-8.64e15, time={"round": "week", "isoWeekday": 1e9}, bounds="ticks"),
    "labels over all of time": on_scales(
        of("line", {"data": [1, 2]}, labels=[0, 8.64e15]),
        x={"type": "time", "time": {"unit": "second"}, "ticks": {"source": "labels", "major": {"enabled": True}}},
    ),
    "series over all of time": on_scales(
        of("bar", {"data": [1, 2, 3]}, labels=[-8.64e15, 0, 8.64e15]),
        x={"type": "timeseries", "time": {"minUnit": "second"}, "ticks": {"major": {"enabled": True}}},
    ),
    "limits of time": timed(0, 1, min="2024-01-01", max="1924-01-01", suggestedMin={}, suggestedMax=[]),
    "patterns": timed("01.02.2024", time={"parser": "d" * 500}),
    "patterns of letters": timed("a" * 500, time={"parser": "'" * 499, "tooltipFormat": "'a''" * 100}),
    "patterns that repeat": timed("1" * 500, time={"parser": "yyyyMMdd" * 60}),
    "dates of other kinds": timed(
        None, [], {}, "", "2024", "24:00", "2024-02-30", "2024-W53-7", "2024-366", "Infinity"
    ),
    "steps backwards": timed(0, 1e12, time={"unit": "year"}, ticks={"stepSize": -1}),
    "steps of nothing": timed(0, 1e12, time={"unit": "year"}, ticks={"stepSize": 1e-199}),
}


def hostile(name: str) -> Any:
    return FIXED[name]() if callable(FIXED[name]) else FIXED[name]


def render(source: Any) -> EngineOutput | FigureError:
    try:
        return render_chart(source)
    except FigureError as problem:
        return problem


def check(source: Any) -> None:
    """Render a chart and check its output."""
    rendered = render(source)
    if isinstance(rendered, FigureError):
        assert rendered.problem
        assert len(rendered.problem) < 400
        return
    assert rendered.svg is not None
    root = etree.fromstring(rendered.svg.encode())
    if len(rendered.svg) <= MAX_SVG_BYTES:
        clean_svg(rendered.svg)
    assert words_for_numbers(root) == []
    assert [color for color in colors(root) if not COLOR.fullmatch(color)] == []
    assert foreign_urls(root) == []


@pytest.mark.parametrize("name", sampled(FIXED, 4))
def test_hostile_chart_is_drawn_or_refused(name: str) -> None:
    check(hostile(name))


@pytest.mark.security
@pytest.mark.parametrize("name", FIXED)
def test_hostile_chart_takes_no_long_time(name: str) -> None:
    source = hostile(name)

    assert median_seconds(lambda: render(source)) < SECONDS


@pytest.mark.parametrize(
    "name", ["prototypes", "markup", "control characters", "lone surrogates", "all of time", "deep"]
)
@pytest.mark.parametrize("destination", DESTINATIONS)
def test_hostile_chart_leaves_its_document_whole(destination: str, name: str) -> None:
    source = hostile(name)
    source = source if isinstance(source, str) else json.dumps(source)
    conversion = convert(f"Before.\n\n```chart\n{source}\n```\n\nAfter.\n", to=destination)

    assert "Before." in conversion.text
    assert "After." in conversion.text
    if destination == "slack" or not DESTINATIONS[destination].is_text:
        assert "<script" not in conversion.text
    assert conversion.text.encode()


def test_markup_in_a_chart_is_escaped() -> None:
    root = etree.fromstring((render_chart(FIXED["markup"]).svg or "").encode())

    assert SCRIPT in drawn_labels(root)
    assert f"{SCRIPT}: 1" in tooltips(root)
    assert list(root.iter("{*}script")) == []


def test_names_that_mean_something_to_javascript_are_names() -> None:
    sketch = render_chart(FIXED["prototypes"])

    assert sketch.table[1:] == (("__proto__", "1"), ("constructor", "2"), ("toString", "3"), ("length", "4"))


def test_invisible_characters_do_not_lose_the_chart() -> None:
    for name in ("control characters", "both directions", "noncharacters", "marks on marks", "lone surrogates"):
        assert isinstance(render_chart(FIXED[name]), EngineOutput)


def test_font_of_an_author_is_no_markup() -> None:
    svg = render_chart(FIXED["markup in fonts"]).svg or ""

    assert "<script" not in svg
    assert "onload" not in svg
    assert all("<" not in family for family in re.findall(r'font-family="([^"]*)"', clean_svg(svg).document()))
