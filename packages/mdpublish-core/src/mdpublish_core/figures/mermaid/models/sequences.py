"""Models of sequence diagrams."""

from collections.abc import Iterator

from mdpublish_core.figures.graphs import ARROW, DOTTED_LINE, LINE, arrow_between, counted
from mdpublish_core.figures.mermaid.literals import Json, plain_label
from mdpublish_core.figures.outlines import Line, Outline, listed

# Mermaid's `LINETYPE`, `sequenceDb.ts`.
_CROSSES, _OPEN_LINES, _TWO_WAY = {3, 4}, {5, 6}, {33, 34}
_REVERSED = {*range(45, 49), *range(55, 59)}
_DOTTED = {1, 4, 6, 25, 34, *range(51, 59)}
_NOTE, _NUMBERING = 2, 26
_STARTS = {10: "loop", 12: "alt", 15: "opt", 19: "par", 27: "critical", 30: "break", 32: "par"}
_SECTIONS = {13: "else", 20: "and", 28: "option"}
_ENDS = {11, 14, 16, 21, 29, 31}

_MAX_DEPTH = 50

# ZenUML's fragments.
_STARTER = "_STARTER_"
_FRAGMENTS = {"alternative": "alt", "optional": "opt", "parallel": "par", "tryCatchFinally": "try"}


def read_sequence(database: Json) -> Outline:
    names = {key: plain_label(actor.get("description")) or key for key, actor in database["actors"].items()}
    messages = database["messages"]
    number = sum(map(_is_message, messages))
    return Outline(
        title=plain_label(database.get("title")),
        counts=counted((len(names), "participant"), (number, "message")),
        lines=(*_participants(database, names), *_statements(messages, names)),
        gist=(f"between {listed([*names.values()], 6)}",) if names else (),
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
            yield Line(
                numbered + (f"{statement}: {words}" if words else statement),
                depth,
                spoken=_spoken(each, names, numbered),
            )
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
    head = "×" if kind in _CROSSES else "" if kind in _OPEN_LINES | _REVERSED else "→"
    return arrow_between("←" if kind in _TWO_WAY | _REVERSED else "", head, DOTTED_LINE if kind in _DOTTED else LINE)


def _spoken(each: Json, names: dict[str, str], numbered: str) -> tuple[str, str]:
    kind, words = each["type"], plain_label(each.get("message"))
    tail, head = (names.get(each[end], "") for end in (("to", "from") if kind in _REVERSED else ("from", "to")))
    verb = "and" if kind in _TWO_WAY else "replies to" if kind in _DOTTED else "calls"
    lost = " in vain" if kind in _CROSSES else ""
    start = f"{numbered}{tail} {verb}"
    return (f"{start} {head}{lost}:", words) if words else (start, f"{head}{lost}")


def _note(each: Json, names: dict[str, str]) -> str:
    place = ("left of", "right of", "over")[each.get("placement", 2)]
    actors = dict.fromkeys(filter(None, (each.get("from"), each.get("to"))))
    return f"Note {place} {', '.join(names.get(actor, '') for actor in actors)}"


def read_zenuml(database: Json) -> Outline:
    names = {
        each["name"]: plain_label(each.get("label")) or each["name"]
        for each in database["participants"]
        # Drawn without a name.
        if each["name"] != _STARTER
    }
    lines, ends = [], set()
    number = 0
    for each, depth in _nested(database["statements"]):
        if comment := plain_label(each.get("comment")):
            lines.append(Line(f"Note: {comment}", depth))
        if isinstance(each.get("fragment"), str):
            lines.append(Line(each["fragment"], depth, is_heading=True))
            continue
        tail, head = (each.get(end) or "" for end in ("resolved_from", "resolved_to"))
        words = " = ".join(filter(None, (plain_label(each.get("assignment")), plain_label(each.get("label")))))
        if not tail and not head:
            # A divider.
            lines.append(Line(words.strip("= "), depth))
            continue
        number += 1
        ends |= {tail, head}
        tail, head = _zenuml_name(tail, names), _zenuml_name(head, names)
        is_reply = each["kind"] == "return"
        arrow, verb = (f"{DOTTED_LINE}{ARROW}", "replies to") if is_reply else (ARROW, "calls")
        spoken = (f"{tail} {verb} {head}:", words) if words else (f"{tail} {verb}", head)
        lines.append(Line(f"{tail} {arrow} {head}" + f": {words}" * bool(words), depth, spoken=spoken))
    groups = [
        f"{label}: {', '.join(names[key] for key in group['participantNames'] if key in names)}"
        for group in database.get("groups") or ()
        if (label := plain_label(group.get("id")))
    ]
    lonely = [name for key, name in names.items() if key not in ends]
    return Outline(
        title=plain_label(database.get("title")),
        counts=counted((len(names), "participant"), (number, "message")),
        lines=(*map(Line, groups), *map(Line, lonely), *lines),
    )


def _zenuml_name(key: str, names: dict[str, str]) -> str:
    return "(start)" if key in {"", _STARTER} else names.get(key, key)


def _nested(statements: list[Json]) -> Iterator[tuple[Json, int]]:
    """Yield statements, those within messages as well, and a row `fragment` for each section of a fragment."""
    waiting = [(each, 0) for each in reversed(statements)]
    while waiting:
        each, depth = waiting.pop()
        inside = min(depth + 1, _MAX_DEPTH)
        if each["kind"] != "fragment":
            yield each, depth
            waiting += ((inner, depth) for inner in reversed(each.get("body") or ()))
            continue
        sections = []
        for number, section in enumerate(each.get("sections") or ()):
            row = {"kind": "section", "fragment": _section_name(each, section, number)}
            sections += [(row | ({"comment": each.get("comment")} if not number else {}), depth)]
            sections += [(inner, inside) for inner in section.get("statements") or ()]
        waiting += reversed(sections)


def _section_name(fragment: Json, section: Json, number: int) -> str:
    kind, label = str(fragment["fragment_kind"]), plain_label(section.get("label"))
    if kind == "tryCatchFinally":
        return label or "try"
    name = _FRAGMENTS.get(kind, kind)
    if not number:
        return f"{name} [{label}]" if label else name
    return f"else [{label}]" if label and label != "else" else "else"
