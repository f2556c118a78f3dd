"""A corpus of slips: each is drawn as its author meant it, or not at all."""

from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.mermaid import render
from mdpublish_core.figures.mermaid.sources import parse_source
from mdpublish_core.figures.request import EngineOutput

from .test_figures_mermaid import LIGHT, request_of

pytestmark = pytest.mark.needs("merman", "resvg_py")

SLIPS = Path(__file__).parent / "mermaid_slips.txt"

MIN_DRAWN = 129


@cache
def slips() -> tuple[tuple[str, str, tuple[str, ...]], ...]:
    """Return names, sources, and what their authors may have meant."""
    return tuple(read_slips(SLIPS.read_text("utf-8")))


def read_slips(content: str) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    for part in content.split("\n=== ")[1:]:
        name, _, rest = part.partition("\n")
        source, *meant = (each.strip("\n") for each in rest.split("\n>>>\n"))
        yield name, source, tuple(meant)


def statements(source: str) -> tuple[str, list[tuple[str, int]]]:
    # Not at the top: it needs merman.
    from mdpublish_core.figures.mermaid import merman_engine

    model = merman_engine.read_model(parse_source(source), LIGHT)
    assert model is not None
    return model.outline.title, sorted(line[:2] for line in model.outline.lines)


def as_repaired(source: str, output: EngineOutput) -> str:
    """Return the source with the lines that notices show."""
    lines = source.split("\n")
    for repair in output.repairs:
        lines[repair.line - 1] = repair.line_text
    return "\n".join(lines)


def drawn(source: str) -> EngineOutput | None:
    try:
        return render(request_of(source))
    except FigureError:
        return None


def test_slips_are_drawn_as_meant() -> None:
    outputs = {name: (source, meant, drawn(source)) for name, source, meant in slips()}

    wrong = [
        name
        for name, (source, meant, output) in outputs.items()
        if output and statements(as_repaired(source, output)) not in map(statements, meant)
    ]

    assert wrong == []
    assert len(outputs) >= 149
    assert sum(output is not None for _, _, output in outputs.values()) >= MIN_DRAWN


def test_what_is_meant_is_drawn_as_written() -> None:
    meant = [source for _, _, sources in slips() for source in sources]

    outputs = {source: render(request_of(source)) for source in meant}

    assert [source for source, output in outputs.items() if output.repairs or output.remarks] == []
