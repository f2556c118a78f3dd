"""Repairs a source that an engine refuses and tries it once more, else reports its line."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Protocol

from mdpublish_core.data_files import read_names, read_patterns
from mdpublish_core.figures.errors import FigureError, SourceRefused
from mdpublish_core.figures.mermaid.repairs import repair, repair_misread
from mdpublish_core.figures.mermaid.sources import MermaidSource, after_front_matter, normalize_newlines, parse_source
from mdpublish_core.figures.mermaid.words import lost_words
from mdpublish_core.figures.refusals import render_repaired
from mdpublish_core.figures.repairs import Draft, excerpt_of
from mdpublish_core.figures.request import EngineOutput, FigureRequest, FigureTheme

Check = Callable[[MermaidSource, FigureTheme], object]
"""Raises `FigureError`."""


class Engine(Protocol):
    """The module of an engine."""

    CHECKS: tuple[tuple[Check, int], ...]

    def read_model(self, source: MermaidSource, theme: FigureTheme) -> object: ...


_SYNTAX = read_patterns(__file__, "refusals.tsv")


_IN_WORDS = read_names(__file__, "words.tsv")["message"]


def render_refused(
    request: FigureRequest,
    refusal: SourceRefused,
    engine: Engine,
    render: Callable[[MermaidSource, FigureRequest], EngineOutput],
) -> EngineOutput:
    """Render a refused source with its slips repaired; raises `FigureError` with the line."""
    draft = repair(normalize_newlines(request.source))
    return render_repaired(
        draft,
        refusal,
        lambda _: _render_draft(draft, lambda source: render(source, request)),
        lambda content: getattr(engine.read_model(parse_source(content), request.theme), "outline", None),
        lambda draft, remaining: _located(draft, remaining, engine, request.theme),
    )


def render_misread(
    content: str, source: MermaidSource, render: Callable[[MermaidSource], EngineOutput]
) -> EngineOutput:
    """Render a source in which the engine takes some lines for something else; raises `FigureError`."""
    draft = repair_misread(normalize_newlines(content), source)
    if draft.is_changed:
        with suppress(SourceRefused):
            return _render_draft(draft, render)
    return render(source)


def _render_draft(draft: Draft, render: Callable[[MermaidSource], EngineOutput]) -> EngineOutput:
    source, written = parse_source(draft.content), "\n".join(draft.written)
    if changed := [*lost_words(parse_source(written), draft.content), *lost_words(source, written)]:
        raise FigureError("its repair would lose or add words", changed[0].line)
    output = render(source)
    lost = [each._replace(line=draft.line_of((each.line or 1) - 1) + 1) for each in output.remarks]
    return replace(output, remarks=tuple(lost), repairs=draft.repairs())


def _located(draft: Draft, refusal: SourceRefused, engine: Engine, theme: FigureTheme) -> FigureError:
    source = parse_source(draft.content)
    problem, place = refusal.problem, _line_of(source, refusal, engine, theme)
    index = None if place is None else draft.line_of(place)
    suspicion = draft.suspicion
    if (
        suspicion
        and (_SYNTAX["late"].search(problem) or _is_at_end(problem))
        and (index is None or suspicion.line <= index + 1)
    ):
        problem, index = suspicion.problem, suspicion.line - 1
    if index is None:
        return FigureError(_in_words(problem))
    problem = _SYNTAX["character"].sub(lambda match: _character(source, int(match[1]), place), problem)
    return FigureError(_in_words(problem), index + 1, line_text=excerpt_of(draft.lines[index]))


def _line_of(source: MermaidSource, refusal: SourceRefused, engine: Engine, theme: FigureTheme) -> int | None:
    """Return the index of the line with an error."""
    if refusal.line is not None:
        return refusal.line - 1
    lines = source.content.split("\n")
    front_matter = _SYNTAX["front matter line"].search(refusal.problem)
    if front_matter is not None:
        return next((index + int(front_matter[1]) for index, line in enumerate(lines) if line.strip() == "---"), None)
    if _is_at_end(refusal.problem):
        return max((index for index, line in enumerate(lines) if line.strip()), default=None)
    for check, max_bytes in engine.CHECKS:
        index = find_line(source, theme, refusal.problem, check, max_bytes)
        if index is not None:
            return index
    return None


def find_line(source: MermaidSource, theme: FigureTheme, problem: str, check: Check, max_bytes: int) -> int | None:
    """Return the index of the first line with an error; None if checks would exceed `max_bytes` or do not tell.

    Engines give no line, or that of the last one.
    """
    lines = source.content.split("\n")
    size = sum(len(line.encode()) + 1 for line in lines)
    if size * (len(lines) - source.header + 1).bit_length() > max_bytes:
        return None

    def has_error(index: int) -> bool:
        try:
            check(replace(source, content="\n".join(lines[: index + 1]) + "\n"), theme)
        except FigureError as error:
            return _first_sentence(error.problem) == _first_sentence(problem)
        return False

    low, high = source.header, len(lines) - 1
    if not has_error(high):
        return None
    while low < high:
        middle = (low + high) // 2
        if has_error(middle):
            high = middle
        else:
            low = middle + 1
    return low


def _is_at_end(problem: str) -> bool:
    return _SYNTAX["at end"].search(problem) is not None


def _first_sentence(problem: str) -> str:
    return _SYNTAX["detail"].split(problem, maxsplit=1)[0]


def _character(source: MermaidSource, offset: int, index: int | None) -> str:
    """Name the character at an offset in bytes, if that is on the line."""
    body = source.content[after_front_matter(source.content) :].encode()
    position = len(source.content.encode()) - len(body) + offset
    before = source.content.encode()[:position]
    if before.count(b"\n") != index:
        return "unexpected character"
    return f"unexpected character {body[offset:].decode(errors='replace')[:1]!r}"


def _in_words(problem: str) -> str:
    problem = _SYNTAX["front matter place"].sub("", problem)
    problem = _SYNTAX["date"].sub(r"invalid date '\1'; write it as dateFormat says", problem)
    problem = _SYNTAX["no start"].sub("the first task has no start; write its date before its duration", problem)
    for symbol, words in _IN_WORDS.items():
        problem = problem.replace(symbol, words)
    return _SYNTAX["expected"].sub("", problem)
