"""Word files: a document as WordprocessingML (ECMA-376-1, transitional), with the template as named styles.

    blocks, inlines, lists, tables, images, footnotes ─▶ layout ─▶ package: parts, and a zip of the same bytes each time

The page is light, as in the destination `word`, from which the computed styles come; dark themes apply in boxes.

    layout          the walk over blocks; flow: paragraphs and tables of a story, and space between them; runs: their text
    element_styles  computed styles as properties of paragraphs and runs; styles: the template as named styles
    properties      these properties, written in the schema's order, and only what a named style lacks
    numbering  theme  parts             the other parts of the file; reference: those of a reference document
    package         relationships, media, and the zip; xml: elements, by lxml alone
"""

import re
import unicodedata
from collections.abc import Callable
from urllib.parse import unquote

from mdpublish_core.css.matcher import Styles
from mdpublish_core.nodes import Document
from mdpublish_core.resources.open_xml import Element
from mdpublish_core.templates.web_fonts import needs_extended
from mdpublish_core.writers import RenderContext
from mdpublish_core.writers.document_defaults import DocumentDefaults, completed, defaults_of, language_of
from mdpublish_core.writers.docx.contents import write_contents, write_title
from mdpublish_core.writers.docx.element_styles import ElementStyle, element_style_factory, hex_color
from mdpublish_core.writers.docx.package import Package
from mdpublish_core.writers.docx.parts import (
    DocumentProperties,
    app_properties,
    background,
    core_properties,
    footer,
    settings,
)
from mdpublish_core.writers.docx.reference import Reference, read_reference
from mdpublish_core.writers.docx.renderer import DocxRenderer
from mdpublish_core.writers.docx.sections import (
    column_width,
    complete_section,
    insert_footer,
    landscape_width,
    new_section,
)
from mdpublish_core.writers.docx.styles import StyleSheet
from mdpublish_core.writers.docx.theme import font_table, theme
from mdpublish_core.writers.docx.xml import add, relink
from mdpublish_core.writers.options.docx import DocxOptions
from mdpublish_core.writers.rendering import RenderRequest, prepare
from mdpublish_core.writers.results import Conversion
from mdpublish_core.writers.structure.anchors import page_anchor
from mdpublish_core.writers.styled.stylesheets import render_on_white
from mdpublish_core.writers.word_model.attributes import bookmark_name

__all__ = ["DocxOptions", "anchor_of", "write"]

_WORD = re.compile(r"[^\W_]+")
_BLANK_LINE = re.compile(r"\n\s*\n")
_SUBTITLE = re.compile(r":\s|\s[-\u2013\u2014]\s|\u2014|\uff1a")


def anchor_of(fragment: str) -> str:
    """Return the bookmark of a heading in another Word file."""
    return bookmark_name(page_anchor(unquote(fragment)))


def write(document: Document, request: RenderRequest) -> Conversion:
    """Write the output `docx`. Raises `InvalidReferenceDoc`."""
    options = request.options or DocxOptions()
    style, written = request.style(document), defaults_of(document)
    properties = _properties(document, options, written)
    options = completed(options, written)
    if options.embed_fonts:
        from mdpublish_core.writers.docx.embedded_fonts import with_embedded_fonts

        style = with_embedded_fonts(style)

    def render(context: RenderContext) -> bytes:
        def write(context: RenderContext, styles: Styles[ElementStyle]) -> bytes:
            # What was read is changed, and a custom stylesheet can require a second pass.
            reference = None if options.reference_doc is None else read_reference(options.reference_doc)
            return _Writer(context, styles, options, properties, reference).write(document)

        return render_on_white(context, "word", element_style_factory(style.template.fonts), write)

    context = prepare(
        document, request, style, render, media_url="cid:", has_text=request.plain_text, lang=options.lang
    )
    return request.result(document, render(context), context)


def _words(heading: str) -> list[str]:
    """Return what two headings have in common that differ in case, signs and emphasis; the signs if it has no words."""
    folded = unicodedata.normalize("NFKC", heading.casefold())
    return _WORD.findall(folded) or [folded]


def _properties(document: Document, options: DocxOptions, defaults: DocumentDefaults) -> DocumentProperties:
    return DocumentProperties(
        title=options.title or defaults.title or document.title,
        description=defaults.description,
        **defaults.properties,
        lang=language_of(document, options.lang),
    )


class _Writer:
    """Writes the body, then the parts to which it refers: ours, or those of a reference document."""

    def __init__(
        self,
        context: RenderContext,
        styles: Styles[ElementStyle],
        options: DocxOptions,
        properties: DocumentProperties,
        reference: Reference | None,
    ) -> None:
        self.context = context
        self.options = options
        self.properties = properties
        self.reference = reference
        self.page = styles.enter("&")
        self.sheet = StyleSheet(context.style, properties.lang, reference)
        self.package = Package(self.sheet, context.max_output_bytes)
        self.styles = styles

    def write(self, document: Document) -> bytes:
        package, properties, reference = self.package, self.properties, self.reference
        copied = reference.section if reference else None
        paper = self.options.paper or "a4"
        section = new_section(paper) if copied is None else copied
        complete_section(section, paper)
        wide = landscape_width(section) if self.options.landscape == "auto" else 0.0
        layout = DocxRenderer(
            document, self.context, self.styles, package, text_width=column_width(section), landscape_width=wide
        )
        if properties.title and self._has_title_block(document):
            write_title(layout, properties.title)
            self._write_byline(layout, document)
        if self.options.toc:
            write_contents(layout)
        layout.write_tokens(document.children)
        footnotes = layout.footnotes_part()
        if len(package.body):
            layout.runs.mark_formulas()
            layout.flow.finish()
        self.styles.leave()
        if copied is None and layout.around.base_direction == "rtl":
            add(section, "w:bidi")
        self._link_section(section)
        package.write_sections(section)
        has_background = reference is None and self._paint_page()
        package.add_part(
            "settings",
            settings(
                properties.lang,
                has_background=has_background,
                has_footnotes=footnotes is not None,
                has_fonts=bool(self.options.embed_fonts),
                reference=reference,
            ),
        )
        ours = self.sheet.part()
        self._add_or_copy("theme", lambda: theme(self.context.style))
        self._add_or_copy("fontTable", lambda: font_table(self.sheet.fonts))
        if self.options.embed_fonts:
            from mdpublish_core.writers.docx.embedded_fonts import embedded_faces

            package.embed_fonts(embedded_faces(self.sheet.fonts, is_extended=package.has(needs_extended)))
        package.add_numbering()
        if footnotes is not None:
            package.add_part("footnotes", footnotes)
        package.add_styles(ours, self.options.lang or defaults_of(document).lang)
        return package.to_bytes(core_properties(properties), app_properties())

    def _write_byline(self, layout: DocxRenderer, document: Document) -> None:
        """Write what papers have below their title."""
        authors, abstract = self.properties.author or "", str(document.front_matter.get("abstract", ""))
        if self.context.style.template.category == "academic":
            for style_id, content in (("Author", authors), ("Abstract", abstract)):
                for paragraph in filter(None, map(str.strip, _BLANK_LINE.split(content))):
                    write_title(layout, " ".join(paragraph.split()), "p", style_id)

    def _has_title_block(self, document: Document) -> bool:
        if self.options.title_block is not None:
            return self.options.title_block
        title, heading = self.properties.title or "", document.title or ""
        # A heading may go on with a subtitle.
        repeats = _words(title) in (_words(heading), _words(_SUBTITLE.split(heading)[0]))
        return bool(defaults_of(document).title) and not repeats

    def _add_or_copy(self, kind: str, make: Callable[[], Element]) -> None:
        if self.reference and kind in self.reference.parts:
            self.package.add_copied(kind, self.reference.parts[kind])
        else:
            self.package.add_part(kind, make())

    def _link_section(self, section: Element) -> None:
        """Add headers and footers, ours if a reference document has none."""
        if self.reference and self.reference.stories:
            relink(section, {key: self.package.add_copied(*story) for key, story in self.reference.stories.items()})
            return
        style = self.sheet.paragraph("Footer").run
        insert_footer(section, self.package.add_part("footer", footer(style, style)))

    def _paint_page(self) -> bool:
        is_white = self.context.style.theme_mode == "dark"
        color = None if is_white else hex_color(self.page.word.background)
        return background(self.package.document, color or "FFFFFF")
