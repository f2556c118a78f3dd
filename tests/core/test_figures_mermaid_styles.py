import re
from dataclasses import replace
from itertools import pairwise

import pytest
from lxml import etree

from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, MIN_TEXT_CONTRAST, contrast
from mdpublish_core.figures import worker
from mdpublish_core.figures.fonts import line_width
from mdpublish_core.figures.mermaid import labels
from mdpublish_core.figures.mermaid.elements import words_of
from mdpublish_core.figures.mermaid.palettes import palette, text_color_on
from mdpublish_core.figures.mermaid.text_metrics import wrap_text
from mdpublish_core.figures.mermaid.themes import STATE_WIDTH
from mdpublish_core.figures.patterns import PATTERNS
from mdpublish_core.figures.request import FigureRequest, FigureTheme, RenderedFigure
from mdpublish_core.options.styles import THEME_MODES
from mdpublish_core.templates import list_templates
from mdpublish_core.templates.style import figure_theme
from mdpublish_core.templates.theme import Template
from tests.visual.mermaid_diagrams import our_diagrams

from .test_figures_mermaid import DARK, LIGHT, render_svg, words

pytestmark = pytest.mark.needs("mmdr", "resvg_py")


def themes_of(template: Template) -> list[FigureTheme]:
    """A template's figure themes in both modes, all with one font."""
    return [replace(figure_theme(template, mode), font=("Arial", "sans-serif")) for mode in THEME_MODES]


EVERYWHERE = [theme for template in list_templates() for theme in themes_of(template)]


def test_slices_of_one_ink_differ_in_their_patterns() -> None:
    theme = replace(LIGHT, series=("#000000",) * 8, patterns=PATTERNS)
    root = etree.fromstring(
        render_svg("pie\n" + "\n".join(f'"{name}": 1' for name in "abcdefgh"), theme=theme).encode()
    )
    fills = [each.get("fill") for each in root.iter("{*}path") if (each.get("fill") or "").startswith("url(#")]

    assert len(fills) == len(set(fills)) == len(list(root.iter("{*}pattern"))) == 7
    assert [each.get("fill") for each in root.iter("{*}rect") if each.get("width") == "18"][1:] == fills


def test_authors_slices_have_no_patterns() -> None:
    theme = replace(LIGHT, series=("#000000",) * 8, patterns=PATTERNS)
    source = '---\nconfig:\n  theme: base\n  themeVariables:\n    pie1: "#123456"\n---\npie\n"a": 3\n"b": 1'

    assert "#123456" in render_svg(source, theme=theme)


def test_colors_of_one_ink_differ_where_there_are_no_patterns() -> None:
    colors = palette(replace(LIGHT, series=("#000000",) * 8, patterns=PATTERNS)).strong

    assert len(set(colors)) == 12
    assert min(contrast(color, LIGHT.background) for color in colors) >= MIN_GRAPHICS_CONTRAST


@pytest.mark.parametrize("theme", EVERYWHERE)
def test_text_is_read_on_every_ground_of_diagrams(theme: FigureTheme) -> None:
    colors = palette(theme)

    grounds = (theme.background, colors.box, colors.stripe, colors.highlight, colors.note, colors.warning, *colors.soft)
    weak = [ground for ground in grounds if contrast(theme.text_color, ground) < MIN_TEXT_CONTRAST]

    assert weak == []
    assert min(contrast(colors.quiet, ground) for ground in (theme.background, colors.box)) >= MIN_TEXT_CONTRAST
    assert (
        min(
            contrast(text_color_on(ground, theme), ground)
            for ground in (*colors.strong, colors.line, colors.warning_line)
        )
        >= MIN_TEXT_CONTRAST
    )


@pytest.mark.parametrize("theme", EVERYWHERE)
def test_marks_are_seen_on_the_background(theme: FigureTheme) -> None:
    colors = palette(theme)

    marks = (colors.line, colors.frame, colors.highlight_line, colors.warning_line, *colors.strong)

    assert [mark for mark in marks if contrast(mark, theme.background) < MIN_GRAPHICS_CONTRAST] == []
    assert contrast(colors.grid, theme.background) >= 1.45


def render_clean(source: str, theme: FigureTheme) -> "etree._Element":
    """Return the SVG as readers see it: with readable colors."""
    result = worker.render(FigureRequest(kind="mermaid", source=source, theme=theme, forms=frozenset({"svg"})))
    assert isinstance(result, RenderedFigure), result
    assert result.svg is not None
    return etree.fromstring(result.svg.document().encode())


def color_of(element: "etree._Element") -> str:
    fills = [each.get("fill") for each in (element, *element.iterancestors()) if each.get("fill")]
    return str(fills[0])


@pytest.mark.parametrize("theme", EVERYWHERE[::5])
def test_slices_have_readable_labels(theme: FigureTheme) -> None:
    root = render_clean("pie\n" + "\n".join(f'"{name}": 1' for name in "abcdefghijkl"), theme)

    grounds = [fill for each in root.iter("{*}path") if (fill := color_of(each)) != "none"]
    slice_labels = [each for each in root.iter("{*}text") if words_of(each).endswith("%")]

    assert len(grounds) == len(slice_labels) == 12
    for ground, label in zip(grounds, slice_labels, strict=True):
        # Labels on patterns are outlined in the background color.
        assert ground.startswith("url(") == (label.get("stroke") == theme.background)
        shown = theme.background if ground.startswith("url(") else ground
        assert contrast(color_of(label), shown) >= MIN_TEXT_CONTRAST


def rules(svg: str) -> str:
    return etree.fromstring(svg.encode()).findtext("{*}style") or ""


def test_diagram_has_the_colors_of_its_theme() -> None:
    css = rules(render_svg("flowchart LR\nA-->B", theme=DARK))

    assert f"fill:{DARK.surface}" in css
    assert f"stroke:{palette(DARK).line}" in css


def test_theme_that_an_author_names_wins() -> None:
    svg = render_svg('%%{init: {"theme": "forest"}}%%\nflowchart LR\nA-->B')

    assert "#cde498" in rules(svg)
    assert LIGHT.surface not in svg


def test_theme_that_does_not_fit_the_page_brings_its_ground() -> None:
    forest = render_svg('%%{init: {"theme": "forest"}}%%\nflowchart LR\nA-->B', theme=DARK)
    dark = render_svg("---\nconfig:\n  theme: dark\n---\nflowchart LR\nA-->B")

    assert "fill:#dcdcdc;stroke:none" in forest
    assert "fill:#333333;stroke:none" in dark


def test_variables_of_an_author_win() -> None:
    css = rules(
        render_svg('%%{init: {"theme": "base", "themeVariables": {"primaryColor": "#123456"}}}%%\nflowchart LR\nA-->B')
    )

    assert "fill:#123456" in css


def test_colors_of_nodes_win() -> None:
    assert "fill:#bada55" in render_svg("flowchart LR\nA-->B\nstyle A fill:#bada55")


@pytest.mark.parametrize("ground", ["#fafad2", "#fed", "lightyellow", "lavenderblush", "hsl(60 80% 90%)", "#fafad2cc"])
def test_labels_are_readable_on_a_background_of_the_author(ground: str) -> None:
    root = render_clean(f"flowchart LR\nA-->B\nclassDef light fill:{ground}\nclass A light", DARK)
    text_colors = {words_of(each): color_of(each) for each in root.iter("{*}text")}

    assert text_colors == {"A": DARK.background, "B": DARK.text_color}


@pytest.mark.parametrize(
    "ground", ["transparent", "#ffffff00", r"rgba(255\, 255\, 255\, 0)", "#ffffff22", "rgb(255 0 0 / 10%)"]
)
def test_labels_are_unchanged_on_a_faint_background(ground: str) -> None:
    svg = render_svg(f"flowchart LR\nA\nstyle A fill:{ground}", theme=DARK)

    assert not [
        text_element
        for text_element in etree.fromstring(svg.encode()).iter("{*}text")
        if "fill" in (text_element.get("style") or "")
    ]


def test_label_colors_of_the_author_are_preserved() -> None:
    svg = render_svg("flowchart LR\nA\nstyle A fill:#fafad2,color:#ff0000", theme=DARK)

    assert f"fill:{DARK.background}" not in str(
        etree.fromstring(svg.encode()).xpath("string(//@style[contains(., 'color')])")
    )
    assert "#ff0000" in svg


def test_state_with_a_long_text_has_it_in_lines() -> None:
    text_element = "A state with a long description that goes on and on for a while"
    svg = render_svg(f"stateDiagram-v2\ns : {text_element}")
    rows = [
        "".join(map(str, row.itertext())) for row in etree.fromstring(svg.encode()).iter("{*}tspan") if row.get("dy")
    ]

    assert "".join(rows) == text_element
    assert len(rows) > 1
    assert max(line_width(row, 14) for row in rows) <= STATE_WIDTH


def test_task_with_a_long_name_has_it_in_lines() -> None:
    name = "Sit down and rest for quite a while before the next thing is to be done"

    seen = words(render_svg(f"journey\nsection Home\n{name}: 5: Me"))

    assert name in " ".join(seen.split())
    assert len(re.findall(r"\bSit down and rest for quite a while\b", seen)) <= 1


def test_entities_are_read() -> None:
    assert "< 20%" in words(render_svg("stateDiagram-v2\nA --> B : battery < 20%"))


def test_icons_without_a_font_are_left_out() -> None:
    assert "fa:fa" not in words(render_svg("flowchart LR\nA[fa:fa-car A car] --> B[fa:fa-ban]"))


def test_bold_and_monospaced_text_is_wider() -> None:
    assert line_width("iiii", 14, is_bold=True) > line_width("iiii", 14)
    assert line_width("iiii", 14, is_monospaced=True) == pytest.approx(4 * 14 * 0.61)
    assert line_width("日", 14, is_monospaced=True) == pytest.approx(2 * 14 * 0.61)


def test_text_is_broken_at_spaces_only() -> None:
    lines = wrap_text("one two\nthree extraordinarily", 60, 14)

    assert [line.content for line in lines] == ["one two", "three", "extraordinarily"]
    assert lines[0].width == pytest.approx(line_width("one two", 14))


@pytest.mark.needs("merman")
def test_boxes_are_wide_enough_for_monospaced_text() -> None:
    def box(theme: FigureTheme) -> float:
        svg = etree.fromstring(render_svg("flowchart LR\nA[illicit illness]", theme=theme).encode())
        return max(float(rect.get("width", "0")) for rect in svg.iter("{*}rect"))

    assert box(replace(LIGHT, font=("Menlo", "monospace"))) > box(LIGHT) + 20


@pytest.mark.parametrize("ground", ["rgb(200, 220, 240)", "hsl(210, 57%, 86%)", "lavender"])
def test_ground_that_an_author_laid_under_messages_lets_them_be_read(ground: str) -> None:
    svg = render_svg(f"sequenceDiagram\nrect {ground}\nA->>B: x\nend", theme=DARK)
    grounds = [
        str(each.get("fill")) for each in etree.fromstring(svg.encode()).iter("{*}rect") if each.get("class") == "rect"
    ]

    assert len(grounds) == 1
    assert contrast(grounds[0], DARK.text_color) >= MIN_TEXT_CONTRAST


def test_journey_without_sections_shows_its_tasks() -> None:
    seen = words(render_svg("journey\ntitle Day\nFind it: 3: Me\nPay: 4: Me"))

    assert "Find it" in seen
    assert "Pay" in seen


TITLED = {
    **{
        name: f"---\ntitle: A title\n---\n{source}"
        for name, source in {
            "flowchart": "flowchart LR\nA-->B",
            "state": "stateDiagram-v2\nA-->B",
            "class": "classDiagram\nA-->B",
            "er": "erDiagram\nA ||--|| B : x",
            "git": "gitGraph\ncommit",
            "sequence": "sequenceDiagram\nA->>B: x",
        }.items()
    },
    "message": "sequenceDiagram\ntitle A title\nA->>B: x",
    "pie": 'pie title A title\n"a": 1',
    "gantt": "gantt\ntitle A title\ndateFormat YYYY-MM-DD\na: 2024-01-01, 3d",
    "journey": "journey\ntitle A title\nsection a\nb: 3: c",
    "timeline": "timeline\ntitle A title\n2000 : b",
    "quadrant": "quadrantChart\ntitle A title\na: [0.1, 0.3]",
}


def title_of(source: str) -> tuple["etree._Element", float, float, float]:
    """A diagram's title element, and the diagram's left, top and width."""
    root = etree.fromstring(render_svg(source).encode())
    left, top, width, _ = map(float, root.get("viewBox", "").split())
    return next(each for each in root.iter("{*}text") if "bold" in (each.get("style") or "")), left, top, width


def widths(source: str) -> tuple[float, float]:
    """A diagram's left edge and width."""
    x, _, width, _ = etree.fromstring(render_svg(source).encode()).get("viewBox", "").split()
    return float(x), float(width)


@pytest.mark.parametrize("name", [name for name in TITLED if name != "flowchart"])
def test_titles_of_all_types_have_one_style_and_position(name: str) -> None:
    like, (title, left, top, width) = title_of(TITLED["flowchart"])[0], title_of(TITLED[name])

    assert title.get("style") == like.get("style")
    assert float(title.get("x", "0")) == pytest.approx(left + width / 2, abs=0.1)
    assert float(title.get("y", "0")) - top == pytest.approx(25, abs=0.1)
    assert words_of(title) == "A title"


@pytest.mark.parametrize("name", TITLED)
def test_long_title_has_lines_that_the_view_is_wide_enough_for(name: str) -> None:
    words = "The story of somebody who wants nothing but a new library card and has brought the old one along"

    title, _, _, width = title_of(TITLED[name].replace("A title", words))
    rows = [words_of(row) for row in title]

    assert len(rows) > 1
    assert " ".join(rows) == words
    assert max(line_width(row, 17, is_bold=True) for row in rows) <= width


def boxes(svg: str, kind: str) -> list[tuple[float, float]]:
    """Left edges and widths of the boxes of a class."""
    return [
        (float(rect.get("x", "0")), float(rect.get("width", "0")))
        for rect in etree.fromstring(svg.encode()).iter("{*}rect")
        if (rect.get("class") or "").startswith(kind)
    ]


def test_axis_of_a_journey_goes_on_to_its_last_task() -> None:
    svg = render_svg("journey\nsection a\nb: 5: Me\nc: 5: Me\nd: 5: Me")
    axis = next(line for line in etree.fromstring(svg.encode()).iter("{*}line") if line.get("y1") == line.get("y2"))

    assert float(axis.get("x2", "0")) > max(x + width for x, width in boxes(svg, "task"))


def test_timeline_is_as_wide_as_its_columns() -> None:
    left, width = widths("timeline\n2001 : a\n2002 : b\n2003 : c")

    assert width < 3 * 200
    assert left > 150


@pytest.mark.parametrize(
    "kind", ["stateDiagram-v2\nA --> B : told", "erDiagram\nA ||--o{ B : told", "flowchart LR\nA -->|told| B"]
)
def test_label_is_on_its_edge_and_its_background(kind: str) -> None:
    root = etree.fromstring(render_svg(kind).encode())
    edge = next(group for group in root.iter("{*}g") if group.get("class") == "edgeLabel" and words_of(group))
    ground, text_element = next(edge.iter("{*}rect")), next(edge.iter("{*}text"))

    assert float(ground.get("x", "0")) == pytest.approx(-float(ground.get("width", "0")) / 2, abs=0.1)
    assert float(ground.get("y", "0")) == pytest.approx(-float(ground.get("height", "0")) / 2, abs=0.1)
    assert [group.get("transform") for group in edge.iter("{*}g")][1:] == [None] * (len(list(edge.iter("{*}g"))) - 1)
    assert text_element.get("transform") == "translate(0, -9.1)"


def test_name_of_a_composite_state_has_a_high_enough_strip() -> None:
    root = etree.fromstring(render_svg("stateDiagram-v2\nstate Day {\nA --> B\n}").encode())
    box = {rect.get("class"): float(rect.get("y", "0")) for rect in root.iter("{*}rect")}

    assert box["inner"] - box["outer"] > 1.5 * 14


def test_numbers_at_the_ends_of_edges_are_outside_boxes() -> None:
    library = next(diagram for diagram in our_diagrams() if diagram.name == "a domain model")
    root = etree.fromstring(render_svg(library.source).encode())
    ends = [group for group in root.iter("{*}g") if group.get("class") == "edgeTerminals"]
    nodes = [box for group in root.iter("{*}g") if (box := labels._box(group)) is not None]

    positions = [tuple(map(float, re.findall(r"-?[\d.]+", end.get("transform", "")))) for end in ends]

    assert len(positions) == 10
    assert not [
        (x, y) for x, y in positions for left, top, right, foot in nodes if left < x < right and top - 5 < y < foot + 5
    ]


@pytest.mark.needs("merman")
def test_labels_of_nodes_are_centered_in_boxes() -> None:
    root = etree.fromstring(render_svg("flowchart LR\nA[One]").encode())
    label = next(group for group in root.iter("{*}g") if group.get("class") == "label")
    row = next(row for row in label.iter("{*}tspan") if row.get("dy"))
    shift = re.findall(r"-?[\d.]+", label.get("transform", ""))

    foot = float(shift[1]) + 14 * (float(row.get("y", "")[:-2]) + float(row.get("dy", "")[:-2]))

    # Half the cap height below the middle.
    assert foot == pytest.approx(0.35 * 14, abs=0.6)


def test_days_of_a_plan_are_evenly_spaced() -> None:
    root = etree.fromstring(
        render_svg("gantt\ndateFormat YYYY-MM-DD\ntickInterval 1day\nBuild :2024-01-01, 21d").encode()
    )
    ticks = [tick for tick in root.iter("{*}g") if tick.get("class") == "tick"]
    named = [number for number, tick in enumerate(ticks) if tick.find("{*}text") is not None]
    steps = {after - before for before, after in pairwise(named)}

    assert len(named) > 3
    assert len(steps) == 1
    assert min(steps) > 1


def test_plan_with_long_names_is_wider() -> None:
    plan = "gantt\ndateFormat YYYY-MM-DD\n{} :2024-01-01, 1d\nx :2024-01-02, 9d"

    assert (
        widths(plan.format("Ask the neighbours whether the road may be closed for a day"))[1]
        > widths(plan.format("Ask"))[1]
    )


def test_sequence_without_participants_at_its_foot_has_room_there() -> None:
    def foot(source: str) -> float:
        _, top, _, height = map(float, etree.fromstring(render_svg(source).encode()).get("viewBox", "").split())
        return top + height

    plain = "---\nconfig:\n  sequence:\n    mirrorActors: false\n---\nsequenceDiagram\nautonumber\nA->>B: x"
    line = max(
        float(line.get("y1", "0"))
        for line in etree.fromstring(render_svg(plain).encode()).iter("{*}line")
        if line.get("data-et") == "message"
    )

    assert foot(plain) >= line + 20


def test_names_of_groups_are_left_of_edges_from_above() -> None:
    root = etree.fromstring(render_svg("flowchart TB\nA --> B\nsubgraph Desk\nB[A rather wide box]\nend").encode())
    group = next(group for group in root.iter("{*}g") if group.get("class") == "cluster-label")
    ground = next(rect for rect in root.iter("{*}rect") if rect.getnext() is group)

    assert group.get("transform", "").startswith(f"translate({float(ground.get('x', '0')) + 10:g},")


def test_dots_of_merges_have_the_color_of_the_background() -> None:
    css = rules(render_svg("gitGraph\ncommit\nbranch a\ncommit\ncheckout main\nmerge a", theme=DARK))

    assert css.rfind(f"#fig .commit-merge{{stroke:{DARK.background}") > css.find("#fig .commit-merge{")


def test_generic_type_is_one_word() -> None:
    root = etree.fromstring(render_svg("classDiagram\nclass A {\n+List~Author~ x\n}").encode())

    assert "+List<Author> x" in [words_of(text_element) for text_element in root.iter("{*}text")]


@pytest.mark.parametrize("theme", [LIGHT, DARK, replace(DARK, background="#000000", text_color="#f2f2f2")])
def test_grounds_of_a_black_template_stay_black(theme: FigureTheme) -> None:
    svg = render_svg("quadrantChart\nquadrant-1 a\nquadrant-2 b\nA: [0.1, 0.2]", theme=theme)
    fills = {rect.get("fill") for rect in etree.fromstring(svg.encode()).iter("{*}rect")}

    assert fills == {theme.background, palette(theme).box}


def test_sign_for_a_missing_icon_has_the_themes_colors() -> None:
    svg = render_svg('flowchart LR\nA@{ icon: "fa:user", label: "User" }', theme=DARK)

    assert "#087ebf" not in svg
    assert f"fill:{palette(DARK).quiet}" in svg


def test_messages_keep_lines_away_but_from_grounds_of_an_author() -> None:
    halo = "paint-order:stroke"

    assert halo in rules(render_svg("sequenceDiagram\nA->>C: x"))
    assert halo not in rules(render_svg("sequenceDiagram\nrect rgb(200, 220, 240)\nA->>C: x\nend"))


def test_names_of_sections_are_left_of_the_bars_of_a_plan() -> None:
    plan = "gantt\ndateFormat YYYY-MM-DD\nsection {}\nBuild :2024-01-01, 9d"

    narrow, wide = (widths(plan.format(name))[1] for name in ("Work", "Preparation of everything that is needed"))

    assert wide > narrow + 100


def test_long_labels_of_a_quadrant_become_smaller() -> None:
    svg = render_svg(
        "quadrantChart\nquadrant-1 Use for everything that is new and for much of what is old\nA: [0.5, 0.5]"
    )
    text_element = next(
        each for each in etree.fromstring(svg.encode()).iter("{*}text") if each.text and each.text.startswith("Use")
    )

    assert float(text_element.get("font-size", "14")) < 14


def test_tags_of_adjacent_commits_do_not_overlap() -> None:
    svg = render_svg('gitGraph\ncommit tag: "a rather long tag"\ncommit tag: "another long tag"')
    grounds = [each.get("transform") for each in etree.fromstring(svg.encode()).iter("{*}polygon") if each.get("class")]

    assert grounds == [None, "translate(0, -21)"]


@pytest.mark.parametrize("named", ["base", "default", "dark", "forest", "neutral"])
@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_ground_of_a_named_theme_hides_nothing(theme: FigureTheme, named: str) -> None:
    svg = render_svg(f'%%{{init: {{"theme": "{named}"}}}}%%\nsequenceDiagram\nAlice->>Bob: hi', theme=theme)
    painted = list(etree.fromstring(svg.encode()).iter("{*}rect", "{*}text"))
    box = etree.fromstring(svg.encode()).get("viewBox", "").split()

    grounds = [number for number, each in enumerate(painted) if each.get("width") == box[2]]
    assert grounds in ([], [0])
