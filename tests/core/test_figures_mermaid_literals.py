"""Text of labels that engines take for HTML or codes."""

import pytest

from mdpublish_core import convert
from mdpublish_core.figures.mermaid import render
from mdpublish_core.figures.mermaid.literals import without_unknown_codes, without_unknown_tags

from .test_figures_mermaid import request_of, words

pytestmark = pytest.mark.needs("mmdr", "resvg_py")

SHOWN = {
    "a type argument": ("flowchart LR\n A[Vec<u8>] --> B[Map<String, List<Int>>]", "Vec<u8> Map<String, List<Int>>"),
    "one with a name of HTML": ("flowchart LR\n A[List<Object>] -->|Array<Option>| B", "List<Object> Array<Option>"),
    "a placeholder": ('flowchart LR\n A["ssh <user>"]', "ssh <user>"),
    "a comparison": ("flowchart LR\n A[a < b] --> B{x <y> z} <==> C[p <= q]", "a < b x <y> z p <= q"),
    "members": ("classDiagram\n class A {\n +List<String> tags\n }\n A : +Set<T> f", "+List<String> +Set<T>"),
    "states": ("stateDiagram-v2\n A --> B : got Vec<u8>\n B : waits <n> s", "Vec<u8> <n>"),
    "a mindmap": ("mindmap\n  root\n    Vec<u8>", "Vec<u8>"),
    "titles": ('pie\n title About <x>\n "Vec<u8>" : 3', "<x> Vec<u8>"),
    "commits": ('gitGraph\n commit id: "Vec<u8>"', "Vec<u8>"),
    "a message": (
        "sequenceDiagram\n A->>B: f(List<String>) &lt; #1; #lt; #fff; end",
        "f(List<String>) < #1; < #fff; end",
    ),
    "relations": ('erDiagram\n A ||--o{ B : "has List<T>"', "List <T>"),
}


@pytest.mark.parametrize("name", SHOWN)
def test_unknown_tags_and_codes_are_shown(name: str) -> None:
    source, shown = SHOWN[name]

    output = render(request_of(source))

    assert output.svg is not None
    seen = "".join(words(output.svg).split())
    assert [word for word in shown.split() if word not in seen] == []


@pytest.mark.needs("merman")
def test_unknown_tags_and_codes_are_in_text() -> None:
    markdown = "```mermaid\nflowchart TD\n A[Vec<u8>] --> B[a <= b &amp; c #1;]\n B -->|Option<T>| C\n```\n"

    shown = convert(markdown, to="plain-text").text

    assert [word for word in ("Vec<u8>", "a <= b & c #1;", "Option<T>") if word not in shown] == []


@pytest.mark.needs("merman")
def test_codes_that_stand_for_nothing_are_shown_in_text() -> None:
    markdown = "```mermaid\nsequenceDiagram\n A->>B: id = #1; and &lt;\n```\n"

    assert "id = #1; and <" in convert(markdown, to="plain-text").text


@pytest.mark.parametrize(
    "source",
    [
        "class A <<interface>>",
        "A <--> B",
        "A <|-- B",
        "one<br>two",
        "<b>x</b>",
        "A <-.-> B",
        "A <==> B",
        "state f <<fork>>",
        "a <- copies - b",
    ],
)
def test_tags_and_arrows_stay(source: str) -> None:
    assert without_unknown_tags(source) == source


@pytest.mark.parametrize(
    "source", ["#35; #lt; #quot;", "style A fill:#fff;", "%%{init: {'a': '#f00;'}}%%", "#42;", "# 1;"]
)
def test_codes_and_colors_stay(source: str) -> None:
    assert without_unknown_codes(source) == source


@pytest.mark.needs("merman")
def test_arrows_of_grammars_stay() -> None:
    grammar = 'railroad-peg-beta\nExpression <- Term ("<b>" Term)* ;\nTerm <- "0" / "1" ;\n'

    output = render(request_of(grammar))

    assert output.svg is not None
    assert "<b>" in words(output.svg)
