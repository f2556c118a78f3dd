"""What is small on a page: links and summaries large enough for a finger, bullets seen on their ground."""

from typing import TYPE_CHECKING

import pytest

from mdpublish_core import PageOptions, list_templates, parse, render
from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, contrast
from mdpublish_core.templates import THEME_MODES
from mdpublish_core.templates.style import colors_of

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.templates, pytest.mark.short]

DOCUMENT = parse(
    "# Title\n\n- item with a note[^a] and again[^a]\n\n[^a]: A note.\n\n"
    '```chart\n{"type": "bar", "data": {"labels": ["a", "b"], "datasets": [{"data": [1, 2]}]}}\n```\n'
)

MIN_TARGET = 24
"""In px: WCAG 2.2, 2.5.8."""

_SMALL = """least => [...document.querySelectorAll(".footnote-back, summary")].map(each => [each, each.getBoundingClientRect()])
  .filter(([, box]) => box.width < least || box.height < least)
  .map(([each, box]) => `${each.className || each.localName} ${box.width.toFixed(1)} x ${box.height.toFixed(1)}`)"""

_MARKER = """() => "#" + getComputedStyle(document.querySelector("main li"), "::marker").color.match(/[0-9]+/g).slice(0, 3)
  .map(channel => Number(channel).toString(16).padStart(2, "0")).join("")"""


def test_small_targets_have_room_for_a_finger_and_bullets_are_seen(window: "Page") -> None:
    window.set_viewport_size({"width": 390, "height": 844})
    offenders = {}
    for template in list_templates():
        for theme_mode in THEME_MODES:
            page = render(
                DOCUMENT, to="page", options=PageOptions(title="Title"), template=template, theme_mode=theme_mode
            )
            window.set_content(page.html)
            small = window.evaluate(_SMALL, MIN_TARGET)
            seen = contrast(window.evaluate(_MARKER), colors_of(template, theme_mode).background)
            if small or seen < MIN_GRAPHICS_CONTRAST:
                offenders[template.id, theme_mode] = [*small, round(seen, 2)]

    assert offenders == {}
