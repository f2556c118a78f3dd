"""A web page of its own: the blocks of `generic` in a frame, with head, stylesheet and footer.

    frame          what may stand around the blocks, as values
    head           what programs are told of the page
    surroundings   the way up, and the footer
    contents       reading time and table of contents
    copying        the script that copies code

The page has one `style` element, one `script` of ours where buttons that copy were asked for and there is code, and nothing
else that a Content-Security-Policy would have to allow: no `style` attribute, no font but those of the template where the
caller says from where, no picture but those that the document links.
"""

from collections.abc import Sequence
from functools import partial

from mdpublish_core.destinations import Setting, drawings_for
from mdpublish_core.destinations.generic import GenericRenderer
from mdpublish_core.document import Document
from mdpublish_core.html import HtmlWriter
from mdpublish_core.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.page.contents import reading_minutes, write_about
from mdpublish_core.page.copying import has_code, page_script_hash
from mdpublish_core.page.frame import Alternate, Badge, Breadcrumb, FooterLink, Frame, Unfurl
from mdpublish_core.page.head import write_head
from mdpublish_core.page.surroundings import write_breadcrumbs, write_footer
from mdpublish_core.templates import PageWidth, Template, ThemeMode, bind, get_template
from mdpublish_core.templates.hosting import hosted_template
from mdpublish_core.templates.overlay import overlay_rules

__all__ = [
    "Alternate",
    "Badge",
    "Breadcrumb",
    "FooterLink",
    "Frame",
    "Unfurl",
    "frame_document",
    "page_script_hash",
    "page_setting",
    "reading_minutes",
    "render_page",
    "style_of",
]


def render_page(
    document: Document,
    *,
    title: str,
    description: str | None = None,
    template: str | Template = "swiss",
    theme_mode: ThemeMode = "light",
    css: str | None = None,
    page_width: PageWidth = "standard",
    canonical_url: str | None = None,
    breadcrumbs: Sequence[Breadcrumb] = (),
    badge: Badge | None = None,
    robots: str | None = None,
    lang: str = "en",
    site_name: str | None = None,
    unfurl: Unfurl | None = None,
    alternates: Sequence[Alternate] = (),
    links: Sequence[FooterLink] = (),
    reading_time: bool = False,
    contents: bool = False,
    copy_buttons: bool = False,
    font_url: str | None = None,
) -> str:
    """Return a whole HTML page that shows `document`.

    `title` and `description` are plain text, `canonical_url` an absolute address, `robots` the content of that `meta`
    element (such as `noindex`), and `lang` a BCP 47 language tag. `css` is your own stylesheet, on top of the template's.
    `breadcrumbs` are the pages above this one, the highest first; they stand on top, and `badge` and `links` at the end.

    With `site_name` or `unfurl`, the head has what a link to the page is shown as elsewhere, by Open Graph: title,
    description, address, the site's name, the picture. `alternates` are other forms of the page.

    `reading_time` is a line below the title, and `contents` a table of contents below that, where the document has 800
    words and four headings of the levels 2 and 3. `copy_buttons` adds a script where there is code, the page's only one: a
    Content-Security-Policy names it by `page_script_hash`. All else works without it.

    `font_url` is where the fonts lie that a template may load, an absolute address or a path from the root, and ends in `/`;
    with None, the page loads none.

    Raises `UnknownTemplate`, `UnknownThemeMode`, `UnknownPageWidth`, `InvalidStylesheet` and `InvalidFontUrl`.
    """
    chosen = get_template(template) if isinstance(template, str) else template
    frame = Frame(
        title=title,
        description=description,
        page_width=page_width,
        canonical_url=canonical_url,
        breadcrumbs=breadcrumbs,
        badge=badge,
        robots=robots,
        lang=lang,
        site_name=site_name,
        unfurl=unfurl,
        alternates=alternates,
        links=links,
        reading_time=reading_time,
        contents=contents,
        copy_buttons=copy_buttons,
        font_url=font_url,
    )
    setting = page_setting(document, chosen, theme_mode, css=css, loads_fonts=font_url is not None)
    return frame_document(document, setting, frame)


def page_setting(
    document: Document,
    template: Template,
    theme_mode: ThemeMode,
    *,
    css: str | None = None,
    loads_fonts: bool = False,
    limits: Limits = DEFAULT_LIMITS,
) -> Setting:
    """Return the setting of a page, its figures drawn; what there is to tell of them is among its notices.

    With `loads_fonts`, for a frame with a `font_url`, the template's hosted fonts come first.
    """
    style = bind(hosted_template(template) if loads_fonts else template, theme_mode)
    overlay = overlay_rules(css)
    drawings = drawings_for(document, style, figures="svg", math="mathml", limits=limits, has_text=False)
    setting = Setting(style, overlay=overlay, trusted=document.trusted, drawings=drawings)
    setting.notices.extend(drawings.notices)
    return setting


def style_of(setting: Setting, frame: Frame) -> str:
    """Return what the style element of a page holds: a Content-Security-Policy names it by its hash."""
    return setting.completed(frame.css(setting.style.template, setting.style.theme_mode))


def frame_document(document: Document, setting: Setting, frame: Frame) -> str:
    """Return a page for a setting of the caller's own, in which its notices are then found."""
    css, theme_mode = style_of(setting, frame), setting.style.theme_mode
    font = frame.preloaded_font(setting.style.template, has_headings=document.title is not None)
    writer = HtmlWriter(trusted=document.trusted)
    writer.doctype()
    writer.start("html", (("lang", frame.lang),))
    writer.line()
    has_script = frame.copy_buttons and has_code(document)
    write_head(writer, frame, theme_mode, css, font=font, has_script=has_script)
    writer.line()
    writer.start("body", (("class", setting.style.scope),))
    writer.line()
    if frame.breadcrumbs:
        write_breadcrumbs(writer, frame.breadcrumbs)
    writer.start("main")
    writer.line()
    about = partial(write_about, writer, document, frame)
    GenericRenderer(writer, document, setting).write_document(document, below_title=about)
    writer.end()
    writer.line()
    write_footer(writer, frame)
    writer.end()
    writer.line()
    writer.end()
    writer.line()
    return writer.finish()
