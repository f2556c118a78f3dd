"""Repairs of the first line, which names the type of a diagram."""

import re

from mdpublish_core.figures.mermaid.sources import find_header
from mdpublish_core.figures.repairs import Draft

_TYPES = {
    name.lower(): name
    for name in (
        *("flowchart", "flowchart-elk", "graph", "sequenceDiagram", "classDiagram", "classDiagram-v2", "stateDiagram"),
        *("stateDiagram-v2", "erDiagram", "pie", "gantt", "journey", "mindmap", "timeline", "quadrantChart"),
        *("gitGraph", "xychart", "xychart-beta"),
    )
}

_WORD = re.compile(r"\s*+(?P<word>[A-Za-z][\w-]*+)")
_FLOWCHART = re.compile(
    r"(?P<type>\s*+(?:flowchart(?:-elk)?|graph)):?(?P<space>[ \t]*+)(?P<quote>[\"']?)(?P<direction>(?:TB|TD|BT|RL|LR)?)(?P=quote)"
    r"[ \t]*+(?:[:.,-]|(?P<comment>//|#(?!\w)))?[ \t]*+(?P<rest>.*)",
    re.IGNORECASE,
)
_ONLY_TYPE = re.compile(r"(?P<type>\s*+\w++(?:-v2)?):\s*")

# A statement in the place of the type; `[*]` is of state diagrams.
_NODE = r"\s*+[^\W\d][\w-]*?(?:\[[^\[\]\n*]*\]|\([^()\n]*\)|\{[^{}\n]*\})?"
_LINK = re.compile(rf"{_NODE}\s*(?:-->|---|-\.->|==>)(?![>x)])")
_MESSAGE = re.compile(r"\s*+[^\W\d][\w \t]*+--?>>[+-]?\s*+\w[^:\n]*+:")


def repair_header(draft: Draft) -> None:
    """Correct the name of the type and what follows it, or add a type that only one kind of diagram can have."""
    header, kind = find_header(draft.content)
    line = draft.lines[header]
    word = _WORD.match(line)
    name = word["word"] if word else ""
    known = _TYPES.get(kind.lower())
    if known is None:
        _add_type(draft, header)
    elif word and name.lower() == known.lower() and name != known:
        draft.correct(header, line.replace(name, known, 1), f"the type is written {known}")
    _repair_rest(draft, header)


def _add_type(draft: Draft, header: int) -> None:
    line = draft.lines[header]
    for pattern, start in ((_LINK, "flowchart TD; "), (_MESSAGE, "sequenceDiagram; ")):
        if pattern.match(line):
            draft.correct_text(header, start + line.strip(), f"a diagram begins with its type, here {start[:-2]}")
            return


def _repair_rest(draft: Draft, header: int) -> None:
    line = draft.lines[header]
    only_type = _ONLY_TYPE.fullmatch(line)
    if only_type:
        draft.correct(header, only_type["type"], "there is no colon after the type")
        return
    flowchart = _FLOWCHART.fullmatch(line)
    if flowchart and flowchart["direction"] and _LINK.match(flowchart["rest"]):
        start = f"{flowchart['type']} {flowchart['direction'].upper()}"
        draft.correct(header, f"{start}; {flowchart['rest']}", "a statement is on a line of its own")
        return
    if flowchart is None or (flowchart["rest"] and not flowchart["comment"]):
        return
    repaired = f"{flowchart['type']}{' ' * bool(flowchart['direction'])}{flowchart['direction'].upper()}"
    if flowchart["comment"]:
        draft.correct(header, f"{repaired} %% {flowchart['rest']}", "a comment begins with %%")
    elif flowchart["space"] or not flowchart["direction"]:
        draft.correct(header, repaired, "only the direction follows the type")
