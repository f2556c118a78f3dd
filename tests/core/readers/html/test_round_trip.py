"""Our own outputs are read back as they were: all cases but those in `lost.toml`, up to `round_trip.py`'s losses."""

import tomllib
from pathlib import Path

import pytest

from mdpublish_core import convert, nodes, read_file, read_html
from tests.cases.case_files import all_cases
from tests.core.readers.html.round_trip import OUTPUTS, comes_back
from tests.corpora import Example

GROUPS = tomllib.loads(Path(__file__).with_name("lost.toml").read_text("utf-8"))["group"]


def lost(output: str, key: str) -> set[object]:
    return {name for group in GROUPS if output in group["outputs"] for name in group.get(key, ())}


CODE = [
    ("python", "def f(x):\n    if x:\n\treturn 'a\tb'\n\n    return 2\n"),
    ("sql", f"SELECT {', '.join(f'a_long_name_of_column_{number}' for number in range(9))} FROM t;\n  -- end\n"),
    ("c++", "\tx;\n"),
    ("mystery_Lang.2", "one\n"),
    ("föö", "one\n"),
    ("", "all:\n\tmake  x\n"),
]


@pytest.mark.parametrize("output", [*OUTPUTS, "docx", "eml"])
def test_code_comes_back_with_its_language_lines_and_tabs(output: str) -> None:
    markdown = "\n\n".join(f"Text.\n\n```{language}\n{content}```" for language, content in CODE)

    converted = convert(markdown, to=output)
    read = read_file(converted.to_bytes(), f".{output}") if output in {"docx", "eml"} else read_html(converted.text)

    codes = [(each.language, each.content) for each in nodes.walk(read.document) if isinstance(each, nodes.CodeFence)]
    # OneNote has no tabs.
    assert codes == [(name, written.expandtabs(8) if output == "onenote" else written) for name, written in CODE]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (' name="_code', ' name="m_-1234567890_code'),
        (' name="_code', ' name="x__code'),
        ('class="scroll"', ""),
    ],
)
def test_code_of_a_mail_comes_back_as_others_send_it(before: str, after: str) -> None:
    language, content = CODE[1]
    mail = convert(f"```{language}\n\t{content}```", to="email").text

    assert before in mail
    assert read_html(mail.replace(before, after)).markdown == f"```{language}\n\t{content}```\n"


@pytest.mark.corpora
@pytest.mark.needs("merman", "pygraphviz", "resvg_py")
@pytest.mark.parametrize("output", OUTPUTS)
def test_cases_come_back_but_those_that_are_listed(output: str) -> None:
    failing = {case.name for case in all_cases() if not comes_back(case.markdown, output)}

    assert failing == lost(output, "cases")


@pytest.mark.conformance
@pytest.mark.parametrize("output", OUTPUTS)
def test_examples_of_commonmark_come_back_but_those_that_are_listed(
    output: str, commonmark_examples: tuple[Example, ...]
) -> None:
    failing = {example.number for example in commonmark_examples if not comes_back(example.markdown, output)}

    assert failing == lost(output, "examples")
