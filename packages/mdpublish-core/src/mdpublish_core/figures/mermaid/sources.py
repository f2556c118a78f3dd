"""Parse the metadata of a Mermaid source, and rewrite it: for engines, or in the other direction."""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from mdpublish_core.data_files import read_patterns, read_table
from mdpublish_core.figures.errors import FigureError
from mdpublish_core.figures.mermaid import literals
from mdpublish_core.figures.mermaid.block_links import with_solid_links
from mdpublish_core.figures.mermaid.gantt_dates import with_years

MAX_BYTES = 50_000
"""Size of a source, as in Mermaid."""

MAX_WORD = 5_000
"""Engines measure each prefix of a word: quadratic time."""

TYPES = (
    *("flowchart", "sequenceDiagram", "classDiagram", "stateDiagram", "erDiagram", "pie"),
    *("gantt", "journey", "mindmap", "timeline", "quadrantChart", "gitGraph"),
)
"""Listed in error messages."""

Theming = Literal["template", "author", "named"]
"""Colors from the template, from the author's variables, or from a named Mermaid theme."""

_SYNTAX = read_patterns(__file__, "sources.tsv")


# Not allowed in XML.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


_BREAK = "br"
_FORMATTED_TYPES = ("flowchart", "graph", "classDiagram", "stateDiagram", "erDiagram", "mindmap")

# Labels parsed as HTML by merman; one ill-formed label loses all.
HTML_LABELS = frozenset({"mindmap", "kanban"})
# Whose labels have no HTML.
_PLAIN_LABEL_TYPES = ("sequenceDiagram", "erDiagram", "railroad")


DOWNWARD = re.compile(r"^([ \t]*timeline)[ \t]+T[DB]\b", re.MULTILINE)
"""A direction of timelines in which the engine draws sections upon events."""

MISREAD_LINES: Mapping[str, re.Pattern[str]] = {
    kind: re.compile(pattern, re.MULTILINE) for kind, pattern, _ in read_table(__file__, "misread.tsv")
}
"""Finds lines that engines misread, by `base_kind`, to repair them; the table says what Mermaid takes them for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MermaidSource:
    """A preprocessed source and its metadata."""

    content: str
    """The source, with its line numbers unchanged."""

    kind: str
    """The first word, such as `flowchart`."""

    header: int
    """Index of its line."""

    title: str
    """`accTitle` or front matter."""

    heading: str
    """The front matter's title, which is drawn."""

    description: str
    """`accDescr`, on one line."""

    theming: Theming

    is_numbered: bool
    is_dark: bool


def parse_source(content: str) -> MermaidSource:
    """Parse a source; raises `FigureError` if it is empty or too long."""
    size = len(content.encode(errors="replace"))
    if size > MAX_BYTES:
        raise FigureError(f"the diagram must be at most {MAX_BYTES:,} bytes (got {size:,}); split it")
    longest = max(map(len, content.split()), default=0)
    if longest > MAX_WORD:
        raise FigureError(
            f"a word of the diagram must be at most {MAX_WORD:,} characters (got {longest:,}); shorten it"
        )
    content = _SYNTAX["icon"].sub(" ", _UNWRITABLE.sub("\ufffd", normalize_newlines(content)))
    front = _SYNTAX["front matter"].match(content)
    matter, body = (front[1], content[front.end() :]) if front else ("", content)
    directives = " ".join(_SYNTAX["directive"].findall(body))
    plain = _SYNTAX["directive"].sub("", body)
    header, kind = find_header(content)
    if not kind:
        raise FigureError(f"the diagram is empty; the first line must begin with its type, such as {_listed(TYPES)}")
    if kind.startswith(_FORMATTED_TYPES):
        content = _SYNTAX["list tags"].sub(_item_start, _SYNTAX["formatting tags"].sub("", content))
    title, description = _SYNTAX["acc title"].search(plain), _SYNTAX["acc description"].search(plain)
    named = _SYNTAX["title"].search(matter)
    heading = _unquoted(named[1]) if named else ""
    return MermaidSource(
        content=content,
        kind=kind,
        header=header,
        title=title[1].strip() if title else heading,
        heading=heading,
        description=" ".join((description[1] or description[2] or "").split()) if description else "",
        theming=_theming(matter + directives),
        is_numbered=_SYNTAX["numbered"].search(matter + directives) is not None,
        is_dark="dark" in (_SYNTAX["theme"].search(matter + directives) or [""])[0].lower(),
    )


def without_styles(content: str, line: int | None) -> Iterator[tuple[str, str]]:
    """Yield a source without the style on a line, then without all styles and configuration; and what they lack."""
    lines = normalize_newlines(content).split("\n")
    if line and _SYNTAX["style"].fullmatch(lines[line - 1]):
        yield "\n".join((*lines[: line - 1], "", *lines[line:])), "the style is"
    content = "\n".join(lines)
    start = after_front_matter(content)
    front, body = _SYNTAX["configuration"].sub("", content[:start]), content[start:]
    body = _SYNTAX["directive"].sub(lambda directive: "\n" * directive[0].count("\n"), body)
    if (plain := front + _SYNTAX["style"].sub("", body)) != content:
        yield plain, "styles and configuration are"


def normalize_newlines(content: str) -> str:
    return content.replace("\r\n", "\n").replace("\r", "\n")


def unknown_type_message(kind: str) -> str:
    return f"unknown diagram type {kind[:40]!r}; the first line must begin with {_listed(TYPES)}"


def find_header(content: str) -> tuple[int, str]:
    """Return the index of the first line after front matter, directives and comments, and its type, or an empty one."""
    start = after_front_matter(content)
    plain = _SYNTAX["directive"].sub(lambda directive: "\n" * directive[0].count("\n"), content[start:])
    for index, line in enumerate(plain.split("\n"), content.count("\n", 0, start)):
        words = line.split()
        if words and not words[0].startswith("%%"):
            return index, words[0].partition("(")[0].rstrip(":;") or words[0]
    return 0, ""


def _item_start(tags: re.Match[str]) -> str:
    """Return a break and a bullet for the start of an item, else nothing."""
    is_first = tags.start() == 0 or tags.string[tags.start() - 1] in '[({"|'
    return ("" if is_first else f"<{_BREAK}/>") + "• " if tags["item"] else ""


def base_kind(kind: str) -> str:
    """Return the type whose syntax a type has."""
    base = kind.removesuffix("-beta").removesuffix("-v2")
    return "flowchart" if base in {"graph", "flowchart-elk"} else base


def _theming(configuration: str) -> Theming:
    theme = _SYNTAX["theme"].search(configuration)
    if theme and theme[1] not in {"base", "null"}:
        return "named"
    return "author" if theme or "themeVariables" in configuration else "template"


def _unquoted(value: str) -> str:
    return value[1:-1].strip() if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _listed(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def after_front_matter(content: str) -> int:
    front = _SYNTAX["front matter"].match(content)
    return front.end() if front else 0


def engine_source(source: MermaidSource) -> str:
    """Return the source, rewritten to avoid errors of merman."""
    content = literal_source(source)
    if source.kind in HTML_LABELS:
        return _SYNTAX["less"].sub(literals.LESS, _SYNTAX["element"].sub("", content))
    if rewrite := _REWRITES.get(base_kind(source.kind)):
        return rewrite(content)
    if source.kind == "sequenceDiagram" and source.is_numbered:
        return _SYNTAX["sequence"].sub(lambda line: f"{line[0]}; autonumber", content, count=1)
    if source.kind != "journey" or _SYNTAX["section"].search(content):
        return content
    return _SYNTAX["task"].sub(lambda task: f"section \u00a0\n{task[0]}", content, count=1)


def _with_class_labels(content: str) -> str:
    """Return class diagrams with a label for a class of nested types, of which merman reads one, and breaks in notes."""

    def labelled(declared: re.Match[str]) -> str:
        generic = re.sub(r"~(?=\w)", "#lt;", declared["type"]).replace("~", "#gt;")
        return f'{declared["class"]}["{declared["name"]}{generic}"]'

    content = _SYNTAX["class note"].sub(lambda note: note[0].replace(r"\n", f"<{_BREAK}/>"), content)
    content = _SYNTAX["nested type"].sub(labelled, content)
    return _SYNTAX["nested member"].sub(
        lambda line: _SYNTAX["tilde"].sub(lambda sign: literals.LESS if sign["opens"] is not None else ">", line[0]),
        content,
    )


_REWRITES: Mapping[str, Callable[[str], str]] = {
    "block": with_solid_links,
    "classDiagram": _with_class_labels,
    "gantt": with_years,
    "stateDiagram": lambda content: content.replace(r"\n", f"<{_BREAK}/>"),
    "timeline": lambda content: DOWNWARD.sub(r"\1", content, count=1),
}


def literal_source(source: MermaidSource) -> str:
    """Return the source with what is neither a tag nor a code as plain characters."""
    is_sequence = source.kind == "sequenceDiagram"
    content = (
        literals.without_comment_signs(literals.without_html_codes(source.content)) if is_sequence else source.content
    )
    content = literals.without_unknown_codes(content)
    if source.kind.startswith(_PLAIN_LABEL_TYPES):
        return content
    content = literals.without_signs(content) if source.kind in _HEADER_TYPES else content
    return literals.without_unknown_tags(content)


_HEADER_TYPES = frozenset({"flowchart", "graph", "flowchart-elk"})
"""Types whose first line names the direction; others have a statement."""

_STATEMENT_TYPES = ("classDiagram", "stateDiagram", "erDiagram", "requirementDiagram")


_SIDEWAYS = frozenset({"LR", "RL", "<", ">"})


def can_transpose(source: MermaidSource) -> bool:
    return source.kind in _HEADER_TYPES or source.kind.startswith(_STATEMENT_TYPES)


def transpose(source: MermaidSource) -> MermaidSource:
    """Return the source with the other direction; its line numbers may change.

    Statements inside subgraphs, composite states, classes and entities stay.
    """
    lines = source.content.split("\n")
    if source.kind in _HEADER_TYPES:
        lines[source.header] = _SYNTAX["directed header"].sub(
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
        if not depth and (match := _SYNTAX["direction"].match(lines[index])):
            lines[index] = f"{match[1]}{_other(match[2].upper())}{lines[index][match.end() :]}"
            return
        depth += line.endswith("{")
    lines[header] += "\ndirection LR"


def _other(direction: str | None) -> str:
    return "TB" if direction in _SIDEWAYS else "LR"
