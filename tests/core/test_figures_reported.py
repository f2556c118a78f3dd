"""Figures of public reports: drawing, text and notices say what the source asks for."""

import re
from datetime import UTC, datetime

import pytest

from mdpublish_core import convert

pytestmark = pytest.mark.needs("merman", "pygraphviz", "resvg_py")

YEAR = datetime.now(UTC).year


def figure(language: str, source: str) -> tuple[str, str, list[str]]:
    """Return SVG, text and messages."""
    markdown = f"```{language}\n{source}\n```\n"
    drawn = convert(markdown, to="generic")
    said = convert(markdown, to="plain-text").text
    return drawn.html, " ".join(said.split()), [notice.message for notice in drawn.notices]


GANTT = "gantt\ndateFormat {format}\n{statements}"


@pytest.mark.parametrize(
    ("date_format", "statements", "said"),
    [
        ("MM-DD", "Setup :a, 01-05, 2d\nBuild :after a, 3d", f"Setup: {YEAR}-01-05 – {YEAR}-01-06"),
        ("MM-DD", "excludes 01-06\nSetup :a, 01-05, 2d", f"Setup: {YEAR}-01-05 – {YEAR}-01-07"),
        ("DD/MM", "Setup :done, 05/02, 06/02", f"Setup: {YEAR}-02-05 (done)"),
        ("D MMM", "Setup :a, 5 Jan, 2d\nBuild :after a, 1d", f"Build: {YEAR}-01-07"),
        ("MMM D", "Setup :a, Jan 5, 2d", f"Setup: {YEAR}-01-05"),
        ("YYYY-MM-DD", "Setup :a, 2021-01-05, 2d", "Setup: 2021-01-05"),
        ("HH:mm", "Setup :a, 00:00, 2h", "Setup: 00:00 – 02:00"),
    ],
)
def test_dates_without_a_year_are_of_the_present_one(date_format: str, statements: str, said: str) -> None:
    svg, plain, notices = figure("mermaid", GANTT.format(format=date_format, statements=statements))

    assert said in plain
    assert "1970" not in svg
    assert "c9302d" not in svg, "the line of the present day"
    assert notices == []


@pytest.mark.parametrize(
    ("link", "said", "drawn"),
    [
        ("-->", "C → D", {"marker-end"}),
        ("-.->", "C → D", {"marker-end", "stroke-dasharray"}),
        ("==>", "C → D", {"marker-end", "stroke-width"}),
        ("---", "C — D", set()),
        ("<-->", "C ↔ D", {"marker-end", "marker-start"}),
        ("x--x", "C — D", {"marker-end", "marker-start"}),
        ('-. "by mail" .->', "C → D: by mail", {"marker-end", "stroke-dasharray"}),
        ('== "by mail" ==>', "C → D: by mail", {"marker-end", "stroke-width"}),
    ],
)
def test_links_of_blocks_have_heads_and_dashes(link: str, said: str, drawn: set[str]) -> None:
    svg, plain, notices = figure("mermaid", f"block-beta\ncolumns 3\nC space D\nC {link} D")
    (path,) = re.findall(r"<path d=\"[^\"]*C[^>]*>", svg)

    assert said in plain
    assert {
        name for name in ("marker-end", "marker-start", "stroke-dasharray", "stroke-width") if name in path
    } == drawn
    assert notices == []


def test_label_behind_a_link_of_blocks_is_no_block() -> None:
    _, plain, notices = figure("mermaid", "block-beta\nA space B\nA -->|yes| B")

    assert plain == "A → B: yes"
    assert ["the label of a link is inside it" in notice for notice in notices] == [True]


@pytest.mark.parametrize("written", ["one<br>two", "one<br/>two", r"one\ntwo"])
def test_note_of_a_class_has_room_for_its_lines(written: str) -> None:
    def height(words: str) -> float:
        svg, _, _ = figure("mermaid", f'classDiagram\nclass Bar\nnote for Bar "{words}"')
        return float(re.findall(r"<svg [^>]*height=\"([\d.]+)", svg)[0])

    assert height(written) > height("one two") + 5


@pytest.mark.parametrize(
    ("declared", "said"),
    [
        ("People~List~Person~~", "People<List<Person>>"),
        ("Map~K, List~V~~", "Map<K, List<V>>"),
        ("Map~K~", "Map<K>"),
    ],
)
def test_class_has_its_types_of_types(declared: str, said: str) -> None:
    assert said in figure("mermaid", f"classDiagram\nclass {declared} {{\n+int x\n}}")[1]


@pytest.mark.parametrize(
    ("label", "said"),
    [
        ('"$$x^2$$"', "x²"),
        ('"$$\\sqrt{x+3}$$ of it"', "√(x + 3) of it"),
        ('"$$\\frac{1}{2}$$"', "1/2"),
        ("$$\\alpha$$", "α"),
        ('"$$\\bad{$$"', "$$\\bad{$$"),
    ],
)
def test_formulas_of_labels_are_unicode(label: str, said: str) -> None:
    svg, plain, notices = figure("mermaid", f"flowchart LR\nA[{label}]-->B")

    assert said in plain
    assert "<svg" in svg or "bad" in label
    assert (notices == []) is ("bad" not in label)


@pytest.mark.parametrize("kind", ["bar", "pie", "polarArea", "line"])
@pytest.mark.parametrize("color", ['"notacolor"', '"var(--x)"', "null", '""'])
def test_item_with_a_bad_color_is_visible(kind: str, color: str) -> None:
    data = (
        f'"data": {{"labels": ["A", "B"], "datasets": [{{"data": [5, 3], "backgroundColor": ["#ff0000", {color}]}}]}}'
    )
    svg, _, notices = figure("chart", f'{{"type": "{kind}", {data}}}')
    fills = re.findall(r"<(?:path|rect|circle)[^>]*?fill=\"([^\"]*)\"", svg)

    assert "" not in fills
    assert len(notices) == ("a" in color)


@pytest.mark.parametrize(
    ("language", "source", "said", "named"),
    [
        ("dot", 'digraph { web [image="logo.png" label="" shape=none]; web -> db }', "web → db", ["logo.png"]),
        ("dot", 'digraph { a [image="a.png" label="See"]; a -> b }', "See → b", ["a.png"]),
        ("dot", 'digraph { a [label=<<table><tr><td><img src="x.png"/></td><td>T</td></tr></table>>]; a -> b }', "T → b", ["x.png"]),
        ("mermaid", 'flowchart LR\nA@{ img: "https://x.example/a.png", label: "Mine" } --> B', "Mine → B", ["https://x.example/a.png"]),
        ("mermaid", "flowchart LR\nA[\"<img src='y.png'/> Yes\"] --> B", "Yes", ["y.png"]),
        ("dot", 'digraph { a [label="image=x.png"]; a -> b }', "image=x.png → b", []),
    ],
)  # fmt: skip
def test_images_that_are_left_out_are_named(language: str, source: str, said: str, named: list[str]) -> None:
    _, plain, notices = figure(language, source)

    assert said in plain
    name = f"in the {language} figure"
    assert notices == [f"{name}, the image '{each}' is left out: drawings show no images" for each in named]


@pytest.mark.parametrize("label", [r"DB\N", r"\NDB", r"pre\Npost", r"\G of \N", r"a\lb\r"])
def test_name_within_a_word_is_not_lost(label: str) -> None:
    assert figure("dot", f'digraph g {{ c [label="{label}"]; a -> c }}')[2] == []


def test_chart_of_obsidian_is_named() -> None:
    _, _, (notice,) = figure("chart", "type: line\nlabels: [1, 2]\nseries:\n  - title: A\n    data: [1, 2]")

    assert "Obsidian's plug-in Charts" in notice


@pytest.mark.parametrize(
    ("task", "said"),
    [
        ("Deploy v1.2 at 10:00: crit, d1, 10:00:00, 90s", "Deploy v1.2 at 10:00: 10:00:00 – 10:01:30 (critical)"),
        ("Step 1: read: 09:00:00, 5s", "Step 1: read: 09:00:00 – 09:00:05"),
    ],
)
def test_tasks_are_split_from_the_right_and_keep_their_seconds(task: str, said: str) -> None:
    _, plain, notices = figure("mermaid", GANTT.format(format="HH:mm:ss", statements=task))

    assert said in plain
    assert ["#58;" in notice for notice in notices] == [True]


def test_label_of_several_words_is_no_entity() -> None:
    _, plain, notices = figure("mermaid", "erDiagram\nA ||--o{ B : places order")

    assert plain == "A (1) — B (0..*): places order"
    assert ["double quotes" in notice for notice in notices] == [True]


def test_relation_without_a_second_entity_is_no_entity() -> None:
    svg, _, notices = figure("mermaid", "erDiagram\nA ||--|{ B : has\nB ||..|{\n")

    assert "<svg" not in svg
    assert len(notices) == 1


def test_nested_types_of_members_have_angle_brackets() -> None:
    _, plain, notices = figure("mermaid", "classDiagram\nclass A {\n+Map~String, List~int~~ all\n~find() int\n}")

    assert "+Map<String, List<int>> all" in plain
    assert "~find()" in plain
    assert notices == []


def test_timeline_from_top_to_bottom_is_drawn_from_left_to_right() -> None:
    svg, plain, notices = figure("mermaid", "timeline TD\nsection A\n1 : x : y\nsection B\n2 : z")

    assert plain == "A 1: x; y B 2: z"
    assert "<svg" in svg
    assert ["the direction TD is left out" in notice for notice in notices] == [True]


def test_comment_with_a_link_of_blocks_is_no_link() -> None:
    svg, _, notices = figure("mermaid", "block-beta\na space b\n%% b --> a\na ==> b")

    assert "stroke-width" in re.findall(r"<path d=\"[^\"]*C[^>]*>", svg)[0]
    assert notices == []
