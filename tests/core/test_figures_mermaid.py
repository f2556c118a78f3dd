import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

import pytest
from lxml import etree

from mdpublish_core.errors import MissingExtra
from mdpublish_core.figures import mermaid
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.mermaid import render, sources
from mdpublish_core.figures.mermaid.errors import to_figure_error
from mdpublish_core.figures.mermaid.sources import parse_source
from mdpublish_core.figures.request import MAX_COLUMNS, EngineOutput, FigureRequest, FigureTheme
from tests.visual.mermaid_diagrams import our_diagrams

pytestmark = pytest.mark.needs("mmdr", "resvg_py")

LIGHT = FigureTheme(
    background="#ffffff",
    text_color="#1f2328",
    muted="#59636e",
    accent="#0969da",
    surface="#f3f5f8",
    rule="#d1d9e0",
    series=("#0969da", "#b27e1b", "#c95e9a", "#18a07a", "#643696", "#495b0e", "#94230e", "#0d5d6a"),
    font=("Segoe UI", "Arial", "sans-serif"),
    is_dark=False,
)
DARK = replace(
    LIGHT, background="#0d1117", text_color="#e6edf3", muted="#9198a1", surface="#151b23", rule="#3d444d", is_dark=True
)

# A diagram of each type, and words in its rendering.
TYPES = {
    "flowchart": ("flowchart LR\nA[Draft] -->|send| B{Good?}\nsubgraph s [Desk]\nB\nend", "Draft send Good? Desk"),
    "sequence": ("sequenceDiagram\nparticipant A as Reader\nA->>B: Asks\nNote over A,B: Once", "Reader Asks Once"),
    "class": ("classDiagram\nShape <|-- Circle : is\nclass Shape {\n+area() int\n}", "Shape Circle is"),
    "state": ("stateDiagram-v2\n[*] --> Idle\nIdle --> Busy : job\nnote right of Idle : Waits", "Idle Busy job Waits"),
    "er": ("erDiagram\nBUYER ||--o{ ORDER : places\nBUYER {\nstring name PK\n}", "BUYER ORDER places name"),
    "pie": ('pie showData title Pets\n"Dogs" : 3\n"Cats" : 1', "Pets Dogs [3] 75%"),
    "gantt": ("gantt\ntitle Plan\ndateFormat YYYY-MM-DD\nsection Work\nBuild :a, 2024-01-01, 9d", "Plan Work Build"),
    "journey": ("journey\ntitle Day\nsection Home\nSleep: 5: Me", "Day Home Sleep Me"),
    "mindmap": ("mindmap\n  root((Idea))\n    First\n    Second", "Idea First Second"),
    "timeline": ("timeline\ntitle Past\n2004 : Founded : Grown", "Past 2004 Founded Grown"),
    "quadrant": ("quadrantChart\ntitle Reach\nx-axis Low --> High\nOurs: [0.3, 0.6]", "Reach Low High Ours"),
    "git": ('gitGraph\ncommit id: "one"\nbranch side\ncommit tag: "v1"', "one side v1 main"),
}


def request_of(source: str, *forms: str, theme: FigureTheme = LIGHT) -> FigureRequest:
    requested_forms = frozenset(form for form in ("svg", "png", "text") if form in (forms or ("svg",)))
    return FigureRequest(kind="mermaid", source=source, theme=theme, forms=requested_forms)


def render_svg(source: str, *, theme: FigureTheme = LIGHT) -> str:
    svg = render(request_of(source, theme=theme)).svg
    assert svg is not None
    return svg


def words(svg: str) -> str:
    root = etree.fromstring(svg.encode())
    return " ".join(" ".join(map(str, text_element.itertext())) for text_element in root.iter("{*}text"))


@pytest.fixture(params=[pytest.param("merman", marks=pytest.mark.needs("merman")), "mmdr"])
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Each engine. mmdr is used where merman cannot be imported."""
    if request.param == "mmdr":
        monkeypatch.setitem(sys.modules, "merman", None)
        monkeypatch.delitem(sys.modules, "mdpublish_core.figures.mermaid.merman_engine", raising=False)
    mermaid._engine.cache_clear()
    yield request.param
    mermaid._engine.cache_clear()


@pytest.mark.parametrize("name", TYPES)
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_each_type_is_drawn_by_each_engine(engine: str, name: str, theme: FigureTheme) -> None:
    source, shown = TYPES[name]

    seen = words(render_svg(source, theme=theme))

    assert [word for word in shown.split() if word not in seen] == [], engine


@pytest.mark.parametrize("name", TYPES)
def test_same_source_gives_same_bytes(name: str) -> None:
    assert render_svg(TYPES[name][0]) == render_svg(TYPES[name][0])


def test_merman_is_preferred_and_mmdr_is_the_fallback(engine: str) -> None:
    assert mermaid._engine().__name__.endswith(f"{engine}_engine")


def test_without_any_engine_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("merman", "mmdr", "mmdr._mmdr"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("merman_engine", "mmdr_engine"):
        monkeypatch.delitem(sys.modules, f"mdpublish_core.figures.mermaid.{name}", raising=False)
    mermaid._engine.cache_clear()

    with pytest.raises(MissingExtra, match=r"mmdr.*mdpublish-core\[figures\]"):
        render(request_of(TYPES["pie"][0]))


def test_accessible_title_and_description_are_returned() -> None:
    output = render(
        request_of("---\ntitle: Front\n---\nflowchart LR\naccTitle: The way\naccDescr {\n Of a\n text\n}\nA-->B")
    )

    assert (output.title, output.description) == ("The way", "Of a text")


def test_description_of_one_line_is_returned() -> None:
    assert render(request_of('pie\naccDescr: Two pets\n"a": 1')).description == "Two pets"


@pytest.mark.usefixtures("engine")
def test_title_of_front_matter_is_the_fallback_and_is_shown() -> None:
    output = render(request_of('---\ntitle: "The way"\n---\nflowchart LR\nA-->B'))

    assert output.title == "The way"
    assert output.svg is not None
    assert "The way" in words(output.svg)


@pytest.mark.needs("merman")
@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("sequenceDiagram\nA->>B: x\nbogus\nA->>B: y", 3),
        ('---\ntitle: x\n---\npie\n"a": x', 5),
        ("erDiagram\nA ||--o B : x", 2),
        ("gitGraph\ncheckout x", 2),
        ("quadrantChart\na: [0.2,3]", 2),
        ("classDiagram\nclass A{\n+x\n}}", 4),
    ],
)
def test_bad_source_is_reported_with_its_line(source: str, line: int) -> None:
    with pytest.raises(FigureError) as caught:
        render(request_of(source))

    assert caught.value.line == line
    assert "parse error" not in caught.value.problem


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize("source", ["sequenceDiagram\nA->>B: x\nbogus\nA->>B: y", 'pie\n"a" : -3'])
def test_bad_source_is_reported_by_each_engine(source: str) -> None:
    with pytest.raises(FigureError):
        render(request_of(source))


@pytest.mark.parametrize("source", ["", " \n\n", "%% nothing else\n"])
def test_empty_source_is_reported(source: str) -> None:
    with pytest.raises(FigureError, match=r"empty.*flowchart.*gitGraph"):
        render(request_of(source))


@pytest.mark.usefixtures("engine")
def test_unknown_type_is_reported_with_the_known_ones() -> None:
    with pytest.raises(FigureError, match=r"unknown diagram type 'nonsense'.*flowchart.*gitGraph"):
        render(request_of("nonsense\nA"))


def test_engine_errors_are_reported_in_an_authors_words() -> None:
    with pytest.raises(FigureError, match="of the type 'usecase' are not supported") as caught:
        raise to_figure_error("SVG postprocessor `x` failed: invalid <style> content", parse_source("usecase\nx"))

    assert "style" not in caught.value.problem


def test_long_source_is_reported_with_the_limit() -> None:
    with pytest.raises(FigureError, match=r"at most 50,000 bytes \(got 60,013\)"):
        render(request_of("flowchart LR\n" + "x " * 30_000))


@pytest.mark.needs("merman")
def test_many_nodes_are_reported_with_the_limit() -> None:
    left, right = (" & ".join(f"{side}{number}" for number in range(200)) for side in "nm")

    with pytest.raises(FigureError, match=r"at most 16,000 parts \(got 40,400\)"):
        render(request_of(f"flowchart LR\n{left} --> {right}"))


@pytest.mark.usefixtures("engine")
@pytest.mark.parametrize(
    "source",
    [
        "flowchart TB\n" + "subgraph s\n" * 2_000 + "a\n" + "end\n" * 2_000,
        "flowchart LR\nA[" + "x" * 40_000 + "]",
        'flowchart LR\nA["' + "\u200d" * 4_000 + '"]',
        "flowchart LR\nA[a\x00b\ud800]",
        'flowchart LR\nA["<img src=file:///etc/passwd onerror=alert(1)>"]\nclick A "javascript:alert(1)"',
        '%%{init: {"themeCSS": "@import url(http://evil/)", "fontFamily": "x;}</style><script>"}}%%\nflowchart LR\nA',
        '%%{init: {"flowchart": {"nodeSpacing": -1e308, "rankSpacing": 1e308}}}%%\nflowchart LR\nA-->B',
        "gantt\ndateFormat YYYY-MM-DD\ntickInterval 1second\nx: 0001-01-01, 9999-12-31",
        'pie\n"a": 1e400',
        "journey\ntitle x\nsection s\n" + "w" * 3_000 + ": 5: a",
        "---\n",
        "\ufffe",
    ],
)
def test_hostile_source_is_rendered_or_reported(source: str) -> None:
    try:
        svg = render(request_of(source, "svg", "text")).svg
    except FigureError:
        return

    assert svg is not None
    assert etree.fromstring(svg.encode()).tag.endswith("svg")


def render_text(source: str) -> str | None:
    return render(request_of(source, "text")).plain_text


@pytest.mark.needs("merman")
@pytest.mark.parametrize("name", ["flowchart", "sequence", "class", "er"])
def test_diagrams_of_boxes_have_a_text_form(name: str) -> None:
    output = render_text(TYPES[name][0])

    assert output is not None
    assert max(map(len, output.split("\n"))) <= MAX_COLUMNS
    assert output == output.strip("\n")
    assert all(line == line.rstrip() for line in output.split("\n"))


@pytest.mark.needs("merman")
@pytest.mark.parametrize(
    "source",
    [
        "sequenceDiagram\nA->>B: 200 OK#59; #quot;token#quot; #35;1",
        "stateDiagram-v2\nA --> B: 200 OK#59; #quot;token#quot; #35;1",
        'flowchart LR\nA["200 OK#59; #quot;token#quot; #35;1"] --> B\nstyle A fill:#123456;',
    ],
)
def test_entity_codes_of_labels_are_characters_in_text(source: str) -> None:
    output = render_text(source)

    assert output is not None
    assert '200 OK; "token" #1' in output


# Texts of each type of `TYPES`, and of what else Mermaid knows.
PLAIN_TEXTS = {
    "flowchart": (TYPES["flowchart"][0], "Desk\n  Good?\nDraft → Good?: send"),
    "flowchart with a join": (
        "flowchart TD\nA -->|yes| B\nA -->|no| C\nB --> D\nC --> D",
        "A → B: yes\nA → C: no\nB → D\nC → D",
    ),
    "links": (
        "flowchart LR\nA <--> B\nB --- C\nC --o D\nD --x E\nE ~~~ F\nE --> E",
        "A ↔ B\nB — C\nC —○ D\nD —× E\nE → E\nF",
    ),
    "equal labels": ("flowchart LR\na[Go] --> b[Go]\nb --> c[Stop]", "Go → Go (2)\nGo (2) → Stop"),
    "labels like statements": (
        'flowchart LR\na["x: y"] --> b["p → q"]\nsubgraph s [Group]\nb --> c\nend',
        'Group\n  "p → q" → c\n"x: y" → "p → q"',
    ),
    "subgraphs": (
        "flowchart TB\nsubgraph out [Outer]\nsubgraph in [Inner]\na\nend\na --> b\nend\nb --> c\nc --> out",
        "Outer\n  Inner\n    a\n  a → b\nb → c\nc → Outer",
    ),
    "sequence": (TYPES["sequence"][0], "Reader → B: Asks\nNote over Reader, B: Once"),
    "sequence with blocks": (
        "sequenceDiagram\nautonumber\nparticipant C\nA->>B: Hi\nalt ok\nB-->>A: Yes\nelse\nB-xA: No\nend\nA->B: Line",
        "C\n1. A → B: Hi\nalt [ok]\n  2. B ┄→ A: Yes\nelse\n  3. B —× A: No\n4. A — B: Line",
    ),
    "sequence with half arrows and numbers that are off": (
        "sequenceDiagram\nautonumber 10 5\nA-|\\B: Hi\nautonumber off\nB->>A: So\nautonumber\nA->>B: By",
        "10. A → B: Hi\nB → A: So\n20. A → B: By",
    ),
    "calls and replies": (
        "sequenceDiagram\nA->>B: call\nB-->>A: reply\nA-->B: line\nA--xB: lost\nA<<-->>B: both\nA/|--B: half",
        "A → B: call\nB ┄→ A: reply\nA ┄ B: line\nA ┄× B: lost\nA ←┄→ B: both\nA ←┄ B: half",
    ),
    "tasks in the author's order, with milestones": (
        "gantt\ndateFormat YYYY-MM-DD\nTwo: 2024-01-05, 2d\nFair: vert, 2024-01-04, 0d\nDone: milestone, crit, 2024-01-03, 0d",
        "Two: 2024-01-05 – 2024-01-06\nFair: 2024-01-04 (marker)\nDone: 2024-01-03 (milestone, critical)",
    ),
    "kinds of commits": (
        """gitGraph
        commit id: "a" type: REVERSE
        branch b
        commit id: "c" type: HIGHLIGHT tag: "v1"
        checkout main
        merge b type: HIGHLIGHT""",
        "main: a (reverse)\nb: c, from a (highlight) [v1]\nmain: merge b (highlight)",
    ),
    "relation in C4 that points back": (
        'C4Context\nPerson(a, "Ann")\nSystem(s, "Shop")\nRel_Back(a, s, "pays")',
        "Ann ← Shop: pays",
    ),
    "front matter with a title": ("---\ntitle: The way\n---\nsequenceDiagram\nA->>B: Hi", "The way\n  A → B: Hi"),
    "marks": (
        "flowchart LR\na@{ shape: f-circ } --> b@{ shape: fork }\nb --> C --> a",
        "(junction) → (fork)\n(fork) → C\nC → (junction)",
    ),
    "class": (TYPES["class"][0], "Shape\n  +area() : int\nShape ◁— Circle: is"),
    "class with a namespace": (
        'classDiagram\nnamespace Shop {\nclass Cart~T~\n}\n<<interface>> Cart\nCart "1" *-- "0..*" Line\nnote for Line "one"',
        "Shop\n  Cart<T>\n    «interface»\nCart<T> (1) ◆— Line (0..*)\nNote on Line: one",
    ),
    "state": (TYPES["state"][0], "(start) → Idle\nIdle → Busy: job\nNote on Idle: Waits"),
    "er": (TYPES["er"][0], "BUYER\n  string name PK\nBUYER (1) — ORDER (0..*): places"),
    "pie": (TYPES["pie"][0], "Pets\n  Dogs: 3 (75%)\n  Cats: 1 (25%)"),
    "pie without values": ('pie\n"Dogs": 5\n"Cats": 3\n"Eel": 0.01', "Dogs: 5 (62%)\nCats: 3 (37%)\nEel: 0.01"),
    "gantt": (TYPES["gantt"][0], "Plan\n  Work\n    Build: 2024-01-01 – 2024-01-09"),
    "gantt of a day": ("gantt\ndateFormat HH:mm\nA: done, 10:00, 30m", "A: 10:00 – 10:30 (done)"),
    "journey": (TYPES["journey"][0], "Day\n  Home\n    Sleep: 5 (Me)"),
    "mindmap": (TYPES["mindmap"][0], "Idea\n  First\n  Second"),
    "mindmap with markup": (
        'mindmap\n  root["a < b &amp; #quot;c#quot;"]\n    x["`**bold** and _slanted_`"]',
        'a < b & "c"\n  bold and slanted',
    ),
    "timeline": (TYPES["timeline"][0], "Past\n  2004: Founded; Grown"),
    "quadrant": (TYPES["quadrant"][0], "Reach\n  x: Low → High\n  Ours (0.3, 0.6)"),
    "git": (
        'gitGraph\ncommit id: "one"\nbranch side\ncommit id: "two" tag: "v1"\ncheckout main\ncommit id: "three"\nmerge side',
        "main: one\nside: two, from one [v1]\nmain: three\nmain: merge side",
    ),
    "git after a merge": (
        'gitGraph\ncommit id: "one"\nbranch a\ncommit id: "two"\ncheckout main\nmerge a\nbranch b\ncommit id: "three"',
        "main: one\na: two, from one\nmain: merge a\nb: three, from main",
    ),
    "requirement": (
        "requirementDiagram\nrequirement r {\nid: 1\ntext: works\nrisk: high\n}\nelement e {\ntype: sim\n}\ne - satisfies -> r",
        "r\n  «Requirement»\n  ID: 1\n  Text: works\n  Risk: High\ne\n  «Element»\n  Type: sim\ne → r: satisfies",
    ),
    "C4": (
        'C4Context\nPerson(a, "Ann", "asks")\nSystem(s, "Shop")\nRel(a, s, "Uses", "HTTP")',
        "Ann\n  asks\nAnn → Shop: Uses, HTTP",
    ),
    "sankey": ("sankey-beta\na,b,10\nb,c,5", "a → b: 10\nb → c: 5"),
    "xychart": (
        'xychart-beta\ntitle "Sales"\nx-axis [jan, feb]\ny-axis "Euros" 0 --> 9\nbar [1, 2.5]\nline [3, 4]',
        "Sales\n  y: Euros\n  jan: bar 1, line 3\n  feb: bar 2.5, line 4",
    ),
    "kanban": (
        "kanban\n  todo[Todo]\n    a[Write]@{ ticket: T-1, priority: 'High', assigned: 'kim' }\n  done[Done]",
        "Todo\n  Write (T-1, high priority, kim)\nDone",
    ),
    "treeView": ('treeView-beta\n"docs"\n    "index.md"\n"src"', "docs\n  index.md\nsrc"),
    "zenuml": (
        """zenuml
title A loan
group Staff { Desk Boss }
Reader->Desk: ask
r = Desk.find(title) {
  Shelf.take(place)
  return book
}
// Late?
if (late) {
  Desk.fine()
} else {
  Reader->Desk: thanks
}
""",
        """A loan
  Staff: Desk, Boss
  Boss
  Reader → Desk: ask
  (start) → Desk: r = find(title)
  Desk → Shelf: take(place)
  Desk ┄→ (start): book
  Note: Late?
  alt [late]
    (start) → Desk: fine()
  else
    Reader → Desk: thanks""",
    ),
    "venn": ('venn-beta\nset A["Cats"]\nset B\nunion A,B["Pets"]', "Cats\nB\nCats ∩ B: Pets"),
    "ishikawa": ("ishikawa-beta\n  Late\n    People\n      Sick", "Late\n  People\n    Sick"),
    "packet": ('packet-beta\n0-15: "Source"\n16: "Flag"', "0–15: Source\n16: Flag"),
    "radar": ('radar-beta\naxis m["Math"], s["Art"]\ncurve a["Ann"]{85, 90}', "Ann: Math 85, Art 90"),
    "treemap": ('treemap-beta\n"All"\n    "One": 12\n    "Two": 3', "All\n  One: 12\n  Two: 3"),
    "architecture": (
        "architecture-beta\ngroup g(cloud)[Cloud]\nservice d(database)[Data] in g\nservice s(server)[Server] in g\nd:L --> R:s",
        "Cloud\n  Data → Server",
    ),
    "block": ('block-beta\na["One"] b["Two"]\na --> b', "One → Two"),
}


@pytest.mark.needs("merman")
@pytest.mark.parametrize("name", PLAIN_TEXTS)
def test_text_form_has_the_statements_of_the_figure(name: str) -> None:
    source, statements = PLAIN_TEXTS[name]

    assert render_text(source) == statements


@pytest.mark.needs("merman")
def test_flowchart_without_crossings_is_a_drawing() -> None:
    output = render_text('flowchart TD\nA["One"] -->|ok| B["Zwölf"]\nB --> C["三"]')

    assert output is not None
    assert "│  One  │" in output
    assert "\n   ok\n    ▼\n" in output
    assert "│   三  │" in output


@pytest.mark.needs("merman")
def test_text_form_that_is_too_long_or_has_too_long_words_is_left_out() -> None:
    assert render_text("flowchart LR\n" + "\n".join(f"n{n} --> n{n // 2}" for n in range(2, 62))) is not None
    assert render_text("flowchart LR\n" + "\n".join(f"n{n} --> n{n // 2}" for n in range(2, 63))) is None
    assert render_text(f"mindmap\n  {'x' * 101}") is None


@pytest.mark.needs("merman")
def test_long_statement_is_broken_with_its_other_lines_indented() -> None:
    output = render_text(f"sequenceDiagram\nA->>B: {'so many words ' * 10}\nB->>A: few")

    assert output is not None
    first, second, third = output.split("\n")
    assert (len(first) <= MAX_COLUMNS, second[:6], third) == (True, "    wo", "B → A: few")


@pytest.mark.needs("merman")
def test_flowchart_that_is_too_wide_goes_down_the_page() -> None:
    chain = " --> ".join(f"n{number}[Rather long step {number}]" for number in range(6))

    output = render_text(f"flowchart LR\n{chain}")

    assert output is not None
    assert len(output.split("\n")) > 6 * 3


def test_without_a_model_the_text_form_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "merman", None)
    monkeypatch.delitem(sys.modules, "mdpublish_core.figures.mermaid.merman_engine", raising=False)
    mermaid._engine.cache_clear()
    try:
        assert render_text(TYPES["sequence"][0]) is None
    finally:
        mermaid._engine.cache_clear()


def test_only_requested_forms_are_rendered() -> None:
    source = TYPES["sequence"][0]

    assert render(request_of(source, "text")).svg is None
    assert render(request_of(source, "svg")).plain_text is None
    assert render(request_of(source, "png")).svg == render_svg(source)
    assert isinstance(render(request_of(source, "svg", "text")), EngineOutput)


@pytest.mark.usefixtures("engine")
def test_names_of_sections_are_broken_by_each_engine() -> None:
    svg = render(request_of("journey\nsection The first part of a rather long day\nWait: 5: Me")).svg
    assert svg is not None

    text_elements = [
        ["".join(map(str, row.itertext())).strip() for row in text_element]
        for text_element in etree.fromstring(svg.encode()).iter("{*}text")
    ]

    assert any(len(rows) > 1 and " ".join(rows) == "The first part of a rather long day" for rows in text_elements)


@pytest.mark.parametrize("share", [1.0, 0.6], ids=["whole", "cut off"])
def test_no_diagram_raises_an_internal_error(share: float) -> None:
    drawn_ones = 0
    for diagram in our_diagrams():
        source = diagram.source[: round(len(diagram.source) * share)]
        with suppress(FigureError):
            drawn_ones += render(request_of(source, "svg", "text")).svg is not None

    assert drawn_ones > 200 * share


def test_internal_error_is_not_reported_as_the_authors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sources, "can_transpose", None)

    with pytest.raises(TypeError):
        render(request_of(TYPES["sequence"][0], "text"))


@pytest.mark.parametrize(
    "source",
    [
        "---\nconfig:\n  sequence:\n    showSequenceNumbers: true\n---\nsequenceDiagram\nA->>B: x\nB->>A: y",
        "%%{init: {'sequence': {'showSequenceNumbers': true}}}%%\nsequenceDiagram\nA->>B: x\nB->>A: y",
    ],
)
@pytest.mark.usefixtures("engine")
def test_configuration_numbers_the_messages_of_a_sequence(source: str) -> None:
    numbers = [
        output.text
        for output in etree.fromstring(render_svg(source).encode()).iter("{*}text")
        if output.get("class") == "sequenceNumber"
    ]

    assert numbers == ["1", "2"]


@pytest.mark.parametrize(
    ("label", "shown"),
    [
        ("<b>bold</b> and <i class='x'>italic</i>", "bold and italic"),
        ("1 #lt; 2 #amp; 3", "1 < 2 & 3"),
        ("a < b and c > d", "a < b and c > d"),
        ("#quot;#35;#9829;", '"#♥'),
    ],
)
@pytest.mark.parametrize("source", ['flowchart LR\nA["{}"]', 'mindmap\n  root\n    a["{}"]'])
def test_labels_show_characters_and_no_markup(source: str, label: str, shown: str) -> None:
    assert shown in " ".join(words(render_svg(source.format(label))).split())


@pytest.mark.needs("merman")
@pytest.mark.parametrize(
    ("node", "bold", "italic"),
    [
        ('id["`**Bold** and _it_`"]', "Bold", "it"),
        ("id[**x** y]", "x", ""),
        ("**plain** *node*", "plain", "node"),
        ("id(a ***b***)", "b", "b"),
        ("id(a very *long **label** of many words* that wraps)", "label", "long label of many words"),
        ("snake_case_name", "", ""),
        ('id["2 * 3 * 4"]', "", ""),
    ],
)
def test_labels_of_mindmaps_are_emphasized(node: str, bold: str, italic: str) -> None:
    runs = list(etree.fromstring(render_svg(f"mindmap\n  root\n    {node}\n").encode()).iter("{*}tspan"))
    shown = {
        style: " ".join((run.text or "").strip() for run in runs if run.get(name) == style)
        for name, style in (("font-weight", "bold"), ("font-style", "italic"))
    }

    assert shown == {"bold": bold, "italic": italic}


@pytest.mark.needs("merman")
@pytest.mark.parametrize(
    "statement",
    [
        r"s : one\ntwo",
        r'state "one\ntwo" as s',
        r"s --> t : one\ntwo",
        r"note right of s : one\ntwo",
        "note right of s\none\\ntwo\nend note",
    ],
)
def test_breaks_in_labels_of_states_are_breaks(statement: str) -> None:
    lines = [
        run.text for run in etree.fromstring(render_svg(f"stateDiagram-v2\ns\n{statement}").encode()).iter("{*}tspan")
    ]

    assert {"one", "two"} <= set(lines)


def test_stereotypes_are_no_markup() -> None:
    assert "«b»" in words(render_svg("classDiagram\nclass A {\n<<b>>\n+x\n}"))


@pytest.mark.parametrize("label", ["<img src=x>", "</b>", "<p", "#lt;", "&lt;p&gt;"])
def test_markup_in_one_label_leaves_the_others(label: str) -> None:
    assert "Other" in words(render_svg(f'mindmap\n  root\n    a["x {label} y"]\n    b["Other"]'))
