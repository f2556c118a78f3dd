"""What helps to write: blocks by name, marked matches, the outline, views, moved lines, and keyboards that compose."""

import re
from collections.abc import Iterator
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tests.browser.served import Served
from tests.browser.test_editor import expect_text, expect_typed, text_of, type_keys, write_with_caret
from tests.browser.test_workbench import empty_editor, landing
from tests.browser.waiting import FRAMES
from tests.image_files import PNG

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, FilePayload, Page

pytestmark = pytest.mark.browser

STATIC = Path(str(files("mdpublish_server.web"))) / "static"


@pytest.fixture
def desk(chromium: "Browser", service: Served) -> Iterator["Page"]:
    with empty_editor(chromium, service) as page:
        yield page


# What is typed, and what it leaves.
SLASHES = {
    "/": "/",
    "/[Enter]Title": "# Title",
    "/task[Enter]a": "- [ ] a",
    "a[Enter]/nu[Enter]b": "a\n1. b",
    "/[ArrowDown][ArrowDown][Tab]Third": "### Third",
    "/[ArrowUp][Enter]x": "---\n\nx\n",
    "/he[Escape] x": "/he x",
    "/usr[Enter]x": "/usr\nx",
    "/tab[Enter]Name": "| Name | Column |\n| ------ | ------ |\n|        |        |\n",
    "/cod[Enter]x[Control+Z][Control+Z]": "/cod",
    "a /[Enter]b": "a /\nb",
    "```[Enter]/[Enter]b": "```\n/\nb",
    "/[ArrowLeft][Enter]": "\n/",
    "/h[Backspace][Backspace][Enter]b": "\nb",
}


def test_slash_where_a_line_begins_offers_blocks(desk: "Page") -> None:
    for keys, written in SLASHES.items():
        expect_typed(desk, {keys: written})
        type_keys(desk, "[Escape]")


def test_list_of_blocks_is_named_to_assistive_tools_and_takes_clicks(desk: "Page") -> None:
    desk.keyboard.type("/li")
    field, options = desk.locator("#content"), desk.get_by_role("listbox", name="Blocks").get_by_role("option")
    expect(options).to_have_text(["Bullet list", "Numbered list", "Task list"])
    desk.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    expect(field).to_have_attribute("aria-activedescendant", options.nth(1).get_attribute("id") or "")
    options.nth(2).click()
    expect_text(desk, "- [ ] ")
    expect(field).to_be_focused()
    assert field.get_attribute("aria-activedescendant") is None

    type_keys(desk, "[Control+A][Delete]/dia")
    desk.keyboard.press("Enter")
    desk.get_by_role("dialog", name="Diagram or chart").get_by_role("button", name="Insert").click()
    expect(field).to_have_value(
        "```mermaid\nflowchart LR\n  A[Write] --> B{Ready?}\n  B -->|yes| C[Publish]\n  B -->|no| A\n```\n"
    )


MARKED = "[...CSS.highlights.get('found')].map(String)"


def test_all_matches_are_marked_until_the_search_is_closed(desk: "Page") -> None:
    type_keys(desk, "**Red** `red` redder[Enter]- red[Control+F]red")
    desk.get_by_text("1 of 4").wait_for()
    assert desk.evaluate(MARKED) == ["Red", "red", "red", "red"]
    desk.get_by_role("button", name="Match case").click()
    desk.get_by_role("button", name="Whole words").click()
    desk.get_by_text("1 of 2").wait_for()
    assert desk.evaluate(MARKED) == ["red", "red"]
    desk.keyboard.press("Escape")
    assert desk.evaluate(MARKED) == []


def test_outline_leads_to_a_heading(desk: "Page") -> None:
    desk.keyboard.press("Control+Alt+o")
    desk.get_by_text("There are no headings yet").wait_for()
    desk.locator("#content").fill("# One\n\n```\n# code\n```\n\n" + "text\n\n" * 80 + "## Two\n\n" + "text\n\n" * 80)
    desk.locator("#content").press("Control+Alt+o")
    expect(desk.get_by_role("menuitem")).to_have_text(["One", "\u2003Two"])
    type_keys(desk, "[ArrowUp][ArrowDown][Enter]")

    expect(desk.locator("#content")).to_be_focused()
    assert desk.evaluate("content.value.slice(content.selectionStart).startsWith('## Two')")
    desk.wait_for_function("() => content.scrollTop > 500")


def test_views_are_chosen_by_key_and_remembered_with_a_way_back(desk: "Page") -> None:
    desk.keyboard.insert_text("Words")
    preview, field = desk.locator("[name=preview]"), desk.locator("#content")
    desk.keyboard.press("Control+Alt+4")
    expect(preview).to_be_hidden()
    desk.keyboard.press("Control+Alt+6")
    expect(field).to_be_hidden()
    expect(desk.get_by_role("button", name="Text and preview")).to_be_focused()
    desk.keyboard.press("Enter")
    expect(field).to_be_focused()
    desk.keyboard.press("Control+Alt+7")
    for hidden in (
        preview,
        desk.locator(".masthead"),
        desk.get_by_role("toolbar"),
        desk.get_by_role("button", name="Publish"),
    ):
        expect(hidden).to_be_hidden()
    desk.keyboard.type(" here")

    desk.reload()
    expect(preview).to_be_hidden()
    expect_text(desk, "Words here")
    desk.get_by_role("button", name="Leave quiet mode").click()
    expect(preview).to_be_visible()
    desk.get_by_role("button", name="View", exact=True).click()
    expect(desk.get_by_role("menuitem").first).to_have_text("Text alone (Ctrl+Alt+4)")


def test_new_document_has_the_focus_and_its_images_stand_apart(context: "BrowserContext", service: Served) -> None:
    page = context.new_page()
    page.goto(f"{service.url}/documents/new")
    expect(page.locator("#content")).to_be_focused()
    page.locator(".formatting.is-ready").wait_for()
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Image", exact=True).click()
    files: list[FilePayload] = [
        {"name": f"{name}.png", "mimeType": "image/png", "buffer": PNG} for name in ("rose", "lily")
    ]
    chooser.value.set_files(files)

    expect(page.locator("#content")).to_have_value(re.compile(r"^!\[rose\]\(\S+\)\n\n!\[lily\]\(\S+\)\n$"))


# What is there, with the caret's place, and what is left of it around an image that is chosen.
IMAGES = {
    "See ¦": "See IMAGE",
    "Words¦": "Words\n\nIMAGE\n",
    "Words¦\nmore": "Words\n\nIMAGE\n\nmore",
    "Wor¦ds": "WorIMAGEds",
    "- item¦": "- itemIMAGE",
    "# Title¦": "# TitleIMAGE",
    "| a |\n| - |\n| b¦ |": "| a |\n| - |\n| bIMAGE |",
    "![a](b.png)¦": "![a](b.png)\n\nIMAGE\n",
}


def test_image_stands_apart_behind_words_and_gets_a_width_that_places_keep(
    context: "BrowserContext", service: Served
) -> None:
    page = context.new_page()
    page.goto(f"{service.url}/documents/new")
    page.locator(".formatting.is-ready").wait_for()
    field, button = page.locator("#content"), page.get_by_role("button", name="Image", exact=True)
    image: FilePayload = {"name": "rose.png", "mimeType": "image/png", "buffer": PNG}
    for before, after in IMAGES.items():
        at = before.index("¦")
        field.fill(before.replace("¦", ""))
        field.evaluate("(field, at) => field.setSelectionRange(at, at)", at)
        with page.expect_file_chooser() as chooser:
            button.click()
            if before.startswith("!"):
                page.get_by_role("menuitem", name="Another image").click()
        chooser.value.set_files(image)
        pattern = re.escape(after).replace("IMAGE", r"!\[rose\]\(http[^)]+\)")
        expect(field).to_have_value(re.compile(f"^{pattern}$"))
        page.get_by_text("with the caret in it, the button Image changes its width").wait_for()

    field.press("ArrowLeft")
    button.click()
    expect(page.get_by_role("menuitem")).to_have_text(
        ["200 px wide", "400 px wide", "600 px wide", "Its own width", "Another image"]
    )
    page.get_by_role("menuitem", name="400 px wide").click()
    expect(field).to_have_value(re.compile(r'\n\n<img src="http[^"]+" alt="rose" width="400">\n$'))
    frame = page.frame_locator("[name=preview]")
    for place in ("Web page", "Google Docs", "Word", "OneNote", "Email"):
        page.get_by_role("button", name=place, exact=True).click()
        expect(frame.get_by_alt_text("rose")).to_have_attribute("width", "400")
    page.keyboard.press("Control+Z")
    expect(field).to_have_value(re.compile(r"\n\n!\[rose\]\(http[^)]+\)\n$"))


@pytest.mark.parametrize(
    ("before", "after"), [("1. |\n2. b", "1. 日本\n2. X\n3. b"), ("say |", "say 日本\nX"), ("/|", "/日本\nX")]
)
def test_what_a_keyboard_composes_is_written_once(desk: "Page", before: str, after: str) -> None:
    write_with_caret(desk, before)
    keyboard = desk.context.new_cdp_session(desk)

    def compose(*stages: str) -> None:
        for stage in stages:
            keyboard.send(
                "Input.dispatchKeyEvent", {"type": "rawKeyDown", "key": "Process", "windowsVirtualKeyCode": 229}
            )
            keyboard.send(
                "Input.imeSetComposition", {"text": stage, "selectionStart": len(stage), "selectionEnd": len(stage)}
            )

    compose("n", "に", "にh", "にほ", "にほん")
    # As Safari sends the Enter that ends it.
    desk.evaluate(
        """() => ['Enter', 'Tab', 'ArrowUp'].forEach(key => content.dispatchEvent(
           new KeyboardEvent('keydown', { key, keyCode: 229, altKey: key === 'ArrowUp', bubbles: true, cancelable: true })))"""
    )
    assert text_of(desk) == before.replace("|", "にほん")
    keyboard.send("Input.insertText", {"text": "日本"})
    type_keys(desk, "[Enter]X")
    expect_text(desk, after)
    # What is composed over a selection is the keyboard's, mark or not.
    desk.keyboard.press("Control+A")
    compose("*")
    keyboard.send("Input.insertText", {"text": "＊"})
    expect_text(desk, "＊")


def test_each_line_has_the_direction_of_its_own_words(desk: "Page") -> None:
    desk.keyboard.insert_text("English first\n\nمرحبا بالعالم\n\n- قائمة\n\nend")
    desk.evaluate(FRAMES)
    field = desk.locator("#content")

    assert field.evaluate("field => getComputedStyle(field).unicodeBidi") == "plaintext"
    directions = field.evaluate(
        "field => [...field.parentElement.querySelector('.mirror').shadowRoot.querySelectorAll('[dir]')].map(line => getComputedStyle(line).direction)"
    )
    assert directions == ["ltr", "ltr", "rtl", "ltr", "rtl", "ltr", "ltr"]
    desk.frame_locator("[name=preview]").get_by_text("end").wait_for()
    blocks = desk.locator("[name=preview]").evaluate(
        "frame => [...frame.contentDocument.querySelectorAll('main :is(p, li)')].map(block => getComputedStyle(block).direction)"
    )
    assert blocks == ["ltr", "rtl", "rtl", "ltr"]


# Random edits of a long text as the browser makes them, and the text that its lines show after each that differs.
EDITED_LINES = r"""() => {
  const root = content.parentElement.querySelector(".mirror").shadowRoot;
  let seed = 7;
  const below = (limit) => (seed = (seed * 48271) % 2147483647) % limit;
  const wrong = [];
  for (let step = 0; step < 60; step += 1) {
    const start = step % 9 ? below(content.value.length + 1) : [0, content.value.length][step % 2];
    const end = Math.min(content.value.length, start + [0, 1, 40, 9000][below(4)]);
    const inserted = ["x", "\n", "a\nb\n\n", "# line\n".repeat(350)][below(4)];
    content.setRangeText(inserted, start, end, "end");
    content.dispatchEvent(new Event("input", { bubbles: true }));
    const shown = [...root.querySelectorAll("[dir]")].map(({ textContent }) => textContent).join("\n").replaceAll("\u200b", "");
    if (shown !== content.value) wrong.push([step, shown.length, content.value.length]);
  }
  return [wrong, Math.max(...[...root.children].map(({ childElementCount }) => childElementCount)) < 300];
}"""


def test_lines_shown_over_the_field_are_the_lines_of_its_text_after_any_edit(desk: "Page") -> None:
    desk.locator("#content").fill("One line of text\n" * 3_000)

    assert desk.evaluate(EDITED_LINES) == [[], True]


# As a keyboard on the screen opens over the page, or closes: no emulated phone has one.
KEYBOARD = """height => {
  Object.defineProperty(visualViewport, "height", { configurable: true, get: () => height });
  visualViewport.dispatchEvent(new Event("resize"));
}"""


def test_toolbar_stands_on_a_phone_s_keyboard_while_somebody_writes(chromium: "Browser", service: Served) -> None:
    with landing(chromium, service, viewport={"width": 390, "height": 780}) as page:
        bar, field = page.locator(".formatting.is-ready"), page.locator("#content")
        bar.wait_for()

        def edges() -> list[float]:
            box = bar.bounding_box()
            assert box is not None
            return [box["x"], box["x"] + box["width"], box["y"] + box["height"]]

        field.fill("word")
        resting = edges()
        page.evaluate(KEYBOARD, 430)
        assert edges() == [0, 390, 430]
        page.get_by_role("button", name="Bold").click()
        expect(field).to_have_value("**word**")
        expect(field).to_be_focused()
        expect(page.locator(".dock")).to_be_hidden()
        page.evaluate(KEYBOARD, 780)
        assert edges() == resting
        expect(page.locator(".dock")).to_be_visible()


# Runs 300 sequences of commands and typing in one page, and takes each back; returns those that did not come back.
SEQUENCES = """async () => {
  const [commands, edits, moves, tables] = await Promise.all(
    ["commands", "edits", "moves", "tables"].map(name => import(`/source/editing/${name}.js`)));
  let seed = 86;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const any = list => list[Math.floor(random() * list.length)];
  const field = document.querySelector("#content"), { selectionOf, write } = edits;
  const acts = [
    ...Object.values(commands.COMMANDS), commands.newLine, commands.callout("TIP"), commands.headingOf(2),
    state => commands.indent(state, false), state => commands.indent(state, true), state => commands.wrapped(state, any([..."*_`~([\\""])),
    state => moves.move(state, 1), state => moves.move(state, -1), state => moves.double(state, 1), state => moves.double(state, -1),
    state => commands.spliced(state, "deleteContentBackward", null), tables.rowBelow, state => tables.nextCell(state, 1),
  ];
  const typed = ["a", "1. ", "word ", "**", "日本", "> ", "\\n", "| a |\\n| - |\\n"];
  const first = "1. one\\n2. two\\n   - in\\n\\n```\\n3. code\\n```\\n\\nSome **bold** text.\\n\\n| a | b |\\n| - | - |\\n| c | d |\\n";
  const failed = [];
  let presses = 0;
  for (let run = 0; run < 300; run += 1) {
    const { length } = field.value;
    write(field, { start: 0, end: length, content: first });
    let changes = 0;
    for (let step = 0; step < 6; step += 1) {
      const ends = [random(), random()].map(share => Math.floor(share * (field.value.length + 1))).sort((a, b) => a - b);
      field.setSelectionRange(ends[0], random() < 0.5 ? ends[0] : ends[1]);
      const before = field.value;
      if (random() < 0.3) document.execCommand("insertText", false, any(typed));
      else {
        const edit = any(acts)(selectionOf(field));
        if (edit) write(field, edit);
      }
      changes += field.value !== before;
    }
    const last = field.value;
    let undone = 0;
    while (field.value !== first && undone <= changes) {
      document.execCommand("undo");
      undone += 1;
    }
    presses += undone;
    if (field.value !== first) failed.push({ run, last, back: field.value });
  }
  return { failed, presses };
}"""


def test_300_random_sequences_of_commands_and_typing_are_undone(desk: "Page") -> None:
    # As they are written: the service serves them as one.
    desk.route("**/source/**", lambda route: route.fulfill(path=STATIC / route.request.url.partition("/source/")[2]))
    outcome = desk.evaluate(SEQUENCES)

    assert outcome["failed"] == []
    assert outcome["presses"] > 600
