"""Alternative texts of each type of figure say its type, its title and what it shows."""

import re
from itertools import islice

import pytest
from lxml import html

from mdpublish_core import convert
from mdpublish_core.figures.mermaid.sources import TYPES
from tests.docs.test_figures import NEWER_TYPES

pytestmark = pytest.mark.needs("merman", "pygraphviz", "resvg_py", "ziamath")

DIAGRAMS = {
    "flowchart LR\nA[Web] -->|calls| B[API]": "Flowchart. 2 nodes, 1 edge: Web leads to API (calls)",
    "sequenceDiagram\nAnn->>Bob: Hello\nloop daily\nBob-->>Ann: Hi\nend\nAnn->>Bob: Bye": (
        "Sequence diagram. 2 participants, 3 messages: Ann calls Bob: Hello; loop [daily]: Bob replies to Ann: Hi. Ann calls Bob: Bye"
    ),
    "classDiagram\nAnimal <|-- Dog\nAnimal : +run()": "Class diagram. 2 classes, 1 relation: Animal: +run(). Dog inherits from Animal",
    "stateDiagram-v2\n[*] --> Idle\nIdle --> [*]: stop": "State diagram. 1 state, 2 transitions: (start) leads to Idle; Idle leads to (end) (stop)",
    "erDiagram\nUSER ||--o{ BOOK : reads\nBOOK {\nint id\n}": (
        "Entity relationship diagram. 2 entities, 1 relationship: BOOK: int id. USER (1) is linked to BOOK (0..*, reads)"
    ),
    'pie title Pets\n"Dogs" : 3\n"Cats" : 1': "Pie chart: Pets. 2 parts: Dogs: 3 (75%); Cats: 1 (25%)",
    "gantt\ntitle Plan\nsection Build\nCode :done, 2024-01-01, 5d": (
        "Gantt chart: Plan. 1 task: Build: Code: 2024-01-01 – 2024-01-05 (done)"
    ),
    "journey\ntitle Day\nsection Work\nTea: 5: Me": "User journey: Day. 1 task: Work: Tea: 5 (Me)",
    "mindmap\n  Idea\n    One\n      Two\n    Three": "Mindmap. 4 topics: Idea: One (Two); Three",
    "timeline\ntitle Web\n1991 : HTML": "Timeline: Web. 1 period: 1991: HTML",
    "quadrantChart\ntitle Reach\nquadrant-2 Expand\nA: [0.3, 0.6]": "Quadrant chart: Reach. 1 point: Expand: A (0.3, 0.6)",
    'gitGraph\ncommit id: "a"\nbranch dev\ncommit id: "b"': "Git graph. 2 branches, 2 commits: main: a; dev: b, from a",
    'block-beta\na["One"] b["Two"]\na --> b': "Block diagram. 2 blocks, 1 edge: One leads to Two",
    "sankey-beta\nCoal,Power,10": "Sankey diagram. 1 flow: Coal flows to Power (10)",
    'xychart-beta\ntitle "Sales"\nx-axis [jan]\nbar [1]\nline [3]\nline [4]': "XY chart: Sales. 1 position: jan: bar 1, line 3, line (2) 4",
    "kanban\n  todo[Todo]\n    a[Write]\n  done[Done]\n    b[Ship]": "Kanban board. 2 columns, 2 tasks: Todo: Write. Done: Ship",
    "architecture-beta\nservice d(database)[Data]\nservice s(server)[Server]\nd:L --> R:s": (
        "Architecture diagram. 2 services, 1 connection: Data points to Server"
    ),
    'packet-beta\n0-15: "Source"': "Packet diagram. 1 field: 0–15: Source",
    'radar-beta\naxis m["Math"], s["Art"]\ncurve a["Ann"]{85, 90}': "Radar chart. 1 curve: Ann: Math 85, Art 90",
    'treemap-beta\n"All"\n    "One": 12': "Treemap. 2 items: All: One: 12",
    "requirementDiagram\nrequirement r {\nid: 1\n}\nelement e {\ntype: sim\n}\ne - satisfies -> r": (
        "Requirement diagram. 2 elements, 1 relationship: r: «Requirement»; ID: 1. e: «Element»; Type: sim. e points to r (satisfies)"
    ),
    'C4Context\ntitle Bank\nPerson(a, "Ann")\nSystem(s, "Shop")\nRel(a, s, "Uses")': (
        "C4 diagram: Bank. 2 elements, 1 relationship: Ann points to Shop (Uses)"
    ),
    "zenuml\ntitle Loan\nReader->Desk.ask {\nreturn no\n}": (
        "Sequence diagram: Loan. 2 participants, 2 messages: Reader calls Desk: ask; Desk replies to Reader: no"
    ),
    'treeView-beta\n"docs"\n    "a.md"\n"src"': "Tree view. 3 entries: docs: a.md. src",
    "venn-beta\nset A\nset B\nunion A,B": "Venn diagram. 2 sets: A; B; A ∩ B",
    "ishikawa-beta\n  Late\n    People\n      Sick": "Fishbone diagram: Late. 2 causes: People: Sick",
}

CHART = '{"type": "bar", "data": {"labels": ["Jan"], "datasets": [{"label": "Sales", "data": [3]}]}'
TITLED = ', "options": {"plugins": {"title": {"display": true, "text": "Sales"}}}'

FIGURES = {
    **{f"```mermaid\n{source}\n```\n": alt for source, alt in DIAGRAMS.items()},
    # `test_figures_charts_tables.py` has the other types.
    f"```chart\n{CHART}}}\n```\n": "Bar chart. Sales: Jan 3",
    f"```chart\n{CHART}{TITLED}}}\n```\n": "Bar chart: Sales. Jan: 3",
    '```dot\ngraph { label="Friends"; a -- b; subgraph cluster_x { label="Group"; c; d } }\n```\n': (
        "Graph: Friends. 4 nodes, 1 edge: Group: c; d. a is linked to b"
    ),
    "```math\n\\frac13 + x^2\n```\n": "1/3 + x²",
}


def test_all_types_are_here() -> None:
    firsts = [re.split(r"[\s-]", source)[0] for source in DIAGRAMS]

    assert [each for each in (*TYPES, *NEWER_TYPES) if not any(first.startswith(each) for first in firsts)] == []


@pytest.mark.parametrize("destination", ["email", "google-docs"])
def test_images_say_type_title_and_what_is_shown(destination: str) -> None:
    # Drawing images takes long; pages below have all.
    figures = dict(islice(FIGURES.items(), 5, None, 7))
    converted = convert("\n".join(figures), to=destination)

    assert [image.get("alt") for image in html.fromstring(converted.html).iter("img")] == list(figures.values())
    assert converted.notices == ()


def test_screen_readers_are_told_type_title_and_what_is_shown_on_pages() -> None:
    # Formulas are MathML.
    figures = {markdown: alt for markdown, alt in FIGURES.items() if "```math" not in markdown}
    converted = convert("\n".join(figures), to="generic")
    images = [svg for svg in html.fromstring(converted.html).iter("svg") if svg.get("role") == "img"]

    assert [f"{svg.get('aria-label')}. {svg.findtext('desc')}" for svg in images] == list(figures.values())
