"""Repairs a source that an engine refuses and tries it once more, else reports its line."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from mdpublish_core.figures.errors import FigureError, SourceRefused
from mdpublish_core.figures.repairs import Draft
from mdpublish_core.figures.request import EngineOutput

_MAX_TAKEN_BACK = 8
"""Repaired lines of a figure that is read once more without each."""

_MAX_READ = 60_000
"""Characters read for that, of all readings together: 0.15 s, as much as a drawing takes."""


def render_repaired(
    draft: Draft,
    refusal: SourceRefused,
    render: Callable[[str], EngineOutput],
    read: Callable[[str], object],
    locate: Callable[[Draft, SourceRefused], FigureError],
) -> EngineOutput:
    """Render a refused source as its draft repairs it. Raises `FigureError` with the line.

    `read` returns what an engine understands, None if it only draws; values compare equal that say the same.
    """
    if draft.is_changed:
        try:
            _take_back(draft, read)
            return replace(render(draft.content), repairs=draft.repairs())
        except SourceRefused as remaining:
            error = locate(draft, remaining)
            # The author knows only lines that are as written.
            if error.line and draft.lines[error.line - 1] == draft.written[error.line - 1]:
                raise error from None
        except FigureError:
            pass
    raise locate(Draft([*draft.written], draft.suspicion), refusal)


def _take_back(draft: Draft, read: Callable[[str], object]) -> None:
    """Leave each line as it is written that the engine reads as the repaired one; the only one was refused."""
    repairs = draft.repairs()
    is_cheap = (len(repairs) + 1) * len(draft.content) <= _MAX_READ
    if not (1 < len(repairs) <= _MAX_TAKEN_BACK and is_cheap):
        return
    said = read(draft.content)
    for repair in repairs if said is not None else ():
        index = repair.line - 1
        draft.lines[index] = draft.written[index]
        with suppress(FigureError):
            if read(draft.content) == said:
                draft.forget(index)
                continue
        draft.lines[index] = repair.line_text
