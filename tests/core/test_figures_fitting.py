"""Figures in the width of their destination: the other direction, notices, and forms for phones."""

import re
from importlib import import_module
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import Media, PageOptions, convert, parse, render
from mdpublish_core.figures.mermaid.sources import can_transpose, parse_source, transpose
from mdpublish_core.figures.request import FailedFigure, RenderedFigure
from mdpublish_core.figures.svg import clean_svg
from mdpublish_core.nodes import Figure
from mdpublish_core.notices import Notice
from mdpublish_core.templates import bind, get_template
from mdpublish_core.writers.figures.fitting import fit
from mdpublish_core.writers.figures.placement import Placement

if TYPE_CHECKING:
    from collections.abc import Iterator

IMAGE_DESTINATIONS = ("email", "google-docs", "onenote", "word")

STEPS = ("Client application", "Load balancer", "Application server", "Message queue", "Background worker", "Store")


def fence(source: str, info: str = "mermaid") -> str:
    return f"```{info}\n{source}\n```\n"


SIDEWAYS = "\n".join(
    (
        "flowchart LR",
        *(f"  n{number}[{step}]" for number, step in enumerate(STEPS)),
        *(f"  n{number} --> n{number + 1}" for number in range(len(STEPS) - 1)),
    )
)
# Eight subtypes: wide in either direction that Mermaid draws by itself.
CLASSES = "classDiagram\n" + "\n".join(f"  Animal <|-- Kind{each}\n  Kind{each} : +int number" for each in range(8))
STATES = "stateDiagram-v2\n  direction LR\n" + "\n".join(
    f"  State{each} --> State{each + 1} : event" for each in range(8)
)
ENTITIES = "erDiagram\n  direction LR\n" + "\n".join(
    f"  ENTITY{each} ||--o{{ ENTITY{each + 1} : has" for each in range(6)
)
GRAPH = "digraph { rankdir=LR; " + " -> ".join(f'"Step number {each}"' for each in range(9)) + " }"
# As wide as high: no direction is better.
MESH = "flowchart LR\n" + "\n".join(
    f"  a{row} --> b{row}[A name of some length] --> c{row} --> d{row} --> e{row} --> f{row} --> g{row} --> h{row}"
    for row in range(10)
)


# Sources


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("flowchart LR\n  a --> b", "flowchart TB\n  a --> b"),
        ("flowchart TB\n  a --> b", "flowchart LR\n  a --> b"),
        ("graph RL; a --> b", "graph TB; a --> b"),
        ("graph TD;\n  a --> b", "graph LR;\n  a --> b"),
        ("graph BT\n  a --> b", "graph LR\n  a --> b"),
        ("flowchart\n  a --> b", "flowchart LR\n  a --> b"),
        ("graph >\n  a --> b", "graph TB\n  a --> b"),
        ("%% remark\n\nflowchart LR\n  a --> LR", "%% remark\n\nflowchart TB\n  a --> LR"),
        ("---\ntitle: graph LR\n---\ngraph LR\n  a", "---\ntitle: graph LR\n---\ngraph TB\n  a"),
        (
            "flowchart LR\n  subgraph one\n    direction LR\n    a --> b\n  end",
            "flowchart TB\n  subgraph one\n    direction LR\n    a --> b\n  end",
        ),
        ("stateDiagram-v2\n  a --> b", "stateDiagram-v2\ndirection LR\n  a --> b"),
        ("stateDiagram-v2\n  direction LR\n  a --> b", "stateDiagram-v2\n  direction TB\n  a --> b"),
        (
            "stateDiagram-v2\n  state One {\n    direction LR\n    a --> b\n  }\n  direction LR",
            "stateDiagram-v2\n  state One {\n    direction LR\n    a --> b\n  }\n  direction TB",
        ),
        (
            "classDiagram\n  class A {\n    direction\n  }",
            "classDiagram\ndirection LR\n  class A {\n    direction\n  }",
        ),
        ("erDiagram\n  A ||--o{ B : has\n  direction TB", "erDiagram\n  A ||--o{ B : has\n  direction LR"),
    ],
)
def test_direction_of_a_diagram_is_turned(written: str, expected: str) -> None:
    source = parse_source(written)

    assert can_transpose(source)
    assert transpose(source).content == expected


@pytest.mark.parametrize("written", ["sequenceDiagram\n  a->>b: x", "pie\n  a: 1", "gantt\n  a: 1d", "mindmap\n  a"])
def test_diagram_of_one_direction_is_not_turned(written: str) -> None:
    assert not can_transpose(parse_source(written))


@pytest.mark.parametrize("source", [SIDEWAYS, CLASSES, STATES, ENTITIES])
@pytest.mark.parametrize(
    "engine",
    [
        pytest.param("merman_engine", marks=pytest.mark.needs("merman")),
        pytest.param("mmdr_engine", marks=pytest.mark.needs("mmdr")),
    ],
)
def test_engines_lay_out_a_turned_diagram_in_the_other_direction(engine: str, source: str) -> None:
    render_svg = import_module(f"mdpublish_core.figures.mermaid.{engine}").render_svg
    theme = bind(get_template("swiss"), "light").figure_theme
    parsed = parse_source(source)

    first, second = (clean_svg(render_svg(each, theme)) for each in (parsed, transpose(parsed)))

    assert first.width > 624 > second.width
    assert second.height > first.height


# Predictions


def figure_of(width: int, height: int) -> RenderedFigure:
    return RenderedFigure(width=width, height=height, can_transpose=True, text_size=14.0, png=b"x")


def fit_in(
    width: float, rendered: RenderedFigure, *transposed: RenderedFigure | FailedFigure
) -> tuple[RenderedFigure, list[Notice], bool]:
    """Return the chosen form, the notices, and whether the other direction was rendered."""
    token = Figure("mermaid", "flowchart LR", language="mermaid")
    results: Iterator[RenderedFigure | FailedFigure] = iter(transposed)
    notices: list[Notice] = []
    placement = Placement(background_color="", foreground_color="", text_size=16.0, width=width)
    chosen = fit(token, rendered, placement, lambda: next(results), notices.append)
    return chosen, notices, next(results, None) is None and bool(transposed)


def test_figure_that_fits_is_rendered_once() -> None:
    rendered = figure_of(900, 100)

    # 14 px at 600 / 900 are 9.3 px.
    assert fit_in(600, rendered) == (rendered, [], False)


def test_figure_with_larger_text_in_the_other_direction_is_turned() -> None:
    chosen, notices, _ = fit_in(600, figure_of(1200, 100), figure_of(200, 500))

    assert (chosen.width, chosen.height, notices) == (200, 500, [])


def test_figure_with_smaller_text_in_the_other_direction_stays() -> None:
    chosen, notices, is_tried = fit_in(600, figure_of(1200, 500), figure_of(1300, 900))

    assert is_tried
    assert chosen.width == 1200
    assert [notice.code for notice in notices] == ["figure-too-large"]
    assert "has 1,200 by 500 px: scaled to 600 px, its smallest text has 7.0 px, less than 9" in notices[0].message


def test_figure_as_high_as_wide_is_not_rendered_again() -> None:
    chosen, notices, _ = fit_in(600, figure_of(1200, 1200))

    assert chosen.width == 1200
    assert len(notices) == 1


def test_figure_that_fails_in_the_other_direction_stays() -> None:
    chosen, notices, _ = fit_in(600, figure_of(1200, 100), FailedFigure(problem="it is late", is_late=True))

    assert chosen.width == 1200
    assert [notice.code for notice in notices] == ["figure-too-large"]


def test_busy_machine_is_reported() -> None:
    _, notices, _ = fit_in(600, figure_of(1200, 100), FailedFigure(problem="the machine was too busy", is_stalled=True))

    assert [notice.code for notice in notices] == ["machine-busy", "figure-too-large"]


# Destinations


def images(markdown: str, destination: str) -> tuple[Media, ...]:
    conversion = convert(markdown, to=destination)
    assert [notice for notice in conversion.notices if notice.code == "figure-too-large"] == []
    return conversion.media


@pytest.mark.needs("mmdr", "pygraphviz", "resvg_py")
@pytest.mark.parametrize(
    "markdown",
    [
        pytest.param(fence(SIDEWAYS), id="flow"),
        # mmdr draws it higher than a page.
        pytest.param(fence(CLASSES), id="class", marks=pytest.mark.needs("merman")),
        pytest.param(fence(STATES), id="state"),
        pytest.param(fence(ENTITIES), id="er"),
        pytest.param(fence(GRAPH, "dot"), id="dot"),
    ],
)
@pytest.mark.parametrize("destination", IMAGE_DESTINATIONS)
def test_wide_diagram_is_turned_in_each_destination(destination: str, markdown: str) -> None:
    (image,) = images(markdown, destination)

    assert image.width
    assert image.height
    assert image.width < image.height


@pytest.mark.needs("mmdr", "resvg_py")
@pytest.mark.parametrize("around", ["> {}", "- item\n\n  {}", "> [!NOTE]\n> {}"])
@pytest.mark.parametrize("destination", IMAGE_DESTINATIONS)
def test_wide_diagram_is_turned_in_a_block(destination: str, around: str) -> None:
    margin = "> " if around.startswith(">") else "  "
    (image,) = images(around.format(fence(SIDEWAYS).strip().replace("\n", f"\n{margin}")), destination)

    assert image.width
    assert image.width < 300


@pytest.mark.needs("mmdr", "resvg_py")
@pytest.mark.parametrize("destination", IMAGE_DESTINATIONS)
def test_diagram_that_is_too_large_in_both_directions_has_a_notice(destination: str) -> None:
    conversion = convert(f"text\n\n{fence(MESH)}", to=destination)

    (notice,) = [notice for notice in conversion.notices if notice.code == "figure-too-large"]
    assert notice.line == 3


@pytest.mark.needs("mmdr", "resvg_py")
def test_width_of_an_author_turns_no_diagram() -> None:
    conversion = convert(fence(SIDEWAYS, "mermaid width=500"), to="email")

    assert conversion.media[0].width == 500
    assert conversion.notices == ()


@pytest.mark.needs("mmdr", "resvg_py")
def test_turned_diagram_keeps_its_text_and_repairs() -> None:
    source = SIDEWAYS.replace("[Store]", "[Store (first)]")

    conversion = convert(fence(source), to="email")

    assert [notice.code for notice in conversion.notices] == ["figure-repaired"]
    assert conversion.notices[0].line == 8
    assert conversion.media[0].width
    assert conversion.media[0].width < 300
    assert conversion.plain_text == convert(fence(source), to="generic").plain_text


@pytest.mark.needs("pygraphviz", "resvg_py")
def test_image_that_nearly_fits_a_onenote_page_is_scaled() -> None:
    markdown = fence(f'graph {{ a [shape=box, label="{"word " * 16}"] }}', "dot")

    (image,) = images(markdown, "onenote")
    (natural,) = re.findall(r'<svg width="(\d+)"', convert(markdown).html)

    assert 624 < int(natural) < 1.15 * 624
    assert image.width == 624


# Pages


def sizes(html: str) -> list[tuple[str, int, int]]:
    matches = re.findall(r'<svg(?: class="(\w+)")? width="(\d+)" height="(\d+)"', html)
    return [(css_class, int(width), int(height)) for css_class, width, height in matches]


@pytest.mark.needs("mmdr")
def test_page_has_another_form_for_phones() -> None:
    source = "\n".join([*SIDEWAYS.split("\n")[:5], "  n0 --> n1", "  n1 --> n2", "  n2 --> n3"])

    html = render(parse(fence(source)), to="page", options=PageOptions(title="a", page_width="wide")).html

    (narrow, narrow_width, _), (wide, width, height) = sizes(html)
    assert (narrow, wide) == ("narrow", "")
    assert narrow_width < 320
    assert width > 498
    assert width > height
    assert len(set(re.findall(r' id="([^"]+)"', html))) == len(re.findall(r' id="([^"]+)"', html))
    assert ".narrow" in html
    assert "narrow" not in convert(fence(source)).html


@pytest.mark.needs("mmdr")
def test_wide_diagram_is_turned_on_a_page() -> None:
    longer = f"{SIDEWAYS}\n  n5 --> n6[A further step] --> n7[The last of them]"

    ((css_class, width, height),) = sizes(render(parse(fence(longer)), to="page").html)

    assert css_class == ""
    assert width < height


@pytest.mark.needs("mmdr")
def test_page_without_wide_diagrams_has_no_rules_for_phones() -> None:
    assert "narrow" not in render(parse(fence("flowchart LR\n  a --> b")), to="page").html


@pytest.mark.needs("resvg_py")
def test_chart_has_a_form_for_phones_whose_text_is_not_scaled_down() -> None:
    chart = '{"type":"bar","data":{"labels":["a","b"],"datasets":[{"label":"n","data":[1,2]}]}}'
    (name, narrow_width, _), (_, width, _) = sizes(render(parse(fence(chart, "chart")), to="page").html)

    assert (name, narrow_width, width) == ("narrow", 340, 560)
    square = chart.replace('"data":{"l', '"options":{"aspectRatio":1},"data":{"l')
    assert "narrow" not in render(parse(fence(square, "chart")), to="page").html
