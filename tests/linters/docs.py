"""Linter of HTML for Google Docs: only what Docs itself puts on the clipboard, plus the specified style names.

From captures of p, headings, all kinds of lists, checklists, tables with header rows, links, images, super- and
subscript, code in Roboto Mono and indented paragraphs. Docs also reads, and this allows, a nested list inside its item,
several blocks per item, and omitted defaults.
"""

import re
from collections.abc import Iterator

from tests.linters.tree import COMMENT, Node, parse_fragment

STYLE_NAME = "-aw-style-name"
PARAGRAPHS = frozenset({"body-text", "list-paragraph", "quote", "code"})
"""Headings have `heading1` to `heading6`."""

HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
BLOCKS = frozenset({"p", *HEADINGS})
LISTS = frozenset({"ul", "ol"})
CELLS = frozenset({"td", "th"})
_FLOW = BLOCKS | LISTS | {"div", "hr", "br"}
_INLINE = frozenset({"span", "a", "br", "img"})

HOLDS = {
    "b": _FLOW,
    **dict.fromkeys(BLOCKS, _INLINE),
    **dict.fromkeys(LISTS, LISTS | {"li"}),
    "li": _FLOW - {"hr", "br"} | {"img"},
    "div": frozenset({"table"}),
    "table": frozenset({"colgroup", "thead", "tbody"}),
    "colgroup": frozenset({"col"}),
    "thead": frozenset({"tr"}),
    "tbody": frozenset({"tr"}),
    "tr": CELLS,
    **dict.fromkeys(CELLS, _FLOW - {"hr", "br"}),
    "span": frozenset({"span", "br", "img"}),
    "a": frozenset({"span"}),
    **dict.fromkeys(("br", "hr", "img", "col"), frozenset[str]()),
}
"""Allowed children; only spans contain text."""

ATTRIBUTES = {
    "b": ("id", "style"),
    **dict.fromkeys(BLOCKS, ("dir", "style", "role")),
    "ul": ("style",),
    "ol": ("style", "start"),
    "li": ("dir", "style", "role", "aria-level", "aria-checked"),
    "div": ("dir", "style", "align"),
    "table": ("style",),
    "col": ("width",),
    "tr": ("style",),
    "td": ("style", "colspan", "rowspan"),
    "th": ("style", "colspan", "rowspan", "scope"),
    "span": ("style",),
    "a": ("href", "style"),
    "img": ("src", "width", "height", "alt", "style", "aria-roledescription"),
}

_POINTS = r"-?\d+(?:\.\d+)?pt|0"
_PIXELS = r"\d+(?:\.\d+)?px"
_COLOR = r"#[0-9a-f]{6}|transparent"
_BORDER = rf"none|solid (?:{_COLOR}) (?:{_POINTS})"
_CHARACTER = {
    "font-size": _POINTS,
    "font-family": r"[^;]+",
    "color": _COLOR,
    "background-color": _COLOR,
    "font-weight": "400|700",
    "font-style": "normal|italic",
    "font-variant": "normal|small-caps",
    "text-decoration": "none|underline|line-through|underline line-through",
    "-webkit-text-decoration-skip": "none",
    "text-decoration-skip-ink": "none",
    "vertical-align": "baseline|super|sub",
    "white-space": "pre|pre-wrap",
}
_BLOCK = {
    "line-height": r"\d+(?:\.\d+)?",
    "margin-top": _POINTS,
    "margin-bottom": _POINTS,
    "margin-left": _POINTS,
    "margin-right": _POINTS,
    "text-indent": _POINTS,
    "padding": rf"(?:{_POINTS})(?: (?:{_POINTS})){{0,3}}",
    "text-align": "left|right|center|justify",
    STYLE_NAME: r"[a-z0-9-]+|code-[A-Za-z0-9_-]+",
    # Beside a checkbox.
    "display": "inline-block",
    "vertical-align": "top",
}
_CHECKBOX_IMAGE = {
    "border": "none",
    "display": "inline-block",
    "overflow": "hidden",
    "width": _PIXELS,
    "height": _PIXELS,
}
_CELL = {
    **{f"border-{side}": _BORDER for side in ("left", "right", "top", "bottom")},
    "vertical-align": "top|middle|bottom",
    "background-color": _COLOR,
    "padding": rf"(?:{_POINTS})(?: (?:{_POINTS})){{0,3}}",
    "overflow": "hidden",
    "overflow-wrap": "break-word",
}
_LIST = {"margin-top": "0", "margin-bottom": "0", "padding-inline-start": _PIXELS}
_MARKS = "none|disc|circle|square|decimal|decimal-leading-zero|lower-alpha|upper-alpha|lower-roman|upper-roman"

PROPERTIES = {
    "b": {"font-weight": "normal"},
    **dict.fromkeys(BLOCKS, _BLOCK),
    **dict.fromkeys(LISTS, _LIST),
    "li": {**_CHARACTER, "list-style-type": _MARKS, "margin-left": _POINTS},
    "div": {"margin-left": _POINTS},
    "table": {
        "border": "none", "border-collapse": "collapse", "table-layout": "fixed", "width": _POINTS,
    },
    "tr": {"height": _POINTS},
    **dict.fromkeys(CELLS, _CELL),
    "span": {**_CHARACTER, **_CHECKBOX_IMAGE},
    "a": {"text-decoration": "none"},
    "img": {"border": "none", "vertical-align": rf"-{_PIXELS}", "margin-left": _PIXELS, "margin-top": _PIXELS, "margin-right": _PIXELS},
}  # fmt: skip
"""Allowed properties and values."""

_NEEDED = {
    "li": ("list-style-type",),
    "table": ("border", "border-collapse", "table-layout", "width"),
    **dict.fromkeys(CELLS, tuple(name for name in _CELL if name.startswith(("border", "padding", "vertical")))),
    "a": ("text-decoration",),
}
_GUID = re.compile(r"docs-internal-guid-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")


def problems(html: str) -> list[str]:
    root, errors = parse_fragment(html)
    findings = [*errors, *_wrapper_problems(root)]
    for wrapper in root.find("b"):
        for node in wrapper.walk():
            if node.tag != COMMENT:
                findings += [f"{node} {problem}" for problem in _node_problems(node)]
    return list(dict.fromkeys(findings))


def style_names(html: str) -> list[tuple[str, str]]:
    """Include paragraphs and headings that have one."""
    root, _ = parse_fragment(html)
    return [(node.style[STYLE_NAME], node.text_content()) for node in root.find(*BLOCKS) if STYLE_NAME in node.style]


def _wrapper_problems(root: Node) -> Iterator[str]:
    if [node.tag for node in root.elements] != ["meta", "b"]:
        yield f"holds {' '.join(map(str, root.elements))} and not a <meta> and a <b> around all"
    if any(isinstance(child, str) and child.strip() for child in root.children):
        yield "holds text beside its wrapper"
    for meta in root.find("meta"):
        if meta.attributes != {"charset": "utf-8"}:
            yield '<meta> is not <meta charset="utf-8">'
    for wrapper in root.elements[1:2]:
        if not _GUID.fullmatch(wrapper.attributes.get("id", "")):
            yield f"{wrapper} has no id such as Docs gives"
        if wrapper.style.get("font-weight") != "normal":
            yield f"{wrapper} is not of normal weight, so that all would be bold"


def _node_problems(node: Node) -> Iterator[str]:
    if node.tag not in HOLDS:
        yield "is no element that Docs writes"
        return
    for name in node.attributes:
        if name not in ATTRIBUTES.get(node.tag, ()):
            yield f"{name} is no attribute that Docs writes there"
    for child in node.elements:
        if child.tag in HOLDS and child.tag not in HOLDS[node.tag]:
            yield f"holds {child}"
    if node.tag != "span" and any(isinstance(child, str) and child.strip() for child in node.children):
        yield "holds text that is in no span"
    yield from _style_problems(node)
    yield from _part_problems(node)


def _style_problems(node: Node) -> Iterator[str]:
    allowed = PROPERTIES.get(node.tag, {})
    for declaration in node.declarations:
        name, value = declaration.name, declaration.value
        if name not in allowed:
            yield f"{name} is no property that Docs writes there"
        elif declaration.important or not (re.fullmatch(allowed[name], value) or _is_small(node, name, value)):
            yield f"{name}:{value} is no value that Docs writes there"
    for name in _NEEDED.get(node.tag, ()):
        if name not in node.style:
            yield f"has no {name}"


def _is_small(node: Node, name: str, value: str) -> bool:
    """Allow em for super- and subscript."""
    return name == "font-size" and value == "0.6em" and node.style.get("vertical-align") in {"super", "sub"}


def _part_problems(node: Node) -> Iterator[str]:
    if node.tag in BLOCKS:
        yield from _block_problems(node)
    elif node.tag == "li":
        yield from _item_problems(node)
    elif node.tag in {"div", "table", "th"}:
        yield from _table_problems(node)
    elif node.tag == "img":
        yield from _image_problems(node)
    elif node.tag == "a" and not node.attributes.get("href"):
        yield "has no href"
    elif node.tag == "ol" and not re.fullmatch(r"\d+", node.attributes.get("start", "1")):
        yield f"start={node.attributes['start']} is no number"
    elif node.tag in CELLS and not node.elements:
        yield "holds no paragraph"


def _block_problems(node: Node) -> Iterator[str]:
    if node.attributes.get("dir") not in {"ltr", "rtl"}:
        yield "has no dir"
    in_item = node.parent is not None and node.parent.tag == "li"
    if "display" in node.style and not in_item:
        yield "is an inline block outside a list"
    if node.attributes.get("role") != ("presentation" if in_item else None):
        yield 'has no role="presentation" in an item' if in_item else "has a role"
    name = node.style.get(STYLE_NAME)
    if node.tag in HEADINGS:
        if name != f"heading{node.tag[1]}":
            yield f"has the style name {name}"
    elif name not in PARAGRAPHS and not (name or "").startswith("code-"):
        yield f"has the style name {name}"
    elif in_item and name == "body-text":
        yield f"has the style name {name} in a list"
    elif not in_item and name == "list-paragraph" and "margin-left" not in node.style:
        # An item continues this way after a nested list.
        yield f"has the style name {name}, stands outside a list and is not indented"


def _item_problems(node: Node) -> Iterator[str]:
    if node.attributes.get("dir") not in {"ltr", "rtl"}:
        yield "has no dir"
    # A table starts a new nesting.
    depth = 0
    for holder in node.ancestors():
        if holder.tag in CELLS:
            break
        depth += holder.tag in LISTS
    if node.attributes.get("aria-level") != str(depth):
        yield f"has the aria-level {node.attributes.get('aria-level')} at level {depth}"
    if not any(child.tag in BLOCKS for child in node.elements):
        yield "holds no paragraph"
    is_task = node.attributes.get("role") == "checkbox"
    if "role" in node.attributes and not is_task:
        yield f"has the role {node.attributes['role']}"
    if is_task and node.attributes.get("aria-checked") not in {"true", "false"}:
        yield "is a check box and does not say whether it is checked"
    if not is_task and "aria-checked" in node.attributes:
        yield "is checked and no check box"
    if is_task and node.style.get("list-style-type") != "none":
        yield "is a check box with another mark"
    yield from _checkbox_problems(node, is_task=is_task)


def _checkbox_problems(node: Node, *, is_task: bool) -> Iterator[str]:
    """Docs writes the picture of the box as an item's first child, and its paragraph beside it."""
    boxes = [child for child in node.elements if child.tag == "img"]
    if boxes != node.elements[: int(is_task)]:
        yield (
            f"holds {len(boxes)} pictures, and not one before its text" if is_task else "holds a picture and is no task"
        )
    if any(box.attributes.get("aria-roledescription") != "checkbox" for box in boxes):
        yield "holds a picture that is no check box"
    if any((child.style.get("display") == "inline-block") != is_task for child in node.elements if child.tag in BLOCKS):
        yield "has its text below its box" if is_task else "has an inline block and no box"


def _table_problems(node: Node) -> Iterator[str]:
    if node.tag == "div":
        if node.attributes.get("dir") not in {"ltr", "rtl"} or "align" not in node.attributes:
            yield "has no dir or no align, as what stands around a table has"
        if [child.tag for child in node.elements] != ["table"]:
            yield "is not around one table"
    elif node.tag == "th":
        if node.attributes.get("scope") != "col":
            yield 'has no scope="col"'
        if not any(holder.tag == "thead" for holder in node.ancestors()):
            yield "stands in no thead"
    else:
        if node.parent is None or node.parent.tag != "div":
            yield "has no <div> around it"
        columns = sum(len(group.elements) for group in node.elements if group.tag == "colgroup")
        for row in (row for part in node.elements if part.tag != "colgroup" for row in part.elements[:1]):
            spans = [cell.attributes.get("colspan", "1") for cell in row.elements]
            cells = sum(int(span) if span.isdecimal() else 1 for span in spans)
            if cells != columns:
                yield f"has {columns} <col> for {cells} cells"


def _image_problems(node: Node) -> Iterator[str]:
    if not node.attributes.get("src"):
        yield "has no src"
    if "aria-roledescription" in node.attributes and (node.parent is None or node.parent.tag != "li"):
        yield "is a check box that is not beside its text"
    if "alt" not in node.attributes:
        yield "has no alt"
    # Remote images need no size: Docs fetches them.
    is_remote = re.match(r"https?:", node.attributes.get("src", ""), re.IGNORECASE)
    for name in ("width", "height"):
        value = node.attributes.get(name)
        if value is None and not is_remote:
            yield f"has no {name}"
        elif value is not None and not re.fullmatch(r"\d+(?:\.\d+)?(?:px)?", value):
            yield f"{name}={value} is no number of pixels"
