"""Law: `from_json` and `to_json` are inverse; a copy of a tree is equal to it, and renders alike."""

from dataclasses import replace

from hypothesis import given

from mdpublish_core import Document, from_json, nodes, parse, render, to_json
from mdpublish_core.options.extensions import RawHtml
from mdpublish_core.testing import documents, hostile_text
from mdpublish_core.writers.outputs import DESTINATIONS


def assert_inverse(document: Document, *, raw_html: RawHtml = "keep") -> None:
    written = to_json(document)
    read = from_json(written, raw_html=raw_html)

    assert read == document
    assert read.dump(lines=True) == document.dump(lines=True)
    assert read.notices == document.notices
    assert to_json(read) == written


@given(hostile_text())
def test_parsed_document_survives_json(markdown: str) -> None:
    assert_inverse(parse(markdown), raw_html="sanitize")


@given(hostile_text())
def test_trusted_document_survives_json(markdown: str) -> None:
    assert_inverse(parse(markdown, raw_html="keep"))


@given(documents())
def test_document_built_by_hand_survives_json(document: Document) -> None:
    assert_inverse(document)


@given(hostile_text())
def test_document_read_from_json_renders_alike(markdown: str) -> None:
    document = parse(markdown)

    read = from_json(to_json(document))

    for destination in DESTINATIONS:
        rendered, expected = render(read, to=destination), render(document, to=destination)
        assert replace(rendered, notices=()) == replace(expected, notices=())
        assert [notice.message for notice in rendered.notices] == [notice.message for notice in expected.notices]


@given(documents())
def test_tree_replaced_by_itself_is_equal(document: Document) -> None:
    copied = nodes.transform(document, lambda node: node)

    assert copied == document
    assert copied.dump(lines=True) == document.dump(lines=True)
    assert all(one is not other for one, other in zip(nodes.walk(copied), nodes.walk(document), strict=True))


@given(hostile_text(), hostile_text())
def test_equal_trees_are_dumped_and_rendered_alike(one: str, other: str) -> None:
    left, right = parse(one), parse(other)

    assert (left == right) == (left.dump() == right.dump())
    if left == right:
        assert render(left, to="html").html == render(right, to="html").html
