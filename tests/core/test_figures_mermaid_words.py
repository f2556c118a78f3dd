"""Words that a drawing loses are reported; what nobody wrote is not drawn."""

import pytest

from mdpublish_core import convert
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.mermaid import render
from tests.visual.mermaid_diagrams import crowded_diagrams, our_diagrams

from .test_figures_mermaid import TYPES, request_of, words

pytestmark = pytest.mark.needs("merman", "resvg_py")

# Sources, and words that are drawn.
DRAWN = {
    "a label before its node named end": ("flowchart LR\nend[End of work]\nA-->end", "End of work"),
    "a label behind its node named end": ("flowchart LR\nA-->end\nend[End of work]", "End of work"),
    "a number sign in a message": ("sequenceDiagram\nA->>B: cost #1 priority", "cost #1 priority"),
    "a number sign in a note": ("sequenceDiagram\nA->>B: x\nnote over A: see #12 and #13", "see #12 and #13"),
    "states of several words": ("stateDiagram-v2\nIn work --> Paid in full", "In work Paid in full"),
    "a relationship without a colon": ("erDiagram\nCUSTOMER ||--o{ INVOICE has", "CUSTOMER INVOICE has"),
    "bold words": ("flowchart LR\nA[<b>Load</b> the <i>file</i>] --> B", "Load the file"),
    "a list": ("flowchart LR\nA[Check <ul><li>size</li><li>type</li></ul>] --> B", "Check • size • type"),
}

# Sources, the line and the words that the engine leaves out.
LOST = {
    "a label that another replaces": ("flowchart LR\nA[First words]\nA[Other]", 2, "'first', 'words'"),
    "what follows a hash in a message": ("sequenceDiagram\nA->>B: hello # there", 2, "'there'"),
}


def shown(source: str) -> str:
    svg = render(request_of(source)).svg
    assert svg is not None
    return " ".join(words(svg).split())


@pytest.mark.parametrize("name", DRAWN)
def test_words_of_a_source_are_drawn(name: str) -> None:
    source, expected = DRAWN[name]

    drawn = shown(source).split()

    assert [word for word in expected.split() if word not in drawn] == []
    assert render(request_of(source)).remarks == ()


@pytest.mark.parametrize("name", LOST)
def test_words_that_a_drawing_loses_are_reported_with_their_line(name: str) -> None:
    source, line, lost = LOST[name]

    (remark,) = render(request_of(source)).remarks

    assert (remark.line, remark.message) == (line, f"the engine leaves out {lost}")


def test_no_words_of_right_diagrams_are_reported() -> None:
    sources = [
        *(source for source, _ in TYPES.values()),
        *(diagram.source for diagram in (*our_diagrams(), *crowded_diagrams())),
    ]

    remarks = [remark.message for source in sources for remark in render(request_of(source, "text")).remarks]
    named = ("direction TD", "drawings show no images")
    assert [message for message in remarks if not any(map(message.__contains__, named))] == []


def test_notice_names_the_line_of_lost_words() -> None:
    conversion = convert("# T\n\n```mermaid\nflowchart LR\n  A[First words]\n  A[Other] --> B\n```\n")

    assert [(notice.code, notice.line, notice.message) for notice in conversion.notices] == [
        ("figure-text-missing", 5, "in the mermaid figure, the engine leaves out 'first', 'words'")
    ]


def test_lines_that_a_repair_adds_are_named_in_its_notice() -> None:
    conversion = convert("```mermaid\nsequenceDiagram\n  loop daily\n    A->>B: ping\n```\n")

    assert [(notice.code, notice.line, notice.message) for notice in conversion.notices] == [
        (
            "figure-repaired",
            4,
            (
                "the mermaid figure was drawn from a corrected line: this block has no end: loop daily; "
                "write `A->>B: ping` and, below it, `end`"
            ),
        )
    ]


def test_error_below_added_lines_has_the_authors_line() -> None:
    with pytest.raises(FigureError) as caught:
        render(request_of("flowchart TD\n  subgraph a\n    x --> y\n  z --> x\nthis is wrong\nq --> z"))

    assert (caught.value.line, caught.value.line_text) == (5, "this is wrong")


GANTT = "gantt\ndateFormat YYYY-MM-DD\n"

# Tasks, and statements of the text form.
TASKS = {
    "a month after a task's label": (
        "Design: 2024-01-01, 10d\nBuild: after Design, 1 month",
        ["Design: 2024-01-01 – 2024-01-10", "Build: 2024-01-11 – 2024-02-10"],
    ),
    "a label of two words": (
        "Task 1: 2024-01-01, 5d\nTask 2: after task 1, 10d",
        ["Task 1: 2024-01-01 – 2024-01-05", "Task 2: 2024-01-06 – 2024-01-15"],
    ),
    "no such task": ("A: a, 2024-01-05, 5d\nB: after Approval, 5d", ["A: 2024-01-05 – 2024-01-09"]),
    "a task after one that has no place": (
        "A: a, 2024-01-05, 5d\nB: b, after x, 5d\nC: after b, 1d",
        ["A: 2024-01-05 – 2024-01-09"],
    ),
    "words for a duration": ("A: a, 2024-01-05, 5d\nB: after a, a few days", ["A: 2024-01-05 – 2024-01-09"]),
    "an unknown unit": ("A: a, 2024-01-05, 5d\nB: after a, 3 sprints", ["A: 2024-01-05 – 2024-01-09"]),
}


@pytest.mark.parametrize("name", TASKS)
def test_tasks_are_placed_as_written_or_not_at_all(name: str) -> None:
    tasks, statements = TASKS[name]

    output = render(request_of(GANTT + tasks, "svg", "text"))

    assert output.plain_text == "\n".join(statements)
    assert output.repairs


def test_bar_before_all_written_years_is_not_drawn() -> None:
    with pytest.raises(FigureError) as caught:
        render(request_of(f"{GANTT}A: 2024-01-05, 5d\nB: 12, 3d"))

    assert (caught.value.line, caught.value.problem) == (
        4,
        "the engine takes a date for one of 2012, which the chart does not name",
    )


def test_times_without_dates_are_drawn() -> None:
    source = "gantt\ndateFormat HH:mm\naxisFormat %H:%M\nLunch :a, 12:00, 30m\nTalk :after a, 2h"

    assert render(request_of(source, "svg", "text")).repairs == ()


def test_value_of_a_slice_is_in_the_text_form() -> None:
    assert render(request_of('pie\n"Dogs" : 386\n"Cats" : 85', "text")).plain_text == "Dogs: 386 (82%)\nCats: 85 (18%)"
