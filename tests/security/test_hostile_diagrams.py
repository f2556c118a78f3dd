"""Repairing a diagram or a graph, and writing its texts, takes linear, bounded time, whatever is in its lines.

Processor time, of the best of four where it is long, excludes load on the machine.
"""

from collections.abc import Callable, Iterable
from itertools import product
from time import process_time

import pytest

from mdpublish_core import get_template
from mdpublish_core.figures import mermaid
from mdpublish_core.figures.graphviz.repairs import repair as repair_graph
from mdpublish_core.figures.mermaid.literals import (
    without_html_codes,
    without_unknown_codes,
    without_unknown_tags,
)
from mdpublish_core.figures.mermaid.repairs import repair as repair_diagram
from mdpublish_core.figures.mermaid.sources import parse_source
from mdpublish_core.figures.mermaid.text_output import choose_text
from mdpublish_core.figures.outlines import MAX_DESCRIPTION_LENGTH
from mdpublish_core.templates.style import figure_theme

pytestmark = pytest.mark.security

THEME = figure_theme(get_template("swiss"), "light")

HEADERS = (
    *("flowchart TD", "sequenceDiagram", "classDiagram", "stateDiagram-v2", "erDiagram"),
    *("mindmap", "pie", "gitGraph", "xychart-beta", "gantt", "timeline", "quadrantChart", "journey"),
)

FIRST_LINES = ("", "flowchart", "graph TD", "Graph", "A", "A->>", "sequenceDiagram")

STARTS = ("", "A[", 'class A["', "A->>B: ", "note over ", "subgraph ", "a ||--o{ ")

UNITS = (
    *("A[(", "A[( ] --> ", "A((", "([{", "A[x] --> ", 'A["x --> ', "A -->|a|b", "A -->|", "A -- x ", "A{{", "] "),
    *("A[(a) b] --> ", "  ", "\t", "\n", 'A["\n', "A->>B: a;", "a;", "A->>", "->", "--", "=", "-.", "A(b)->>C: d\n"),
    *("<T", "A<B>", "List<", "|o", " ||--o{ ", "a ||--o{ b\n", "a {\n", "x y z\n", "x y PK FK\n", '"', '" ', "[x,"),
    *("x-axis [a b,", "1,", "id: a", "branch a", "end ", "A --> end\n", "& ", "// ", "#", "%%", "@{", "a.b-c.", "("),
    *("a: b :", "1:", '"a" : 1,', ",000", "#1;", "<a", "a<b ", "&lt;"),
    *("A>]", "[/", "class a (", 'state "', "participant a(b\n", "```\n", "subgraph a[", "style end ", "→", "A → ", "~"),
)

GRAPH_STARTS = ("", "digraph {", "digraph {\n a [", "digraph {\n a [b=", 'digraph {\n a [b="')

GRAPH_UNITS = (
    *(
        "a [label=",
        "a [x=y] ",
        "a [x=y z] ",
        'a [x="y" z"] ',
        '"',
        "[",
        "]",
        "{",
        "}",
        "{}",
        "a -> ",
        "a-b c -> ",
        "--",
    ),
    *("→", "=>", "/*", "//\n", "#\n", "<", "a [l=<x>,", "a [l=<<x", "  ", "\n", ";", ",", "a-b,", "subgraph x-y {"),
    *(
        "a [b,",
        "a [b=c,",
        "a [b=[]",
        'a [b="c"+',
        "\\",
        'a\\"',
        "a: b -> ",
        "a [x-y=1,",
        "```\n",
        "“a b” -> ",
        "a = b c\n",
    ),
)

SMALL, LARGE = 10_000, 100_000

MAX_SECONDS = 1.0

MAX_GROWTH = 12
"""For ten times the input."""

NOISE_SECONDS = 0.05


def seconds(repair: Callable[[str], object], source: str) -> float:
    start = process_time()
    repair(source)
    return process_time() - start


def slow_sources(
    repair: Callable[[str], object], header: str, parts: Iterable[tuple[str, str]]
) -> list[tuple[str, float]]:
    slow = []
    for start, unit in parts:
        sources = [f"{header}{start}{unit * (size // len(unit))}" for size in (SMALL, LARGE)]
        for _ in range(4):
            small, large = (seconds(repair, source) for source in sources)
            if large <= min(MAX_SECONDS, MAX_GROWTH * small + NOISE_SECONDS):
                break
        else:
            slow.append((start + unit, large))
    return slow


@pytest.mark.parametrize("header", HEADERS)
def test_repair_of_a_diagram_takes_no_long_time(header: str) -> None:
    assert slow_sources(repair_diagram, f"{header}\n", product(STARTS, UNITS)) == []


def test_repair_of_a_first_line_takes_no_long_time() -> None:
    assert slow_sources(repair_diagram, "", product(FIRST_LINES, [" ", "a ", "a-", ":", *UNITS])) == []


@pytest.mark.parametrize("rewrite", [without_unknown_tags, without_unknown_codes, without_html_codes])
def test_search_for_tags_and_codes_takes_no_long_time(rewrite: Callable[[str], str]) -> None:
    assert slow_sources(rewrite, "flowchart TD\n", product(STARTS, UNITS)) == []


def test_repair_of_a_graph_takes_no_long_time() -> None:
    assert slow_sources(repair_graph, "", product(GRAPH_STARTS, GRAPH_UNITS)) == []


# Headers and lines of diagrams; `{}` is a number.
STATEMENTS = {
    "chain": ("flowchart TD\n", "a{}-->b{}\n"),
    "star": ("flowchart TD\n", "a-->b{}\n"),
    "equal labels": ("flowchart TD\n", "a{}[x]\n"),
    "numbered labels": ("flowchart TD\n", 'a{}["x ({})"]\nb{}[x]\n'),
    "subgraphs": ("flowchart TD\n", "subgraph s{}\na{}\nend\n"),
    "asterisks in a label": ('flowchart TD\na["`', "*a _b "),
    "tags in a label": ('flowchart TD\na["', "<a &am "),
    "messages": ("sequenceDiagram\n", "A->>B: x{}\n"),
    "participants": ("sequenceDiagram\n", "participant p{}\n"),
    "classes": ("classDiagram\n", "A{} <|-- B{}\n"),
    "members": ("classDiagram\n", "A : +int x{}\n"),
    "notes": ("stateDiagram-v2\n", "note right of a : x{}\n"),
    "entities": ("erDiagram\n", "A{} ||--o{{ B : x\n"),
    "slices": ("pie\n", '"a{}": {}\n'),
    "tasks": ("gantt\ndateFormat YYYY-MM-DD\n", "a{}: t{}, 2024-01-01, 1d\n"),
    "topics": ("mindmap\n root\n", "  n{}\n"),
    "periods": ("timeline\n", "{} : e\n"),
    "commits": ("gitGraph\n", "commit\n"),
    "branches": ("gitGraph\ncommit\n", "branch b{}\ncommit\n"),
    "points": ("quadrantChart\n", "a{}: [0.1, 0.2]\n"),
    "flows": ("sankey-beta\n", "a{},b,1\n"),
}
ENDS = {"asterisks in a label": '`"]', "tags in a label": '"]'}
MAX_TEXT_SECONDS = 0.6
"""For 50 KB. Most such diagrams are too large to be drawn."""


def hostile_diagram(name: str, size: int) -> str:
    header, unit = STATEMENTS[name]
    lines, length = [header], len(header)
    while length < size:
        lines.append(unit.replace("{}", str(len(lines))).replace("{{", "{"))
        length += len(lines[-1])
    return "".join(lines) + ENDS.get(name, "")


@pytest.mark.needs("merman")
@pytest.mark.parametrize("name", STATEMENTS)
def test_texts_of_a_diagram_take_no_long_time(name: str) -> None:
    engine = mermaid._engine()

    def write(content: str) -> None:
        source = parse_source(content)
        model = engine.read_model(source, THEME)
        if model is not None:
            choose_text(model, engine.render_ascii_art(source, THEME))
            assert len(model.outline.description()) <= MAX_DESCRIPTION_LENGTH

    write(hostile_diagram(name, 1_000))
    half, whole = (hostile_diagram(name, size) for size in (24_500, 49_000))
    for _ in range(4):
        small, large = seconds(write, half), seconds(write, whole)
        if large <= min(MAX_TEXT_SECONDS, 3 * small + NOISE_SECONDS):
            return
    pytest.fail(f"{large:.2f} s, half of it {small:.2f} s")
