"""What Graphviz refuses is repaired and tried once more, else reported with its line."""

import re
from collections.abc import Callable

from mdpublish_core.figures.errors import FigureError, SourceRefused
from mdpublish_core.figures.graphviz.repairs import repair
from mdpublish_core.figures.refusals import render_repaired
from mdpublish_core.figures.repairs import Draft, excerpt_of
from mdpublish_core.figures.request import EngineOutput

MAX_BYTES = 100_000
"""Longer sources are not repaired: programs write them."""

# Errors that follow from an earlier line.
_LATE = re.compile(r"at the end|scanning|near '(?:->|--|[{}\]])'")


def render_refused(source: str, refusal: SourceRefused, render: Callable[[str], EngineOutput]) -> EngineOutput:
    """Render a refused source with its slips repaired; raises `FigureError` with the line."""
    draft = repair(source) if len(source.encode()) <= MAX_BYTES else Draft(source.split("\n"))
    return render_repaired(source, draft, refusal, render, _located)


def _located(draft: Draft, refusal: SourceRefused) -> FigureError:
    problem, line, suspicion = refusal.problem, refusal.line, draft.suspicion
    if suspicion and (
        suspicion.line == line or (_LATE.search(problem) and suspicion.line < (line or len(draft.lines)))
    ):
        problem, line = suspicion.problem, suspicion.line
    # A line directive of the C preprocessor changes Graphviz's count.
    if line is None or not 1 <= line <= len(draft.lines):
        return FigureError(problem)
    return FigureError(problem, line, line_text=excerpt_of(draft.lines[line - 1]))
