"""What a version has and another has not is marked in it."""

from mdpublish_core import convert, nodes, parse, render
from mdpublish_core.merging.versions import mark_changes
from tests.cases.case_files import all_cases

INS = nodes.HtmlElement("ins", {}, [])


def marked(before: str, after: str) -> str:
    return render(mark_changes(parse(after), parse(before), INS), to="html").text


def test_changed_words_are_marked_inside_of_their_emphasis_and_cells() -> None:
    before = "On **14 October**.\n\nSame.\n\n| a | b |\n|---|---|\n| x | 12 |\n"

    page = marked(before, before.replace("14", "21").replace("12", "9"))

    assert "<strong><ins>21</ins> October</strong>" in page
    assert "<td><ins>9</ins></td>" in page
    assert page.count("<ins>") == 2


def test_word_with_new_emphasis_and_paragraph_in_a_new_place_are_marked() -> None:
    assert "<ins><strong>a</strong></ins> b" in marked("a b", "**a** b")
    assert "<ins>a b</ins>" in marked("a b\n\nc", "> a b\n\nc")


def test_changed_figure_formula_and_code_are_marked_as_a_whole() -> None:
    before = "```mermaid\ngraph LR\n A-->B\n```\n\n$$\nx\n$$\n\n```\ncode\n```\n"

    page = marked(before, before.replace("A-->B", "A-->C").replace("x\n$", "y\n$").replace("code", "more"))

    assert page.count("<ins>") == page.count("<ins>\n") == 3


def test_equal_versions_have_no_marks_and_every_construct_can_be_marked() -> None:
    for case in all_cases():
        document = parse(case.markdown)
        render(mark_changes(document, parse("Other."), INS), to="page", plain_text=False)
        assert marked(case.markdown, case.markdown) == convert(case.markdown, to="html").text
