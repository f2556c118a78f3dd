"""Destination `generic`: a semantic HTML fragment with the template's CSS, for any web page.

The fragment stands in one `div`, and every rule of its stylesheet begins with that div's class, so that neither the
page it is dropped into nor a second fragment beside it is touched. Wide tables scroll in a region of their own. What a
reader cannot see by its form alone has a role or a label: footnotes, callouts, the boxes of tasks.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from mdpublish_core.destinations import html
from mdpublish_core.destinations.anchors import PREFIX, Anchors, note_id, reference_id
from mdpublish_core.destinations.directions import Direction, direction_of
from mdpublish_core.destinations.figures import alternative, shown_size, width_class
from mdpublish_core.destinations.heading_marks import heading_marks
from mdpublish_core.destinations.setting import Setting
from mdpublish_core.document import (
    AutoLink,
    BlockCode,
    Callout,
    CodeFence,
    Document,
    Figure,
    FootnoteDefinition,
    FootnoteReference,
    Heading,
    HtmlElement,
    Image,
    Link,
    List,
    MathBlock,
    MathSpan,
    Paragraph,
    Quote,
    SetextHeading,
    Table,
    TableCell,
    TableRow,
    TaskItem,
    ThematicBreak,
    Token,
)
from mdpublish_core.figures.request import RenderedFigure
from mdpublish_core.html import Attributes, HtmlWriter

if TYPE_CHECKING:
    # A document without figures loads none of what draws them.
    from mdpublish_core.figures.math import Formula

# As text: without the variation selector, some phones show the arrow as a picture.
_BACK = "↩\ufe0e"


class Rendering(html.Rendering):
    """A document on its way to a styled fragment, with its anchors; no link ever stands in another."""

    def __init__(self, writer: HtmlWriter, document: Document, setting: Setting) -> None:
        super().__init__(writer, RENDERERS)
        self.setting = setting
        self.anchors = document.once(Anchors)
        self.heading_marks = heading_marks(document, setting.style)
        self.in_link = False
        self.around: Direction = "ltr"
        self.row = 0

    def direction(self, tokens: Sequence[Token]) -> Direction | None:
        """Return the `dir` of a block that holds these tokens, where it is read otherwise than what it stands in."""
        direction = direction_of(tokens)
        return None if direction == self.around else direction

    @contextmanager
    def in_direction(self, direction: Direction | None) -> Iterator[Attributes]:
        """Write what stands in a block that has this `dir`, or none of its own; gives the attribute."""
        around, self.around = self.around, direction or self.around
        yield (("dir", direction),)
        self.around = around


def render(document: Document, setting: Setting) -> str:
    """Return the fragment with its stylesheet."""
    writer = HtmlWriter(trusted=document.trusted)
    writer.start("div", (("class", setting.style.scope),))
    writer.line()
    writer.style(setting.css)
    writer.line()
    write_blocks(writer, document, setting)
    writer.end()
    writer.line()
    return writer.finish()


def write_blocks(
    writer: HtmlWriter, document: Document, setting: Setting, *, below_title: Callable[[], None] | None = None
) -> None:
    """Write the blocks alone, for whoever frames and styles them.

    `below_title` writes what stands below a heading of the first level that the document begins with, else on top.
    """
    rendering = Rendering(writer, document, setting)
    blocks = list(document.children)
    if below_title is not None:
        first = blocks[0] if blocks else None
        if isinstance(first, Heading | SetextHeading) and first.level == 1:
            rendering.write(blocks.pop(0))
        below_title()
    write_sections(rendering, blocks)
    if document.footnote_definitions:
        attributes = (("class", "footnotes"), ("role", "doc-endnotes"), ("aria-label", "Footnotes"))
        html.footnotes(rendering, document.footnote_definitions, attributes)


def write_sections(rendering: Rendering, blocks: Sequence[Token]) -> None:
    """Write blocks; for a template with sections, each heading of the second level with what follows it in one.

    A heading of the first level ends that.
    """
    if not rendering.setting.style.template.has_sections:
        for block in blocks:
            rendering.write(block)
        return
    writer = rendering.writer
    is_open = False
    for block in blocks:
        if isinstance(block, Heading | SetextHeading) and block.level <= 2:
            if is_open:
                _end_part(writer)
            is_open = block.level == 2
            if is_open:
                writer.line()
                writer.start("section", (("class", "part"),))
        rendering.write(block)
    if is_open:
        _end_part(writer)


def _end_part(writer: HtmlWriter) -> None:
    writer.line()
    writer.end()
    writer.line()


def heading(rendering: Rendering, token: Heading | SetextHeading) -> None:
    writer = rendering.writer
    writer.line()
    writer.start(f"h{token.level}", (("id", rendering.anchors.of(token)), ("dir", rendering.direction(token.children))))
    if rendering.heading_marks:
        write_heading_mark(rendering, token)
    rendering.children(token)
    writer.end()
    writer.line()


def write_heading_mark(rendering: Rendering, token: Heading | SetextHeading) -> None:
    """Write the mark that the template puts before a heading; a reader that speaks leaves it out."""
    mark = rendering.heading_marks.get(id(token))
    if mark:
        rendering.writer.start("span", (("class", "heading-mark"), ("aria-hidden", "true")))
        rendering.writer.text(mark)
        rendering.writer.end()


def paragraph(rendering: Rendering, token: Paragraph) -> None:
    if rendering.in_tight_list:
        rendering.children(token)
        return
    rendering.writer.line()
    rendering.writer.start("p", (("dir", rendering.direction(token.children)),))
    rendering.children(token)
    rendering.writer.end()
    rendering.writer.line()


def quote(rendering: Rendering, token: Quote) -> None:
    with rendering.in_direction(rendering.direction(token.children)) as attributes:
        html.write_quote(rendering, token, attributes)


def list_(rendering: Rendering, token: List) -> None:
    with rendering.in_direction(rendering.direction(token.children)) as attributes:
        html.write_list(rendering, token, attributes)


def callout(rendering: Rendering, token: Callout) -> None:
    writer = rendering.writer
    tight, rendering.in_tight_list = rendering.in_tight_list, False
    with rendering.in_direction(rendering.direction(token.children)) as direction:
        writer.line()
        writer.start("div", (("class", f"callout {token.kind}"), ("role", "note"), *direction))
        writer.line()
        writer.start("p", (("class", "title"),))
        writer.text(token.kind.capitalize())
        writer.end()
        writer.line()
        rendering.children(token)
        writer.end()
        writer.line()
    rendering.in_tight_list = tight


def task_item(rendering: Rendering, token: TaskItem) -> None:
    writer = rendering.writer
    blocks = list(token.children)
    writer.start("li", (("class", "task"),))
    # In a loose item the box stands in the first paragraph, so that it is on its line.
    loose = not rendering.in_tight_list and bool(blocks) and isinstance(blocks[0], Paragraph)
    if loose:
        writer.line()
        writer.start("p")
    checked = "" if token.checked else None
    writer.empty("input", (("type", "checkbox"), ("checked", checked), ("disabled", ""), ("aria-label", "Done")))
    if blocks:
        writer.text(" ")
    if loose:
        rendering.children(blocks.pop(0))
        writer.end()
        writer.line()
    html.item_blocks(rendering, blocks)


def code_block(rendering: Rendering, token: CodeFence | BlockCode) -> None:
    writer = rendering.writer
    start_source(rendering, token.language)
    for role, text in rendering.setting.code(token):
        if role is None:
            writer.text(text)
        else:
            writer.start("span", (("class", role),))
            writer.text(text)
            writer.end()
    end_source(rendering)


def figure(rendering: Rendering, token: Figure) -> None:
    drawing = rendering.setting.drawings.figure(token)
    if drawing and not drawing.svg:
        drawing = None
    title = token.options.get("title")
    if not title and not drawing:
        source(rendering, token.content, token.language)
        return
    writer = rendering.writer
    writer.line()
    if drawing:
        _start_drawing(rendering, token, drawing)
    else:
        writer.start("figure")
        source(rendering, token.content, token.language)
    _end_figure(rendering, title)
    if drawing and drawing.table:
        _write_data(rendering, drawing.table)


def _start_drawing(rendering: Rendering, token: Figure, drawing: RenderedFigure) -> None:
    """Begin the figure of a drawing, and write that: an SVG with a name for readers that speak."""
    writer, svg = rendering.writer, drawing.svg
    assert svg, "it was drawn for the web"
    size = shown_size(token, drawing)
    prefix = f"{PREFIX}figure-{rendering.setting.drawings.number(token)}-"
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


def _write_data(rendering: Rendering, table: Sequence[Sequence[str]]) -> None:
    """Write the data that a drawing shows as a table, for readers who cannot see it and for all who want the numbers."""
    writer = rendering.writer
    writer.start("details", (("class", "data"),))
    writer.start("summary")
    writer.text("Data")
    writer.end()
    start_table_region(rendering)
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
    end_table_region(rendering)
    writer.end()
    writer.line()


def math_block(rendering: Rendering, token: MathBlock) -> None:
    if rendering.setting.drawings.defines(token):
        return
    formula, title = rendering.setting.drawings.formula(token), token.options.get("title")
    writer = rendering.writer
    if title:
        writer.line()
        writer.start("figure")
    if formula is None:
        source(rendering, token.content, "math")
    else:
        # It scrolls where it is too wide, and so can be reached by keyboard.
        writer.line()
        label = token.options.get("alt") or "Formula"
        writer.start("div", (("class", "math"), ("role", "group"), ("aria-label", label), ("tabindex", 0)))
        _write_formula(rendering, formula)
        writer.end()
        writer.line()
    if title:
        _end_figure(rendering, title)


def _end_figure(rendering: Rendering, title: str | None) -> None:
    """End a figure, with its title if it has one."""
    writer = rendering.writer
    if title:
        writer.start("figcaption")
        writer.text(title)
        writer.end()
        writer.line()
    writer.end()
    writer.line()


def _write_formula(rendering: Rendering, formula: "Formula") -> None:
    rendering.writer.drawn(formula.mathml())


def source(rendering: Rendering, content: str, language: str) -> None:
    """Write a block of code without roles."""
    start_source(rendering, language)
    rendering.writer.text(content)
    end_source(rendering)


def start_source(rendering: Rendering, language: str) -> None:
    """Begin a block of code, which scrolls, and so can be reached by keyboard."""
    writer = rendering.writer
    writer.line()
    writer.start("pre", (("tabindex", 0),))
    writer.start("code", (("class", f"language-{language}"),) if language else ())


def end_source(rendering: Rendering) -> None:
    """End a block of code."""
    rendering.writer.end()
    rendering.writer.end()
    rendering.writer.line()


def table(rendering: Rendering, token: Table) -> None:
    rendering.row = 0
    start_table_region(rendering)
    with rendering.in_direction(rendering.direction(token.header.children)) as attributes:
        html.table(rendering, token, attributes)
    end_table_region(rendering)


def start_table_region(rendering: Rendering) -> None:
    """Begin the region in which a table scrolls that is too wide."""
    # A group, not ARIA's region, which is a landmark: those of a page are few, and no two of one name.
    rendering.writer.line()
    rendering.writer.start("div", (("class", "table"), ("role", "group"), ("aria-label", "Table"), ("tabindex", 0)))


def end_table_region(rendering: Rendering) -> None:
    """End the region in which a table scrolls."""
    rendering.writer.end()
    rendering.writer.line()


def table_row(rendering: Rendering, token: TableRow) -> None:
    writer = rendering.writer
    if rendering.in_table_head:
        writer.start("tr")
    else:
        rendering.row += 1
        writer.start("tr", (("class", "odd" if rendering.row % 2 else "even"),))
    writer.line()
    rendering.children(token)
    writer.end()
    writer.line()


def thematic_break(rendering: Rendering, token: ThematicBreak) -> None:
    text = rendering.setting.style.rule_text
    if not text:
        html.thematic_break(rendering, token)
        return
    writer = rendering.writer
    writer.line()
    writer.start("p", (("class", "rule"), ("role", "separator")))
    writer.text(text)
    writer.end()
    writer.line()


def table_cell(rendering: Rendering, token: TableCell) -> None:
    writer = rendering.writer
    alignment = html.ALIGNMENTS[token.align]
    if rendering.in_table_head:
        writer.start("th", (("scope", "col"), ("class", alignment)))
    else:
        writer.start("td", (("class", alignment),))
    rendering.children(token)
    writer.end()
    writer.line()


def html_element(rendering: Rendering, token: HtmlElement) -> None:
    attributes = [attribute(rendering, *pair) for pair in token.attributes.items()]
    if token.tag == "table":
        start_table_region(rendering)
        html.element(rendering, token, attributes)
        end_table_region(rendering)
    elif token.tag != "a":
        html.element(rendering, token, attributes)
    elif "href" in token.attributes:
        linked(rendering, token, attributes)
    else:
        # The anchor ends before its text, in which links may stand; in a link there can be none.
        if not rendering.in_link:
            rendering.writer.start("a", attributes)
            rendering.writer.end()
        rendering.children(token)


def attribute(rendering: Rendering, name: str, value: str) -> tuple[str, str | None]:
    """Return an attribute that an author wrote, so that it means nothing to the page around the fragment."""
    if name == "id":
        return name, None
    if name == "name":
        return name, PREFIX + value
    return name, rendering.anchors.target(value) if name == "href" else value


def footnote_definition(rendering: Rendering, token: FootnoteDefinition) -> None:
    html.note(rendering, token, note_id(token.number), back_links)


def back_links(rendering: Rendering, token: FootnoteDefinition) -> None:
    """Write a link to each place that calls a footnote."""
    writer = rendering.writer
    for occurrence in range(1, token.references + 1):
        if occurrence > 1:
            writer.text(" ")
        attributes = (
            ("href", f"#{reference_id(token.number, occurrence)}"),
            ("class", "footnote-back"),
            ("role", "doc-backlink"),
            ("aria-label", f"Back to reference {token.number}{html.repetition(occurrence)}"),
        )
        writer.start("a", attributes)
        writer.text(_BACK)
        if occurrence > 1:
            writer.start("sup")
            writer.text(str(occurrence))
            writer.end()
        writer.end()


def footnote_reference(rendering: Rendering, token: FootnoteReference) -> None:
    writer = rendering.writer
    anchor = ("id", reference_id(token.number, token.occurrence))
    if rendering.in_link:
        writer.start("sup", (("class", "footnote-ref"), anchor))
    else:
        target = ("href", f"#{note_id(token.number)}")
        writer.start("sup", (("class", "footnote-ref"),))
        writer.start("a", (target, anchor, ("role", "doc-noteref"), ("aria-label", f"Footnote {token.number}")))
    writer.text(str(token.number))
    if not rendering.in_link:
        writer.end()
    writer.end()


def math_span(rendering: Rendering, token: MathSpan) -> None:
    formula = rendering.setting.drawings.formula(token)
    if formula is not None:
        if not formula.is_definition:
            _write_formula(rendering, formula)
        return
    writer = rendering.writer
    writer.start("code", (("class", "math"),))
    writer.text(token.content)
    writer.end()


def link(rendering: Rendering, token: Link) -> None:
    linked(rendering, token, (("href", rendering.anchors.target(token.target)), ("title", token.title or None)))


def linked(rendering: Rendering, parent: Token, attributes: Attributes) -> None:
    """Write the children of `parent` as a link with these attributes, but in a link as they are."""
    if rendering.in_link:
        rendering.children(parent)
        return
    rendering.writer.start("a", attributes)
    rendering.in_link = True
    rendering.children(parent)
    rendering.in_link = False
    rendering.writer.end()


def autolink(rendering: Rendering, token: AutoLink) -> None:
    if rendering.in_link:
        rendering.writer.text(token.content)
    else:
        html.autolink(rendering, token)


def image(rendering: Rendering, token: Image) -> None:
    picture = rendering.setting.picture(token)
    if picture.src is None:
        rendering.writer.text(picture.alt)
        return
    html.write_image(rendering, picture.src, picture.alt, token.title, (picture.width, picture.height))


RENDERERS: Mapping[type[Token], html.Renderer] = {
    **html.RENDERERS,
    Heading: heading,
    SetextHeading: heading,
    Paragraph: paragraph,
    Quote: quote,
    List: list_,
    Callout: callout,
    TaskItem: task_item,
    CodeFence: code_block,
    BlockCode: code_block,
    Figure: figure,
    MathBlock: math_block,
    Table: table,
    TableRow: table_row,
    TableCell: table_cell,
    ThematicBreak: thematic_break,
    HtmlElement: html_element,
    FootnoteDefinition: footnote_definition,
    FootnoteReference: footnote_reference,
    MathSpan: math_span,
    Link: link,
    AutoLink: autolink,
    Image: image,
}
