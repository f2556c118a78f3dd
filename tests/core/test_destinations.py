from collections.abc import Iterable, Sequence
from inspect import getsource, isfunction
from types import SimpleNamespace
from typing import Any, get_args

import pytest

from mdpublish_core import convert, list_templates, nodes, parse, render
from mdpublish_core.options.styles import ThemeMode
from mdpublish_core.writers.docx.renderer import DocxRenderer
from mdpublish_core.writers.email import EmailRenderer
from mdpublish_core.writers.generic import GenericRenderer
from mdpublish_core.writers.google_docs import GoogleDocsRenderer
from mdpublish_core.writers.html import HtmlRenderer
from mdpublish_core.writers.onenote import OneNoteRenderer
from mdpublish_core.writers.outputs import DESTINATIONS
from mdpublish_core.writers.plain_text import PlainTextRenderer
from mdpublish_core.writers.renderer import BLOCK_METHODS, INLINE_METHODS, Renderer
from mdpublish_core.writers.slack.message import SlackRenderer
from mdpublish_core.writers.styled.inlines import StyledInlines
from mdpublish_core.writers.styled.walk import StyledWriter
from mdpublish_core.writers.word import WordRenderer


def names(classes: Iterable[type]) -> list[str]:
    return sorted(cls.__name__ for cls in classes)


STYLED: Sequence[type[StyledWriter[Any]]] = (
    GoogleDocsRenderer,
    WordRenderer,
    OneNoteRenderer,
    EmailRenderer,
    DocxRenderer,
)


def test_every_class_of_nodes_has_a_method() -> None:
    assert names(BLOCK_METHODS) == names(get_args(nodes.Block))
    assert names(INLINE_METHODS) == names(get_args(nodes.Inline))


@pytest.mark.parametrize("renderer", [HtmlRenderer, GenericRenderer, *STYLED])
def test_html_renderers_cover_every_token(renderer: type[Renderer]) -> None:
    assert names(renderer.methods) == names({*get_args(nodes.Block), *get_args(nodes.Inline)})


@pytest.mark.parametrize("renderer", STYLED)
def test_styled_writers_say_all_that_the_walk_asks(renderer: type[StyledWriter[Any]]) -> None:
    hooks = {
        name
        for cls in (StyledInlines, StyledWriter)
        for name, function in vars(cls).items()
        if isfunction(function) and "raise NotImplementedError" in getsource(function)
    }
    inherited = {name for name in hooks if getattr(renderer, name) is getattr(StyledWriter, name)}
    # These write formulas in lines themselves.
    unused = {"write_formula_image"} if renderer in {WordRenderer, OneNoteRenderer, DocxRenderer} else set()

    assert len(hooks) > 10
    assert inherited == unused


@pytest.mark.parametrize("renderer", [PlainTextRenderer, SlackRenderer])
def test_text_renderers_cover_every_token(renderer: type[PlainTextRenderer]) -> None:
    # Written by their parents.
    inside = {nodes.ListItem, nodes.TaskItem, nodes.TableRow, nodes.TableCell, nodes.FootnoteDefinition}

    assert names(renderer.block_methods) == names(set(get_args(nodes.Block)) - inside)
    assert names(renderer.inline_methods) == names(get_args(nodes.Inline))


@pytest.mark.parametrize("name", DESTINATIONS)
def test_conversion_reports_what_was_used(name: str) -> None:
    conversion = convert("a", to=name, template="swiss", theme_mode="dark")

    assert (conversion.output, conversion.template_id, conversion.theme_mode) == (name, "swiss", "dark")


def test_a_document_can_be_rendered_more_than_once() -> None:
    document = parse("# a\n\n[b](#a)")

    assert render(document) == render(document) == convert("# a\n\n[b](#a)")


def test_template_may_be_a_template() -> None:
    (template, *_) = list_templates("free")

    assert convert("a", template=template) == convert("a", template=template.id)


def test_html_is_unstyled() -> None:
    assert convert("# a", to="html", theme_mode="dark").html == "<h1>a</h1>\n"


def test_generic_scopes_its_rules_to_its_class() -> None:
    fragment = convert("a", theme_mode="dark").html
    css = fragment.partition("<style>")[2].partition("</style>")[0]

    assert fragment.startswith('<div class="mdpublish-swiss-dark">\n<style>')
    assert css
    rules = [line for line in css.splitlines() if line != "}" and not line.startswith("@media")]
    assert all(rule.startswith((".mdpublish-swiss-dark", "body.mdpublish-swiss-dark")) for rule in rules)


@pytest.mark.parametrize(
    ("headings", "anchors"),
    [
        (["A b", "a B", "A b"], ["a-b", "a-b-1", "a-b-2"]),
        (["a", "a-1", "a"], ["a", "a-1", "a-2"]),
        (["What's *new*? `x_y` — 1.0!"], ["whats-new-x_y--10"]),
        (["Größe 漢字"], ["größe-漢字"]),
        (["!!!"], [None]),
    ],
)
def test_headings_have_anchors_as_on_github(headings: list[str], anchors: list[str | None]) -> None:
    fragment = convert("\n\n".join(f"# {heading}" for heading in headings)).html

    for anchor in anchors:
        assert (f'<h1 id="md-{anchor}"' if anchor else '<h1 class="title">') in fragment


def test_links_to_headings_lead_to_their_anchors() -> None:
    fragment = convert("# A é\n\n[x](#a-é) [y](#A-é) [z](#none)").html

    assert '<h1 id="md-a-é" class="title">' in fragment
    assert fragment.count('href="#md-a-%C3%A9"') == 2
    assert 'href="#none"' in fragment


def test_unsafe_url_leaves_its_text() -> None:
    conversion = convert("[click *me*](javascript:alert(1)) ![pic](javascript:x)", to="html")

    assert conversion.html == '<p><a>click <em>me</em></a> <img alt="pic" /></p>\n'


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_notebook_shows_the_html_of_a_conversion(destination: str) -> None:
    conversion = convert("*a*", to=destination)

    is_text = DESTINATIONS[destination].is_text
    assert conversion._repr_html_() == (None if is_text else conversion.html)
    printed: list[str] = []
    conversion._repr_pretty_(SimpleNamespace(text=printed.append), cycle=False)
    assert printed == [conversion.text if is_text else conversion.plain_text]


@pytest.mark.parametrize("destination", DESTINATIONS)
def test_lone_surrogates_of_a_tree_built_by_hand_are_replaced(destination: str) -> None:
    content = [nodes.RawText("é" * 70_000 + "a\ud800"), nodes.Link("http://b/\udfff", [])]
    document = nodes.Document([nodes.Paragraph(content)])
    conversion = render(document, to=destination)

    assert "a\ufffd" in conversion.text
    assert "a\ufffd" in conversion.plain_text
    conversion.text.encode()
    conversion.plain_text.encode()


def test_what_destinations_share_of_a_document_changes_no_conversion() -> None:
    markdown = """# A *title*

| a | `b` | long words |
|---|:-:|---|
| 1 | x y | שלום |

```py
    def a():
\treturn  1
```

```css+mako
a { color: red }
```

<table><tr><td>a<td>b</table>

- [x] done `a  b` &lt;
- [link](https://example.com/a?b=1&c=*) @here
"""
    shared = parse(markdown)
    styles: list[tuple[str, ThemeMode]] = [("swiss", "light"), ("swiss", "dark"), ("tokyo-night", "light")]
    jobs: list[tuple[str, str, ThemeMode]] = [(name, *style) for style in styles for name in DESTINATIONS]

    differing = [
        (name, template, mode)
        for name, template, mode in [*jobs, *reversed(jobs)]
        if render(shared, to=name, template=template, theme_mode=mode)
        != convert(markdown, to=name, template=template, theme_mode=mode)
    ]

    assert differing == []
