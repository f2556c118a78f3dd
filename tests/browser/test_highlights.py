"""Links and code on highlights, as Chromium shows pages of all templates."""

from typing import TYPE_CHECKING

import pytest

from mdpublish_core import PageOptions, list_templates, parse, render
from mdpublish_core.options.styles import THEME_MODES, ThemeMode

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser

MARKED = "==[link](https://example.org)=="

DOCUMENT = parse(
    f"{MARKED}\n\n# {MARKED}\n\n## {MARKED}\n\n> [!NOTE]\n> {MARKED}\n\n| {MARKED} |\n|---|\n| {MARKED} |\n"
)

COLORS = """
[...document.querySelectorAll("mark a")].map(link => [link, link.parentElement].map(each => getComputedStyle(each).color))
"""


@pytest.mark.parametrize("theme_mode", THEME_MODES)
def test_links_on_highlights_have_the_color_of_their_text(chromium: "Browser", theme_mode: ThemeMode) -> None:
    page = chromium.new_page()
    pairs = {}
    for template in list_templates():
        page.set_content(
            render(DOCUMENT, to="page", options=PageOptions(title="a"), template=template, theme_mode=theme_mode).html
        )
        pairs[template.id] = page.evaluate(COLORS)
    page.close()

    assert {len(each) for each in pairs.values()} == {6}
    assert {name: each for name, each in pairs.items() if any(link != mark for link, mark in each)} == {}
