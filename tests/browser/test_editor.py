"""The editor around the text field, with real keys: toolbar and keys write, and all of it can be undone."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

import pypandoc  # type: ignore[import-untyped]  # it has no types, and one function is called
import pytest
from playwright.sync_api import expect

from tests.browser.served import Served
from tests.browser.test_workbench import empty_editor, landing
from tests.browser.waiting import FRAMES

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

pytestmark = pytest.mark.browser


@pytest.fixture
def editor(chromium: "Browser", service: Served) -> Iterator["Page"]:
    with empty_editor(chromium, service) as page:
        yield page


def text_of(page: "Page") -> str:
    return page.locator("#content").input_value()


def expect_text(page: "Page", markdown: str | re.Pattern[str]) -> None:
    expect(page.locator("#content")).to_have_value(markdown)


def type_keys(page: "Page", keys: str) -> None:
    """Press the named keys in brackets, and type what is between them."""
    for part in keys.replace("[", "\0[").replace("]", "]\0").split("\0"):
        if part.startswith("["):
            page.keyboard.press(part[1:-1])
        elif part:
            page.keyboard.type(part)


KEYS = {
    "one two[Control+B]": "one **two**",
    "one two[Control+B][Control+B]": "one two",
    "one[Control+A][Control+I]": "_one_",
    "https://example.org[Control+A][Control+K]here": "[here](https://example.org)",
    "- a[Enter]b[Tab][Enter]c[Enter][Enter]d[Enter][Enter]end": "- a\n  - b\n  - c\n- d\n\nend",
    "9. a[Enter]b[Shift+Tab]": "9. a\n10. b",
    "word[Control+A]**": "**word**",
    'say [Shift+Home]"(': '"(say)" ',
    "1. a[Enter]b[Enter]c[ArrowUp][Enter]d": "1. a\n2. b\n3. d\n4. c",
    "1. a[Enter]b[Enter]c[ArrowUp][Tab]": "1. a\n   1. b\n2. c",
    "1. a[Enter]b[Enter]c[ArrowUp][Home][Shift+ArrowUp][Delete]": "1. b\n2. c",
    "1. a[Enter]b[Enter]c[ArrowUp][Home][Shift+ArrowUp][Control+X][Control+V]": "1. a\n2. b\n3. c",
    "1. a[Enter]b[Enter]c[Alt+ArrowUp][Shift+Alt+ArrowDown]d": "1. a\n2. c\n3. cd\n4. b",
    "One.[Enter][Enter]Two.[Alt+ArrowUp]": "Two.\n\nOne.",
    "a[Control+Shift+9][Enter]b": "- [ ] a\n- [ ] b",
    "> a[Enter]b[Enter][Enter]c": "> a\n> b\n\nc",
    "```[Enter][Tab]x[Enter]y": "```\n  x\n  y",
    "> - a[Enter]b[Tab][Enter][Enter]c[Enter][Enter]d[Enter][Enter]e": "> - a\n>   - b\n> - c\n>\n> d\n\ne",
    "> 1. a[Enter]b[Tab][Shift+Tab]": "> 1. a\n> 2. b",
    "> ```[Enter]x[Shift+Home][Tab]": "> ```\n>   x",
    "```[Enter]> x[Shift+Home][Tab]": "```\n  > x",
    "- a[Shift+Enter]b": "- a\nb",
    "a[Control+Alt+2][Control+Shift+8]": "- ## a",
    "| a | b |[Enter]|---|--:|[Enter]one[Tab]2[Tab]": "| a   |   b |\n| --- | --: |\n| one |   2 |\n|     |     |",
    "| a |[Shift+Enter]|---|[Tab]b[Enter][Enter]c": "| a   |\n| --- |\n| b   |\n\nc",
    "| a |[Shift+Enter]|---|[Shift+Enter]d[ArrowUp][Enter]b[Enter][Enter]c": "| a   |\n| --- |\n| b   |\n\nc\n\nd",
}


def expect_typed(page: "Page", writings: Mapping[str, str]) -> None:
    """Type keys into the empty text, one sequence after the other, and expect what each leaves."""
    for keys, written in writings.items():
        type_keys(page, f"[Control+A][Delete]{keys}")
        expect_text(page, written)
        page.locator("#content").focus()


def test_keys_write_markdown(editor: "Page") -> None:
    expect_typed(editor, KEYS)


# Texts with `|` at the caret, and what they are once Enter was pressed and `X` typed.
ENDED = {
    "- a\n- |": "- a\n\nX",
    "- [x] a\n- [ ] |": "- [x] a\n\nX",
    "8. a\n9. |": "8. a\n\nX",
    "> a\n> |": "> a\n\nX",
    "> - a\n> - |": "> - a\n>\n> X",
    "> > a\n> > |": "> > a\n>\n> X",
    "> [!NOTE]\n> 1. a\n> 2. |": "> [!NOTE]\n> 1. a\n>\n> X",
    "- a\n  > b\n  > |": "- a\n  > b\n\n  X",
    "- a\nlazy\n- |": "- a\nlazy\n\nX",
    "a\n- |": "a\n\nX",
    "- |": "X",
    "- a\n\n- |": "- a\n\nX",
    "> a\n>\n> |": "> a\n\nX",
    "> a\n>\n> - |": "> a\n>\n> X",
    "> a\n\n> - |": "> a\n\n> X",
    "- a\n- |\nb": "- a\n\nX\n\nb",
    "- a\n- |\n\nb": "- a\n\nX\n\nb",
    "1. a\n2. |\n3. b": "1. a\n\nX\n\n3. b",
    "- a\n- |\n---": "- a\n\nX\n\n---",
    "> a\n> |\n> b": "> a\n\nX\n\n> b",
    "> - a\n> - |\n> b": "> - a\n>\n> X\n>\n> b",
    "> - a\n> - |\nb": "> - a\n>\n> X\n\nb",
}


def write_with_caret(page: "Page", marked: str) -> str:
    """Write a text with the caret where it has `|`; return what was written."""
    content = marked.replace("|", "")
    type_keys(page, "[Control+A][Delete]")
    page.keyboard.insert_text(content)
    page.evaluate("at => content.setSelectionRange(at, at)", marked.index("|"))
    return content


def test_what_is_typed_after_a_list_or_quote_is_a_paragraph(editor: "Page") -> None:
    for marked, expected in ENDED.items():
        before = write_with_caret(editor, marked)
        type_keys(editor, "[Enter][Control+Z]")
        expect_text(editor, before)
        write_with_caret(editor, marked)
        type_keys(editor, "[Enter]X")

        expect_text(editor, expected)
        assert "<p>X</p>" in pypandoc.convert_text(expected, "html", format="commonmark"), marked


# Texts with `|` at the caret, and what they are without the marks that a button takes off.
UNMARKED = {
    ("Bullet list", "- a\n- X|"): "- a\n\nX",
    ("Numbered list", "1. a\n2. X|\n3. b"): "1. a\n\nX\n\n3. b",
    ("Task list", "> - [ ] a\n> - [ ] X|"): "> - [ ] a\n>\n> X",
    ("Quote", "> a\n> X|"): "> a\n\nX",
    ("Bullet list", "a\n- X|\nb"): "a\nX\nb",
    ("Bullet list", "> a\n> - X|"): "> a\n> X",
}


def test_line_that_a_button_takes_out_of_a_list_or_quote_is_a_paragraph(editor: "Page") -> None:
    for (button, marked), expected in UNMARKED.items():
        before = write_with_caret(editor, marked)
        editor.get_by_role("button", name=button, exact=True).click()
        expect_text(editor, expected)
        assert editor.evaluate("content.selectionEnd") == expected.index("X") + 1
        editor.keyboard.press("Control+Z")
        expect_text(editor, before)


def test_every_edit_is_undone_in_order(editor: "Page") -> None:
    editor.keyboard.type("a")
    seen = [text_of(editor)]
    for name in ("Bold", "Bullet list", "Table", "Formula"):
        editor.get_by_role("button", name=name, exact=True).click()
        seen.append(text_of(editor))
    for expected in seen[-2::-1]:
        editor.keyboard.press("Control+Z")
        expect_text(editor, expected)


def test_toolbar_is_one_stop_and_its_menus_use_arrow_keys(editor: "Page") -> None:
    bar = editor.get_by_role("toolbar", name="Formatting")
    editor.keyboard.press("Shift+Tab")
    expect(bar.locator(":focus")).to_have_attribute("aria-label", "Heading")
    for _ in range(9):
        editor.keyboard.press("ArrowRight")
    expect(bar.locator(":focus")).to_have_attribute("aria-label", "Callout")
    type_keys(editor, "[Enter][ArrowDown][Enter]Ask first.")

    expect_text(editor, "> [!TIP]\n> Ask first.\n")
    expect(bar.locator("[tabindex='0']")).to_have_count(1)


def test_table_at_the_caret_is_aligned(editor: "Page") -> None:
    editor.get_by_role("button", name="Table", exact=True).click()
    type_keys(editor, "Name[Tab]Sum[Tab]Größe[Tab]7")
    editor.get_by_role("button", name="Table", exact=True).click()
    editor.get_by_role("menuitem", name="Align right").click()

    expect_text(editor, "| Name  | Sum |\n| ----- | --: |\n| Größe |   7 |\n")


def test_escape_lets_tab_leave_a_list(editor: "Page") -> None:
    type_keys(editor, "- a[Escape][Tab]")

    expect_text(editor, "- a")
    expect(editor.locator("#content")).not_to_be_focused()


def test_diagram_is_chosen_and_inserted(editor: "Page") -> None:
    editor.get_by_role("button", name="Diagram or chart").click()
    editor.get_by_label("Kind").select_option("Bar chart")
    editor.frame_locator("[title='The chosen diagram']").locator("svg text:visible", has_text="Q4").wait_for()
    # Within the click: the next key may follow at once.
    inserted = editor.get_by_role("button", name="Insert").evaluate("button => (button.click(), content.value)")

    assert inserted.startswith('```chart\n{ "type": "bar"')
    editor.frame_locator("[name=preview]").locator("svg text:visible", has_text="Q4").wait_for()


SELECTION = "[content.selectionStart, content.selectionEnd, content.selectionDirection, content.scrollTop]"


@pytest.mark.parametrize("press", ["Insert", "the name of a kind"])
def test_diagram_is_inserted_by_mouse_at_the_caret(editor: "Page", press: str) -> None:
    editor.keyboard.insert_text("Before.\n\nAfter.\n")
    editor.evaluate("content.setSelectionRange(7, 7)")
    editor.get_by_role("button", name="Diagram or chart").click()
    editor.get_by_role("heading", name="Diagram or chart").click()
    if press == "Insert":
        editor.get_by_role("button", name="Insert").click()
    else:
        editor.get_by_role("option", name="Flowchart").dblclick()

    expect_text(editor, re.compile(r"Before\.\n\n```mermaid\nflowchart LR\n[^`]+\n```\n\nAfter\.\n"))
    editor.keyboard.press("Control+Z")
    expect_text(editor, "Before.\n\nAfter.\n")


@pytest.mark.parametrize(
    ("opener", "clicks", "key"),
    [
        ("Diagram or chart", "button:text('Cancel')", None),
        ("Diagram or chart", "#samples-title", "Escape"),
        ("Callout", None, "Escape"),
        ("Find and replace", ".finding-row [aria-label=Close]", None),
        ("Find and replace", None, "Escape"),
    ],
)
def test_what_is_opened_and_closed_by_mouse_leaves_the_text_as_it_was(
    editor: "Page", opener: str, clicks: str | None, key: str | None
) -> None:
    editor.keyboard.insert_text("".join(f"Part {n} of it.\n\n" for n in range(80)))
    for end in (1200, 1207):
        # Far below what is seen.
        editor.evaluate("end => (content.setSelectionRange(1200, end, 'backward'), content.scrollTop = 100)", end)
        before = editor.evaluate(SELECTION)
        editor.get_by_role("button", name=opener, exact=True).click()
        if clicks:
            editor.locator(clicks).click()
        if key:
            editor.keyboard.press(key)

        expect(editor.locator("#content")).to_be_focused()
        editor.evaluate(FRAMES)
        assert editor.evaluate(SELECTION) == before


def test_all_matches_are_replaced_in_one_step(editor: "Page") -> None:
    type_keys(editor, "red, Red and blue[Control+F]red")
    editor.get_by_text("1 of 2").wait_for()
    editor.get_by_role("searchbox", name="Replace with").fill("green")
    editor.get_by_role("button", name="Replace all").click()
    expect_text(editor, "green, green and blue")
    type_keys(editor, "[Escape][Control+Z]")

    expect_text(editor, "red, Red and blue")


def test_words_of_text_and_selection_are_counted(editor: "Page") -> None:
    editor.keyboard.type("Don’t count 漢字 twice")
    editor.get_by_text("5 words, 20 characters", exact=True).wait_for()
    editor.keyboard.press("Shift+Control+ArrowLeft")

    editor.get_by_text("1 word, 5 characters selected", exact=True).wait_for()


def test_words_are_counted_as_the_service_counts_them(editor: "Page") -> None:
    editor.keyboard.insert_text("# Red [roses](https://example.org/far/away)\n\n---\n")

    editor.get_by_text("2 words, 49 characters", exact=True).wait_for()


def test_click_in_the_preview_goes_to_its_line_in_every_place(editor: "Page") -> None:
    editor.keyboard.insert_text("# Plan\n\n" + "".join(f"Part {n} of it.\n\n" for n in range(80)) + "## The roses\n")
    for place in ("Web page", "Slack"):
        editor.get_by_role("button", name=place, exact=True).click()
        editor.locator("[data-stage][aria-busy=false]").wait_for()
        editor.evaluate("content.setSelectionRange(0, 0); content.scrollTop = 0")
        editor.frame_locator("[name=preview]").get_by_text("The roses").click()
        editor.wait_for_function(
            "() => ['The roses\\n', 'roses\\n'].includes(content.value.slice(content.selectionStart))"
        )
        editor.wait_for_function("() => content.scrollTop > 500")


def test_preview_follows_the_text(editor: "Page") -> None:
    editor.keyboard.insert_text("# Plan\n\n" + "".join(f"Part {n} of it.\n\n" for n in range(80)))
    editor.frame_locator("[name=preview]").get_by_text("Part 79 of it.").wait_for()
    editor.locator("#content").hover()
    editor.evaluate("content.scrollTop = 0")
    editor.mouse.wheel(0, 1500)

    editor.wait_for_function("() => document.querySelector('[name=preview]').contentWindow.scrollY > 500")


def test_preview_of_another_text_is_where_the_text_is(editor: "Page") -> None:
    editor.keyboard.insert_text("# Before\n")
    editor.frame_locator("[name=preview]").get_by_text("Before").wait_for()
    held: list[Route] = []

    def hold(route: "Route") -> None:
        held.append(route)

    editor.route("**/preview", hold)
    editor.locator("#content").fill("# Plan\n\n" + "".join(f"Part {n} of it.\n\n" for n in range(80)))
    editor.locator("#content").hover()
    editor.mouse.wheel(0, 9000)
    editor.wait_for_function("() => content.scrollTop + content.clientHeight > content.scrollHeight - 2")
    # The caret has been looked for, in the preview of the text before.
    editor.wait_for_timeout(500)
    held[-1].continue_()

    editor.frame_locator("[name=preview]").get_by_text("Part 79 of it.").wait_for()
    editor.wait_for_function("() => document.querySelector('[name=preview]').contentWindow.scrollY > 500")


def test_paste_of_a_whole_text_shows_its_start_in_both_panes(chromium: "Browser", service: Served) -> None:
    with landing(chromium, service) as page:
        page.locator(".formatting.is-ready").wait_for()
        page.evaluate(
            "text => navigator.clipboard.writeText(text)", "# Plan\n\n" + "".join(f"Part {n}.\n\n" for n in range(80))
        )
        page.locator("#content").focus()
        page.keyboard.press("Control+V")
        page.frame_locator("[name=preview]").get_by_text("Part 79.").wait_for()
        # The caret is at the end: once it is looked for, the preview has not moved.
        page.evaluate("new Promise(resolve => setTimeout(resolve, 400))")

        assert page.evaluate("[content.scrollTop, document.querySelector('[name=preview]').contentWindow.scrollY]") == [
            0,
            0,
        ]


def test_notice_is_at_its_line_and_its_fix_can_be_undone(editor: "Page") -> None:
    spoiled = "# Day\n\n```mermaid\nflowchart LR\n  A --> B[End (really)]\n```\n"
    editor.keyboard.insert_text(spoiled)
    editor.locator(".gutter button").click()
    editor.locator(".bubble").get_by_role("button", name="Fix").click()
    expect_text(editor, re.compile(r'B\["End \(really\)"\]'))
    editor.keyboard.press("Control+Z")

    expect_text(editor, spoiled)


def test_long_text_is_written_as_it_is_and_undone_in_one_step(editor: "Page") -> None:
    cases = ["\n<b>&amp;\n" * 100, "x\n\n" * 300, "\ta  b\n" * 200 + "c"]
    for content in cases:
        editor.evaluate(
            """async content => (await import("/static/shared.js")).write(document.querySelector("#content"),
               { start: 0, end: 0, content })""",
            content,
        )
        expect_text(editor, content)
        editor.keyboard.press("Control+Z")
        expect_text(editor, "")
