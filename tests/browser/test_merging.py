"""A document that is pasted into an editor, edited there and copied merges into the lines of its source."""

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import Converter, read_html
from mdpublish_core.merging import find_converter, merge
from tests.browser.waiting import wait_until
from tests.desktop import Environment, clipboard, copy

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

SOURCE = Path(__file__).parents[1].joinpath("interop", "merge_specimen.md").read_text("utf-8")

EDITOR = '<div id="rich" contenteditable="true">{}</div>'

TYPE = """([old, text]) => {
  const walker = document.createNodeIterator(document.querySelector('#rich'), NodeFilter.SHOW_TEXT)
  for (let node; (node = walker.nextNode()); ) {
    const start = node.data.indexOf(old)
    if (start < 0) continue
    const range = document.createRange()
    range.setStart(node, start)
    range.setEnd(node, start + old.length)
    getSelection().removeAllRanges()
    getSelection().addRange(range)
    document.execCommand('insertText', false, text)
    return
  }
  throw new Error(old)
}"""
"""Types a text over another."""


@pytest.fixture(scope="module")
def pasted(window: "Page", environment: Environment) -> str:
    """The source as the editor holds it once it was pasted."""
    copy(environment, "-", "--to", "google-docs", markdown=SOURCE)
    window.set_content(EDITOR.format(""))
    window.focus("#rich")
    window.keyboard.press("Control+V")
    window.wait_for_function("document.querySelector('#rich').textContent")
    return window.inner_html("#rich")


def edited(window: "Page", environment: Environment, pasted: str, old: str, new: str) -> str:
    sent = clipboard(environment, "text/html")
    window.set_content(EDITOR.format(pasted))
    window.focus("#rich")
    window.evaluate(TYPE, [old, new])
    window.keyboard.press("Control+A")
    window.evaluate("hasCopied = false; addEventListener('copy', () => setTimeout(() => (hasCopied = true)))")
    window.keyboard.press("Control+C")
    window.wait_for_function("hasCopied")
    # The X server learns of it later.
    wait_until(window, lambda: clipboard(environment, "text/html") not in (None, sent))
    copied = clipboard(environment, "text/html")
    assert copied is not None
    return copied.decode()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("good", "excellent"),
        ("as always", "as ever"),
        ("Numbers", "Figures"),
        ("700", "710"),
        ("Lisbon", "Porto"),
        ("Review", "Check"),
        ("simply", "just"),
        ("May", "June"),
        ("Pay the rent", "Feed the cat"),
        ("price, cost", "amount, cost"),
        ("calm", "hot"),
    ],
)
def test_only_the_edited_words_change(
    window: "Page", environment: Environment, pasted: str, old: str, new: str
) -> None:
    read = read_html(edited(window, environment, pasted, old, new))

    converter = find_converter(SOURCE, read, Converter())
    result = merge(SOURCE, read, converter)

    assert converter.to == "google-docs"
    assert result.markdown == SOURCE.replace(old, new)
    # Chromium pastes a quote as paragraphs.
    assert [notice.message for notice in result.notices] == [
        "the edited document has no quotes; those of the source stay"
    ]
