"""The extension `inline-notes`: `^[text]`, a footnote whose text stands at its reference, as in Pandoc."""

import pytest

from mdpublish_core import Document, convert, parse, select_extensions, to_markdown
from mdpublish_core.nodes import Link, walk
from mdpublish_core.testing.steps import count_steps

NOTES = select_extensions(["inline-notes"])


def read(markdown: str) -> Document:
    return parse(markdown, extensions=NOTES)


def plain_text(markdown: str) -> str:
    return convert(markdown, to="plain-text", extensions=NOTES).text


def test_note_is_a_footnote_at_its_reference() -> None:
    assert plain_text("Sold out.^[In two *weeks*.] Again.") == "Sold out.[1] Again.\n\n[1] In two weeks.\n"


def test_notes_are_numbered_with_footnotes_in_the_order_of_their_references() -> None:
    assert plain_text("a[^x] b^[second] c[^y]\n\n[^y]: third\n\n[^x]: first\n").endswith(
        "[1] first\n[2] second\n[3] third\n"
    )


def test_label_of_a_note_is_no_other_footnote_s() -> None:
    document = read("a^[mine] b[^note-1]\n\n[^note-1]: theirs")

    assert [note.label for note in document.footnote_definitions] == ["note-2", "note-1"]


def test_note_may_hold_links_and_other_brackets() -> None:
    document = read("a^[see [b](c), [d] and *e*] f")

    assert [link.target for link in walk(document) if isinstance(link, Link)] == ["c"]
    assert plain_text("a^[see [d] and *e*] f") == "a[1] f\n\n[1] see [d] and e\n"


def test_link_after_a_note_stays_a_link() -> None:
    assert 'href="u"' in convert("a^[note](x) [b](u)", to="html", extensions=NOTES).html


def test_escaped_empty_or_unclosed_note_is_text() -> None:
    for source, shown in (
        ("a\\^[b]", "a^[b]"),
        ("a^[]", "a^[]"),
        ("a^[ ]", "a^[ ]"),
        ("a^[b", "a^[b"),
        ("`^[b]`", "^[b]"),
    ):
        assert plain_text(source) == f"{shown}\n"


def test_superscripts_are_read_beside_notes() -> None:
    extensions = select_extensions(["inline-notes", "sub-superscript"])

    assert convert("x^2^ y^[z]", to="html", extensions=extensions).html.startswith("<p>x<sup>2</sup> y<sup class=")


def test_raw_html_of_a_note_is_sanitized() -> None:
    html = convert("a^[<b>c</b> <img src=x onerror=y>]", to="html", extensions=NOTES).html

    assert "<strong>c</strong>" in html
    assert "onerror" not in html


def test_note_is_written_as_a_footnote_and_read_again() -> None:
    document = read("a^[b *c*] d \\^[e f]")
    written = to_markdown(document)

    assert "[^note-1]: b *c*" in written
    assert read(written) == document


@pytest.mark.parametrize("piece", ["^[a ", "^[a] ", "^[", "^[[a](b) ", "]^[a"])
def test_time_is_linear(piece: str) -> None:
    few, many = (count_steps(lambda count=count: read(piece * count)) for count in (100, 1000))  # type: ignore[misc]

    assert many < 12 * few
