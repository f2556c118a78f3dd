"""Figures and formulas in a browser, on pages and in email: keyboard access, names, widths, alignment."""

import re
from base64 import b64encode
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mdpublish_core import PageOptions, convert, parse, render
from mdpublish_core.resources.media_urls import data_url
from mdpublish_core.templates import THEME_MODES, ThemeMode
from tests.browser.conftest import Opener
from tests.browser.test_accessibility import violations

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser

SPECIMEN = (Path(__file__).parent / "figures.md").read_text("utf-8")

SCROLLS = "div.math, .table"

# Distance between the centers of block images and their cells.
OFF_CENTRE = """() => [...document.querySelectorAll("p[align=center] > img, div[align=center] > img")].map(picture => {
  const inner = picture.getBoundingClientRect(), outer = picture.parentElement.getBoundingClientRect();
  return Math.abs((inner.left + inner.right) / 2 - (outer.left + outer.right) / 2);
})"""


@cache
def html_of(template: str = "swiss", theme_mode: ThemeMode = "light") -> str:
    options = PageOptions(title="Figures")
    return render(parse(SPECIMEN), to="page", options=options, template=template, theme_mode=theme_mode).html


@cache
def mail_of(template: str) -> str:
    return convert(SPECIMEN, to="email", template=template, media_url=data_url).html


def show(open_page: Opener, *, width: int, template: str = "swiss", theme_mode: ThemeMode = "light") -> "Page":
    page = open_page(width=width)
    page.set_content(html_of(template, theme_mode))
    return page


def show_mail(open_page: Opener, *, width: int, template: str) -> "Page":
    page = open_page(width=width)
    page.set_content(mail_of(template))
    return page


@pytest.mark.parametrize("theme_mode", THEME_MODES)
@pytest.mark.parametrize("template", ["swiss", "ink", "notion"])
def test_axe_finds_nothing_on_a_page_with_figures(
    chromium: "Browser", template: str, theme_mode: ThemeMode, axe: str
) -> None:
    page = chromium.new_page()
    page.set_content(html_of(template, theme_mode))

    # The page ignores the reader's color scheme.
    problems = violations(page, axe, schemes=("light",))
    page.close()
    assert problems == []


@pytest.mark.parametrize("template", ["swiss", "ink", "terminal"])
@pytest.mark.parametrize("width", [320, 1440])
def test_page_with_figures_never_scrolls_sideways(open_page: Opener, width: int, template: str) -> None:
    page = show(open_page, width=width, template=template)

    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_every_rendered_figure_is_an_image_with_a_name(open_page: Opener) -> None:
    page = show(open_page, width=1280)
    count = page.locator(".drawing svg:visible").count()

    assert count > 10
    assert page.locator(".drawing svg:visible").and_(page.get_by_role("img", name=re.compile("."))).count() == count


def test_data_of_a_chart_is_unfolded_by_keyboard(open_page: Opener) -> None:
    page = show(open_page, width=1280)
    data = page.locator("details.data").first

    assert not data.locator("table").is_visible()
    data.locator("summary").focus()
    page.keyboard.press("Enter")

    expect(data.get_by_role("columnheader")).to_have_text(["North", "South"])
    expect(data.get_by_role("rowheader")).to_have_text(["Spring", "Summer", "Autumn", "Winter"])
    expect(data.get_by_role("row", name="Autumn").get_by_role("cell")).to_have_text(["3", "5"])


def test_data_of_a_chart_is_folded_again_by_keyboard_and_reached_in_its_turn(open_page: Opener) -> None:
    page = show(open_page, width=1280)
    data = page.locator("details.data").first
    data.locator("summary").focus()
    page.keyboard.press("Space")
    page.keyboard.press("Tab")

    expect(data.locator(".table")).to_be_focused()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Space")
    expect(data.locator("table")).to_be_hidden()


def test_charts_need_no_script(open_page: Opener) -> None:
    page = open_page(width=1280, java_script_enabled=False)
    page.set_content(html_of())
    data = page.locator("details.data")

    assert data.count() == page.locator("figure.drawing:has(+ details.data) svg:visible").count() == 3
    data.first.locator("summary").click()
    expect(data.first.get_by_role("cell", name="19")).to_be_visible()
    assert page.locator("figure.drawing script, details.data script").count() == 0


def test_marks_of_a_chart_are_within_its_bounds(open_page: Opener) -> None:
    page = show(open_page, width=1280)

    outside = page.evaluate(
        """() => [...document.querySelectorAll("figure.drawing:has(+ details.data) svg")].filter(svg => svg.checkVisibility()).flatMap(svg => {
          const room = svg.getBoundingClientRect();
          return [...svg.querySelectorAll("title")].map(title => title.parentElement).filter(mark => mark !== svg)
            .map(mark => mark.getBoundingClientRect())
            .filter(box => box.left < room.left - 1 || box.right > room.right + 1 || box.top < room.top - 1 || box.bottom > room.bottom + 1
              || box.width === 0 || box.height === 0);
        })"""
    )
    assert outside == []


def test_mark_of_a_chart_tells_its_value(open_page: Opener) -> None:
    page = show(open_page, width=1280)
    tips = page.locator(".drawing svg title").all_text_contents()

    assert {"Spring, North: 12", "Winter, South: 8", "Rent: 5", "Tue: 5"} <= set(tips)


def test_what_scrolls_is_reached_by_keyboard(open_page: Opener) -> None:
    page = show(open_page, width=320)
    scrolling = page.evaluate(
        """selector => [...document.querySelectorAll(selector)]
          .filter(each => each.scrollWidth > each.clientWidth).map(each => each.tabIndex)""",
        SCROLLS,
    )

    assert scrolling
    assert set(scrolling) == {0}


def test_policy_of_public_pages_allows_all_that_figures_need(open_page: Opener) -> None:
    html = html_of("ink")
    (style,) = re.findall(r"<style>(.*?)</style>", html, flags=re.DOTALL)
    digest = b64encode(sha256(style.encode()).digest()).decode()
    policy = f"sandbox allow-scripts; default-src 'none'; img-src https: data:; style-src 'sha256-{digest}'"
    page = open_page(width=1280)
    headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": policy}
    page.route("https://pages.example/", lambda route: route.fulfill(headers=headers, body=html))

    # Policy violations on the console fail the test.
    page.goto("https://pages.example/")

    assert " style=" not in html
    assert page.evaluate("getComputedStyle(document.querySelector('.drawing svg')).display") == "block"


def test_no_figure_is_cut_where_paper_ends(open_page: Opener) -> None:
    page = show(open_page, width=800)
    page.emulate_media(media="print")

    cut = page.evaluate(
        "() => [...document.querySelectorAll('.drawing, div.math')].map(each => getComputedStyle(each).breakInside)"
    )
    assert set(cut) == {"avoid"}


@pytest.mark.parametrize("template", ["swiss", "ink", "newsletter"])
@pytest.mark.parametrize("width", [320, 700])
def test_mail_has_its_images_in_the_middle_and_within_its_width(open_page: Opener, width: int, template: str) -> None:
    page = show_mail(open_page, width=width, template=template)
    distances = page.evaluate(OFF_CENTRE)

    assert len(distances) > 15
    assert max(distances) <= 1
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_formula_in_a_mail_stands_on_the_line_of_its_text(open_page: Opener) -> None:
    page = open_page(width=700)
    # A letter alone would be text.
    page.set_content(convert(r"Here $\vec{x}$ is.", to="email", media_url=data_url).html)

    # An empty inline block sits on the baseline.
    below = page.evaluate(
        """() => {
          const picture = document.querySelector("img");
          const box = document.createElement("span");
          box.style.display = "inline-block";
          picture.before(box);
          return picture.getBoundingClientRect().bottom - box.getBoundingClientRect().bottom;
        }"""
    )
    # Transparent pixels below the letter.
    assert 0 < below < 6


STEPS = (
    "```mermaid\nflowchart LR\n  a[A first step] --> b[A second step] --> c[A third step] --> d[A fourth step]\n```\n"
)

# Sizes in px of the smallest text of each figure that is shown.
TEXT_SIZES = """() => [...document.querySelectorAll(".drawing svg")].filter(svg => svg.getBoundingClientRect().width).map(svg => {
  const scale = svg.getBoundingClientRect().width / svg.viewBox.baseVal.width;
  return scale * Math.min(...[...svg.querySelectorAll("text")].map(text => parseFloat(getComputedStyle(text).fontSize)));
})"""


@pytest.mark.parametrize("width", [320, 360, 768, 1280])
def test_text_of_a_diagram_has_nine_pixels_at_every_width(open_page: Opener, width: int) -> None:
    page = open_page(width=width)
    page.set_content(render(parse(f"{STEPS}\n{STEPS.replace('LR', 'TB')}"), to="page").html)

    sizes = page.evaluate(TEXT_SIZES)

    assert len(sizes) == 2
    assert min(sizes) >= 9


def test_screen_readers_find_one_form_of_a_diagram(open_page: Opener) -> None:
    for width in (360, 1280):
        page = open_page(width=width)
        page.set_content(render(parse(STEPS), to="page").html)

        assert page.locator(".drawing svg").count() == 2
        assert page.get_by_role("img").count() == 1


def test_figure_overflows_by_a_seventh_or_not_at_all(open_page: Opener) -> None:
    arrows = "".join(f"  n{each}->>n{each + 1}: x\n" for each in range(4))
    html = convert(f"```mermaid\nsequenceDiagram\n{arrows}```\n").html
    page = open_page()
    page.set_content(html)
    for width in range(300, 800, 25):
        page.set_viewport_size({"width": width, "height": 800})
        column, shown = page.evaluate(
            "[...document.querySelectorAll('.drawing, .drawing > svg')].map(each => each.getBoundingClientRect().width)"
        )
        assert shown <= column + 0.5 or shown >= 1.15 * column - 1, width
