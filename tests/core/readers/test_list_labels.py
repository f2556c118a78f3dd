"""Labels such as `a)`, which come back from our outputs and from Word files."""

import pytest

from mdpublish_core import convert, parse, read_file, read_html, select_extensions
from mdpublish_core.nodes import List, walk

SOURCE = """\
a) one
b) two

   (iv) four
   (v) five

A.  big
B.  bigger

(1) example
(2) example

3) three
4) four

1. one
2. two
"""
LABELS = ["a)", "b)", "(iv)", "(v)", "A.", "B.", "(1)", "(2)", "3)", "4)", "1.", "2."]
PANDOC = select_extensions(["pandoc"])


def labels_of(markdown: str) -> list[str]:
    lists = [each for each in walk(parse(markdown)) if isinstance(each, List)]
    return [each.label(index) for each in lists for index, _ in enumerate(each.children)]


@pytest.mark.parametrize("output", ["html", "generic", "page"])
def test_labels_come_back_from_html(output: str) -> None:
    written = convert(SOURCE, to=output, extensions=PANDOC)

    read = read_html(written.html or "")

    assert read.notices == ()
    assert read.document.front_matter == {"extensions": "fancy-lists"}
    assert labels_of(read.markdown) == LABELS
    assert parse(read.markdown).children == read.document.children


def test_labels_come_back_from_word_files() -> None:
    written = convert(SOURCE, to="docx", extensions=PANDOC)

    read = read_file(written.to_bytes(), ".docx")

    assert read.notices == ()
    assert labels_of(read.markdown) == LABELS


@pytest.mark.parametrize(
    ("html", "markdown"),
    [
        ('<ol type="1"><li><bdi class="label">1)</bdi> a</li></ol>', "1) a\n"),
        ('<ol data-numbering="x)"><li>a</li></ol>', "1. a\n"),
        ('<ol type="q"><li>a</li></ol>', "1. a\n"),
        ('<ul><li>a<ol type="a"><li>b</li></ol></li></ul>', "- a\n  1. b\n"),
        ('<p><bdi class="label">a)</bdi> b</p>', "a) b\n"),
    ],
)
def test_what_markdown_has_needs_no_extension(html: str, markdown: str) -> None:
    assert read_html(html).markdown == markdown
