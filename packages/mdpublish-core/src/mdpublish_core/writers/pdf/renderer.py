"""The blocks of a PDF: those of a page, as a printer of HTML without MathML, forms and scripts needs them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from mdpublish_core import nodes
from mdpublish_core.html import Attributes, HtmlWriter
from mdpublish_core.resources.urls import has_scheme
from mdpublish_core.writers import RenderContext
from mdpublish_core.writers.options.pdf import PdfOptions
from mdpublish_core.writers.page.renderer import PageRenderer
from mdpublish_core.writers.structure.anchors import footnote_id

if TYPE_CHECKING:
    from mdpublish_core.figures.request import RenderedFigure
    from mdpublish_core.templates import Template

_BOX = "M1 1h10v10h-10z"
_CHECK = "M3 6l2.2 2.5l4-5"


class PdfRenderer(PageRenderer):
    """Renders the blocks of a PDF. A picture's text alternative is the title in its SVG: nothing else is tagged."""

    def __init__(
        self, writer: HtmlWriter, document: nodes.Document, context: RenderContext, options: PdfOptions
    ) -> None:
        super().__init__(writer, document, context)
        usual = "page" if context.style.template.category == "academic" else "end"
        notes = document.footnote_definitions if (options.footnotes or usual) == "page" else ()
        self._notes = {each.number: each for each in notes if _is_line(each)}
        self._is_in_note = False
        self._written: set[int] = set()

    def has_sections(self, template: "Template") -> bool:
        # Nothing within a section goes across columns.
        return template.layout != "columns" and super().has_sections(template)

    def heading_attributes(self, token: nodes.Heading | nodes.SetextHeading) -> Attributes:
        # Bookmarks and running heads would have neither its formulas nor its pictures, but its notes.
        return (("data-text", nodes.text_content(token, self._formula_text)),)

    def callout_class(self, token: nodes.Callout) -> str:
        # None stands beside the text.
        return f"callout {token.kind}"

    def start_figure(self, token: nodes.Figure, rendered: "RenderedFigure") -> None:
        self.writer.start("figure", (("class", "drawing"),))
        self.write_svg(token, rendered)

    def svg_title(self, token: nodes.Figure, rendered: "RenderedFigure") -> str:
        from mdpublish_core.writers.figures.placement import alt_text_with_description

        return alt_text_with_description(token, rendered, self.words)

    def write_checkbox(self, *, checked: bool) -> None:
        writer, theme = self.writer, self.context.style.figure_theme
        # A drawing knows nothing of the page, not even its color.
        stroke = theme.accent if checked else theme.muted
        writer.start("svg", (("viewBox", "0 0 12 12"), ("fill", "none"), ("stroke", stroke)))
        writer.element("title", "☑" if checked else "☐")
        for path in (_BOX, _CHECK) if checked else (_BOX,):
            writer.empty("path", (("d", path),))
        writer.end()

    def render_math_span(self, token: nodes.MathSpan) -> None:
        if not self._write_formula(token):
            super().render_math_span(token)

    def render_math_block(self, token: nodes.MathBlock) -> None:
        title = token.options.get("title")
        if not self.context.figures.formula_image(token):
            super().render_math_block(token)
            return
        self.writer.start_block("figure", (("class", "math"), ("id", self.anchors.formula_id(token))))
        self._write_formula(token)
        self._end_figure(title)

    def _write_formula(self, token: nodes.MathBlock | nodes.MathSpan) -> bool:
        """Write a formula as a drawing that is as large as the text around it."""
        figures, writer = self.context.figures, self.writer
        formula, image = figures.formula(token), figures.formula_image(token)
        if formula is None or image is None or image.svg is None:
            return False
        svg, style = image.svg, self.context.style
        em = style.template.type.size
        writer.start(
            "svg",
            (
                ("class", "formula"),
                ("viewBox", svg.view_box),
                (
                    "style",
                    f"height:{svg.height / em:.4f}em;vertical-align:{-image.depth / em:.4f}em;width:{svg.width / em:.4f}em",
                ),
                *svg.attributes,
            ),
        )
        alt = token.options.get("alt") if isinstance(token, nodes.MathBlock) else None
        writer.element("title", alt or self._formula_text(token))
        writer.figure_markup(svg.inner(""))
        writer.end()
        return True

    def _formula_text(self, token: nodes.MathBlock | nodes.MathSpan) -> str:
        formula = self.context.figures.formula(token)
        return (formula and formula.unicode_line()) or token.content.strip()

    def write_children(self, parent: nodes.Token) -> None:
        if isinstance(parent, nodes.HtmlElement) and parent.tag == "table":
            self.write_column_widths(parent)
        super().write_children(parent)

    def write_column_widths(self, table: nodes.Table | nodes.HtmlElement) -> None:
        page_table = self.context.page_tables.get(id(table))
        if page_table and page_table.has_column_widths:
            # Shares of the room, which in cards is less than that of the paper.
            self.writer.start("colgroup")
            room = sum(page_table.fit.widths)
            for width in page_table.fit.widths:
                self.writer.empty("col", (("style", f"width:{width / room:.2%}"),))
            self.writer.end_line()

    def render_footnote_reference(self, token: nodes.FootnoteReference) -> None:
        note = self._notes.get(token.number)
        if note is None or token.occurrence > 1 or self._is_in_note or self.in_link:
            super().render_footnote_reference(token)
            return
        writer = self.writer
        anchor = ("id", footnote_id(token.number))
        writer.start("span", (("class", "page-note"), ("data-number", token.number), anchor))
        self._is_in_note = True
        self._written.add(token.number)
        for number, paragraph in enumerate(note.children):
            if number:
                writer.empty("br")
            self.write_children(paragraph)
        self._is_in_note = False
        writer.end()

    def write_footnotes(self, definitions: Sequence[nodes.FootnoteDefinition], attributes: Attributes) -> None:
        """Write the notes that stand at the end: also those of which all references are in notes and links."""
        left = [each for each in definitions if each.number not in self._written]
        self.skips_notes = bool(self._written)
        if left:
            super().write_footnotes(left, attributes)

    def render_image(self, token: nodes.Image) -> None:
        resolved = self.context.resolve_image(token)
        if resolved.src is not None and resolved.src.startswith("data:"):
            alt = resolved.alt or resolved.title or self.words["figure"]
            self.write_image(resolved.src, alt, token.title, (resolved.width, resolved.height))
        elif resolved.src is None or self.in_link or not has_scheme(resolved.src):
            self.writer.write_text(resolved.alt)
        else:
            # Nothing is loaded: the reader can.
            self.writer.element("a", resolved.alt or resolved.src, (("href", resolved.src),))


def _is_line(note: nodes.FootnoteDefinition) -> bool:
    """Whether a note can stand in a line: all its notes and blocks are paragraphs."""
    return bool(note.references) and all(isinstance(each, nodes.Paragraph) for each in note.children)
