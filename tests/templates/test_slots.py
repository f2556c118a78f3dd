"""Reading time, contents and badge do not change the design of a page, and no text overlaps an ornament."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import PageOptions, list_templates, parse, render
from mdpublish_core.templates import PAGE_WIDTHS, THEME_MODES, PageWidth, Template, ThemeMode
from tests.templates.measurements import published
from tests.templates.ornaments import collisions

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.templates

_SOURCE = (Path(__file__).parents[1] / "browser" / "specimen.md").read_text("utf-8").partition("\n")[2]

LONG_HEADINGS = parse(
    "# A title that is long enough to break over several lines on a telephone, and on a desktop too\n"
    + _SOURCE.replace(
        "## Lists", "## Lists, below a heading that is long enough to fill more than one line of the page"
    )
)

ARTICLE = parse("# A title\n\nThe **first** paragraph of an article.\n\n" + "Another of its paragraphs. " * 100)

VIEWPORTS = (375, 768, 1024, 1440, 1920)

FAINT = 1.45
"""Contrast within grounds that text is meant to stand on: ruled paper, grids, gingham."""

# Sizes and positions in px, which depend on the window.
_LEAD = """() => {
  const lead = document.querySelector("main > p.lead");
  const styles = ["", "::first-letter", "::first-line", "::before"].map(part => getComputedStyle(lead, part));
  const strong = getComputedStyle(lead.querySelector("strong"));
  const skipped = ["perspective-origin", "transform-origin", "top", "bottom", "inset-block-start", "inset-block-end"];
  const text = style => [...style].filter(name => !skipped.includes(name)).map(name => `${name}: ${style.getPropertyValue(name)}`);
  const initial = document.createRange(), words = lead.firstChild;
  initial.setStart(words, 0);
  initial.setEnd(words, 1);
  const drop = initial.getBoundingClientRect();
  const title = document.querySelector("h1").getBoundingClientRect(), box = lead.getBoundingClientRect();
  return [...[...styles, strong].flatMap(text), `initial: ${drop.width} ${drop.height}`, `box: ${box.left} ${box.width} ${box.height}`, `title: ${title.left} ${title.top} ${title.height}`];
}"""


def difference(page: "Page", template: Template, theme_mode: ThemeMode) -> list[str]:
    """Return the styles and sizes of title and lead that publishing changes."""
    page.set_content(
        render(ARTICLE, to="page", options=PageOptions(title="Article"), template=template, theme_mode=theme_mode).html
    )
    before = page.evaluate(_LEAD)
    extras = PageOptions(title="Article", reading_time=True, toc=True, copy_code=True)
    page.set_content(render(ARTICLE, to="page", options=extras, template=template, theme_mode=theme_mode).html)
    assert page.locator(".meta").count() == 1
    return sorted(set(page.evaluate(_LEAD)) - set(before))


@pytest.mark.short
@pytest.mark.parametrize("width", [375, 1440])
def test_publishing_does_not_change_title_and_lead(window: "Page", width: int) -> None:
    window.set_viewport_size({"width": width, "height": 800})
    changed = {template.id: difference(window, template, "light") for template in list_templates()}

    assert {name: changes for name, changes in changed.items() if changes} == {}


def offenders(page: "Page", template: Template, theme_mode: ThemeMode, page_width: PageWidth) -> list[str]:
    collided: list[str] = []
    for width in VIEWPORTS:
        page.set_viewport_size({"width": width, "height": 800})
        page.set_content(published(template, theme_mode, LONG_HEADINGS, page_width=page_width))
        collided += [f"{theme_mode}, {page_width}, {width} px: {collision}" for collision in collisions(page, FAINT)]
    return collided


@pytest.mark.parametrize("mode", THEME_MODES)
@pytest.mark.parametrize("page_width", PAGE_WIDTHS)
def test_no_text_overlaps_an_ornament(window: "Page", page_width: PageWidth, mode: ThemeMode) -> None:
    collided = {template.id: offenders(window, template, mode, page_width) for template in list_templates()}

    assert {name: words for name, words in collided.items() if words} == {}


@pytest.mark.short
@pytest.mark.parametrize("name", ["dracula", "bauhaus", "meeting-notes"])
def test_no_text_overlaps_an_ornament_of_the_margin_or_the_top(window: "Page", name: str) -> None:
    (template,) = (each for each in list_templates() if each.id == name)

    assert [words for width in PAGE_WIDTHS for words in offenders(window, template, "light", width)] == []
