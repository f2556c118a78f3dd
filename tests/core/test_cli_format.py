"""`mdpublish format`: files changed, checked and compared; nothing a user wrote is lost."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from mdpublish_core.cli import main

UGLY = "Title\n===\n\n*  a  \n*  __b__\n"
FORMATTED = "# Title\n\n*  a\n*  __b__\n"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The working directory: an ugly file, and one that is formatted."""
    (tmp_path / "ugly.md").write_text(UGLY)
    (tmp_path / "fine.md").write_text(FORMATTED)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def run(*arguments: str, stdin: str | bytes = "") -> Result:
    return CliRunner().invoke(main, ["format", *arguments], input=stdin)


def test_files_are_rewritten_in_place(folder: Path) -> None:
    result = run(".")

    assert (result.exit_code, result.stdout, result.stderr) == (0, "", "1 file formatted, 1 unchanged\n")
    assert (folder / "ugly.md").read_text() == (folder / "fine.md").read_text() == FORMATTED


def test_check_names_what_would_change_and_writes_nothing(folder: Path) -> None:
    result = run("--check", "ugly.md", "fine.md")

    assert (result.exit_code, result.stdout) == (1, "Would format ugly.md\n")
    assert result.stderr == "1 file would change, 1 unchanged\n"
    assert (folder / "ugly.md").read_text() == UGLY
    assert run("--check", "fine.md").exit_code == 0


def test_diff_shows_what_would_change_and_writes_nothing(folder: Path) -> None:
    result = run("--diff", "ugly.md", "fine.md")

    assert result.exit_code == 1
    assert result.stdout == (
        "--- ugly.md\n+++ ugly.md\n@@ -1,5 +1,4 @@\n-Title\n-===\n+# Title\n \n-*  a  \n+*  a\n *  __b__\n"
    )
    assert (folder / "ugly.md").read_text() == UGLY
    assert run("--diff", "fine.md").exit_code == 0


def test_standard_input_is_formatted_to_standard_output() -> None:
    assert (run("-", stdin=UGLY).exit_code, run("-", stdin=UGLY).stdout) == (0, FORMATTED)
    assert (run("--check", "-", stdin=UGLY).exit_code, run("--check", "-", stdin=FORMATTED).exit_code) == (1, 0)


def test_paragraphs_are_filled_to_a_width() -> None:
    written = "a long line of words\nand a short one\n"

    assert run("--wrap", "25", "-", stdin=written).stdout == "a long line of words and\na short one\n"
    assert run("--wrap", "5", "-").exit_code == 2


@pytest.mark.parametrize(
    "written",
    [
        "---\ntitle:   x  # remark\nnested: {a: [b]}\n---\n\na\n",
        "<!-- a remark -->\n\na <!-- b --> <script>c</script> <picture><source srcset=d></picture>\n",
        '[a][b]\n\n[b]: /c\n[//]: # "a remark"\n',
        "\ufeffa\n",
        "a\r\n\r\nb\r\n",
        "::: note\na\n:::\n",
    ],
)
def test_what_has_no_output_stays(written: str) -> None:
    assert run("-", stdin=written.encode()).stdout_bytes == written.encode()


def test_extensions_are_read_as_requested() -> None:
    spoiled = "~a~ _b_ *c* *d*\n"

    assert run("--extension", "sub-superscript", "-", stdin=spoiled).stdout == "~a~ *b* *c* *d*\n"


def test_file_that_cannot_be_read_is_left_alone(folder: Path) -> None:
    result = run("ugly.md", "none.md")

    assert (result.exit_code, run("--check", "fine.md", "none.md").exit_code) == (2, 2)
    assert result.stderr.splitlines() == [
        "Error: cannot read none.md: No such file or directory",
        "1 file formatted, 1 left alone",
    ]
    assert (folder / "ugly.md").read_text() == FORMATTED


def test_change_that_would_be_read_differently_is_named_and_not_made(folder: Path) -> None:
    written = "* :arrow\\_left: is an icon\n* snake_case\n"
    (folder / "icons.md").write_text(written)

    result = run("icons.md")

    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == (
        "icons.md:1: not changed by escapes: the text would be read differently\n0 files formatted, 1 unchanged\n"
    )
    assert (folder / "icons.md").read_text() == written


def test_at_most_ten_changes_of_a_file_are_named_that_are_not_made() -> None:
    result = run("-", stdin="* :arrow\\_left:\n" * 12)

    assert len(result.stderr.splitlines()) == 11
    assert result.stderr.endswith("standard input: 2 further changes not made\n")


LOOSE = "|a|\n|-|\n\n1. a\n4. b\n\n_c_ *d* *e*\n\n\n"
"""What most rules change, among them those that are off by default."""

ALIGNED = "| a   |\n| --- |\n"


@pytest.mark.parametrize(
    ("options", "written"),
    [
        ((), "|a|\n|-|\n\n1. a\n4. b\n\n*c* *d* *e*\n"),
        (("--skip", "emphasis"), "|a|\n|-|\n\n1. a\n4. b\n\n_c_ *d* *e*\n"),
        (("--skip", "emphasis", "--skip", "final-line-end"), LOOSE),
        (("--only", "tables"), LOOSE.replace("|a|\n|-|\n", ALIGNED)),
        (("--only", "tables", "--only", "numbers", "--skip", "tables"), LOOSE.replace("4.", "2.")),
        (("--also", "tables", "--also", "numbers"), f"{ALIGNED}\n1. a\n2. b\n\n*c* *d* *e*\n"),
    ],
)
def test_rules_are_chosen(folder: Path, options: tuple[str, ...], written: str) -> None:
    """By options, and alike by a configuration and by front matter."""
    names = dict.fromkeys(option.removeprefix("--") for option in options[::2])
    chosen = {
        name: [rule for key, rule in zip(*[iter(options)] * 2, strict=True) if key == f"--{name}"] for name in names
    }
    front_matter = "---\na: b\n" + "".join(f"format_{name}: {', '.join(rules)}\n" for name, rules in chosen.items())

    assert run(*options, "-", stdin=LOOSE).stdout == written
    assert run("-", stdin=f"{front_matter}---\n\n{LOOSE}").stdout == f"{front_matter}---\n\n{written}"

    (folder / "mdpublish.toml").write_text(
        "[format]\n" + "".join(f"{name} = {rules}\n" for name, rules in chosen.items())
    )
    assert run("-", stdin=LOOSE).stdout == written


def test_options_come_after_front_matter_and_that_after_the_configuration(folder: Path) -> None:
    (folder / "mdpublish.toml").write_text('[format]\nskip = ["headings", "bullets"]\n')
    written = "---\nformat_also: headings\n---\n\nTitle\n===\n\nb \n"

    assert run("-", stdin=written).stdout == "---\nformat_also: headings\n---\n\n# Title\n\nb\n"
    assert run("--skip", "headings", "-", stdin=written).stdout == written.replace("b ", "b")


@pytest.mark.parametrize("option", ["--only", "--also", "--skip"])
def test_unknown_rules_are_refused(folder: Path, option: str) -> None:
    refused = run(option, "bulets", "-", stdin=UGLY)
    assert (refused.exit_code, refused.stdout) == (2, "")
    assert "unknown rule 'bulets'; did you mean 'bullets'? Choose from: wrapping, headings" in refused.stderr

    name = option.removeprefix("--")
    ignored = run("-", stdin=f"---\nformat_{name}: bulets\n---\n\n{UGLY}")
    assert (ignored.exit_code, ignored.stdout) == (0, f"---\nformat_{name}: bulets\n---\n\n{FORMATTED}")
    assert "standard input: rules in the front matter are ignored: unknown rule 'bulets'" in ignored.stderr

    (folder / "mdpublish.toml").write_text(f'[format]\n{name} = ["bulets"]\n')
    configured = run("fine.md", "ugly.md")
    assert configured.exit_code == 2
    assert f"mdpublish.toml: format.{name}: unknown rule 'bulets'; did you mean 'bullets'?" in configured.stderr
    assert (folder / "ugly.md").read_text() == UGLY


def test_nearest_configuration_of_a_file_counts(folder: Path) -> None:
    for name, configuration in {
        ".": '[format]\nskip = ["headings"]\nwrap = 20\n',
        "a": '[format]\nskip = ["trailing-blanks"]\n',
        "a/b": "",
        "a/b/c": "",
    }.items():
        (folder / name).mkdir(exist_ok=True)
        (folder / name / "x.md").write_text("Title\n===\n\na \n\na long line of words and more\n")
        if configuration:
            (folder / name / "mdpublish.toml").write_text(configuration)

    assert run(".").exit_code == 0

    below = "# Title\n\na \n\na long line of words and more\n"
    assert (folder / "x.md").read_text() == "Title\n===\n\na\n\na long line of words\nand more\n"
    assert [(folder / name / "x.md").read_text() for name in ("a", "a/b", "a/b/c")] == [below] * 3

    read = "Title\n===\n\na\n"
    assert run("--stdin-filename", "a/b/none.md", "-", stdin=read).stdout == "# Title\n\na\n"
    assert run("--stdin-filename", "none.md", "-", stdin=read).stdout == read
    assert run("--config", "mdpublish.toml", "--stdin-filename", "a/b/none.md", "-", stdin=read).stdout == read
    assert run("--no-config", "-", stdin=read).stdout == "# Title\n\na\n"


def test_standard_input_is_named_on_request() -> None:
    assert run("--check", "--stdin-filename", "docs/a.md", "-", stdin=UGLY).stdout == "Would format docs/a.md\n"
    assert run("--stdin-filename", "a.md", "-", stdin="* :arrow\\_left:\n").stderr.startswith("a.md:1: not changed by")
    assert run("--stdin-filename", "docs/a.md", "ugly.md").exit_code == 2


@pytest.mark.parametrize(
    ("ranges", "written"),
    [
        (["1-9"], "---\na: b\n---\n# T\n\na\n\nb \n\nc \n"),
        (["7-8"], "---\na: b\n---\nT\n=\n\na\n\n\nb \n\nc \n"),
        (["5-6", "12"], "---\na: b\n---\nT\n=\n\na \n\n\nb \n\nc\n"),
        (["7", "8-10"], "---\na: b\n---\nT\n=\n\na\n\nb\n\nc \n"),
        (["1-3", "13-90"], "---\na: b\n---\nT\n=\n\na \n\n\nb \n\nc \n"),
        (["4-5", "7", "10", "12"], "---\na: b\n---\n# T\n\na\n\n\nb\n\nc\n"),
    ],
)
def test_only_ranges_of_lines_are_changed(folder: Path, ranges: list[str], written: str) -> None:
    (folder / "a.md").write_text("---\na: b\n---\nT\n=\n\na \n\n\nb \n\nc \n")

    assert run(*(argument for each in ranges for argument in ("--lines", each)), "a.md").exit_code == 0
    assert (folder / "a.md").read_text() == written


@pytest.mark.parametrize("lines", ["0", "2-1", "a", "1-", "-2", "1-b", "9999999999"])
def test_what_is_no_range_of_lines_is_refused(lines: str) -> None:
    assert f"must be a range of lines, such as 10-20 (got '{lines}')" in run(f"--lines={lines}", "-").stderr


def test_ranges_of_lines_require_one_file() -> None:
    assert (run("--lines", "1", ".").exit_code, run("--lines", "1", "--repair", "-").exit_code) == (2, 2)

    Path("mdpublish.toml").write_text("[format]\nrepair = true\n")
    assert run("--lines", "2", "-", stdin="##Title\n• a \n• b\n").stdout == "##Title\n• a\n• b\n"
    assert run("-", stdin="##Title\n• a \n• b\n").stdout == "## Title\n- a\n- b\n"


def test_options_are_configured(folder: Path) -> None:
    (folder / "mdpublish.toml").write_text("[format]\nwrap = 20\n")

    run("long.md", "ugly.md")
    (folder / "long.md").write_text("a long line of words and more\n")
    run("long.md")

    assert (folder / "long.md").read_text() == "a long line of words\nand more\n"


def test_spoiled_text_is_repaired_on_request() -> None:
    spoiled = "##Title\n• a\n• b\n"

    assert run("--repair", "-", stdin=spoiled).stdout == "## Title\n- a\n- b\n"
    assert run("-", stdin=spoiled).stdout == spoiled


@pytest.mark.parametrize(
    ("arguments", "status", "left"), [((), 0, FORMATTED), (("--check",), 1, UGLY)], ids=["write", "check"]
)
def test_report_for_a_program_names_each_file(arguments: tuple[str, ...], status: int, left: str, folder: Path) -> None:
    (folder / "icons.md").write_text("* :arrow\\_left: is an icon\n")
    (folder / "latin.md").write_bytes(b"\xe4\xff")

    result = run("--output-format", "json", *arguments, "ugly.md", "fine.md", "icons.md")

    refused = {"rule": "escapes", "line": 1, "reason": "the text would be read differently"}
    assert result.exit_code == status
    assert json.loads(result.stdout) == [
        {"file": "ugly.md", "is_changed": True, "refused": [], "problem": None},
        {"file": "fine.md", "is_changed": False, "refused": [], "problem": None},
        {"file": "icons.md", "is_changed": False, "refused": [refused], "problem": None},
    ]
    assert (folder / "ugly.md").read_text() == left
    assert json.loads(run("--output-format", "json", "latin.md").stdout)[0]["problem"].startswith("latin.md")


@pytest.mark.parametrize("arguments", [("--diff", "ugly.md"), ("-",)], ids=["diff", "standard input"])
def test_report_for_a_program_excludes_markdown(arguments: tuple[str, ...]) -> None:
    result = run("--output-format", "json", *arguments, stdin=UGLY)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--output-format json prints no Markdown; add --check, and leave out --diff" in result.stderr
