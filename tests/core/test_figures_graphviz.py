import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from lxml import etree

from mdpublish_core import MissingExtra, get_template
from mdpublish_core.figure_kinds import Form
from mdpublish_core.figures import graphviz
from mdpublish_core.figures.colours import READABLE, VISIBLE, contrast
from mdpublish_core.figures.graphviz import measures
from mdpublish_core.figures.graphviz.sketching import ENGINES
from mdpublish_core.figures.request import EngineOutput, FigureError, FigureRequest, FigureTheme
from mdpublish_core.templates.style import ThemeMode, figure_theme

SVG: frozenset[Form] = frozenset({"svg"})


def look_of(template: str = "swiss", mode: ThemeMode = "light") -> FigureTheme:
    return figure_theme(get_template(template), mode)


def sketched(source: str, *, look: FigureTheme | None = None, language: str = "dot", engine: str = "") -> EngineOutput:
    request = FigureRequest(
        kind="dot",
        source=source,
        theme=look or look_of(),
        forms=SVG,
        language=language,
        options=(("engine", engine),) if engine else (),
    )
    return graphviz.render(request)


def drawn(source: str, *, look: FigureTheme | None = None, engine: str = "") -> "etree._Element":
    svg = sketched(source, look=look, engine=engine).svg
    assert svg is not None
    return etree.fromstring(svg)


def texts(root: "etree._Element") -> list[str]:
    return ["".join(map(str, text.itertext())) for text in root.iter("{*}text")]


def color_of(root: "etree._Element", text: str) -> str:
    return next(each.get("fill", "") for each in root.iter("{*}text") if each.text == text)


@pytest.fixture
def dark() -> FigureTheme:
    return look_of(mode="dark")


def test_graph_is_drawn_with_its_labels() -> None:
    assert texts(drawn('digraph { a [label="First"]; a -> b [label=then] }')) == ["First", "b", "then"]


def test_label_that_is_empty_stays_so() -> None:
    # Graphviz's own default, the node's name, is lost where a program reads a graph without it.
    assert texts(drawn('digraph { a [label=""]; b [shape=box]; subgraph s { node [label=""]; c } }')) == ["b"]


@pytest.mark.parametrize("engine", ENGINES)
def test_every_engine_draws(engine: str) -> None:
    assert sorted(texts(drawn("graph { a -- b; b -- c }", engine=engine))) == ["a", "b", "c"]


def boxes(root: "etree._Element") -> list[tuple[float, float, float, float]]:
    """Return the least and the greatest x, and those of y, of each polygon that is closed."""
    found = []
    for each in root.iter("{*}polygon"):
        points = [tuple(map(float, point.split(","))) for point in each.get("points", "").split()]
        x, y = zip(*points, strict=True)
        found.append((min(x), max(x), min(y), max(y)))
    return found


@pytest.mark.parametrize("engine", ["neato", "sfdp", "twopi", "circo", "fdp"])
def test_nodes_do_not_lie_on_one_another(engine: str) -> None:
    nodes = " ".join(
        f'n{number} [label="A node of number {number}"]; n{number} -- n{number // 3};' for number in range(1, 12)
    )
    found = boxes(drawn(f"graph {{ node [shape=box]; {nodes} }}", engine=engine))

    assert len(found) == 12
    for number, (left, right, top, bottom) in enumerate(found):
        for other in found[:number]:
            assert left >= other[1] or right <= other[0] or top >= other[3] or bottom <= other[2]


@pytest.mark.parametrize("overlap", ["", "overlap=false;", "overlap=prism1000;", "overlap=Voronoi;"])
def test_no_node_in_a_row_is_lost(overlap: str) -> None:
    assert sorted(texts(drawn(f"graph {{ {overlap} a -- b; b -- c }}", engine="sfdp"))) == ["a", "b", "c"]


def test_all_layers_are_shown_in_the_one_picture() -> None:
    source = 'digraph { layers="one:two"; a [layer=one]; b [layer=all]; subgraph cluster_c { layer=two; c } a -> b [layer=two] }'

    assert texts(drawn(source)) == ["a", "b", "c"]


def test_what_an_author_says_of_overlaps_counts() -> None:
    nodes = " ".join(
        f'n{number} [label="A node of number {number}"]; n{number} -- n{number // 3};' for number in range(12)
    )
    apart, together = (drawn(f"graph {{ {said} {nodes} }}", engine="sfdp") for said in ("", "overlap=true;"))

    assert len(texts(apart)) == len(texts(together)) == 12
    assert float(apart.get("height", "")) > 1.5 * float(together.get("height", ""))


def test_a_patch_has_room_for_its_label_and_a_record_its_fields_as_text() -> None:
    root = drawn('graph { Something; Another; c [shape=record,label="<p> one|{two}"] }', engine="patchwork")

    assert texts(root) == ["Something", "Another", "one two"]
    assert all(right - left > 70 for left, right, _, _ in boxes(root))


def test_engine_is_chosen_by_option_then_fence_then_graph() -> None:
    def svg(attribute: str = "", language: str = "dot", engine: str = "") -> str | None:
        return sketched(f"graph {{ {attribute} a -- b -- c -- a }}", language=language, engine=engine).svg

    assert svg() == svg(engine="dot") != svg(engine="circo")
    assert svg(language="circo") == svg(engine="circo")
    assert svg("layout=circo;") == svg(engine="circo")
    assert svg("layout=circo;", language="twopi") == svg(engine="twopi")
    assert svg("layout=circo;", language="twopi", engine="dot") == svg(engine="dot")
    for language in ("dot", "graphviz", "gv"):
        assert svg(language=language) == svg()


def test_unknown_engine_is_told_with_those_that_there_are() -> None:
    for source, engine in (("graph { a }", "magic"), ("graph { layout=magic; a }", "")):
        with pytest.raises(FigureError, match="magic") as problem:
            sketched(source, engine=engine)
        assert all(engine in problem.value.problem for engine in ENGINES)


def test_first_of_several_graphs_is_drawn() -> None:
    assert texts(drawn("digraph { first } digraph { second }")) == ["first"]


@pytest.mark.parametrize(
    ("source", "problem", "line"),
    [
        ("digraph {\n  a -> b\n  c [label=\n]\n}", "syntax error near ']'", 4),
        ("digraph {\r\n  a ->\r\n}", "syntax error near '}'", 3),
        ("graph { a -> b }", "syntax error near '->'", 1),
        ("digraph { a", "syntax error at the end: something is not closed", 1),
        ('digraph { a [label="x] }', "syntax error scanning a quoted string", 1),
        ("", "there is no graph in it", None),
        ("/* nothing */", "there is no graph in it", None),
    ],
)
def test_error_of_graphviz_is_told_with_its_line(source: str, problem: str, line: int | None) -> None:
    with pytest.raises(FigureError) as error:
        sketched(source)

    assert error.value.problem.startswith(problem)
    assert error.value.line == line


def test_graph_is_drawn_after_a_broken_one() -> None:
    before = sketched("digraph { a -> b }").svg
    with pytest.raises(FigureError):
        sketched("digraph { a [")

    assert sketched("digraph { a -> b }").svg == before


def test_nothing_is_said_on_standard_error(capfd: pytest.CaptureFixture[str]) -> None:
    sketched("digraph { a [shape=unheard_of, label=<<TABLE>>] }")
    with pytest.raises(FigureError):
        sketched("digraph { a [")

    assert capfd.readouterr() == ("", "")


def test_title_is_the_label_of_the_graph() -> None:
    assert sketched('digraph Name { label="The\\nwhole &amp; \\G"; a }').title == "The whole & Name"
    assert sketched("digraph { label=<The <B>whole</B>>; a }").title == ""
    assert sketched("digraph Name { a }").title == ""


def test_a_point_is_a_pixel_and_letters_are_as_large_as_the_text() -> None:
    root = drawn('digraph { a; b [fontsize=20, label="large"] }')

    assert root.get("font-size") == "14"
    assert float(root.get("width", "")) == float(root.get("viewBox", "").split()[2])
    assert [text.get("font-size") for text in root.iter("{*}text")] == [None, "20.00"]


def test_font_is_the_templates_unless_the_author_chose_one() -> None:
    root = drawn('digraph { a; b [fontname="Courier New"]; a -> b [label=l] }', look=look_of("newsletter"))

    assert root.get("font-family") == look_of("newsletter").font_family
    assert [text.get("font-family") for text in root.iter("{*}text")] == [None, "Courier New", None]


def test_what_nobody_reads_is_left_out() -> None:
    svg = sketched("digraph Secret { node_one -> node_two }").svg
    assert svg is not None

    assert "<!--" not in svg
    assert "<title" not in svg
    assert "white" not in svg
    assert "Secret" not in svg


def test_tooltip_is_a_title_and_a_link_keeps_its_address() -> None:
    root = drawn(
        'digraph { a [tooltip="About a"]; b [URL="https://b.example/?x=1&y=2"]; c [URL="mailto:c@example.org", tooltip=mail] }'
    )

    assert [title.text for title in root.iter("{*}title")] == ["About a", "mail"]
    links = [link.get("{http://www.w3.org/1999/xlink}href") for link in root.iter("{*}a")]
    assert links == ["https://b.example/?x=1&y=2", "mailto:c@example.org"]


def test_unstyled_graph_has_the_templates_colors(dark: FigureTheme) -> None:
    root = drawn(
        "digraph { label=l; subgraph cluster_a { a } a -> b [label=e]; c [style=filled]; p [shape=point] }", look=dark
    )
    fills = {shape.get("fill") for shape in root.iter("{*}ellipse", "{*}polygon", "{*}path")}
    strokes = {shape.get("stroke") for shape in root.iter("{*}ellipse", "{*}polygon", "{*}path")}

    assert {text.get("fill") for text in root.iter("{*}text")} == {dark.text}
    assert fills == {"none", dark.muted, dark.surface}
    assert strokes == {dark.muted}


def test_black_that_would_be_lost_is_ink(dark: FigureTheme) -> None:
    source = 'digraph { a [color=black, fontcolor=black]; a -> b [color="#000000", fontcolor=black, label=l] }'

    root = drawn(source, look=dark)
    assert "black" not in etree.tostring(root, encoding="unicode")
    assert color_of(root, "a") == color_of(root, "l") == dark.text
    assert color_of(drawn(source), "a") == "black"


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
def test_letters_can_be_read_on_an_authors_ground(style: str, grounds: list[str] | None, mode: ThemeMode) -> None:
    root = drawn(f"digraph {{ a [{style}] }}", look=look_of(mode=mode))

    if grounds is None:
        (shape,) = root.iter("{*}ellipse")
        grounds = [shape.get("fill", "")]
    assert min(contrast(color_of(root, "a"), ground) for ground in grounds) >= READABLE


@pytest.mark.parametrize("mode", ["light", "dark"])
def test_letters_and_lines_can_be_seen_on_an_authors_cluster(mode: ThemeMode) -> None:
    look = look_of(mode=mode)
    for ground, code in (("lightgrey", "#d3d3d3"), ("midnightblue", "#191970")):
        root = drawn(
            f"digraph {{ subgraph cluster_a {{ style=filled; color={ground}; label=A; a -> b [label=e] }} c }}",
            look=look,
        )

        assert all(contrast(color_of(root, text), code) >= READABLE for text in "Aabe")
        assert all(
            contrast(ellipse.get("stroke", ""), code) >= VISIBLE for ellipse in list(root.iter("{*}ellipse"))[:2]
        )
        assert color_of(root, "c") == look.text


def test_letters_can_be_read_in_cells_with_grounds(dark: FigureTheme) -> None:
    root = drawn(
        'digraph { a [label=<<TABLE><TR><TD BGCOLOR="white">x</TD><TD BGCOLOR="#000040">y</TD><TD>z</TD></TR></TABLE>>] }',
        look=dark,
    )

    assert contrast(color_of(root, "x"), "#ffffff") >= READABLE
    assert contrast(color_of(root, "y"), "#000040") >= READABLE
    assert color_of(root, "z") == dark.text


def test_ground_of_the_whole_is_kept_and_letters_follow(dark: FigureTheme) -> None:
    root = drawn("digraph { bgcolor=white; a }", look=dark)

    assert any(polygon.get("fill") == "white" for polygon in root.iter("{*}polygon"))
    assert contrast(color_of(root, "a"), "#ffffff") >= READABLE


def test_what_an_author_chose_is_kept() -> None:
    root = drawn("digraph { a [color=red, fontcolor=blue]; b [style=filled, fillcolor=tomato]; a -> b [color=green] }")

    assert color_of(root, "a") == "blue"
    ellipses = [(each.get("stroke"), each.get("fill")) for each in root.iter("{*}ellipse")]
    assert ellipses == [("red", "none"), (look_of().muted, "tomato")]


def test_label_that_graphviz_forgets_room_for_is_not_cut_off() -> None:
    root = drawn('digraph { rankdir=LR; { rank=same; b; c } a -> b; c -> b [label="MMMMMMMMMMMMMMMM"] }')
    left, _, width, _ = (float(number) for number in root.get("viewBox", "").split())
    (text,) = (text for text in root.iter("{*}text") if (text.text or "").startswith("MM"))
    middle = float(text.get("x", "")) + 4
    half = measures.width(text.text or "", 14) / 2

    assert left <= middle - half
    assert middle + half <= left + width
    assert float(root.get("width", "")) == width


def test_runs_of_a_line_are_one_text() -> None:
    root = drawn("digraph { a [label=<<B>bold</B> and <I>slanted</I><BR/>second>] }")

    assert texts(root) == ["bold and slanted", "second"]
    assert [text.get("text-anchor") for text in root.iter("{*}text")] == ["middle", "middle"]


def test_cells_of_a_row_stay_apart() -> None:
    assert texts(drawn("digraph { a [label=<<TABLE BORDER='0'><TR><TD>x</TD><TD>y</TD></TR></TABLE>>] }")) == ["x", "y"]


def test_gradients_have_the_same_ids_each_time() -> None:
    source = 'digraph { a [style=filled, fillcolor="red:blue"] }'

    assert sketched(source).svg == sketched(source).svg


@pytest.mark.parametrize("engine", ENGINES)
def test_same_graph_is_the_same_drawing(engine: str) -> None:
    source = "graph { start=random; overlap=false; a -- b -- c -- d -- a; b -- d [label=x]; e; f -- g }"
    first = sketched(source, engine=engine).svg
    sketched("graph { x -- y -- z }", engine="neato")
    sketched("graph { x -- y -- z }", engine="sfdp")

    assert sketched(source, engine=engine).svg == first


@pytest.mark.parametrize("text", ["Hello WWW iii", "AV To fi", "日本語", "😀", "שלום", "Straße", "e\u0301"])
@pytest.mark.parametrize(("family", "bold"), [("Arial", False), ("Arial Bold", True), ("Courier New", False)])
def test_letters_are_measured_with_the_fonts_of_the_package(text: str, family: str, bold: bool) -> None:
    taken = measures.MONO if "Courier" in family else measures.SANS
    attributes = f'shape=plain, fontsize=100, fontname="{family}", label="{text}"'
    width = float(drawn(f"graph {{ a [{attributes}] }}").get("width", ""))

    # Graphviz rounds up, and leaves 4 points at each side.
    assert width - 8 == pytest.approx(measures.width(text, 100, family=taken, is_bold=bold), abs=3)


def test_fonts_are_those_that_their_module_makes() -> None:
    for name, content in measures.fonts().items():
        assert (measures.FOLDER / name).read_bytes() == content, f"{name}: run python -m {measures.__name__}"


def test_drawing_needs_no_font_of_the_system_and_writes_nothing(tmp_path: Path) -> None:
    program = (
        "from tests.core.test_figures_graphviz import sketched\n"
        "print(sketched('digraph { a [label=Wide]; b [label=<<B>x</B>>] }').svg)"
    )
    folder = measures.FOLDER
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    environment = {
        **os.environ,
        "FONTCONFIG_FILE": str(tmp_path / "none"),
        "HOME": str(tmp_path),
        "XDG_CACHE_HOME": str(tmp_path),
    }
    ours = sketched("digraph { a [label=Wide]; b [label=<<B>x</B>>] }").svg
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
    for name in ("library", "sketching"):
        monkeypatch.delattr(graphviz, name, raising=False)
    monkeypatch.setitem(sys.modules, "pygraphviz", None)


@pytest.mark.usefixtures("without_pygraphviz")
def test_missing_package_is_told() -> None:
    with pytest.raises(MissingExtra, match="pygraphviz"):
        sketched("graph { a }")
    with pytest.raises(MissingExtra, match="pygraphviz"):
        graphviz.prepare()


def test_memory_does_not_grow() -> None:
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return
    sources = ['digraph { a -> b [label=x]; c [shape=record, label="a|b"] }', "graph { layout=neato; a -- b -- c }"]

    def taken() -> int:
        for _ in range(250):
            for source in sources:
                sketched(source)
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGESIZE")

    taken()
    before = taken()
    # 1,500 drawings; what one leaves behind is less than 2 KB.
    assert max(taken() for _ in range(3)) - before < 3_000_000


def test_number_is_written_into_every_message_of_a_bound() -> None:
    with pytest.raises(FigureError, match=re.escape("the graph has 5,100 edges; at most 5,000 are drawn")):
        sketched(
            f"graph {{ {{{' '.join(f'a{n}' for n in range(51))}}} -- {{{' '.join(f'b{n}' for n in range(100))}}} }}"
        )
