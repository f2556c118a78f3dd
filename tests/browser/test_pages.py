"""A page as a reader sees it: its measure, its widths, its contrast, its anchors."""

import json
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import parse, render_page
from mdpublish_core.templates import THEME_MODES, ThemeMode
from tests.browser.conftest import Opener

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SPECIMEN = (Path(__file__).parent / "specimen.md").read_text("utf-8")

# The number of characters on each line of each paragraph that fills more than one line, its last line left out.
CHARACTERS_A_LINE = """() => [...document.querySelectorAll("main > p")].flatMap(paragraph => {
  const lines = new Map();
  const walker = document.createTreeWalker(paragraph, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const range = document.createRange();
    for (let at = 0; at < walker.currentNode.length; at++) {
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + 1);
      const bottom = Math.round(range.getBoundingClientRect().bottom / 8);
      lines.set(bottom, (lines.get(bottom) || 0) + 1);
    }
  }
  return [...lines.values()].slice(0, -1);
})"""


# Stands for every picture that a README loads from elsewhere.
PICTURE = '<svg xmlns="http://www.w3.org/2000/svg" width="400" height="40"></svg>'


def show(open_page: Opener, markdown: str, *, width: int, theme_mode: ThemeMode = "light") -> "Page":
    page = open_page(width=width)
    page.set_content(render_page(parse(markdown), title="Specimen", theme_mode=theme_mode))
    return page


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_page_never_scrolls_sideways(open_page: Opener, width: int, theme_mode: ThemeMode) -> None:
    page = show(open_page, SPECIMEN, width=width, theme_mode=theme_mode)

    assert page.evaluate("document.documentElement.scrollWidth") == width


@pytest.mark.parametrize("width", [320, 1280])
def test_readmes_never_scroll_sideways(open_page: Opener, readmes: dict[str, str], width: int) -> None:
    for name, markdown in readmes.items():
        page = open_page(width=width)
        page.route("**/*", lambda route: route.fulfill(content_type="image/svg+xml", body=PICTURE))
        page.set_content(render_page(parse(markdown), title=name))

        assert page.evaluate("document.documentElement.scrollWidth") == width, name


def test_lines_hold_sixty_to_seventy_five_characters(open_page: Opener) -> None:
    lines = show(open_page, SPECIMEN, width=1280).evaluate(CHARACTERS_A_LINE)

    assert 60 <= median(lines) <= 75


def test_lines_hold_thirty_characters_on_a_phone(open_page: Opener) -> None:
    lines = show(open_page, SPECIMEN, width=320).evaluate(CHARACTERS_A_LINE)

    assert median(lines) >= 30


@pytest.mark.parametrize("theme_mode", THEME_MODES)
def test_background_fills_the_window(open_page: Opener, theme_mode: ThemeMode) -> None:
    page = show(open_page, "short", width=1280, theme_mode=theme_mode)

    colours = page.evaluate("['html', 'body'].map(e => getComputedStyle(document.querySelector(e)).backgroundColor)")

    # The body's background covers the canvas where the root element has none.
    assert colours[0] == "rgba(0, 0, 0, 0)"
    assert colours[1] == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 20, 20)"}[theme_mode]


def test_links_to_headings_lead_there(open_page: Opener) -> None:
    page = show(open_page, "[down](#größe)\n\n" + "x\n\n" * 200 + "# Größe\n\n" + "x\n\n" * 200, width=1280)

    page.click("text=down")

    assert page.evaluate("document.querySelector('h1').getBoundingClientRect().top") == pytest.approx(0, abs=1)


def test_wide_tables_and_code_can_be_scrolled_with_the_keyboard(open_page: Opener) -> None:
    page = show(open_page, SPECIMEN, width=320)
    reached = set()
    for _ in range(20):
        page.keyboard.press("Tab")
        reached.add(page.evaluate("document.activeElement.className || document.activeElement.tagName"))

    assert {"table", "PRE"} <= reached


def test_space_above_a_heading_is_more_than_below(open_page: Opener) -> None:
    page = show(open_page, "text\n\n## Heading\n\ntext", width=1280)

    above, below = json.loads(
        page.evaluate(
            """() => {
              const box = name => document.querySelector(name).getBoundingClientRect();
              const last = document.querySelectorAll('p')[1].getBoundingClientRect();
              return JSON.stringify([box('h2').top - box('p').bottom, last.top - box('h2').bottom]);
            }"""
        )
    )

    assert above >= 1.5 * below


def test_no_script_and_one_request_are_enough(open_page: Opener, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(render_page(parse(SPECIMEN), title="Specimen"), "utf-8")
    page = open_page(java_script_enabled=False)
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))

    page.goto((tmp_path / "page.html").as_uri())

    assert len(requests) == 1
