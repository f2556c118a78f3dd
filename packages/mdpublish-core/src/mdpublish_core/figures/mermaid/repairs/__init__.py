"""Repairs of slips in a diagram that the engine refuses; a module per type, or for several.

A repairer changes the lines of a `Draft`, from the header on. It only sees sources that cannot be rendered as written,
so it may be generous; whether the repair helps is for the engine to tell. The line of the type is repaired here.
"""

import re
from collections.abc import Callable, Mapping

from mdpublish_core.figures.mermaid.repairs import flowcharts, lists, relations, sequences
from mdpublish_core.figures.mermaid.repairs.blocks import SYNTAXES, close_blocks
from mdpublish_core.figures.mermaid.repairs.labels import is_quoted, quote
from mdpublish_core.figures.mermaid.repairs.lines import repair_lines
from mdpublish_core.figures.mermaid.repairs.lists import repair_gantt
from mdpublish_core.figures.mermaid.sources import MermaidSource, base_kind, find_header
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


Repairer = Callable[[Draft, int], None]
"""Called with the index of the header."""

_REPAIRERS: Mapping[str, Repairer] = {
    "flowchart": flowcharts.repair,
    "sequenceDiagram": sequences.repair,
    "classDiagram": relations.repair_classes,
    "stateDiagram": relations.repair_states,
    "erDiagram": relations.repair_entities,
    "mindmap": lists.repair_mindmap,
    "gantt": repair_gantt,
    "quadrantChart": lists.repair_quadrants,
}

_MISREAD: Mapping[str, Repairer] = {
    **_REPAIRERS,
    "flowchart": flowcharts.leave_out_dangling_links,
    "mindmap": lists.repair_words_before_shapes,
}
"""By what `sources.MISREAD_LINES` finds."""

_FENCE = re.compile(r"\s*(?:```|~~~)\s*(?:mermaid)?\s*|\s*mermaid\s*", re.IGNORECASE)

# What YAML does not take as it is.
_TITLE = re.compile(r"(?P<name>title:[ \t]++)(?P<value>[\"\[{&*!|>%@`'].*\S|.*:\s.*\S|.*\s#.*\S)\s*")


def repair(content: str) -> Draft:
    """Return the lines of a source, repaired where it is clear how."""
    draft = Draft(content.split("\n"))
    for index, line in enumerate(draft.lines):
        if line.strip() and _FENCE.fullmatch(line):
            draft.correct(index, "", "a fence inside the figure is left out")
    repair_header(draft)
    header, kind = find_header(draft.content)
    _repair_front_matter(draft, header)
    _repair_body(draft, header, kind, _REPAIRERS)
    return draft


def repair_misread(content: str, source: MermaidSource) -> Draft:
    """Return the lines of a source, repaired where engines take a line for something else."""
    draft = Draft(content.split("\n"))
    _repair_body(draft, source.header, source.kind, _MISREAD)
    return draft


def _repair_body(draft: Draft, header: int, kind: str, repairers: Mapping[str, Repairer]) -> None:
    kind = base_kind(kind)
    repair_lines(draft, header, kind)
    if kind in repairers:
        repairers[kind](draft, header)
    if kind in SYNTAXES:
        close_blocks(draft, header, kind)


def _repair_front_matter(draft: Draft, header: int) -> None:
    for index in range(header):
        title = _TITLE.fullmatch(draft.lines[index])
        if title and not is_quoted(title["value"]):
            value = quote(title["value"]).replace("#quot;", r"\"")
            draft.correct(index, title["name"] + value, "a title with colons or signs must be in double quotes")
