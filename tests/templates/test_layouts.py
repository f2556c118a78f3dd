"""Layouts of pages: on wide screens as themes ask, on phones in a single column, always in the order of the text."""

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mdpublish_core import Document, PageOptions, get_template, list_templates, parse, render
from mdpublish_core.templates.theme import LAYOUTS

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.templates, pytest.mark.short]

DOCUMENT = parse((Path(__file__).parent / "below.md").read_text("utf-8"))
SHORT_SECTIONS = parse("# Title\n\n## One\n\nText.\n\n## Two\n\nText.\n\n## Code\n\nText.\n\n```\ncode\n```\n")
FORMULAS = parse("# Title\n\nLead.\n\nText.\n\n$$x$$\n\nText.\n\n## Part\n\nText.\n\n$$x$$\n")
CHART = parse(
    '# Title\n\nText.\n\n```chart\n{"type": "bar", "data": {"labels": ["one"], "datasets": [{"data": [1]}]}}\n```\n'
)
CONTENTS = parse(
    f"# A title of some words\n\n{'Words of a text. ' * 40}\n\n"
    + "".join(
        f"## Section {number} of them\n\n{'Words of a text. ' * 60}\n\n### Below it\n\n```\n{'a line of code ' * 8}\n```\n\n"
        f"|{' A head of some words |' * 7}\n|{'---|' * 7}\n|{' cell |' * 7}\n\n> Quoted\n\n> [!NOTE]\n> Note\n\n"
        f"```mermaid\nflowchart LR\n{' --> '.join(f'step{each}[A step of some words]' for each in range(7))}\n```\n\n"
        for number in range(5)
    )
)
PHONE, DESKTOP = 390, 1440

MIN_FORMULA_GAP = 8
"""In px, between the line above a formula and its box."""

MAX_OFF_CENTER = 80
"""In px: twice what lines in a gutter, and marks there, move a column."""

HUNG = {"manuscript", "obsidian", "solarized"}
"""Have their text at one side of a sheet."""

MIN_CHART_TEXT = 14
"""In px, on wide screens."""

_PARAGRAPHS = """() => [...document.querySelectorAll("main > p, .part > p")].map(each => each.getBoundingClientRect())
  .map(({left, top, bottom}) => ({left: Math.round(left), top, bottom}))"""

_NOTES = """() => [...document.querySelectorAll(".beside")].map(note => {
  const mark = document.getElementById(note.id.replace("fn-", "fnref-")).getBoundingClientRect();
  const box = note.getBoundingClientRect(), text = document.querySelector("main > p").getBoundingClientRect();
  return {isBeside: box.left > text.right, distance: Math.abs(box.top - mark.top)};
})"""

_CURRENT = """() => [...document.querySelectorAll(".meta a")].filter(each => getComputedStyle(each).fontWeight === "700")
  .map(each => each.textContent)"""

# Contents are left of all words, boxes and drawings below them, and right of the window's edge; nothing scrolls sideways.
_BESIDE = """() => {
  const contents = document.querySelector(".meta"), box = contents.getBoundingClientRect();
  const isBelow = each => !contents.contains(each) && !(each.compareDocumentPosition(contents) & 4);
  const rects = [...document.querySelectorAll("main *, footer *")].filter(isBelow).flatMap(each => {
    const range = document.createRange(), words = [...each.childNodes].filter(node => node.nodeType === 3 && node.data.trim());
    const drawn = each.matches("pre, table, main svg") && !each.closest("svg svg") ? [each.getBoundingClientRect()] : [];
    return [...drawn, ...words.flatMap(node => (range.selectNodeContents(node), [...range.getClientRects()]))];
  }).filter(({width, height, right}) => width > 1 && height > 1 && right > 0);
  const {scrollWidth, clientWidth} = document.documentElement;
  return box.left >= 0 && box.width > 160 && scrollWidth === clientWidth && rects.length > 50 && rects.every(({left}) => left > box.right);
}"""

_IN_VIEW = """() => {
  const {top, bottom} = document.querySelector(".meta").getBoundingClientRect();
  return top >= 0 && bottom <= innerHeight;
}"""

# Of each formula: its distance from the line above, and from where its paragraph begins.
_FORMULAS = """() => [...document.querySelectorAll("div.math")].map(formula => {
  const line = document.createRange();
  line.selectNodeContents(formula.previousElementSibling);
  const above = line.getBoundingClientRect();
  return [formula.querySelector("math").getBoundingClientRect().top - above.bottom, formula.offsetLeft - formula.previousElementSibling.offsetLeft];
})"""

_CHART_TEXT = """() => {
  const chart = [...document.querySelectorAll(".enlarge > svg")].find(each => each.checkVisibility());
  const sizes = [...chart.querySelectorAll("[font-size]")].map(each => parseFloat(each.getAttribute("font-size")));
  return Math.min(...sizes) * chart.getBoundingClientRect().width / chart.viewBox.baseVal.width;
}"""

_CHART_START = """() => {
  const chart = [...document.querySelectorAll(".enlarge > svg")].find(each => each.checkVisibility());
  return chart.getBoundingClientRect().left - document.querySelector("main > p:not(.meta)").getBoundingClientRect().left;
}"""


def open_page(
    window: "Page", layout: str | None, width: int, template: str = "mono", document: Document = DOCUMENT
) -> None:
    chosen = replace(get_template(template), layout=layout)
    window.set_viewport_size({"width": width, "height": 900})
    window.set_content(render(document, to="page", options=PageOptions(title="Below", toc=True), template=chosen).html)


_TEXT_AND_NOTE = """() => {
  const boxes = [...document.querySelectorAll("main > p")].map(each => each.getBoundingClientRect());
  const {left, right} = boxes.at(-1);
  return [{left, right}, document.querySelector(".footnotes li")?.getBoundingClientRect().width ?? 0];
}"""


@pytest.mark.parametrize("layout", LAYOUTS)
def test_phone_has_a_single_column_in_the_order_of_the_text(window: "Page", layout: str) -> None:
    open_page(window, None, PHONE)
    words = window.locator("main").inner_text().split()

    open_page(window, layout, PHONE)
    boxes: list[dict[str, Any]] = window.evaluate(_PARAGRAPHS)

    assert window.locator("main").inner_text().split() == words
    assert len({box["left"] for box in boxes}) == 1
    assert all(one["bottom"] <= other["top"] for one, other in pairwise(boxes))


def test_wide_screen_has_columns_side_by_side(window: "Page") -> None:
    open_page(window, "columns", DESKTOP)

    assert len({box["left"] for box in window.evaluate(_PARAGRAPHS)}) > 1


def test_short_sections_share_a_row_of_cards_and_code_has_its_own(window: "Page") -> None:
    open_page(window, "cards", DESKTOP, document=SHORT_SECTIONS)

    one, two, code = window.evaluate(_PARAGRAPHS)
    assert one["top"] == two["top"]
    assert one["left"] < two["left"]
    assert code["top"] > two["bottom"]


def test_notes_stand_beside_their_marks(window: "Page") -> None:
    open_page(window, "sidenotes", DESKTOP)
    notes = window.evaluate(_NOTES)

    assert len(notes) == 2
    assert all(note["isBeside"] and note["distance"] < 12 for note in notes)


@pytest.mark.parametrize("note", ["", "[^1]\n\n[^1]: A note of some words."], ids=["none", "footnote"])
def test_margin_has_room_for_notes_and_none_without_them(window: "Page", note: str) -> None:
    document, uneven = parse(f"# Title\n\nA lead.\n\n{'Words of a text. ' * 40}{note}\n"), {}
    window.set_viewport_size({"width": 1280, "height": 900})
    for template in (each for each in list_templates() if each.layout == "sidenotes" and (note or each.id not in HUNG)):
        window.set_content(render(document, to="page", template=template).html)
        column, width = window.evaluate(_TEXT_AND_NOTE)
        if width < 150 if note else abs(column["left"] + column["right"] - 1280) > MAX_OFF_CENTER:
            uneven[template.id] = (column, width)

    assert uneven == {}


def test_rail_stays_in_view_and_marks_the_section_that_is_read(window: "Page") -> None:
    open_page(window, "rail", DESKTOP)
    window.locator("h2").last.evaluate("heading => scrollTo(0, heading.getBoundingClientRect().top + scrollY - 20)")
    window.wait_for_function(f"() => ({_CURRENT})().length === 1 && ({_CURRENT})()[0] !== 'Why anyone looked'")

    box = window.locator(".meta").bounding_box()
    assert box is not None
    assert 0 <= box["y"] < 100


def test_contents_beside_the_text_are_clear_of_it_and_in_view(window: "Page") -> None:
    offenders = {}
    for template in list_templates():
        for width in {round(template.contents_window * 16), 1920} - {0} if template.contents_window else ():
            open_page(window, template.layout, width, template.id, CONTENTS)
            clear = window.evaluate(_BESIDE)
            window.locator("h2").last.evaluate("each => scrollTo(0, each.getBoundingClientRect().top + scrollY - 20)")
            if not (clear and window.evaluate(_IN_VIEW)):
                offenders[template.id] = width

    assert offenders == {}


@pytest.mark.parametrize("width", [PHONE, DESKTOP])
def test_formulas_are_clear_of_the_line_above_and_begin_with_it(window: "Page", width: int) -> None:
    chosen = [each for each in list_templates() if each.variants.paragraph == "indent" or each.layout == "cards"]
    offenders = {}
    window.set_viewport_size({"width": width, "height": 900})
    for template in chosen:
        window.set_content(render(FORMULAS, to="page", options=PageOptions(title="Title"), template=template).html)
        formulas = window.evaluate(_FORMULAS)
        assert len(formulas) == 2
        if any(gap < MIN_FORMULA_GAP or abs(start) > 1 for gap, start in formulas):
            offenders[template.id] = formulas

    assert offenders == {}


@pytest.mark.parametrize("template", ["swiss", "letterpress", "kanban", "cheatsheet"])
def test_lettering_of_charts_grows_with_the_text(window: "Page", template: str) -> None:
    open_page(window, get_template(template).layout, DESKTOP, template, CHART)

    assert window.evaluate(_CHART_TEXT) >= MIN_CHART_TEXT


@pytest.mark.parametrize("width", [1024, DESKTOP])
def test_figures_begin_with_paragraphs_if_the_title_does(window: "Page", width: int) -> None:
    for template in ("swiss", "consulting", "executive", "poster", "wiki", "tufte"):
        open_page(window, get_template(template).layout, width, template, CHART)

        assert window.evaluate(_CHART_START) == pytest.approx(0, abs=1), template
        assert window.evaluate("document.documentElement.scrollWidth") == width
