"""Our tree as `structure`. Raw HTML maps to the same nodes as equivalent Markdown."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any
from urllib.parse import unquote

from mdpublish_core import nodes
from mdpublish_core.html import BLOCK_ELEMENTS
from mdpublish_core.resources.urls import is_image_data_url, is_safe_url, url_beside
from mdpublish_core.writers.structure.anchors import PREFIX, Anchors, footnote_id
from mdpublish_core.writers.structure.block_runs import image_caption
from mdpublish_core.writers.words import ENGLISH, callout_heading
from tests.interop.structure import Child, Node, as_code, one_line, plain, row_of, tidy, with_paragraphs

# mistletoe's, and ours for explicit left.
_ALIGNMENTS = {None: None, -1: "left", 0: "center", 1: "right"}
_BOXES = {False: "☐ ", True: "☒ "}

_MARK_TAGS = {"ins": "underline", "u": "underline", "sub": "subscript", "sup": "superscript", "q": "quoted"}
_CODE_TAGS: Mapping[str, tuple[str, ...]] = {"code": (), "tt": (), "samp": ("sample",), "var": ("variable",)}
_INLINE_BLOCKS = {"p": "paragraph", "summary": "summary", "dt": "term", "figcaption": "caption"}
_BLOCK_TAGS = {
    "blockquote": "quote",
    "dd": "definition",
    "details": "details",
    "div": "division",
    "dl": "definitions",
    "figure": "figure",
    "li": "item",
}
_SECTION_TAGS = frozenset({"thead", "tbody", "tfoot"})

# Elements without structure.
_SILENT_TAGS = frozenset({"bdo", "span"})


def read(document: nodes.Document) -> tuple[Node, ...]:
    return _Reading(document).blocks(document.children)


class _Reading:
    def __init__(self, document: nodes.Document) -> None:
        self.anchors = Anchors(document)
        self.notes = {note.number: note for note in document.footnote_definitions}
        self.in_note = False
        self.in_link = False

    def blocks(self, children: Iterable[nodes.Token], *, tight: bool = False) -> tuple[Node, ...]:
        """Inlines among blocks, and paragraphs of tight lists, are plain text."""
        result: list[Node] = []
        for are_inlines, tokens in groupby(children, _is_inline):
            if are_inlines:
                content = plain(self.inlines(tokens))
                result += [content] if content.children else []
                continue
            for token in tokens:
                if tight and isinstance(token, nodes.Paragraph):
                    result.append(plain(self.inlines(token.children)))
                else:
                    result += self.block(token)
        return with_paragraphs(result)

    def block(self, token: nodes.Token) -> Sequence[Node]:
        if isinstance(token, nodes.HtmlElement):
            return self.element(token)
        return [_BLOCKS[type(token)](self, token)]

    def inlines(self, children: Iterable[nodes.Token]) -> list[Child]:
        return [inline for token in children for inline in self.inline(token)]

    def inline(self, token: nodes.Token) -> Sequence[Child]:
        if isinstance(token, nodes.HtmlElement):
            return self.inline_element(token)
        return _INLINES[type(token)](self, token)

    def link(self, target: str, title: str, children: Sequence[nodes.Token]) -> Sequence[Child]:
        """Return the content, or the URL if it is empty; alone inside another link, and beside it a forbidden URL."""
        if not any(map(nodes.has_content, children)):
            children = [nodes.RawText(target)]
        url = self.normalize_url(self.anchors.resolve(target))
        in_link, self.in_link = self.in_link, True
        inlines = self.inlines(children)
        self.in_link = in_link
        if url is None:
            return [*inlines, url_beside("".join(map(nodes.text_content, children)), target)]
        return inlines if in_link else [Node("link", (url, title), tuple(inlines))]

    def note(self, number: int) -> Node:
        """Insert a footnote at its reference; in a link its number, in a footnote its id."""
        if self.in_link:
            return Node("superscript", (), (str(number),))
        if self.in_note:
            return Node("note", (footnote_id(number),))
        self.in_note = True
        blocks = self.blocks(self.notes[number].children)
        self.in_note = False
        return Node("note", (), blocks)

    def normalize_url(self, url: str) -> str | None:
        return unquote(url) if is_safe_url(url) else None

    def source(self, url: str) -> str:
        return unquote(url) if is_safe_url(url) or is_image_data_url(url) else ""

    def element(self, token: nodes.HtmlElement) -> Sequence[Node]:
        tag, attributes, children = token.tag, token.attributes, token.children
        if tag in _INLINE_BLOCKS:
            return [Node(_INLINE_BLOCKS[tag], (), tidy(self.inlines(children)))]
        if tag == "table":
            return [Node("table", (), (*self.captions(token), *self.rows(token)))]
        if tag in {"ul", "ol"}:
            start = [attributes.get("start", "1")] if tag == "ol" else []
            return [Node("list", tuple(start), self.blocks(children))]
        details = [attributes["align"]] if tag == "div" and "align" in attributes else []
        return [Node(_BLOCK_TAGS[tag], tuple(details), self.blocks(children))]

    def captions(self, table: nodes.HtmlElement) -> list[Node]:
        captions = (
            child for child in table.children if isinstance(child, nodes.HtmlElement) and child.tag == "caption"
        )
        return [Node("caption", (), tidy(self.inlines(caption.children))) for caption in captions]

    def rows(self, parent: nodes.HtmlElement, kind: str = "row") -> Iterable[Node]:
        for child in parent.children:
            assert isinstance(child, nodes.HtmlElement)
            if child.tag == "tr":
                yield row_of(kind, map(self.raw_cell, child.children))
            elif child.tag in _SECTION_TAGS:
                yield from self.rows(child, "header" if child.tag == "thead" else "row")

    def raw_cell(self, cell: nodes.Token) -> Node:
        assert isinstance(cell, nodes.HtmlElement)
        rows, columns = cell.attributes.get("rowspan", "1"), cell.attributes.get("colspan", "1")
        spans = [] if rows == columns == "1" else [f"{rows} x {columns}"]
        alignment = [cell.attributes["align"]] if "align" in cell.attributes else []
        return Node("cell", (*alignment, *spans), self.blocks(cell.children))

    def inline_element(self, token: nodes.HtmlElement) -> Sequence[Child]:
        tag, attributes = token.tag, token.attributes
        if tag in _CODE_TAGS:
            return as_code(self.inlines(token.children), _CODE_TAGS[tag])
        children = tuple(self.inlines(token.children))
        if tag in _SILENT_TAGS:
            return children
        if tag != "a":
            return [Node(_MARK_TAGS.get(tag, tag), (), children)]
        if "href" in attributes:
            return self.link(attributes["href"], attributes.get("title", ""), token.children)
        return [Node("anchor", (PREFIX + attributes["name"],)), *children]


def _is_inline(token: nodes.Token) -> bool:
    return type(token) in _INLINES or (isinstance(token, nodes.HtmlElement) and token.tag not in BLOCK_ELEMENTS)


def _heading(reading: _Reading, token: nodes.Heading | nodes.SetextHeading) -> Node:
    anchor = reading.anchors.heading_id(token) or ""
    return Node("heading", (str(token.level), anchor), tidy(reading.inlines(token.children)))


def _paragraph(reading: _Reading, token: nodes.Paragraph) -> Node:
    if caption := image_caption(token.children):
        return Node("figure", (), (plain(reading.inlines(token.children)), Node("caption", (), tidy([caption]))))
    return Node("paragraph", (), tidy(reading.inlines(token.children)))


def _quote(reading: _Reading, token: nodes.Quote) -> Node:
    return Node("quote", (), reading.blocks(token.children))


def _callout(reading: _Reading, token: nodes.Callout) -> Node:
    title = nodes.Paragraph(callout_heading(token, ENGLISH))
    return Node("callout", (token.kind,), reading.blocks([title, *token.children]))


def _list(reading: _Reading, token: nodes.List) -> Node:
    start = () if token.start is None else (str(token.start),)
    return Node("list", start, tuple(_item(reading, item, tight=not token.loose) for item in token.children))


def _item(reading: _Reading, token: nodes.ListItem, *, tight: bool) -> Node:
    """Put a box in the first paragraph, or before other content."""
    children = list(token.children)
    if isinstance(token, nodes.TaskItem):
        box = nodes.RawText(_BOXES[token.checked])
        if children and isinstance(children[0], nodes.Paragraph):
            children[0] = nodes.Paragraph([box, *children[0].children])
        else:
            children.insert(0, box)
    return Node("item", (), reading.blocks(children, tight=tight))


def _code(_reading: _Reading, token: nodes.CodeFence | nodes.BlockCode) -> Node:
    return Node("code", (token.language,) if token.language else (), (token.content or "\n",))


def _figure(_reading: _Reading, token: nodes.Figure) -> Node:
    code = Node("code", (token.language,), (token.content or "\n",))
    title = token.options.get("title")
    return Node("figure", (), (code, Node("caption", (), tidy([title])))) if title else code


def _math_block(_reading: _Reading, token: nodes.MathBlock) -> Node:
    return Node("code", ("math",), (token.content or "\n",))


def _table(reading: _Reading, token: nodes.Table) -> Node:
    rows = [_row(reading, token.header, "header"), *(_row(reading, row, "row") for row in token.children)]
    return Node("table", (), tuple(rows))


def _row(reading: _Reading, token: nodes.TableRow, kind: str) -> Node:
    return row_of(kind, (_cell(reading, cell) for cell in token.children))


def _cell(reading: _Reading, token: nodes.TableCell) -> Node:
    alignment = _ALIGNMENTS[token.align]
    return Node("cell", (alignment,) if alignment else (), reading.blocks(token.children))


def _rule(_reading: _Reading, _token: nodes.ThematicBreak) -> Node:
    return Node("rule")


def _plain_text(_reading: _Reading, token: nodes.RawText) -> Sequence[Child]:
    return [token.content]


def _emphasis(reading: _Reading, token: nodes.Emphasis) -> Sequence[Child]:
    return [Node("emphasis", (), tuple(reading.inlines(token.children)))]


def _strong(reading: _Reading, token: nodes.Strong) -> Sequence[Child]:
    return [Node("strong", (), tuple(reading.inlines(token.children)))]


def _strikethrough(reading: _Reading, token: nodes.Strikethrough) -> Sequence[Child]:
    return [Node("strikethrough", (), tuple(reading.inlines(token.children)))]


def _inline_code(_reading: _Reading, token: nodes.InlineCode) -> Sequence[Child]:
    return [Node("inline code", (), (one_line(token.content),))]


def _math(_reading: _Reading, token: nodes.MathSpan) -> Sequence[Child]:
    return [Node("inline code", ("math",), (one_line(token.content),))]


def _link(reading: _Reading, token: nodes.Link) -> Sequence[Child]:
    return reading.link(token.target, token.title, token.children)


def _autolink(reading: _Reading, token: nodes.AutoLink) -> Sequence[Child]:
    return reading.link(token.target, "", [nodes.RawText(token.content)])


def _image(reading: _Reading, token: nodes.Image) -> Sequence[Child]:
    source = reading.source(token.src)
    if not source:
        return tidy([nodes.text_content(token)])  # without a URL
    details = (source, token.title, token.width or "", token.height or "")
    return [Node("image", details, tidy([nodes.text_content(token)]))]


def _line_break(_reading: _Reading, token: nodes.LineBreak) -> Sequence[Child]:
    return [" " if token.soft else Node("break")]


def _note(reading: _Reading, token: nodes.FootnoteReference) -> Sequence[Child]:
    return [reading.note(token.number)]


_BLOCKS: Mapping[type[nodes.Token], Callable[[_Reading, Any], Node]] = {
    nodes.Heading: _heading,
    nodes.SetextHeading: _heading,
    nodes.Paragraph: _paragraph,
    nodes.Quote: _quote,
    nodes.Callout: _callout,
    nodes.List: _list,
    nodes.CodeFence: _code,
    nodes.BlockCode: _code,
    nodes.Figure: _figure,
    nodes.MathBlock: _math_block,
    nodes.Table: _table,
    nodes.ThematicBreak: _rule,
}

_INLINES: Mapping[type[nodes.Token], Callable[[_Reading, Any], Sequence[Child]]] = {
    nodes.RawText: _plain_text,
    nodes.Emphasis: _emphasis,
    nodes.Strong: _strong,
    nodes.Strikethrough: _strikethrough,
    nodes.InlineCode: _inline_code,
    nodes.MathSpan: _math,
    nodes.Link: _link,
    nodes.AutoLink: _autolink,
    nodes.Image: _image,
    nodes.LineBreak: _line_break,
    nodes.FootnoteReference: _note,
}
