"""Positions and texts of data labels and annotations, their notices, and the text alternatives that name them."""

import math
import re
from typing import TYPE_CHECKING, Any

import pytest

from mdpublish_core import convert
from mdpublish_core.figures.errors import FigureError
from tests.visual.rendered_charts import drawn_labels, render_chart, render_svg

if TYPE_CHECKING:
    from lxml import etree

pytestmark = pytest.mark.needs("resvg_py")

VALUES = [12, 19, 7]


def chart(
    plugins: Any = None, *, kind: str = "bar", scales: Any = None, data: Any = None, **dataset: Any
) -> dict[str, Any]:
    return {
        "type": kind,
        "data": {"labels": ["Mon", "Tue", "Wed"], "datasets": [{"label": "Lent", "data": data or VALUES, **dataset}]},
        "options": {"plugins": {"legend": {"display": False}, **(plugins or {})}, "scales": scales or {}},
    }


def labeled(**options: Any) -> dict[str, Any]:
    return chart({"datalabels": options})


def annotated(*annotations: Any, **options: Any) -> dict[str, Any]:
    return chart({"annotation": {"annotations": list(annotations)}}, **options)


def messages(source: Any) -> list[str]:
    return [remark.message for remark in render_chart(source).remarks]


def words(source: Any) -> list[str]:
    return drawn_labels(render_svg(source))


def labels_of_values(source: Any) -> list["etree._Element"]:
    """Data labels are drawn last."""
    return list(render_svg(source).iter("{*}text"))[-len(VALUES) :]


def bars(source: Any) -> list[tuple[float, float]]:
    """Return the top and bottom of each bar, in px."""
    root = render_svg(source)
    paths = [str(_parent(title).get("d")) for title in root.iterfind(".//{*}path/{*}title")]
    heights = [[float(each) for each in re.findall(r"(?:V|M[-\d.]+ )([-\d.]+)", path)] for path in paths]
    return [(min(each), max(each)) for each in heights]


def _parent(element: "etree._Element") -> "etree._Element":
    parent = element.getparent()
    assert parent is not None
    return parent


# Data labels


def test_values_are_labeled_if_the_author_configures_the_plugin() -> None:
    assert words(chart()).count("19") == 0
    assert [label.text for label in labels_of_values(labeled())] == ["12", "19", "7"]


@pytest.mark.parametrize(
    "source",
    [
        {**chart(), "plugins": ["ChartDataLabels"]},
        chart(datalabels={}),
        "{type: 'bar', plugins: [ChartDataLabels], data: {labels: ['a', 'b', 'c'], datasets: [{data: [12, 19, 7]}]}}",
    ],
)
def test_plugin_may_be_registered_or_set_by_dataset(source: Any) -> None:
    assert [label.text for label in labels_of_values(source)] == ["12", "19", "7"]
    assert messages(source) == []


@pytest.mark.parametrize(
    "off", [labeled(display=False), chart({"datalabels": False}), chart({"datalabels": {}}, datalabels=False)]
)
def test_labels_can_be_turned_off(off: Any) -> None:
    assert words(off) == words(chart())


def test_options_may_be_lists_with_one_entry_for_each_value() -> None:
    assert [label.text for label in labels_of_values(labeled(display=[False, True, False]))][-1] == "19"
    assert [each.get("fill") for each in labels_of_values(labeled(color=["#ff0000", "#00ff00"]))] == [
        "#ff0000",
        "#00ff00",
        "#ff0000",
    ]


def test_dataset_overrides_the_chart() -> None:
    source = chart({"datalabels": {"color": "#ff0000", "font": {"size": 20}}}, datalabels={"color": "#0000ff"})

    assert {(each.get("fill"), each.get("font-size")) for each in labels_of_values(source)} == {("#0000ff", "20")}


@pytest.mark.parametrize(
    ("anchor", "align", "is_right"),
    [
        ("center", "center", lambda y, top, bottom: top < y < bottom),
        ("end", "end", lambda y, top, _: y < top),
        ("end", "top", lambda y, top, _: y < top),
        ("end", "start", lambda y, top, bottom: top < y < bottom),
        ("end", "bottom", lambda y, top, bottom: top < y < bottom),
        ("start", "end", lambda y, top, bottom: top < y < bottom),
        ("start", 270, lambda y, top, bottom: top < y < bottom),
    ],
)
def test_label_is_at_its_anchor(anchor: str, align: Any, is_right: Any) -> None:
    source = labeled(anchor=anchor, align=align)

    for label, (top, bottom) in zip(labels_of_values(source), bars(source), strict=True):
        assert is_right(float(label.get("y") or math.nan), top, bottom)


def test_label_stays_in_the_image() -> None:
    source = labeled(anchor="end", align="end", offset=400)

    assert all(float(label.get("y") or -1) > 0 for label in labels_of_values(source))


def test_label_on_a_bar_is_readable_and_follows_the_authors_color() -> None:
    light, dark = (
        chart({"datalabels": {}}, backgroundColor="#ffffcc"),
        chart({"datalabels": {}}, backgroundColor="#000033"),
    )

    (on_light,), (on_dark,) = ({each.get("fill") for each in labels_of_values(source)} for source in (light, dark))

    assert on_light is not None
    assert on_dark is not None
    assert int(on_light[1:3], 16) < 0x80 < int(on_dark[1:3], 16)


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        ("scatter", [{"x": 1, "y": 2}, {"x": 2, "y": 3.5, "label": "peak"}], ["x: 1, y: 2", "peak"]),
        ("bubble", [{"x": 1, "y": 2, "r": 9}, {"x": 2, "y": 3, "r": 4}], ["9", "4"]),
        ("line", [1, None, 3], ["1", "3"]),
        ("pie", [1, 2, 3], ["1", "2", "3"]),
        ("doughnut", [1, 2, 3], ["1", "2", "3"]),
        ("polarArea", [1, 2, 3], ["1", "2", "3"]),
        ("radar", [1, 2, 3], ["1", "2", "3"]),
        ("bar", [[1, 4], [2, 3]], ["1, 4", "2, 3"]),
    ],
)
def test_every_type_has_labels(kind: str, data: Any, expected: list[str]) -> None:
    assert words(chart({"datalabels": {}}, kind=kind, data=data))[-len(expected) :] == expected


def test_labels_that_overlap_are_left_out_on_demand() -> None:
    data = {str(number): number for number in range(200)}

    every = words(chart({"datalabels": {}}, kind="line", data=data))
    some = words(chart({"datalabels": {"display": "auto"}}, kind="line", data=data))

    assert len(every) > 200 > len(some) > 10


def test_several_labels_of_a_value() -> None:
    source = labeled(labels={"name": {"anchor": "end", "align": "end"}, "value": {"color": "#ff0000"}, "none": None})

    assert words(source)[-6:] == ["12", "12", "19", "19", "7", "7"]


def test_number_of_labels_is_bounded() -> None:
    source = chart({"datalabels": {"display": "auto"}}, kind="line", data={str(number): 1 for number in range(1_001)})

    assert messages(source) == ["data labels after the first 1,000 are left out"]


def test_formatter_is_left_out_with_a_notice() -> None:
    source = "{type: 'bar', data: {datasets: [{data: {a: 1}}]},\n options: {plugins: {datalabels: {\n formatter: v => names[v]}}}}"
    (remark,) = render_chart(source).remarks

    message = "`options.plugins.datalabels.formatter` is ignored: only short functions for ticks, data labels and colors are run; labels show the values"
    assert (remark.message, remark.line) == (message, 3)


# Annotations


def line_path(source: Any) -> list[float]:
    """Return the numbers of the red path."""
    (path,) = [each for each in render_svg(source).iter("{*}path") if each.get("stroke") == "#ff0000"]
    return [float(each) for each in re.findall(r"-?[\d.]+", str(path.get("d")))]


@pytest.mark.parametrize(
    "annotation",
    [
        {"yMin": 10, "yMax": 10},
        {"scaleID": "y", "value": 10},
        {"yScaleID": "y", "yMin": 10, "yMax": "10"},
        {"type": None, "scaleID": "y", "value": 10, "endValue": 10},
    ],
)
def test_line_is_across_the_chart_at_its_value(annotation: Any) -> None:
    x1, y1, x2, y2 = line_path(annotated({"type": "line", "borderColor": "red", **annotation}))
    root = render_svg(annotated({"type": "line", "borderColor": "red", **annotation}))
    (tick,) = [each for each in root.iter("{*}text") if each.text == "10"]

    assert y1 == y2
    assert x2 - x1 > 400
    assert abs(float(tick.get("y") or 0) - y1) < 6


@pytest.mark.parametrize("value", ["Tue", 1])
def test_line_is_at_a_label_by_name_or_number(value: Any) -> None:
    x1, y1, x2, y2 = line_path(annotated({"scaleID": "x", "value": value, "borderColor": "red"}))
    (tick,) = [each for each in render_svg(annotated()).iter("{*}text") if each.text == "Tue"]

    assert x1 == x2 == pytest.approx(float(tick.get("x") or 0), abs=0.1)
    assert y2 > y1


def test_line_is_at_a_date() -> None:
    data = [{"x": "2026-03-01", "y": 1}, {"x": "2026-03-11", "y": 2}]
    scales = {"x": {"type": "time"}}
    x1, _, x2, _ = line_path(
        annotated(
            {"xMin": "2026-03-06", "xMax": "2026-03-06", "borderColor": "red"}, kind="line", data=data, scales=scales
        )
    )
    left, _, right, _ = line_path(
        annotated({"yMin": 1, "yMax": 1, "borderColor": "red"}, kind="line", data=data, scales=scales)
    )

    assert x1 == x2 == pytest.approx((left + right) / 2, abs=0.1)


def test_box_spans_its_values_and_is_translucent_by_default() -> None:
    root = render_svg(annotated({"type": "box", "xMin": 0.5, "xMax": 1.5, "yMin": 5, "yMax": 10}))
    (box,) = [each for each in root.iter("{*}rect") if each.get("fill") != "none"]

    assert float(box.get("width") or 0) > 100
    assert float(box.get("fill-opacity") or 1) < 0.5


def test_label_and_point_are_at_their_values() -> None:
    note = {"type": "label", "xValue": "Tue", "yValue": 10, "content": ["Read", "me"]}
    root = render_svg(annotated(note, {"type": "point", "xValue": "Tue", "yValue": 10, "radius": 7}))
    (circle,) = [each for each in root.iter("{*}circle") if each.get("r") == "7"]
    (element,) = [each for each in root.iter("{*}text") if "Read" in "".join(map(str, each.itertext()))]

    assert float(element.get("x") or 0) == pytest.approx(float(circle.get("cx") or 0), abs=0.1)


def test_label_of_a_line_is_drawn_if_displayed() -> None:
    line = {"type": "line", "scaleID": "y", "value": 10}

    assert "Target" in words(annotated({**line, "label": {"display": True, "content": "Target"}}))
    assert "Target" in words(annotated({**line, "label": {"enabled": True, "content": "Target"}}))
    assert "Target" not in words(annotated({**line, "label": {"content": "Target"}}))


def test_label_follows_its_position() -> None:
    def x_of(position: str) -> float:
        label = {"display": True, "content": "Target", "position": position}
        root = render_svg(annotated({"scaleID": "y", "value": 10, "label": label}))
        (element,) = [each for each in root.iter("{*}text") if each.text == "Target"]
        return float(element.get("x") or 0)

    assert x_of("start") == x_of("left") < x_of("25%") < x_of("center") < x_of("end") == x_of("right")


def test_scale_reaches_an_annotation_but_not_beyond_the_authors_limits() -> None:
    goal = {"scaleID": "y", "value": 50}

    assert "50" in words(annotated(goal))
    assert "50" not in words(annotated({**goal, "adjustScaleRange": False}))
    assert "50" not in words(annotated(goal, scales={"y": {"max": 30}}))


def test_annotations_may_be_behind_the_data() -> None:
    box = {"type": "box", "backgroundColor": "#ff0000"}

    def is_first(draw_time: str) -> bool:
        svg = render_chart(annotated({**box, "drawTime": draw_time})).svg or ""
        return svg.index("#ff0000") < svg.index("<title>")

    assert is_first("beforeDatasetsDraw")
    assert is_first("beforeDraw")
    assert not is_first("afterDatasetsDraw")


def test_annotations_may_be_named_and_turned_off() -> None:
    named = {"goal": {"type": "label", "content": "Goal"}, "none": {"type": "label", "content": "No", "display": False}}
    shown = words(chart({"annotation": {"annotations": named}}))

    assert "Goal" in shown
    assert "No" not in shown


def test_annotation_of_the_plugins_first_version() -> None:
    source = {
        **chart(),
        "options": {
            "scales": {"yAxes": [{"id": "left"}]},
            "annotation": {
                "annotations": [
                    {
                        "type": "line",
                        "mode": "horizontal",
                        "scaleID": "left",
                        "value": 10,
                        "borderColor": "red",
                        "label": {"enabled": True, "content": "Goal", "position": "right"},
                    }
                ]
            },
        },
    }

    assert "Goal" in words(source)
    assert messages(source) == []


@pytest.mark.parametrize(
    ("annotation", "message"),
    [
        ({"type": "polygon"}, ".type` 'polygon' is not supported; only line, box, label, point are drawn"),
        ({"scaleID": "x", "value": "Sun"}, ".value` is ignored: not a value of scale `x` (got 'Sun')"),
        ({"yMin": "high"}, ".yMin` is ignored: not a value of scale `y` (got 'high')"),
        ({"borderColor": "reddish"}, ".borderColor` must be a CSS color (got 'reddish'); the default is used"),
    ],
)
def test_annotation_that_cannot_be_drawn_has_a_notice(annotation: Any, message: str) -> None:
    assert messages(annotated(annotation)) == [f"`options.plugins.annotation.annotations[0]{message}"]


def test_label_that_is_not_on_the_scale_is_not_added_to_it() -> None:
    assert "Sun" not in words(annotated({"scaleID": "x", "value": "Sun"}))


def test_number_of_annotations_is_bounded() -> None:
    with pytest.raises(FigureError, match=r"at most 100 annotations \(got 101\)"):
        render_chart(annotated(*[{"type": "line"}] * 101))


def test_descriptions_and_text_name_the_annotations() -> None:
    source = annotated(
        {"scaleID": "y", "value": 10, "label": {"display": True, "content": ["Our", "goal"]}},
        {"type": "box", "xMin": 0.5, "xMax": 2, "label": {"display": True, "content": "Rain"}},
        {"type": "line", "scaleID": "y", "value": 3},
    )
    drawn = render_chart(source)

    assert drawn.description.endswith(" Marked: Our goal (y = 10); Rain (x = Tue to Wed)")
    assert (drawn.plain_text or "").endswith("\n\nOur goal (y = 10)\nRain (x = Tue to Wed)")
    assert drawn.table == render_chart(chart()).table


def test_image_has_the_annotations_as_its_alternative() -> None:
    document = (
        "```chart\n{type: 'bar', data: {datasets: [{data: {a: 1}}]}, options: {plugins: {annotation: {annotations: {\n"
    )
    document += "goal: {scaleID: 'y', value: 2, label: {display: true, content: 'Goal'}}}}}}}\n```\n"

    assert "Marked: Goal (y = 2)" in convert(document, to="email").html


@pytest.mark.parametrize(
    "value", [None, False, True, 7, -1e199, "x", "Tue", [], [[]], {}, {"display": True, "content": "x"}]
)
@pytest.mark.parametrize("kind", ["bar", "line", "pie", "radar", "scatter"])
def test_plugins_with_options_of_any_kind_are_drawn(kind: str, value: Any) -> None:
    names = (
        "align",
        "anchor",
        "clamp",
        "clip",
        "color",
        "display",
        "font",
        "offset",
        "opacity",
        "padding",
        "rotation",
        "labels",
    )
    label = {**dict.fromkeys(names, value), "textAlign": value, "backgroundColor": value, "borderWidth": value}
    places = (
        "xMin",
        "xMax",
        "yMin",
        "yMax",
        "xValue",
        "yValue",
        "value",
        "endValue",
        "radius",
        "xAdjust",
        "z",
        "drawTime",
    )
    annotations = [
        {"type": each, "label": value, "content": value, **dict.fromkeys(places, value)}
        for each in ("line", "box", "label", "point")
    ]
    plugins = {"datalabels": label, "annotation": {"annotations": annotations}}

    assert render_chart(chart(plugins, kind=kind)).svg
    assert render_chart(chart({"datalabels": value, "annotation": value}, kind=kind)).svg
    assert render_chart(chart({"annotation": {"annotations": value, "common": value}}, kind=kind)).svg
