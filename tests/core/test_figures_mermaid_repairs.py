"""Slips as assistants make them: drawn from a repaired line, or reported with the right one."""

import sys
from collections.abc import Iterator

import pytest

from mdpublish_core import convert
from mdpublish_core.figures import mermaid
from mdpublish_core.figures.errors import FigureError, SourceRefused
from mdpublish_core.figures.mermaid import refusals, render
from mdpublish_core.figures.mermaid.repairs import repair, repair_misread
from mdpublish_core.figures.mermaid.repairs.lines import repair_lines
from mdpublish_core.figures.mermaid.sources import MermaidSource, parse_source
from mdpublish_core.figures.refusals import render_repaired
from mdpublish_core.figures.repairs import MAX_EXCERPT, MAX_REPAIRS, Draft, Repair
from mdpublish_core.figures.request import EngineOutput, FigureTheme

from .test_figures_mermaid import LIGHT, TYPES, request_of, words

pytestmark = pytest.mark.needs("mmdr", "resvg_py")

FLOW = "flowchart TD\n    {}\n    y --> z"

# Source, number and text of the repaired line, and words in the rendering.
REPAIRED = {
    "a subgraph that was cut": ("flowchart TD\nA\nsubgraph s\nA --> B\nB --> C\n", 5, "B --> C\nend", "s A B C"),
    "a loop that was cut": ("sequenceDiagram\nloop x\nA->>B: x\nloop y\nA->>B: y\nend\n", 6, "end\nend", "x y"),
    "an alternative that was cut": ("sequenceDiagram\nA->>B: x\nalt ok\nB-->>A: y", 4, "B-->>A: y\nend", "ok y"),
    "two blocks that were cut": (
        "sequenceDiagram\nloop x\nopt y\nA->>B: x\nA->>B: y\n",
        5,
        "A->>B: y\nend\nend",
        "x y",
    ),
    "a state that was cut": ("stateDiagram-v2\nstate X {\na --> b\nb --> c", 4, "b --> c\n}", "X a b c"),
    "a time in a task of a journey": (
        "journey\nsection Morning\nMake tea at 09:30: 5: Me",
        3,
        "Make tea at 09#58;30: 5: Me",
        "tea 09:30 Me",
    ),
    "a colon in a task of a journey": (
        "journey\nsection Day\nStep 1: read mail: 4: Anna, Bo",
        3,
        "Step 1#58; read mail: 4: Anna, Bo",
        "1: read mail Anna Bo",
    ),
    "a URL in a task of a journey": (
        "journey\nsection Day\nOpen http://x.org: 3",
        3,
        "Open http#58;//x.org: 3",
        "http://x.org",
    ),
    "a time before a score without people of a journey": (
        "journey\nsection Day\nCall 9:00: 5",
        3,
        "Call 9#58;00: 5",
        "Call 9:00",
    ),
    "a word of cardinalities as a label": ("erDiagram\nA ||--o{ B : to", 2, 'A ||--o{ B : "to"', "A B to"),
    "a word of cardinalities as an entity": ("erDiagram\none ||--o{ B : x", 2, '"one" ||--o{ B : x', "one B x"),
    "a type in a type": (
        "classDiagram\nclass People<List<Person>> {\n+int x\n}\nclass Foo (old)",
        2,
        "class People~List~Person~~ {",
        "People<List<Person>>",
    ),
    "words before brackets in a mindmap": (
        "mindmap\n  root((r))\n    Surveys (n=40)",
        3,
        '["Surveys (n=40)"]',
        "Surveys (n=40)",
    ),
    "round brackets": (FLOW.format("A[Parse (v2)]"), 2, 'A["Parse (v2)"]', "Parse (v2)"),
    "square brackets in a diamond": (FLOW.format("B{is x[0] ok?}"), 2, 'B{"is x[0] ok?"}', "is x[0] ok?"),
    "square brackets in a box": (FLOW.format("A[arr[0]] --> B[c]"), 2, 'A["arr[0]"] --> B[c]', "arr[0] c"),
    "braces": (FLOW.format("A[{json: 1}] --> B"), 2, 'A["{json: 1}"] --> B', "{json: 1}"),
    "a bracket and a rounded box": (FLOW.format("A(call f(x)) --> B"), 2, 'A("call f(x)") --> B', "call f(x)"),
    "a rectangle that begins with a bracket": (FLOW.format("A[(a) b] --> B[c]"), 2, 'A["(a) b"] --> B[c]', "(a) b c"),
    "every other shape": (
        FLOW.format(
            "A([a (b)]) --> B[(c (d))] --> C((e (f))) --> D{{g (h)}} --> E[/i (j)/] --> F>k (l)] --> G[[m (n)]]"
        ),
        2,
        'A(["a (b)"]) --> B[("c (d)")] --> C(("e (f)")) --> D{{"g (h)"}} --> E[/"i (j)"/] --> F>"k (l)"] --> G[["m (n)"]]',
        "a (b) c (d) e (f) g (h) i (j) k (l) m (n)",
    ),
    "quotes in quotes": (FLOW.format('C["say "hi""]'), 2, 'C["say #quot;hi#quot;"]', 'say "hi"'),
    "escaped quotes": (FLOW.format('C["say \\"hi\\""]'), 2, 'C["say #quot;hi#quot;"]', 'say "hi"'),
    "quotes in a label": (FLOW.format('C[say "hi" now]'), 2, 'C["say #quot;hi#quot; now"]', 'say "hi" now'),
    "curly quotes around brackets": (FLOW.format("C[“x (y)”]"), 2, 'C["x (y)"]', "x (y)"),
    "a bar": (FLOW.format("A[a|b] --> B"), 2, 'A["a|b"] --> B', "a|b"),
    "an at sign": (FLOW.format("A[me@example.com] --> B"), 2, 'A["me@example.com"] --> B', "me@example.com"),
    "a path": (FLOW.format("A[/api/users] --> B"), 2, 'A["/api/users"] --> B', "/api/users"),
    "a break": (FLOW.format("A[one<br/>(two)]"), 2, 'A["one<br/>(two)"]', "one (two)"),
    "an arrow in a label": (FLOW.format("A[a (b) → c] --> B"), 2, 'A["a (b) → c"] --> B', "a (b) → c"),
    "a label with a colon": (FLOW.format("A[note: f(x)] --> B"), 2, 'A["note: f(x)"] --> B', "note: f(x)"),
    "a class": (FLOW.format("A[f(x)]:::big --> B"), 2, 'A["f(x)"]:::big --> B', "f(x)"),
    "several nodes": (FLOW.format("A[f(x)] & B[g(y)] --> C"), 2, 'A["f(x)"] & B["g(y)"] --> C', "f(x) g(y)"),
    "a label beside a right one": (
        FLOW.format('A["a [b] --> c"] --> B[f(x)]'),
        2,
        'A["a [b] --> c"] --> B["f(x)"]',
        "f(x)",
    ),
    "the label of a link": (FLOW.format("A -->|a (b)| C"), 2, 'A -->|"a (b)"| C', "a (b)"),
    "a bar in the label of a link": (FLOW.format("A -->|x|y| C"), 2, 'A -->|"x|y"| C', "x|y"),
    "quotes in the text of a link": (
        FLOW.format('A -- say "hi" --> C'),
        2,
        'A -- "say #quot;hi#quot;" --> C',
        'say "hi"',
    ),
    "the title of a subgraph": (
        "flowchart TD\nsubgraph s [Backend (API)]\nA\nend",
        2,
        'subgraph s ["Backend (API)"]',
        "Backend (API)",
    ),
    "one line": ("graph TD; A-->B; B-->C[x (y)]; C-->D", 1, 'graph TD; A-->B; B-->C["x (y)"]; C-->D', "x (y)"),
    "a missing quote": (FLOW.format('A["x (y)] --> B'), 2, 'A["x (y)"] --> B', "x (y)"),
    "spaces around quotes": (FLOW.format('A[ "x (y)" ]'), 2, 'A["x (y)"]', "x (y)"),
    "brackets that do not match": (FLOW.format("A[1) one] --> B(two])"), 2, 'A["1) one"] --> B(two)', "1) one two"),
    "Chinese": (
        FLOW.format("开始[开始 (x)] --> 结束{好吗 [y]?}"),
        2,
        '开始["开始 (x)"] --> 结束{"好吗 [y]?"}',
        "开始 (x) 好吗 [y]?",
    ),
    "a link's label after a colon": (FLOW.format("A --> B: f(x)"), 2, 'A --> |"f(x)"| B', "f(x)"),
    "an arrow after a link's label": (FLOW.format("A -->|yes|> B"), 2, "A -->|yes| B", "yes"),
    "a node named end": (FLOW.format("A --> end"), 2, 'A --> end_["end"]', "end"),
    "a labelled node named end": (FLOW.format("A --> end[Done]"), 2, "A --> end_[Done]", "Done"),
    "a Unicode arrow": (FLOW.format("A → B"), 2, "A --> B", "A B"),
    "an en dash": (FLOW.format("A \u2013> B"), 2, "A --> B", "A B"),
    "a short arrow": (FLOW.format("A -> B"), 2, "A --> B", "A B"),
    "two heads on an arrow": (FLOW.format("A -->> B[x]"), 2, "A --> B[x]", "A x"),
    "a colon in a title": ("---\ntitle: One: two\n---\nflowchart TD\nA", 2, 'title: "One: two"', "One: two A"),
    "a quote before a title": ('---\ntitle: "One\n---\nflowchart TD\nA', 2, 'title: "One"', "One A"),
    "a double arrow": (FLOW.format("A => B"), 2, "A ==> B", "A B"),
    "a hash before a comment": (FLOW.format("# a comment"), 2, "%% a comment", "y"),
    "slashes before a comment": (FLOW.format("A --> B // a comment"), 2, "A --> B %% a comment", "A B"),
    "a fence": ("```mermaid\nflowchart TD\nA --> B", 1, "", "A B"),
    "front matter": ("---\ntitle: T\n---\n%% c\nflowchart TD\nA[f(x)]", 6, 'A["f(x)"]', "f(x)"),
    "carriage returns": ("flowchart TD\r\nA --> B\r\nB --> C[f(x)]\r\n", 3, 'B --> C["f(x)"]', "f(x)"),
    "tabs and hard spaces": ("flowchart TD\n\tA\u00a0--> B[f(x)]", 2, 'A --> B["f(x)"]', "f(x)"),
    "a semicolon in a message": ("sequenceDiagram\nA->>B: a; b", 2, "A->>B: a#59; b", "a; b"),
    "a semicolon in a note": ("sequenceDiagram\nNote over A: a; b", 2, "Note over A: a#59; b", "a; b"),
    "a participant with brackets": (
        "sequenceDiagram\nparticipant API (v2)\nAPI (v2)->>B: x",
        2,
        "participant API_v2 as API (v2)",
        "API (v2) x",
    ),
    "a participant that is not declared": (
        "sequenceDiagram\nAPI (v2)->>B: x",
        2,
        "participant API_v2 as API (v2); API_v2->>B: x",
        "API (v2) x",
    ),
    "a participant named by its label": (
        "sequenceDiagram\nparticipant A as API (v2)\nAPI (v2)->>B: x",
        3,
        "A->>B: x",
        "API (v2) x",
    ),
    "a participant named end": ("sequenceDiagram\nA->>end: x", 2, "participant end_ as end; A->>end_: x", "end x"),
    "a message without a text": ("sequenceDiagram\nA->>B\nB->>A: c", 2, "A->>B:", "A B c"),
    "a Unicode arrow in a sequence": ("sequenceDiagram\nA → B: x", 2, "A->>B: x", "A B x"),
    "quotes in a state": (
        'stateDiagram-v2\nstate "a "b" c" as X\nX --> Y',
        2,
        'state "a #quot;b#quot; c" as X',
        'a "b" c',
    ),
    "a generic class": ("classDiagram\nclass List<T> {\n+x\n}", 2, "class List~T~ {", "List<T>"),
    "a class with a remark": (
        "classDiagram\nclass User (admin)\nUser <|-- B",
        2,
        'class User["User (admin)"]',
        "User (admin)",
    ),
    "quotes in a class": ('classDiagram\nclass A["Say "x""]', 2, 'class A["Say #quot;x#quot;"]', 'Say "x"'),
    "two words on a relationship": (
        "erDiagram\nA ||--o{ B : places many",
        2,
        'A ||--o{ B : "places many"',
        "places many",
    ),
    "brackets on a relationship": ("erDiagram\nA ||--o{ B : has (1)", 2, 'A ||--o{ B : "has (1)"', "has (1)"),
    "no text on a relationship": ("erDiagram\nA ||--o{ B", 2, 'A ||--o{ B : ""', "A B"),
    "an entity with brackets": ("erDiagram\nA (x) ||--o{ B : c", 2, '"A (x)" ||--o{ B : c', "A (x)"),
    "a constraint": ("erDiagram\nA {\nint id UNIQUE\n}", 3, 'int id "UNIQUE"', "id UNIQUE"),
    "two keys": ("erDiagram\nA {\nint id PK FK\n}", 3, "int id PK, FK", "id"),
    "brackets in a mindmap's circle": ("mindmap\n  root((Idea (big)))", 2, 'root(("Idea (big)"))', "Idea (big)"),
    "brackets in a mindmap's box": ("mindmap\n  root\n    a[x [y]]", 3, 'a["x [y]"]', "x [y]"),
    "brackets in a mindmap's text": ("mindmap\n  root\n    e (f) g", 3, '["e (f) g"]', "e (f) g"),
    "a type in capitals": ("Flowchart LR\nA --> B", 1, "flowchart LR", "A B"),
    "a type in small letters": ("sequencediagram\nA->>B: x", 1, "sequenceDiagram", "A B x"),
    "a colon after the type": ("sequenceDiagram:\nA->>B: x", 1, "sequenceDiagram", "A B x"),
    "a colon after the direction": ("graph TD:\nA --> B", 1, "graph TD", "A B"),
    "a comment after the direction": ("graph TD // main\nA --> B", 1, "graph TD %% main", "A B"),
    "quotes around the direction": ('graph "LR"\nA --> B', 1, "graph LR", "A B"),
    "links without a type": ("A[one] --> B\nB --> C", 1, "flowchart TD; A[one] --> B", "one B C"),
    "messages without a type": ("Ann->>Bob: hi", 1, "sequenceDiagram; Ann->>Bob: hi", "Ann Bob hi"),
    "keywords as ids": ("flowchart TD\na --> class", 2, 'a --> class_["class"]', "a class"),
    "a keyword before a link": ("flowchart TD\ngraph --> a", 2, 'graph_["graph"] --> a', "a graph"),
    "a keyword with a label": ("flowchart TD\na --> click[Here]", 2, "a --> click_[Here]", "a Here"),
    "a time in a timeline": ("timeline\n09:30 : Tea", 2, "09#58;30 : Tea", "09:30 Tea"),
    "a colon in the name of a task": (
        "gantt\ndateFormat YYYY-MM-DD\nA :a1, 2024-01-01, 9d\nTask B: details   :after a1, 20d",
        4,
        "Task B#58; details   :after a1, 20d",
        "Task B: details",
    ),
    "a semicolon in a quadrant": (
        "quadrantChart\nquadrant-1 Plan; later\nA: [0.1, 0.2]",
        2,
        "quadrant-1 Plan#59; later",
        "Plan; later",
    ),
    "a decimal comma in a pie": ('pie showData\n"a" : 10,5\n"b" : 4', 2, '"a" : 10.5', "10.5"),
    "thousands in a pie": ('pie showData\n"a" : 1,200\n"b" : 400', 2, '"a" : 1200', "1200"),
    "a slice without quotes": ('pie\n"a" : 3\nb c : 4', 3, '"b c" : 4', "b c"),
    "percent signs in a pie": ('pie\n"a" : 60%\n"b" : 40', 2, '"a" : 60', "a b"),
    "a commit without quotes": ("gitGraph\ncommit id: first", 2, 'commit id: "first"', "first"),
    "a branch with brackets": ("gitGraph\ncommit\nbranch new (x)\ncommit", 3, 'branch "new (x)"', "new (x)"),
    "a semicolon in a journey": ("journey\nsection a\nx; y: 5: Me", 3, "x#59; y: 5: Me", "x; y"),
    "a title of two words": ("xychart-beta\ntitle Sales (1)\nbar [1, 2]", 2, 'title "Sales (1)"', "Sales (1)"),
    "categories of two words": (
        "xychart-beta\nx-axis [Jan (1), Feb]\nbar [1, 2]",
        2,
        'x-axis ["Jan (1)", Feb]',
        "Jan (1)",
    ),
    "an id of two words": ("flowchart TD\nA --> other node[Two]\nB --> C", 2, "A --> other_node[Two]", "Two"),
    "a subgraph in a subgraph without end": (
        "flowchart TD\n  subgraph a\n    subgraph b\n      loop --> x\n  end\n  y",
        4,
        "loop --> x\n    end",
        "loop x",
    ),
    "an end without a subgraph": ("flowchart TD\nA --> B\nend\nB --> C", 3, "%% end", "A B C"),
    "nobody active": ("sequenceDiagram\nA->>B: x\ndeactivate B\nA->>B: z", 3, "%% deactivate B", "x z"),
    "a class without end": ("classDiagram\nclass A {\n+x\nA --> B", 3, "+x\n}", "A x B"),
    "a name of two words": ("erDiagram\nA {\nstring full name\nint id\n}", 3, "string full_name", "full_name id"),
    "two roots": ("mindmap\n a\n b\n c", 3, "b", "a b c"),
}

# Source, the wrong line, and a part of the message.
REPORTED = {
    "a label without an end": (
        "flowchart TD\nA[Start (x --> B\nB --> C[End]",
        2,
        "label `Start (x --> B` has no closing bracket",
    ),
    "words": ("flowchart TD\nA --> B\nthis is no statement\nC --> D", 3, "unexpected identifier"),
    "a list": ("flowchart TD\n- A --> B\n- B --> C", 2, "unexpected character '-'"),
    "a backslash": ("flowchart TD\nA[→] --> B\nB --> C \\\nC --> D", 3, r"unexpected character '\\'"),
    "a link too many": ("flowchart TD\nA --> B\nC ---> ---> D\nD --> E", 3, "unexpected edge operator"),
    "a link that does not exist": ("flowchart TD\nA --> B\nlinkStyle 5 stroke:#f00\nB --> C", 3, "linkStyle"),
    "a shape that does not exist": ("flowchart TD\nA\nB@{ shape: nosuch }\nC", 3, "nosuch"),
    "an error beside a repair": ("flowchart TD\nA[f(x)] --> B\nthis is wrong\nC --> D", 3, "unexpected identifier"),
    "front matter": (
        "---\ntitle: x\n---\n%%{init: {'theme': 'forest'}}%%\nflowchart TD\nA\nB C\nD",
        7,
        "unexpected identifier",
    ),
    "wrong front matter": (
        "---\ntitle: x\nconfig:\n  a: b: c\n---\nflowchart TD\nA",
        4,
        "mapping values are not allowed",
    ),
    "no type": ("\nfoobar\nA --> B", 2, "unknown diagram type 'foobar'"),
    "a title behind the direction": ("flowchart TD: My title\nA --> B", 1, "unexpected character ':'"),
    "no message": ("sequenceDiagram\nA->>B: x\nbogus\nA->>B: y", 3, "unexpected end of line"),
    "a state without end": ("stateDiagram-v2\nstate A {\nx --> y\nA --> C", 2, "this block is not closed"),
    "a name with brackets": (
        "erDiagram\nA {\nstring full name (short) PK\n}\nA ||--|| B : x",
        3,
        "a name of one word",
    ),
    "half a cardinality": ("erDiagram\nA ||-o{ B : x\nA ||--|| B : x", 2, "expected identifying"),
    "a bad date": (
        "gantt\ndateFormat YYYY-MM-DD\nA :a, 2024-01-01, 9d\nB :b, 2024-13-45, 9d\nC :c, after b, 3d",
        4,
        "'2024-13-45'",
    ),
    "no date": ("gantt\ndateFormat YYYY-MM-DD\nA :a, Jan 5, 9d\nB :after a, 9d", 3, "invalid date 'Jan 5'"),
    "a task without a colon": ("gantt\nA 2024-01-01, 9d\nB :b, 2024-01-01, 9d", 2, "unrecognized statement"),
    "a negative slice": ('pie\n"a" : 3\n"b" : -4\n"c" : 1', 3, "Negative values"),
    "a point outside": ("quadrantChart\nA: [0.3, 0.6]\nB: [3, 0.6]\nC: [0.1, 0.1]", 3, "point coordinate"),
    "no such branch": ("gitGraph\ncommit\ncheckout nosuch\ncommit", 3, "not yet created"),
}


@pytest.fixture(params=[pytest.param("merman", marks=pytest.mark.needs("merman")), "mmdr"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Each engine, with the same expectations."""
    if request.param == "mmdr":
        monkeypatch.setitem(sys.modules, "merman", None)
        monkeypatch.delitem(sys.modules, "mdpublish_core.figures.mermaid.merman_engine", raising=False)
    mermaid._engine.cache_clear()
    yield request.param
    mermaid._engine.cache_clear()


def only_repair(source: str) -> tuple[Repair, str]:
    output = render(request_of(source))
    (repair,) = output.repairs[:1]
    assert output.svg is not None
    return repair, " ".join(words(output.svg).split())


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("name", REPAIRED)
def test_slip_is_repaired_on_its_line(name: str) -> None:
    source, line, corrected, shown = REPAIRED[name]

    repair, seen = only_repair(source)

    assert (repair.line, repair.line_text.strip().replace("\u00a0", " ")) == (line, corrected)
    assert [word for word in shown.split() if word not in seen] == []


@pytest.mark.parametrize(
    ("written", "number"),
    {
        "10,5": "10.5",
        "1,200": "1200",
        "1.200": "1.200",
        "1.234,5": "1234.5",
        "1,234.5": "1234.5",
        "1.200.300": "1200300",
        "1\u202f200,5": "1200.5",
        "1'200": "1200",
    }.items(),
)
def test_number_of_a_slice_keeps_its_value(written: str, number: str) -> None:
    draft = Draft(["pie", f'"a" : {written} %'])

    repair_lines(draft, 0, "pie")

    assert draft.lines[1] == f'"a" : {number}'


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("name", REPORTED)
def test_error_that_cannot_be_repaired_is_reported_with_its_line(name: str) -> None:
    source, line, problem = REPORTED[name]

    with pytest.raises(FigureError) as caught:
        render(request_of(source))

    assert caught.value.line == line
    assert problem in caught.value.problem
    assert caught.value.line_text == source.split("\n")[line - 1].strip()


@pytest.mark.usefixtures("engine")
def test_diagram_that_is_drawn_as_written_is_not_repaired() -> None:
    sources = [*(source for source, _ in TYPES.values()), "mindmap\n  root\n    First(a)"]

    assert [source for source in sources if render(request_of(source)).repairs] == []


def test_text_form_is_that_of_the_repaired_source(engine: str) -> None:
    output = render(request_of("flowchart LR\nA[f(x)] --> B", "text"))

    assert output.repairs
    assert (output.plain_text is not None) == (engine == "merman")
    assert "f(x)" in (output.plain_text or "f(x)")


@pytest.mark.usefixtures("engine")
def test_repairs_that_do_not_help_leave_the_authors_line() -> None:
    with pytest.raises(FigureError) as caught:
        render(request_of("flowchart TD\nA[f(x)] B[g(y)]\nC --> D"))

    assert (caught.value.line, caught.value.line_text) == (2, "A[f(x)] B[g(y)]")
    assert caught.value.problem == "the label must be in double quotes"


def test_many_repairs_are_reported_up_to_a_limit() -> None:
    source = "flowchart TD\n" + "\n".join(f"n{number}[f({number})]" for number in range(2 * MAX_REPAIRS))

    assert [repair.line for repair in render(request_of(source)).repairs] == list(range(2, MAX_REPAIRS + 2))


def test_long_line_is_shown_around_its_repair() -> None:
    source = "graph TD; " + "".join(f"a{number} --> b{number}; " for number in range(100)) + "c[f(x)]; d --> e"

    repair, _ = only_repair(source)

    assert 'c["f(x)"]' in repair.excerpt
    assert len(repair.excerpt) <= MAX_EXCERPT + 2


@pytest.mark.parametrize(
    "source", ["flowchart TD\nA[f(x) \x1b[31m\u202e\ud800]", "flowchart TD\nA B \x1b[31m\u202e\ud800"]
)
def test_controls_of_a_terminal_are_not_in_a_message(source: str) -> None:
    try:
        shown = render(request_of(source)).repairs[0].excerpt
    except FigureError as error:
        shown = error.line_text + error.problem

    assert "\ufffd" in shown
    assert not set(shown) & {"\x1b", "\u202e", "\ud800"}


LONG_SOURCE = parse_source("\n".join(("flowchart TD", *(f"n{number} --> m{number}" for number in range(500)))))


def test_error_is_located_in_few_steps() -> None:
    checked: list[str] = []

    def check(source: MermaidSource, _: FigureTheme) -> None:
        checked.append(source.content)
        if "n321 " in source.content:
            raise FigureError("wrong")

    assert refusals.find_line(LONG_SOURCE, LIGHT, "wrong", check, 10**6) == 322
    assert len(checked) <= 11


def test_error_of_a_long_source_is_not_located_at_any_cost() -> None:
    def check(*_: object) -> None:
        raise FigureError("wrong")

    assert refusals.find_line(LONG_SOURCE, LIGHT, "wrong", check, 10_000) is None


def test_notices_show_the_repaired_line_and_the_wrong_one() -> None:
    repaired = "> ```mermaid\n> flowchart LR\n>   A[Start] --> B[Parse (v2)]\n> ```\n"
    conversion = convert(f"# T\n\n{repaired}\n```mermaid\nflowchart LR\n  A --> B\n  B C\n  D\n```\n")

    assert conversion.html.count("<svg ") == 1
    assert [(notice.code, notice.line, notice.message, notice.fix) for notice in conversion.notices] == [
        (
            "figure-repaired",
            5,
            "the mermaid figure was drawn from a corrected line: a label with brackets must be in double quotes",
            'A[Start] --> B["Parse (v2)"]',
        ),
        ("figure-failed", 11, "the mermaid figure is shown as its source: unexpected identifier, in `B C`", None),
    ]


def test_shapes_of_a_mindmap_directly_after_their_ids_stay() -> None:
    source = 'mindmap\n  root (Top)\n    a[One]\n    b("Two (2)")\n    c((Three))\n    Four\n    %% five (5)\n'

    output = render(request_of(source, "svg"))

    assert output.repairs == ()
    assert output.svg is not None
    assert all(label in output.svg for label in ("Top", "One", "Two", "Three", "Four"))


@pytest.mark.needs("merman")
def test_break_in_a_note_is_no_type() -> None:
    """Another line is refused, so all lines are checked for types without tildes."""
    source = 'classDiagram\nclass Foo (legacy)\nclass Bar {\n+List<int> x\n}\nnote for Bar "one<br>two"'
    output = render(request_of(source))

    assert [repair.line for repair in output.repairs] == [2]
    assert output.svg is not None
    assert "~" not in " ".join(words(output.svg).split())


@pytest.mark.needs("merman")
def test_repair_that_loses_a_word_is_not_made() -> None:
    note = "sequenceDiagram\nA->>C: x\nNote over A,Bob,C: all agree"

    with pytest.raises(FigureError):
        render(request_of(note))
    assert [repair.line for repair in render(request_of(note + "\nA->>Bob: y")).repairs] == [3]


@pytest.mark.needs("merman")
@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("classDiagram\nclass Foo (legacy)\nclass Bar {\n+List<int> x\n}", [2]),
        ("classDiagram\nclass Foo (legacy)\nclass Bar (new)", [2, 3]),
        ("mindmap\n  root((P))\n  Plan\n    Scope\n  Build", [3, 4, 5]),
    ],
)
def test_repairs_change_only_lines_that_are_refused(source: str, lines: list[int]) -> None:
    assert [repair.line for repair in render(request_of(source)).repairs] == lines


@pytest.mark.parametrize("link", ["o--o", "x--x", "o-. text .-o", "x==x"])
def test_head_at_the_start_of_a_link_is_no_part_of_a_name(link: str) -> None:
    draft = repair(f'flowchart TD\nA[a "b"]\nB {link} C')

    assert draft.lines[1:] == ['A["a #quot;b#quot;"]', f"B {link} C"]


@pytest.mark.parametrize(
    ("written", "repaired"),
    [
        ('a -->|"may be"| b', 'a -- "may be" --> b'),
        ("a ==>|may be| b", 'a == "may be" ==> b'),
        ("a -.->|may be| b", 'a -. "may be" .-> b'),
    ],
)
def test_label_of_a_block_link_keeps_its_dots_and_width(written: str, repaired: str) -> None:
    source = f"block\na b\n{written}"

    assert repair_misread(source, parse_source(source)).content == f"block\na b\n{repaired}"


@pytest.mark.parametrize(("length", "readings"), [(10, 4), (40_000, 0)])
def test_repairs_are_taken_back_only_where_reading_is_cheap(length: int, readings: int) -> None:
    draft = Draft(["a", "b", "c", "x" * length])
    for index in range(3):
        draft.correct(index, f"{index}", "wrong")
    read: list[str] = []

    def read_all(content: str) -> str:
        read.append(content)
        return "the same"

    output = render_repaired(
        draft,
        SourceRefused("refused"),
        lambda _: EngineOutput(),
        read_all,
        lambda _, refusal: refusal,
    )

    assert len(read) == readings
    assert len(output.repairs) == (0 if readings else 3)
