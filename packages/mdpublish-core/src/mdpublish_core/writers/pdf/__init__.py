"""PDFs: the page as it prints, laid out by WeasyPrint.

    renderer ─▶ HTML with one stylesheet ─▶ printing ─▶ engine, in a confined worker process ─▶ PDF

The stylesheet is that of a page, then `pdf.css` for what only pages of paper have. The engine knows no media features,
no MathML and no forms, and drawings see no stylesheet of the page: formulas and boxes of tasks are drawings, all with a
title as alternative.
"""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import chain

from mdpublish_core.errors import InvalidPdf, MissingExtra
from mdpublish_core.figures.fonts import missing_characters
from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import Document, collect
from mdpublish_core.notices import Notice, shorten
from mdpublish_core.options.limits import Limits
from mdpublish_core.templates import Template, page_css
from mdpublish_core.templates.printed import COLUMN_GAP, PrintedPage, pdf_css
from mdpublish_core.templates.theme import FontStacks
from mdpublish_core.templates.web_fonts import extended_name, needs_extended, printed_font_css
from mdpublish_core.writers import RenderContext
from mdpublish_core.writers.document_defaults import completed, defaults_of
from mdpublish_core.writers.language import is_cjk
from mdpublish_core.writers.options.pdf import PdfOptions
from mdpublish_core.writers.page.toc import all_entries, write_entries
from mdpublish_core.writers.pdf.printing import missing_glyphs, print_pdf
from mdpublish_core.writers.pdf.renderer import PdfRenderer
from mdpublish_core.writers.rendering import RenderRequest, prepare
from mdpublish_core.writers.results import Conversion
from mdpublish_core.writers.structure.bidi import detect_direction

__all__ = ["PdfOptions", "write"]

_MARGIN = 20

# Where no font of a list is installed, browsers take these, and the engine DejaVu, which is wider.
_GENERIC_FONTS = {"serif": ("Times New Roman", "Liberation Serif"), "sans-serif": ("Arial", "Liberation Sans")}

_MAX_QUOTED = 10
"""Characters in a message."""


def write(document: Document, request: RenderRequest) -> Conversion:
    """Write the output `pdf`. Raises `MissingExtra`, `InvalidPdf`."""
    options = completed(request.options or PdfOptions(), defaults_of(document))
    from mdpublish_core.writers.figures.fitting import PageColumn

    style = request.style(document)
    width, height = _page(options).room
    has_columns = style.template.layout == "columns"
    room = (width - COLUMN_GAP) / 2 if has_columns else width
    context = prepare(
        document,
        request,
        style._replace(template=_for_paper(style.template)),
        media_url="data:",
        has_text=request.plain_text,
        column=PageColumn(room) if document.figures_and_math else None,
        lang=options.lang,
    )
    context.is_page = True
    if document.has_tables:
        from mdpublish_core.writers.table_fit.page_tables import fit_printed_tables

        # Of two columns, what is too wide for one goes across both.
        wide = width if has_columns else height if options.landscape == "auto" else 0.0
        context.page_tables = fit_printed_tables(document, context.style, room, wide, context.notices)
    html = page_html(document, options, context)
    content, missing = print_pdf(html, request.limits)
    if missing:
        context.notice("missing-glyphs", _missing_glyphs(missing))
    return request.result(document, content, context)


def _page(options: PdfOptions) -> PrintedPage:
    return PrintedPage(options.paper or "a4", options.margin or _MARGIN, options.sides or "one")


def glyph_notices(document: Document, title: str, limits: Limits) -> tuple[Notice, ...]:
    """Return what a PDF of a document would say of its characters: a page of those alone is printed.

    Nothing without the extra or the system's library, of which a PDF itself tells.
    """
    characters = frozenset(each for each in chain(title, _characters(document)) if not each.isascii())
    with suppress(MissingExtra, InvalidPdf):
        if missing_characters(characters) and (missing := missing_glyphs(characters, limits)):
            return (Notice("missing-glyphs", _missing_glyphs(missing)),)
    return ()


def _characters(document: Document) -> Iterator[str]:
    """Yield at least those that are not in ASCII."""
    return chain.from_iterable(getattr(each, "content", "") for each in document.cached(collect).tokens)


def _missing_glyphs(missing: str) -> str:
    such_as = f"{shorten(missing[:_MAX_QUOTED])!r}" + (" …" if len(missing) > _MAX_QUOTED else "")
    return f"no font of this machine has the characters {such_as}; boxes stand for them"


def _for_paper(template: Template) -> Template:
    """Return a template with its own fonts, one per generic name, and paper as ground, as figures have behind words."""
    stacks = (
        (*((hosted, extended_name(hosted)) if hosted else ()), *names, *_GENERIC_FONTS.get(generic, ()), generic)
        for hosted, (*names, generic) in zip(template.fonts.hosted, template.fonts.web, strict=True)
    )
    fonts = template.fonts._replace(web=FontStacks(*stacks))
    return replace(template, fonts=fonts, light=template.light._replace(background="#ffffff"))


def page_html(document: Document, options: PdfOptions, context: RenderContext) -> str:
    """Return the page that is printed."""
    style, lang = context.style, context.lang
    defaults = defaults_of(document)
    title = options.title or defaults.title or document.title or options.default_title or context.words["untitled"]
    direction = ("dir", "rtl" if detect_direction(document.children) == "rtl" else None)
    writer = HtmlWriter(trusted=document.trusted, max_characters=context.max_output_bytes)
    writer.doctype()
    writer.start("html", (("lang", lang), direction))
    writer.start("head")
    writer.empty("meta", (("charset", "utf-8"),))
    writer.element("title", title)
    for name, content in (
        ("author", defaults.properties.get("author")),
        ("description", defaults.description),
        ("keywords", defaults.properties.get("keywords")),
    ):
        if content:
            writer.empty("meta", (("name", name), ("content", content)))
    css = page_css(style.template, style.theme_mode, "full", is_cjk=is_cjk(lang))
    # The engine would drop it.
    css = css.replace("width:fit-content", "--fit:1")
    printed = pdf_css(style, _page(options), has_furniture=options.page_numbers, is_rtl=direction[1] is not None)
    faces = printed_font_css(style.template, is_extended=needs_extended(title + "".join(_characters(document))))
    writer.style(f"{faces}\n{context.complete_css(css, document)}\n{printed}")
    writer.end()
    writer.start("body", (("class", style.scope),))
    has_chapters = sum(each.level == 1 for each in document.headings) > 1
    writer.start_line("main", (direction, ("class", "chapters" if has_chapters else None), ("data-title", title)))
    renderer = PdfRenderer(writer, document, context, options)
    renderer.parent_direction = "rtl" if direction[1] else "ltr"

    def write_contents() -> None:
        if entries := all_entries(document):
            writer.start("nav", (("class", "contents"),))
            writer.element("p", context.words["contents"])
            write_entries(writer, entries)
            writer.end()

    renderer.write_document(document, below_title=write_contents if options.toc else None)
    for _ in range(3):
        writer.end()
    return writer.finish()
