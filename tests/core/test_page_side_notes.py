"""Footnotes that stand beside the text of a page, in templates whose layout has a margin."""

import re

import pytest

from mdpublish_core import convert, nodes
from mdpublish_core.writers.page import side_notes
from mdpublish_core.writers.page.side_notes import MAX_CHARACTERS

LINES = " ".join(["Words that fill a line of the page."] * 12)


def beside(*blocks: str, template: str = "tufte") -> list[str]:
    """Return the numbers of the notes that stand beside the text, after a title and a lead."""
    html = convert("\n\n".join(("# Title", "Lead.", *blocks)), to="page", template=template).html
    return re.findall(r'<li id="md-fn-(\d+)" class="beside">', html)


def test_short_note_stands_beside_its_text() -> None:
    assert beside(f"{LINES}[^a]", LINES, "[^a]: A note.") == ["1"]


def test_layouts_without_a_margin_have_notes_at_the_end() -> None:
    assert beside(f"{LINES}[^a]", LINES, "[^a]: A note.", template="newspaper") == []
    assert "anchor-name" not in convert("Text[^a]\n\n[^a]: Note", to="page", template="newspaper").html


def test_long_note_and_note_of_a_list_stand_at_the_end() -> None:
    assert beside(f"{LINES}[^a]", LINES, f"[^a]: {'n' * (MAX_CHARACTERS + 1)}") == []
    assert beside(f"{LINES}[^a]", LINES, "[^a]: - one\n    - two") == []


def test_note_does_not_reach_what_needs_the_margin() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |"

    assert beside(f"{LINES}[^a]", table, "[^a]: A note.") == []
    assert beside(f"{LINES}[^a]", LINES, table, "[^a]: A note.") == ["1"]


def test_note_needs_as_much_text_as_it_is_high() -> None:
    note = f"[^a]: {'n' * MAX_CHARACTERS}"

    assert beside("Text.[^a]", "More.", note) == []
    assert beside("Text.[^a]", "More.", LINES, LINES, note) == ["1"]


def test_note_keeps_clear_of_a_callout_in_the_margin() -> None:
    callout = "> [!NOTE]\n> In the margin."

    assert beside(callout, f"{LINES}[^a]", LINES, "[^a]: A note.") == []
    assert beside(callout, LINES, LINES, f"{LINES}[^a]", LINES, "[^a]: A note.") == ["1"]


def test_each_note_is_placed_below_the_one_before() -> None:
    html = convert(
        f"# T\n\nLead.\n\n{LINES}[^a] {LINES}[^b]\n\n{LINES}\n\n{LINES}\n\n[^a]: One.\n[^b]: Two.\n",
        to="page",
        template="tufte",
    ).html

    assert "[id='md-fn-2'] { anchor-name: --n2; top: max(anchor(--r2 top), anchor(--n1 bottom) + 0.6em); }" in html


def in_margin(*blocks: str) -> list[bool]:
    """Return of each callout whether it stands beside the text, after a title and a lead."""
    html = convert("\n\n".join(("# Title", "Lead.", LINES, *blocks)), to="page", template="tufte").html
    return ["margin" in classes.split() for classes in re.findall(r'<div class="(callout[^"]*)"', html)]


CALLOUT = "> [!NOTE]\n> A sentence or two, of the length that callouts usually have beside a text."


def test_callout_stands_beside_text_that_is_as_high() -> None:
    assert in_margin(CALLOUT, LINES) == [True]
    assert in_margin(CALLOUT, "Text.") == [False]
    assert in_margin(CALLOUT) == [False]
    assert in_margin(f"> [!NOTE]\n> {'n' * 321}", LINES, LINES) == [False]
    assert in_margin("> [!NOTE]\n> - a list", LINES) == [False]


def test_two_callouts_at_most_stand_beside_a_screen_of_text() -> None:
    assert in_margin(*[CALLOUT] * 5, *[LINES] * 5) == [True, True, False, False, False]
    assert in_margin(CALLOUT, CALLOUT, *[LINES] * 3, CALLOUT, LINES) == [True, True, False]
    assert in_margin(CALLOUT, CALLOUT, *[LINES] * 9, CALLOUT, LINES) == [True, True, True]


def test_text_beside_is_sought_in_a_few_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[nodes.Token] = []

    def is_narrow(block: nodes.Token) -> bool:
        seen.append(block)
        return False

    monkeypatch.setattr(side_notes, "_is_narrow", is_narrow)
    in_margin(*[CALLOUT] * 400)
    assert 400 < len(seen) <= 33 * 402


def test_callout_keeps_clear_of_what_is_wide() -> None:
    table = "| a | b |\n|---|---|\n| 1 | 2 |"

    assert in_margin(CALLOUT, "## Table", table, LINES, LINES) == [False]
    assert in_margin(CALLOUT, LINES, table) == [True]


def test_callout_keeps_clear_of_a_note_in_the_margin() -> None:
    note = f"[^a]: {'n' * MAX_CHARACTERS}"

    assert in_margin(f"{LINES}[^a]", CALLOUT, LINES, LINES, note) == [False]


def test_first_note_stands_below_a_lead_in_the_margin() -> None:
    html = convert(f"# T\n\nLead.\n\n{LINES}[^a]\n\n{LINES}\n\n[^a]: One.\n", to="page", template="journal").html

    assert "top: max(anchor(--r1 top), anchor(--lead bottom, 0px) + 0.6em)" in html
    assert "anchor-name:--lead" in html
