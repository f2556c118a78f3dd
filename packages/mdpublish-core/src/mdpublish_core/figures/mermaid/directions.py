"""The other direction of a diagram: from left to right instead of from top to bottom, or the reverse.

Statements inside subgraphs, composite states, classes and entities stay.
"""

import re
from dataclasses import replace

from mdpublish_core.figures.mermaid.sources import MermaidSource

_HEADER_TYPES = frozenset({"flowchart", "graph", "flowchart-elk"})
"""Types whose first line names the direction; others have a statement."""

_STATEMENT_TYPES = ("classDiagram", "stateDiagram", "erDiagram", "requirementDiagram")

_HEADER = re.compile(r"^(\s*(?:flowchart-elk|flowchart|graph)\b[ \t]*)(TB|TD|BT|LR|RL|[<>^v](?=[ \t;]|$))?")
_STATEMENT = re.compile(r"^(\s*direction[ \t]+)(TB|TD|BT|LR|RL)\b", re.IGNORECASE)

_SIDEWAYS = frozenset({"LR", "RL", "<", ">"})


def can_transpose(source: MermaidSource) -> bool:
    return source.kind in _HEADER_TYPES or source.kind.startswith(_STATEMENT_TYPES)


def transpose(source: MermaidSource) -> MermaidSource:
    """Return the source with the other direction; its line numbers may change."""
    lines = source.content.split("\n")
    if source.kind in _HEADER_TYPES:
        lines[source.header] = _HEADER.sub(
            lambda match: f"{match[1].rstrip()} {_other(match[2])}", lines[source.header]
        )
    else:
        _transpose_statement(lines, source.header)
    return replace(source, content="\n".join(lines))


def _transpose_statement(lines: list[str], header: int) -> None:
    depth = 0
    for index in range(header + 1, len(lines)):
        line = lines[index].strip()
        depth -= line.startswith("}")
        if not depth and (match := _STATEMENT.match(lines[index])):
            lines[index] = f"{match[1]}{_other(match[2].upper())}{lines[index][match.end() :]}"
            return
        depth += line.endswith("{")
    lines[header] += "\ndirection LR"


def _other(direction: str | None) -> str:
    return "TB" if direction in _SIDEWAYS else "LR"
