"""The elements that are blocks, and the nodes that they become when they end."""

from collections.abc import Callable, Mapping, Sequence

from mdpublish_core.nodes import open_nodes as nodes
from mdpublish_core.nodes.comments import is_comment
from mdpublish_core.readers.html.callouts import callout_of, quote_of
from mdpublish_core.readers.html.code import code_block
from mdpublish_core.readers.html.inlines import Run
from mdpublish_core.readers.html.lists import item_of, list_of
from mdpublish_core.readers.html.parse import LISTS, Element
from mdpublish_core.readers.html.styles import Declarations, is_monospace, is_ruled, preserves_white_space
from mdpublish_core.readers.html.tables import cell_of, inlines_of, row_of
from mdpublish_core.resources.allowed_elements import HEADING_TAGS

_FRAME_NAMES = "blockquote ul ol menu dir li dl dt dd details figure summary table tr td th caption"
_FRAME_TAGS = HEADING_TAGS | frozenset(_FRAME_NAMES.split())
_BLOCK_NAMES = """
address article aside body center div fieldset figcaption footer form header hgroup hr html legend main nav p pre search section
tbody tfoot thead
"""
_BLOCK_TAGS = _FRAME_TAGS | frozenset(_BLOCK_NAMES.split())
_BLOCK_DISPLAYS = frozenset({"block", "flex", "grid", "list-item", "table"})

_LINE_TAGS = frozenset({"p", "div", "td"})
_NOT_IN_CODE = _FRAME_TAGS | {"p", "img", "pre"}
_NOT_IN_LINES = _NOT_IN_CODE | {"div"}

_MIN_RULE = 8
"""Characters of a rule that is drawn as text."""


class Frame:
    """An open block: `children` are finished, `runs` those of the current paragraph."""

    __slots__ = ("align", "children", "element", "kind", "runs")

    def __init__(self, kind: str, element: Element, align: nodes.Alignment = None) -> None:
        self.kind = kind
        self.element = element
        self.children: list[nodes.Token] = []
        self.runs: list[Run] = []
        self.align = align


def is_block(element: Element, style: Declarations) -> bool:
    return element.tag in _BLOCK_TAGS or style.get("display") in _BLOCK_DISPLAYS


def leaf_block(element: Element, tag: str, style: Declarations) -> list[nodes.Token] | None:
    """Return the block that an element is by itself: code, also as monospaced lines, or a rule, also as a border."""
    if tag in {"hr", "pre"}:
        return [nodes.ThematicBreak()] if tag == "hr" else code_block(element)
    if tag not in _LINE_TAGS:
        return None
    if is_ruled(style) and not "".join(map(str, element.itertext())).strip():
        is_empty = all(each.tag in {"span", "br"} for each in element.iterdescendants())
        return [nodes.ThematicBreak()] if is_empty else None
    if is_monospace(style):
        # Editors copy a block of code as an element per line.
        is_block_of_lines = preserves_white_space(element, style, inherited=False)
        others = _NOT_IN_CODE if is_block_of_lines else _NOT_IN_LINES
        # One around all, as our own mails have it, scrolls.
        around = element[0] if len(element) == 1 and not (element.text or "").strip() else element
        if not any(each.tag in others for each in around.iterdescendants()):
            return code_block(element)
    return None


def paragraph(inlines: list[nodes.Token]) -> nodes.Token:
    """Return a paragraph, or what is drawn or written as one: a rule, a formula."""
    only = inlines[0] if len(inlines) == 1 else None
    if isinstance(only, nodes.MathSpan) and only.display:
        return nodes.MathBlock(f"{only.content}\n")
    if isinstance(only, nodes.RawText) and len(only.content) >= _MIN_RULE and set(only.content) == {"─"}:
        return nodes.ThematicBreak()
    return nodes.Paragraph(inlines)


def _heading(frame: Frame) -> list[nodes.Token]:
    inlines = inlines_of(frame.children)
    return [nodes.Heading(int(str(frame.element.tag)[1]), inlines)] if inlines else []


def _figure(frame: Frame) -> list[nodes.Token]:
    """Return what a figure shows; the caption of an image is its title, which our outputs show as one."""
    blocks = frame.children
    if len(blocks) != 2 or next(frame.element.iterchildren("figcaption"), None) is None:
        return blocks
    image, caption = blocks[0], blocks[1]
    while isinstance(image, nodes.Paragraph | nodes.Link):
        shown = [each for each in image.children if not is_comment(each)]
        if len(shown) != 1:
            break
        image = shown[0]
    title = nodes.text_content(caption)
    if isinstance(image, nodes.Image) and isinstance(caption, nodes.Paragraph) and image.title in {"", title}:
        image.title = title
        return blocks[:1]
    return blocks


def _definition(frame: Frame) -> list[nodes.Token]:
    is_line = len(frame.children) == 1 and isinstance(frame.children[0], nodes.Paragraph)
    return _element(frame, frame.children[0].children if is_line else frame.children)


def _details(frame: Frame) -> list[nodes.Token]:
    attributes = {"open": ""} if "open" in frame.element.attrib else {}
    return [nodes.HtmlElement("details", attributes, frame.children)] if frame.children else []


def _element(frame: Frame, children: Sequence[nodes.Token]) -> list[nodes.Token]:
    return [nodes.HtmlElement(frame.kind, {}, children)] if children else []


BUILDERS: Mapping[str, Callable[[Frame], list[nodes.Token]]] = {
    **dict.fromkeys(HEADING_TAGS, _heading),
    "blockquote": lambda frame: quote_of(frame.children, frame.element),
    "callout": lambda frame: callout_of(frame.element, frame.children),
    **dict.fromkeys(LISTS, lambda frame: list_of(frame.element, frame.children)),
    "li": lambda frame: [item_of(frame.element, frame.children)],
    "dl": lambda frame: _element(frame, frame.children),
    "dt": lambda frame: _element(frame, inlines_of(frame.children)),
    "dd": _definition,
    "details": _details,
    "summary": lambda frame: _element(frame, inlines_of(frame.children)),
    "figure": _figure,
    "caption": lambda frame: frame.children,
    "tr": lambda frame: row_of(frame.element, frame.children),
    **dict.fromkeys(("td", "th"), lambda frame: [cell_of(frame.element, frame.children, frame.align)]),
}

PARENTS: Mapping[str, frozenset[str]] = {
    "li": LISTS,
    **dict.fromkeys(("dt", "dd"), frozenset({"dl"})),
    "summary": frozenset({"details"}),
    "tr": frozenset({"table"}),
    **dict.fromkeys(("td", "th"), frozenset({"tr"})),
}
"""What must be right around some, else they are blocks without a meaning."""
