"""Trees can be printed, compared, listed, changed and written as JSON."""

import json
import pickle
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from mdpublish_core import (
    Document,
    Limits,
    PageOptions,
    convert,
    from_json,
    nodes,
    parse,
    read_file,
    read_html,
    render,
    to_json,
)
from mdpublish_core.errors import FrozenTree, InvalidArgument, LimitExceeded
from mdpublish_core.nodes.tokens import slots_of
from mdpublish_core.strings.positions import SourcePosition

MARKDOWN = """\
---
title: Example
---
# Results *so far*

- [x] done

| a | $x$ |
|--:|-----|
| 1 | ![alt](u.png "t") |

Text[^1]

[^1]: Note
"""


@pytest.mark.parametrize(
    ("node", "shown"),
    [
        (nodes.Heading(1, [nodes.RawText("Results")], line=3), "Heading(1, ['Results'])"),
        (nodes.RawText("a"), "RawText('a')"),
        (nodes.LineBreak(soft=True), "LineBreak(soft=True)"),
        (nodes.CodeFence("x", language="py"), "CodeFence('x', language='py', info_string='py')"),
        (nodes.AutoLink("https://example.org"), "AutoLink('https://example.org')"),
        (nodes.AutoLink("a@b.c", target="mailto:a@b.c"), "AutoLink('a@b.c', target='mailto:a@b.c')"),
        (
            nodes.Callout("tip", [], title=nodes.Paragraph([nodes.RawText("T")])),
            "Callout('tip', [], title=Paragraph(['T']))",
        ),
        (nodes.Document([]), "Document([])"),
    ],
)
def test_node_is_shown_as_it_is_built(node: nodes.Token, shown: str) -> None:
    assert repr(node) == shown


def test_deep_tree_is_shown_in_part() -> None:
    deep: nodes.Token = nodes.Paragraph([])
    for _ in range(5_000):
        deep = nodes.Quote([deep])

    assert repr(deep).endswith("(…)" + "])" * 20)
    assert len(repr(deep)) < 500


def test_tree_is_listed_with_its_lines() -> None:
    assert parse(MARKDOWN).dump(lines=True) == (
        "Document(front_matter=FrontMatter({'title': 'Example'}))  # line 1\n"
        "  Heading(1)  # line 4\n"
        "    'Results '\n"
        "    Emphasis\n"
        "      'so far'\n"
        "  List  # line 6\n"
        "    TaskItem(checked=True)  # line 6\n"
        "      Paragraph  # line 6\n"
        "        'done'\n"
        "  Table  # line 8\n"
        "    header: TableRow  # line 8\n"
        "      TableCell(align=1)  # line 8\n"
        "        'a'\n"
        "      TableCell  # line 8\n"
        "        MathSpan('x')\n"
        "    TableRow  # line 10\n"
        "      TableCell(align=1)  # line 10\n"
        "        '1'\n"
        "      TableCell  # line 10\n"
        "        Image('u.png', title='t')\n"
        "          'alt'\n"
        "  Paragraph  # line 12\n"
        "    'Text'\n"
        "    FootnoteReference('1')\n"
        "  footnote_definitions: FootnoteDefinition('1')  # line 14\n"
        "    Paragraph  # line 14\n"
        "      'Note'\n"
    )


def test_trees_are_equal_wherever_they_stand() -> None:
    assert parse("# A\n\n`b`") == parse("\n\n# A\n\n\n``b``")
    assert parse("# A") == Document([nodes.Heading(1, [nodes.RawText("A")])])
    assert parse("# A") != parse("A\n=")
    assert parse("a [b](c)") != parse('a [b](c "d")')
    assert parse("a") != "a"


def test_nodes_are_no_keys() -> None:
    with pytest.raises(TypeError, match=r"^a Paragraph has no hash, .*: use id\(node\) as the key$"):
        {nodes.Paragraph([])}


def test_parsed_tree_is_pickled_and_copied() -> None:
    document = parse(MARKDOWN)

    assert pickle.loads(pickle.dumps(document)) == deepcopy(document) == document


def test_position_of_a_node_is_that_in_the_source() -> None:
    document = parse(MARKDOWN)
    positions = {type(node): document.position_of(node) for node in nodes.walk(document)}

    assert positions[nodes.Image] == SourcePosition(10, 7, '![alt](u.png "t")')
    assert positions[nodes.Table] == SourcePosition(8)
    assert positions[nodes.Emphasis] == SourcePosition()


EMAIL = b"Subject: A\nContent-Type: text/html\n\n<p>a <b>b</b></p>"

NOTEBOOK = json.dumps(
    {
        "cells": [{"cell_type": "markdown", "source": "a[^1]\n\n[^1]: b"}],
        "metadata": {},
        "nbformat": 4,
        "nbformat_minor": 5,
    }
).encode()

FENCED = "```js title=a\nb\n```\n\n> [!NOTE] *T*\n> a\n\n<details open><summary>a</summary>\n\n- b\n\n</details>\n"

READERS: dict[str, Callable[[], Document]] = {
    "parse": lambda: parse(MARKDOWN + FENCED),
    "parse with raw HTML as text": lambda: parse(FENCED, raw_html="escape"),
    "parse with a rewriter": lambda: parse(MARKDOWN, rewrite_url=lambda url: f"x{url.url}"),
    "parse with a fence": lambda: parse("```p\na\n```", fences={"p": lambda fence: nodes.Quote(fence.parse("*a*"))}),
    "parse with a transform": lambda: parse(MARKDOWN, transform=lambda document: nodes.transform(document, uppercase)),
    "parse with a transform that fails": lambda: parse(MARKDOWN, transform=lambda _: 1 / 0),  # type: ignore[arg-type,return-value]
    "from_json": lambda: from_json(to_json(parse(MARKDOWN))),
    "from_json with raw HTML": lambda: from_json(to_json(parse("<b>a</b> <i>", raw_html="keep"))),
    "read_html": lambda: read_html("<p>a <b>b</b><table><tr><th>c<tr><td>d</table>").document,
    "an email": lambda: read_file(EMAIL, ".eml").document,
    "a notebook": lambda: read_file(NOTEBOOK, ".ipynb").document,
    "CSV": lambda: read_file(b"a,b\n1,2\n", ".csv").document,
    "replace": lambda: nodes.replace(parse(MARKDOWN), children=[nodes.Paragraph([nodes.RawText("a")])]),
    "transform": lambda: nodes.transform(parse(MARKDOWN), uppercase),
    "by hand": lambda: Document([nodes.HtmlElement("div", {"align": "left"}, [nodes.List([nodes.ListItem([])])])]),
}


@pytest.mark.parametrize("reader", READERS)
def test_no_node_of_a_finished_tree_changes(reader: str) -> None:
    for node in nodes.walk(READERS[reader]()):
        kind: Any = type(node)
        for name in slots_of(kind):
            with pytest.raises(FrozenTree, match=rf"^a {type(node).__name__} cannot be changed; use `nodes.replace"):
                setattr(node, name, None)
            with pytest.raises(FrozenTree):
                delattr(node, name)
            assert not isinstance(getattr(node, name), list)
        with pytest.raises(FrozenTree):
            node.anything = 1


def test_mappings_of_nodes_do_not_change() -> None:
    fence, *_, details = parse(FENCED).children
    assert isinstance(fence, nodes.CodeFence)
    assert isinstance(details, nodes.HtmlElement)

    for mapping in (fence.options, details.attributes):
        before = dict(mapping)
        changes: list[Callable[[Any], object]] = [
            lambda each: each.update(onclick="a()"),
            lambda each: each.__setitem__("onclick", "a()"),
            lambda each: each.__ior__({"onclick": "a()"}),
            lambda each: each.setdefault("onclick", "a()"),
            lambda each: each.clear(),
            lambda each: each.pop(next(iter(each))),
        ]
        for change in changes:
            with pytest.raises((AttributeError, TypeError), match="mappingproxy"):
                change(mapping)
        assert mapping == before


INVALID: dict[str, tuple[Callable[[], object], str]] = {
    "level": (lambda: nodes.Heading(9, []), "level must be 1 to 6 (got 9)"),
    "level of a changed node": (
        lambda: nodes.replace(nodes.Heading(1, []), level=0),
        "level must be 1 to 6 (got 0)",
    ),
    "level below an underline": (lambda: nodes.SetextHeading(3, []), "level must be 1 to 2 (got 3)"),
    "tag": (lambda: nodes.HtmlElement("script", {}, []), "tag must be one that Markdown may contain (got 'script')"),
    "handler": (
        lambda: nodes.HtmlElement("p", {"onclick": "x()"}, []),
        "attributes must be allowed on `p` (got onclick='x()')",
    ),
    "string of children": (
        lambda: nodes.Paragraph("text"),  # type: ignore[arg-type]
        "children must be a list or tuple of inlines, such as nodes.RawText (got 'text')",
    ),
    "block among inlines": (
        lambda: nodes.Emphasis([nodes.Paragraph([])]),
        "children must be inlines, such as nodes.RawText (got nodes.Paragraph)",
    ),
    "inline among blocks": (
        lambda: nodes.Quote([nodes.RawText("x")]),
        "children must be blocks, such as nodes.Paragraph (got nodes.RawText)",
    ),
    "item alone": (
        lambda: Document([nodes.ListItem([])]),
        "children must be blocks, such as nodes.Paragraph (got nodes.ListItem)",
    ),
    "alignment": (lambda: nodes.TableCell([], align=2), "align must be one of None, -1, 0, 1 (got 2)"),  # type: ignore[arg-type]
    "header": (lambda: nodes.Table(nodes.Quote([]), []), "header must be a nodes.TableRow (got nodes.Quote)"),  # type: ignore[arg-type]
    "short row": (
        lambda: nodes.Table(nodes.TableRow([nodes.TableCell([])]), [nodes.TableRow([])]),
        "children must be rows of as many cells as the header, 1 (got 0)",
    ),
    "bytes": (lambda: nodes.RawText(b"x"), "content must be a str (got b'x')"),  # type: ignore[arg-type]
    "figure": (
        lambda: nodes.Figure("plantuml", "", language="plantuml"),
        "kind must be one of 'mermaid', 'dot', 'chart' (got 'plantuml')",
    ),
    "checkbox": (lambda: nodes.TaskItem([], checked=1), "checked must be a bool (got 1)"),  # type: ignore[arg-type]
    "front matter": (
        lambda: Document([], front_matter={"a": ["b", 5]}),  # type: ignore[dict-item]
        "front_matter must be a mapping of strings, lists and mappings (got 5)",
    ),
}


@pytest.mark.parametrize("case", INVALID)
def test_node_that_breaks_a_rule_is_refused(case: str) -> None:
    make, message = INVALID[case]

    with pytest.raises(InvalidArgument) as caught:
        make()
    assert str(caught.value) == message


def test_class_of_nodes_is_not_derived_from() -> None:
    class Odd(nodes.Paragraph):
        pass

    with pytest.raises(InvalidArgument, match=r"^Odd must not be derived from Paragraph$"):
        Odd([])


def test_what_is_computed_from_a_tree_follows_its_changes() -> None:
    def renamed(node: nodes.Token) -> nodes.Token:
        return nodes.replace(node, children=[nodes.RawText("New words")]) if isinstance(node, nodes.Heading) else node

    document = parse("# Old\n\nText\n\n## Old\n")
    before = render(document, to="page", options=PageOptions(toc=True)).html
    changed = nodes.transform(document, renamed)
    after = render(changed, to="page", options=PageOptions(toc=True)).html

    assert (document.title, document.word_count) == ("Old", 3)
    assert (changed.title, changed.word_count) == ("New words", 5)
    assert after == before.replace("Old", "New words").replace("old", "new-words")
    assert (
        convert("# Old\n\nText\n\n## Old\n", to="html", transform=lambda _: changed).html
        == render(changed, to="html").html
    )


@pytest.mark.parametrize(
    ("node", "changes", "expected"),
    [
        (nodes.CodeFence("a", language="py"), {"language": "js"}, nodes.CodeFence("a", language="js")),
        (nodes.CodeFence("a", language="py", info_string="py x"), {"content": "b"}, nodes.CodeFence("b", language="py", info_string="py x")),
        (nodes.AutoLink("http://a"), {"content": "http://b"}, nodes.AutoLink("http://b")),
        (nodes.MathSpan("x"), {"display": True}, nodes.MathSpan("x", display=True)),
    ],
)  # fmt: skip
def test_argument_that_others_determine_follows_them(node: nodes.Token, changes: Any, expected: nodes.Token) -> None:
    assert nodes.replace(node, **changes) == expected


def uppercase(node: nodes.Token) -> nodes.Token:
    return nodes.RawText(node.content.upper()) if isinstance(node, nodes.RawText) else node


def test_replaced_nodes_leave_the_original_as_it_was() -> None:
    document = parse("# A *b*\n\n| c |\n|---|\n| d |\n\ne[^1]\n\n[^1]: f")
    before = document.dump()

    replaced = nodes.transform(document, uppercase)

    assert replaced == parse("# A *B*\n\n| C |\n|---|\n| D |\n\nE[^1]\n\n[^1]: F")
    assert document.dump() == before


def test_node_is_replaced_by_several_or_none() -> None:
    def without_emphasis(node: nodes.Token) -> nodes.Replacement:
        if isinstance(node, nodes.ThematicBreak):
            return None
        return node.children if isinstance(node, nodes.Emphasis) else node

    assert render(nodes.transform(parse("a *b **c***\n\n---\n"), without_emphasis), to="html").html == (
        "<p>a b <strong>c</strong></p>\n"
    )


def test_replacement_that_does_not_belong_there_is_refused() -> None:
    with pytest.raises(InvalidArgument, match="must be inlines"):
        nodes.transform(parse("a"), lambda node: nodes.Paragraph([]) if isinstance(node, nodes.RawText) else node)


def test_notice_about_a_replaced_tree_has_its_position() -> None:
    replaced = nodes.transform(parse("a\n\nb ![c](d.png)"), uppercase)

    (notice,) = render(replaced, to="email").notices
    assert (notice.line, notice.column) == (3, 3)


@pytest.mark.parametrize(
    ("returned", "message"),
    [
        ("text", r"^function must return a node, a list of nodes or None \(got str\)$"),
        (["text"], r"^function must return a node, a list of nodes or None \(got str\)$"),
        (None, r"^function must return one node for `header` \(got 0\)$"),
    ],
)
def test_wrong_replacement_is_an_error(returned: Any, message: str) -> None:
    def for_row(node: nodes.Token) -> Any:
        return returned if isinstance(node, nodes.TableRow) else node

    with pytest.raises(InvalidArgument, match=message):
        nodes.transform(parse("| a |\n|---|"), for_row)


def test_json_names_types_and_arguments() -> None:
    assert json.loads(to_json(parse("# A **b**"))) == {
        "version": 1,
        "type": "Document",
        "line": 1,
        "children": [
            {
                "type": "Heading",
                "line": 1,
                "level": 1,
                "children": [
                    {"type": "RawText", "content": "A "},
                    {"type": "Strong", "children": [{"type": "RawText", "content": "b"}]},
                ],
            }
        ],
    }


def test_raw_html_in_json_is_sanitized_by_default() -> None:
    written = to_json(parse('<form>a <b onclick="x">c</b></form>', raw_html="keep"))

    assert render(from_json(written, raw_html="keep"), to="html").html == ('<form>a <b onclick="x">c</b></form>\n')
    assert render(from_json(written), to="html").html == "<p>a <strong>c</strong></p>\n"
    assert "&lt;form&gt;" in render(from_json(written, raw_html="escape"), to="html").html
    assert [notice.code for notice in from_json(written).notices] == ["unsupported-html"]


def test_json_cannot_say_that_it_is_trusted() -> None:
    link = {"type": "Link", "target": "javascript:a()", "children": [{"type": "RawText", "content": "b"}]}
    written = document_of({"type": "Paragraph", "children": [link]}, trusted=True)

    assert not from_json(written).trusted
    assert render(from_json(written), to="html").html == "<p><a>b</a></p>\n"


def document_of(*children: object, **fields: object) -> str:
    return json.dumps({"version": 1, "type": "Document", "children": children, **fields})


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("", "must be JSON: Expecting value"),
        ("[]", "must be an object with the type 'Document'"),
        ('{"type": "Document", "children": []}', r"`version` must be 1 \(got None\)"),
        ('{"type": "Document", "version": 2}', r"`version` must be 1 \(got 2\)"),
        ('{"type": "Document", "version": 1}', r"`children` must be a list \(got NoneType\)"),
        (document_of("text"), r"a node must be an object \(got str\)"),
        (document_of({"type": "Script"}), r"`type` must be the name of a node \(got 'Script'\)"),
        (document_of({"type": "Document", "children": []}), "`type` must be the name of a node"),
        (document_of({"type": "Heading", "children": []}), "`level` of nodes.Heading is missing"),
        (
            document_of({"type": "Heading", "level": 7, "children": []}),
            r"`level` of nodes.Heading must be 1 to 6 \(got 7\)",
        ),
        (document_of({"type": "ThematicBreak", "width": 1}), "nodes.ThematicBreak has no `width`"),
        (document_of({"type": "RawText", "content": "a"}), "`children` of nodes.Document must be blocks"),
        (
            document_of({"type": "TableRow", "children": [{"type": "RawText", "content": ""}]}),
            "must be nodes.TableCell",
        ),
        (document_of({"type": "MathBlock", "content": "x", "line": "1"}), "of a wrong type"),
        (document_of(footnote_definitions=1), "must be a list"),
        (
            document_of(footnote_definitions=[{"type": "Paragraph", "children": []}]),
            "`footnote_definitions` of nodes.Document must be nodes.FootnoteDefinition",
        ),
        (document_of(front_matter={"title": 1}), r"`front_matter` of nodes.Document must be a mapping of .* \(got 1\)"),
        (
            document_of(front_matter=[]),
            r"`front_matter` of nodes.Document must be a mapping \(got an object of builtins.list\)",
        ),
        (
            document_of(footnote_definitions=[{"type": "FootnoteDefinition", "label": [], "children": []}]),
            "must be a str",
        ),
        (
            document_of({"type": "HtmlElement", "tag": [], "attributes": {}, "children": []}),
            "`tag` of nodes.HtmlElement",
        ),
        (document_of().replace("1", "1" * 5_000), "must be JSON: Exceeds the limit"),
        (document_of(notices=[{"code": "a", "message": "b"}]), "each of `notices` must be an object with the fields"),
        (document_of(notices=[{"code": [], "message": "b"}]), "each of `notices` must be an object with the fields"),
        (document_of(notices=[{"code": "unsafe-link", "message": "b", "fix": "c"}]), "each of `notices`"),
        (document_of(notices=[{"code": "unsafe-link", "message": 1}]), "each of `notices` must be an object with"),
        (document_of(notices=[{"code": "a"}]), "each of `notices` must be an object with the fields of a Notice"),
        (
            document_of({"type": "HtmlElement", "tag": "script", "attributes": {}, "children": []}),
            "`tag` of nodes.HtmlElement must be one that Markdown may contain",
        ),
        (
            document_of({"type": "Paragraph", "children": [{"type": "FootnoteReference", "label": "x"}]}),
            "must be to a footnote of the document",
        ),
    ],
)
def test_json_of_no_tree_is_refused(content: str, message: str) -> None:
    with pytest.raises(InvalidArgument, match=f"^content .*{message}"):
        from_json(content)


def test_half_a_character_in_json_is_replaced() -> None:
    document = from_json(
        document_of(front_matter={"title": "a\ud800"}, notices=[{"code": "unsafe-link", "message": "\ud800"}])
    )

    assert document.front_matter["title"] == "a\ufffd"
    assert document.notices[0].message == "\ufffd"


@pytest.mark.parametrize("depth", [9, 100_000])
def test_json_of_a_deep_tree_is_refused(depth: int) -> None:
    quotes = '{"type": "Quote", "children": [' * depth + "]}" * depth

    with pytest.raises(LimitExceeded, match="max_depth"):
        from_json(f'{{"version": 1, "type": "Document", "children": [{quotes}]}}', limits=Limits(max_depth=4))


def test_json_past_the_size_of_an_input_is_refused() -> None:
    with pytest.raises(LimitExceeded, match="max_input_bytes"):
        from_json(to_json(parse("text")), limits=Limits(max_input_bytes=50))
