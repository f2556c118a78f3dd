"""A destination that resembles another is defined by its differences."""

from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from lxml import etree

from mdpublish_core import Output, convert, parse, select_extensions
from mdpublish_core.cli import main
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.nodes import Paragraph, RawText, Strong
from mdpublish_core.notices import Notice
from mdpublish_core.templates import bind, get_template
from mdpublish_core.writers import RenderContext
from mdpublish_core.writers.html import HtmlRenderer
from mdpublish_core.writers.outputs import DESTINATIONS, OUTPUTS
from mdpublish_core.writers.plain_text import PlainTextRenderer
from tests.cases.case_files import Case, all_cases

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
h1. A {_}title{_}

{quote}
a quote

* an {*}item{*}
*# with {{code}}
{code:py}
pass
{code}
*# and a [link|https://example.com]
{quote}

||a||b||
|{*}c{*}|a cell|

The end.[1]

[1] A {_}note{_}.
"""


FOR_CONFLUENCE = """\
# A *title*

> [!WARNING] Mind *this*
> text

- [x] done
- [ ] open

```py
a[b[0]]>1
```

<details><summary>More</summary>

1. a [link](#a-title)

</details>

![alone](https://example.com/a.png "Shown below")
"""

IN_CONFLUENCE = """\
<h1><ac:structured-macro ac:name="anchor" ac:schema-version="1"><ac:parameter ac:name="">md-a-title</ac:parameter></ac:structured-macro>\
A <em>title</em></h1>
<ac:structured-macro ac:name="warning" ac:schema-version="1"><ac:parameter ac:name="title">Mind this</ac:parameter><ac:rich-text-body>
<p>text</p>
</ac:rich-text-body></ac:structured-macro>
<ac:task-list><ac:task><ac:task-id>1</ac:task-id><ac:task-status>complete</ac:task-status><ac:task-body><p>done</p></ac:task-body></ac:task>\
<ac:task><ac:task-id>2</ac:task-id><ac:task-status>incomplete</ac:task-status><ac:task-body><p>open</p></ac:task-body></ac:task></ac:task-list>
<ac:structured-macro ac:name="code" ac:schema-version="1"><ac:parameter ac:name="language">py</ac:parameter>\
<ac:plain-text-body><![CDATA[a[b[0]]]]><![CDATA[>1
]]></ac:plain-text-body></ac:structured-macro>\
<ac:structured-macro ac:name="expand" ac:schema-version="1"><ac:parameter ac:name="title">More</ac:parameter><ac:rich-text-body>
<ol><li><p>a <ac:link ac:anchor="md-a-title"><ac:link-body>link</ac:link-body></ac:link></p></li></ol>
</ac:rich-text-body></ac:structured-macro>
<p><ac:image ac:alt="alone" ac:title="Shown below"><ri:url ri:value="https://example.com/a.png" /></ac:image></p>
<p><em>Shown below</em></p>"""


@pytest.fixture
def confluence(monkeypatch: pytest.MonkeyPatch) -> Output:
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "docs/examples/mdpublish-confluence")
    destination: Output = import_module("mdpublish_confluence").CONFLUENCE
    return destination


def test_image_file_is_its_text_in_an_example(confluence: Output) -> None:
    assert convert("![a](b.png)", to=confluence).text == "<p>a</p>\n"


def test_walk_gives_a_styled_destination_of_ones_own(confluence: Output) -> None:
    assert convert(FOR_CONFLUENCE, to=confluence).text == IN_CONFLUENCE


@pytest.mark.parametrize("case", [pytest.param(case, id=case.name) for case in all_cases() if case.raw_html != "keep"])
def test_example_of_a_walk_writes_xml_with_all_words(confluence: Output, case: Case) -> None:
    conversion = convert(case.markdown, to=confluence, extensions=select_extensions(case.extensions))

    root = etree.fromstring(f'<page xmlns:ac="ac" xmlns:ri="ri">{conversion.html}</page>')

    written = " ".join("".join(map(str, root.itertext())).split())
    heading = parse(case.markdown, extensions=select_extensions(case.extensions)).title
    assert heading is None or heading in written


@pytest.fixture
def jira(monkeypatch: pytest.MonkeyPatch) -> None:
    """Register the destination of the plug-in that the documentation shows."""
    monkeypatch.syspath_prepend(Path(__file__).parents[2] / "docs/examples/mdpublish-jira")
    monkeypatch.setitem(OUTPUTS, "jira-wiki", import_module("mdpublish_jira").JIRA)


@pytest.mark.usefixtures("jira")
def test_destination_is_its_differences_and_a_line() -> None:
    assert convert(MARKDOWN, to="jira-wiki").text == IN_JIRA


@pytest.mark.usefixtures("jira")
@pytest.mark.parametrize(
    ("markdown", "wiki"),
    [
        ("[~anna] {code} a_b_c *x", "\\[\u2060\\~anna\\] \\{code\\} a\\_b\\_c \\*x"),
        ("~~a~~", "{-}a{-}"),
        ("un**frigging**believable", "un{*}frigging{*}believable"),
        ("> a\n>\n> > b", "{quote}\na\n\nb\n{quote}"),
        ("| a |\n|---|\n| b \\| c |", "||a||\n|b ❘ c|"),
        ("```\n{code}\n```", "{noformat}\n{code}\n{noformat}"),
        ("(/) :)", "(\u2060/) :\u2060)"),
        ("h1\\. a", "h1\u2060. a"),
    ],
)
def test_example_of_wiki_markup_escapes_what_an_author_wrote(markdown: str, wiki: str) -> None:
    assert convert(markdown, to="jira-wiki").text == f"{wiki}\n"


@pytest.mark.usefixtures("jira")
def test_command_knows_a_new_destination(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text(MARKDOWN)

    completed = CliRunner().invoke(main, ["convert", "--to", "jira-wiki", str(tmp_path / "a.md")])

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


def test_blocks_and_inlines_are_rendered_of_a_node_or_of_a_list() -> None:
    document, renderer = parse("A *b*\n"), PlainTextRenderer()
    [paragraph] = document.children

    assert renderer.render_blocks(document) == renderer.render_blocks(document.children) == ["A b"]
    assert renderer.render_inlines(paragraph) == renderer.render_inlines(paragraph.children or ()) == "A b"


@pytest.mark.parametrize("method", ["render_blocks", "render_inlines"])
def test_wrong_argument_of_blocks_or_inlines_is_named(method: str) -> None:
    render = getattr(PlainTextRenderer(), method)
    other = RawText("a") if method == "render_blocks" else Paragraph([])

    with pytest.raises(InvalidArgument, match=r"^parent must be a node or a list of nodes \(got str\)$"):
        render("a")
    with pytest.raises(InvalidArgument, match=rf"^parent must have {method[7:]} in it \(got {type(other).__name__}\)$"):
        render([other])
