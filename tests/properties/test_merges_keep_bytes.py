"""Law: a document that nobody edited merges into the bytes of its source, and an edited block changes no other."""

from difflib import SequenceMatcher
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_core import Converter, nodes, read_file, read_html
from mdpublish_core.importing import Imported
from mdpublish_core.merging import Merged, merge
from tests.cases.case_files import all_cases
from tests.corpora.commonmark import commonmark_examples

OUTPUTS = ("google-docs", "word", "onenote", "email", "generic", "html", "page", "docx")
FOLDER = Path(__file__).parents[2]
PAGES = [*(FOLDER / "docs" / "how-to").glob("*.md"), *(FOLDER / "tests" / "cases" / "assistants").glob("*.md")]

_BLOCKS = st.sampled_from(
    [
        "# Head __line__",
        "Setext\n======",
        "Some *marked* words\nin two lines.",
        "* one\n* two\n    * deep\n* three",
        "3) three\n4) four\n\n   more of four",
        "a|b\n--|:-:\n1|2\n3|4",
        "> quoted\n> text\n>\n> - item",
        "> [!TIP]\n> called out",
        "~~~py\nx = 1\n~~~",
        "    indented = 1",
        "- [ ] open\n- [x] done",
        "***",
        "Math $a_1$ and a note[^n].",
        "[^n]: The note.",
        "A [named][ref] link.",
        "[ref]: https://example.org",
        "<!-- remark -->",
    ]
)
_DOCUMENTS = st.lists(_BLOCKS, min_size=1, max_size=8).map("\n\n".join)


def returned(markdown: str, converter: Converter) -> Imported:
    conversion = converter.convert(markdown)
    if isinstance(conversion.content, bytes):
        return read_file(conversion.content, conversion.suffix)
    return read_html(conversion.html)


def stays(markdown: str, output: str) -> bool:
    converter = Converter(to=output)
    return merge(markdown, returned(markdown, converter), converter) == Merged(markdown, 0, ())


@given(_DOCUMENTS, st.sampled_from(OUTPUTS))
def test_generated_document_stays(markdown: str, output: str) -> None:
    assert stays(markdown, output)


def corpus() -> list[str]:
    examples = [*(case.markdown for case in all_cases()), *(each.markdown for each in commonmark_examples())]
    return [*examples, *(path.read_text("utf-8") for path in PAGES)]


def test_every_hundredth_document_stays() -> None:
    assert [(output, each) for each in corpus()[::100] for output in OUTPUTS if not stays(each, output)] == []


@pytest.mark.nightly
def test_every_document_stays() -> None:
    assert [(output, each) for each in corpus() for output in OUTPUTS if not stays(each, output)] == []


def is_word(token: nodes.Token) -> bool:
    return isinstance(token, nodes.RawText) and token.content.isalpha()


@given(_DOCUMENTS, st.data(), st.sampled_from(["google-docs", "docx", "page"]))
def test_edited_word_changes_its_line_alone(markdown: str, data: st.DataObject, output: str) -> None:
    converter = Converter(to=output)
    read = returned(markdown, converter)
    number = sum(map(is_word, nodes.walk(read.document)))
    if not number:
        return
    left = data.draw(st.integers(0, number - 1))

    def edited(token: nodes.Token) -> nodes.Token:
        nonlocal left
        left -= is_word(token)
        return nodes.RawText("changed") if is_word(token) and left == -1 else token

    result = merge(markdown, Imported(nodes.transform(read.document, edited), read.media), converter)

    assert "merge-rewritten" not in {notice.code for notice in result.notices}
    before, after = markdown.split("\n"), result.markdown.split("\n")
    changes = [
        each for each in SequenceMatcher(None, before, after, autojunk=False).get_opcodes() if each[0] != "equal"
    ]
    assert all(kind == "replace" and end - start == 1 for kind, start, end, _, _ in changes)
    assert len(changes) <= 1
