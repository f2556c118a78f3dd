"""Complete web pages: the blocks of `generic` with a head, a stylesheet, a header and a footer.

For a Content-Security-Policy: one `style` element, at most one `script`, no `style` attributes.

What only some pages have, such as a site's frame, a table of contents, hosted fonts or a script, is imported when used.

What publishing adds stands between the title and the text, so rules such as `h1 + p` would fail: themes style slots,
such as `h1.title` and `.lead`, which pages have with and without extras. Tracks for text and wide elements are margins,
a width and two custom properties, not a grid, in which margins would not collapse and nothing could float. The renderer
gives the class `wide` to what is wider than the text, since only it knows how long a line of code is. What still
scrolls fades out by a mask on a scroll timeline: no colors to match, no effect on what fits.

The stylesheet has the rules for what the page has, such as figures and their colors, so a policy takes its hash from
the page that was made (`page_style_hash`). The one script, for copy buttons, never varies. It falls back to
`execCommand`, since a browser may refuse the Clipboard API to an opaque origin. A figure opens larger as the target of
a link to itself: no script, no second copy, no URL that a sandboxed page could not open. Links beside headings
are in no tab order where the contents have them, are shown while a mouse is over the heading, and have no place in its
line. The switch between light and dark is a check box that the stylesheet asks: no script, request or cookie, so a page
is one file to caches, and a reader stays where they read. Its figures have both colors, as those of `auto` have.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import Document
from mdpublish_core.templates import (
    PageThemeMode,
    SiteLayout,
    Template,
    beside_menu,
    bind,
    docs_template,
    figure_width,
    page_css,
)
from mdpublish_core.templates.style import layout_of, title_css
from mdpublish_core.templates.title_sizes import PLAIN, title_form
from mdpublish_core.writers import RenderContext, document_defaults
from mdpublish_core.writers.language import is_cjk
from mdpublish_core.writers.options.page import Alternate, PageLink, PageOptions, SocialImage
from mdpublish_core.writers.page.head import write_head
from mdpublish_core.writers.page.renderer import PageRenderer
from mdpublish_core.writers.page.side_notes import margin_of, side_notes_css
from mdpublish_core.writers.rendering import RenderRequest, prepare
from mdpublish_core.writers.results import Conversion
from mdpublish_core.writers.structure.bidi import detect_direction
from mdpublish_core.writers.words import words_in

if TYPE_CHECKING:
    from mdpublish_core.writers.figures.fitting import PageColumn
    from mdpublish_core.writers.page.frame import PageFrame
    from mdpublish_core.writers.page.toc import TocEntry

__all__ = ["Alternate", "PageLink", "PageOptions", "SocialImage", "write"]


def write(document: Document, request: RenderRequest) -> Conversion:
    """Write the output `page`, in the frame of a site if its options have one."""
    defaults = document_defaults.defaults_of(document)
    options = _complete(request.options or PageOptions(), document, defaults)
    # Of `FramedPageOptions`, which only sites import.
    frame: PageFrame | None = getattr(options, "frame", None)
    template, theme_mode = document_defaults.chosen_template(request.template, defaults), request.chosen_mode(document)
    if frame and frame.layout == "docs":
        template = docs_template(template)
    if options.font_url is not None or options.fonts == "inline":
        from mdpublish_core.templates.web_fonts import with_hosted_fonts

        template = with_hosted_fonts(template)
    style = bind(template, theme_mode)._replace(prints_light=theme_mode == "dark")
    if options.reader_controls and not frame and request.css is None:
        style = bind(template, "auto")._replace(begins=theme_mode)
    context = prepare(
        document,
        request,
        style,
        media_url=request.media_url,
        has_text=request.plain_text,
        column=_column(document, template, options),
        lang=options.lang,
    )
    context.is_page = context.enlarges_figures = True
    context.page_width = options.page_width or "standard"
    if document.has_tables:
        from mdpublish_core.writers.table_fit.page_tables import fit_page_tables

        page_width = options.page_width or "standard"
        context.page_tables = fit_page_tables(document, context.style, page_width, context.notices)
    html = _write_page(document, options, context, _stylesheet(document, options, context, frame), frame)
    return request.result(document, html, context)


def _stylesheet(document: Document, options: PageOptions, context: RenderContext, frame: "PageFrame | None") -> str:
    figures, style = context.figures, context.style
    css = _css(
        options,
        style.template,
        style.page_theme_mode,
        has_user_css=context.user_css is not None,
        has_formulas=bool(figures.formulas),
        layout=frame and frame.layout,
        has_contents=bool(_contents(document, options, frame)),
        begins=style.begins,
    )
    if (form := title_form(document.title or "")) != PLAIN:
        css = f"{css}\n{title_css(style.template, style.page_theme_mode, form)}"
    stylesheet = context.complete_css(css, document)
    if options.font_url is None and options.fonts == "inline":
        from mdpublish_core.templates.web_fonts import inline_font_css
        from mdpublish_core.writers.page.font_use import font_use

        stylesheet = f"{inline_font_css(style.template, font_use(document))}\n{stylesheet}"
    if layout_of(style.template).has_side_notes and (notes := document.cached(margin_of).footnotes):
        stylesheet = f"{stylesheet}\n{side_notes_css(notes, style.scope)}"
    return beside_menu(stylesheet) if frame and frame.layout == "theme" else stylesheet


def _column(document: Document, template: Template, options: PageOptions) -> "PageColumn | None":
    if not document.figures_and_math:
        return None
    from mdpublish_core.writers.figures.fitting import PageColumn

    return PageColumn(figure_width(template, options.page_width or "standard"), is_responsive=True)


def _complete(options: PageOptions, document: Document, defaults: document_defaults.DocumentDefaults) -> PageOptions:
    lang = document_defaults.language_of(document, options.lang) or options.default_lang
    title = options.title or defaults.title or document.title or options.default_title
    return replace(document_defaults.completed(options, defaults), title=title or words_in(lang)["untitled"], lang=lang)


def _css(
    options: PageOptions,
    template: Template,
    theme_mode: PageThemeMode,
    *,
    has_user_css: bool,
    has_formulas: bool,
    layout: SiteLayout | None,
    has_contents: bool,
    begins: PageThemeMode | None,
) -> str:
    has_fittings = bool(options.links) or layout is not None or options.reading_time or options.toc or options.copy_code
    page_width = options.page_width or "standard"
    css = page_css(
        template,
        theme_mode,
        page_width,
        has_fittings=has_fittings,
        layout=layout,
        has_user_css=has_user_css,
        is_cjk=is_cjk(options.lang),
        has_contents=has_contents,
        begins=begins,
    )
    if options.font_url is None:
        return css
    from mdpublish_core.templates.web_fonts import font_face_css, formula_font_css

    faces = [font_face_css(template, options.font_url), formula_font_css(options.font_url) if has_formulas else ""]
    return "\n".join(filter(None, (*faces, css)))


def _contents(document: Document, options: PageOptions, frame: "PageFrame | None") -> "Sequence[TocEntry]":
    if not options.toc:
        return ()
    from mdpublish_core.writers.page.toc import all_entries, toc_entries

    return document.cached(all_entries if frame else toc_entries)


def _preloaded_fonts(
    options: PageOptions, template: Template, document: Document, *, has_formulas: bool
) -> Iterator[str]:
    if options.font_url is None:
        return
    from mdpublish_core.templates.web_fonts import preload_fonts, preload_formula_font
    from mdpublish_core.writers.page.font_use import first_elements

    for name in preload_fonts(template, first_elements(document)):
        yield f"{options.font_url}{name}"
    if has_formulas:
        yield f"{options.font_url}{preload_formula_font()}"


def _write_page(
    document: Document, options: PageOptions, context: RenderContext, css: str, frame: "PageFrame | None"
) -> str:
    style = context.style
    theme_mode = style.begins or style.page_theme_mode
    fonts = _preloaded_fonts(options, style.template, document, has_formulas=bool(context.figures.formulas))
    writer = HtmlWriter(trusted=document.trusted)
    writer.doctype()
    direction = detect_direction(document.children) or "ltr"
    # Left to right is the default. Rules for the other direction look for an ancestor within the body.
    direction_attribute = ("dir", "rtl" if direction == "rtl" else None)
    writer.start_line("html", (("lang", options.lang), direction_attribute))
    has_script = False
    if options.copy_code:
        from mdpublish_core.writers.page.copy_code import has_code

        has_script = has_code(document)
    script_words = context.words if has_script else None
    write_head(writer, options, theme_mode, css, fonts=fonts, script_words=script_words, frame=frame)
    # A page with a switch says in which mode it begins.
    begins = f" {bind(style.template, style.begins).scope}" if style.begins and style.begins != "auto" else ""
    writer.start_block("body", (("class", f"{style.scope}{begins}"),))
    writer.line()
    contents = _contents(document, options, frame)
    if style.begins:
        from mdpublish_core.writers.page.head import write_mode_switch

        write_mode_switch(writer, context.words, is_banner=not options.breadcrumbs)
    if frame:
        from mdpublish_core.writers.page.frame import write_bar

        write_bar(writer, frame, context.words, has_contents=bool(contents))
    if options.breadcrumbs:
        from mdpublish_core.writers.page.head import write_breadcrumbs

        write_breadcrumbs(writer, options.breadcrumbs, context.words)
    writer.start_line("main", (direction_attribute,))
    renderer = PageRenderer(writer, document, context)
    renderer.parent_direction, renderer.has_anchors = direction, frame is not None or style.begins is not None
    if not frame:
        renderer.listed = {each.href for entry in contents for each in (entry, *entry.entries)}
    if layout_of(context.style.template).has_side_notes:
        renderer.side_notes, renderer.margin_callouts = document.cached(margin_of)
    below_title = None
    if (options.toc and not frame) or options.reading_time:
        from mdpublish_core.writers.page.toc import write_page_info

        below_title = partial(write_page_info, writer, document, options, context.words, () if frame else contents)
    renderer.write_document(document, below_title=below_title)
    writer.end_line()
    if frame or options.badge or options.links:
        from mdpublish_core.writers.page.head import write_footer

        write_footer(writer, options, context.words, frame)
    if frame:
        from mdpublish_core.writers.page.frame import write_popovers

        write_popovers(writer, frame, contents, context.words)
    writer.end_line()
    writer.end_line()
    return writer.finish()
