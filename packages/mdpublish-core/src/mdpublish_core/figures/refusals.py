"""Repairs a source that an engine refuses and tries it once more, else reports its line."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace

from mdpublish_core.figures.errors import FigureError, SourceRefused
from mdpublish_core.figures.repairs import Draft
from mdpublish_core.figures.request import EngineOutput

_MAX_TAKEN_BACK = 8
"""Repaired lines of a figure that is read once more without each."""


def render_repaired(
    draft: Draft,
    refusal: SourceRefused,
    render: Callable[[str], EngineOutput],
    read: Callable[[str], EngineOutput],
    locate: Callable[[Draft, SourceRefused], FigureError],
) -> EngineOutput:
    """Render a refused source as its draft repairs it; `read` draws nothing. Raises `FigureError` with the line."""
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


def _take_back(draft: Draft, read: Callable[[str], EngineOutput]) -> None:
    """Leave each line as it is written that the engine reads as the repaired one; the only one was refused."""
    repairs = draft.repairs()
    if not 1 < len(repairs) <= _MAX_TAKEN_BACK:
        return
    said = _said(read(draft.content))
    # Some engines only draw.
    for repair in repairs if any(said) else ():
        index = repair.line - 1
        draft.lines[index] = draft.written[index]
        with suppress(FigureError):
            if _said(read(draft.content)) == said:
                draft.forget(index)
                continue
        draft.lines[index] = repair.line_text


def _said(output: EngineOutput) -> tuple[object, ...]:
    return output.title, output.labels, output.description, output.plain_text
