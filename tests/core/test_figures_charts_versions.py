"""Options of Chart.js 2 and 3, drawn as their equivalents of Chart.js 4."""

import math
from typing import Any

import pytest

from tests.visual.rendered_charts import render_chart

pytestmark = pytest.mark.needs("resvg_py")

DATA = {"labels": ["Mon", "Tue", "Wed"], "datasets": [{"label": "Books", "data": [12, 19, 7]}]}

TIMES = {"datasets": [{"data": [{"x": "2026-03-02", "y": 1}, {"x": "2026-03-09", "y": 3}]}]}


def chart(options: Any, *, kind: str = "bar", data: Any = None) -> dict[str, Any]:
    return {"type": kind, "data": data or DATA, "options": options}


def two_sets(*names: Any) -> dict[str, Any]:
    sets = [{"label": f"s{number}", "data": [1, 2, number * 50]} for number in range(2)]
    return {
        "labels": ["a", "b", "c"],
        "datasets": [each | ({"yAxisID": n} if n else {}) for each, n in zip(sets, names, strict=True)],
    }


def scaled(**scales: Any) -> dict[str, Any]:
    return chart({"scales": scales})


def timed(**scale: Any) -> dict[str, Any]:
    scales = {"xAxes": [{"type": "time", **scale}]} if "old" not in scale else {"x": {"type": "time", **scale["old"]}}
    return chart({"scales": scales}, kind="line", data=TIMES)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (chart({}, kind="horizontalBar"), chart({"indexAxis": "y"})),
        (
            scaled(yAxes=[{"ticks": {"beginAtZero": True, "max": 30, "fontSize": 9, "fontColor": "red"}}]),
            scaled(y={"beginAtZero": True, "max": 30, "ticks": {"font": {"size": 9}, "color": "red"}}),
        ),
        (scaled(yAxes={"ticks": {"min": 5, "stepSize": 5}}), scaled(y={"min": 5, "ticks": {"stepSize": 5}})),
        (scaled(xAxes=[{"ticks": {"reverse": True}}]), scaled(x={"reverse": True})),
        (scaled(xAxes=[{"stacked": True}], yAxes=[{"stacked": True}]), scaled(x={"stacked": True}, y={"stacked": True})),
        (scaled(xAxes=[{"display": False}]), scaled(x={"display": False})),
        (
            scaled(xAxes=[{"gridLines": {"display": False, "drawBorder": False, "tickMarkLength": 3}}]),
            scaled(x={"grid": {"display": False, "tickLength": 3}, "border": {"display": False}}),
        ),
        (
            scaled(yAxes=[{"gridLines": {"color": "red", "borderDash": [2, 2], "lineWidth": 2}}]),
            scaled(y={"grid": {"color": "red", "lineWidth": 2}, "border": {"dash": [2, 2]}}),
        ),
        (
            scaled(yAxes=[{"scaleLabel": {"display": True, "labelString": "Lent", "fontStyle": "bold", "fontColor": "red"}}]),
            scaled(y={"title": {"display": True, "text": "Lent", "font": {"weight": "bold"}, "color": "red"}}),
        ),
        (
            scaled(xAxes=[{"barPercentage": 0.4, "categoryPercentage": 0.5}]),
            chart({"datasets": {"bar": {"barPercentage": 0.4, "categoryPercentage": 0.5}}}),
        ),
        (
            chart({"title": {"display": True, "text": "Lent", "fontSize": 20, "fontStyle": "normal"}}),
            chart({"plugins": {"title": {"display": True, "text": "Lent", "font": {"size": 20, "weight": "normal"}}}}),
        ),
        (
            chart({"legend": {"position": "right", "labels": {"fontColor": "red", "boxWidth": 9}}, "tooltips": {}}),
            chart({"plugins": {"legend": {"position": "right", "labels": {"color": "red", "boxWidth": 9}}}}),
        ),
        (chart({"legend": False}), chart({"plugins": {"legend": False}})),
        (chart({"cutoutPercentage": 70}, kind="doughnut"), chart({"cutout": "70%"}, kind="doughnut")),
        (
            chart({"circumference": math.pi, "rotation": -math.pi}, kind="doughnut"),
            chart({"circumference": 180, "rotation": -90}, kind="doughnut"),
        ),
        (chart({"elements": {"rectangle": {"borderWidth": 3}}}), chart({"elements": {"bar": {"borderWidth": 3}}})),
        (
            chart({"scale": {"ticks": {"beginAtZero": True, "max": 30}, "pointLabels": {"fontSize": 9}}}, kind="radar"),
            chart({"scales": {"r": {"beginAtZero": True, "max": 30, "pointLabels": {"font": {"size": 9}}}}}, kind="radar"),
        ),
        (
            timed(time={"unit": "day", "min": "2026-03-01", "max": "2026-03-10", "displayFormats": {"day": "MMM D"}}),
            timed(old={"time": {"unit": "day"}, "min": "2026-03-01", "max": "2026-03-10"}),
        ),
        (timed(distribution="series"), chart({"scales": {"x": {"type": "timeseries"}}}, kind="line", data=TIMES)),
        # Chart.js 3
        (
            scaled(x={"grid": {"drawBorder": False, "borderColor": "red"}}),
            scaled(x={"border": {"display": False, "color": "red"}}),
        ),
        (scaled(y={"grid": {"borderDash": [4, 2]}}), scaled(y={"border": {"dash": [4, 2]}})),
    ],
)  # fmt: skip
def test_old_option_is_drawn_like_the_new_one(old: Any, new: Any) -> None:
    drawn = render_chart(old)

    assert drawn.remarks == ()
    assert drawn.svg == render_chart(new).svg


def test_old_options_matter() -> None:
    plain = render_chart(chart({})).svg

    assert render_chart(chart({"scales": {"yAxes": [{"ticks": {"max": 30}}]}})).svg != plain
    assert render_chart(chart({}, kind="horizontalBar")).svg != plain


@pytest.mark.parametrize(
    ("ids", "names"),
    [((None, "y-axis-1"), (None, None)), (("left", "right"), ("left", "right")), ((None, "right"), (None, "right"))],
)
def test_datasets_stay_on_their_axes(ids: Any, names: Any) -> None:
    axes = [
        {"position": side} | ({"id": name} if name else {}) for side, name in zip(("left", "right"), names, strict=True)
    ]
    new = {"y": {"position": "left"}, "second": {"axis": "y", "position": "right"}}

    drawn = render_chart(chart({"scales": {"yAxes": axes}}, kind="line", data=two_sets(*ids)))

    expected = render_chart(chart({"scales": new}, kind="line", data=two_sets("y", "second")))
    assert drawn.svg == expected.svg


def test_new_option_takes_precedence() -> None:
    both = {"title": {"display": True, "text": "old"}, "plugins": {"title": {"display": True, "text": "new"}}}

    assert render_chart(chart(both)).title == "new"


def test_option_without_equivalent_has_a_notice_with_its_line() -> None:
    source = """{
      type: 'bar', data: {datasets: [{data: {a: 1}}]},
      options: {scales: {yAxes: [{
        gridLines: {zeroLineColor: 'red'}
      }]}}
    }"""
    (remark,) = render_chart(source).remarks

    assert remark.message == (
        "`options.scales.yAxes[0].gridLines.zeroLineColor` is ignored: an option of Chart.js 2; all grid lines look the same"
    )
    assert remark.line == 4


def test_invalid_old_option_is_named_as_it_is_written() -> None:
    source = chart({"title": {"display": True, "text": "a", "position": "below"}})
    (remark,) = render_chart(source).remarks

    assert remark.message.startswith("`options.title.position` must be ")


@pytest.mark.parametrize(
    "value", [None, False, True, 7, "x", [], [None], [[]], [1, "x"], {}, {"ticks": 7, "gridLines": []}]
)
def test_old_option_of_any_kind_is_drawn(value: Any) -> None:
    options = {
        **dict.fromkeys(("title", "legend", "tooltips", "annotation", "scale", "cutoutPercentage", "elements"), value),
        "scales": {
            "xAxes": value,
            "yAxes": [value, {"ticks": value, "gridLines": value, "scaleLabel": value, "time": value}],
        },
    }

    assert render_chart(chart(options)).svg
