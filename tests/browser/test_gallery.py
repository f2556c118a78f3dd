"""The gallery in a browser: widths, category filter, specimens."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import list_templates, parse, render
from mdpublish_core.gallery import gallery_page
from mdpublish_core.templates import THEME_MODES
from tests.browser.conftest import Opener

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

TEMPLATES = list_templates()

SHOWN = """() => [...document.querySelectorAll(".shelf")]
  .filter(shelf => shelf.checkVisibility())
  .map(shelf => shelf.id)"""

# Elements outside specimens that overflow the window.
WIDER = """() => [...document.querySelectorAll("body *")]
  .filter(element => !element.closest("[inert]") && element.getBoundingClientRect().right > innerWidth + 0.5)
  .map(element => element.outerHTML.slice(0, 100))"""

# Computed styles, to see what the page adds to a fragment's.
STYLES = """scope => [...document.querySelectorAll(`.${scope}, .${scope} *`)]
  .filter(element => element.tagName !== "STYLE")
  .map(element => {
    const style = getComputedStyle(element);
    const told = ["color", "backgroundColor", "fontFamily", "fontWeight", "fontStyle", "fontVariantCaps", "textAlign",
      "textTransform", "textDecorationLine", "listStyleType", "whiteSpace", "borderTopStyle", "borderTopColor",
      "letterSpacing", "wordSpacing", "textIndent", "hyphens", "cursor", "direction"];
    return element.tagName + " " + told.map(name => style[name]).join("|");
  })"""


@pytest.fixture
def gallery(tmp_path: Path) -> str:
    file = tmp_path / "gallery.html"
    file.write_text(gallery_page(TEMPLATES), "utf-8")
    return file.as_uri()


def shown_shelves(page: "Page") -> list[str]:
    shown: list[str] = page.evaluate(SHOWN)
    return shown


@pytest.mark.parametrize("width", [320, 768, 1440])
def test_nothing_is_wider_than_the_window(open_page: Opener, gallery: str, width: int) -> None:
    page = open_page(width=width)
    page.goto(gallery)

    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate(WIDER) == []


def test_category_is_chosen_by_keyboard(open_page: Opener, gallery: str) -> None:
    page = open_page()
    page.goto(gallery)
    everything = [f"category-{category}" for category in dict.fromkeys(template.category for template in TEMPLATES)]
    assert shown_shelves(page) == everything

    for _ in range(4):  # past the skip link, All and Free
        page.keyboard.press("Tab")
    focused = page.locator(":focus")
    assert focused.get_attribute("href") == f"#{everything[1]}"
    assert focused.evaluate("link => getComputedStyle(link).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    assert shown_shelves(page) == everything[1:2]

    page.locator('.categories a[href="#templates"]').focus()
    page.keyboard.press("Enter")
    assert shown_shelves(page) == everything


@pytest.mark.parametrize("width", [320, 1280])
def test_chosen_category_leaves_the_choice_in_sight(open_page: Opener, gallery: str, width: int) -> None:
    page = open_page(width=width)
    page.goto(f"{gallery}#category-business")

    choice, heading = page.locator(".categories").bounding_box(), page.locator("#category-business-name").bounding_box()
    assert choice is not None
    assert heading is not None
    assert choice["y"] >= 0
    assert choice["y"] + choice["height"] <= heading["y"] < 800


def test_first_stop_skips_to_the_templates(open_page: Opener, gallery: str) -> None:
    page = open_page()
    page.goto(gallery)
    page.keyboard.press("Tab")

    assert page.locator(":focus").inner_text() == "Skip to the templates"
    box = page.locator(":focus").bounding_box()
    assert box is not None
    assert box["y"] >= 0
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.id") == "templates"


def test_keyboard_never_enters_a_specimen(open_page: Opener, gallery: str) -> None:
    page = open_page()
    page.goto(gallery)
    page.locator(".categories a").last.focus()
    page.keyboard.press("Tab")

    assert page.evaluate("document.activeElement === document.body")


def test_specimens_look_as_their_fragments_do_elsewhere(open_page: Opener, gallery: str) -> None:
    source = Path(__file__).parents[2] / "packages/mdpublish-core/src/mdpublish_core/gallery/specimen.md"
    document = parse(source.read_text("utf-8"))
    page, alone = open_page(), open_page()
    page.goto(gallery)
    alone.set_content(
        "<!DOCTYPE html>"
        + "".join(
            f'<div style="color-scheme: {mode}">{render(document, template=template, theme_mode=mode).html}</div>'
            for template in TEMPLATES
            for mode in THEME_MODES
        )
    )

    for template in TEMPLATES:
        for mode in THEME_MODES:
            scope = f"mdpublish-{template.id}-{mode}"
            assert page.evaluate(STYLES, scope) == alone.evaluate(STYLES, scope), scope
