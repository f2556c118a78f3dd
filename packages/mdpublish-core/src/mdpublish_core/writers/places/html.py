"""Blocks as HTML, by a table of tags."""

from collections.abc import Callable, Mapping, Sequence
from itertools import takewhile
from typing import ClassVar

from mdpublish_core.html import Attributes, HtmlWriter
from mdpublish_core.writers.context import RenderContext
from mdpublish_core.writers.places.blocks import NAMES, Block, MarkedSpan
from mdpublish_core.writers.places.parts import Limit, in_parts

Tags = Mapping[str, Callable[[Block], Sequence[tuple[str, Attributes]]]]
"""By kind of block, the tags around it, outermost first."""


class PlaceHtml:
    """Writes blocks; a place says which tags it has."""

    tags: ClassVar[Tags] = {
        "paragraph": lambda _block: [("p", ())],
        "heading": lambda block: [(f"h{block.attributes['level']}", ())],
        "bulletList": lambda _block: [("ul", ())],
        "orderedList": lambda block: [
            ("ol", () if block.attributes["start"] == 1 else (("start", block.attributes["start"]),))
        ],
        "listItem": lambda _block: [("li", ())],
        "blockquote": lambda _block: [("blockquote", ())],
        "table": lambda _block: [("table", ()), ("tbody", ())],
        "tableRow": lambda _block: [("tr", ())],
        "tableCell": lambda block: [_cell(block)],
        "part": lambda _block: [("div", ())],
    }
    marks: ClassVar[Mapping[str, str]] = NAMES["tag"]
    highlight: ClassVar[Attributes] = ()
    """Attributes of a highlight, for editors that do not know its element."""

    def __init__(self, max_characters: int | None = None) -> None:
        self.writer = HtmlWriter(max_characters=max_characters)

    def write(self, blocks: Sequence[Block]) -> None:
        for block in blocks:
            self.writer.line()
            self.write_block(block)
        self.writer.line()

    def write_block(self, block: Block) -> None:
        if block.kind == "rule":
            self.writer.empty("hr")
            return
        tags = self.tags[block.kind](block)
        for tag, attributes in tags:
            self.writer.start(tag, attributes)
        if not block.blocks:
            self.write_spans(block.spans)
        elif block.kind in {"listItem", "tableCell"} and block.blocks[0].kind == "paragraph" and _is_tight(block):
            # A paragraph in an item has margins.
            self.write_spans(block.blocks[0].spans)
            self.write(block.blocks[1:])
        else:
            self.write(block.blocks)
        for _ in tags:
            self.writer.end()

    def write_spans(self, spans: Sequence[MarkedSpan]) -> None:
        """Write text; marks that the next text has too stay open."""
        open_marks: list[tuple[str, str]] = []
        for span in spans:
            marks = [each for each in span.marks if each[0] in self.marks]
            same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(open_marks, marks, strict=False)))
            while len(open_marks) > same:
                open_marks.pop()
                self.writer.end()
            for name, value in marks[same:]:
                attributes = (("href", value),) if value else self.highlight if name == "mark" else ()
                self.writer.start(self.marks[name], attributes)
                open_marks.append((name, value))
            self.write_span(span)
        for _ in open_marks:
            self.writer.end()

    def write_span(self, span: MarkedSpan) -> None:
        if span.is_break:
            self.writer.empty("br")
        elif span.src:
            self.writer.empty("img", (("src", span.src), ("alt", span.content)))
        else:
            self.writer.write_text(span.content)


def html_of(kind: type[PlaceHtml], blocks: Sequence[Block], context: RenderContext) -> str:
    html = kind(context.max_output_bytes)
    html.write(blocks)
    return html.writer.finish()


def html_in_parts(kind: type[PlaceHtml], blocks: Sequence[Block], context: RenderContext, limit: Limit) -> str:
    """Return blocks as HTML, each part a `div` where there are several."""
    parts = in_parts(blocks, limit, context.notices)
    return html_of(kind, blocks if len(parts) == 1 else [Block("part", blocks=part) for part in parts], context)


def _is_tight(block: Block) -> bool:
    return not any(each.kind == "paragraph" for each in block.blocks[1:])


def _cell(block: Block) -> tuple[str, Attributes]:
    spans = {name: block.attributes[name] for name in ("colspan", "rowspan")}
    attributes = [(name, count) for name, count in spans.items() if count > 1]
    return "th" if block.attributes["is_header"] else "td", attributes
