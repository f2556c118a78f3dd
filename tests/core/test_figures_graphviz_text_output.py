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
        ('digraph { a [shape=record, label="<p> left|{top|right \\| on}"] }', "left\n  top | right | on"),
        ("digraph { a:p:n -> b:s }", "a → b"),
        ("digraph { a -> a; a -> b; a -> b }", "a → a\na → b\na → b"),
        ('digraph { a [xlabel="first"]; a -> b [label=yes, xlabel="or no"] }', "a (first) → b: yes, or no"),
        ('graph { a -- b [taillabel="1", headlabel="0..*"] }', "a (1) — b (0..*)"),
        ("strict digraph { a -> b; a -> b }", "a → b"),
        ('digraph { a [label=""] ; "x y" -> a }', "x y → (ellipse)"),
        (
            "digraph { a -> b [dir=both]; b -> c [dir=back]; c -> d [dir=none]; d -> e [dir=forward] }",
            "a ↔ b\nb ← c\nc — d\nd → e",
        ),
        ("graph { a -- b [dir=forward]; b -- c [dir=back] }", "a → b\nb ← c"),
        ("digraph { edge [dir=back]; a -> b; b -> c [dir=forward, arrowhead=none] }", "a ← b\nb — c"),
        (
            "digraph { a -> b [arrowhead=onormal]; b -> c [dir=both, arrowtail=diamond, arrowhead=none]; c -> d [arrowhead=lnormal] }",
            "a —▷ b\nb ◆— c\nc → d",
        ),
        ("graph { a -- b [dir=both, arrowtail=teetee, arrowhead=crowodot] }", "a (1) — b (0..*)"),
        ("digraph { a -> b; a -> c [style=invis]; d [style=invis]; b -> d [style=invis] }", "a → b\nc"),
        ('digraph { s [style="filled,invis"]; s -> a; a -> e; e [shape=none, label=""] }', "(start) → a\na → (end)"),
        ("digraph { s [style=invis]; a -> s [dir=back] }", "a ← (start)"),
        ("digraph { p [shape=point]; p -> q; q [shape=point, xlabel=end] }", "(point) → end"),
        ("digraph { subgraph cluster_a { style=invis; label=Unseen; a } b -> a }", "b → a"),
        (
            "digraph { compound=true; subgraph cluster_a { label=Box; a } b -> a [lhead=cluster_a] }",
            "Box\n  a\nb → Box",
        ),
        (
            'digraph { node [shape=record]; a [label="<x> one|<y> two"]; b [label="{Dog|+ name\\l+ age\\l|+ bark()\\l}"]; a:y:e -> b }',
            "Dog\n  + name\n  + age\n  + bark()\none | two (two) → Dog",
        ),
        (
            "digraph { u [label=<<TABLE><TR><TD>a<BR/>b</TD><TD><TABLE><TR><TD PORT='c'>c</TD><TD>d</TD></TR></TABLE></TD></TR></TABLE>>] }",
            "a b | c d",
        ),
        (
            "digraph { t [label=<<TABLE PORT='all'><TR><TD><B>users</B></TD></TR><TR><TD PORT='k'>id</TD><TD>int</TD></TR></TABLE>>]; t:k -> u }",
            "users\n  id | int\nusers (id) → u",
        ),
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


def test_edges_are_in_the_order_in_which_their_nodes_are_named() -> None:
    """Graphviz's interface lists them by their tails, and those of a tail by their heads."""
    source = "digraph { x; c -> d; b -> a; x -> b; c -> a; b -> d }"

    assert render_text(source) == "x → b\nc → d\nc → a\nb → d\nb → a"
