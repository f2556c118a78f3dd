"""A destination that resembles another is defined by its differences."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from mdpublish_core import convert, parse
from mdpublish_core.cli import main
from mdpublish_core.nodes import RawText, Strong
from mdpublish_core.notices import Notice
from mdpublish_core.templates import bind, get_template
from mdpublish_core.writers import DESTINATIONS, RenderContext
from mdpublish_core.writers.html import HtmlRenderer

MARKDOWN = """\
# A *title*

> a quote
>
> - an **item**
>   1. with `code`
>
>      ```py
>      pass
>      ```
>   2. and a [link](https://example.com)

| a | b |
|---|---|
| **c** | a cell |

The end.[^1]

[^1]: A *note*.
"""

IN_JIRA = """\
h1. A _title_

{quote}
a quote

* an *item*
*# with {{code}}
{code:py}
pass
{code}
*# and a [link|https://example.com]
{quote}

||a||b||
|*c*|a cell|

The end.[1]

[1] A _note_.
"""


@pytest.fixture
def jira(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the destination of the plug-in that the documentation shows."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "docs/examples/mdpublish-jira")
    monkeypatch.setitem(DESTINATIONS, "jira", import_module("mdpublish_jira").JIRA)


@pytest.mark.usefixtures("jira")
def test_destination_is_its_differences_and_a_line() -> None:
    assert convert(MARKDOWN, destination="jira").html == IN_JIRA


@pytest.mark.usefixtures("jira")
def test_command_knows_a_new_destination(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(MARKDOWN)

    completed = CliRunner().invoke(main, ["convert", "--to", "jira", str(tmp_path / "a.md")])

    assert (completed.exit_code, completed.output) == (0, IN_JIRA)


def test_override_holds_in_a_list_in_a_quote() -> None:
    class Renderer(HtmlRenderer):
        def render_strong(self, token: Strong) -> None:
            self.write_tag("b", token)

    document = parse("> - a **b**")

    assert Renderer.render(document, RenderContext(bind(get_template("swiss"), "light"))) == (
        "<blockquote>\n<ul>\n<li>a <b>b</b></li>\n</ul>\n</blockquote>\n"
    )


def renderer_of(name: str) -> object:
    return import_module(f"mdpublish_core.writers.{name.replace('-', '_')}").render.__self__


@pytest.mark.parametrize("name", DESTINATIONS)
def test_override_holds_wherever_a_node_is(name: str) -> None:
    renderer: Any = renderer_of(name)

    class Loud(renderer):  # type: ignore[misc]  # a class that is known when the test runs
        def render_raw_text(self, token: RawText) -> object:
            return super().render_raw_text(RawText(token.content.upper()))

    output = Loud.render(parse(MARKDOWN), RenderContext(bind(get_template("swiss"), "dark")))

    words = ["TITLE", "A QUOTE", "ITEM", "AND A", "LINK", "THE END", "NOTE"]
    # Slack shows tables as plain text.
    shown = words if name == "slack" else [*words, "A CELL"]
    assert [word for word in shown if word not in output] == []


@pytest.mark.parametrize("name", DESTINATIONS)
def test_renderer_of_every_destination_gives_notices(name: str) -> None:
    renderer: Any = renderer_of(name)

    class Strict(renderer):  # type: ignore[misc]  # a class that is known when the test runs
        def render_strong(self, token: Strong) -> object:
            self.notice("unsafe-link", "a word is bold", 7)
            return super().render_strong(token)

    context = RenderContext(bind(get_template("swiss"), "light"))
    Strict.render(parse("> - a **b**"), context)

    assert context.notices == [Notice("unsafe-link", "a word is bold", 7)]
