"""What a browser alone can tell of the templates: lines as they are filled, colours as they meet, pages that hold still."""

from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import list_templates, parse, render_page
from mdpublish_core.templates import THEME_MODES, Template, ThemeMode
from tests.browser.conftest import Opener
from tests.browser.test_pages import CHARACTERS_A_LINE, SPECIMEN

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

DOCUMENT = parse(SPECIMEN)

# Every word of the page that stands in less contrast than it needs (WCAG 2.2, 1.4.3) to the colour it stands on, which is
# that of the nearest element with one. Where `printed`, only what a printer prints counts: backgrounds where they must be exact.
PALE_WORDS = """({printed}) => {
  const channels = colour => colour.match(/[\\d.]+/g).map(Number);
  const luminance = ([red, green, blue]) => [red, green, blue]
    .map(value => value / 255)
    .map(value => value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4)
    .reduce((sum, value, at) => sum + value * [0.2126, 0.7152, 0.0722][at], 0);
  const ground = element => {
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      const colour = channels(style.backgroundColor);
      const shown = !printed || style.printColorAdjust === "exact";
      if (shown && colour[3] !== 0) return colour;
    }
    return [255, 255, 255];
  };
  const pale = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const word = walker.currentNode.textContent.trim();
    if (!word) continue;
    const element = walker.currentNode.parentElement;
    const style = getComputedStyle(element);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const both = [channels(style.color), ground(element)].map(luminance).sort((one, other) => other - one);
    const contrast = (both[0] + 0.05) / (both[1] + 0.05);
    if (contrast < (large ? 3 : 4.5)) pale.push(`${word.slice(0, 30)}: ${contrast.toFixed(2)}`);
  }
  return pale;
}"""

LAYOUT_SHIFTS = """() => new Promise(resolve => {
  const seen = [];
  new PerformanceObserver(list => seen.push(...list.getEntries())).observe({type: "layout-shift", buffered: true});
  setTimeout(() => resolve(seen.map(entry => entry.value)), 100);
})"""

every_template = pytest.mark.parametrize("template", list_templates(), ids=lambda template: template.id)
every_mode = pytest.mark.parametrize("mode", THEME_MODES)


def show(open_page: Opener, template: Template, mode: ThemeMode = "light", *, width: int = 1280) -> "Page":
    page = open_page(width=width)
    page.set_content(render_page(DOCUMENT, title="Specimen", template=template, theme_mode=mode))
    return page


@every_template
def test_lines_hold_sixty_to_seventy_five_characters(open_page: Opener, template: Template) -> None:
    held = 60 <= median(show(open_page, template).evaluate(CHARACTERS_A_LINE)) <= 75

    assert held != ("measure" in dict(template.exceptions))


@every_template
def test_lines_hold_thirty_characters_on_a_phone(open_page: Opener, template: Template) -> None:
    held = median(show(open_page, template, width=320).evaluate(CHARACTERS_A_LINE)) >= 30

    assert held != ("phone" in dict(template.exceptions))


@every_template
@pytest.mark.parametrize("width", [320, 768, 1280])
def test_page_never_scrolls_sideways(open_page: Opener, template: Template, width: int) -> None:
    page = show(open_page, template, width=width)

    assert page.evaluate("document.documentElement.scrollWidth") == width


@every_mode
@every_template
def test_every_word_can_be_read_where_it_stands(open_page: Opener, template: Template, mode: ThemeMode) -> None:
    assert show(open_page, template, mode).evaluate(PALE_WORDS, {"printed": False}) == []


@every_mode
@every_template
def test_every_word_can_be_read_on_paper(open_page: Opener, template: Template, mode: ThemeMode) -> None:
    page = show(open_page, template, mode)
    page.emulate_media(media="print")

    assert page.evaluate(PALE_WORDS, {"printed": True}) == []
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"


@every_template
def test_links_in_text_are_underlined(open_page: Opener, template: Template) -> None:
    lines = show(open_page, template).evaluate(
        "[...document.querySelectorAll('main > p a:not(sup a)')].map(link => getComputedStyle(link).textDecorationLine)"
    )

    assert lines
    assert set(lines) == {"underline"}


@every_template
def test_page_is_one_request_and_never_shifts(open_page: Opener, template: Template, tmp_path: Path) -> None:
    (tmp_path / "page.html").write_text(render_page(DOCUMENT, title="Specimen", template=template), "utf-8")
    page = open_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))

    page.goto((tmp_path / "page.html").as_uri())

    assert page.evaluate(LAYOUT_SHIFTS) == []
    assert len(requests) == 1
