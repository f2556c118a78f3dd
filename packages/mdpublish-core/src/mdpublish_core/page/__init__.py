"""Complete web pages: the blocks of `generic` with a head, a stylesheet, a header and a footer.

For a Content-Security-Policy: one `style` element, at most one `script`, no `style` attributes.
"""

from dataclasses import dataclass
from functools import partial

from mdpublish_core.destinations import RenderContext, render_figures_for
from mdpublish_core.destinations.generic import GenericRenderer
from mdpublish_core.html import HtmlWriter
from mdpublish_core.nodes import Document
from mdpublish_core.notices import Notice
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.page.chrome import write_breadcrumbs, write_footer
from mdpublish_core.page.copy_code import has_code, page_script_hash
from mdpublish_core.page.head import write_head
from mdpublish_core.page.options import Alternate, PageLink, PageOptions, SocialImage
from mdpublish_core.page.toc import reading_minutes, write_page_info
from mdpublish_core.templates import Template, ThemeMode, bind, get_template, page_css
from mdpublish_core.templates.user_css import user_css_rules
from mdpublish_core.templates.web_fonts import font_face_css, preload_font, with_hosted_fonts

__all__ = [
    "Alternate",
    "Page",
    "PageLink",
    "PageOptions",
    "SocialImage",
    "build_page",
    "page_script_hash",
    "reading_minutes",
    "render_page",
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A rendered page."""

    html: str
    style: str
    """The content of the `style` element, for hashing in a Content-Security-Policy."""
    notices: tuple[Notice, ...]
    """Figures and images that couldn't be shown."""


def render_page(
    document: Document,
    options: PageOptions,
    *,
    template: str | Template = "swiss",
    theme_mode: ThemeMode = "light",
    css: str | None = None,
) -> str:
    """Return `document` as a complete HTML page.

    `css` is your own stylesheet, applied after the template's.

    Raises `UnknownTemplate`, `UnknownThemeMode`, `UnknownPageWidth`, `InvalidStylesheet` or `InvalidFontUrl`.
    """
    chosen = get_template(template) if isinstance(template, str) else template
    return build_page(document, options, template=chosen, theme_mode=theme_mode, css=css).html


def build_page(
    document: Document,
    options: PageOptions,
    *,
    template: Template,
    theme_mode: ThemeMode,
    css: str | None = None,
    limits: Limits = DEFAULT_LIMITS,
) -> Page:
    """Render a page. Raises the same errors as `render_page`."""
    page_template = template if options.font_url is None else with_hosted_fonts(template)
    style = bind(page_template, theme_mode)
    user_rules = user_css_rules(css)
    figures = render_figures_for(document, style, figure_form="svg", math_form="mathml", limits=limits, has_text=False)
    context = RenderContext(style, user_rules=user_rules, trusted=document.trusted, figures=figures)
    context.notices.extend(figures.notices)
    stylesheet = context.complete_css(_css(options, page_template, theme_mode))
    html = _write_page(document, options, context, stylesheet)
    return Page(html=html, style=stylesheet, notices=tuple(context.notices))


def _css(options: PageOptions, template: Template, theme_mode: ThemeMode) -> str:
    has_fittings = bool(options.links) or options.reading_time or options.toc or options.copy_code
    css = page_css(template, theme_mode, options.page_width, has_fittings=has_fittings)
    faces = "" if options.font_url is None else font_face_css(template, options.font_url)
    return f"{faces}\n{css}" if faces else css


def _preloaded_font(options: PageOptions, template: Template, *, has_headings: bool) -> str | None:
    name = None if options.font_url is None else preload_font(template, has_headings=has_headings)
    return None if name is None else f"{options.font_url}{name}"


def _write_page(document: Document, options: PageOptions, context: RenderContext, css: str) -> str:
    theme_mode = context.style.theme_mode
    font = _preloaded_font(options, context.style.template, has_headings=document.title is not None)
    writer = HtmlWriter(trusted=document.trusted)
    writer.doctype()
    writer.start("html", (("lang", options.lang),))
    writer.line()
    has_script = options.copy_code and has_code(document)
    write_head(writer, options, theme_mode, css, font=font, has_script=has_script)
    writer.line()
    writer.start("body", (("class", context.style.scope),))
    writer.line()
    if options.breadcrumbs:
        write_breadcrumbs(writer, options.breadcrumbs)
    writer.start("main")
    writer.line()
    page_info = partial(write_page_info, writer, document, options)
    GenericRenderer(writer, document, context).write_document(document, below_title=page_info)
    writer.end()
    writer.line()
    write_footer(writer, options)
    writer.end()
    writer.line()
    writer.end()
    writer.line()
    return writer.finish()
