"""Models of sequence diagrams."""

from collections.abc import Iterator

from mdpublish_core.figures.graphs import ARROW, LINE, TWO_WAY_ARROW, counted
from mdpublish_core.figures.mermaid.models.values import Json, plain_label
from mdpublish_core.figures.outlines import Line, Outline

# Mermaid's `LINETYPE`, `sequenceDb.ts`.
_CROSSES, _OPEN_LINES, _TWO_WAY = {3, 4}, {5, 6}, {33, 34}
_NOTE, _NUMBERING = 2, 26
_STARTS = {10: "loop", 12: "alt", 15: "opt", 19: "par", 27: "critical", 30: "break", 32: "par"}
_SECTIONS = {13: "else", 20: "and", 28: "option"}
_ENDS = {11, 14, 16, 21, 29, 31}

_MAX_DEPTH = 50


def read_sequence(database: Json) -> Outline:
    names = {key: plain_label(actor.get("description")) or key for key, actor in database["actors"].items()}
    messages = database["messages"]
    number = sum(map(_is_message, messages))
    return Outline(
        title=plain_label(database.get("title")),
        counts=counted((len(names), "participant"), (number, "message")),
        lines=(*_participants(database, names), *_statements(messages, names)),
    )


def _participants(database: Json, names: dict[str, str]) -> Iterator[Line]:
    """Yield boxes, and participants without messages and notes."""
    for box in database.get("boxes") or ():
        members = ", ".join(names[key] for key in box.get("actorKeys") or () if key in names)
        if name := plain_label(box.get("name")):
            yield Line(f"{name}: {members}")
    named = {each.get(end) for each in database["messages"] for end in ("from", "to")}
    for key in database.get("actorOrder") or names:
        if key not in named and key in names:
            yield Line(names[key])


def _statements(messages: list[Json], names: dict[str, str]) -> Iterator[Line]:
    depth, number, step, is_numbered = 0, 1, 1, False
    for each in messages:
        kind, words = each["type"], plain_label(each.get("message"))
        if kind == _NUMBERING and isinstance(each.get("message"), dict):
            settings = each["message"]
            number, step = settings.get("start") or number, settings.get("step") or step
            is_numbered = bool(settings.get("visible"))
        elif _is_message(each):
            statement = f"{names.get(each['from'], '')} {_arrow(kind)} {names.get(each['to'], '')}"
            numbered = f"{number}. " if is_numbered else ""
            # Counted while numbers are off, too.
            number += step
            yield Line(numbered + (f"{statement}: {words}" if words else statement), depth)
        elif kind == _NOTE:
            yield Line(f"{_note(each, names)}: {words}", depth)
        elif kind in _STARTS:
            yield Line(f"{_STARTS[kind]} [{words}]" if words else _STARTS[kind], depth, is_heading=True)
            depth = min(depth + 1, _MAX_DEPTH)
        elif kind in _SECTIONS:
            yield Line(f"{_SECTIONS[kind]} [{words}]" if words else _SECTIONS[kind], max(depth - 1, 0), is_heading=True)
        elif kind in _ENDS:
            depth = max(depth - 1, 0)


def _is_message(each: Json) -> bool:
    """Include types that a newer Mermaid may add."""
    return each["type"] != _NOTE and each.get("from") is not None and each.get("to") is not None


def _arrow(kind: int) -> str:
    if kind in _CROSSES:
        return "—×"
    if kind in _OPEN_LINES:
        return LINE
    return TWO_WAY_ARROW if kind in _TWO_WAY else ARROW


def _note(each: Json, names: dict[str, str]) -> str:
    place = ("left of", "right of", "over")[each.get("placement", 2)]
    actors = dict.fromkeys(filter(None, (each.get("from"), each.get("to"))))
    return f"Note {place} {', '.join(names.get(actor, '') for actor in actors)}"
