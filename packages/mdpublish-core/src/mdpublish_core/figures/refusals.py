"""Repairs a source that an engine refuses and tries it once more, else reports its line."""

from collections.abc import Callable
from dataclasses import replace

from mdpublish_core.figures.errors import FigureError, SourceRefused
from mdpublish_core.figures.repairs import Draft
from mdpublish_core.figures.request import EngineOutput


def render_repaired(
    source: str,
    draft: Draft,
    refusal: SourceRefused,
    render: Callable[[str], EngineOutput],
    locate: Callable[[Draft, SourceRefused], FigureError],
) -> EngineOutput:
    """Render a refused source as its draft repairs it; raises `FigureError` with the line."""
    lines = source.split("\n")
    if draft.is_changed:
        try:
            return replace(render(draft.content), repairs=draft.repairs())
        except SourceRefused as remaining:
            error = locate(draft, remaining)
            # The author knows only lines that are as written.
            if error.line and draft.lines[error.line - 1] == lines[error.line - 1]:
                raise error from None
        except FigureError:
            pass
    raise locate(Draft(lines, draft.suspicion), refusal)
