"""Documents as assistants and people write them lose no word in any output, and give the notices they list."""

import re
from functools import cache

import pytest

from mdpublish_core import convert, parse, render
from mdpublish_core.writers.clipboard import clipboard_contents
from tests.cases.assistant_files import FOLDER, README, Sample, all_samples, readme, wrong_notices
from tests.cases.expected_words import Expected, expected_words, words
from tests.cases.figure_labels import FIGURE_LANGUAGES
from tests.cases.shown_words import lost, lost_figures, visible, visible_html, visible_outputs
from tests.core.slack_limits import passages, problems, slack_messages

SAMPLES = all_samples()

ENGINES = {"mermaid": "merman", "dot": "pygraphviz", "graphviz": "pygraphviz"}


def engines(sample: Sample) -> list[str]:
    languages = FIGURE_LANGUAGES & set(re.findall(r"^[ \t>]*```(\w+)", sample.markdown, re.MULTILINE))
    return sorted({"resvg_py", *(ENGINES[each] for each in languages if each in ENGINES)})


EACH_SAMPLE = pytest.mark.parametrize(
    "sample", [pytest.param(each, id=each.name, marks=pytest.mark.needs(*engines(each))) for each in SAMPLES]
)


def expected_of(sample: Sample) -> Expected:
    return expected_words(
        sample.markdown, unseen=[passage for passage, _ in sample.unseen], failed_figures=sample.failed_figures
    )


@cache
def outputs_of(sample: Sample) -> dict[str, str]:
    return visible_outputs(sample.conversions.values())


def one_line(visible: str) -> str:
    return " ".join(visible.split())


@EACH_SAMPLE
def test_no_word_that_a_reader_should_see_is_lost(sample: Sample) -> None:
    expected = expected_of(sample)
    outputs = outputs_of(sample)

    assert {name: problems for name, output in outputs.items() if (problems := lost(expected, output, name))} == {}
    assert [name for name, each in sample.conversions.items() if lost_figures(expected, each)] == []


@EACH_SAMPLE
def test_notices_are_those_listed(sample: Sample) -> None:
    assert wrong_notices(sample.notices, sample.conversions.values()) == []


@EACH_SAMPLE
def test_passages_are_shown_as_listed(sample: Sample) -> None:
    outputs = {name: one_line(output) for name, output in outputs_of(sample).items()}
    html, plain_text = sample.conversions["html"].html, outputs["plain_text"]

    assert {
        each: names for each in sample.everywhere if (names := [n for n in outputs if each not in outputs[n]])
    } == {}
    assert {each: names for each in sample.nowhere if (names := [n for n in outputs if each in outputs[n]])} == {}
    assert [each for each in sample.html if each not in html] == []
    assert [each for each in sample.plain_text if each not in plain_text] == []


def test_every_document_has_its_expectations_and_its_line_in_the_readme() -> None:
    documents = {path.stem for path in FOLDER.glob("*.md")} - {README.stem}

    assert len(SAMPLES) >= 60
    assert {path.stem for path in FOLDER.glob("*.toml")} == documents
    assert README.read_text("utf-8") == readme()


@pytest.mark.parametrize(
    ("markdown", "expected"),
    [
        ("# A *b* `c d`", "a b c d"),
        ("[a](https://example.com 'b') ![c](d.png) <https://e.f>", "a c https e f"),
        ("[a][b] [c][d]\n\n[b]: /url", "a c d"),
        ("a[^1] [^2]\n\n[^1]: b", "a 2 b"),
        ("---\ntitle: a\n---\nb", "b"),
        ("---\n\nb", "b"),
        ("<b>a</b>c <T> <your-name> <!-- d --> <!-- e", "ac t your name e"),
        ("<script>a</script> b <script> c", "b script c"),
        ("1. a\n- [x] b\n> [!NOTE] c\n2024 d", "a b c 2024 d"),
        ("```python title='a'\nb <i>\n```\n~~~\n``` c\n~~~", "b i c"),
        ("$5 and $6", "5 and 6"),
        ("&lt;a&gt; \\*b\\*", "a b"),
        ('<img src="a.png" alt="b">', "b"),
        ("H~2~O x<sup>2</sup> 重要", "h 2 o x 2 重 要"),
    ],
)
def test_words_to_expect_of_markdown(markdown: str, expected: str) -> None:
    assert [word for word, _ in expected_words(markdown).words] == expected.split()


@pytest.mark.parametrize("markdown", [r"$x=\frac12$", r"\(x=\frac12\)", "$$\nx=\\frac12\n$$", r"\[x=\frac12\]"])
def test_formula_counts_by_the_characters_it_shows(markdown: str) -> None:
    (formula,) = expected_words(markdown).formulas

    assert formula.characters == "x12"
    assert lost(expected_words(markdown), "x = 1/2", "generic") == []
    assert lost(expected_words(markdown), "x = 1", "generic") != []


def test_word_that_an_output_lacks_is_reported_with_its_lines() -> None:
    expected = expected_words("one two\n\nthree two")

    assert lost(expected, "two one three", "html") == ["'two' of line 1, 3: 1 missing"]
    assert lost(expected, "one two three two", "html") == []


def test_label_of_a_diagram_is_looked_for_where_it_is_not_an_image() -> None:
    expected = expected_words("```mermaid\nflowchart LR\n  A[First step] -->|yes| B\n```\n")

    assert [word for word, _ in expected.labels] == ["first", "step", "yes", "b"]
    assert lost(expected, "", "word") == []
    assert len(lost(expected, "", "generic")) == 4


def test_hidden_elements_are_not_visible() -> None:
    """An email begins with a line that only the inbox shows."""
    conversion = convert("Once.\n", to="email")

    assert conversion.html.count("Once.") == 2
    assert words(visible(conversion)) == ["once"]


@EACH_SAMPLE
def test_slacks_other_forms_show_every_word(sample: Sample) -> None:
    document = parse(sample.markdown)
    messages = slack_messages(document)
    composer = clipboard_contents(document, render(document, to="slack")).html
    assert composer

    assert [problem for message in messages for problem in problems(message)] == []
    in_blocks = "\n".join(shown for message in messages for shown in passages(message["blocks"]))
    in_composer = visible_html(composer)
    assert lost(expected_of(sample), in_blocks, "slack") == []
    assert lost(expected_of(sample), in_composer, "slack") == []
