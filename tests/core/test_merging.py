"""What is changed in a document comes back into its source; the rest of the source keeps its bytes."""

from difflib import ndiff

import pytest

from mdpublish_core import Converter, convert, parse, read_file, read_html
from mdpublish_core.importing import Imported
from mdpublish_core.merging import Merged, find_converter, merge
from mdpublish_core.merging.alignment import match, three_way
from mdpublish_core.merging.inlines import carry
from mdpublish_core.testing.steps import count_steps

TO_DOCS = Converter(to="google-docs")
TO_PAGE = Converter(to="page")


def sent(markdown: str, converter: Converter = TO_DOCS) -> str:
    return converter.convert(markdown).html


def merged(
    markdown: str, *replacements: tuple[str, str], converter: Converter = TO_DOCS, ours: str | None = None
) -> Merged:
    """Merge a document that was made of Markdown, and in whose HTML texts have been replaced."""
    html = sent(markdown, converter)
    for old, new in replacements:
        assert old in html, old
        html = html.replace(old, new)
    return merge(markdown, read_html(html), converter, ours=ours)


def changes(before: str, after: str) -> list[str]:
    return [line for line in ndiff(before.splitlines(), after.splitlines()) if line[0] in "+-"]


def test_word_is_replaced_between_lines_of_the_source() -> None:
    source = "Title\n=====\n\nA __strong__ word, and *one\nmore* in the same text.\n"

    assert merged(source, ("more", "two")).markdown == source.replace("more", "two")


def test_lines_that_end_in_a_carriage_return_alone_are_lines() -> None:
    """Found by fuzzing: the parser counted more lines than the merge."""
    source = "# Title\r\rA *word*.\r\rAnother.\n\nLast."

    assert merged(source, ("Another", "A new one")).markdown.splitlines() == [
        *("# Title", "", "A *word*.", "", "A new one.", "", "Last.")
    ]


def test_rule_in_place_of_a_text_is_the_rule() -> None:
    """Found by fuzzing: the words of the text were to be written into the rule."""
    paragraph, rule = parse("Two.\n").children[0], parse("---\n").children[0]

    assert carry(paragraph, paragraph, rule, frozenset()).leaf is rule


def test_formula_and_footnote_that_docs_shows_as_text_stay_beside_an_edit() -> None:
    source = "See $x^2 + y$ now.[^a]\n\n[^a]: A *note*.\n"

    assert merged(source, ("now.", "then.")).markdown == source.replace("now", "then")


def test_formula_that_is_edited_is_its_text_and_a_notice() -> None:
    result = merged("Take $a + b$ here.\n", ("<i>a</i>", "<i>c</i>"), converter=Converter(to="word"))

    assert [notice.code for notice in result.notices] in ([], ["merge-replaced"])


@pytest.mark.parametrize(
    ("edited", "expected"),
    [("x dx", "x\\,dx"), ("x dy", "xdy"), ("x\\;dx", "x\\;dx"), ("x\\quad dx", "x\\quad dx")],
    ids=["no spaces", "letter", "other space", "wider space"],
)
def test_spaces_of_formulas_stay_unless_others_come(edited: str, expected: str) -> None:
    converter = Converter(to="docx")
    source = "$$\n\\int_0^1 x\\,dx\n$$\n\nThe area is $A\\,m$.\n"
    file = converter.convert(source.replace("x\\,dx", edited).replace("A\\,m", "Am")).to_bytes()

    result = merge(source, read_file(file, ".docx"), converter)

    assert result.markdown.replace("1 x", "1x") == source.replace("x\\,dx", expected).replace("1 x", "1x")


def test_links_that_an_editor_wrote_from_another_folder_stay() -> None:
    source = "See [a](docs/a.md), [b](b.md#part) and [the web](https://example.org).\n"
    elsewhere = source.replace("docs/a", "../docs/a").replace("(b.md", "(../b.md")

    assert merge(source, read_html(sent(elsewhere, TO_PAGE)), TO_PAGE) == Merged(source, 0, ())
    edited = source.replace("docs/a", "../docs/a")
    assert merge(source, read_html(sent(edited, TO_PAGE)), TO_PAGE) == Merged(edited, 0, ())


def test_links_stay_that_an_editor_made_links_to_its_own_files() -> None:
    source = "See [a](docs/a.md) and [the web](https://example.org).\n"

    result = merged(source, ("docs/a.md", "file:///home/ann/docs/a.md"), ("See", "Read"), converter=TO_PAGE)

    assert result.markdown == source.replace("See", "Read")
    assert [notice.message for notice in result.notices] == [
        "the edited document has no links to files; those of the source stay"
    ]


def test_anchor_above_a_heading_stays_beside_edits_around_it() -> None:
    source = '* [Part](#own)\n\nText.\n\n<a id="own"></a>\n## Part\n\nMore.\n'
    converter = Converter(to="docx")
    replacements = [("Text.", "Words."), ("Text.", "Text.\n\nNew."), ("Text.\n\n", ""), ("## Part", "## Chapter")]

    for old, new in replacements:
        edited = source.replace(old, new)
        file = converter.convert(edited.replace("(#own)", "(#chapter)" if "Ch" in new else "(#own)")).to_bytes()
        assert merge(source, read_file(file, ".docx"), converter) == Merged(edited, 0, ())


def test_link_by_a_definition_stays_one() -> None:
    source = "Read [the site][s] today.\n\n[s]: https://example.org 'T'\n"

    assert merged(source, ("today", "soon")).markdown == source.replace("today", "soon")


def test_item_in_a_list_is_one_line() -> None:
    source = "* one\n* two\n    * deep\n* three\n"

    assert merged(source, ("deep", "deeper")).markdown == source.replace("deep", "deeper")


def test_new_item_has_the_marker_and_the_indentation_of_its_list() -> None:
    source = "> * one\n> * two\n>     * deep\n\n- end\n"
    html = sent(source, TO_PAGE).replace("<li>deep", "<li>new</li><li>deep")

    result = merge(source, read_html(html), TO_PAGE)

    assert changes(source, result.markdown) == ["+ >     * new"]


def test_new_row_and_changed_cell_leave_other_rows_as_they_are() -> None:
    source = "a|b\n:--|--:\none|1\ntwo|2\n"
    html = sent(source, TO_PAGE).replace("one", "first")

    assert merge(source, read_html(html), TO_PAGE).markdown == source.replace("one", "first")


def test_deleted_item_takes_its_line_alone() -> None:
    source = "1) one\n2) two\n3) three\n"

    assert merge(source, read_html(sent("1. one\n3. three\n", TO_PAGE)), TO_PAGE).markdown == "1) one\n3) three\n"


def test_checked_box_is_one_letter() -> None:
    source = "* [ ] Call\n* [x] Pay\n"
    back = read_html(sent(source.replace("[ ]", "[x]"), TO_PAGE))

    assert merge(source, back, TO_PAGE).markdown == source.replace("[ ]", "[x]")


def test_figure_stays_its_source() -> None:
    source = "```mermaid\ngraph TD; A-->B\n```\n\nA caption.\n"

    assert merged(source, ("caption", "title")).markdown == source.replace("caption", "title")


def test_language_of_code_stays_when_the_code_is_edited() -> None:
    source = "~~~python title=x\ntotal = price\n~~~\n"

    assert merged(source, ("price", "cost")).markdown == source.replace("price", "cost")


def test_level_of_a_heading_changes_its_marks_alone() -> None:
    source = "## A ##\n\ntext\n"
    back = read_html(sent("### A\n\ntext\n", TO_PAGE))

    assert merge(source, back, TO_PAGE).markdown == "### A ##\n\ntext\n"


def test_new_mark_around_words_is_written_there_alone() -> None:
    source = "Some _old_ words\nin two lines.\n"

    assert merged(source, ("two lines", "<b>two lines</b>"), converter=TO_PAGE).markdown == source.replace(
        "two lines", "**two lines**"
    )


def test_moved_paragraph_takes_its_source_along() -> None:
    source = "First with $x$.\n\nSecond one is here.\n\nThird text stays.\n"
    back = read_html(sent("Second one is here.\n\nThird text stays.\n\nFirst with $x$.\n", TO_PAGE))

    assert merge(source, back, TO_PAGE).markdown == ("Second one is here.\n\nThird text stays.\n\nFirst with $x$.\n")


def test_quotes_that_the_editor_does_not_know_stay_with_a_notice() -> None:
    source = "> Quoted words\n> stay here.\n\nEnd.\n"
    result = merge(source, read_html("<p>Quoted texts stay here.</p><p>End.</p>"), TO_PAGE)

    assert result.markdown == source.replace("words", "texts")
    assert [(notice.code, notice.message) for notice in result.notices] == [
        ("merge-kept", "the edited document has no quotes; those of the source stay")
    ]


def test_callout_without_its_title_has_the_mark_of_its_kind() -> None:
    source = "Before.\n\n> [!WARNING] Take care\n> It is hot.\n"
    read = read_html(sent("Before.\n\nIt is hot.\n"))

    assert merge(source, read, TO_DOCS).markdown == "Before.\n\n> [!WARNING]\n> It is hot.\n"


def test_line_ends_and_front_matter_stay() -> None:
    source = "---\r\nauthor: Ada\r\n---\r\n\r\nOne line.\r\n\r\nTwo lines.\r\n"
    html = sent(source, TO_PAGE).replace("One line.</p>", "A line.</p><p>New text.</p>")

    assert merge(source, read_html(html), TO_PAGE).markdown == source.replace(
        "One line.\r\n", "A line.\r\n\r\nNew text.\r\n"
    )


def test_added_image_gets_the_url_that_is_asked_for() -> None:
    pixel = "data:image/gif;base64,R0lGODlhAQABAAAAACw="
    html = sent("Text.\n", TO_PAGE).replace("Text.</p>", f'Text.</p><p><img src="{pixel}" alt="dot"></p>')

    result = merge("Text.\n", read_html(html), TO_PAGE, media_url=lambda media: f"images/{media.alt}.gif")

    assert result.markdown == "Text.\n\n![dot](images/dot.gif)\n"


def test_both_sides_are_merged_where_they_changed_different_items() -> None:
    source = "- one\n- two\n- three\n"

    result = merged(source, ("two", "second"), ours="- first\n- two\n- third\n")

    assert result == Merged("- first\n- second\n- third\n", 0, ())


def test_block_that_both_sides_changed_is_a_conflict_as_gits() -> None:
    result = merged("One.\n\nTwo words.\n", ("Two words", "Their words"), ours="One.\n\nOur words.\n")

    assert result.markdown == "One.\n\n<<<<<<< ours\nOur words.\n=======\nTheir words.\n>>>>>>> edited\n"
    assert result.conflicts == 1


def test_same_change_on_both_sides_is_no_conflict() -> None:
    result = merged("Two words.\n", ("Two", "Three"), ours="Three words.\n")

    assert result == Merged("Three words.\n", 0, ())


@pytest.mark.parametrize("output", ["google-docs", "word", "onenote", "email"])
def test_output_is_found_that_a_document_was(output: str) -> None:
    source = "# A\n\n> quote\n\n```py\nx = 1\n```\n\n- [ ] a\n- b `c`\n\n| a | b |\n|---|---|\n| 1 | 2 |\n"
    read = read_html(convert(source, to=output).html)

    converter = find_converter(source, read, Converter())

    assert merge(source, read, converter) == Merged(source, 0, ())


@pytest.mark.parametrize(("suffix", "output"), [(".docx", "docx"), (".eml", "eml")])
def test_output_is_found_by_a_suffix(suffix: str, output: str) -> None:
    converter = find_converter("a", Imported(read_html("a").document, ()), Converter(), suffix)

    assert convert("a", to=converter.to).output == output


def test_changes_that_touch_are_apart() -> None:
    regions = list(three_way("abcd", "aXcd", "abYd", are_apart=True))

    assert [(region.ours_changed, region.theirs_changed) for region in regions] == [
        (False, False),
        (True, False),
        (False, True),
        (False, False),
    ]


@pytest.mark.parametrize("line", ["same", "line {}"])
def test_matching_is_linear(line: str) -> None:
    def steps(count: int) -> int:
        left = [line.format(number) for number in range(count)]
        return count_steps(lambda: match([*left, "x"], ["y", *left[: count // 2], "z", *left[count // 2 :]]))

    assert steps(4_000) < 13 * steps(400)
