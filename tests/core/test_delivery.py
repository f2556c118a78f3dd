"""What arrives of a document: the matrix of constructs and outputs, read back, and the report made of it."""

import pickle
import weakref
from concurrent.futures import ProcessPoolExecutor

import pytest

from mdpublish_core import Conversion, Converter, Output, convert, nodes, parse, render
from mdpublish_core.batch import Job, convert_many
from mdpublish_core.errors import InvalidArgument
from mdpublish_core.nodes import Document, Heading, RawText
from mdpublish_core.renderers import PlainTextRenderer
from mdpublish_core.writers.clipboard import render_for_clipboard
from mdpublish_core.writers.delivery import Delivery, delivery_summary, forms_of
from mdpublish_core.writers.forms import FOLDER, forms_in, words
from mdpublish_core.writers.outputs import FILES, OUTPUTS
from tests.cases.deliveries import SPECIMENS, Cell, all_cells, refuted

FAILED = "```mermaid\nflowchart LR\n  A --> --> B [\n```"


class Fences(PlainTextRenderer):
    """A plug-in's renderer."""


def shown(conversion: Conversion) -> set[tuple[str, str, int, tuple[int, ...]]]:
    return {(each.construct, each.form, each.count, each.lines) for each in conversion.delivery}


@pytest.mark.corpora
@pytest.mark.needs("merman", "resvg_py")
def test_reader_of_each_output_finds_the_forms_of_the_matrix() -> None:
    assert refuted(all_cells()) == []


@pytest.mark.needs("merman", "resvg_py")
def test_reader_refutes_other_forms() -> None:
    spoiled = [
        Cell("slack", "table", "as-is"),
        Cell("slack", "underline", "as-is"),
        Cell("google-docs", "internal-link", "as-is"),
        Cell("google-docs", "display-formula", "text"),
        Cell("word", "task", "as-is"),
        Cell("docx", "image", "as-is"),
        Cell("html", "diagram", "picture"),
        Cell("email", "emphasis", "lost"),
        Cell("plain-text", "link", "lost"),
        Cell("blocks", "quote", "text"),
    ]

    assert len(refuted(spoiled)) == len(spoiled)


@pytest.mark.needs("merman", "resvg_py")
def test_report_has_the_form_that_the_reader_finds() -> None:
    others = []
    for cell in all_cells():
        document = parse(cell.markdown, raw_html="keep" if cell.construct == "raw-html" else "sanitize")
        if cell.output == "slack-composer":
            conversion = render_for_clipboard(document, "slack")[1]
        else:
            conversion = render(document, to=cell.output)
        if cell.form not in {each.form for each in conversion.delivery if each.construct == cell.construct}:
            others.append(cell)

    assert others == []


def test_each_output_has_each_construct_in_forms_that_are_described() -> None:
    files = {file.stem for file in FOLDER.glob("*.toml")} - {"words"}
    reported = {name: forms_of(output) for name, output in OUTPUTS.items()}

    assert {name for name, forms in reported.items() if not forms} == {
        name for name, output in FILES.items() if not output.destination
    }
    assert {name for name in files if tuple(forms_in(name)) != tuple(words()["constructs"])} == set()
    assert {form for name in files for forms in forms_in(name).values() for form in forms} <= {*words()["forms"]}
    assert tuple(SPECIMENS) == tuple(words()["constructs"])


def test_constructs_are_counted_with_their_lines() -> None:
    conversion = convert("# A\n\n*b* and\n**c**\n\n| d |\n|---|\n| *e* |\n\n## F", to="slack")

    assert shown(conversion) == {
        ("heading", "bold", 2, (1, 10)),
        ("emphasis", "as-is", 2, (3, 4)),
        ("emphasis", "lost", 1, (8,)),
        ("table", "monospaced", 1, (6,)),
    }


def test_lines_are_the_first_hundred() -> None:
    (delivery,) = convert("# a\n\n" * 150, to="generic").delivery

    assert (delivery.count, len(delivery.lines), delivery.lines[-1]) == (150, 100, 199)


@pytest.mark.needs("merman")
@pytest.mark.parametrize("to", ["google-docs", "word", "docx", "slack", "plain-text", "generic", "page"])
def test_figure_that_failed_is_reported_as_its_source(to: str) -> None:
    assert shown(convert(FAILED, to=to)) == {("diagram", "source", 1, (1,))}


@pytest.mark.parametrize("to", ["google-docs", "docx", "slack", "onenote", "page"])
def test_formula_that_failed_is_reported_as_its_source(to: str) -> None:
    assert shown(convert("a $\\frac{b$ c", to=to)) == {("formula", "source", 1, (1,))}


def test_definition_of_a_macro_is_not_reported() -> None:
    assert convert("$$\n\\newcommand{\\a}{b}\n$$", to="slack").delivery == ()


def test_stacked_table_is_reported_as_text() -> None:
    wide = Cell("word", "table", "text").markdown

    assert shown(convert(f"| a |\n|---|\n| b |\n\n{wide}", to="word")) == {
        ("table", "as-is", 1, (1,)),
        ("table", "text", 1, (5,)),
    }


def test_what_the_reader_left_out_is_reported_as_lost() -> None:
    conversion = convert("| a |\n|---|\n| b | c |\n\n<script>d</script>", to="generic")

    assert {each.phrase for each in conversion.delivery if each.form == "lost"} == {
        "1 row's extra cells lost",
        "1 HTML element lost",
    }


def test_image_in_a_link_is_the_text_of_that_link_in_slack() -> None:
    conversion = convert("[![a](https://example.org/a.png)](https://example.org/)", to="slack")

    assert {(each.construct, each.form) for each in conversion.delivery} == {("image-link", "as-is"), ("image", "text")}


def test_images_in_a_line_are_told_apart() -> None:
    conversion = convert(
        f"{SPECIMENS['embedded-image']} {SPECIMENS['image']} ![b](data:image/png;base64,AAAA)", to="docx"
    )

    assert shown(conversion) == {
        ("image", "link", 1, (1,)),
        ("embedded-image", "as-is", 1, (1,)),
        ("embedded-image", "text", 1, (1,)),
    }


def test_quote_of_slack_has_no_quotes_in_it_at_any_depth() -> None:
    conversion = convert("> - a\n>   > b\n>\n>   > [!TIP]\n>   > c\n\n- > d", to="slack")

    assert {each for each in shown(conversion) if each[0] != "list"} == {
        ("quote", "as-is", 2, (1, 7)),
        ("quote", "text", 1, (2,)),
        ("callout", "text", 1, (4,)),
    }


def test_image_with_a_link_that_an_output_cannot_have_is_text() -> None:
    conversion = convert("[![a](https://example.org/a.png)](b.md)", to="slack")

    assert {(each.construct, each.form) for each in conversion.delivery} == {
        ("relative-link", "text"),
        ("image", "text"),
    }


def test_title_is_a_caption_only_of_an_image_that_stands_alone() -> None:
    image = '[![a](https://example.org/a.png "b")](https://example.org/)'
    conversion = convert(f"{image}\n\n{image} c", to="google-docs")

    assert {("caption", "as-is", 1, (1,)), ("tooltip", "lost", 1, (3,))} <= shown(conversion)


def test_what_is_pasted_into_slack_has_lists() -> None:
    contents, conversion = render_for_clipboard(parse("- a"), "slack")

    assert contents.html is not None
    assert shown(conversion) == {("list", "as-is", 1, (1,))}
    assert shown(convert("- a", to="slack")) == {("list", "text", 1, (1,))}


def test_report_is_made_when_it_is_read_and_kept() -> None:
    document = parse("# a")
    conversion = render(document, to="slack")
    alive = weakref.ref(document)
    del document

    assert alive() is not None
    assert conversion.delivery is conversion.delivery
    assert alive() is None


def test_report_on_a_tree_built_by_hand_is_that_of_what_was_written() -> None:
    children: list[nodes.Token] = [Heading(1, [RawText("a")])]
    conversion = render(Document(children), to="slack")
    children.append(Heading(1, [RawText("b")]))

    assert conversion.delivery == (Delivery("heading", "bold", 1, ()),)
    _, pasted = render_for_clipboard(Document(children), "slack")
    children.clear()
    assert pasted.delivery == (Delivery("heading", "bold", 2, ()),)


def test_report_comes_from_another_process() -> None:
    with ProcessPoolExecutor(1) as executor:
        (conversion,) = convert_many([Job("# a", Converter(to="slack"))], executor=executor)

    assert isinstance(conversion, Conversion)
    assert conversion.delivery == convert("# a", to="slack").delivery
    assert pickle.loads(pickle.dumps(conversion)).delivery == conversion.delivery


def test_output_of_a_plug_in_says_what_changes_form() -> None:
    output = Output("fences", "text", is_text=True, renderer=Fences, delivery={"table": "monospaced"})
    conversion = convert("| a |\n|---|\n\n**b** $c$", to=output)

    assert {(each.construct, each.form) for each in conversion.delivery} == {
        ("table", "monospaced"),
        ("emphasis", "as-is"),
        ("formula", "text"),
    }


@pytest.mark.parametrize("delivery", [{"tables": "text"}, {"table": "texts"}])
def test_output_of_a_plug_in_names_known_constructs_and_forms(delivery: dict[str, str]) -> None:
    with pytest.raises(InvalidArgument, match="delivery of an Output must be one of "):
        Output("fences", "text", is_text=True, renderer=Fences, delivery=delivery)


def test_summary_names_what_is_lost_first() -> None:
    markdown = "# a\n\n<u>b</u>\n\n- c\n\n| d |\n|---|\n\n> [!NOTE]\n> e"

    assert delivery_summary(convert("a", to="slack").delivery) == "Everything arrives"
    assert delivery_summary(convert("| a |\n|---|", to="slack").delivery) == "1 table as monospaced text"
    assert delivery_summary(convert(markdown, to="slack").delivery) == (
        "1 underlined passage lost, 1 heading as bold text, 1 list as text, 2 more"
    )
