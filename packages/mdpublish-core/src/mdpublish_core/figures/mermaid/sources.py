"""Parse the metadata of a Mermaid source, and rewrite it: for engines, or in the other direction."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from mdpublish_core.data_files import read_table
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

_FRONT_MATTER = re.compile(r"\s*---[ \t]*\n(.*?)(?:^|\n)---[ \t]*(?:\n|\Z)", re.DOTALL)
_DIRECTIVE = re.compile(r"%%\{.*?\}%%", re.DOTALL)
_TITLE = re.compile(r"^title[ \t]*:[ \t]*(\S.*?)[ \t]*$", re.MULTILINE)
_THEME = re.compile(r"""\btheme["']?[ \t]*:[ \t]*["']?([\w-]+)""")
_ACC_TITLE = re.compile(r"^[ \t]*accTitle[ \t]*:[ \t]*(\S.*)$", re.MULTILINE)
_ACC_DESCRIPTION = re.compile(r"^[ \t]*accDescr(?:[ \t]*:[ \t]*(\S.*)$|[ \t]*\{([^}]*)\})", re.MULTILINE)

_SECTION = re.compile(r"^[ \t]*section\b", re.MULTILINE)
_TASK = re.compile(r"^(?![ \t]*(?:%%|acc|title))[^:\n]+:[ \t]*\d", re.MULTILINE)

# Not allowed in XML.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")

_NUMBERED = re.compile(r"""\bshowSequenceNumbers["']?[ \t]*:[ \t]*true\b""")
_SEQUENCE = re.compile(r"^[ \t]*sequenceDiagram\b(?=[ \t]*$)", re.MULTILINE)

# Formatting tags in labels; not `<<b>>` or `a <b and c> d`.
_FORMATTING_TAGS = re.compile(
    r"(?<!<)</?(?:b|strong|i|em|u|s|del|ins|code|kbd|samp|var|tt|small|big|sub|sup|mark|span|font|center|p|div|h[1-6])"
    r"""(?:[ \t]+[\w-]+[ \t]*=[ \t]*(?:"[^"\n]*"|'[^'\n]*'|[^\s"'<>]+)){0,8}[ \t]*/?>(?!>)""",
    re.IGNORECASE,
)
_LIST_TAGS = re.compile(r"(?:</?[uo]l>|</li>|(?!))*+(?P<item><li>)|</?[uo]l>|</li>", re.IGNORECASE)
_BREAK = "br"
_FORMATTED_TYPES = ("flowchart", "graph", "classDiagram", "stateDiagram", "erDiagram", "mindmap")

# Labels parsed as HTML by merman; one ill-formed label loses all.
HTML_LABELS = frozenset({"mindmap", "kanban"})
# Whose labels have no HTML.
_PLAIN_LABEL_TYPES = ("sequenceDiagram", "erDiagram", "railroad")

_ELEMENT = re.compile(r"</?(?!br\b)([a-zA-Z][\w-]*+)[^<>\n]*>", re.IGNORECASE)
_LESS = re.compile(r"#lt;|&lt;|#60;|&#60;|<(?!br\b)", re.IGNORECASE)

_CLASS_NOTE = re.compile(r"^[ \t]*note\b.*$", re.MULTILINE)
_NESTED_MEMBER = re.compile(r"^.*\w~\w[^~\n]*\w~[^\n]*~~.*$", re.MULTILINE)
_TILDE = re.compile(r"(?<=[\w~])~(?P<opens>(?=\w))?")
_NESTED_TYPE = re.compile(r"^(?P<class>[ \t]*class[ \t]+(?P<name>\w+))(?P<type>~\w[\w ,]*~[\w ,~]*~)", re.MULTILINE)

DOWNWARD = re.compile(r"^([ \t]*timeline)[ \t]+T[DB]\b", re.MULTILINE)
"""A direction of timelines in which the engine draws sections upon events."""

MISREAD_LINES: Mapping[str, re.Pattern[str]] = {
    kind: re.compile(pattern, re.MULTILINE) for kind, pattern, _ in read_table(__file__, "misread.tsv")
}
"""Finds lines that engines misread, by `base_kind`, to repair them; the table says what Mermaid takes them for."""

# Font Awesome icons, which are not shipped.
_ICON = re.compile(r"\bfa[bklrs]?:fa-[\w-]+[ \t]?")


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
    content = _ICON.sub(" ", _UNWRITABLE.sub("\ufffd", normalize_newlines(content)))
    front = _FRONT_MATTER.match(content)
    matter, body = (front[1], content[front.end() :]) if front else ("", content)
    directives = " ".join(_DIRECTIVE.findall(body))
    plain = _DIRECTIVE.sub("", body)
    header, kind = find_header(content)
    if not kind:
        raise FigureError(f"the diagram is empty; the first line must begin with its type, such as {_listed(TYPES)}")
    if kind.startswith(_FORMATTED_TYPES):
        content = _LIST_TAGS.sub(_item_start, _FORMATTING_TAGS.sub("", content))
    title, description = _ACC_TITLE.search(plain), _ACC_DESCRIPTION.search(plain)
    named = _TITLE.search(matter)
    heading = _unquoted(named[1]) if named else ""
    return MermaidSource(
        content=content,
        kind=kind,
        header=header,
        title=title[1].strip() if title else heading,
        heading=heading,
        description=" ".join((description[1] or description[2] or "").split()) if description else "",
        theming=_theming(matter + directives),
        is_numbered=_NUMBERED.search(matter + directives) is not None,
        is_dark="dark" in (_THEME.search(matter + directives) or [""])[0].lower(),
    )


def normalize_newlines(content: str) -> str:
    return content.replace("\r\n", "\n").replace("\r", "\n")


def unknown_type_message(kind: str) -> str:
    return f"unknown diagram type {kind[:40]!r}; the first line must begin with {_listed(TYPES)}"


def find_header(content: str) -> tuple[int, str]:
    """Return the index of the first line after front matter, directives and comments, and its type, or an empty one."""
    start = after_front_matter(content)
    plain = _DIRECTIVE.sub(lambda directive: "\n" * directive[0].count("\n"), content[start:])
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
    theme = _THEME.search(configuration)
    if theme and theme[1] not in {"base", "null"}:
        return "named"
    return "author" if theme or "themeVariables" in configuration else "template"


def _unquoted(value: str) -> str:
    return value[1:-1].strip() if len(value) > 1 and value[0] == value[-1] and value[0] in "\"'" else value


def _listed(words: tuple[str, ...]) -> str:
    return f"{', '.join(words[:-1])} or {words[-1]}"


def after_front_matter(content: str) -> int:
    front = _FRONT_MATTER.match(content)
    return front.end() if front else 0


def engine_source(source: MermaidSource) -> str:
    """Return the source, rewritten to avoid errors of merman."""
    content = literal_source(source)
    if source.kind in HTML_LABELS:
        return _LESS.sub(literals.LESS, _ELEMENT.sub("", content))
    if rewrite := _REWRITES.get(base_kind(source.kind)):
        return rewrite(content)
    if source.kind == "sequenceDiagram" and source.is_numbered:
        return _SEQUENCE.sub(lambda line: f"{line[0]}; autonumber", content, count=1)
    if source.kind != "journey" or _SECTION.search(content):
        return content
    return _TASK.sub(lambda task: f"section \u00a0\n{task[0]}", content, count=1)


def _with_class_labels(content: str) -> str:
    """Return class diagrams with a label for a class of nested types, of which merman reads one, and breaks in notes."""

    def labelled(declared: re.Match[str]) -> str:
        generic = re.sub(r"~(?=\w)", "#lt;", declared["type"]).replace("~", "#gt;")
        return f'{declared["class"]}["{declared["name"]}{generic}"]'

    content = _CLASS_NOTE.sub(lambda note: note[0].replace(r"\n", f"<{_BREAK}/>"), content)
    content = _NESTED_TYPE.sub(labelled, content)
    return _NESTED_MEMBER.sub(
        lambda line: _TILDE.sub(lambda sign: literals.LESS if sign["opens"] is not None else ">", line[0]), content
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

_DIRECTED_HEADER = re.compile(r"^(\s*(?:flowchart-elk|flowchart|graph)\b[ \t]*)(TB|TD|BT|LR|RL|[<>^v](?=[ \t;]|$))?")
_DIRECTION = re.compile(r"^(\s*direction[ \t]+)(TB|TD|BT|LR|RL)\b", re.IGNORECASE)

_SIDEWAYS = frozenset({"LR", "RL", "<", ">"})


def can_transpose(source: MermaidSource) -> bool:
    return source.kind in _HEADER_TYPES or source.kind.startswith(_STATEMENT_TYPES)


def transpose(source: MermaidSource) -> MermaidSource:
    """Return the source with the other direction; its line numbers may change.

    Statements inside subgraphs, composite states, classes and entities stay.
    """
    lines = source.content.split("\n")
    if source.kind in _HEADER_TYPES:
        lines[source.header] = _DIRECTED_HEADER.sub(
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
        if not depth and (match := _DIRECTION.match(lines[index])):
            lines[index] = f"{match[1]}{_other(match[2].upper())}{lines[index][match.end() :]}"
            return
        depth += line.endswith("{")
    lines[header] += "\ndirection LR"


def _other(direction: str | None) -> str:
    return "TB" if direction in _SIDEWAYS else "LR"
