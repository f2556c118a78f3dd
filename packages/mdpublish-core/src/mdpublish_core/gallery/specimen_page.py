"""Pages of a template: its specimen, with every construct, and a document of the kind that it is made for."""

import re
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from string import Template as StringTemplate

from mdpublish_core.options.extensions import DEFAULT_EXTENSIONS
from mdpublish_core.readers import parse
from mdpublish_core.templates import THEME_MODES, Template, ThemeMode
from mdpublish_core.writers.page import PageLink, PageOptions
from mdpublish_core.writers.rendering import render

SpecimenUrl = Callable[[Template, ThemeMode], str]

_PUNCTUATION = re.compile(r"([^\w\s])")


def specimen_page(
    template: Template,
    theme_mode: ThemeMode,
    *,
    specimen_url: SpecimenUrl | None = None,
    gallery_url: str | None = None,
    font_url: str | None = None,
) -> str:
    """Return a template's full specimen page.

    `specimen_url` links the other theme mode, `gallery_url` the gallery.
    """
    document = parse(_markdown(template), raw_html="escape", extensions=DEFAULT_EXTENSIONS)
    others = (mode for mode in THEME_MODES if mode != theme_mode)
    options = PageOptions(
        title=f"{template.name}, {theme_mode}",
        description=template.description,
        breadcrumbs=(PageLink("Templates", f"{gallery_url}#template-{template.id}"),) if gallery_url else (),
        links=tuple(PageLink(f"The same in {mode}", specimen_url(template, mode)) for mode in others)
        if specimen_url
        else (),
        font_url=font_url,
    )
    page = render(document, to="page", options=options, template=template, theme_mode=theme_mode, plain_text=False)
    return page.html


def example_page(template: Template, theme_mode: ThemeMode, *, font_url: str | None = None) -> str:
    """Return a page with `example_markdown`."""
    document = parse(example_markdown(template))
    options = PageOptions(font_url=font_url)
    return render(document, to="page", options=options, template=template, theme_mode=theme_mode, plain_text=False).html


def example_markdown(template: Template) -> str:
    """Return the document that shows what a template is made for, such as an invoice."""
    return gallery_file(f"examples/{template.example}.md")


def _markdown(template: Template) -> str:
    return StringTemplate(_source()).substitute(
        name=_escape_markdown(template.name), description=_escape_markdown(template.description)
    )


def gallery_file(name: str) -> str:
    return files("mdpublish_core.gallery").joinpath(name).read_text("utf-8")


@cache
def _source() -> str:
    # Escape the dollars of formulas.
    markdown = gallery_file("page.md")
    return re.sub(r"\$(?!name|description)", "$$", markdown)


def _escape_markdown(value: str) -> str:
    return _PUNCTUATION.sub(r"\\\1", value)
