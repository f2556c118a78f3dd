"""Pasting with real keys and the real clipboard: HTML as Markdown, at the caret, in one step that can be undone."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from mdpublish_core import convert
from tests.browser.served import Served
from tests.browser.test_workbench import Stopwatch, drop, landing, wait_for_text
from tests.browser.waiting import Held
from tests.image_files import PNG
from tests.remarks import remark

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Page

pytestmark = pytest.mark.browser

RESPONSE = '<h3 data-start="1">Plan</h3><p>Prices <b>rose</b>.</p><table><tr><th>a</th></tr><tr><td>1</td></tr></table>'
MARKDOWN = "### Plan\n\nPrices **rose**.\n\n| a   |\n| --- |\n| 1   |"
PLAIN = "Plan\nPrices rose."

# A browser itself writes `text/html` when a page is copied.
COPY = """([html, plain]) => {
  addEventListener("copy", (event) => {
    event.clipboardData.setData("text/html", html);
    event.clipboardData.setData("text/plain", plain);
    event.preventDefault();
  }, { once: true });
  document.execCommand("copy");
}"""


@pytest.fixture
def desk(chromium: "Browser", service: Served) -> Iterator["Page"]:
    with landing(chromium, service) as page:
        page.locator(".formatting.is-ready").wait_for()
        page.evaluate(COPY, [RESPONSE, PLAIN])
        page.locator("#content").focus()
        yield page


def test_response_is_pasted_as_markdown_in_one_step(desk: "Page") -> None:
    desk.keyboard.press("Control+V")
    wait_for_text(desk, f"{MARKDOWN}\n")
    expect(desk.locator("[data-status]")).to_have_text("Pasted from ChatGPT · 1 table. Undo As plain text")
    desk.frame_locator("[name=preview]").get_by_role("cell", name="1", exact=True).wait_for()
    desk.get_by_role("button", name="Undo").click()

    expect(desk.locator("#content")).to_have_value(re.compile("^# Launch plan"))


def test_typing_goes_on_while_it_is_read_and_the_rest_stays(desk: "Page") -> None:
    desk.fill("#content", "before after")
    desk.evaluate("content.setSelectionRange(7, 7)")
    requests = Held(desk, "**/import?*")
    desk.keyboard.press("Control+V")
    desk.get_by_text("Reading what you pasted …").wait_for()
    desk.keyboard.type("and ")
    requests.release()
    wait_for_text(desk, f"before \n\n{MARKDOWN}\n\nand after")
    assert desk.evaluate("content.value.slice(content.selectionEnd)") == "after"
    desk.keyboard.press("Control+Z")

    wait_for_text(desk, "before and after")


def test_plain_text_is_a_button_and_a_key_away(desk: "Page") -> None:
    desk.fill("#content", "Mine")
    desk.keyboard.press("Control+V")
    desk.get_by_role("button", name="As plain text", exact=True).click()
    wait_for_text(desk, f"Mine\n\n{PLAIN}\n")
    desk.keyboard.press("Control+A")
    desk.keyboard.press("Control+Shift+V")

    wait_for_text(desk, PLAIN)


def test_plain_text_is_pasted_without_connection(desk: "Page") -> None:
    desk.fill("#content", "")
    desk.context.set_offline(True)
    desk.keyboard.press("Control+V")
    desk.get_by_text("Pasted as plain text: No connection; check it and try again.").wait_for()

    wait_for_text(desk, f"{PLAIN}\n")


def test_response_in_code_is_pasted_as_text(desk: "Page") -> None:
    desk.fill("#content", "```\n\n```\n")
    desk.evaluate("content.setSelectionRange(4, 4)")
    desk.keyboard.press("Control+V")

    wait_for_text(desk, f"```\n{PLAIN}\n```\n")


def test_url_over_a_selection_becomes_a_link(desk: "Page") -> None:
    desk.evaluate("navigator.clipboard.writeText('https://example.org/')")
    desk.fill("#content", "see here")
    desk.keyboard.press("Control+Shift+ArrowLeft")
    desk.keyboard.press("Control+V")

    wait_for_text(desk, "see [here](https://example.org/)")


def test_word_file_is_dropped_beside_the_text(desk: "Page") -> None:
    desk.fill("#content", "Mine\n")
    drop(desk, ("report.docx", convert("# Report\n\n| a |\n|---|\n| 1 |\n", to="docx").to_bytes()))
    desk.get_by_text("report.docx as Markdown · 1 table.").wait_for()

    wait_for_text(desk, "Mine\n\n# Report\n\n| a   |\n| --- |\n| 1   |\n")


def test_image_of_a_guest_says_how_to_keep_it(desk: "Page") -> None:
    drop(desk, ("rose.png", PNG))

    desk.get_by_text("Images are stored with an account: sign in, or link to an image on the web.").wait_for()


def test_image_of_a_member_is_stored_where_the_caret_is(context: "BrowserContext", service: Served) -> None:
    page = context.new_page()
    page.goto(f"{service.url}/documents/new")
    page.locator(".formatting.is-ready").wait_for()
    page.fill("#content", "See ")
    with page.expect_file_chooser() as chooser:
        page.get_by_role("button", name="Image", exact=True).click()
    chooser.value.set_files({"name": "rose.png", "mimeType": "image/png", "buffer": PNG})
    page.frame_locator("[name=preview]").get_by_alt_text("rose").wait_for()

    expect(page.locator("#content")).to_have_value(re.compile(r"^See !\[rose\]\(http"))


def test_selection_in_an_assistant_reaches_the_clipboard_of_google_docs_in_three_actions(
    desk: "Page", pytestconfig: pytest.Config
) -> None:
    assistant = desk.context.new_page()
    assistant.set_content(RESPONSE)
    assistant.evaluate("getSelection().selectAllChildren(document.body)")
    stopwatch = Stopwatch(assistant)
    stopwatch.press("Control+C")
    desk.bring_to_front()
    stopwatch.switch_to(desk)
    stopwatch.press("Control+V")
    wait_for_text(desk, f"{MARKDOWN}\n")
    stopwatch.click("Copy for Google Docs")
    desk.get_by_text("Copied. Paste into Google Docs.").wait_for()

    remark(pytestconfig, f"from a selected answer to Google Docs' clipboard: {stopwatch.reading}")
    assert stopwatch.actions == 3
    copied = desk.evaluate("async () => (await (await navigator.clipboard.read())[0].getType('text/html')).text()")
    assert "<table" in copied
