"""The gallery: one page on which every template stands in light and in dark, as a live specimen beside its description.

It owns what a visitor chooses a template by: the specimen's text, the cards, the page around them, and the longer specimen
that a card may lead to (`specimen_page`). What a template looks like is `templates`' affair, and the specimen's HTML is `generic`'s.

The page has one `style` element and nothing else that a Content-Security-Policy would have to allow: no script, no
`style` attribute, and it loads nothing.

All specimens stand in the one page, where the class that each stylesheet is under keeps them apart; only the ids of
headings would repeat, and so are left out. A frame with `srcdoc` for each would isolate them without that care, but 126
such frames, each a document, lazy or not, took Chromium two to three seconds and 440 MB to load, where this page took 0.3
seconds and 210 MB.
"""

from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files

from mdpublish_core import nodes
from mdpublish_core.destinations import RenderContext
from mdpublish_core.destinations.anchors import Anchors
from mdpublish_core.destinations.generic import GenericRenderer
from mdpublish_core.gallery.specimen_page import SpecimenUrl, specimen_page
from mdpublish_core.html import HtmlWriter
from mdpublish_core.options.extensions import ALL_EXTENSIONS
from mdpublish_core.options.limits import DEFAULT_LIMITS
from mdpublish_core.parsing import parse_markdown
from mdpublish_core.site_palette import site_palette
from mdpublish_core.templates import CATEGORIES, THEME_MODES, Category, Template, ThemeMode, bind

__all__ = ["SpecimenUrl", "gallery_css", "gallery_page", "specimen_page"]

# The category whose templates every account has; all others are for the plan Pro.
_FREE: Category = "free"

_TITLE = "Templates"

_LEAD = (
    "Each template in light and in dark, with the same short text. The category Free is for every account; all others "
    "are Pro."
)

# Where the list of all templates begins: what the skip link and the choice of all categories lead to.
_ALL = "templates"


def gallery_page(templates: Sequence[Template], *, specimen_url: SpecimenUrl | None = None) -> str:
    """Return a whole HTML page that shows each of `templates`, no id twice, in light and in dark.

    With `specimen_url`, each specimen is a link to where `specimen_page` of it is.

    They stand under their categories, in the catalogue's order, and within a category in the order given; one that
    `load_template` read may be among them. The page needs no script and loads nothing; its address followed by
    `#category-dark` shows that category alone, and by `#template-nord` leads to that template. Without a template it
    says that there is none yet.
    """
    groups = _by_category(templates)
    writer = HtmlWriter()
    writer.doctype()
    writer.start("html", (("lang", "en"),))
    writer.line()
    _write_head(writer, gallery_css(templates))
    writer.start("body")
    writer.line()
    _write_element(writer, "a", "Skip to the templates", (("class", "skip"), ("href", f"#{_ALL}")))
    _write_masthead(writer, groups)
    writer.start("main", (("id", _ALL), ("tabindex", -1)))
    writer.line()
    for category, members in groups.items():
        _write_category(writer, category, members, specimen_url)
    if not groups:
        _write_element(writer, "p", "There is no template here yet.", (("class", "none"),))
    _end(writer)  # main
    _end(writer)  # body
    _end(writer)  # html
    return writer.finish()


def gallery_css(templates: Sequence[Template]) -> str:
    """Return the stylesheet of the page that `gallery_page` makes of the same templates, for a policy to name by hash."""
    styles = (bind(template, theme_mode).css for template in templates for theme_mode in THEME_MODES)
    return "\n".join((site_palette().rstrip(), _read("gallery.css").rstrip(), *_filter_rules(), *styles))


def _filter_rules() -> Iterator[str]:
    """Yield the rules by which the address of a category hides the others, and marks its link.

    A browser that does not know `:has` drops them: then such an address leads to the category among the others.
    """
    for category in CATEGORIES:
        chosen = f"body:has(#category-{category}:target)"
        yield f"{chosen} .shelf:not(:target){{display:none}}"
        yield f'{chosen} .categories a[href="#category-{category}"]{{border-color:var(--accent);color:var(--ink)}}'


@cache
def _read(name: str) -> str:
    return (files("mdpublish_core") / "gallery" / name).read_text("utf-8")


@cache
def _specimen() -> nodes.Document:
    return parse_markdown(
        _read("specimen.md"), raw_html="escape", extensions=ALL_EXTENSIONS, rewrite_url=None, limits=DEFAULT_LIMITS
    )


def _by_category(templates: Sequence[Template]) -> dict[Category, list[Template]]:
    """Return the templates by category, without the categories that have none."""
    groups = {category: [one for one in templates if one.category == category] for category in CATEGORIES}
    return {category: members for category, members in groups.items() if members}


def _write_head(writer: HtmlWriter, css: str) -> None:
    writer.start("head")
    writer.line()
    writer.empty("meta", (("charset", "utf-8"),))
    writer.line()
    for name, content in (
        ("viewport", "width=device-width, initial-scale=1"),
        ("color-scheme", "light dark"),
        ("description", "Every template of mdpublish, in light and in dark."),
    ):
        writer.empty("meta", (("name", name), ("content", content)))
        writer.line()
    _write_element(writer, "title", f"{_TITLE} · mdpublish")
    writer.style(css)
    writer.line()
    _end(writer)


def _write_masthead(writer: HtmlWriter, groups: dict[Category, list[Template]]) -> None:
    total = sum(map(len, groups.values()))
    writer.start("header", (("class", "masthead"),))
    writer.line()
    _write_element(writer, "h1", _TITLE)
    _write_element(writer, "p", _LEAD, (("class", "lead"),))
    _end(writer)
    if len(groups) > 1:
        writer.start("nav", (("class", "categories"), ("aria-label", "Categories")))
        writer.line()
        writer.start("ul")
        writer.line()
        _write_filter(writer, _ALL, "All", total)
        for category, members in groups.items():
            _write_filter(writer, f"category-{category}", category.capitalize(), len(members))
        _end(writer)
        _end(writer)


def _write_filter(writer: HtmlWriter, anchor: str, name: str, number: int) -> None:
    writer.start("li")
    writer.start("a", (("href", f"#{anchor}"),))
    writer.write_text(f"{name} ")
    _write_inline(writer, "span", str(number), (("class", "count"),))
    writer.end()
    _end(writer)


def _write_category(
    writer: HtmlWriter, category: Category, templates: Sequence[Template], specimen_url: SpecimenUrl | None
) -> None:
    anchor = f"category-{category}"
    attributes = (("id", anchor), ("class", "shelf"), ("tabindex", -1), ("aria-labelledby", f"{anchor}-name"))
    writer.start("section", attributes)
    writer.line()
    writer.start("h2", (("id", f"{anchor}-name"),))
    writer.write_text(f"{category.capitalize()} ")
    _write_inline(writer, "span", _counted(len(templates), "template"), (("class", "count"),))
    _end(writer)
    writer.start("div", (("class", "cards"),))
    writer.line()
    for template in templates:
        _write_card(writer, template, specimen_url)
    _end(writer)
    _end(writer)


def _write_card(writer: HtmlWriter, template: Template, specimen_url: SpecimenUrl | None) -> None:
    anchor = f"template-{template.id}"
    writer.start("article", (("id", anchor), ("class", "card"), ("aria-labelledby", f"{anchor}-name")))
    writer.line()
    _write_element(writer, "h3", template.name, (("id", f"{anchor}-name"),))
    writer.start("p", (("class", "identity"),))
    _write_inline(writer, "code", template.id)
    writer.write_text(" ")
    if template.category != _FREE:
        writer.write_text(f"{template.category.capitalize()} ")
    tier = "Free" if template.category == _FREE else "Pro"
    _write_inline(writer, "span", tier, (("class", f"tier {tier.lower()}"),))
    _end(writer)
    _write_element(writer, "p", template.description, (("class", "description"),))
    writer.start("div", (("class", "pair"),))
    writer.line()
    for theme_mode in THEME_MODES:
        _write_specimen(writer, template, theme_mode, specimen_url)
    _end(writer)
    _end(writer)


def _write_specimen(
    writer: HtmlWriter, template: Template, theme_mode: ThemeMode, specimen_url: SpecimenUrl | None
) -> None:
    """Write the specimen as a picture: nobody wants to hear the same text a hundred times, nor to pass its links by keyboard."""
    style = bind(template, theme_mode)
    document = _specimen()
    writer.start("figure")
    if specimen_url is None:
        _write_element(writer, "figcaption", theme_mode.capitalize())
    else:
        _write_link(writer, template, theme_mode, specimen_url(template, theme_mode))
    label = f"Specimen of {template.name}, {theme_mode}"
    writer.start("div", (("class", f"window {theme_mode}"), ("role", "img"), ("aria-label", label)))
    writer.start("div", (("class", style.scope), ("inert", "")))
    writer.line()
    rendering = GenericRenderer(writer, document, RenderContext(style))
    rendering.anchors = _NoAnchors(document)
    rendering.write_sections(list(document.children))
    writer.end()
    writer.end()
    _end(writer)


def _write_link(writer: HtmlWriter, template: Template, theme_mode: ThemeMode, url: str) -> None:
    """Write the caption as a link to the full specimen; it lies over the small one, too."""
    writer.start("figcaption")
    writer.start("a", (("href", url), ("class", "open"), ("aria-label", f"{template.name}, {theme_mode}: full page")))
    writer.write_text(f"{theme_mode.capitalize()}: full page")
    writer.end()
    _end(writer)


class _NoAnchors(Anchors):
    """Names no heading: all specimens have the same ones, and an id stands on a page once."""

    def heading_id(self, heading: nodes.Heading | nodes.SetextHeading) -> str | None:  # noqa: ARG002
        return None


def _write_element(writer: HtmlWriter, tag: str, content: str, attributes: Sequence[tuple[str, str]] = ()) -> None:
    """Write an element that has nothing but text, on a line of its own."""
    _write_inline(writer, tag, content, attributes)
    writer.line()


def _write_inline(writer: HtmlWriter, tag: str, content: str, attributes: Sequence[tuple[str, str]] = ()) -> None:
    writer.start(tag, attributes)
    writer.write_text(content)
    writer.end()


def _end(writer: HtmlWriter) -> None:
    """Close the innermost open element and its line."""
    writer.end()
    writer.line()


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
