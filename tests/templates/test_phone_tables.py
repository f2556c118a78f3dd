"""Tables of five columns with code, sentences and numbers, from phone to desktop: whole, and the text's start."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from mdpublish_core import PageOptions, list_templates, parse, render

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.templates, pytest.mark.short]

DOCUMENT = parse((Path(__file__).parent / "five_columns.md").read_text("utf-8"))

WIDTHS = (360, 390, 768, 1440)

MIN_WHOLE_ON_A_PHONE = 61
"""Of 63 templates. Columns of cheatsheet's page are narrower than the window."""

MAX_EDGES = 2
"""Of the text, and of what is wider."""

MAX_LINES = 3
"""Of a cell."""

IN_COLUMNS = {("cheatsheet", 768): 2, ("cheatsheet", 1440): 3}
"""Have these edges in each of so many columns."""

# Blocks begin where they are drawn, but centered headings do at no edge; titles and leads are designs of their own.
_LAYOUT = """() => {
  const isWhole = table => {
    const {left, right} = table.parentElement.getBoundingClientRect();
    return [...table.tBodies[0].rows].every(row => row.cells.length === 5 && [...row.cells].every(cell => {
      const box = cell.getBoundingClientRect();
      const isIn = box.left >= Math.max(0, left) - 1 && box.right <= Math.min(innerWidth, right) + 1;
      return box.width ? isIn : !cell.textContent;
    }));
  };
  const edges = [];
  for (const block of document.querySelectorAll("main > *, .part > *")) {
    const {float, position, textAlign} = getComputedStyle(block);
    const box = (block.matches(".table") ? block.firstElementChild : block).getBoundingClientRect();
    if (!box.width || float !== "none" || position === "absolute" || (textAlign === "center" && block.localName === "h2") || block.matches(".title, .lead, .meta, .ornament, .part")) continue;
    if (!edges.some(edge => Math.abs(edge - box.left) <= 2)) edges.push(box.left);
  }
  return {
    whole: [...document.querySelectorAll(".table > table")].map(isWhole),
    edges: edges.map(Math.round),
    overflows: document.documentElement.scrollWidth > innerWidth,
  };
}"""

# In lines of each cell's own, of a page's tables.
_MAX_CELL_LINES = """() => Math.max(...[...document.querySelectorAll(".table td")].map(cell => {
  const range = document.createRange();
  range.selectNodeContents(cell);
  const boxes = [...range.getClientRects()];
  const height = boxes.length ? Math.max(...boxes.map(box => box.bottom)) - Math.min(...boxes.map(box => box.top)) : 0;
  return Math.round(height / parseFloat(getComputedStyle(cell).lineHeight));
}))"""

SENTENCE = "Renewals were early this year since the price changed twice in May"
"""As long as sentences in tables are; longer ones have more lines on a phone, in any form."""

NUMBERS = "|".join(["1,234,567"] * 6)

TALL = {
    "pairs": f"|Region|Product|Units|Revenue|Note|\n|-|-|-:|-:|-|\n|North|Converter for teams|1,204|48,160.00|{SENTENCE}|\n",
    "three columns": f"|Plan|Price|Support|\n|-|-|-|\n|Team|12 a month|{SENTENCE}|\n|Business|as agreed|{SENTENCE}|\n",
    "numbers": f"|Region|{'|'.join(['Q'] * 6)}|Note|\n|-|{'-:|' * 6}-|\n|North|{NUMBERS}|{SENTENCE}|\n",
    "no header": f"<table><tr>{f'<td>{SENTENCE}</td>' * 4}<td>short</td></tr></table>\n",
    "many rows": "|Name|Owner|Place|Reason|\n|-|-|-|-|\n" + f"|Name|Anna Kowalska|the office|{SENTENCE}|\n" * 101,
}
"""A table a form: some scroll, as what compares numbers, has no labels, or is long does."""

_READING = """() => {
  const selection = getSelection(), copied = [];
  for (const code of document.querySelectorAll("td code, p code")) {
    selection.selectAllChildren(code);
    copied.push([code.textContent, selection.toString(), code.getClientRects().length]);
  }
  selection.removeAllRanges();
  return {copied, isFound: ["statement_timeout", "/api/v1/documents/{id}/versions"].map(word => find(word, false, false, true))};
}"""

_PAIRS = """() => [...document.querySelectorAll(".pairs tbody tr:first-child")].map(row => [...row.cells].map(cell => [
  getComputedStyle(cell, "::before").content, cell.getAttribute("role"), row.getAttribute("role"),
]))"""

# In px: the height of a table's head, and what is free beside the table.
_HEAD_AND_FREE_ROOM = """() => {
  const box = element => element.getBoundingClientRect();
  const table = document.querySelector(".table > table");
  const isSeen = getComputedStyle(table.tHead).position !== "absolute";
  return [isSeen ? box(table.tHead).height : 0, table.parentElement.clientWidth - box(table).width];
}"""


@pytest.fixture(scope="module")
def layouts(window: "Page") -> dict[tuple[str, int], dict[str, Any]]:
    measured = {}
    for template in list_templates():
        window.set_content(render(DOCUMENT, to="page", options=PageOptions(title="Tables"), template=template).html)
        for width in WIDTHS:
            window.set_viewport_size({"width": width, "height": 844})
            measured[template.id, width] = window.evaluate(_LAYOUT)
    return measured


def test_table_of_five_columns_is_whole_on_a_phone(layouts: dict[tuple[str, int], dict[str, Any]]) -> None:
    cut = {name: each["whole"] for (name, width), each in layouts.items() if width == 390 and not all(each["whole"])}

    assert len(layouts) == len(WIDTHS) * len(list_templates())
    assert len(list_templates()) - len(cut) >= MIN_WHOLE_ON_A_PHONE, cut


def test_blocks_begin_at_two_edges_at_most_and_nothing_overflows(
    layouts: dict[tuple[str, int], dict[str, Any]],
) -> None:
    offenders = {
        where: each["edges"]
        for where, each in layouts.items()
        if len(each["edges"]) > MAX_EDGES * IN_COLUMNS.get(where, 1) or each["overflows"]
    }

    assert offenders == {}


@pytest.mark.parametrize("table", TALL.values(), ids=TALL)
def test_rows_on_a_phone_have_three_lines_at_most(window: "Page", table: str) -> None:
    document, tall = parse(table), {}
    window.set_viewport_size({"width": 390, "height": 844})
    for template in list_templates():
        window.set_content(render(document, to="page", template=template).html)
        tall[template.id] = window.evaluate(_MAX_CELL_LINES)

    assert {name: lines for name, lines in tall.items() if lines > MAX_LINES} == {}


def test_names_break_without_a_trace_in_what_is_copied_or_found(window: "Page") -> None:
    window.set_viewport_size({"width": 360, "height": 844})
    window.set_content(render(DOCUMENT, to="page", options=PageOptions(title="Tables"), template="swiss").html)
    reading = window.evaluate(_READING)

    assert [copied for _, copied, _ in reading["copied"]] == [code for code, _, _ in reading["copied"]]
    assert reading["isFound"] == [True, True]
    lines = {code: count for code, _, count in reading["copied"]}
    assert lines["SKIP LOCKED"] == 1
    assert lines["/api/v1/documents/{id}/versions"] > 1


def test_stacked_rows_name_their_cells(window: "Page") -> None:
    window.set_viewport_size({"width": 360, "height": 844})
    window.set_content(render(DOCUMENT, to="page", options=PageOptions(title="Tables"), template="swiss").html)
    row, *_ = window.evaluate(_PAIRS)

    assert [label for label, _, _ in row] == ['"Setting"', '"Type"', '"Default"', '"Unit"', '"Effect"']
    assert {(cell, of) for _, cell, of in row} == {("cell", "row")}


def test_tables_fill_the_text_of_a_phone_and_empty_heads_take_no_room(window: "Page") -> None:
    document, wrong = parse("# Title\n\nText.\n\n| | |\n|-|-|\n|Piano|Ramón|\n"), {}
    window.set_viewport_size({"width": 390, "height": 844})
    for template in list_templates():
        window.set_content(render(document, to="page", template=template).html)
        head, free = window.evaluate(_HEAD_AND_FREE_ROOM)
        if head > 1 or free > 1:
            wrong[template.id] = (head, free)

    assert wrong == {}
