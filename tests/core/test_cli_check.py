"""`mdpublish check`: notices with file and line, as text, JSON and GitHub annotations."""

import json
import sys
from dataclasses import asdict
from pathlib import Path
from types import FrameType

import pytest
from click.testing import CliRunner, Result

from mdpublish_core import convert, parse, render
from mdpublish_core.cli import main
from mdpublish_core.cli.check.checking import CheckOptions, check_file
from mdpublish_core.cli.inputs import ParseOptions
from mdpublish_core.testing.steps import count_steps
from mdpublish_core.writers.outputs import get_output
from mdpublish_core.writers.rendering import RenderRequest, write
from tests.cases.case_files import all_cases

OPTIONS = CheckOptions([], ("generic",), ParseOptions())

BAD = "# a\n\n[b](javascript:b)\n\n[c](none.md) ![d](d.png) [e](good.md)\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: one good document and one bad."""
    (tmp_path / "good.md").write_text("# a\n\n[x](bad.md)\n")
    (tmp_path / "bad.md").write_text(BAD)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, stdin: str = "") -> Result:
    return CliRunner().invoke(main, ["check", *arguments], input=stdin)


def test_good_file_passes() -> None:
    result = run("good.md")

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "0 notices in 1 file\n")


def test_notices_are_printed_with_file_line_and_column() -> None:
    result = run("good.md", "bad.md")

    assert result.exit_code == 1
    assert result.stdout.splitlines() == [
        "bad.md:3:1: the scheme of the URL 'javascript:b' is not allowed [unsafe-link]",
        "bad.md:5:1: the link 'none.md' points to a missing file [broken-link]",
        "bad.md:5:14: the image 'd.png' points to a missing file [missing-image]",
    ]
    assert result.stderr == "3 notices in 2 files\n"


def test_extensions_are_as_requested(folder: Path) -> None:
    (folder / "math.md").write_text("$\\frac$\n")

    assert run("math.md").exit_code == 1
    assert run("math.md", "--extension", "no-math").exit_code == 0


def test_folder_stands_for_the_files_in_it(folder: Path) -> None:
    (folder / "sub").mkdir()
    (folder / "sub/c.markdown").write_text("[x](../good.md)")

    assert run(".").stderr == "3 notices in 3 files\n"


def test_current_folder_is_checked_by_default() -> None:
    assert run().stderr == "3 notices in 2 files\n"


def test_standard_input_is_checked() -> None:
    assert run("-", stdin=BAD).stdout.startswith("standard input:3:1: the scheme of the URL")


def test_destinations_add_their_notices_once() -> None:
    markdown = "$\\nosuch$\n\n![a](good.md)\n"

    assert "[missing-image]" not in run("-", stdin=markdown).stdout
    both = run("-", "--to", "email", "--to", "word", stdin=markdown).stdout
    assert both.count("[missing-image]") == 1
    assert both.count("[figure-failed]") == 1


def test_images_that_the_commands_take_along_are_none_to_tell_of(folder: Path) -> None:
    (folder / "a.gif").write_bytes(b"GIF89a" + bytes(8))

    assert run("-", "--to", "email", stdin="![a](a.gif)").stderr == "0 notices in 1 file\n"
    assert run("-", "--to", "slack", stdin="![a](a.gif)").stderr == "1 notice in 1 file\n"
    assert "not a relative path" in run("-", "--to", "email", stdin="![a](/a.gif)").stdout


def test_links_to_no_heading_are_reported() -> None:
    markdown = (
        "# One Two\n\n[a](#one-two) [b](#two) [c](bad.md#a) [d](bad.md#b) [e](none.md#a) [f](#) [g](https://x.org/#a)\n"
    )

    assert run("-", stdin=markdown).stdout.splitlines() == [
        "standard input:3:15: the link '#two' points to a missing heading [broken-link]",
        "standard input:3:39: the link 'bad.md#b' points to a missing heading [broken-link]",
        "standard input:3:53: the link 'none.md#a' points to a missing file [broken-link]",
    ]


def test_headings_that_another_program_makes_are_not_missing(folder: Path) -> None:
    (folder / "made.md").write_text("# One\n\n::: package.module\n")
    (folder / "ids.md").write_text("# One { #two }\n")

    stdout = run("-", stdin="[a](made.md#two) [b](ids.md#two) [c](ids.md#three)\n").stdout

    assert stdout.splitlines() == [
        "standard input:1:34: the link 'ids.md#three' points to a missing heading [broken-link]"
    ]


def test_json_is_for_programs() -> None:
    result = run("bad.md", "missing.md", "--output-format", "json")

    first, second = json.loads(result.stdout)
    assert first["file"] == "bad.md"
    assert first["error"] is None
    assert first["notices"][0] == {
        "code": "unsafe-link",
        "message": "the scheme of the URL 'javascript:b' is not allowed",
        "line": 3,
        "column": 1,
        "source": "[b](javascript:b)",
        "fix": None,
    }
    assert second == {
        "file": "missing.md",
        "error": "cannot read missing.md: No such file or directory",
        "notices": [],
        "delivery": {},
    }
    assert result.exit_code == 1


def test_github_makes_annotations_of_notices(folder: Path) -> None:
    (folder / "a,b:c%.md").write_text("[x](50%%.md)\n")

    result = run("a,b:c%.md", "missing.md", "--output-format", "github")

    assert result.stdout.splitlines() == [
        "::warning file=a%2Cb%3Ac%25.md,line=1,col=1,title=broken-link::the link '50%25%25.md' points to a missing file",
        "::error file=missing.md::cannot read missing.md: No such file or directory",
    ]


@pytest.mark.parametrize("form", ["text", "json", "github"])
def test_file_that_cannot_be_read_stops_none(form: str) -> None:
    result = run("missing.md", "bad.md", "--output-format", form)

    assert result.exit_code == 1
    assert "unsafe-link" in result.stdout
    assert result.stderr.endswith("3 notices in 2 files, 1 unreadable\n")


def test_file_that_the_library_refuses_stops_none(folder: Path) -> None:
    (folder / "large.md").write_bytes(b"a" * 5_000_001)

    result = run("large.md", "bad.md")

    assert result.exit_code == 1
    assert "unsafe-link" in result.stdout
    assert "max_input_bytes exceeded: got 5,000,001, limit 5,000,000; split the document" in result.stderr


def test_mistakes_end_in_a_message() -> None:
    assert "unknown output 'fax'" in run("good.md", "--to", "fax").output
    assert "Invalid value for '--output-format'" in run("good.md", "--output-format", "xml").stderr


SLIP = "> ```mermaid\n> flowchart LR\n>   A[Load (fast)] --> B\n> ```\n"


@pytest.mark.needs("mmdr", "resvg_py")
def test_fix_is_shown_below_its_notice() -> None:
    lines = run("-", stdin=SLIP).stdout.splitlines()

    assert lines[0].startswith("standard input:3:5: the mermaid figure was drawn from a corrected line: a label")
    assert lines[1] == '  help: write A["Load (fast)"] --> B'


@pytest.mark.needs("mmdr", "resvg_py")
def test_controls_of_terminals_in_a_fix_are_replaced() -> None:
    assert "\x1b" not in run("-", stdin=SLIP.replace("fast", "\x1b]0;fast\x07")).stdout


@pytest.mark.needs("mmdr", "resvg_py")
def test_annotation_has_column_and_fix() -> None:
    annotation = run("-", "--output-format", "github", stdin=SLIP).stdout

    assert annotation.startswith("::warning file=standard input,line=3,col=5,title=figure-repaired::the mermaid figure")
    assert annotation.endswith('%0Ahelp: write A["Load (fast)"] --> B\n')


def test_json_has_the_fields_of_the_library() -> None:
    markdown = "one\n\n> [a](x:y) <blink>\n\n| a |\n|---|\n| `b | c` |\n"
    (checked,) = json.loads(run("-", "--output-format", "json", stdin=markdown).stdout)
    converted = CliRunner().invoke(main, ["convert", "-", "--output-format", "json"], input=markdown)

    assert checked["notices"] == [asdict(notice) for notice in convert(markdown).notices]
    assert json.loads(converted.stderr) == [checked]


@pytest.mark.parametrize(
    ("form", "shown"),
    [
        (
            "text",
            [
                "good.md:1: heading as bold text [slack]",
                "good.md:3: link to a file as text [slack]",
                "good.md: as written: 1 heading, 1 link to a file [email]",
            ],
        ),
        (
            "github",
            [
                "::notice file=good.md,line=1,title=slack::heading as bold text",
                "::notice file=good.md,line=3,title=slack::link to a file as text",
                "::notice file=good.md,title=email::as written: 1 heading, 1 link to a file",
            ],
        ),
    ],
)
def test_delivery_is_printed_by_line(form: str, shown: list[str]) -> None:
    result = run("good.md", "--to", "slack", "--to", "email", "--delivery", "--output-format", form)

    assert (result.exit_code, result.stdout.splitlines()) == (0, shown)


def test_delivery_in_json_has_the_fields_of_the_library(folder: Path) -> None:
    (checked,) = json.loads(run("good.md", "--to", "slack", "--delivery", "--output-format", "json").stdout)

    expected = convert((folder / "good.md").read_text(), to="slack").delivery
    assert checked["delivery"] == {"slack": [{**asdict(each), "lines": [*each.lines]} for each in expected]}


def test_code_is_not_lexed_but_what_keeps_it_plain_is_reported() -> None:
    def steps_of(lines: int) -> tuple[int, int]:
        markdown = "```python\n" + "x = [1, 'a']  # b\n" * lines + "```\n"
        Path("code.md").write_text(markdown)
        return count_steps(lambda: check_file("code.md", OPTIONS)), count_steps(lambda: parse(markdown))

    (short, short_parsing), (long, long_parsing) = steps_of(1), steps_of(300)

    assert long - short < 2 * (long_parsing - short_parsing)
    steps_of(4_000)
    assert "[code-not-highlighted]" in run("code.md").output


@pytest.mark.needs("merman", "pygraphviz", "resvg_py")
def test_notices_are_those_of_a_conversion() -> None:
    long = "```python\n" + "x = 1\n" * 10_000 + "```\n"
    sources = [
        *(case.markdown for case in all_cases()),
        f"> {long[:9]}\n\n[^1]\n\n[^1]: a\n\n    ```abap\n    b\n    ```\n",
        long,
    ]
    for markdown in sources:
        document = parse(markdown)
        for output in map(get_output, ("generic", "html", "slack")):
            checked = write(document, RenderRequest(output, only_notices=True))

            assert checked.notices == render(document, to=output).notices, markdown


def test_text_without_code_is_not_written() -> None:
    markdown = "# Title\n\nSome *text* with [a link](#title).\n\n- an item\n" * 20
    Path("text.md").write_text(markdown)
    check_file("text.md", OPTIONS)

    assert count_steps(lambda: check_file("text.md", OPTIONS)) < 2 * count_steps(lambda: parse(markdown))


@pytest.mark.parametrize("outputs", [["generic"], ["email", "docx"], ["email", "slack"]])
def test_file_is_parsed_once_for_all_outputs_and_for_links_to_it(outputs: list[str]) -> None:
    sources = {
        "a.md": "# First\n\n[c](c.md#third) [missing](c.md#first)\n",
        "b.md": "# Second\n\n![d](d.png) [c](c.md#third)\n",
        "c.md": "# Third\n\n[a](a.md#first) [missing](a.md#third)\n",
    }
    for name, source in sources.items():
        Path(name).write_text(source)
    parsed = []

    def count(frame: FrameType, event: str, _argument: object) -> None:
        if event == "call" and frame.f_code.co_name == "parse_markdown":
            parsed.append(frame.f_locals["markdown"])

    sys.setprofile(count)
    try:
        notices = [check_file(name, OPTIONS._replace(outputs=outputs)).result.notices for name in sources]
    finally:
        sys.setprofile(None)

    assert sorted(parsed) == sorted(sources.values())
    assert [sum("missing heading" in notice.message for notice in each) for each in notices] == [1, 0, 1]


def test_names_in_a_folder_are_compared_once_for_all_equal_broken_links() -> None:
    def steps_of(links: int) -> int:
        Path("links.md").write_text("[a](godo.md)\n\n" * links)
        return count_steps(lambda: check_file("links.md", OPTIONS))

    steps_of(1)
    few = steps_of(11) - steps_of(1)
    for number in range(200):
        Path(f"name-{number}.md").touch()
    steps_of(1)

    assert steps_of(11) - steps_of(1) < few + 200
    assert "did you mean 'good.md'?" in run("links.md").output
