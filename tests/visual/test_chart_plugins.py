"""Data labels and annotations compared with the plugins themselves in Chromium: within a pixel."""

import itertools
import json
import math
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pytest

from tests.corpora import PackagedFile, fetch
from tests.remarks import remark
from tests.visual import chartjs
from tests.visual.chart_configurations import CARTESIAN_SIZE, ROUND_SIZE
from tests.visual.chart_dumps import lay_out

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.visual_charts

_PLUGINS = (
    PackagedFile(
        package="chartjs-plugin-datalabels",
        version="2.2.0",
        path="dist/chartjs-plugin-datalabels.min.js",
        sha256="20c08f3d9c6d2ef76df6d6a6f1127c0013339fe32add24222276c398c6308c38",
    ),
    PackagedFile(
        package="chartjs-plugin-annotation",
        version="3.1.0",
        path="dist/chartjs-plugin-annotation.min.js",
        sha256="ff03786a60f6c93ccacfe0fbb6c2e3c671d7930856a3689f2f393113d8d655ec",
    ),
)

_READ = """([sources, names]) => {
  const annotation = window["chartjs-plugin-annotation"];
  Chart.register(ChartDataLabels, annotation);
  const places = ({ x, y, x2, y2 }) => [x, y, x2, y2].map((each) => each ?? null);
  return sources.map(([source, width, height]) => onCanvas(source, width, height, (chart) => {
    chart.draw();
    const labels = (chart.$datalabels._labels || []).filter((label) => label.$layout._visible).map((label) => {
      const { x, y, w, h } = label.$layout._box._rect;
      return [label._model.lines.join("\\n"), x + w / 2, y + h / 2, w, h];
    });
    const annotations = annotation.getAnnotations(chart).map((each) => {
      const label = each.label && each.label.options.display ? each.label : null;
      return [...places(each), ...(label ? [label.centerX, label.centerY] : [])];
    });
    return { labels, annotations };
  }));
}"""

PIXELS = 1.0


def chart(kind: str, plugins: Any, **options: Any) -> dict[str, Any]:
    return {
        "type": kind,
        "data": {
            "labels": ["Mon", "Tue", "Wed", "Thu"],
            "datasets": [{"label": "Lent", "data": [12, 19, -7, 8]}, {"label": "Bought", "data": [5, 9, 4, 6]}],
        },
        "options": {"plugins": plugins, "layout": {"padding": 60}, **options},
    }


def labeled() -> Iterator[dict[str, Any]]:
    anchors, aligns = ("start", "center", "end"), ("start", "center", "end", "top", "right", "bottom", "left", 30)
    for kind, anchor, align in itertools.product(("bar", "line", "doughnut", "polarArea", "radar"), anchors, aligns):
        yield chart(kind, {"datalabels": {"anchor": anchor, "align": align, "offset": 6}})
    frame = {"padding": {"top": 2, "left": 9}, "borderWidth": 3, "borderColor": "red", "font": {"size": 16}}
    for kind in ("bar", "line", "pie"):
        yield chart(kind, {"datalabels": {**frame, "rotation": 40, "align": "end", "clamp": True}})
        yield chart(kind, {"datalabels": {**frame, "display": [True, False]}})
    yield chart("bar", {"datalabels": {"anchor": "end", "align": "end"}}, indexAxis="y")
    yield chart("bar", {"datalabels": {}}, scales={"x": {"stacked": True}, "y": {"stacked": True}})


def annotated() -> Iterator[dict[str, Any]]:
    label = {"display": True, "content": ["A label", "of two lines"]}
    lines: list[dict[str, Any]] = [
        {"scaleID": "y", "value": 10},
        {"scaleID": "y", "value": 45},
        {"scaleID": "y", "value": 3, "endValue": 15},
        {"scaleID": "x", "value": "Tue"},
        {"scaleID": "x", "value": 1.5},
        {"yMin": 4, "yMax": 4},
        {"xMin": "Tue", "xMax": "Wed", "yMin": 2, "yMax": 12},
        {"xMin": 0, "xMax": 3, "yMin": -30, "yMax": 30, "adjustScaleRange": False},
        {"xMin": 2, "yMax": 6},
    ]
    for line, position in itertools.product(lines, ("start", "25%", "center", "end")):
        yield {"type": "line", **line, "label": {**label, "position": position}}
    yield {"type": "line", "scaleID": "x", "value": 1, "label": {**label, "rotation": -90, "xAdjust": 9, "yAdjust": -4}}
    boxes: list[dict[str, Any]] = [
        {},
        {"xMin": 0.5, "xMax": 1.5},
        {"yMin": 5, "yMax": 30},
        {"xMin": "Tue", "xMax": "Thu", "yMin": 2, "yMax": 6},
    ]
    for box, position in itertools.product(boxes, ("start", "center", "end", {"x": "start", "y": "end"}, {"y": "20%"})):
        yield {"type": "box", **box, "label": {"display": True, "content": "Label", "position": position}}
    for position in ("start", "center", "end"):
        yield {"type": "label", "xValue": "Tue", "yValue": 9, "content": ["Two", "lines"], "position": position}
    yield {"type": "label", "xMin": 1, "xMax": 3, "content": "Label", "xAdjust": 12, "padding": 10, "borderWidth": 2}
    yield {"type": "point", "xValue": 2, "yValue": 9, "radius": 8}


def annotation_charts() -> list[dict[str, Any]]:
    return [
        chart(kind, {"datalabels": {"display": False}, "annotation": {"annotations": {"one": each}}})
        for each in annotated()
        for kind in ("bar", "line")
    ]


@pytest.fixture(scope="module")
def page() -> Iterator["Page"]:
    scripts = [fetch(file).decode() for file in (*chartjs._FILES, *_PLUGINS)]
    with chartjs.chromium() as browser:
        yield chartjs._open_page(browser, scripts)


def size_of(source: dict[str, Any]) -> tuple[int, int]:
    return CARTESIAN_SIZE if source["type"] in {"bar", "line"} else ROUND_SIZE


def drawn_by_plugins(page: "Page", sources: list[dict[str, Any]]) -> list[dict[str, Any]]:
    results: list[dict[str, Any]] = page.evaluate(
        _READ, [[[json.dumps(each), *size_of(each)] for each in sources], None]
    )
    return results


def is_near(one: list[Any], other: list[Any]) -> bool:
    return len(one) == len(other) and all(
        a == b if isinstance(a, str) else b is not None and math.isclose(a, b, abs_tol=PIXELS)
        for a, b in zip(one, other, strict=True)
    )


@pytest.mark.short
def test_data_labels_are_where_the_plugin_draws_them(page: "Page", request: pytest.FixtureRequest) -> None:
    sources = [*labeled()]
    wrong = []
    number = 0
    for source, theirs in zip(sources, drawn_by_plugins(page, sources), strict=True):
        width, height = size_of(source)
        blocks = [each.block for each in lay_out(json.dumps(source), width, height).data_labels]
        ours = sorted(["\n".join(each.lines), each.x, each.y, each.width, each.height] for each in blocks)
        number += len(ours)
        pairs: Iterable[tuple[list[Any], list[Any]]] = itertools.zip_longest(
            ours, sorted(theirs["labels"]), fillvalue=[]
        )
        wrong += [f"{source['type']} {source['options']}: {a}, not {b}" for a, b in pairs if not is_near(a, b)]

    remark(
        request.config,
        f"charts: {number} data labels of {len(sources)} charts, {len(wrong)} elsewhere than the plugin's",
    )
    assert wrong == [], "\n".join(wrong)


@pytest.mark.short
def test_annotations_are_where_the_plugin_draws_them(page: "Page", request: pytest.FixtureRequest) -> None:
    sources = annotation_charts()
    wrong = []
    for source, theirs in zip(sources, drawn_by_plugins(page, sources), strict=True):
        width, height = size_of(source)
        laid_out = lay_out(json.dumps(source), width, height)
        for ours, expected in itertools.zip_longest(laid_out.annotations, theirs["annotations"]):
            is_label = ours is not None and ours.type == "label"
            positions = [] if ours is None else [*ours.box]
            if ours is not None and ours.label is not None:
                box = ours.label.box
                positions = [*box] if is_label else [*positions, ours.label.x, ours.label.y]
            if not is_near(positions, expected or []):
                wrong.append(
                    f"{source['type']} {source['options']['plugins']['annotation']}: {positions}, not {expected}"
                )

    remark(request.config, f"charts: {len(sources)} annotations, {len(wrong)} elsewhere than the plugin's")
    assert wrong == [], "\n".join(wrong)
