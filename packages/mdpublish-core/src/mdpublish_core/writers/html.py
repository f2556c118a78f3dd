"""Destination `html`: unstyled output as in the CommonMark and GFM reference implementations."""

from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager

from mdpublish_core import nodes
from mdpublish_core.html import BLOCK_ELEMENTS, Attributes, HtmlWriter
from mdpublish_core.notices import Notice
from mdpublish_core.resources.known_elements import VOID_TAGS
from mdpublish_core.resources.urls import encode_url
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.writers.context import CodeToken, RenderContext
from mdpublish_core.writers.renderer import Renderer

ALIGN_VALUES = {None: None, -1: "left", 0: "center", 1: "right"}
"""mistletoe's alignments, and -1 for an explicit left."""

# Percentages aren't valid HTML, but work and are common in READMEs.
_LENGTH = compile_lazily(r"[0-9]{1,4}%?")


class HtmlRenderer(Renderer):
    """Base of all HTML renderers."""

    back_arrow = "↩"
    back_number_attributes: Attributes = (("class", "footnote-ref"),)

    label_attribute = ("style", "list-style-type:none")
    """Of a list whose items have their numbers in their text."""

    side_notes: Collection[int] = ()
    """Numbers of the footnotes that may stand beside the text."""

    skips_notes = False
    """Whether some footnotes stand elsewhere, so that the others say their numbers."""

    def __init__(self, writer: HtmlWriter, notices: list[Notice] | None = None) -> None:
        super().__init__(notices)
        self.writer = writer
        self.in_tight_list = False
        self.in_table_head = False
        self.item_label = ""
        """Is written before the next item's text: HTML has no numbers such as `a)`, which are text also where it is pasted."""

    @classmethod
    def render(cls, document: nodes.Document, context: RenderContext) -> str:
        writer = HtmlWriter(trusted=document.trusted, max_characters=context.max_output_bytes)
        renderer = cls(writer, context.notices)
        renderer.write_children(document)
        if document.footnote_definitions:
            attributes = (("class", "footnotes"), ("data-footnotes", True))
            renderer.write_footnotes(document.footnote_definitions, attributes)
        return writer.finish()

    def write_children(self, parent: nodes.Token) -> None:
        methods = self.methods
        for child in parent.children or ():
            methods[type(child)](self, child)

    def write(self, token: nodes.Token) -> None:
        self.methods[type(token)](self, token)

    def write_tag(self, tag: str, parent: nodes.Token, attributes: Attributes = ()) -> None:
        self.writer.start(tag, attributes)
        self.write_children(parent)
        self.writer.end()

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> None:
        self.writer.line()
        self.write_tag(f"h{token.level}", token)
        self.writer.line()

    def render_paragraph(self, token: nodes.Paragraph) -> None:
        is_bare = self.in_tight_list
        if not is_bare:
            self.writer.start_block("p")
        if self.item_label:
            self.write_label()
        self.write_children(token)
        if not is_bare:
            self.writer.end_line()

    def write_label(self) -> None:
        if label := self.item_label:
            self.item_label = ""
            # Not `span`: it says nothing of the direction of the text.
            self.writer.element("bdi", label, (("class", "label"),))
            self.writer.write_text(" ")

    def render_quote(self, token: nodes.Quote) -> None:
        with self.block_element("blockquote"):
            self.write_children(token)

    @contextmanager
    def block_element(self, tag: str, attributes: Attributes = (), *, tight: bool = False) -> Iterator[None]:
        """Write an element on lines of its own; paragraphs directly in a tight one have no tags."""
        outer, self.in_tight_list = self.in_tight_list, tight
        self.writer.start_block(tag, attributes)
        self.writer.line()
        yield
        self.writer.end_line()
        self.in_tight_list = outer

    def render_callout(self, token: nodes.Callout) -> None:
        writer = self.writer
        blocks = list(token.children)
        with self.block_element("blockquote"):
            writer.start("p")
            writer.write_text(token.marker)
            if token.title:
                writer.write_text(" ")
                self.write_children(token.title)
            if blocks and isinstance(blocks[0], nodes.Paragraph):
                writer.line()
                self.write_children(blocks.pop(0))
            writer.end_line()
            for block in blocks:
                self.write(block)

    def render_list(self, token: nodes.List) -> None:
        self.write_list(token)

    def write_list(self, token: nodes.List, attributes: Attributes = ()) -> None:
        has_labels = token.has_labels
        if token.start is not None:
            start = None if token.start == 1 else token.start
            attributes = (("type", token.type or ("1" if has_labels else None)), ("start", start), *attributes)
            attributes = (*attributes, self.label_attribute) if has_labels else attributes
        with self.block_element("ul" if token.start is None else "ol", attributes, tight=not token.loose):
            if not has_labels:
                self.write_children(token)
                return
            for index, item in enumerate(token.children):
                self.item_label = token.label(index)
                self.write(item)

    def render_list_item(self, token: nodes.ListItem) -> None:
        self.writer.start("li")
        self.write_item_blocks(token.children)

    def render_task_item(self, token: nodes.TaskItem) -> None:
        writer = self.writer
        writer.start("li")
        self.write_label()
        # Like cmark-gfm, before the paragraph of a loose item.
        writer.empty("input", (("type", "checkbox"), ("checked", "" if token.checked else None), ("disabled", "")))
        writer.write_text(" ")
        self.write_item_blocks(token.children)

    def write_item_blocks(self, blocks: Sequence[nodes.Token]) -> None:
        writer = self.writer
        if not (blocks and isinstance(blocks[0], nodes.Paragraph)):
            self.write_label()
        for number, child in enumerate(blocks):
            if number:
                writer.line()
            self.write(child)
        writer.end_line()

    def render_code_block(self, token: CodeToken) -> None:
        language = "math" if isinstance(token, nodes.MathBlock) else token.language
        self.writer.start_block("pre")
        self.writer.element("code", token.content, (("class", f"language-{language}"),) if language else ())
        self.writer.end_line()

    def render_figure(self, token: nodes.Figure) -> None:
        self.render_code_block(token)

    def render_math_block(self, token: nodes.MathBlock) -> None:
        if token.delimiters is None:
            self.render_code_block(token)
            return
        writer = self.writer
        writer.line()
        writer.element_line("p", token.content.removesuffix("\n").join(token.delimiters))

    def render_table(self, token: nodes.Table) -> None:
        self.write_table(token)

    def write_table(self, token: nodes.Table, attributes: Attributes = ()) -> None:
        writer = self.writer
        writer.start_block("table", attributes)
        writer.line()
        self.write_column_widths(token)
        writer.start_line("thead")
        self.in_table_head = True
        self.write(token.header)
        self.in_table_head = False
        writer.end_line()
        if token.children:
            writer.start_line("tbody")
            self.write_children(token)
            writer.end_line()
        writer.end_line()

    def write_column_widths(self, table: nodes.Table) -> None:
        """Write nothing: columns are as wide as the reader makes them."""

    def render_table_row(self, token: nodes.TableRow) -> None:
        writer = self.writer
        writer.start_line("tr")
        self.write_children(token)
        writer.end_line()

    def render_table_cell(self, token: nodes.TableCell) -> None:
        writer = self.writer
        align = token.align
        writer.start("th" if self.in_table_head else "td", () if align is None else (("align", ALIGN_VALUES[align]),))
        self.write_children(token)
        writer.end_line()

    def render_thematic_break(self, token: nodes.ThematicBreak) -> None:
        self.writer.line()
        self.writer.empty_line("hr")

    def render_html_block(self, token: nodes.HtmlBlock) -> None:
        self.writer.line()
        self.writer.raw(f"{token.content}\n")

    def render_html_element(self, token: nodes.HtmlElement) -> None:
        self.write_element(token, token.attributes.items())

    def write_element(self, token: nodes.HtmlElement, attributes: Attributes) -> None:
        writer = self.writer
        if token.tag in VOID_TAGS:
            writer.empty(token.tag, attributes)
        elif token.tag in BLOCK_ELEMENTS:
            tight, self.in_tight_list = self.in_tight_list, False
            writer.start_block(token.tag, attributes)
            self.write_children(token)
            writer.end_line()
            self.in_tight_list = tight
        else:
            self.write_tag(token.tag, token, attributes)

    def write_footnotes(self, definitions: Sequence[nodes.FootnoteDefinition], attributes: Attributes) -> None:
        with self.block_element("section", attributes), self.block_element("ol"):
            for definition in definitions:
                self.write(definition)

    def render_footnote_definition(self, token: nodes.FootnoteDefinition) -> None:
        self.write_footnote(token, f"fn-{encode_url(token.label)}")

    def write_footnote(self, token: nodes.FootnoteDefinition, footnote_id: str) -> None:
        writer = self.writer
        blocks = list(token.children)
        last = blocks.pop() if blocks and isinstance(blocks[-1], nodes.Paragraph) else None
        attributes = (("id", footnote_id), ("class", "beside" if token.number in self.side_notes else None))
        writer.start_line("li", (*attributes, ("value", token.number if self.skips_notes else None)))
        for block in blocks:
            self.write(block)
        writer.line()
        if last:
            writer.start("p")
            self.write_children(last)
            if token.references:
                writer.write_text(" ")
        self.write_back_links(token)
        if last:
            writer.end()
        writer.line()
        writer.end_line()

    def write_back_links(self, token: nodes.FootnoteDefinition) -> None:
        writer = self.writer
        for occurrence in range(1, token.references + 1):
            if occurrence > 1:
                writer.write_text(" ")
            writer.start("a", self.back_link_attributes(token, occurrence))
            writer.write_text(self.back_arrow)
            if occurrence > 1:
                writer.element("sup", str(occurrence), self.back_number_attributes)
            writer.end()

    def back_link_attributes(self, token: nodes.FootnoteDefinition, occurrence: int) -> Attributes:
        index = f"{token.number}{occurrence_suffix(occurrence)}"
        return (
            ("href", f"#{cmark_reference_id(token.label, occurrence)}"),
            ("class", "footnote-backref"),
            ("data-footnote-backref", True),
            ("data-footnote-backref-idx", index),
            ("aria-label", f"Back to reference {index}"),
        )

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> None:
        writer = self.writer
        anchor = cmark_reference_id(token.label, token.occurrence)
        writer.start("sup", (("class", "footnote-ref"),))
        writer.element(
            "a", str(token.number), (("href", f"#fn-{token.label}"), ("id", anchor), ("data-footnote-ref", True))
        )
        writer.end()

    def render_raw_text(self, token: nodes.RawText) -> None:
        self.writer.write_text(token.content)

    def render_emphasis(self, token: nodes.Emphasis) -> None:
        self.write_tag("em", token)

    def render_strong(self, token: nodes.Strong) -> None:
        self.write_tag("strong", token)

    def render_strikethrough(self, token: nodes.Strikethrough) -> None:
        self.write_tag("del", token)

    def render_inline_code(self, token: nodes.InlineCode) -> None:
        self.writer.styled_text("code", (), token.content)

    def render_math_span(self, token: nodes.MathSpan) -> None:
        self.writer.write_text(token.source)

    def render_link(self, token: nodes.Link) -> None:
        self.write_tag("a", token, (("href", token.target), ("title", token.title or None)))

    def render_auto_link(self, token: nodes.AutoLink) -> None:
        self.writer.start("a", (("href", token.target),))
        self.write_name(token.content)
        self.writer.end()

    def write_name(self, content: str) -> None:
        """Write an address, inside of which lines may break in some outputs."""
        self.writer.write_text(content)

    def render_image(self, token: nodes.Image) -> None:
        self.write_image(token.src, nodes.text_content(token), token.title, (token.width, token.height))

    def write_image(
        self, src: str | None, alt: str, title: str, size: tuple[str | None, str | None], more: Attributes = ()
    ) -> None:
        attributes = [("src", src), ("alt", alt), ("title", title or None)]
        for name, value in zip(("width", "height"), size, strict=True):
            if value and _LENGTH.fullmatch(value):
                attributes.append((name, value))
        self.writer.empty("img", (*attributes, *more))

    def render_line_break(self, token: nodes.LineBreak) -> None:
        if not token.soft:
            self.writer.empty("br")
        self.writer.line()

    def render_html_span(self, token: nodes.HtmlSpan) -> None:
        self.writer.raw(token.content)


def cmark_reference_id(label: str, occurrence: int) -> str:
    return f"fnref-{encode_url(label)}{occurrence_suffix(occurrence)}"


def occurrence_suffix(occurrence: int) -> str:
    return "" if occurrence == 1 else f"-{occurrence}"


render = HtmlRenderer.render
