"""`read_html` makes Markdown of assistants' responses, copied in Chromium and pasted into a page.

`assistants/NAME.html` is a page as an assistant builds it, with its formulas as `x-formula`, which KaTeX draws as it
does there; beside it is the Markdown. `python -m tests.browser.test_assistants` writes what arrives; review the diff.
"""

import re
from html import unescape
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from mdpublish_core import nodes, parse, read_html
from tests.chromium import window_on
from tests.desktop import desktop
from tests.visual import katex

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

PAGES = Path(__file__).with_name("assistants")
NAMES = sorted(path.stem for path in PAGES.glob("*.html"))

_FORMULA = re.compile(r"<x-formula( display)?>(.*?)</x-formula>")

_EDITOR = """\
<div id="editor" contenteditable="true"></div>
<script>
document.addEventListener("paste", (event) => {
  window.pasted = event.clipboardData.getData("text/html");
  event.preventDefault();
});
</script>
"""


def page_of(name: str) -> str:
    source = PAGES.joinpath(f"{name}.html").read_text("utf-8")
    formulas = [(unescape(tex), bool(display)) for display, tex in _FORMULA.findall(source)]
    drawn = iter(katex.render(formulas, output="htmlAndMathml"))
    style = f"<style>{katex.member('dist/katex.css').decode()}</style>"
    return f"<!DOCTYPE html><meta charset=utf-8>{style}{_FORMULA.sub(lambda _: next(drawn).html or '', source)}"


def pasted(window: "Page", name: str, selector: str = "#response") -> str:
    """Copy what is in an element of a page, paste it into another page, and return the HTML of the event."""
    window.set_content(page_of(name))
    window.evaluate("selector => getSelection().selectAllChildren(document.querySelector(selector))", selector)
    window.keyboard.press("Control+C")
    window.set_content(_EDITOR)
    window.focus("#editor")
    window.keyboard.press("Control+V")
    window.wait_for_function("window.pasted !== undefined")
    return str(window.evaluate("window.pasted"))


@pytest.mark.parametrize("name", NAMES)
def test_response_arrives_with_its_structure(window: "Page", name: str) -> None:
    markdown = read_html(pasted(window, name)).markdown

    assert markdown == PAGES.joinpath(f"{name}.md").read_text("utf-8")


def test_lines_selected_in_a_code_block_are_code(window: "Page") -> None:
    html = pasted(window, "chatgpt", "pre code")

    assert "<pre" not in html
    assert read_html(html).markdown == (
        "```\ndef fall(h: float) -> float:\n    return (2 * h / 9.81) ** 0.5  # seconds\n```\n"
    )


@pytest.mark.parametrize("name", NAMES)
def test_response_has_each_construct(name: str) -> None:
    document = parse(PAGES.joinpath(f"{name}.md").read_text("utf-8"))
    kinds = {type(token) for token in nodes.walk(document)}

    assert kinds >= {nodes.Table, nodes.CodeFence, nodes.MathSpan, nodes.List, nodes.Link}


def main() -> None:
    from playwright.sync_api import sync_playwright

    with (
        sync_playwright() as playwright,
        desktop() as environment,
        window_on(playwright.chromium, environment) as window,
    ):
        for name in NAMES:
            PAGES.joinpath(f"{name}.md").write_text(read_html(pasted(window, name)).markdown, "utf-8")


if __name__ == "__main__":
    main()
