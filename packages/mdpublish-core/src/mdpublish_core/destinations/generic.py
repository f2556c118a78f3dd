"""Destination `generic`: a semantic HTML fragment with the template's CSS, for any web page.

The fragment stands in one `div`, and every rule of its stylesheet begins with that div's class, so that neither the
page it is dropped into nor a second fragment beside it is touched. Wide tables scroll in a region of their own. What a
reader cannot see by its form alone has a role or a label: footnotes, callouts, the boxes of tasks.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.destinations.anchors import PREFIX, Anchors, note_id, reference_id
from mdpublish_core.destinations.directions import Direction, direction_of
from mdpublish_core.destinations.figures import alternative, shown_size, width_class
from mdpublish_core.destinations.heading_marks import heading_marks
from mdpublish_core.destinations.html import ALIGNMENTS, HtmlRenderer, repetition
from mdpublish_core.destinations.setting import Setting, Source
from mdpublish_core.figures.request import RenderedFigure
from mdpublish_core.html import Attributes, HtmlWriter

if TYPE_CHECKING:
    # A document without figures loads none of what draws them.
    from mdpublish_core.figures.math import Formula

# As text: without the variation selector, some phones show the arrow as a picture.
_BACK = "↩\ufe0e"


class GenericRenderer(HtmlRenderer):
    """A document on its way to a styled fragment, with its anchors; no link ever stands in another."""

    def __init__(self, writer: HtmlWriter, document: nodes.Document, setting: Setting) -> None:
        super().__init__(writer)
        self.setting = setting
        self.anchors = document.once(Anchors)
        self.heading_marks = heading_marks(document, setting.style)
        self.in_link = False
        self.around: Direction = "ltr"
        self.row = 0

    @classmethod
    def render(cls, document: nodes.Document, setting: Setting) -> str:
        """Return the fragment with its stylesheet."""
        writer = HtmlWriter(trusted=document.trusted)
        writer.start("div", (("class", setting.style.scope),))
        writer.line()
        writer.style(setting.css)
        writer.line()
        cls(writer, document, setting).write_document(document)
        writer.end()
        writer.line()
        return writer.finish()

    def write_document(self, document: nodes.Document, *, below_title: Callable[[], None] | None = None) -> None:
        """Write the blocks alone, for whoever frames and styles them.

        `below_title` writes what stands below a heading of the first level that the document begins with, else on top.
        """
        blocks = list(document.children)
        if below_title is not None:
            first = blocks[0] if blocks else None
            if isinstance(first, nodes.Heading | nodes.SetextHeading) and first.level == 1:
                self.write(blocks.pop(0))
            below_title()
        self.write_sections(blocks)
        if document.footnote_definitions:
            attributes = (("class", "footnotes"), ("role", "doc-endnotes"), ("aria-label", "Footnotes"))
            self.write_footnotes(document.footnote_definitions, attributes)

    def direction(self, tokens: Sequence[nodes.Token]) -> Direction | None:
        """Return the `dir` of a block that holds these tokens, where it is read otherwise than what it stands in."""
        direction = direction_of(tokens)
        return None if direction == self.around else direction

    @contextmanager
    def in_direction(self, direction: Direction | None) -> Iterator[Attributes]:
        """Write what stands in a block that has this `dir`, or none of its own; gives the attribute."""
        around, self.around = self.around, direction or self.around
        yield (("dir", direction),)
        self.around = around

    def write_sections(self, blocks: Sequence[nodes.Token]) -> None:
        """Write blocks; for a template with sections, each heading of the second level with what follows it in one.

        A heading of the first level ends that.
        """
        if not self.setting.style.template.has_sections:
            for block in blocks:
                self.write(block)
            return
        writer = self.writer
        is_open = False
        for block in blocks:
            if isinstance(block, nodes.Heading | nodes.SetextHeading) and block.level <= 2:
                if is_open:
                    _end_part(writer)
                is_open = block.level == 2
                if is_open:
                    writer.line()
                    writer.start("section", (("class", "part"),))
            self.write(block)
        if is_open:
            _end_part(writer)

    def render_heading(self, token: nodes.Heading | nodes.SetextHeading) -> None:
        writer = self.writer
        writer.line()
        writer.start(f"h{token.level}", (("id", self.anchors.of(token)), ("dir", self.direction(token.children))))
        if self.heading_marks:
            self.write_heading_mark(token)
        self.children(token)
        writer.end()
        writer.line()

    def write_heading_mark(self, token: nodes.Heading | nodes.SetextHeading) -> None:
        """Write the mark that the template puts before a heading; a reader that speaks leaves it out."""
        mark = self.heading_marks.get(id(token))
        if mark:
            self.writer.start("span", (("class", "heading-mark"), ("aria-hidden", "true")))
            self.writer.text(mark)
            self.writer.end()

    def render_paragraph(self, token: nodes.Paragraph) -> None:
        if self.in_tight_list:
            self.children(token)
            return
        self.writer.line()
        self.writer.start("p", (("dir", self.direction(token.children)),))
        self.children(token)
        self.writer.end()
        self.writer.line()

    def render_quote(self, token: nodes.Quote) -> None:
        with self.in_direction(self.direction(token.children)) as attributes:
            self.write_quote(token, attributes)

    def render_list(self, token: nodes.List) -> None:
        with self.in_direction(self.direction(token.children)) as attributes:
            self.write_list(token, attributes)

    def render_callout(self, token: nodes.Callout) -> None:
        writer = self.writer
        tight, self.in_tight_list = self.in_tight_list, False
        with self.in_direction(self.direction(token.children)) as direction:
            writer.line()
            writer.start("div", (("class", f"callout {token.kind}"), ("role", "note"), *direction))
            writer.line()
            writer.start("p", (("class", "title"),))
            writer.text(token.kind.capitalize())
            writer.end()
            writer.line()
            self.children(token)
            writer.end()
            writer.line()
        self.in_tight_list = tight

    def render_task_item(self, token: nodes.TaskItem) -> None:
        writer = self.writer
        blocks = list(token.children)
        writer.start("li", (("class", "task"),))
        # In a loose item the box stands in the first paragraph, so that it is on its line.
        loose = not self.in_tight_list and bool(blocks) and isinstance(blocks[0], nodes.Paragraph)
        if loose:
            writer.line()
            writer.start("p")
        checked = "" if token.checked else None
        writer.empty("input", (("type", "checkbox"), ("checked", checked), ("disabled", ""), ("aria-label", "Done")))
        if blocks:
            writer.text(" ")
        if loose:
            self.children(blocks.pop(0))
            writer.end()
            writer.line()
        self.write_item_blocks(blocks)

    def render_code_block(self, token: Source) -> None:
        writer = self.writer
        # It scrolls where a line is too long, and so can be reached by keyboard.
        language = "math" if isinstance(token, nodes.MathBlock) else token.language
        writer.line()
        writer.start("pre", (("tabindex", 0),))
        writer.start("code", (("class", f"language-{language}"),) if language else ())
        for role, text in self.setting.code(token):
            if role is None:
                writer.text(text)
            else:
                writer.start("span", (("class", role),))
                writer.text(text)
                writer.end()
        writer.end()
        writer.end()
        writer.line()

    def render_figure(self, token: nodes.Figure) -> None:
        drawing = self.setting.drawings.figure(token)
        if drawing and not drawing.svg:
            drawing = None
        title = token.options.get("title")
        if not title and not drawing:
            self.render_code_block(token)
            return
        writer = self.writer
        writer.line()
        if drawing:
            self._start_drawing(token, drawing)
        else:
            writer.start("figure")
            self.render_code_block(token)
        self._end_figure(title)
        if drawing and drawing.table:
            self._write_data(drawing.table)

    def _start_drawing(self, token: nodes.Figure, drawing: RenderedFigure) -> None:
        """Begin the figure of a drawing, and write that: an SVG with a name for readers that speak."""
        writer, svg = self.writer, drawing.svg
        assert svg, "it was drawn for the web"
        size = shown_size(token, drawing)
        prefix = f"{PREFIX}figure-{self.setting.drawings.number(token)}-"
        if wide := width_class(size.width):
            # It scrolls where it cannot be made as narrow as its room, and so can be reached by keyboard. A title names it.
            label = None if token.options.get("title") else "Figure"
            writer.start("figure", (("class", f"drawing {wide}"), ("aria-label", label), ("tabindex", 0)))
        else:
            writer.start("figure", (("class", "drawing"),))
        attributes = (("width", size.width), ("height", size.height), ("viewBox", svg.view_box))
        named = (("role", "img"), ("aria-label", alternative(token, drawing)))
        writer.start("svg", (*attributes, *named, *svg.attributes))
        # What the source calls itself is there for whoever takes the drawing out of the page.
        for tag, text in (("title", drawing.title), ("desc", drawing.description)):
            if text:
                writer.start(tag)
                writer.text(text)
                writer.end()
        writer.drawn(svg.inner(prefix))
        writer.end()
        writer.line()

    def _write_data(self, table: Sequence[Sequence[str]]) -> None:
        """Write the data that a drawing shows as a table, for readers who cannot see it and for all who want the numbers."""
        writer = self.writer
        writer.start("details", (("class", "data"),))
        writer.start("summary")
        writer.text("Data")
        writer.end()
        self.start_table_region()
        writer.start("table")
        for number, row in enumerate(table):
            if number < 2:
                writer.start("tbody" if number else "thead")
            writer.start("tr", (("class", "odd" if number % 2 else "even"),) if number else ())
            for column, cell in enumerate(row):
                if not number and cell:
                    writer.start("th", (("scope", "col"),))
                else:
                    # It heads its row, but a template's look of headers is that of those at the top.
                    writer.start("td", (("role", "rowheader"),) if number and not column else ())
                writer.text(cell)
                writer.end()
            writer.end()
            writer.line()
            if not number or number == len(table) - 1:
                writer.end()
        writer.end()
        self.end_table_region()
        writer.end()
        writer.line()

    def render_math_block(self, token: nodes.MathBlock) -> None:
        if self.setting.drawings.defines(token):
            return
        formula, title = self.setting.drawings.formula(token), token.options.get("title")
        writer = self.writer
        if title:
            writer.line()
            writer.start("figure")
        if formula is None:
            self.render_code_block(token)
        else:
            # It scrolls where it is too wide, and so can be reached by keyboard.
            writer.line()
            label = token.options.get("alt") or "Formula"
            writer.start("div", (("class", "math"), ("role", "group"), ("aria-label", label), ("tabindex", 0)))
            self._write_formula(formula)
            writer.end()
            writer.line()
        if title:
            self._end_figure(title)

    def _end_figure(self, title: str | None) -> None:
        """End a figure, with its title if it has one."""
        writer = self.writer
        if title:
            writer.start("figcaption")
            writer.text(title)
            writer.end()
            writer.line()
        writer.end()
        writer.line()

    def _write_formula(self, formula: "Formula") -> None:
        self.writer.drawn(formula.mathml())

    def render_table(self, token: nodes.Table) -> None:
        self.row = 0
        self.start_table_region()
        with self.in_direction(self.direction(token.header.children)) as attributes:
            self.write_table(token, attributes)
        self.end_table_region()

    def start_table_region(self) -> None:
        """Begin the region in which a table scrolls that is too wide."""
        # A group, not ARIA's region, which is a landmark: those of a page are few, and no two of one name.
        self.writer.line()
        self.writer.start("div", (("class", "table"), ("role", "group"), ("aria-label", "Table"), ("tabindex", 0)))

    def end_table_region(self) -> None:
        """End the region in which a table scrolls."""
        self.writer.end()
        self.writer.line()

    def render_table_row(self, token: nodes.TableRow) -> None:
        writer = self.writer
        if self.in_table_head:
            writer.start("tr")
        else:
            self.row += 1
            writer.start("tr", (("class", "odd" if self.row % 2 else "even"),))
        writer.line()
        self.children(token)
        writer.end()
        writer.line()

    def render_thematic_break(self, token: nodes.ThematicBreak) -> None:
        text = self.setting.style.rule_text
        if not text:
            super().render_thematic_break(token)
            return
        writer = self.writer
        writer.line()
        writer.start("p", (("class", "rule"), ("role", "separator")))
        writer.text(text)
        writer.end()
        writer.line()

    def render_table_cell(self, token: nodes.TableCell) -> None:
        writer = self.writer
        alignment = ALIGNMENTS[token.align]
        if self.in_table_head:
            writer.start("th", (("scope", "col"), ("class", alignment)))
        else:
            writer.start("td", (("class", alignment),))
        self.children(token)
        writer.end()
        writer.line()

    def render_html_element(self, token: nodes.HtmlElement) -> None:
        attributes = [self.attribute(*pair) for pair in token.attributes.items()]
        if token.tag == "table":
            self.start_table_region()
            self.write_element(token, attributes)
            self.end_table_region()
        elif token.tag != "a":
            self.write_element(token, attributes)
        elif "href" in token.attributes:
            self.linked(token, attributes)
        else:
            # The anchor ends before its text, in which links may stand; in a link there can be none.
            if not self.in_link:
                self.writer.start("a", attributes)
                self.writer.end()
            self.children(token)

    def attribute(self, name: str, value: str) -> tuple[str, str | None]:
        """Return an attribute that an author wrote, so that it means nothing to the page around the fragment."""
        if name == "id":
            return name, None
        if name == "name":
            return name, PREFIX + value
        return name, self.anchors.target(value) if name == "href" else value

    def render_footnote_definition(self, token: nodes.FootnoteDefinition) -> None:
        self.write_note(token, note_id(token.number))

    def write_back_links(self, token: nodes.FootnoteDefinition) -> None:
        """Write a link to each place that calls a footnote."""
        writer = self.writer
        for occurrence in range(1, token.references + 1):
            if occurrence > 1:
                writer.text(" ")
            attributes = (
                ("href", f"#{reference_id(token.number, occurrence)}"),
                ("class", "footnote-back"),
                ("role", "doc-backlink"),
                ("aria-label", f"Back to reference {token.number}{repetition(occurrence)}"),
            )
            writer.start("a", attributes)
            writer.text(_BACK)
            if occurrence > 1:
                writer.start("sup")
                writer.text(str(occurrence))
                writer.end()
            writer.end()

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> None:
        writer = self.writer
        anchor = ("id", reference_id(token.number, token.occurrence))
        if self.in_link:
            writer.start("sup", (("class", "footnote-ref"), anchor))
        else:
            target = ("href", f"#{note_id(token.number)}")
            writer.start("sup", (("class", "footnote-ref"),))
            writer.start("a", (target, anchor, ("role", "doc-noteref"), ("aria-label", f"Footnote {token.number}")))
        writer.text(str(token.number))
        if not self.in_link:
            writer.end()
        writer.end()

    def render_math_span(self, token: nodes.MathSpan) -> None:
        formula = self.setting.drawings.formula(token)
        if formula is not None:
            if not formula.is_definition:
                self._write_formula(formula)
            return
        writer = self.writer
        writer.start("code", (("class", "math"),))
        writer.text(token.content)
        writer.end()

    def render_link(self, token: nodes.Link) -> None:
        self.linked(token, (("href", self.anchors.target(token.target)), ("title", token.title or None)))

    def linked(self, parent: nodes.Token, attributes: Attributes) -> None:
        """Write the children of `parent` as a link with these attributes, but in a link as they are."""
        if self.in_link:
            self.children(parent)
            return
        self.writer.start("a", attributes)
        self.in_link = True
        self.children(parent)
        self.in_link = False
        self.writer.end()

    def render_auto_link(self, token: nodes.AutoLink) -> None:
        if self.in_link:
            self.writer.text(token.content)
        else:
            super().render_auto_link(token)

    def render_image(self, token: nodes.Image) -> None:
        picture = self.setting.picture(token)
        if picture.src is None:
            self.writer.text(picture.alt)
            return
        self.write_image(picture.src, picture.alt, token.title, (picture.width, picture.height))


def _end_part(writer: HtmlWriter) -> None:
    writer.line()
    writer.end()
    writer.line()


render = GenericRenderer.render
