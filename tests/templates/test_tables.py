"""Tables in Chromium: no word of up to 16 characters is on two lines or beyond its cell, no figure is beyond its cell,
no table is wider than its room, no type too small."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from mdpublish_core import Limits, PageOptions, list_templates, parse, render
from mdpublish_core.resources.media_urls import data_url
from mdpublish_core.templates import Template, bind
from mdpublish_core.writers.email.document import content_width
from mdpublish_core.writers.table_fit import table_faces

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.templates

DOCUMENT = parse((Path(__file__).parent / "tables.md").read_text("utf-8"))

PATIENT = Limits(max_figure_seconds=20)
"""Figures are rendered on busy machines, too."""

SHORT = ("swiss", "terminal", "blueprint", "wiki", "large-print", "annual-report", "brutalist", "dracula")
"""Templates of the short form: several fonts, paddings, borders, cases and sizes."""

_FAULTS = r"""({tables, room, least}) => {
  const faults = [];
  for (const table of document.querySelectorAll(tables)) {
    const width = table.getBoundingClientRect().width;
    const limit = room || table.parentElement.clientWidth;
    if (width > limit + 1) faults.push(`${width.toFixed()} px wide in ${limit.toFixed()}`);
    for (const figure of table.querySelectorAll("img, svg, math")) {
      if (!figure.checkVisibility() || figure.closest(".enlarge ~ *")) continue;
      const excess = figure.getBoundingClientRect().right - figure.closest("td, th").getBoundingClientRect().right;
      if (excess > 1) faults.push(`${figure.localName} ${excess.toFixed()} px beyond its cell`);
    }
    const walker = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
      const node = walker.currentNode;
      const parent = node.parentElement;
      if (!node.textContent.trim() || !parent.checkVisibility() || parent.closest("math, svg")) continue;
      const size = parseFloat(getComputedStyle(parent).fontSize);
      if (size < least - 0.05 && !parent.closest("sup, sub, [style*=vertical-align\\:su]")) faults.push(`${node.textContent.slice(0, 20)} in ${size} px`);
      for (const word of node.textContent.matchAll(/[^\s\u200b\u2e80-\u9fff\uac00-\ud7a3]+/g)) {
        const range = document.createRange();
        range.setStart(node, word.index);
        range.setEnd(node, word.index + word[0].length);
        const cell = parent.closest("td, th, caption");
        if (range.getBoundingClientRect().right > cell.getBoundingClientRect().right + 1) faults.push(`${word[0]} beyond its cell`);
        if (word[0].length > 16) continue;
        const lines = new Set([...range.getClientRects()].filter(box => box.width).map(box => Math.round(box.top)));
        if (lines.size > 1) faults.push(`${word[0]} on ${lines.size} lines`);
      }
    }
  }
  return faults;
}"""


class Setting(NamedTuple):
    """Where tables are measured; `room` in px, 0 for that of their parent."""

    name: str
    html: str
    window: int
    tables: str
    room: float
    minimum: float


def settings_of(template: Template) -> Iterator[Setting]:
    docs = html_of("google-docs", template)
    yield Setting("google-docs", f'<div style="width:468pt">{docs}</div>', 1000, "table", 624, 10)
    word = html_of("word", template)
    yield Setting("word", word.replace("<body", '<body style="width:600px"', 1), 1000, "table", 600, 10)
    mail = html_of("email", template, media_url=data_url)
    width = content_width(bind(template, "light"))
    yield Setting("email at 600 px", mail, 600, ".wide table", min(width, 560), 11)
    yield Setting("email at 320 px", mail, 320, ".wide table", 288, 11)
    faces = table_faces(bind(template, "light"), "web").cells.values()
    # A template's own type may be smaller.
    minimum = min(12, *(face.code.size for places in faces for face in places))
    full = render(DOCUMENT, to="page", options=PageOptions(title="Tables", page_width="full"), template=template).html
    yield Setting("page of full width at 1280 px", full, 1280, ".table > table", 0, minimum)
    page = render(DOCUMENT, to="page", options=PageOptions(title="Tables"), template=template).html
    yield Setting("page at 1280 px", page, 1280, ".table > table", 0, minimum)
    yield Setting("page at 375 px", page, 375, ".stacked > table", 0, minimum)


def html_of(destination: str, template: Template, **options: Any) -> str:
    rendered = render(DOCUMENT, to=destination, template=template, limits=PATIENT, **options)
    # The source of a figure has other words than its image.
    assert {notice.code for notice in rendered.notices} == {"table-stacked"}, (template.id, rendered.notices)
    return rendered.html


def faults(page: "Page", setting: Setting) -> list[str]:
    page.set_viewport_size({"width": setting.window, "height": 800})
    page.set_content(setting.html)
    arguments: dict[str, Any] = {"tables": setting.tables, "room": setting.room, "least": setting.minimum}
    descriptions: list[str] = page.evaluate(_FAULTS, arguments)
    return descriptions


def offenders(page: "Page", templates: list[Template]) -> list[str]:
    return [
        f"{template.id}, {setting.name}: {'; '.join(descriptions)}"
        for template in templates
        for setting in settings_of(template)
        if (descriptions := faults(page, setting))
    ]


@pytest.mark.short
def test_tables_fit_in_every_styled_destination(window: "Page") -> None:
    assert offenders(window, [template for template in list_templates() if template.id in SHORT]) == []


def test_tables_of_the_other_templates_fit_too(window: "Page") -> None:
    assert offenders(window, [template for template in list_templates() if template.id not in SHORT]) == []


@pytest.mark.short
def test_first_column_of_a_wide_table_stays_in_view_on_phones(window: "Page") -> None:
    window.set_viewport_size({"width": 375, "height": 800})
    window.set_content(render(DOCUMENT, to="page", options=PageOptions(title="Tables"), template="swiss").html)
    left, right = window.evaluate(
        """() => {
          const region = document.querySelector(".pinned");
          region.scrollLeft = 100;
          const cells = region.querySelector("tbody tr").cells;
          return [cells[0].getBoundingClientRect().left - region.getBoundingClientRect().left, region.scrollLeft];
        }"""
    )

    assert (left, right) == (0, 100)
