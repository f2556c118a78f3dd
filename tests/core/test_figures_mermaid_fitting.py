import re
from dataclasses import replace

import pytest
from lxml import etree

from mdpublish_core import convert
from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, contrast
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.fonts import line_width
from mdpublish_core.figures.mermaid.elements import box_of, number_of, shift_of, view_of, words_of
from mdpublish_core.figures.mermaid.palettes import palette
from mdpublish_core.figures.mermaid.themes import FONT_SIZE
from mdpublish_core.figures.request import FigureTheme, RenderedFigure
from mdpublish_core.figures.svg import mode_variables
from mdpublish_core.figures.worker import render

from .test_figures_mermaid import DARK, LIGHT, render_svg, request_of

pytestmark = pytest.mark.needs("merman", "resvg_py")

_SHIFT = re.compile(r"translate\((-?[\d.]+), ?(-?[\d.]+)\)")


def drawn(source: str, theme: FigureTheme = LIGHT) -> "etree._Element":
    return etree.fromstring(render_svg(source, theme=theme).encode())


def of_class(root: "etree._Element", name: str) -> list["etree._Element"]:
    return [each for each in root.iter("{*}*") if name in (each.get("class") or "").split()]


@pytest.mark.parametrize("actor", ["Me", "A person with quite a long name"])
def test_legend_of_a_journey_is_beside_its_boxes(actor: str) -> None:
    root = drawn(f"journey\nsection Go to work\nMake tea: 5: {actor}, Cat")
    view = view_of(root)

    right = max(
        number_of(row, "x") + line_width(words_of(row), FONT_SIZE)
        for label in of_class(root, "legend")
        for row in label.iter("{*}tspan")
        if words_of(row)
    )
    assert right < min(number_of(box, "x") for box in of_class(root, "journey-section") if box.tag.endswith("rect"))
    assert view is not None
    assert all(number_of(dot, "cx") - 7 >= view.left for dot in root.iter("{*}circle"))


def test_name_of_a_composite_state_is_on_one_line_in_its_bar() -> None:
    name = "Everything that happens after a confirmation has arrived and been checked by two people"
    root = drawn(f'stateDiagram-v2\nstate "{name}" as Done {{\n[*] --> Packing\n}}')
    (cluster,) = of_class(root, "statediagram-cluster")
    rows = [row for row in cluster.iter("{*}tspan") if "text-outer-tspan" in (row.get("class") or "")]
    (box,) = of_class(cluster, "outer")

    assert [words_of(row) for row in rows] == [name]
    size = float(rows[0].get("font-size") or FONT_SIZE)
    room = float(rows[0].get("textLength") or line_width(name, size))
    assert room <= number_of(box, "width")


def test_long_word_of_a_timeline_fits_its_box() -> None:
    root = drawn("timeline\n2004 : Donaudampfschifffahrtsgesellschaftskapitän")
    (word,) = (row for row in root.iter("{*}tspan") if words_of(row).startswith("Donau"))

    assert 9 <= float(word.get("font-size") or 0) < FONT_SIZE
    assert float(word.get("textLength") or 0) < 164


def test_commit_labels_that_would_meet_are_lowered() -> None:
    root = drawn(
        '%%{init: {"gitGraph": {"rotateCommitLabel": false}}}%%\ngitGraph\ncommit id: "first long message"\n'
        'commit id: "second long message"\ncommit id: "third long message"'
    )
    boxes = []
    for box in of_class(root, "commit-label-bkg"):
        group = box.getparent()
        shift = _SHIFT.match((group.get("transform") if group is not None else None) or "")
        left, top = number_of(box, "x"), number_of(box, "y") + (float(shift[2]) if shift else 0)
        boxes.append((left, top, left + number_of(box, "width"), top + number_of(box, "height")))

    for number, (left, top, right, bottom) in enumerate(boxes):
        assert all(
            other[2] <= left or right <= other[0] or other[3] <= top or bottom <= other[1]
            for other in boxes[number + 1 :]
        )
    view = view_of(root)
    assert view is not None
    assert max(box[3] for box in boxes) <= view.bottom


def test_names_of_branches_are_beside_rotated_labels() -> None:
    source = 'gitGraph\ncommit id: "Initial import of the whole repository"\nbranch feature\ncommit'
    plain, long = drawn(source.replace("Initial import of the whole repository", "a")), drawn(source)

    near, far = (min(number_of(box, "x") for box in of_class(root, "branchLabelBkg")) for root in (plain, long))
    assert far < near - 20
    first, moved = (shift_of(of_class(root, "branch-label1")[0]) for root in (plain, long))
    assert first is not None
    assert moved is not None
    assert moved[0] < first[0] - 20
    assert moved[1] == first[1]
    view = view_of(long)
    assert view is not None
    assert far - 19 >= view.left


def test_labels_of_near_points_do_not_meet() -> None:
    root = drawn(
        "quadrantChart\nquadrant-1 We should expand, and soon\nA long name: [0.3, 0.6]\nB long name: [0.32, 0.61]\n"
        "C long name: [0.97, 0.97]"
    )
    boxes = []
    for label in root.iter("{*}text"):
        group, shift = label.getparent(), _SHIFT.match(label.get("transform", ""))
        if group is not None and group.get("class") in {"data-point", "quadrant"} and shift and words_of(label):
            size = float(label.get("font-size", "14"))
            half, top = line_width(words_of(label), size) / 2, float(shift[2]) + number_of(label, "dy")
            boxes.append((float(shift[1]) - half, top, float(shift[1]) + half, top + size))

    assert len(boxes) == 4
    for number, (left, top, right, bottom) in enumerate(boxes):
        assert all(
            other[2] <= left or right <= other[0] or other[3] <= top or bottom <= other[1]
            for other in boxes[number + 1 :]
        )


def test_values_in_bars_are_as_large_as_other_text() -> None:
    root = drawn(
        "---\nconfig:\n  xyChart:\n    showDataLabel: true\n---\nxychart-beta\nx-axis [a, b]\ny-axis 0 --> 10\nbar [5, 6]"
    )

    sizes = [float((each.get("font-size") or "12").removesuffix("px")) for each in root.iter("{*}text")]
    assert max(sizes) <= 14


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_icons_of_an_architecture_are_seen(theme: FigureTheme) -> None:
    root = drawn("architecture-beta\nservice d(database)[DB]", theme)
    strokes = re.findall(r"fill:none;stroke:(#[0-9a-f]+)", etree.tostring(root, encoding="unicode"))

    assert strokes
    assert {len(stroke) for stroke in strokes} == {len("#rrggbb")}
    assert min(contrast(stroke, theme.surface) for stroke in strokes) >= MIN_GRAPHICS_CONTRAST


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_packets_have_the_colors_of_the_theme(theme: FigureTheme) -> None:
    rules = drawn('packet\n0-3: "Version"', theme).findtext("{*}style") or ""

    assert f"fill:{theme.surface}" in rules


@pytest.mark.parametrize("kind", ["usecase-beta", "railroad-peg-beta", "swimlanes", "diagram-of-2030"])
def test_type_that_cannot_be_drawn_is_shown_as_its_source(kind: str) -> None:
    result = convert(f"```mermaid\n{kind}\n  a < b\n```\n", to="generic")

    assert [notice.code for notice in result.notices] == ["figure-failed"]
    assert f"{kind}\n" in re.sub(r"<[^>]+>", "", result.html or "")


def test_labels_of_a_card_do_not_meet() -> None:
    name = "Donaudampfschifffahrtsgesellschaftskapitän"
    root = drawn(
        "kanban\n  Todo\n"
        f"    a[One]@{{ ticket: MC-2037-WITH-A-LONG-IDENTIFIER-OF-TWO-LINES, assigned: '{name} von und zu' }}\n"
        f"    b[{name}]@{{ ticket: T-1, assigned: 'Ada' }}\n    c[Below]"
    )
    cards = [each for each in of_class(root, "node") if each.find("{*}rect") is not None]
    bottom = 0.0

    for card in cards:
        box, shift = card.find("{*}rect"), _SHIFT.match(card.get("transform", ""))
        assert box is not None
        assert shift is not None
        assert number_of(box, "y") + float(shift[2]) > bottom or card is cards[0]
        bottom = number_of(box, "y") + number_of(box, "height") + float(shift[2])
    (section,) = (each.find("{*}rect") for each in of_class(root, "cluster"))
    assert section is not None
    assert bottom <= number_of(section, "y") + number_of(section, "height")
    rows = [row for card in cards[:2] for row in card.iter("{*}tspan")]
    assert max(line_width(row.text or "", FONT_SIZE) for row in rows) <= 165
    labels = ["".join(map(str, each.itertext())) for card in cards for each in card.iter("{*}text")]
    assert [label.replace(" ", "") for label in labels] == [
        "One",
        "MC-2037-WITH-A-LONG-IDENTIFIER-OF-TWO-LINES",
        f"{name}vonundzu",
        name,
        "T-1",
        "Ada",
        "Below",
    ]


def test_labels_of_relations_cover_no_element() -> None:
    root = drawn(
        'C4Container\nPerson(u, "Reader")\nContainer(web, "Web", "Python", "Serves")\n'
        'ContainerDb(db, "Store", "PostgreSQL", "Stores")\nRel(u, web, "Reads all pages of the documentation", "HTTPS")\n'
        'Rel(web, db, "Queries")\nRel(u, db, "never")\nRel(db, web, "Answers with many rows")\n'
        'UpdateRelStyle(u, db, $offsetX="0", $offsetY="-120")'
    )
    elements = []
    for element in of_class(root, "c4-shape"):
        shift = _SHIFT.match(element.getparent().get("transform", ""))  # type: ignore[union-attr]
        assert shift is not None
        elements.append((float(shift[1]), float(shift[2])))
    labels = [each for each in root.iter("{*}text") if "paint-order:stroke" in each.get("style", "")]
    boxes = []
    for label in labels:
        rows = [row for row in label.iter("{*}tspan") if row.get("y")]
        half = max(line_width(row.text or "", 12) for row in rows) / 2
        x, tops = number_of(rows[0], "x"), [number_of(row, "y") for row in rows]
        boxes.append((x - half, min(tops) - 5, x + half, max(tops) + 5))

    assert " ".join(words_of(label) for label in labels[2:]) == "Queries never Answers with many rows"
    for number, (left, top, right, bottom) in enumerate(boxes):
        # Elements are 216 px wide and at least 70 px high; a person has a head above.
        assert not any(left < x + 108 and x - 108 < right and top < y + 35 and y + 10 < bottom for x, y in elements)
        assert all(
            other[2] <= left or right <= other[0] or other[3] <= top or bottom <= other[1]
            for other in boxes[number + 1 :]
        )
    first = next(each for each in root.iter("{*}line", "{*}rect"))
    assert "marker-end" in first.attrib, "lines are drawn first"


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_flows_have_the_colors_of_the_theme(theme: FigureTheme) -> None:
    root = drawn("sankey-beta\nGas,Power,5\nCoal,Power,3\nPower,Homes,8", theme)
    nodes, links = root.find("{*}g[@class='nodes']"), root.find("{*}g[@class='links']")

    assert nodes is not None
    assert links is not None
    fills = [str(each.get("fill")) for each in nodes.iter("{*}rect")]
    assert len(set(fills)) == 4
    assert min(contrast(fill, theme.background) for fill in fills) >= MIN_GRAPHICS_CONTRAST
    assert set(fills[:2]) <= set(palette(theme).strong)
    assert {each.get("stop-color") for each in root.iter("{*}stop")} == set(fills)
    assert links.get("stroke-opacity") == "0.5"
    labels = root[-1]
    assert labels.get("class") == "node-labels"
    assert all(f"stroke:{theme.background}" in each.get("style", "") for each in labels)


def test_zenuml_has_the_colors_of_each_mode() -> None:
    source = (
        "zenuml\ntitle Order\n@Actor Client\ngroup Desk {\n@Boundary Shop\n}\nShop.post(payload) {\n"
        "if(free) {\nreturn yes\n} else {\nShop->Client: Thanks\n}\n}\n== Later ==\n// a remark\nShop->Client: Bye"
    )
    white, gray = re.compile(r"fill(?:=\"|:)#f{3,6}\b"), re.compile("#(?:666|222|dedede)")
    dark = etree.tostring(drawn(source, DARK), encoding="unicode")
    both = render(replace(request_of(source), dark_theme=DARK))

    assert isinstance(both, RenderedFigure)
    assert both.svg is not None
    markup = both.svg.inner("")
    variables = dict(mode_variables(both.svg.parts).values())
    assert variables[LIGHT.background] == DARK.background
    assert variables[LIGHT.text_color] == DARK.text_color
    assert variables[LIGHT.surface] == DARK.surface
    assert not white.search(re.sub(r"var\([^)]*\)", "", markup))
    assert f".frame-border-inner{{fill:{DARK.background};" in dark
    assert "only" not in markup, "nothing is there twice"
    assert gray.search(markup) is None


def test_lines_of_a_note_are_as_many_as_its_box_holds() -> None:
    source = "stateDiagram-v2\na\nnote right of a\nThree minutes for green tea,\nfive for black tea.\nend note"

    root = drawn(source, replace(LIGHT, font=("Menlo", "monospace")))

    assert "Three minutes for green tea," in [words_of(each) for each in root.iter("{*}tspan")]


@pytest.mark.parametrize(
    ("chart", "heights"),
    [
        ("y-axis -10 --> 10\nbar [-5, 5, -10]", ["below", "above", "below"]),
        ("bar [-1, -2, 3]", ["below", "below", "above"]),
    ],
)
def test_bars_below_zero_hang_from_it(chart: str, heights: list[str]) -> None:
    root = drawn(f"xychart-beta\nx-axis [a, b, c]\n{chart}")
    axis = root.find(".//{*}g[@class='left-axis']")
    assert axis is not None
    zero = next(shift_of(each) for each in axis.iter("{*}text") if each.text == "0")
    bars = [box_of(each) for each in root.iterfind(".//{*}g[@class='bar-plot-0']/{*}rect")]

    assert zero is not None
    assert ["above" if bar.bottom == pytest.approx(zero[1], abs=0.1) else "below" for bar in bars] == heights
    assert all(
        bar.top == pytest.approx(zero[1], abs=0.1) for bar, side in zip(bars, heights, strict=True) if side == "below"
    )


@pytest.mark.parametrize("title", ["", "title Revenue\n"])
def test_chart_without_a_title_is_whole_whatever_its_axes_are_called(title: str) -> None:
    view = view_of(drawn(f"xychart-beta\n{title}x-axis Months [a, b]\ny-axis Money 0 --> 5\nbar [1, 5]"))

    assert view is not None
    assert view.height > 450


def test_names_of_branches_from_bottom_to_top_stand_below_them() -> None:
    root = drawn('gitGraph BT:\n commit id: "a long name"\n branch dev\n commit id: "another long name"')
    names = [box_of(each, *(shift_of(each) or ())) for each in of_class(root, "branchLabelBkg")]
    lanes = [number_of(each, "x1") for each in root.iter("{*}line") if (each.get("class") or "").startswith("branch ")]

    assert len(names) == len(lanes) == 2
    assert [name.left < lane < name.right for name, lane in zip(names, lanes, strict=True)] == [True, True]


def test_services_in_one_place_are_shown_as_source() -> None:
    source = "architecture-beta\nservice a(server)[One]\nservice b(server)[Two]\nservice c(server)[Three]\n"

    assert of_class(drawn(f"{source}a:R --> L:c\nb:B --> T:c"), "architecture-service")
    with pytest.raises(FigureError, match="'Two' upon 'One'"):
        drawn(f"{source}a:R --> L:c\nb:R --> L:c")
