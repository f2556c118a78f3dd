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
from dataclasses import dataclass
from types import NoneType
from typing import Any, Unpack
from urllib.parse import unquote

from mdpublish_core.arguments import require_fields, require_limits, require_type
from mdpublish_core.css.matcher import Styles
from mdpublish_core.errors import UnknownPaper, UnknownThemeMode
from mdpublish_core.nodes import Document
from mdpublish_core.options.extensions import Extension, RawHtml
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.readers import parse
from mdpublish_core.resources.url_rewriters import UrlRewriter
from mdpublish_core.templates import THEME_MODES, PageThemeMode, Template, ThemeMode, bind
from mdpublish_core.writers import Destination, RenderContext
from mdpublish_core.writers.document_defaults import DocumentDefaults, chosen_template, defaults_of, language_tag
from mdpublish_core.writers.docx.contents import write_contents
from mdpublish_core.writers.docx.element_styles import ElementStyle, element_style_factory, hex_color
from mdpublish_core.writers.docx.fonts import font_table
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
from mdpublish_core.writers.page.language import detect_language
from mdpublish_core.writers.rendering import all_notices, prepare
from mdpublish_core.writers.results import StyleArguments, Written
from mdpublish_core.writers.structure.anchors import page_anchor
from mdpublish_core.writers.styled.dark_mode import render_on_white
from mdpublish_core.writers.word.inlines import bookmark_name

__all__ = ["DocxOptions", "Paper", "anchor_of", "build_docx", "to_docx", "write"]

_DESTINATION = Destination(
    "docx",
    "a Word file",
    figure_form="png",
    math_form="omml",
    allows_raw_html=False,
    white_page_modes=("dark",),
)
"""What the figures and notices of a Word file are; it is no destination of `convert`, whose result is text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class DocxOptions:
    """Options of a Word file. Where one is None, the document's front matter may set it."""

    title: str | None = None
    """The title in the file's properties. If None, the front matter's, else the first heading."""

    lang: str | None = None
    """The language, a BCP 47 tag. If None, the front matter's, else that of the text's script, else `en`."""

    paper: Paper = "a4"
    """The paper: `a4` or `letter`."""

    contents: bool = False
    """Whether a table of contents comes before the text."""


def to_docx(
    markdown: str,
    options: DocxOptions | None = None,
    *,
    template: str | Template | None = None,
    theme_mode: ThemeMode | None = None,
    css: str | None = None,
    raw_html: RawHtml = "sanitize",
    extensions: frozenset[Extension] | None = None,
    rewrite_url: UrlRewriter | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> bytes:
    """Convert Markdown to a Word file, a .docx; equal arguments make equal bytes.

    The page is light. With `theme_mode="dark"`, code, quotes, callouts and tables are dark. `css` is a custom stylesheet, of
    which Word gets what it can show. See `convert` for the other arguments and the errors; also raises `UnknownPaper` for a
    paper that is not `a4` or `letter`, and `ValueError` for an invalid language tag.
    """
    require_type("options", options, DocxOptions, NoneType, expected="a DocxOptions or None")
    document = parse(markdown, raw_html=raw_html, extensions=extensions, rewrite_url=rewrite_url, limits=limits)
    return build_docx(
        document, options or DocxOptions(), template=template, theme_mode=theme_mode, css=css, limits=limits
    ).content


def write(document: Document, options: Mapping[str, Any], *, name: str, **style: Unpack[StyleArguments]) -> Written:
    """Write the output `docx`."""
    values = {key: value for key, value in options.items() if key in DocxOptions.__dataclass_fields__}
    return build_docx(document, DocxOptions(**values), **style)


def anchor_of(fragment: str) -> str:
    """Return the bookmark of a heading in another Word file."""
    return bookmark_name(page_anchor(unquote(fragment)))


def build_docx(
    document: Document,
    options: DocxOptions,
    *,
    template: str | Template | None = None,
    theme_mode: PageThemeMode | None = None,
    css: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Written:
    """Render a parsed document. Raises the same errors as `to_docx`."""
    require_fields(options)
    require_type("theme_mode", theme_mode, str, NoneType)
    require_type("css", css, str, NoneType)
    require_limits(limits)
    if options.paper not in PAPERS:
        raise UnknownPaper(options.paper, tuple(PAPERS))
    defaults = defaults_of(document)
    mode = theme_mode or defaults.theme_mode or "light"
    if mode not in THEME_MODES:
        raise UnknownThemeMode(mode, THEME_MODES)
    style = bind(chosen_template(template, defaults), mode)
    properties = _properties(document, options, defaults)

    def render(context: RenderContext) -> bytes:
        def write(context: RenderContext, styles: Styles[ElementStyle]) -> bytes:
            return _write(document, context, styles, options, properties)

        return render_on_white(context, "word", element_style_factory(style.template.fonts), write)

    context = prepare(document, _DESTINATION, style, render, media_url="cid:", css=css, limits=limits, has_text=False)
    return Written(render(context), all_notices(document, _DESTINATION, context))


def _properties(document: Document, options: DocxOptions, defaults: DocumentDefaults) -> DocumentProperties:
    front_matter = document.front_matter
    lang = language_tag(options.lang) if options.lang else defaults.lang or detect_language(document)
    return DocumentProperties(
        title=options.title or defaults.title or document.title,
        author=_joined(front_matter, "author", "authors"),
        description=defaults.description,
        keywords=_joined(front_matter, "keywords", "tags"),
        date=_joined(front_matter, "date"),
        lang=lang,
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
    if options.contents:
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
