"""Word files: a document as WordprocessingML (ECMA-376-1, transitional), with the template as named styles.

    blocks, inlines, lists, tables, images, footnotes ─▶ layout ─▶ package: parts, and a zip of the same bytes each time

The page is light, as in the destination `word`, from which the computed styles come; dark themes apply in code, quotes,
callouts and tables.

    layout          the walk over blocks; flow: paragraphs and tables of a story, and space between them; runs: their text
    element_styles  computed styles as properties of paragraphs and runs; styles: the template as named styles
    properties      these properties, written in the schema's order, and only what a named style lacks
    numbering  theme  fonts  parts      the other parts of the file
    package         relationships, media, and the zip; xml: elements, by lxml alone
"""

from collections.abc import Mapping
from urllib.parse import unquote

from mdpublish_core.css.matcher import Styles
from mdpublish_core.errors import UnknownPaper
from mdpublish_core.nodes import Document
from mdpublish_core.writers import RenderContext
from mdpublish_core.writers.document_defaults import DocumentDefaults, defaults_of, language_of
from mdpublish_core.writers.docx.contents import write_contents
from mdpublish_core.writers.docx.element_styles import ElementStyle, element_style_factory, hex_color
from mdpublish_core.writers.docx.fonts import font_table
from mdpublish_core.writers.docx.options import DocxOptions
from mdpublish_core.writers.docx.package import Package
from mdpublish_core.writers.docx.parts import (
    PAPERS,
    DocumentProperties,
    Paper,
    app_properties,
    background,
    core_properties,
    footer,
    settings,
    text_width,
    write_section,
)
from mdpublish_core.writers.docx.renderer import DocxRenderer
from mdpublish_core.writers.docx.styles import StyleSheet
from mdpublish_core.writers.docx.theme import theme
from mdpublish_core.writers.language import require_language
from mdpublish_core.writers.rendering import RenderRequest, prepare
from mdpublish_core.writers.results import Conversion
from mdpublish_core.writers.structure.anchors import page_anchor
from mdpublish_core.writers.styled.dark_mode import render_on_white
from mdpublish_core.writers.word.inlines import bookmark_name

__all__ = ["DocxOptions", "Paper", "anchor_of", "write"]


def anchor_of(fragment: str) -> str:
    """Return the bookmark of a heading in another Word file."""
    return bookmark_name(page_anchor(unquote(fragment)))


def write(document: Document, request: RenderRequest) -> Conversion:
    """Write the output `docx`. Raises `UnknownPaper`, and `InvalidArgument` for an invalid language tag."""
    options = request.options or DocxOptions()
    if options.paper not in PAPERS:
        raise UnknownPaper(options.paper, tuple(PAPERS))
    require_language("lang of DocxOptions", options.lang)
    style = request.style(document)
    properties = _properties(document, options, defaults_of(document))

    def render(context: RenderContext) -> bytes:
        def write(context: RenderContext, styles: Styles[ElementStyle]) -> bytes:
            return _write(document, context, styles, options, properties)

        return render_on_white(context, "word", element_style_factory(style.template.fonts), write)

    context = prepare(
        document, request, style, render, media_url="cid:", has_text=request.plain_text, lang=options.lang
    )
    return request.result(document, render(context), context)


def _properties(document: Document, options: DocxOptions, defaults: DocumentDefaults) -> DocumentProperties:
    front_matter = document.front_matter
    return DocumentProperties(
        title=options.title or defaults.title or document.title,
        author=_joined(front_matter, "author", "authors"),
        description=defaults.description,
        keywords=_joined(front_matter, "keywords", "tags"),
        date=_joined(front_matter, "date"),
        lang=language_of(document, options.lang),
    )


_MAX_PROPERTY = 255


def _joined(values: Mapping[str, str | tuple[str, ...]], *keys: str) -> str | None:
    value = next((values[key] for key in keys if values.get(key)), "")
    return (value if isinstance(value, str) else ", ".join(value))[:_MAX_PROPERTY].strip() or None


def _write(
    document: Document,
    context: RenderContext,
    styles: Styles[ElementStyle],
    options: DocxOptions,
    properties: DocumentProperties,
) -> bytes:
    page = styles.enter("&")
    sheet = StyleSheet(context.style, properties.lang)
    package = Package(sheet, context.max_output_bytes)
    layout = DocxRenderer(document, context, styles, package, text_width=text_width(options.paper))
    if options.toc:
        write_contents(layout)
    layout.write_tokens(document.children)
    footnotes = layout.footnotes_part()
    if len(package.body):
        layout.flow.finish()
    styles.leave()
    is_rtl = layout.around.base_direction == "rtl"
    footer_style = sheet.paragraph("Footer").run
    write_section(
        package.body, options.paper, package.add_part("footer", footer(footer_style, footer_style)), is_rtl=is_rtl
    )
    is_white = context.style.theme_mode == "dark"
    color = None if is_white else hex_color(page.word.background)
    has_background = background(package.document, color or "FFFFFF")
    package.add_part("styles", sheet.part())
    has_footnotes = footnotes is not None
    package.add_part("settings", settings(properties.lang, has_background=has_background, has_footnotes=has_footnotes))
    package.add_part("theme", theme(context.style))
    package.add_part("fontTable", font_table(sheet.fonts))
    if package.numbering.is_used:
        package.add_part("numbering", package.numbering.part())
    if footnotes is not None:
        package.add_part("footnotes", footnotes)
    return package.to_bytes(core_properties(properties), app_properties())
