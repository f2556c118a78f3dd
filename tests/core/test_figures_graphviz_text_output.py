import pytest

from mdpublish_core import get_template
from mdpublish_core.figures import graphviz
from mdpublish_core.figures.request import FigureRequest
from mdpublish_core.templates.style import figure_theme

pytestmark = pytest.mark.needs("pygraphviz")


def render_text(source: str) -> str | None:
    theme = figure_theme(get_template("swiss"), "light")
    return graphviz.render(FigureRequest(kind="dot", source=source, theme=theme, forms=frozenset({"text"}))).plain_text


@pytest.mark.parametrize(
    ("source", "output"),
    [
        ('digraph { a [label="Start"]; a -> b; b -> c [label=yes] }', "Start → b\nb → c: yes"),
        ("graph { a -- b; c }", "a — b\nc"),
        ('digraph { a [label="one\\ntwo\\l"]; b [label="\\N &amp; \\\\"] }', "one two\nb & \\"),
        ('digraph G { label="All of \\G"; a -> b [label="\\T to \\H"] }', "All of G\n  a → b: a to b"),
        ("digraph { a [label=<<B>Bold</B> and<BR/>more &lt;x&gt;>] }", "Bold and more <x>"),
        ('digraph { a [label="<not> html"] }', "<not> html"),
        ('digraph { a [shape=record, label="<p> left|{top|right \\| on}"] }', "left top right | on"),
        ("digraph { a:p:n -> b:s }", "a → b"),
        ("digraph { a -> a; a -> b; a -> b }", "a → a\na → b\na → b"),
        ('digraph { a [xlabel="first"]; a -> b [label=yes, xlabel="or no"] }', "a (first) → b: yes, or no"),
        ('graph { a -- b [taillabel="1", headlabel="0..*"] }', "a (1) — b (0..*)"),
        ("strict digraph { a -> b; a -> b }", "a → b"),
        ('digraph { a [label=""] ; "x y" -> a }', "x y → a"),
        ("digraph { }", None),
    ],
)
def test_graph_is_rendered_line_by_line(source: str, output: str | None) -> None:
    assert render_text(source) == output


def test_clusters_are_indented_under_their_labels() -> None:
    source = """digraph {
        subgraph cluster_a { label=Outer; a -> b; subgraph cluster_b { label=Inner; c; d } subgraph s { e } }
        subgraph cluster_none { f }
        b -> c; c -> f
    }"""

    assert render_text(source) == "Outer\n  Inner\n    c\n    d\n  a → b\n  b → c\n  e\nc → f"


def test_text_that_does_not_read_well_is_left_out() -> None:
    assert render_text(f"digraph {{ {'a -> b;' * 60} }}") is not None
    assert render_text(f"digraph {{ {'a -> b;' * 61} }}") is None
    assert render_text(f'digraph {{ a [label="{"x" * 100}"] }}') == "x" * 100
    assert render_text(f'digraph {{ a [label="{"x" * 101}"] }}') is None
    assert render_text(f'digraph {{ a [label="{"字" * 51}"] }}') is None


def test_text_alone_needs_no_layout() -> None:
    theme = figure_theme(get_template("swiss"), "light")
    output = graphviz.render(
        FigureRequest(kind="dot", source="graph { a -- b }", theme=theme, forms=frozenset({"text"}))
    )

    assert output.svg is None
