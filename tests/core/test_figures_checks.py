"""Drawings are compared with what their engine was asked for."""

import json

import pytest
from lxml import etree

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.checks import check_labels, check_links, check_output
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.fonts import line_width
from mdpublish_core.figures.mermaid.links import count_links
from mdpublish_core.figures.mermaid.sources import parse_source
from mdpublish_core.figures.request import EngineOutput, FailedFigure, FigureRequest, Remark, RenderedFigure
from mdpublish_core.figures.svg import CleanSvg, DrawnText, clean_svg
from mdpublish_core.figures.svg.contrast import Readability, ensure_readable
from mdpublish_core.figures.svg.frames import widened
from mdpublish_core.figures.svg.geometry import Matrix
from mdpublish_core.figures.svg.sanitizer import sanitize
from mdpublish_core.figures.worker import render

from .test_figures_mermaid import LIGHT

OUTPUT = EngineOutput(labels=("Start here", "Middle", "The end"))


def rendered(kind: str, source: str) -> RenderedFigure | FailedFigure:
    return render(FigureRequest(kind=kind, source=source, theme=LIGHT, language=kind, forms=frozenset({"svg"})))


@pytest.mark.needs("merman")
@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("---\nconfig:\n  sankey:\n    labelStyle: outlined\n---\nsankey\n\nGrid,Heating of homes,113\nGrid,Industry,342", 100),
        ("zenuml\n title Declare participant (optional)\n Bob\n Alice\n Alice->Bob: Hi", 230),
        ('radar-beta\naxis a, b, c\ncurve x["A team with a long name, and with more words"]{1, 2, 3}', 815),
        ("zenuml\n A->B: x\n // a comment on a message.\n B->A: y", 180),
        ("zenuml\n title Reply\n A->B.method() {\n  // use @return or @reply annotator on an async message\n  @return\n  B->A: x\n }", 300),
    ],
)  # fmt: skip
def test_text_outside_the_view_makes_it_wider(source: str, words: int) -> None:
    figure = rendered("mermaid", source)

    assert isinstance(figure, RenderedFigure)
    assert figure.svg is not None
    left, _, width, _ = map(float, figure.svg.view_box.split())
    assert width == pytest.approx(figure.svg.width, abs=0.01)
    assert left <= 0
    assert width > words


@pytest.mark.needs("ziafont")
@pytest.mark.parametrize(
    ("x", "view_box"),
    [
        (5, "0 0 100 50"),
        (60, "0 0 123.932 50"),
        (-20, "-24 0 124 50"),
        (-2, "0 0 100 50"),  # by a hair
        (900, "0 0 100 50"),  # on purpose
    ],
)
def test_view_is_wider_only_for_words_that_are_cut_off(x: float, view_box: str) -> None:
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 100 50"><text x="{x}" y="30" font-size="20">words</text></svg>'
    readability = Readability(background="#ffffff", text_color="#000000", shows_all=True)

    assert clean_svg(svg, readability).view_box == view_box


@pytest.mark.parametrize(
    ("drawn_words", "lost"),
    [
        (["Start here", "Middle", "The end"], []),
        (["Start", "here", "Mid-", "dle", "The end"], []),
        (["START HERE", "Middle …", "Middle", "The end"], []),
        (["Start here", "The end"], [("the engine leaves out 'middle'", 2)]),
        (["Start", "Middle", "The end"], [("the engine leaves out 'here'", 1)]),
    ],
)
def test_labels_that_are_not_drawn_are_reported(drawn_words: list[str], lost: list[tuple[str, int]]) -> None:
    remarks = check_labels(OUTPUT, drawn_words, "Start here\nMiddle\nThe end")

    assert list(remarks) == [Remark(message, line, is_text=True) for message, line in lost]


def test_drawing_without_most_labels_is_refused() -> None:
    with pytest.raises(FigureError, match="leaves out most labels"):
        list(check_labels(OUTPUT, ["The end"], "Start here\nMiddle\nThe end"))


@pytest.mark.needs("pygraphviz")
def test_graph_is_shown_as_its_source_if_most_labels_are_lost() -> None:
    one, two = (rendered("dot", f"digraph {{\na [label=<one</u>>]\n{more} }}") for more in ("b", "b [label=<two</u>>]"))

    assert isinstance(one, RenderedFigure)
    assert [(each.line, each.is_text) for each in one.remarks] == [(2, True)]
    assert isinstance(two, FailedFigure)
    assert two.line == 2
    assert "HTML label of 'a' is not well-formed" in two.problem


@pytest.mark.needs("pygraphviz")
def test_label_that_graphviz_forgets_room_for_is_not_cut_off() -> None:
    figure = rendered("dot", 'digraph { rankdir=LR; { rank=same; b; c } a -> b; c -> b [label="MMMMMMMMMMMMMMMM"] }')

    assert isinstance(figure, RenderedFigure)
    assert figure.width > 200


@pytest.mark.parametrize(
    ("words", "source", "said"),
    [
        (["one~br~two"], 'note for A "one<br>two"', ["the engine shows a break as text, in 'one~br~two'"]),
        (["use <br/>"], 'A["use #lt;br/#gt;"]', []),
        (["one", "two"], 'note for A "one<br>two"', []),
    ],
)
def test_breaks_that_are_drawn_as_text_are_named(words: list[str], source: str, said: list[str]) -> None:
    assert [remark.message for remark in check_output(EngineOutput(), list(map(DrawnText, words)), source)] == said


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ([("Cost", Box(0, 0, 40, 10)), ("Price", Box(10, 4, 50, 14))], "the engine draws 'Cost' upon 'Price'"),
        ([("Cost", Box(0, 0, 40, 10)), ("Price", Box(10, 9, 50, 19))], ""),  # by a hair
        ([("Cost", Box(0, 0, 40, 10)), ("Cost", Box(0, 0, 40, 10))], ""),  # a halo
        ([("Cost", Box(0, 0, 40, 10)), ("?", Box(0, 0, 9, 10))], ""),  # an icon
        ([("Cost", Box(0, 0, 40, 40), True), ("Price", Box(0, 9, 40, 49), True)], ""),  # slanted
        ([("Cost", None), ("Price", None)], ""),  # tooltips
        (
            [("Cost", Box(0, 0, 40, 10)), ("Price", Box(0, 0, 40, 10)), ("Sum", Box(0, 0, 40, 10))],
            "the engine draws 'Cost' upon 'Price', and 2 more upon others",
        ),
    ],
)
def test_words_upon_words_are_named(lines: list[tuple[str, Box | None]], said: str) -> None:
    remarks = list(check_output(EngineOutput(), [DrawnText(*each) for each in lines], "x\nCost"))

    assert [(remark.message, remark.line) for remark in remarks] == ([(said, 2)] if said else [])


@pytest.mark.needs("ziafont")
@pytest.mark.parametrize(("place", "said"), [(1, ["the engine draws 'Record' upon 'Target'"]), (0, [])])
def test_labels_in_one_place_are_named(place: int, said: list[str]) -> None:
    labels = [
        {"type": "label", "xValue": x, "yValue": 1, "content": each} for x, each in ((1, "Target"), (place, "Record"))
    ]
    data = {"labels": ["a", "b"], "datasets": [{"data": [1, 2]}]}
    options = {"plugins": {"annotation": {"annotations": labels}}}
    figure = rendered("chart", json.dumps({"type": "bar", "data": data, "options": options}))

    assert isinstance(figure, RenderedFigure)
    assert [each.message for each in figure.remarks] == said


@pytest.mark.parametrize("attribute", ['x="NaN"', 'd="M0,undefined"', 'viewBox="0 0 Infinity 1"'])
def test_drawing_without_a_place_is_shown_as_its_source(attribute: str) -> None:
    with pytest.raises(FigureError, match="which is no number"):
        list(check_output(EngineOutput(svg=f'<svg class="NaN"><rect {attribute}/></svg>'), [], ""))


@pytest.mark.needs("merman")
def test_code_of_a_sign_is_not_broken() -> None:
    figure = rendered("mermaid", 'flowchart LR\nA["&quot;a_very_long_word_x&quot; and List&lt;Item&gt;"]')

    assert isinstance(figure, RenderedFigure)
    assert figure.svg is not None
    assert "&quot;a_very_long_word_x&quot;" in figure.svg.document() or '"a_very_long_word_x"' in figure.svg.document()
    assert figure.remarks == ()


@pytest.mark.needs("merman")
def test_note_upon_two_participants_is_as_wide_as_its_words() -> None:
    words = "A long note that goes over both of them and has more words than room"
    figure = rendered("mermaid", f"sequenceDiagram\nA->>B: Hi\nNote over A,B: {words}")

    assert isinstance(figure, RenderedFigure)
    assert figure.svg is not None
    root = etree.fromstring(figure.svg.document().encode())
    widths = [float(box.get("width", 0)) for box in root.iter("{*}rect")]
    assert max(widths) > line_width(words, 14)
    assert float(root.get("width", 0)) >= max(widths)


@pytest.mark.parametrize(
    ("attributes", "matrix", "line", "wider"),
    [
        ({"x": "0", "y": "0", "width": "50", "height": "20"}, Matrix(), Box(-10, 5, 60, 15), ("-14", "0", "78", "20")),
        ({"width": "50", "height": "20"}, Matrix(e=5, f=5), Box(20, 15, 40, 32), ("0", "0", "50", "31")),
        ({"width": "50", "height": "20"}, Matrix(), Box(-2, 5, 52, 15), None),  # by a hair
        ({"width": "50", "height": "20"}, Matrix(), Box(40, 5, 90, 15), None),  # begins inside
        ({"width": "50", "height": "20"}, Matrix(), Box(-90, 5, 140, 15), None),  # on purpose
        ({"width": "50", "height": "20"}, Matrix(b=1, c=-1), Box(-10, 5, 60, 15), None),  # turned
    ],
)
def test_rectangle_grows_for_lines_in_its_middle(
    attributes: dict[str, str], matrix: Matrix, line: Box, wider: tuple[str, ...] | None
) -> None:
    assert tuple(widened(attributes, matrix, [line]).values()) == (wider or ())


@pytest.mark.needs("merman")
@pytest.mark.parametrize(
    ("source", "named"),
    [
        ('flowchart LR\nA@{ icon: "logos:aws", label: "Cloud" }', ["logos:aws"]),
        ("architecture-beta\nservice s(logos:aws-s3)[Files]\nservice d(database)[Store]", ["logos:aws-s3"]),
        ("mindmap\n root\n  Origins\n  ::icon(fa fa-book)", ["fa fa-book"]),
    ],
)
def test_icons_that_are_not_drawn_are_named(source: str, named: list[str]) -> None:
    figure = rendered("mermaid", source)

    assert isinstance(figure, RenderedFigure)
    assert [each.message for each in figure.remarks] == [
        f"the image '{name}' is left out: drawings show no images" for name in named
    ]


def boxes_of(source: str) -> tuple["etree._Element", dict[str, Box]]:
    """Return a drawing, and where its words are."""
    figure = rendered("mermaid", source)
    assert isinstance(figure, RenderedFigure)
    assert figure.svg is not None
    root = etree.fromstring(figure.svg.document().encode())
    drawn = ensure_readable(sanitize(root), Readability(background="#ffffff", text_color="#000000"))
    return root, {words: box for words, box, *_ in drawn if box}


@pytest.mark.needs("merman")
def test_names_of_actors_and_words_of_numbered_messages_are_not_covered() -> None:
    root, boxes = boxes_of("sequenceDiagram\nautonumber\nactor A as First<br/>second\nA->>A: tick")

    feet = max(y for line in root.iter("{*}line") if (y := float(line.get("y2", 0))) < boxes["tick"].top)
    assert boxes["First"].top > feet
    assert boxes["tick"].bottom < boxes["1"].top - 4


@pytest.mark.needs("merman")
def test_names_of_branches_side_by_side_do_not_meet() -> None:
    _, boxes = boxes_of("gitGraph TB:\ncommit\nbranch develop\ncommit\nbranch a_very_long_branch_name\ncommit")

    assert not boxes["develop"].meets(boxes["a_very_long_branch_name"])
    assert boxes["develop"].top == pytest.approx(boxes["main"].top)


@pytest.mark.needs("merman")
def test_task_without_a_score_is_named() -> None:
    right, wrong = (rendered("mermaid", f"journey\n section Pay\n  Card: {rest}") for rest in ("3: Guest", "Guest"))

    assert isinstance(right, RenderedFigure)
    assert isinstance(wrong, RenderedFigure)
    assert right.remarks == ()
    assert [each.message for each in wrong.remarks if "has no score" in each.message]


@pytest.mark.needs("merman")
def test_labels_of_links_have_room_between_blocks() -> None:
    _, boxes = boxes_of('block\n columns 2\n api["API"] db["Store"]\n api -. "reads" .-> db')

    assert not boxes["reads"].meets(boxes["API"])
    assert not boxes["reads"].meets(boxes["Store"])


@pytest.mark.needs("merman")
def test_negative_bars_hang_from_the_end_that_is_next_to_zero() -> None:
    figure = rendered("mermaid", "xychart\n x-axis [a, b]\n bar [-50, -75]")

    assert isinstance(figure, RenderedFigure)
    assert figure.svg is not None
    root = etree.fromstring(figure.svg.document().encode())
    small, large = [bar for bar in root.iter("{*}rect") if bar.get("fill") not in {"none", None}][-2:]
    assert float(small.get("y", 0)) == float(large.get("y", 0))
    assert 2 < float(small.get("height", 0)) < float(large.get("height", 0)) / 10


@pytest.mark.needs("ziafont")
def test_line_whose_color_is_none_is_not_drawn_in_that_of_its_ground() -> None:
    source = '{"type": "line", "data": {"labels": ["a", "b"], "datasets": [{"data": [1, 2], "borderColor": "nocolor", "backgroundColor": "#ffffff"}]}}'
    figure = rendered("chart", source)

    assert isinstance(figure, RenderedFigure)
    assert figure.svg is not None
    root = etree.fromstring(figure.svg.document().encode())
    assert any(path.get("stroke") == LIGHT.series[0] for path in root.iter("{*}path"))


@pytest.mark.needs("merman")
@pytest.mark.parametrize(
    ("source", "links"),
    [
        ("flowchart LR\nA & B --> C\nC --x D\nD <--> E\nE -.-> F\nF --- G\nG ~~~ H", (6, 1)),
        ("flowchart LR\nA[a --> b] --> B\nlinkStyle 0 stroke-dasharray:0", (1, 0)),
        ("classDiagram\nA <|-- B\nC ..> D\nE -- F\nG o--* H", (4, 1)),
        ("stateDiagram-v2\n[*] --> A\nA --> [*]\nnote right of A: see --> B", (3, 0)),
        ("erDiagram\nA ||--o{ B : has\nC }|..|{ D : knows", (4, 1)),
        ("sequenceDiagram\nA->>B: one\nB-->>A: two\nA<<->>B: three\nA-)B: four\nA->B: five", (5, 1)),
        ("block-beta\na b c\na --> b\nb -.-> c", (2, 1)),
        ('pie\n"a": 1', (0, 0)),
    ],
)  # fmt: skip
def test_heads_and_dashes_of_links_are_counted(source: str, links: tuple[int, int]) -> None:
    from mdpublish_core.figures.mermaid.merman_engine import read_model

    parsed = parse_source(source)
    model = read_model(parsed, LIGHT)

    assert model is not None
    assert count_links(parsed, model.database) == links


@pytest.mark.parametrize(
    ("parts", "links", "said"),
    [
        (('<path d="M0 0" marker-end="url(#', 'a)"/>'), (1, 0), []),
        (('<g stroke-dasharray="2"><path marker-end="url(#', 'a)" marker-start="url(#', 'b)"/></g>'), (2, 1), []),
        (('<path marker-end="url(#', 'a)"/><path/>'), (2, 0), ["1 of 2 links are drawn without their arrowheads"]),
        (('<path stroke-dasharray="none"/>',), (0, 1), ["1 of 1 links are drawn without their dashes"]),
        (('<marker><path stroke-dasharray="1 0"/></marker>',), (0, 1), ["1 of 1 links are drawn without their dashes"]),
        (("<rect/>",), (0, 0), []),
    ],
)
def test_links_without_their_heads_or_dashes_are_named(
    parts: tuple[str, ...], links: tuple[int, int], said: list[str]
) -> None:
    svg = CleanSvg(width=1, height=1, view_box="0 0 1 1", parts=parts)

    assert [each.message for each in check_links(links, svg)] == said


def test_drawing_without_any_arrowhead_is_refused() -> None:
    with pytest.raises(FigureError, match="without their arrowheads"):
        list(check_links((2, 0), CleanSvg(width=1, height=1, view_box="0 0 1 1", parts=("<path/>",))))


@pytest.mark.needs("merman")
@pytest.mark.parametrize(
    "source",
    [
        "flowchart LR\nA --> B\nstyle A fill:#fff,stroke:#fff\nlinkStyle 0 stroke:white",
        "%%{init: {'themeVariables': {'pie1': '#ffffff', 'pie2': '#fefefe', 'pieStrokeColor': '#ffffff'}}}%%\npie\n\"A\": 3\n\"B\": 4",
        "%%{init: {'themeVariables': {'git0': '#ffffff', 'git1': '#fff'}}}%%\ngitGraph\ncommit\nbranch x\ncommit",
        "%%{init: {'themeVariables': {'signalColor': '#fff', 'actorBkg': '#fff', 'actorBorder': '#fff'}}}%%\nsequenceDiagram\nA->>B: hi",
        "%%{init: {'theme': 'base', 'themeVariables': {'taskBkgColor': '#fff', 'taskBorderColor': '#fff'}}}%%\ngantt\nA: 2024-01-01, 3d",
        "%%{init: {'themeVariables': {'xyChart': {'plotColorPalette': '#fff'}}}}%%\nxychart-beta\nx-axis [a, b]\nbar [1, 2]",
    ],
)  # fmt: skip
def test_shapes_in_the_color_of_the_page_are_outlined(source: str) -> None:
    figure = rendered("mermaid", source)

    assert isinstance(figure, RenderedFigure)
    assert figure.svg is not None
    root = etree.fromstring(figure.svg.document().encode())
    marks = [each for each in root.iter("{*}path", "{*}rect", "{*}circle", "{*}line") if len(each.attrib) > 2]
    hidden = [dict(each.attrib) for each in marks if {each.get("stroke"), each.get("fill")} <= {"#ffffff", "none"}]
    assert hidden == []
    assert not [each for each in marks if each.get("stroke") == "#ffffff"]


@pytest.mark.needs("ziafont")
@pytest.mark.parametrize(
    ("dataset", "said"),
    [
        ({"borderColor": "#fff"}, ["`data.datasets[0].borderColor` is the color of the background; the line has the default one"]),
        ({"borderColor": "#fff", "backgroundColor": "#36c", "fill": True}, []),
        ({"borderColor": "#36c"}, []),
        ({"borderColor": "transparent"}, []),
    ],
)  # fmt: skip
def test_line_in_the_color_of_the_page_has_the_default_one(dataset: dict[str, object], said: list[str]) -> None:
    data = {"labels": ["a", "b"], "datasets": [{"data": [1, 2], **dataset}]}
    figure = rendered("chart", json.dumps({"type": "line", "data": data}))

    assert isinstance(figure, RenderedFigure)
    assert [each.message for each in figure.remarks] == said


@pytest.mark.needs("merman")
@pytest.mark.parametrize(
    ("date_format", "date", "drawn"),
    [
        ("YYYY-MM-DD", "24-02-05", "0024-02-05"),
        ("D", "5", "1970-01-05"),
        ("DD.MM.YY", "05.02.24", ""),
        ("D MMM YYYY", "5 Feb 2024", ""),
        ("YYYY-MM-DD HH:mm", "2024-02-05 23:30", ""),
    ],
)
def test_bar_on_another_day_than_written_is_not_drawn(date_format: str, date: str, drawn: str) -> None:
    figure = rendered("mermaid", f"gantt\ndateFormat {date_format}\nBuild: {date}, 3h")

    assert isinstance(figure, FailedFigure if drawn else RenderedFigure)
    if isinstance(figure, FailedFigure):
        assert figure.problem == f"the engine takes a date for one of {drawn}, which the chart does not name"
        assert figure.line == 3


@pytest.mark.needs("ziafont")
@pytest.mark.parametrize(
    ("shape", "x", "said"),
    [
        ('<circle cx="50" cy="50" r="20"/>', 10, ["'Transformation' is wider than its shape"]),
        ('<polygon points="30,30 70,30 50,70"/>', 10, ["'Transformation' is wider than its shape"]),
        ('<circle cx="50" cy="50" r="60"/>', 10, []),
        ('<circle cx="50" cy="50" r="20"/>', 80, []),  # beside it
        ('<path d="M0 50L90 50"/>', 10, []),  # the label of a line
    ],
)
def test_words_that_are_wider_than_their_shape_are_named(shape: str, x: int, said: list[str]) -> None:
    label = (
        f'<g fill="none" stroke="#000">{shape}<text x="{x}" y="55" font-size="12" fill="#000">Transformation</text></g>'
    )
    svg = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">{label}</svg>'
    drawn: list[DrawnText] = []
    clean_svg(svg, Readability(background="#ffffff", text_color="#000000"), drawn=drawn)

    assert [each.message for each in check_output(EngineOutput(), drawn, "Transformation")] == said


@pytest.mark.needs("merman")
@pytest.mark.parametrize(
    ("source", "line", "said"),
    [
        ("flowchart LR\nA --> B\nstyle A fill:#f00\nlinkStyle 5 stroke:red", 4, "the style is left out"),
        ("---\nconfig: [\n---\nflowchart LR\nA --> B", None, "styles and configuration are left out"),
        ("%%{init: {'xyChart': {'height': 0}}}%%\nxychart-beta\nbar [1, 2]", None, "styles and configuration are left out"),
    ],
)  # fmt: skip
def test_styles_that_break_a_drawing_are_left_out(source: str, line: int | None, said: str) -> None:
    figure = rendered("mermaid", source)

    assert isinstance(figure, RenderedFigure)
    assert figure.svg is not None
    assert figure.remarks[0].message.startswith(f"{said}, since the engine fails with it: ")
    assert line is None or figure.remarks[0].line == line
    assert ('fill="#ff0000"' in figure.svg.document()) is ("#f00" in source)


@pytest.mark.needs("merman")
def test_box_holds_all_lines_of_its_words() -> None:
    root, boxes = boxes_of(
        "stateDiagram-v2\nB: First <br/><br/> Second of some more words <br/><br/> Third of some more words <br/>\nB --> C"
    )

    frame = next(each for each in root.iter("{*}rect") if float(each.get("width", 0)) > 100)
    heights = [(box.top, box.bottom) for words, box in boxes.items() if words.strip() != "C"]
    assert max(bottom for _, bottom in heights) - min(top for top, _ in heights) < float(frame.get("height", 0))


def test_dots_among_the_members_of_a_class_are_no_dashes() -> None:
    source = parse_source("classDiagram\nclass A {\nname\n...\n}\nA <|.. B")

    assert count_links(source, "") == (0, 1)


@pytest.mark.needs("merman")
@pytest.mark.parametrize(
    ("source", "links"),
    [
        ("flowchart LR\nsubgraph P\nA --> B\nend\nA -->|up| P\nP --> C", ["A → P"]),
        ("stateDiagram-v2\nstate P {\nstate Q {\nA --> B\n}\n}\nP --> A: down\nP --> C", ["P → A"]),
        ("flowchart LR\nsubgraph P\nA --> B\nend\nsubgraph Q\nC\nend\nP --> Q", []),
    ],
)
def test_link_between_a_group_and_what_is_in_it_is_named(source: str, links: list[str]) -> None:
    figure = rendered("mermaid", source)

    assert isinstance(figure, RenderedFigure)
    assert [each.message.split(" is not drawn")[0] for each in figure.remarks] == [f"the link {each}" for each in links]
