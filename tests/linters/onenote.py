"""Linter of OneNote's HTML, by Microsoft Graph's lists of elements, attributes and styles. It must be XHTML.

From learn.microsoft.com: "Input and output HTML on OneNote pages", "Create OneNote pages" (elements), "Use note tags in
OneNote pages" (`data-tag`), "OneNote API HTML tag support" (links, tables). What Graph only writes (`id`) and absolute
positions, which break pages, are excluded.
"""

import re
from collections.abc import Iterator
from xml.etree import ElementTree as ET

from tests.linters.tree import COMMENT, Node, parse_xml

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_BLOCK = ("data-id", "data-tag", "style")
_NONE: tuple[str, ...] = ()

ATTRIBUTES = {
    "html": ("lang", "xmlns"),
    "head": _NONE,
    "title": ("data-tag",),
    # Graph knows `name="created"`; `charset` is for browsers' clipboards.
    "meta": ("charset", "name", "content"),
    "body": ("style",),
    "div": ("data-id", "style"),
    "p": _BLOCK,
    **dict.fromkeys(HEADINGS, _BLOCK),
    **dict.fromkeys(("ul", "ol", "li"), _BLOCK),
    "table": ("data-id", "style", "border", "width"),
    "tr": ("data-id", "style"),
    "td": ("data-id", "style", "width"),
    "pre": ("data-id", "style"),
    "br": _NONE,
    "img": ("alt", "data-id", "data-tag", "height", "src", "style", "width"),
    "object": ("data", "data-attachment", "data-id", "type"),
    "iframe": ("data-original-src", "height", "width"),
    "a": ("href",),
    "span": ("data-id", "style"),
    **dict.fromkeys(("b", "u", "i", "em", "strong", "strike", "del", "sup", "sub", "cite"), _NONE),
}
"""Elements and their attributes."""

_TEXT_ELEMENTS = (
    "background-color", "color", "font-family", "font-size", "font-style", "font-weight", "text-decoration",
)  # fmt: skip
_ALIGNED = (*_TEXT_ELEMENTS, "text-align")

PROPERTIES = {
    "body": _ALIGNED[1:],  # "Background color is not currently supported for the body element."
    **dict.fromkeys(("div", "p", "pre", "tr", *HEADINGS), _ALIGNED),
    **dict.fromkeys(("ul", "ol", "li"), (*_ALIGNED, "list-style-type")),
    **dict.fromkeys(("table", "td"), (*_ALIGNED, "border", "width")),
    "span": _TEXT_ELEMENTS,
    "img": ("width", "height"),
}
"""Properties by element; text-align is "for block elements only"."""

_COLOR = r"#[0-9a-fA-F]{6}|[a-z]+"
VALUES = {
    "background-color": _COLOR,
    "color": _COLOR,
    "font-family": r"[^;]+",
    "font-size": r"\d+(?:\.\d+)?p[tx]",
    "font-style": "normal|italic",
    "font-weight": "normal|bold",
    "text-align": "left|center|right",
    "text-decoration": "none|underline|line-through",
    "border": "0px|1px",
    "width": r"\d+(?:\.\d+)?(?:px|%)",
    "height": r"\d+(?:\.\d+)?px",
}
"""Values by property."""

LIST_MARKS = {
    "ol": "none|decimal|lower-alpha|lower-roman|upper-alpha|upper-roman",
    "ul": "none|disc|circle|square",
}

CHECK_BOXES = frozenset(
    {
        "to-do", "to-do-priority-1", "to-do-priority-2", "discuss-with-person-a", "discuss-with-person-b",
        "discuss-with-manager", "schedule-meeting", "call-back", "client-request",
    }
)  # fmt: skip
"""Note tags that can be `completed`."""
NOTE_TAGS = CHECK_BOXES | {
    "important", "question", "definition", "highlight", "contact", "address", "phone-number", "web-site-to-visit",
    "idea", "password", "critical", "project-a", "project-b", "remember-for-later", "movie-to-see", "book-to-read",
    "music-to-listen-to", "source-for-article", "remember-for-blog", "send-in-email",
}  # fmt: skip

_PARENTS = {"li": {"ul", "ol"}, "tr": {"table"}, "td": {"tr"}}
_HOLD_ONLY = {"ul": {"li"}, "ol": {"li"}, "table": {"tr"}, "tr": {"td"}}
_BLOCKS = frozenset({"body", "div", "p", "li", "td", "pre", "br", "table", "tr", "ul", "ol", *HEADINGS})
_MARKS = {False: "☐", True: "☑"}


def problems(html: str) -> list[str]:
    """Lint a page or its body's content."""
    try:
        root = _read(html)
    except ET.ParseError as error:
        return [f"not well-formed XML: {error}"]
    findings: list[str] = []
    for node in root.walk():
        if node.tag != COMMENT:
            findings += [f"{node} {problem}" for problem in _node_problems(node)]
    findings += _space_problems(root)
    return list(dict.fromkeys(findings))


def header_rows(html: str) -> list[tuple[str, ...]]:
    """A bold first row stands for header cells, which Graph lacks."""
    rows = [next(iter(table.find("tr")), None) for table in _read(html).find("table")]
    return [
        tuple(cell.text_content() for cell in row.elements) if row and all(map(_is_bold, row.elements)) else ()
        for row in rows
    ]


def _read(html: str) -> Node:
    if re.match(r"\s*(?:<\?xml|<!doctype|<html)", html, re.IGNORECASE):
        return parse_xml(html)
    # Errors report lines one further down.
    return parse_xml(f"<body>\n{html}</body>")


def _node_problems(node: Node) -> Iterator[str]:
    if node.tag not in ATTRIBUTES:
        yield "is no element that Graph takes"
        return
    for name in node.attributes:
        if name not in ATTRIBUTES[node.tag]:
            yield f"{name} is no attribute that Graph takes there"
    yield from _position_problems(node)
    yield from _style_problems(node)
    yield from _tag_problems(node)
    if node.tag == "img":
        yield from _image_problems(node)
    elif node.tag == "meta" and node.attributes.get("name", "created") != "created":
        yield "is ignored, since its name is not created"
    elif node.tag == "a" and not node.attributes.get("href"):
        yield "has no href"


def _position_problems(node: Node) -> Iterator[str]:
    if node.tag in _PARENTS and (node.parent is None or node.parent.tag not in _PARENTS[node.tag]):
        yield f"stands in {node.parent}"
    if only := _HOLD_ONLY.get(node.tag):
        if any(child.tag not in only for child in node.elements):
            yield f"holds {', '.join(str(child) for child in node.elements if child.tag not in only)}"
        if any(isinstance(child, str) and child.strip() for child in node.children):
            yield "holds text"
    if node.tag == "a" and any(child.tag in {"img", "object"} for child in node.walk()):
        yield "holds a picture, and only text can be linked"
    if node.tag in {"p", *HEADINGS}:
        for child in node.find(*_BLOCKS - {"br"}):
            yield f"holds {child}"


def _style_problems(node: Node) -> Iterator[str]:
    for name, value, important in ((one.name, one.value, one.important) for one in node.declarations):
        allowed = VALUES.get(name, "")
        if name == "list-style-type":
            lists = node if node.tag in LIST_MARKS else node.parent
            allowed = LIST_MARKS.get(lists.tag, "") if lists else ""
        if name not in PROPERTIES.get(node.tag, ()):
            yield f"{name} is no property that Graph takes there"
        elif important or not re.fullmatch(allowed, value):
            yield f"{name}:{value}{' !important' * important} is no value that Graph takes there"
    if node.tag == "table" and not re.fullmatch(r"\d*", node.attributes.get("border", "")):
        yield f"border={node.attributes['border']} is no number"
    if node.tag in {"table", "td"} and not re.fullmatch(VALUES["width"] + r"|\d*", node.attributes.get("width", "")):
        yield f"width={node.attributes['width']} is neither pixels nor per cent"


def _tag_problems(node: Node) -> Iterator[str]:
    if "data-tag" not in node.attributes:
        return
    if node.tag == "li":
        yield "has a data-tag, which its list overrides: a list of tasks is paragraphs"
    for tag in re.split(r",\s*", node.attributes["data-tag"]):
        name, _, status = tag.partition(":")
        if name not in NOTE_TAGS:
            yield f"data-tag={tag} is no note tag"
        elif status and (status != "completed" or name not in CHECK_BOXES):
            yield f"data-tag={tag} has a status that it cannot have"
        elif name == "to-do" and node.tag != "p":
            yield f"data-tag={tag} is for paragraphs"
        elif name == "to-do" and not node.text_content().startswith(_MARKS[bool(status)]):
            yield f"data-tag={tag} is not said by the text, which begins with {node.text_content()[:1]!r}"


def _image_problems(node: Node) -> Iterator[str]:
    if not node.attributes.get("src"):
        yield "has no src"
    if "alt" not in node.attributes:
        yield "has no alt"
    # Remote images need no size.
    is_remote = re.match(r"https?:", node.attributes.get("src", ""), re.IGNORECASE)
    for name in ("width", "height"):
        value = node.attributes.get(name)
        if value is None and not is_remote:
            yield f"has no {name}"
        elif value is not None and not value.isdecimal():
            yield f"{name}={value} is no number of pixels"


def _space_problems(root: Node) -> Iterator[str]:
    """OneNote collapses spaces and drops leading ones."""
    line = ""
    for is_break, content in _lines(root):
        line = "" if is_break else line + content
        if not is_break and line.startswith(" "):
            yield f"a line begins with a plain space: {line[:40]!r}"
        if match := re.search(r" {2,}|\t", line):
            yield f"a run of plain white space: {line[max(0, match.start() - 20) : match.end() + 20]!r}"
            line = ""


def _lines(root: Node) -> Iterator[tuple[bool, str]]:
    """Skip `pre` and white space between blocks."""
    pending: list[Node | str | None] = [root]
    while pending:
        child = pending.pop()
        if child is None:
            yield True, ""
        elif isinstance(child, str):
            # White space with a newline is source formatting.
            yield False, child if child.strip() or "\n" not in child else ""
        elif child.tag in {COMMENT, "pre", "head"}:
            yield True, ""
        elif child.tag in _BLOCKS:
            pending += [None, *reversed(child.children), None]
        else:
            pending += reversed(child.children)


def _is_bold(cell: Node) -> bool:
    pieces = [holder for holder, weight in cell.text_parts() if weight.strip()]
    return all(
        any(
            node.tag in {"b", "strong"} or node.style.get("font-weight") == "bold"
            for node in (holder, *holder.ancestors())
        )
        for holder in pieces
    )
