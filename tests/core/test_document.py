import pytest

from mdpublish_core import parse
from mdpublish_core.nodes import text_content, walk


@pytest.mark.parametrize(
    ("markdown", "title"),
    [
        ("", None),
        ("no heading", None),
        ("## b\n\n# a", "a"),
        ("b\n---\n\n### c", "b"),
        ("# A *b* `c` [d](/e) ![f](g)", "A b c d f"),
        ("#\n\n## b", "b"),
        ("> # quoted", "quoted"),
    ],
)
def test_title_is_the_first_heading_of_the_highest_level(markdown: str, title: str | None) -> None:
    assert parse(markdown).title == title


@pytest.mark.parametrize(
    ("markdown", "summary"),
    [
        ("", None),
        ("# only a heading\n\n- a list\n\n> a quotation\n\n```\ncode\n```", None),
        ("# a\n\nfirst *b* `c` [d](/e)<br>f\ng\n\nsecond", "first b c d f g"),
        ("[![Badge](/a.svg)](/b) ![Logo](/c.png)\n\nText with ![an icon](/d.png) in it.", "Text with in it."),
        ("…\n\n---\n\n***bold***", "bold"),
        ("<div align=center>\n\nIn the middle.\n\n</div>\n\nBelow.", "In the middle."),
        ("<https://example.org> $x$[^1]\n\n[^1]: note", "https://example.org x"),
        ('a "<b>" & c', 'a "" & c'),
        ("a  \t b\\\nc", "a b c"),
        ("a" * 200, "a" * 200),
        ("a" * 201, "a" * 199 + "…"),
        ("x" + "漢" * 300, "x" + "漢" * 198 + "…"),
        ("word " * 40, ("word " * 40).strip()),
        ("word " * 39 + "words more", "word " * 38 + "word…"),
        ("word " * 39 + "word, more", "word " * 38 + "word…"),
        ("b " + "a" * 300, "b " + "a" * 197 + "…"),
    ],
)
def test_summary_is_the_text_of_the_first_paragraph_that_has_any(markdown: str, summary: str | None) -> None:
    assert parse(markdown).summary == summary
    assert summary is None or len(summary) <= 200


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("", 0),
        ("one two\nthree", 3),
        ("# one\n\n- two\n- three", 3),
        ("don't re-use e.g. 3.14", 4),
        ("[one two](https://example.org/three)", 2),
        ("<https://example.org>", 0),
        ("a -- b * c — d", 4),
        ("|one|two|\n|-|-|\n|three||", 3),
        ("漢字かな and ｶﾅ", 7),
        ("```\none two\n```", 2),
        ("***", 0),
        ("mi**d**word", 1),
    ],
)
def test_words_are_those_a_reader_sees(markdown: str, words: int) -> None:
    assert parse(markdown).word_count == words


def test_walk_meets_every_token_in_the_order_of_the_source() -> None:
    document = parse("# a\n\n> b\n\n- c\n\n|d|e|\n|-|-|\n|f|g|\n")

    assert "".join(text_content(token) for token in walk(document) if type(token).__name__ == "RawText") == "abcdefg"


def test_document_shows_what_it_is() -> None:
    assert "Document" in repr(parse("a"))
