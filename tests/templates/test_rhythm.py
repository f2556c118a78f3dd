"""One unit below all blocks, and calm margins: few notes, in the order of the text, upon nothing else."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import PageOptions, list_templates, parse, render
from tests.templates.likeness import BELOW

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.templates, pytest.mark.short]

MARGIN = parse(Path(__file__).with_name("margin.md").read_text("utf-8"))

GITHUBS_UNIT = {"github"}
"""GitHub has 16 px below its blocks, and lines of 24 px."""

_RHYTHM, _MARGIN = (
    Path(__file__).with_name(name).read_text("utf-8").partition("\n")[2] for name in ("rhythm.js", "margin.js")
)


@pytest.mark.parametrize("width", [390, 1280])
def test_blocks_have_half_a_line_or_whole_lines_below_them(window: "Page", width: int) -> None:
    window.set_viewport_size({"width": width, "height": 800})
    offenders = {}
    for template in list_templates():
        window.set_content(render(BELOW, to="page", options=PageOptions(title="Below"), template=template).html)
        if margins := window.evaluate(_RHYTHM):
            offenders[template.id] = margins

    assert offenders.keys() == GITHUBS_UNIT, offenders


@pytest.mark.parametrize("width", [1280, 1600])
def test_margins_hold_two_notes_a_screen_in_order_and_move_nothing(window: "Page", width: int) -> None:
    window.set_viewport_size({"width": width, "height": 800})
    offenders, notes = {}, 0
    for template in (each for each in list_templates() if each.layout == "sidenotes"):
        options = PageOptions(title="Margin", reading_time=True)
        window.set_content(render(MARGIN, to="page", options=options, template=template).html)
        number, margins = window.evaluate(_MARGIN)
        notes += number
        if margins:
            offenders[template.id] = margins

    assert offenders == {}
    assert notes
