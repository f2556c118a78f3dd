from xml.etree.ElementTree import ParseError

import pytest

from tests.linters.tree import COMMENT, read_document, read_fragment, read_xml


def test_fragment_keeps_text_comments_and_order() -> None:
    root, errors = read_fragment('a<p class="b">c<br/>d<!--e--></p>f')

    assert errors == []
    assert root.text() == "acdf"
    assert [node.tag for node in root.walk()] == ["div", "p", "br", COMMENT]
    assert [(str(node), text) for node, text in root.pieces()] == [
        ("<div>", "a"),
        ("<p>", "c"),
        ("<p>", "d"),
        ("<div>", "f"),
    ]


def test_element_knows_what_it_stands_in() -> None:
    root, _ = read_document("<!DOCTYPE html><title>a</title><p><b>c</b>")
    (bold,) = root.find("b")

    assert [node.tag for node in bold.above()] == ["p", "body", "html"]


def test_errors_are_named_with_their_place() -> None:
    _, errors = read_fragment("<p>\n<b>a</p>")

    assert len(errors) == 1
    assert "at line 2" in errors[0]


def test_last_declaration_of_a_property_counts() -> None:
    root, _ = read_fragment('<p style="color:red;color:blue">a</p>')

    assert root.elements[0].style == {"color": "blue"}
    assert len(root.elements[0].declarations) == 2


def test_xml_is_read_without_its_namespace() -> None:
    root = read_xml('<html xmlns="http://www.w3.org/1999/xhtml"><!--a--><p>b</p></html>')

    assert [node.tag for node in root.walk()] == ["html", COMMENT, "p"]


def test_what_is_no_xml_is_refused() -> None:
    with pytest.raises(ParseError):
        read_xml("<p>a<br></p>")


def test_deep_nesting_is_read() -> None:
    depth = 3_000
    root = read_xml("<b>" * depth + "a" + "</b>" * depth)

    assert root.text() == "a"
    assert sum(1 for _ in root.walk()) == depth
