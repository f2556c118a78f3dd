"""Charts as a whole: content, title, colors, and reproducibility."""

import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from lxml import etree

from mdpublish_core import convert, list_templates
from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, MIN_TEXT_CONTRAST, blend, contrast, luminance
from mdpublish_core.figures.charts.palettes import build_palette
from mdpublish_core.figures.pool import render
from mdpublish_core.figures.request import FigureRequest, FigureTheme, RenderedFigure
from mdpublish_core.templates import THEME_MODES
from tests.core.png_images import PngImage
from tests.sampling import sampled
from tests.visual.chart_configurations import KINDS, configurations
from tests.visual.rendered_charts import (
    COLOR,
    colors,
    drawn_labels,
    foreign_urls,
    marks,
    name_of,
    paint_of,
    reach,
    reaches,
    render_chart,
    render_svg,
    tooltips,
    view_of,
    words_for_numbers,
)
from tests.visual.rendering import theme_of

pytestmark = pytest.mark.needs("resvg_py")

TYPES = ("bar", "line", "pie", "doughnut", "radar", "polarArea", "scatter", "bubble")

DATA: dict[str, Any] = {
    "scatter": [{"x": 1, "y": 3}, {"x": 2, "y": 1}, {"x": 3, "y": 2}],
    "bubble": [{"x": 1, "y": 3, "r": 9}, {"x": 2, "y": 1, "r": 6}, {"x": 3, "y": 2, "r": 12}],
}
LIGHT, DARK = theme_of("swiss"), theme_of("swiss", "dark")

# Axes and legends have the other.
PALETTE = set(LIGHT.series) - {LIGHT.muted}

THEMES = [(template.id, mode) for template in list_templates() for mode in THEME_MODES]

# Tolerance in px: Chart.js lets half a character or a line's edge exceed the view box.
SLACK = 2.0

# Charts that exceed the view box because the author asks for it or Chart.js reserves no space.
OUTSIDE = {
    "line: clip by sides and false",
    "radar: pointLabels with backdrops",
    "radar: pointLabels with backdrops of four sides",
    "radar: everything of the scale at once",
    "bubble: without autoPadding",
    "axes: ticks.sampleSize 1",
    "axes: ticks.labelOffset",
    "axes: ticks.labelOffset of a vertical axis",
    "axes: ticks.showLabelBackdrop with turned labels",
    "axes: title at the right, aligned, reversed",
}

FENCE = "```chart{options}\n{source}\n```\n"


def chart(kind: str = "bar", data: Any = None, options: Any = None, **dataset: Any) -> dict[str, Any]:
    values = data if data is not None else DATA.get(kind, [3, 1, 2])
    datasets = [{"label": "Votes", "data": values, **dataset}]
    return {"type": kind, "data": {"labels": ["Red", "Blue", "Green"], "datasets": datasets}, "options": options or {}}


def two(kind: str = "bar", *names: str | None) -> dict[str, Any]:
    named = [{"label": name} if name is not None else {} for name in names or ("North", "South")]
    data = [{"data": DATA.get(kind, numbers)} for numbers in ([3, 1, 2], [2, 4, 1])]
    datasets = [{**name, **each} for name, each in zip(named, data, strict=True)]
    return {"type": kind, "data": {"labels": ["Red", "Blue", "Green"], "datasets": datasets}}


def titled(kind: str, title: Any, **more: Any) -> dict[str, Any]:
    return chart(kind, options={"plugins": {"title": {"display": True, "text": title, **more}}})


def fence(source: Any, options: str = "") -> str:
    return FENCE.format(options=options, source=json.dumps(source))


def shape(mark: "etree._Element") -> "etree._Element":
    """The first shape of a mark."""
    return next(each for each in mark.iter("{*}path", "{*}circle", "{*}rect"))


def lines(root: "etree._Element") -> list["etree._Element"]:
    """Lines through points, 3 px wide."""
    return [each for each in root.iter("{*}path") if paint_of(each, "stroke-width") == "3"]


def top_of(root: "etree._Element") -> float:
    """The top edge of the highest mark."""
    return min(box[1] for each, box in reaches(root) if each.find("{*}title") is not None)


def fill(mark: "etree._Element") -> tuple[str, str]:
    return paint_of(shape(mark), "fill"), paint_of(shape(mark), "fill-opacity")


# Marks, labels and legends


@pytest.mark.parametrize("kind", TYPES)
def test_every_value_has_a_mark_with_a_tooltip(kind: str) -> None:
    expected = {
        "scatter": ["Red: (1, 3)", "Blue: (2, 1)", "Green: (3, 2)"],
        "bubble": ["Red: (1, 3, 9)", "Blue: (2, 1, 6)", "Green: (3, 2, 12)"],
    }

    assert tooltips(render_svg(chart(kind))) == expected.get(kind, ["Red: 3", "Blue: 1", "Green: 2"])


@pytest.mark.parametrize(
    ("kind", "count", "drawn"),
    [
        ("line", 400, 400),
        ("line", 5_000, 1_990),
        ("line", 2_000, 1_500),
        ("scatter", 1_000, 1_000),
        ("radar", 600, 600),
    ],
)
def test_points_of_a_line_are_thinned_where_they_outnumber_pixels(kind: str, count: int, drawn: int) -> None:
    values: list[Any] = [number % 7 for number in range(count)]
    values[count // 2], values[count // 3] = 90, -90
    data = [{"x": x, "y": y} for x, y in enumerate(values)] if kind == "scatter" else values
    source = {"type": kind, "data": {"labels": list(range(count)), "datasets": [{"data": data}]}}

    shown = tooltips(render_svg(source))

    # Of each column of pixels, the first, lowest, highest and last.
    assert len(shown) == count if count == drawn else 0.5 * drawn < len(shown) <= drawn
    assert [sum(each.endswith((f" {value}", f" {value})")) for each in shown) for value in (90, -90)] == [1, 1]


@pytest.mark.parametrize("kind", [kind for kind in TYPES if kind not in DATA])
def test_tooltips_name_their_dataset(kind: str) -> None:
    expected = [
        "Red, North: 3",
        "Blue, North: 1",
        "Green, North: 2",
        "Red, South: 2",
        "Blue, South: 4",
        "Green, South: 1",
    ]

    assert sorted(tooltips(render_svg(two(kind)))) == sorted(expected)


def test_tooltip_has_all_digits_of_a_value() -> None:
    root = render_svg(chart(data=[1234567.891, -0.000123, 1e-9]))

    assert tooltips(root) == ["Red: 1,234,567.891", "Blue: -0.000123", "Green: 0.000000001"]


def test_tooltip_of_a_floating_bar_has_both_ends() -> None:
    assert tooltips(render_svg(chart(data=[[1, 3], [-2, 4], None]))) == ["Red: 1 – 3", "Blue: -2 – 4"]


def test_missing_value_has_no_mark() -> None:
    assert tooltips(render_svg(chart(data=[3, None, 2]))) == ["Red: 3", "Green: 2"]
    assert tooltips(render_svg(chart("line", data=[3, None, 2]))) == ["Red: 3", "Green: 2"]


def test_bars_are_as_high_as_their_values() -> None:
    bars = [box for each, box in reaches(render_svg(chart())) if each.find("{*}title") is not None]
    first, second, third = (bottom - top for _, top, _, bottom in bars)

    assert first == pytest.approx(3 * second, abs=3)
    assert third == pytest.approx(2 * second, abs=2)
    assert len({bottom for *_, bottom in bars}) == 1


def test_labels_ticks_and_names_of_datasets_are_written() -> None:
    labels = drawn_labels(render_svg(two()))

    assert {"North", "South", "Red", "Blue", "Green", "0", "4.0"} <= set(labels)


def test_rings_of_a_radar_chart_are_labeled_but_for_its_center() -> None:
    labels = drawn_labels(render_svg(chart("radar", [10, 20, 30])))

    assert labels == ["Green", "Blue", "Red", "Votes", *map(str, range(12, 31, 2))]


def test_legend_of_slices_names_their_labels() -> None:
    assert drawn_labels(render_svg(chart("pie"))) == ["Red", "Blue", "Green"]


@pytest.mark.parametrize("kind", ["bar", "line", "radar", "scatter", "bubble"])
def test_dataset_without_a_name_is_not_in_the_legend(kind: str) -> None:
    one_named, unnamed = (render_svg(two(kind, name, None)) for name in ("North", None))

    assert "North" in drawn_labels(one_named)
    assert len(list(one_named.iter("{*}rect"))) == len(list(unnamed.iter("{*}rect"))) + 1
    assert not {"undefined", "null", "None", ""} & set(drawn_labels(unnamed))


def test_chart_without_any_name_has_no_room_for_a_legend() -> None:
    tops = [top_of(render_svg(two("bar", name, None))) for name in ("North", None)]

    assert tops[0] > tops[1] + 10


@pytest.mark.parametrize("side", ["left", "right"])
def test_legend_beside_a_chart_moves_below_if_its_names_have_no_room(side: str) -> None:
    def place_of(name: str) -> tuple[float, float]:
        source = two("bar", name, "South")
        source["options"] = {"plugins": {"legend": {"position": side}}}
        (label,) = (each for each in render_svg(source).iter("{*}text") if each.text == name)
        return float(label.get("x", "0")), float(label.get("y", "0"))

    (_, beside), (left, below) = place_of("North"), place_of("Revenue from subscriptions in the north")

    assert beside < 200 < below
    assert 0 < left < 300


def test_line_below_bars_is_visible_through_them() -> None:
    mixed = chart(order=0)
    mixed["data"]["datasets"].append({"type": "line", "label": "Trend", "data": [1, 3, 2]})
    root = render_svg(mixed)
    (line,) = lines(root)
    bars = [mark for mark in marks(root) if name_of(mark) != "circle"]
    elements = list(root.iter())

    assert len(bars) == 3
    for bar in bars:
        assert elements.index(line) < elements.index(shape(bar))
        fills = [each for each in (shape(bar), *bar.iter("{*}path")) if paint_of(each, "fill-opacity")]
        assert fills
        assert all(float(paint_of(each, "fill-opacity")) <= 0.6 for each in fills)


def test_bars_alone_are_opaque() -> None:
    assert {fill(mark)[1] for mark in marks(render_svg(chart()))} == {""}


# Size, title and alternative text


def test_title_of_a_chart_is_that_of_its_svg() -> None:
    sketch = render_chart(titled("bar", "Votes of  the year"))

    assert sketch.title == "Votes of the year"
    assert "Votes of  the year" in drawn_labels(etree.fromstring((sketch.svg or "").encode()))
    assert render_chart(titled("bar", ["Votes", "of the year"])).title == "Votes of the year"
    assert render_chart(titled("bar", "Hidden", display=False)).title == ""
    assert render_chart(chart()).title == ""


def test_title_of_a_chart_is_its_alternative_once() -> None:
    html = convert(fence(titled("pie", "Votes & <more>"))).html

    assert 'aria-label="Pie chart: Votes &amp; &lt;more&gt;"' in html
    assert "<title>Votes &amp; &lt;more&gt;</title><desc>Red: 3; Blue: 1; Green: 2</desc>" in html


def test_chart_without_a_title_is_named_by_its_kind() -> None:
    for kind, name in (("bar", "Bar chart"), ("polarArea", "Polar area chart"), ("bubble", "Bubble chart")):
        assert f'aria-label="{name}"' in convert(fence(chart(kind))).html


def test_title_alternative_and_width_of_the_fence_count() -> None:
    source = fence(chart(), ' title="All votes" alt="Red won" width=280')
    html, mail = convert(source).html, convert(source, to="email")

    assert "<figcaption>All votes</figcaption>" in html
    assert '<svg width="280" height="140" viewBox="0 0 560 280" role="img" aria-label="Red won"' in html
    assert [(media.alt, media.width, media.height) for media in mail.media] == [("Red won", 280, 140)]
    assert "All votes" in mail.html


def test_charts_have_the_width_of_a_column_and_radial_ones_are_square() -> None:
    def size(source: Any) -> tuple[float, ...]:
        return view_of(render_svg(source))[2:]

    assert size(chart()) == (560, 280)
    assert size(chart("pie")) == (400, 400)
    assert size(chart(options={"aspectRatio": 1})) == (560, 560)
    assert size(chart("radar", options={"aspectRatio": 2})) == (400, 200)


# Colors


def test_colors_are_the_templates_where_none_are_given() -> None:
    for theme in (LIGHT, DARK):
        fills = [fill(mark)[0] for mark in marks(render_svg(two(), theme=theme))]

        assert Counter(fills) == {theme.series[0]: 3, theme.series[1]: 3}
        assert [paint_of(line, "stroke") for line in lines(render_svg(two("line"), theme=theme))] == [
            theme.series[1],
            theme.series[0],
        ]


def test_slices_have_colors_one_after_another() -> None:
    for kind in ("pie", "doughnut", "polarArea"):
        fills = [fill(mark)[0] for mark in marks(render_svg(chart(kind), theme=DARK))]

        assert fills == list(DARK.series[:3])


def test_colors_repeat_where_there_are_more_datasets() -> None:
    datasets = [{"label": str(number), "data": [1]} for number in range(10)]
    root = render_svg({"type": "bar", "data": {"labels": ["a"], "datasets": datasets}})
    fills = {(mark.findtext("{*}title") or "").split()[1]: fill(mark)[0] for mark in marks(root)}

    assert [fills[f"{number}:"] for number in range(10)] == [LIGHT.series[number % 8] for number in range(10)]


# Patterns


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("number", [9, 12, 16])
def test_slices_after_the_eighth_have_colors_of_their_own(theme: FigureTheme, number: int) -> None:
    fills = {fill(mark)[0] for mark in marks(render_svg(chart("pie", [1] * number), theme=theme))}

    assert len(fills) == number
    assert all(contrast(color, theme.background) >= MIN_GRAPHICS_CONTRAST - 0.01 for color in fills)


@pytest.mark.parametrize("theme", [LIGHT, DARK])
@pytest.mark.parametrize("kind", ["bar", "pie"])
def test_mark_in_the_color_of_the_page_has_an_outline(theme: FigureTheme, kind: str) -> None:
    markup = etree.tostring(render_svg(chart(kind, [1, 2], backgroundColor=theme.background), theme=theme)).decode()
    plain = etree.tostring(render_svg(chart(kind, [1, 2], backgroundColor="#e0208080"), theme=theme)).decode()
    meant = etree.tostring(render_svg(chart(kind, [1, 2], backgroundColor="transparent"), theme=theme)).decode()
    outline = build_palette(theme).label_color

    drawn = [each.count(f'"{outline}"') for each in (markup, plain, meant)]
    assert drawn[0] > drawn[1] == drawn[2]


PATTERNED = replace(theme_of("ink"), dress=theme_of("ink").dress._replace(fill="solid"))


def many(kind: str = "bar", **options: Any) -> Any:
    datasets = [{"label": name, "data": [3, 1], **options} for name in "abcdefgh"]
    return {"type": kind, "data": {"labels": ["x", "y"], "datasets": datasets}}


def test_series_of_one_ink_differ_in_their_patterns() -> None:
    root = render_svg(many(), theme=PATTERNED)
    patterns = list(root.iter("{*}pattern"))
    used = {each.get("fill") for each in root.iter("{*}*") if (each.get("fill") or "").startswith("url(#")}

    assert len(used) == len({pattern[-1].get("d") for pattern in patterns}) == len(patterns)
    assert len(patterns) == sum(each != "solid" for each in PATTERNED.patterns)
    assert {pattern[0].get("fill") for pattern in patterns} == {PATTERNED.background}


def test_lines_of_one_ink_differ_in_dashes_and_points() -> None:
    root = render_svg(many("line"), theme=PATTERNED)
    strokes = [each for each in root.iter("{*}path") if paint_of(each, "stroke-width")]

    assert len(strokes) == len({paint_of(each, "stroke-dasharray") for each in strokes}) == 8
    assert not list(root.iter("{*}pattern"))


def test_authors_colors_have_no_patterns() -> None:
    for kind in ("bar", "pie", "polarArea", "line", "bubble"):
        root = render_svg(many(kind, backgroundColor="#123456", borderColor="#654321"), theme=PATTERNED)

        assert not list(root.iter("{*}pattern"))
        assert {paint_of(line, "stroke-dasharray") for line in lines(root)} <= {""}


def test_labels_on_patterns_have_a_ground() -> None:
    def grounds(number: int) -> int:
        """Return how many boxes in the color of the page are around a pie's labels; patterns have one each."""
        root = render_svg(chart("pie", [1] * number, datalabels={}), theme=PATTERNED)
        fills = [paint_of(each, "fill") for each in root.iter("{*}rect", "{*}path")]
        return fills.count(PATTERNED.background) - len(list(root.iter("{*}pattern")))

    assert PATTERNED.patterns[:3] == ("solid", "rows", "diagonal")
    assert [grounds(number) for number in (1, 2, 3)] == [0, 1, 2]


def test_patterns_survive_on_pages() -> None:
    html = convert(fence(many()), to="generic", template="ink").html

    assert html is not None
    assert html.count("<pattern ") == len(re.findall(r'fill="url\(#', html)) / 3 == 6


def test_patterns_are_in_images() -> None:
    source = json.dumps(chart("pie", [1, 1]))
    request = FigureRequest(kind="chart", source=source, theme=PATTERNED, forms=frozenset({"png"}))
    rendered = render(request, seconds=20)
    assert isinstance(rendered, RenderedFigure)
    image = PngImage.decode(rendered.png or b"")

    def luminances(share: float) -> set[float]:
        """Return the luminances of a part of a column, at a share of the image's width."""
        rows = range(image.height // 2, image.height * 5 // 8)
        return {luminance(image.pixel(int(image.width * share), y)) for y in rows}

    assert luminances(0.75) == {0.0}
    assert min(luminances(0.25)) < 0.2
    assert max(luminances(0.25)) > 0.9


@pytest.mark.parametrize(
    ("given", "painted"),
    [
        ("rebeccapurple", ("#663399", "")),
        ("Red", ("#ff0000", "")),
        ("#0a0", ("#00aa00", "")),
        ("#00AA0080", ("#00aa00", "0.5")),
        ("rgb(1, 2, 3)", ("#010203", "")),
        ("rgb(99 132 255 / 50%)", ("#6384ff", "0.5")),
        ("rgba(255, 99, 132, 0.2)", ("#ff6384", "0.2")),
        ("hsl(120, 100%, 25%)", ("#008000", "")),
        ("hsla(120deg 100% 25% / 0.5)", ("#008000", "0.5")),
        ("transparent", ("#000000", "0")),
    ],
)
def test_authors_colors_are_preserved_in_both_modes(given: str, painted: tuple[str, str]) -> None:
    for theme in (LIGHT, DARK):
        for kind in ("bar", "pie", "bubble"):
            root = render_svg(chart(kind, backgroundColor=given, borderWidth=0), theme=theme)

            assert {fill(mark) for mark in marks(root)} == {painted}
        (line,) = lines(render_svg(chart("line", borderColor=given), theme=theme))
        assert (paint_of(line, "stroke"), paint_of(line, "stroke-opacity")) == painted


def test_color_for_each_mark_is_preserved() -> None:
    given = ["#111111", "#222222", "#333333"]

    for kind in ("bar", "pie", "polarArea", "scatter"):
        name = "pointBackgroundColor" if kind == "scatter" else "backgroundColor"
        assert [fill(mark)[0] for mark in marks(render_svg(chart(kind, **{name: given})))] == given


def test_border_color_defines_the_background_color() -> None:
    (line,) = lines(root := render_svg(chart("line", borderColor="#123456", fill=True)))
    areas = [each for each in root.iter("{*}path") if paint_of(each, "fill") == "#123456" and not len(each)]

    assert paint_of(line, "stroke") == "#123456"
    assert {paint_of(area, "fill-opacity") for area in areas} == {"0.5"}
    assert colors(root).isdisjoint(PALETTE)
    assert {fill(mark) for mark in marks(render_svg(chart(borderColor="#123456")))} == {("#123456", "0.5")}


def test_background_color_defines_the_border_color() -> None:
    (line,) = lines(root := render_svg(chart("line", backgroundColor="#12345640")))

    assert (paint_of(line, "stroke"), paint_of(line, "stroke-opacity")) == ("#123456", "")
    assert colors(root).isdisjoint(PALETTE)
    bars = render_svg(chart(backgroundColor="#12345640", borderWidth=2))
    assert colors(bars).isdisjoint(PALETTE)
    assert "#123456" in colors(bars)


def test_legend_has_the_colors_of_its_datasets() -> None:
    root = render_svg(chart(backgroundColor="#123456", borderColor="#abcdef", borderWidth=3))
    (box,) = root.iter("{*}rect")

    assert (paint_of(box, "fill"), paint_of(box, "stroke")) == ("#123456", "#abcdef")


def test_labels_grid_and_background_follow_the_mode() -> None:
    source = titled("bar", "Title")
    light, dark = (render_svg(source, theme=theme) for theme in (LIGHT, DARK))

    for root, theme in ((light, LIGHT), (dark, DARK)):
        title = next(each for each in root.iter("{*}text") if each.text == "Title")
        assert paint_of(title, "fill") == theme.text_color
    assert colors(light).isdisjoint(colors(dark))
    borders = [
        paint_of(shape(mark), "stroke")
        for theme in (LIGHT, DARK)
        for mark in marks(render_svg(chart("pie"), theme=theme))
    ]
    assert borders == [LIGHT.background] * 3 + [DARK.background] * 3


def specimens() -> Iterator[dict[str, Any]]:
    """Charts with text and marks of all kinds, without explicit colors."""
    named = {"display": True, "text": "A name"}
    plugins = {"title": named, "subtitle": named, "legend": {"title": named, "labels": {"usePointStyle": True}}}
    for kind in TYPES:
        more = (
            {} if kind in {"pie", "doughnut", "radar", "polarArea"} else {"x": {"title": named}, "y": {"title": named}}
        )
        around = {"r": {"pointLabels": {"display": True}}} if kind in {"radar", "polarArea"} else {}
        yield {**two(kind), "options": {"plugins": plugins, "scales": {**more, **around}}}
    mixed = two("bar")
    mixed["data"]["datasets"][1]["type"] = "line"
    yield mixed


def ratio(element: "etree._Element", ground: str) -> float:
    """The higher contrast of an element's fill, or the lines of its pattern, and its stroke."""
    ratios = [1.0]
    for name in ("fill", "stroke"):
        color = paint_of(element, name)
        if color.startswith("url(#"):
            tile = next(each for each in element.getroottree().iter("{*}pattern") if f"url(#{each.get('id')})" == color)
            ratios.append(ratio(tile[-1], ground))
        elif color not in {"", "none"}:
            share = float(paint_of(element, f"{name}-opacity") or 1)
            ratios.append(contrast(blend(color, ground, share), ground))
    return max(ratios)


@pytest.mark.parametrize(("template", "mode"), sampled(THEMES, 7))
def test_labels_and_marks_have_contrast_in_every_template(template: str, mode: Any) -> None:
    theme: FigureTheme = theme_of(template, mode)
    for specimen in specimens():
        root = render_svg(specimen, theme=theme)
        labels = list(root.iter("{*}text"))

        assert labels
        assert [
            each.text for each in labels if contrast(paint_of(each, "fill"), theme.background) < MIN_TEXT_CONTRAST
        ] == []
        assert len(marks(root)) >= 6
        pale = [
            tooltips(root)[number]
            for number, mark in enumerate(marks(root))
            if ratio_of(mark, theme) < MIN_GRAPHICS_CONTRAST
        ]
        assert pale == []
        assert [
            line for line in lines(root) if contrast(paint_of(line, "stroke"), theme.background) < MIN_GRAPHICS_CONTRAST
        ] == []


def ratio_of(mark: "etree._Element", theme: FigureTheme) -> float:
    return max(ratio(each, theme.background) for each in mark.iter("{*}path", "{*}circle", "{*}rect"))


@pytest.mark.parametrize(("template", "mode"), THEMES)
def test_grid_is_faint(template: str, mode: Any) -> None:
    theme: FigureTheme = theme_of(template, mode)
    root = render_svg(chart(), theme=theme)
    tiles = {each for pattern in root.iter("{*}pattern") for each in pattern}
    grid = [each for each in root.iter("{*}path") if paint_of(each, "stroke") and not len(each) and each not in tiles]

    assert grid
    assert {name_of(each) for each in grid} == {"path"}
    assert max(contrast(paint_of(each, "stroke"), theme.background) for each in grid) < 2


# Uniqueness and reproducibility


def test_charts_of_a_document_have_unique_ids_and_clips() -> None:
    clipped = chart("line", options={"scales": {"y": {"min": 1.5, "max": 2.5}}})
    source = "\n".join(fence(each) for each in (clipped, titled("pie", "Votes"), clipped, chart("bubble")))
    html = convert(source).html
    ids = re.findall(r' id="([^"]*)"', html)
    referenced = re.findall(r"url\(#([^)]*)\)", html)

    assert html.count("<svg ") == 4
    assert [name for name, number in Counter(ids).items() if number > 1] == []
    assert len(set(referenced)) >= 2
    assert set(referenced) <= set(ids)
    assert html.count('<details class="data">') == 4


@pytest.mark.needs("mmdr", "pygraphviz")
def test_charts_among_other_figures_are_drawn() -> None:
    source = f"{fence(chart())}\n```dot\ndigraph {{ a -> b }}\n```\n\n```mermaid\nflowchart LR\na --> b\n```\n\n$x$\n"
    conversion = convert(source)

    assert conversion.html.count("<svg ") == 3
    assert conversion.notices == ()


def digest() -> str:
    """A digest of a sample of rendered charts."""
    rendered = [render_chart(each.source) for each in configurations()[::12]]
    return sha256(repr(rendered).encode()).hexdigest()


def test_same_chart_comes_to_the_same_bytes_in_another_process() -> None:
    code = "from tests.core.test_figures_charts import digest; print(digest())"
    environment = {"PYTHONHASHSEED": "1", "PYTHONPATH": ":".join(filter(None, sys.path))}
    there = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=environment)

    assert there.stdout.strip() == digest()


@pytest.mark.parametrize("kind", KINDS)
def test_chart_stays_in_its_view_and_has_no_foreign_urls(kind: str) -> None:
    for each in configurations():
        if each.kind != kind:
            continue
        root = render_svg(each.source)
        left, top, right, bottom = view_of(root)

        assert words_for_numbers(root) == [], each
        assert [color for color in colors(root) if not COLOR.fullmatch(color)] == [], each
        assert foreign_urls(root) == [], each
        if str(each) not in OUTSIDE:
            bounds = reach(root)
            assert left - SLACK <= bounds[0], each
            assert top - SLACK <= bounds[1], each
            assert bounds[2] <= right + SLACK, each
            assert bounds[3] <= bottom + SLACK, each


@pytest.mark.parametrize("kind", ["bar", "line", "scatter"])
def test_large_chart_has_no_tooltips_but_a_whole_table(kind: str) -> None:
    def render(number: int) -> tuple[list[str], set[str]]:
        values = [{"x": value, "y": value + 0.5} if kind == "scatter" else value + 0.5 for value in range(number)]
        labels = [f"L{value}" for value in range(number)]
        datasets = [{"data": values}]
        rendered = render_chart({"type": kind, "data": {"labels": labels, "datasets": datasets}})
        return tooltips(etree.fromstring((rendered.svg or "").encode())), {
            cell for row in rendered.table for cell in row
        }

    tooltip_lines, cells = render(5_000)
    # Lines show the points that pixels tell apart.
    assert len(tooltip_lines) == 5_000 if kind != "line" else 500 < len(tooltip_lines) < 2_000
    assert {f"{value}.5" for value in range(5_000)} <= cells
    tooltip_lines, cells = render(5_001)
    assert tooltip_lines == []
    assert {f"{value}.5" for value in range(5_001)} <= cells
