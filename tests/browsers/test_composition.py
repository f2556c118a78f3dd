"""What a keyboard for Japanese, Chinese or Korean composes is written once, whatever the editor does meanwhile."""

from itertools import count

import pytest

from tests.browser.served import Served
from tests.browsers.conftest import Windows
from tests.browsers.test_flows import FIELD, PREVIEW, preview_shows, write
from tests.browsers.windows import Window

pytestmark = pytest.mark.browsers

_NUMBERS = count()

_STAGES = ("n", "に", "にh", "にほ", "にほん")


@pytest.fixture(params=["chromium", "firefox"])
def document(request: pytest.FixtureRequest, windows: Windows, service: Served) -> Window:
    """A new document's editor, which saves what is written."""
    window = windows(request.param)
    window.forget(service.url)
    window.sign_in(service.url, service.open_account(f"{next(_NUMBERS)}@example.com").session)
    window.open(f"{service.url}/documents/new")
    window.wait("document.querySelector('.formatting.is-ready')")
    window.wait(f"document.activeElement === {FIELD}")
    return window


# What is there and the caret's place in it, the compositions and keys, and what they leave; "[…]" is a key, and a list
# the stages of a composition with what is chosen, "" if it is cancelled.
TYPED: list[tuple[str, list[str | list[str]], str]] = [
    ("say ¦", [[*_STAGES, "日本"], "[Enter]", "X"], "say 日本\nX"),
    ("1. ¦\n2. b", [[*_STAGES, "日本"], "[Enter]", [*_STAGES, "日本"]], "1. 日本\n2. 日本\n3. b"),
    ("> - ¦", [["ㅎ", "하", "한"], ["ㄱ", "그", "글", "글"], "[Enter]", "x"], "> - 한글\n> - x"),
    (
        "| a | b |\n| - | - |\n|¦ | |",
        [["日", "日"], "[Tab]", ["本", "本"]],
        "| a   | b   |\n| --- | --- |\n| 日  | 本    |",
    ),
    ("/¦", [["に", "日"], "[Enter]", "x"], "/日\nx"),
    ("a¦", [[*_STAGES, ""], "b"], "ab"),
    ("```\n¦", [["“", "“"], ["*", "*"]], "```\n“*"),
    ("¦", [["*", "＊"], ["(", "（"], ["1", "1."]], "＊（1."),
    ("a ¦b", [["x", "🙂"], "[Backspace]", ["ね", "猫"]], "a 猫b"),
]


def _begin(window: Window, content: str) -> None:
    """Write a text in place of what is there, with the caret at "¦"."""
    window.evaluate(f"({FIELD}.select(), document.execCommand('delete'))")
    write(window, content.replace("¦", ""))
    window.evaluate(f"{FIELD}.setSelectionRange({content.index('¦')}, {content.index('¦')})")


def _type(window: Window, steps: list[str | list[str]]) -> None:
    for step in steps:
        if isinstance(step, list):
            window.compose(*step[:-1], chosen=step[-1])
        elif step.startswith("["):
            window.press(step.strip("[]"))
        else:
            window.type(step)


def test_what_is_composed_is_written_once(document: Window) -> None:
    for before, steps, after in TYPED:
        _begin(document, before)
        _type(document, steps)
        assert document.evaluate(f"{FIELD}.value") == after, (before, document.name)
    preview_shows(document, "猫")


def test_what_is_composed_over_a_selection_wraps_nothing(document: Window) -> None:
    for mark in ("*", "「", '"'):
        _begin(document, "all of¦ it")
        document.press("Control+Shift+ArrowLeft")
        document.compose(mark, chosen=mark)
        assert document.evaluate(f"{FIELD}.value") == f"all {mark} it"
        document.undo()
        document.wait(f"{FIELD}.value === 'all of it'")


def test_text_is_saved_and_shown_while_something_is_composed(document: Window) -> None:
    _begin(document, "1. ¦")
    document.compose(*_STAGES)
    document.wait("document.querySelector('[data-saved]').dataset.saved === 'Saved'")
    preview_shows(document, "にほん")
    document.compose("日本", "日本語", chosen="日本語")
    document.press("Enter")
    document.type("x")
    assert document.evaluate(f"{FIELD}.value") == "1. 日本語\n2. x"
    preview_shows(document, "x")
    document.wait("document.querySelector('[data-saved]').dataset.saved === 'Saved'")

    document.open(document.evaluate("location.href"))
    document.wait("document.querySelector('.formatting.is-ready')")
    assert document.evaluate(f"{FIELD}.value") == "1. 日本語\n2. x"
    document.wait(f"{PREVIEW}.contentDocument.querySelectorAll('li').length === 2")
