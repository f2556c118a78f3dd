"""Emails in a browser engine: widths, font sizes, links, images, and the look without the style element."""

import re
from collections.abc import Mapping
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mdpublish_core import convert
from mdpublish_core.resources.media_urls import data_url
from mdpublish_core.templates import THEME_MODES, ThemeMode, list_templates
from tests.browser.conftest import Opener
from tests.browser.lines import characters_a_line
from tests.templates.traits import covering

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SPECIMEN = (Path(__file__).parent / "specimen.md").read_text("utf-8")

TEMPLATES = [template.id for template in covering()]

LONG_CODE = f"```python\n{'x = 1 + ' * 9}12345678\n\n    {'y = 1 + ' * 9}1234\n```"

# The number of lines that each text of the code takes, and whether the code scrolls.
CODE_LINES = """() => {
  const cell = document.querySelector("td.code"), range = document.createRange();
  const box = cell.querySelector("div") ?? cell;
  range.selectNodeContents(box);
  const tops = [...range.getClientRects()].filter(({width}) => width > 1).map(({top}) => top).sort((a, b) => a - b);
  const lines = tops.filter((top, position) => position === 0 || top - tops[position - 1] > 8);
  return [lines.length, box.scrollWidth > box.clientWidth];
}"""

# A phone, and a narrow reading pane.
WIDTHS = (320, 600)

# Replaces remote images.
IMAGE = '<svg xmlns="http://www.w3.org/2000/svg" width="900" height="40"></svg>'

# The font sizes in px of visible text, except what is small by design.
SIZES = """() => {
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const sizes = [];
  while (walker.nextNode()) {
    const holder = walker.currentNode.parentElement;
    if (walker.currentNode.data.trim() && holder.checkVisibility() && !holder.closest("sup, sub, small, code, kbd, samp, td.code"))
      sizes.push(parseFloat(getComputedStyle(holder).fontSize));
  }
  return sizes;
}"""


def show(
    open_page: Opener, markdown: str, *, width: int, template: str = "swiss", theme_mode: ThemeMode = "light"
) -> "Page":
    return show_mail(open_page, mail_of(markdown, template, theme_mode), width)


def mail_of(markdown: str, template: str = "swiss", theme_mode: ThemeMode = "light") -> str:
    return convert(markdown, to="email", template=template, theme_mode=theme_mode, media_url=data_url).html


def show_mail(open_page: Opener, mail: str, width: int) -> "Page":
    page = page_without_a_network(open_page, width)
    page.set_content(mail)
    return page


def page_without_a_network(open_page: Opener, width: int) -> "Page":
    page = open_page(width=width)
    page.route("**/*", lambda route: route.fulfill(content_type="image/svg+xml", body=IMAGE))
    return page


def scrolling(page: "Page", mails: Mapping[str, str]) -> list[tuple[str, int]]:
    """Return the names of mails that scroll sideways, with the width; one page is quicker than a page for each."""
    faults = []
    for name, mail in mails.items():
        page.set_content(mail)
        for width in WIDTHS:
            page.set_viewport_size({"width": width, "height": 800})
            if page.evaluate("document.documentElement.scrollWidth") != width:
                faults.append((name, width))
    return faults


@pytest.mark.parametrize("theme_mode", THEME_MODES)
def test_mail_never_scrolls_sideways(open_page: Opener, theme_mode: ThemeMode) -> None:
    mails = {template: mail_of(SPECIMEN, template, theme_mode) for template in TEMPLATES}

    assert scrolling(page_without_a_network(open_page, 320), mails) == []


def test_mails_of_readmes_never_scroll_sideways(open_page: Opener, readmes: dict[str, str]) -> None:
    mails = {name: mail_of(markdown) for name, markdown in readmes.items()}

    assert scrolling(page_without_a_network(open_page, 320), mails) == []


@pytest.mark.parametrize("width", WIDTHS)
def test_text_is_large_enough_to_read(open_page: Opener, width: int) -> None:
    sizes = show(open_page, SPECIMEN, width=width).evaluate(SIZES)

    assert min(sizes) >= 14
    assert median(sizes) >= 15


def test_code_of_eighty_columns_is_not_broken_in_a_pane_of_600_pixels(open_page: Opener) -> None:
    page, fitting = page_without_a_network(open_page, 600), []
    for template in list_templates():
        page.set_content(mail_of(LONG_CODE, template.id))
        lines, scrolls = page.evaluate(CODE_LINES)

        assert lines == 2, template.id
        fitting += [] if scrolls else [template.id]
    assert len(fitting) >= 8


def test_code_is_broken_in_its_own_size_on_a_phone(open_page: Opener) -> None:
    page = show(open_page, LONG_CODE, width=320)
    cell = "getComputedStyle(document.querySelector('td.code'))"

    assert page.evaluate(f"{cell}.fontSize") == "15px"
    assert page.evaluate("document.documentElement.scrollWidth") == 320


def test_lines_hold_thirty_characters_on_a_phone(open_page: Opener) -> None:
    lines = characters_a_line(show(open_page, SPECIMEN, width=320), "p")

    assert median(lines) >= 30


def test_lines_hold_no_more_than_eighty_characters(open_page: Opener) -> None:
    lines = characters_a_line(show(open_page, SPECIMEN, width=1280), "p")

    assert 55 <= median(lines) <= 80


@pytest.mark.parametrize("theme_mode", THEME_MODES)
def test_ground_fills_the_window(open_page: Opener, theme_mode: ThemeMode) -> None:
    page = show(open_page, "short", width=600, theme_mode=theme_mode)

    color = page.evaluate("getComputedStyle(document.body).backgroundColor")

    assert color == {"light": "rgb(255, 255, 255)", "dark": "rgb(20, 20, 20)"}[theme_mode]


def test_mail_is_right_without_its_style(open_page: Opener) -> None:
    mail = convert(
        "# Title\n\n" + "word " * 200 + "\n\n> [!NOTE]\n> a\n\n| a | b |\n|---|---|\n| c | d |", to="email"
    ).html
    places = "() => ['h1', 'p', 'table table table', 'th'].map(name => document.querySelector(name).getBoundingClientRect().x)"

    styled = show_mail(open_page, mail, 600).evaluate(places)
    bare = show_mail(open_page, re.sub(r"<style>.*?</style>", "", mail, flags=re.DOTALL), 600).evaluate(places)

    assert bare == styled


def test_text_is_in_the_middle_of_a_wide_window(open_page: Opener) -> None:
    page = show(open_page, "word " * 200, width=1280)

    box = page.evaluate("(({left, right}) => [left, right])(document.querySelector('p').getBoundingClientRect())")

    assert box[0] == pytest.approx(1280 - box[1], abs=1)


def test_links_to_headings_and_notes_lead_there(open_page: Opener) -> None:
    filler = "x\n\n" * 200
    page = show(open_page, f"[down](#größe) a[^1]\n\n{filler}# Größe\n\n{filler}[^1]: note", width=600)

    for position, selector in (("down", "h1"), ("1", "ol > li")):
        page.evaluate("scrollTo(0, 0)")
        page.click(f"a:text-is('{position}')")
        expect(page.locator(selector).first).to_be_in_viewport()


@pytest.mark.parametrize("align", ["center", "right"])
def test_image_is_where_its_author_put_it(open_page: Opener, align: str) -> None:
    page = show(
        open_page, f'<p align="{align}"><img src="https://example.org/a.png" alt="a" width="100"></p>', width=600
    )

    place = page.evaluate("(({left, right}) => [left, right])(document.querySelector('img').getBoundingClientRect())")
    position = page.evaluate(
        "(({left, right}) => [left, right])(document.querySelector('img').closest('td').getBoundingClientRect())"
    )

    middle = (position[0] + position[1]) / 2 - 50
    assert place[0] == pytest.approx({"center": middle, "right": position[1] - 100}[align], abs=1)


def test_wide_image_is_narrowed_to_the_window(open_page: Opener) -> None:
    page = show(open_page, "![a](https://example.org/a.png)", width=320)

    assert page.evaluate("document.querySelector('img').getBoundingClientRect().right") <= 320
