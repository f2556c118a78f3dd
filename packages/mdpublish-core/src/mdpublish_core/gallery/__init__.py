"""The gallery: one page with a live specimen of every template in light and dark mode.

It has one `style` element, no scripts, and loads nothing. 126 frames with `srcdoc` took Chromium two to three seconds
and 440 MB to load; specimens in one document, with scoped stylesheets and no heading ids, take 0.3 seconds and 210 MB.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from mdpublish_core import nodes
from mdpublish_core.gallery.specimen_page import (
    SpecimenUrl,
    example_markdown,
    example_page,
    gallery_file,
    specimen_page,
)
from mdpublish_core.html import HtmlWriter
from mdpublish_core.options.extensions import DEFAULT_EXTENSIONS
from mdpublish_core.readers import parse
from mdpublish_core.site_palette import site_palette
from mdpublish_core.templates import CATEGORIES, THEME_MODES, Category, Template, ThemeMode, bind
from mdpublish_core.writers import RenderContext
from mdpublish_core.writers.generic import GenericRenderer
from mdpublish_core.writers.structure.anchors import Anchors

__all__ = ["SpecimenUrl", "example_markdown", "example_page", "gallery_css", "gallery_page", "specimen_page"]

# Others require the Pro plan.
_FREE: Category = "free"

_TITLE = "Templates"

_LEAD = (
    "Every template in light and dark mode, with the same sample text. Templates in the category Free are available to "
    "every account; all others require Pro."
)

# Target of the skip link and of the "all" filter.
_ALL = "templates"


def gallery_page(templates: Sequence[Template], *, specimen_url: SpecimenUrl | None = None) -> str:
    """Return an HTML page that shows `templates` (with unique ids) in light and dark mode.

    Templates are grouped by category in catalog order. `#category-dark` shows a category, `#template-nord` a template.
    """
    groups = _by_category(templates)
    writer = HtmlWriter()
    writer.doctype()
    writer.start_line("html", (("lang", "en"),))
    _write_head(writer, gallery_css(templates))
    writer.start_line("body")
    writer.element_line("a", "Skip to the templates", (("class", "skip"), ("href", f"#{_ALL}")))
    _write_masthead(writer, groups)
    writer.start_line("main", (("id", _ALL), ("tabindex", -1)))
    for category, members in groups.items():
        _write_category(writer, category, members, specimen_url)
    if not groups:
        writer.element_line("p", "No templates yet.", (("class", "none"),))
    writer.end_line()  # main
    writer.end_line()  # body
    writer.end_line()  # html
    return writer.finish()


def gallery_css(templates: Sequence[Template]) -> str:
    """Return the stylesheet of `gallery_page`, to hash in a policy."""
    styles = (bind(template, theme_mode).css for template in templates for theme_mode in THEME_MODES)
    return "\n".join((site_palette().rstrip(), gallery_file("gallery.css").rstrip(), *_filter_rules(), *styles))


def _filter_rules() -> Iterator[str]:
    """Yield `:target` rules; browsers without `:has` scroll to the category instead."""
    for category in CATEGORIES:
        chosen = f"body:has(#category-{category}:target)"
        yield f"{chosen} .shelf:not(:target){{display:none}}"
        yield f'{chosen} .categories a[href="#category-{category}"]{{border-color:var(--accent);color:var(--ink)}}'


@cache
def _specimen() -> nodes.Document:
    return parse(gallery_file("specimen.md"), raw_html="escape", extensions=DEFAULT_EXTENSIONS)


def _by_category(templates: Sequence[Template]) -> dict[Category, list[Template]]:
    groups = {category: [one for one in templates if one.category == category] for category in CATEGORIES}
    return {category: members for category, members in groups.items() if members}


def _write_head(writer: HtmlWriter, css: str) -> None:
    writer.start_line("head")
    writer.empty_line("meta", (("charset", "utf-8"),))
    for name, content in (
        ("viewport", "width=device-width, initial-scale=1"),
        ("color-scheme", "light dark"),
        ("description", "Every template of mdpublish, in light and dark mode."),
    ):
        writer.empty_line("meta", (("name", name), ("content", content)))
    writer.element_line("title", f"{_TITLE} · mdpublish")
    writer.style(css)
    writer.line()
    writer.end_line()


def _write_masthead(writer: HtmlWriter, groups: dict[Category, list[Template]]) -> None:
    total = sum(map(len, groups.values()))
    writer.start_line("header", (("class", "masthead"),))
    writer.element_line("h1", _TITLE)
    writer.element_line("p", _LEAD, (("class", "lead"),))
    writer.end_line()
    if len(groups) > 1:
        writer.start_line("nav", (("class", "categories"), ("aria-label", "Categories")))
        writer.start_line("ul")
        _write_filter(writer, _ALL, "All", total)
        for category, members in groups.items():
            _write_filter(writer, f"category-{category}", category.capitalize(), len(members))
        writer.end_line()
        writer.end_line()


def _write_filter(writer: HtmlWriter, anchor: str, name: str, number: int) -> None:
    writer.start("li")
    writer.start("a", (("href", f"#{anchor}"),))
    writer.write_text(f"{name} ")
    writer.element("span", str(number), (("class", "count"),))
    writer.end()
    writer.end_line()


def _write_category(
    writer: HtmlWriter, category: Category, templates: Sequence[Template], specimen_url: SpecimenUrl | None
) -> None:
    anchor = f"category-{category}"
    attributes = (("id", anchor), ("class", "shelf"), ("tabindex", -1), ("aria-labelledby", f"{anchor}-name"))
    writer.start_line("section", attributes)
    writer.start("h2", (("id", f"{anchor}-name"),))
    writer.write_text(f"{category.capitalize()} ")
    writer.element("span", _counted(len(templates), "template"), (("class", "count"),))
    writer.end_line()
    writer.start_line("div", (("class", "cards"),))
    for template in templates:
        _write_card(writer, template, specimen_url)
    writer.end_line()
    writer.end_line()


def _write_card(writer: HtmlWriter, template: Template, specimen_url: SpecimenUrl | None) -> None:
    anchor = f"template-{template.id}"
    writer.start_line("article", (("id", anchor), ("class", "card"), ("aria-labelledby", f"{anchor}-name")))
    writer.element_line("h3", template.name, (("id", f"{anchor}-name"),))
    writer.start("p", (("class", "identity"),))
    writer.element("code", template.id)
    writer.write_text(" ")
    if template.category != _FREE:
        writer.write_text(f"{template.category.capitalize()} ")
    tier = "Free" if template.category == _FREE else "Pro"
    writer.element("span", tier, (("class", f"tier {tier.lower()}"),))
    writer.end_line()
    writer.element_line("p", template.description, (("class", "description"),))
    writer.start_line("div", (("class", "pair"),))
    for theme_mode in THEME_MODES:
        _write_specimen(writer, template, theme_mode, specimen_url)
    writer.end_line()
    writer.end_line()


def _write_specimen(
    writer: HtmlWriter, template: Template, theme_mode: ThemeMode, specimen_url: SpecimenUrl | None
) -> None:
    """Hide the specimen from screen readers and keyboard navigation: the text repeats a hundred times."""
    style = bind(template, theme_mode)
    document = _specimen()
    writer.start("figure")
    if specimen_url is None:
        writer.element_line("figcaption", theme_mode.capitalize())
    else:
        _write_link(writer, template, theme_mode, specimen_url(template, theme_mode))
    label = f"Specimen of {template.name}, {theme_mode}"
    writer.start("div", (("class", f"window {theme_mode}"), ("role", "img"), ("aria-label", label)))
    writer.start_line("div", (("class", style.scope), ("inert", "")))
    rendering = GenericRenderer(writer, document, RenderContext(style))
    rendering.anchors = _NoAnchors(document)
    rendering.write_sections(list(document.children))
    writer.end()
    writer.end()
    writer.end_line()


def _write_link(writer: HtmlWriter, template: Template, theme_mode: ThemeMode, url: str) -> None:
    writer.start("figcaption")
    writer.element(
        "a",
        f"{theme_mode.capitalize()}: full page",
        (("href", url), ("class", "open"), ("aria-label", f"{template.name}, {theme_mode}: full page")),
    )
    writer.end_line()


class _NoAnchors(Anchors):
    def heading_id(self, heading: nodes.Heading | nodes.SetextHeading) -> str | None:  # noqa: ARG002
        return None


def _counted(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
