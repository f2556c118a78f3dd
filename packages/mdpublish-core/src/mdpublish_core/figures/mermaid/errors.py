"""Convert engine errors into messages for authors."""

import re

from mdpublish_core.data_files import read_names
from mdpublish_core.figures.errors import FigureError, SourceRefused
from mdpublish_core.figures.mermaid.literals import with_plain_characters
from mdpublish_core.figures.mermaid.sources import MermaidSource, unknown_type_message

_PREFIX = re.compile(r"^(?:Diagram parse error \([^)]*\): |Layout error: |Render error: )+")
_UNKNOWN = re.compile(r"no mermaid diagram|no diagram type|unsupported diagram", re.IGNORECASE)
_LIMIT = re.compile(
    r"resource limit `(?P<name>\w+)` exceeded.*?actual=(?P<actual>\d+) maximum=(?P<maximum>\d+)", re.DOTALL
)

_BOUNDS = read_names(__file__, "words.tsv")["bound"]

# The limit of notices.
_MAX_CHARACTERS = 300


def to_figure_error(message: str, source: MermaidSource) -> FigureError:
    """Return a `SourceRefused`, unless no line is wrong: a limit, or a type that cannot be rendered."""
    if _UNKNOWN.search(message):
        return SourceRefused(unknown_type_message(source.kind), source.header + 1)
    if "postprocessor" in message:
        return FigureError(f"diagrams of the type {source.kind[:40]!r} are not supported")
    limit = _LIMIT.search(message)
    if limit or message.startswith("resource limit"):
        return FigureError(_limit_message(limit))
    problem = " ".join(_PREFIX.sub("", with_plain_characters(message)).split())
    if len(problem) > _MAX_CHARACTERS:
        problem = problem[: _MAX_CHARACTERS - 1].rstrip(" ,;") + "…"
    return SourceRefused(problem or "the diagram cannot be rendered")


def _limit_message(limit: re.Match[str] | None) -> str:
    if limit is None:
        return "the diagram is too complex; split it"
    what = _BOUNDS.get(limit["name"], limit["name"])
    return f"the diagram must be at most {int(limit['maximum']):,} {what} (got {int(limit['actual']):,}); split it"
