"""Copied HTML reaches a paste in Chromium through the X clipboard.

Google Docs and Slack run in browsers, so they receive the same HTML.
"""

from typing import TYPE_CHECKING

import pytest

from tests.desktop import Environment, copy

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser

MARKDOWN = """\
# Größe 中 😀

Some *emphasis* and [a link](https://example.org/).

- one
- two

1. first

| x | y |
|---|---|
| 1 | 2 |

```python
print("é")
```
"""
EDITOR = '<div id="rich" contenteditable="true"></div><textarea id="plain"></textarea>'


def paste(window: "Page", field: str) -> None:
    window.set_content(EDITOR)
    window.focus(field)
    window.keyboard.press("Control+V")


def pasted(window: "Page", selector: str) -> list[str]:
    window.wait_for_function("document.querySelector('#rich').textContent")
    return [inner.strip() for inner in window.locator(f"#rich {selector}").all_inner_texts()]


@pytest.mark.parametrize("destination", ["google-docs", "word"])
def test_structure_arrives_in_an_editor(window: "Page", environment: Environment, destination: str) -> None:
    copy(environment, "-", "--to", destination, markdown=MARKDOWN)

    paste(window, "#rich")

    assert pasted(window, "h1") == ["Größe 中 😀"]
    assert pasted(window, "ul > li") == ["one", "two"]
    assert pasted(window, "ol > li") == ["first"]
    assert [cell for cell in pasted(window, "td, th") if len(cell) == 1] == ["x", "y", "1", "2"]
    assert pasted(window, "a[href='https://example.org/']") == ["a link"]
    assert 'print("é")' in window.inner_text("#rich")


def test_elements_for_slack_are_those_of_its_composer(window: "Page", environment: Environment) -> None:
    copy(environment, "-", "--to", "slack", markdown=MARKDOWN)

    paste(window, "#rich")

    assert pasted(window, "p > b") == ["Größe 中 😀"]
    assert pasted(window, "ul > li") == ["one", "two"]
    assert pasted(window, "pre") == ["x   | y\n----|----\n1   | 2", 'print("é")']
    assert pasted(window, "i") == ["emphasis"]
    assert pasted(window, "a[href='https://example.org/']") == ["a link"]


def test_text_arrives_in_a_field_for_text(window: "Page", environment: Environment) -> None:
    copy(environment, "-", "--to", "slack", "--plain", markdown=MARKDOWN)

    paste(window, "#plain")

    window.wait_for_function("document.querySelector('#plain').value")
    assert window.input_value("#plain").startswith(
        "*Größe 中 😀*\n\nSome _emphasis_ and <https://example.org/|a link>.\n"
    )
