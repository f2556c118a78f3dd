"""Repairing a diagram takes linear, bounded time, whatever is in its lines.

Processor time of the best of three excludes load on the machine.
"""

from itertools import product
from time import process_time

import pytest

from mdpublish_core.figures.mermaid.repairs import repair

pytestmark = pytest.mark.security

HEADERS = (
    *("flowchart TD", "sequenceDiagram", "classDiagram", "stateDiagram-v2", "erDiagram"),
    *("mindmap", "pie", "gitGraph", "xychart-beta"),
)

STARTS = ("", "A[", 'class A["', "A->>B: ", "note over ", "subgraph ", "a ||--o{ ")

UNITS = (
    *("A[(", "A[( ] --> ", "A((", "([{", "A[x] --> ", 'A["x --> ', "A -->|a|b", "A -->|", "A -- x ", "A{{", "] "),
    *("A[(a) b] --> ", "  ", "\t", "\n", 'A["\n', "A->>B: a;", "a;", "A->>", "->", "--", "=", "-.", "A(b)->>C: d\n"),
    *("<T", "A<B>", "List<", "|o", " ||--o{ ", "a ||--o{ b\n", "a {\n", "x y z\n", "x y PK FK\n", '"', '" ', "[x,"),
    *("x-axis [a b,", "1,", "id: a", "branch a", "end ", "A --> end\n", "& ", "// ", "#", "%%", "@{", "a.b-c.", "("),
    *("A>]", "[/", "class a (", 'state "', "participant a(b\n", "```\n", "subgraph a[", "style end ", "→", "A → ", "~"),
)

SMALL, LARGE = 10_000, 100_000

MAX_SECONDS = 1.0

MAX_GROWTH = 12
"""For ten times the input."""

NOISE_SECONDS = 0.05


def seconds(source: str) -> float:
    times = []
    for _ in range(3):
        start = process_time()
        repair(source)
        times.append(process_time() - start)
    return min(times)


@pytest.mark.parametrize("header", HEADERS)
def test_repair_takes_no_long_time(header: str) -> None:
    slow = []
    for start, unit in product(STARTS, UNITS):
        small, large = (seconds(f"{header}\n{start}{unit * (size // len(unit))}") for size in (SMALL, LARGE))
        if large > MAX_SECONDS or large > MAX_GROWTH * small + NOISE_SECONDS:
            slow.append((start, unit, small, large))

    assert slow == []
