import os
import re
import subprocess
import sys
from pathlib import Path
from unicodedata import unidata_version

import pytest
from lxml import etree

from mdpublish_core import get_template
from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, MIN_TEXT_CONTRAST, contrast
from mdpublish_core.errors import MissingExtra
from mdpublish_core.figures import graphviz, worker
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.graphviz import font_metrics
from mdpublish_core.figures.graphviz.engine import ENGINES
from mdpublish_core.figures.request import EngineOutput, FigureRequest, FigureTheme, RenderedFigure
from mdpublish_core.options.styles import ThemeMode
from mdpublish_core.resources.figure_kinds import Form
from mdpublish_core.templates.style import figure_theme

pytestmark = pytest.mark.needs("pygraphviz")

SVG: frozenset[Form] = frozenset({"svg"})


def theme_of(template: str = "swiss", mode: ThemeMode = "light") -> FigureTheme:
    return figure_theme(get_template(template), mode)


def render(source: str, *, theme: FigureTheme | None = None, language: str = "dot", engine: str = "") -> EngineOutput:
    request = FigureRequest(
        kind="dot",
        source=source,
        theme=theme or theme_of(),
        forms=SVG,
        language=language,
        options=(("engine", engine),) if engine else (),
    )
    return graphviz.render(request)


def render_svg(source: str, *, theme: FigureTheme | None = None, engine: str = "") -> "etree._Element":
    svg = render(source, theme=theme, engine=engine).svg
    assert svg is not None
    return etree.fromstring(svg)


def render_clean(source: str, *, theme: FigureTheme | None = None) -> "etree._Element":
    """Return the SVG as readers see it: with readable colors."""
    request = FigureRequest(kind="dot", source=source, theme=theme or theme_of(), forms=SVG, language="dot")
    result = worker.render(request)
    assert isinstance(result, RenderedFigure), result
    assert result.svg is not None
    return etree.fromstring(result.svg.document())


def labels_of(root: "etree._Element") -> list[str]:
    return ["".join(map(str, text_element.itertext())) for text_element in root.iter("{*}text")]


def color_of_label(root: "etree._Element", label: str) -> str:
    return next(each.get("fill", "#000000") for each in root.iter("{*}text") if each.text == label)


@pytest.fixture
def dark_theme() -> FigureTheme:
    return theme_of(mode="dark")


def test_graph_is_drawn_with_its_labels() -> None:
    assert labels_of(render_svg('digraph { a [label="First"]; a -> b [label=then] }')) == ["First", "b", "then"]


def test_label_that_is_empty_stays_so() -> None:
    # A program that reads a graph without a default label loses Graphviz's own, the node name.
    assert labels_of(render_svg('digraph { a [label=""]; b [shape=box]; subgraph s { node [label=""]; c } }')) == ["b"]


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_draws(engine: str) -> None:
    assert sorted(labels_of(render_svg("graph { a -- b; b -- c }", engine=engine))) == ["a", "b", "c"]


def boxes(root: "etree._Element") -> list[tuple[float, float, float, float]]:
    """Minimum and maximum x, then y, of each closed polygon."""
    bounds = []
    for each in root.iter("{*}polygon"):
        points = [tuple(map(float, point.split(","))) for point in each.get("points", "").split()]
        x, y = zip(*points, strict=True)
        bounds.append((min(x), max(x), min(y), max(y)))
    return bounds


@pytest.mark.parametrize("engine", ["neato", "sfdp", "twopi", "circo", "fdp"])
def test_nodes_do_not_lie_on_one_another(engine: str) -> None:
    nodes = " ".join(
        f'n{number} [label="A node of number {number}"]; n{number} -- n{number // 3};' for number in range(1, 12)
    )
    ellipses = boxes(render_svg(f"graph {{ node [shape=box]; {nodes} }}", engine=engine))

    assert len(ellipses) == 12
    for number, (left, right, top, bottom) in enumerate(ellipses):
        for other in ellipses[:number]:
            assert left >= other[1] or right <= other[0] or top >= other[3] or bottom <= other[2]


@pytest.mark.parametrize("overlap", ["", "overlap=false;", "overlap=prism1000;", "overlap=Voronoi;"])
def test_no_node_in_a_row_is_lost(overlap: str) -> None:
    assert sorted(labels_of(render_svg(f"graph {{ {overlap} a -- b; b -- c }}", engine="sfdp"))) == ["a", "b", "c"]


def test_all_layers_are_shown_in_one_image() -> None:
    source = 'digraph { layers="one:two"; a [layer=one]; b [layer=all]; subgraph cluster_c { layer=two; c } a -> b [layer=two] }'

    assert labels_of(render_svg(source)) == ["a", "b", "c"]


def test_overlap_attribute_of_the_author_counts() -> None:
    nodes = " ".join(
        f'n{number} [label="A node of number {number}"]; n{number} -- n{number // 3};' for number in range(12)
    )
    apart, together = (render_svg(f"graph {{ {overlap} {nodes} }}", engine="sfdp") for overlap in ("", "overlap=true;"))

    assert len(labels_of(apart)) == len(labels_of(together)) == 12
    assert float(apart.get("height", "")) > 1.5 * float(together.get("height", ""))


def test_a_patch_has_room_for_its_label_and_a_record_its_fields_as_text() -> None:
    root = render_svg('graph { Something; Another; c [shape=record,label="<p> one|{two}"] }', engine="patchwork")

    assert labels_of(root) == ["Something", "Another", "one two"]
    assert all(right - left > 70 for left, right, _, _ in boxes(root))


def test_engine_is_chosen_by_option_then_fence_then_graph() -> None:
    def svg(attribute: str = "", language: str = "dot", engine: str = "") -> str | None:
        return render(f"graph {{ {attribute} a -- b -- c -- a }}", language=language, engine=engine).svg

    assert svg() == svg(engine="dot") != svg(engine="circo")
    assert svg(language="circo") == svg(engine="circo")
    assert svg("layout=circo;") == svg(engine="circo")
    assert svg("layout=circo;", language="twopi") == svg(engine="twopi")
    assert svg("layout=circo;", language="twopi", engine="dot") == svg(engine="dot")
    for language in ("dot", "graphviz", "gv"):
        assert svg(language=language) == svg()


def test_unknown_engine_is_reported_with_the_known_ones() -> None:
    for source, engine in (("graph { a }", "magic"), ("graph { layout=magic; a }", "")):
        with pytest.raises(FigureError, match="magic") as problem:
            render(source, engine=engine)
        assert all(engine in problem.value.problem for engine in ENGINES)


def test_first_of_several_graphs_is_drawn() -> None:
    assert labels_of(render_svg("digraph { first } digraph { second }")) == ["first"]


@pytest.mark.parametrize(
    ("source", "problem", "line"),
    [
        ("digraph {\n  a -> b\n  c [label=\n]\n}", "this attribute has no value", 3),
        ("digraph {\r\n  a ->\r\n}", "this edge has no end", 2),
        ("graph { a ] }", "syntax error near ']'", 1),
        ("digraph { subgraph s { a", "this brace is not closed", 1),
        ('digraph { a [label="x] }', "this string is not closed", 1),
        ("", "the source contains no graph", None),
        ("/* nothing */", "the source contains no graph", None),
    ],
)
def test_error_of_graphviz_is_reported_with_its_line(source: str, problem: str, line: int | None) -> None:
    with pytest.raises(FigureError) as error:
        render(source)

    assert error.value.problem.startswith(problem)
    assert error.value.line == line


def test_graph_is_drawn_after_a_broken_one() -> None:
    before = render("digraph { a -> b }").svg
    with pytest.raises(FigureError):
        render("digraph { a [")

    assert render("digraph { a -> b }").svg == before


def test_nothing_is_written_to_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    render("digraph { a [shape=unheard_of, label=<<TABLE>>] }")
    with pytest.raises(FigureError):
        render("digraph { a [")

    assert capfd.readouterr() == ("", "")


def test_title_is_the_label_of_the_graph() -> None:
    assert render('digraph Name { label="The\\nwhole &amp; \\G"; a }').title == "The whole & Name"
    assert render("digraph { label=<The <B>whole</B>>; a }").title == ""
    assert render("digraph Name { a }").title == ""


def test_a_point_is_a_pixel_and_labels_have_the_text_size() -> None:
    root = render_svg('digraph { a; b [fontsize=20, label="large"] }')

    assert root.get("font-size") == "14"
    assert float(root.get("width", "")) == float(root.get("viewBox", "").split()[2])
    assert [text_element.get("font-size") for text_element in root.iter("{*}text")] == [None, "20.00"]


def test_font_is_the_templates_unless_the_author_chose_one() -> None:
    root = render_svg('digraph { a; b [fontname="Courier New"]; a -> b [label=l] }', theme=theme_of("newsletter"))

    assert root.get("font-family") == theme_of("newsletter").font_family
    assert [text_element.get("font-family") for text_element in root.iter("{*}text")] == [None, "Courier New", None]


def test_what_nobody_reads_is_left_out() -> None:
    svg = render("digraph Secret { node_one -> node_two }").svg
    assert svg is not None

    assert "<!--" not in svg
    assert "<title" not in svg
    assert "white" not in svg
    assert "Secret" not in svg


def test_tooltip_is_a_title_and_a_link_keeps_its_url() -> None:
    root = render_svg(
        'digraph { a [tooltip="About a"]; b [URL="https://b.example/?x=1&y=2"]; c [URL="mailto:c@example.org", tooltip=mail] }'
    )

    assert [title.text for title in root.iter("{*}title")] == ["About a", "mail"]
    links = [link.get("{http://www.w3.org/1999/xlink}href") for link in root.iter("{*}a")]
    assert links == ["https://b.example/?x=1&y=2", "mailto:c@example.org"]


def test_unstyled_graph_has_the_templates_colors(dark_theme: FigureTheme) -> None:
    root = render_clean(
        "digraph { label=l; subgraph cluster_a { a } a -> b [label=e]; c [style=filled]; p [shape=point] }",
        theme=dark_theme,
    )
    fills = {shape.get("fill") for shape in root.iter("{*}ellipse", "{*}polygon", "{*}path")}
    strokes = {shape.get("stroke") for shape in root.iter("{*}ellipse", "{*}polygon", "{*}path")}

    assert {text_element.get("fill") for text_element in root.iter("{*}text")} == {dark_theme.text_color}
    assert fills == {"none", dark_theme.muted, dark_theme.surface}
    assert strokes == {dark_theme.muted}


def test_black_that_would_be_lost_is_ink(dark_theme: FigureTheme) -> None:
    source = 'digraph { a [color=black, fontcolor=black]; a -> b [color="#000000", fontcolor=black, label=l] }'

    root = render_clean(source, theme=dark_theme)
    assert "#000000" not in etree.tostring(root, encoding="unicode")
    assert color_of_label(root, "a") == color_of_label(root, "l") == dark_theme.text_color
    assert color_of_label(render_clean(source), "a") == "#000000"


@pytest.mark.parametrize("mode", ["light", "dark"])
@pytest.mark.parametrize(
    ("style", "grounds"),
    [
        ("style=filled, fillcolor=navy", ["#000080"]),
        ("style=filled, fillcolor=yellow", ["#ffff00"]),
        ("style=filled, color=lightgrey", ["#d3d3d3"]),
        ('style=filled, fillcolor="0.6 1.0 0.3"', None),
        ("style=filled, colorscheme=blues9, fillcolor=9", ["#08306b"]),
        ('style=filled, fillcolor="/blues9/1"', ["#f7fbff"]),
        ("style=filled, fillcolor=peachpuff3", ["#cdaf95"]),
        ('style=filled, fillcolor="navy:black"', ["#000080", "#000000"]),
        ('style=radial, fillcolor="white:lightyellow"', ["#ffffff", "#ffffe0"]),
        ('style=wedged, fillcolor="white:yellow:pink"', ["#ffffff", "#ffff00", "#ffc0cb"]),
        ('shape=box, style=striped, fillcolor="navy:black:maroon"', ["#000080", "#000000", "#800000"]),
        ('shape=box, style="rounded,filled", fillcolor=darkgreen', ["#006400"]),
    ],
)
def test_labels_are_readable_on_an_authors_background(style: str, grounds: list[str] | None, mode: ThemeMode) -> None:
    root = render_clean(f"digraph {{ a [{style}] }}", theme=theme_of(mode=mode))

    if grounds is None:
        (shape,) = root.iter("{*}ellipse")
        grounds = [shape.get("fill", "")]
    assert min(contrast(color_of_label(root, "a"), ground) for ground in grounds) >= MIN_TEXT_CONTRAST


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_labels_and_lines_are_visible_on_an_authors_cluster(mode: ThemeMode) -> None:
    theme = theme_of(mode=mode)
    for ground, code in (("lightgrey", "#d3d3d3"), ("midnightblue", "#191970")):
        root = render_clean(
            f"digraph {{ subgraph cluster_a {{ style=filled; color={ground}; label=A; a -> b [label=e] }} c }}",
            theme=theme,
        )

        assert all(contrast(color_of_label(root, text_color), code) >= MIN_TEXT_CONTRAST for text_color in "Aabe")
        assert all(
            contrast(ellipse.get("stroke", ""), code) >= MIN_GRAPHICS_CONTRAST
            for ellipse in list(root.iter("{*}ellipse"))[:2]
        )
        assert color_of_label(root, "c") == theme.text_color


def test_labels_are_readable_in_cells_with_backgrounds(dark_theme: FigureTheme) -> None:
    root = render_clean(
        'digraph { a [label=<<TABLE><TR><TD BGCOLOR="white">x</TD><TD BGCOLOR="#000040">y</TD><TD>z</TD></TR></TABLE>>] }',
        theme=dark_theme,
    )

    assert contrast(color_of_label(root, "x"), "#ffffff") >= MIN_TEXT_CONTRAST
    assert contrast(color_of_label(root, "y"), "#000040") >= MIN_TEXT_CONTRAST
    assert color_of_label(root, "z") == dark_theme.text_color


def test_background_of_the_graph_is_preserved_and_labels_are_readable(dark_theme: FigureTheme) -> None:
    root = render_clean("digraph { bgcolor=ivory; a }", theme=dark_theme)

    assert any(polygon.get("fill") == "#fffff0" for polygon in root.iter("{*}polygon"))
    assert contrast(color_of_label(root, "a"), "#ffffff") >= MIN_TEXT_CONTRAST


@pytest.mark.parametrize("white", ["white", "#ffffff", "#FFF"])
def test_white_background_of_the_graph_is_the_page(dark_theme: FigureTheme, white: str) -> None:
    root = render_clean(f'digraph {{ bgcolor="{white}"; a }}', theme=dark_theme)

    assert list(root.iter("{*}polygon")) == []
    assert color_of_label(root, "a") == dark_theme.text_color


def test_choices_of_the_author_are_preserved() -> None:
    root = render_clean(
        "digraph { a [color=red, fontcolor=blue]; b [style=filled, fillcolor=tomato]; a -> b [color=green] }"
    )

    assert color_of_label(root, "a") == "#0000ff"
    ellipses = [(each.get("stroke"), each.get("fill")) for each in root.iter("{*}ellipse")]
    assert ellipses == [("#ff0000", "none"), (theme_of().muted, "#ff6347")]


def test_runs_of_a_line_are_one_text() -> None:
    root = render_svg("digraph { a [label=<<B>bold</B> and <I>slanted</I><BR/>second>] }")

    assert labels_of(root) == ["bold and slanted", "second"]
    assert [text_element.get("text-anchor") for text_element in root.iter("{*}text")] == ["middle", "middle"]


def test_cells_of_a_row_stay_apart() -> None:
    assert labels_of(render_svg("digraph { a [label=<<TABLE BORDER='0'><TR><TD>x</TD><TD>y</TD></TR></TABLE>>] }")) == [
        "x",
        "y",
    ]


def test_gradients_have_the_same_ids_each_time() -> None:
    source = 'digraph { a [style=filled, fillcolor="red:blue"] }'

    assert etree.tostring(render_clean(source)) == etree.tostring(render_clean(source))


@pytest.mark.parametrize("engine", ENGINES)
def test_same_graph_gives_the_same_svg(engine: str) -> None:
    source = "graph { start=random; overlap=false; a -- b -- c -- d -- a; b -- d [label=x]; e; f -- g }"
    first = render(source, engine=engine).svg
    render("graph { x -- y -- z }", engine="neato")
    render("graph { x -- y -- z }", engine="sfdp")

    assert render(source, engine=engine).svg == first


@pytest.mark.parametrize("string", ["Hello WWW iii", "AV To fi", "日本語", "😀", "שלום", "Straße", "e\u0301"])
@pytest.mark.parametrize(("family", "bold"), [("Arial", False), ("Arial Bold", True), ("Courier New", False)])
def test_labels_are_measured_with_the_fonts_of_the_package(string: str, family: str, bold: bool) -> None:
    taken = font_metrics.MONO if "Courier" in family else font_metrics.SANS
    attributes = f'shape=plain, fontsize=100, fontname="{family}", label="{string}"'
    width = float(render_svg(f"graph {{ a [{attributes}] }}").get("width", ""))

    # Graphviz rounds up and adds 4 points on each side.
    assert width - 8 == pytest.approx(font_metrics.label_width(string, 100, family=taken, is_bold=bold), abs=3)


@pytest.mark.skipif(unidata_version != "14.0.0", reason="made with the characters of Unicode 14, Python 3.11's")
@pytest.mark.needs("fontTools")
@pytest.mark.parametrize("name", font_metrics.WIDTHS)
def test_fonts_have_the_widths_of_their_module(name: str) -> None:
    from fontTools.ttLib import TTFont

    font = TTFont(font_metrics.FOLDER / name)
    em, characters = font["head"].unitsPerEm, font["cmap"].getcmap(3, 10).cmap
    widths = {code: font["hmtx"][glyph][0] for code, glyph in characters.items()}

    wrong = [code for code, width in widths.items() if width != round(font_metrics.WIDTHS[name](chr(code)) * em)]
    assert len(widths) > 200_000
    assert wrong == [], "run nox -s fonts"


def test_rendering_needs_no_system_font_and_writes_nothing(tmp_path: Path) -> None:
    program = (
        "from tests.core.test_figures_graphviz import render\n"
        "print(render('digraph { a [label=Wide]; b [label=<<B>x</B>>] }').svg)"
    )
    folder = font_metrics.FOLDER
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    environment = {
        **os.environ,
        "FONTCONFIG_FILE": str(tmp_path / "none"),
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path),
    }
    ours = render("digraph { a [label=Wide]; b [label=<<B>x</B>>] }").svg
    run = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True, encoding="utf-8", env=environment, check=True, cwd=Path(__file__).parents[2],
    )  # fmt: skip

    assert run.stdout.rstrip("\n") == ours
    assert run.stderr == ""
    assert list(tmp_path.iterdir()) == []
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_environment_is_as_before() -> None:
    before = dict(os.environ)
    graphviz.prepare()

    assert dict(os.environ) == before


@pytest.fixture
def without_pygraphviz(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith(("pygraphviz", "mdpublish_core.figures.graphviz."))]:
        monkeypatch.delitem(sys.modules, name)
    for name in ("bindings", "engine"):
        monkeypatch.delattr(graphviz, name, raising=False)
    monkeypatch.setitem(sys.modules, "pygraphviz", None)


@pytest.mark.usefixtures("without_pygraphviz")
def test_missing_package_is_reported() -> None:
    with pytest.raises(MissingExtra, match="pygraphviz"):
        render("graph { a }")
    with pytest.raises(MissingExtra, match="pygraphviz"):
        graphviz.prepare()


@pytest.mark.nightly
@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="reads memory in /proc")
def test_memory_does_not_grow() -> None:
    statm = Path("/proc/self/statm")
    sources = ['digraph { a -> b [label=x]; c [shape=record, label="a|b"] }', "graph { layout=neato; a -- b -- c }"]

    def taken() -> int:
        for _ in range(250):
            for source in sources:
                render(source)
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGESIZE")

    taken()
    before = taken()
    # 1,500 renderings, each leaving less than 2 KB behind.
    assert max(taken() for _ in range(3)) - before < 3_000_000


def test_number_is_written_into_every_message_of_a_bound() -> None:
    with pytest.raises(FigureError, match=re.escape("the graph must have at most 5,000 edges (got 5,100)")):
        render(f"graph {{ {{{' '.join(f'a{n}' for n in range(51))}}} -- {{{' '.join(f'b{n}' for n in range(100))}}} }}")


def test_drawing_does_not_depend_on_those_before() -> None:
    graph = "graph { node [shape=point] 0 -- {1 2 3 4} 1 -- {11 12} 2 -- {21 22} 3 -- {31 32} 12 -- 21 }"

    assert len({render(graph, engine="sfdp").svg for _ in range(4)}) == 1
