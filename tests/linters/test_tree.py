from xml.etree.ElementTree import ParseError

import pytest

from tests.linters.tree import COMMENT, parse_document, parse_fragment, parse_xml


def test_fragment_preserves_text_comments_and_sequence() -> None:
    root, errors = parse_fragment('a<p class="b">c<br/>d<!--e--></p>f')

    assert errors == []
    assert root.text_content() == "acdf"
    assert [node.tag for node in root.walk()] == ["div", "p", "br", COMMENT]
    assert [(str(node), content) for node, content in root.text_parts()] == [
        ("<div>", "a"),
        ("<p>", "c"),
        ("<p>", "d"),
        ("<div>", "f"),
    ]


def test_element_knows_its_ancestors() -> None:
    root, _ = parse_document("<!DOCTYPE html><title>a</title><p><b>c</b>")
    (bold,) = root.find("b")

    assert [node.tag for node in bold.ancestors()] == ["p", "body", "html"]


def test_errors_are_reported_with_their_position() -> None:
    _, errors = parse_fragment("<p>\n<b>a</p>")

    assert len(errors) == 1
    assert "at line 2" in errors[0]


def test_last_declaration_of_a_property_counts() -> None:
    root, _ = parse_fragment('<p style="color:red;color:blue">a</p>')

    assert root.elements[0].style == {"color": "blue"}
    assert len(root.elements[0].declarations) == 2


def test_xml_is_read_without_its_namespace() -> None:
    root = parse_xml('<html xmlns="http://www.w3.org/1999/xhtml"><!--a--><p>b</p></html>')

    assert [node.tag for node in root.walk()] == ["html", COMMENT, "p"]


def test_what_is_no_xml_is_refused() -> None:
    with pytest.raises(ParseError):
        parse_xml("<p>a<br></p>")


def test_deep_nesting_is_read() -> None:
    depth = 3_000
    root = parse_xml("<b>" * depth + "a" + "</b>" * depth)

    assert root.text_content() == "a"
    assert sum(1 for _ in root.walk()) == depth
