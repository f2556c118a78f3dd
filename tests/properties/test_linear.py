"""Law: ten times the input takes about ten times the steps. `nox -s security` measures times, of more inputs."""

from collections.abc import Callable
from functools import partial

import pytest

from mdpublish_core import parse, render, select_extensions
from mdpublish_core.figures.graphviz.repairs import repair as repair_graph
from mdpublish_core.figures.mermaid.repairs import repair as repair_diagram
from mdpublish_core.repair import repair
from mdpublish_core.testing import check_linear
from mdpublish_core.writers.outputs import DESTINATIONS

pytestmark = pytest.mark.corpora

SOURCES: dict[str, Callable[[int], str]] = {
    "paragraphs": lambda size: "*a* `b` [c](d) \n\n" * (size // 17),
    "items": lambda size: "- a\n" * (size // 4),
    "quotes": lambda size: "> a\n\n" * (size // 5),
    "rows": lambda size: "|a|b|\n|-|-|\n" + "|c|d|\n" * (size // 6),
    "code": lambda size: f"```py\n{'x = 1  # a' * (size // 10)}\n```\n",
    "notes": lambda size: "".join(f"a[^{number}]\n\n[^{number}]: b\n\n" for number in range(size // 20)),
    "elements": lambda size: "<kbd>a</kbd> <sub>b</sub>" * (size // 25),
    "one line": lambda size: "a" * size,
    "titles": lambda size: "> [!info]- *a* b\n\n" * (size // 18),
    "fences of colons": lambda size: ":::a\n" * 50 + ":::tip b\nc\n:::\n" * (size // 15),
    "tabs": lambda size: '=== "a"\n    b\n' * (size // 14),
    "sets of tabs": lambda size: '===! "a"\n    b\n' * (size // 15),
    "indented admonitions": lambda size: '!!! note "a"\n    b\n' * (size // 19),
    "wiki links": lambda size: "[[a|b]] ![[c.png]] [[" * (size // 21),
}
EXTENSIONS = select_extensions(["admonitions", "wikilinks"])


@pytest.mark.parametrize("destination", DESTINATIONS)
@pytest.mark.parametrize("name", SOURCES)
def test_work_of_renderers_grows_linearly_with_the_input(name: str, destination: str) -> None:
    # A text for Teams or Jira that needs parts is measured once more, for these: both sizes need some.
    characters = 5_000 if (name, destination) in {("rows", "teams"), ("items", "jira")} else 500
    work = partial(render, to=destination)
    check_linear(lambda size: parse(SOURCES[name](size), extensions=EXTENSIONS), work, characters=characters)


# What the parser could look for again and again.
ENDS: dict[str, Callable[[int], str]] = {
    "math in a quote that ends below": lambda size: "> $$a\n" * (size // 6) + ">\n> a$$",
    "math in quotes in each other": lambda size: "> $$a\n> > $$a\n> > > $$a\n" * (size // 24) + "\na$$",
    "math in items": lambda size: "- $$a\n  $$b\n" * (size // 12) + "\n  a$$",
    "math in one item": lambda size: "- a\n" + "  $$b\n" * (size // 6) + "\n  a$$",
}


@pytest.mark.parametrize("name", SOURCES | ENDS)
def test_work_of_the_parser_grows_linearly_with_the_input(name: str) -> None:
    check_linear((SOURCES | ENDS)[name], partial(parse, extensions=EXTENSIONS))


# What the scanners of repairs could read more than once.
DIAGRAMS: dict[str, Callable[[int], str]] = {
    "a label of brackets": lambda size: "flowchart TD\nA[" + "( " * (size // 2),
    "labels that may end twice": lambda size: "flowchart TD\n" + "A[(a) b] --> " * (size // 13),
    "labels without an end": lambda size: "flowchart TD\n" + "A[( ] --> " * (size // 10),
    "quotes without an end": lambda size: "flowchart TD\n" + 'A["x --> ' * (size // 9),
    "quoted labels of many lines": lambda size: "flowchart TD\n" + 'A["x\n' * (size // 5),
    "bars": lambda size: "flowchart TD\nA -->|" + "a|b" * (size // 3),
    "spaces": lambda size: "erDiagram\n" + " " * size,
    "participants": lambda size: "sequenceDiagram\n" + "".join(f"A({number})->>B: x\n" for number in range(size // 16)),
    "semicolons": lambda size: "sequenceDiagram\nA->>B: " + "a;" * (size // 2),
    "circles": lambda size: "mindmap\n  r" + "((" * (size // 2),
    "generics": lambda size: "classDiagram\n" + "List<" * (size // 5),
}


@pytest.mark.parametrize("name", DIAGRAMS)
def test_work_of_repairs_grows_linearly_with_the_diagram(name: str) -> None:
    check_linear(DIAGRAMS[name], repair_diagram)


GRAPHS: dict[str, Callable[[int], str]] = {
    "a label of brackets": lambda size: "digraph {\na [label=" + "[ " * (size // 2),
    "labels of two words": lambda size: "digraph {\n" + "a [x=y z] " * (size // 10),
    "strings": lambda size: "digraph {\n" + 'a [x="y" z"] ' * (size // 13),
    "quotes": lambda size: "digraph {\na [x=" + '" ' * (size // 2),
    "spaces": lambda size: "digraph {\na [x=y" + " " * size,
    "braces": lambda size: "digraph " + "{}" * (size // 2),
    "edges": lambda size: "digraph {" + "a-b -> " * (size // 7),
    "angle brackets": lambda size: "digraph {\n" + "a [x=<" * (size // 6),
}


@pytest.mark.parametrize("name", GRAPHS)
def test_work_of_repairs_grows_linearly_with_the_graph(name: str) -> None:
    check_linear(GRAPHS[name], repair_graph)


# What repairs could look for again and again; those of one line measure the parser, too.
SPOILED: dict[str, Callable[[int], str]] = {
    "bullets": lambda size: "• a\n" * (size // 4),
    "bullets that nest": lambda size: "".join(f"{' ' * (number % 40)}◦ a\n" for number in range(size // 24)),
    "bullets of every kind": lambda size: "• a\n◦ b\n– c\n■ d\n" * (size // 16),
    "numbers": lambda size: "".join(f"{number}、a\n" for number in range(1, size // 6)),
    "citations": lambda size: "a【1†b】 citeturn0search0" * (size // 24),
    "citations without an end": lambda size: "【1†" * (size // 3),
    "words in another encoding": lambda size: "â€™a " * (size // 5),
    "one word in another encoding": lambda size: "Ã©" * (size // 2),
    "words in another encoding between spaces": lambda size: "voilÃ  lâ€™Ã " * (size // 12),
    "repairs that meet": lambda size: "â€¢ â€™\u200b&amp;lt;\n" * (size // 18),
    "fences": lambda size: "```python\na\n" * (size // 12),
    "cut-off docstrings": lambda size: '```python\n"""\n\nThis is some prose here.\n' * (size // 40),
    "fences with prose": lambda size: "```python\na\n\nThis is some prose here.\n" * (size // 37),
    "buttons": lambda size: "python\nCopy code\na\n\n" * (size // 20),
    "buttons above fences": lambda size: "Copy\n\nEdit\n```\na\n```\n" * (size // 21),
    "blank lines above fences": lambda size: "\n" * (size // 2) + "```\n```\n" * (size // 16),
    "frames": lambda size: "┌──┬──┐\n│ a│ b│\n└──┴──┘\n" * (size // 24),
    "frames in a paragraph": lambda size: "a\n+--+--+\n| a| b|\n+--+--+\n" * (size // 26),
    "rulers": lambda size: "a   b\n--  --\n1   2\n\n" * (size // 20),
    "tabs": lambda size: "a\tb\tc\n" * (size // 6),
    "a wrapping fence with fences": lambda size: "```md\n" + "```a\n```\n" * (size // 9) + "```\n",
    "wrapping fences in each other": lambda size: "```md\n" * (size // 6),
    "indented lines": lambda size: "    ## a\n    - b\n" * (size // 17),
    "terminal lines": lambda size: "\n".join(["  " + "a b " * 18] * (size // 75)),
    "entities": lambda size: "&amp;amp;lt; " * (size // 12),
    "one entity": lambda size: "&" + "amp;" * (size // 4),
    "no-break spaces": lambda size: "a \u00a0b\n\n" * (size // 6),
    "spaces": lambda size: "a" + " " * size + "\u00a0b",
    "curly quotes": lambda size: "`a “b”` " * (size // 8),
    "headings": lambda size: "##a\n" * (size // 4),
    "rules": lambda size: "This is a whole sentence.\n---\n" * (size // 30),
    "bold lines": lambda size: "**a b**\n\n" * (size // 9),
    "formulas": lambda size: "$$\n\\a\n\n" * (size // 7),
    "formulas in a paragraph": lambda size: "a \\[\nb^2\n" * (size // 9),
    "words above rules": lambda size: "## a\n\na b c d\n---\n" * (size // 18),
}


@pytest.mark.parametrize("name", SPOILED)
def test_work_of_repairs_grows_linearly_with_the_text(name: str) -> None:
    check_linear(SPOILED[name], repair)
