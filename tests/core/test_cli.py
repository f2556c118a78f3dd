import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner, Result

from mdpublish_core import __version__, convert
from mdpublish_core.cli import COMMANDS, main
from mdpublish_core.writers.outputs import DESTINATIONS, OUTPUTS
from tests.running import BIN, importing, on_a_terminal


def run(*arguments: str, stdin: bytes = b"") -> Result:
    return CliRunner().invoke(main, arguments, input=stdin)


@pytest.fixture
def readme(tmp_path: Path) -> Path:
    path = tmp_path / "README.md"
    path.write_text("# Größe\n\n*text*\n", "utf-8")
    return path


def test_file_is_converted_to_standard_output(readme: Path) -> None:
    result = run("convert", str(readme), "--to", "html")

    assert (result.exit_code, result.stdout_bytes) == (0, "<h1>Größe</h1>\n<p><em>text</em></p>\n".encode())


def test_standard_input_is_converted() -> None:
    assert run("convert", "-", "--to", "plain-text", stdin=b"# a\n").stdout == "a\n===\n"


def test_output_is_that_of_the_library(readme: Path) -> None:
    result = run("convert", str(readme), "--template", "swiss", "--theme-mode", "dark")

    assert result.stdout == convert(readme.read_text("utf-8"), template="swiss", theme_mode="dark").html


def test_output_goes_to_a_file(readme: Path, tmp_path: Path) -> None:
    result = run("convert", str(readme), "--to", "html", "-o", str(tmp_path / "out.html"))

    assert result.output == ""
    assert (tmp_path / "out.html").read_bytes() == "<h1>Größe</h1>\n<p><em>text</em></p>\n".encode()


def test_page_is_titled_after_the_first_heading(readme: Path) -> None:
    assert "<title>Größe</title>" in run("convert", str(readme), "--to", "page").stdout


def test_page_without_a_heading_is_titled_after_its_file(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text("text")

    assert "<title>notes</title>" in run("convert", str(tmp_path / "notes.md"), "--to", "page").stdout
    assert "<title>Untitled</title>" in run("convert", "-", "--to", "page", stdin=b"text").stdout


def test_theme_file_may_be_the_template(readme: Path, tmp_path: Path) -> None:
    theme = Path(__file__).parents[2] / "themes/free/swiss.toml"
    custom = tmp_path / "own.toml"
    custom.write_text(theme.read_text("utf-8").replace("#e2001a", "#0000ee"), "utf-8")

    assert "#0000ee" in run("convert", str(readme), "--template", str(custom)).stdout


def test_notices_go_to_standard_error_with_file_and_line(tmp_path: Path) -> None:
    path = tmp_path / "a.md"
    path.write_text("x\n\n[a](javascript:b)\n")

    result = run("convert", str(path), "--to", "plain-text")

    assert result.exit_code == 0
    assert result.stderr == f"{path}:3:1: the scheme of the URL 'javascript:b' is not allowed [unsafe-link]\n"
    assert run("convert", "-", stdin=b"[a](javascript:b)").stderr.startswith("standard input:1:1: ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["none.md"], "Error: cannot read none.md: No such file or directory"),
        (["."], "Error: . is a directory; use: mdpublish batch . DST"),
        (["-", "--to", "fax"], f"Error: unknown output 'fax'; choose from: {', '.join(OUTPUTS)}"),
        (["-", "--template", "comic"], "Error: unknown template 'comic'; choose from: "),
        (["-", "--template", "none.toml"], "Error: cannot read none.toml: No such file or directory"),
        (["-", "-o", "none/out.html"], "Error: cannot write none/out.html: make its folder first"),
        (["-", "--theme-mode", "dim"], "Invalid value for '--theme-mode'"),
        ([], "Missing argument 'FILE|-'"),
    ],
)
def test_mistake_ends_in_a_message_and_no_traceback(arguments: list[str], message: str) -> None:
    result = run("convert", *arguments)

    assert result.exit_code in {1, 2}
    assert message in result.stderr
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""


@pytest.mark.parametrize(
    ("source", "problem"),
    [
        (b"ab\xff", "UTF-8 (byte 3)"),
        (b"\xff\xfea\0b", "UTF-16 (byte 5)"),
        (b"\xfe\xff\0a\xd8\0\0a", "UTF-16 (byte 5)"),
        (b"\xff\xfe\0\xdca\0", "UTF-16 (byte 3)"),
        (b"\xff\xfe\0\0a\0\0", "UTF-32 (byte 5)"),
    ],
)
def test_input_of_another_encoding_is_refused_with_the_place(source: bytes, problem: str) -> None:
    result = run("convert", "-", stdin=source)

    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"Error: standard input is not valid {problem}; save it as UTF-8\n"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
@pytest.mark.parametrize("command", ["convert", "check", "format"])
def test_input_is_read_as_its_byte_order_mark_says(command: str, encoding: str) -> None:
    source = "---\ntitle: ö\n---\n\n# Größe 🌱\r\n\n日本 [a](#b)\n"

    result = run(command, "-", stdin=f"\ufeff{source}".encode(encoding))

    expected = run(command, "-", stdin=source.encode())
    assert (result.exit_code, result.stdout.removeprefix("\ufeff"), result.stderr) == (
        expected.exit_code,
        expected.stdout,
        expected.stderr,
    )


def test_theme_file_that_is_not_utf_8_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.toml").write_bytes(b"\xff")

    assert "not UTF-8" in run("convert", "-", "--template", str(tmp_path / "a.toml")).stderr


def test_version_is_the_packages() -> None:
    assert run("--version").stdout == f"mdpublish, version {__version__}\n"


def test_help_lists_the_commands_with_what_they_do() -> None:
    listed = run("--help").stdout.partition("Commands:\n")[2].partition("\n\n")[0].splitlines()

    assert [line.split()[0] for line in listed] == list(COMMANDS)
    assert all(len(line.split()) > 2 for line in listed)


@pytest.mark.parametrize("command", list(COMMANDS))
def test_each_command_has_help(command: str) -> None:
    for option in ("-h", "--help"):
        assert run(command, option).stdout.startswith(f"Usage: main {command} ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["convret"], "no such command 'convret'; did you mean 'convert'?"),
        (["fax"], f"no such command 'fax'; choose from: {', '.join(COMMANDS)}"),
        (["README.md"], "no such command 'README.md'; to convert a file: mdpublish convert README.md"),
        (["templates", "chek"], "no such command 'chek'; did you mean 'check'?"),
        (["convert", "-", "--templat-e", "a"], "--template"),
        (["convert", "-", "--template", "papper"], "unknown template 'papper'; did you mean 'paper'? Choose from: "),
        (["check", "-", "--to", "E-Mail"], "unknown output 'E-Mail'; did you mean 'email'? Choose from: "),
        (["templates", "--category", "busines"], "unknown category 'busines'; did you mean 'business'?"),
        (["convert", "-", "--extension", "emojis"], "unknown extension 'emojis'; did you mean 'emoji'? Choose from: "),
    ],
)
def test_misspelled_name_ends_in_a_suggestion(arguments: list[str], message: str) -> None:
    result = run(*arguments)

    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr.splitlines()[-1]


def test_markdown_is_never_overwritten(readme: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = readme.read_bytes()
    monkeypatch.chdir(readme.parent)
    Path("own.css").write_text("h1 { color: red }")
    Path("link").hardlink_to(readme)

    for name, problem in (
        ("README.md", "input and output are the same file: README.md; name another output, such as -o README.html"),
        ("link", "input and output are the same file: link; name another output, such as -o link.html"),
        ("own.css", "input and output are the same file: own.css; name another output, such as -o own.html"),
        (
            "new.md",
            ".md files require --to markdown if the input is Markdown, too; name another output, such as -o new.html",
        ),
        (
            "new.Markdown",
            ".markdown files require --to markdown if the input is Markdown, too; name another output, such as -o new.html",
        ),
    ):
        result = run("convert", "README.md", "--css", "own.css", "-o", name)
        assert (result.exit_code, result.stderr.splitlines()[-1]) == (2, f"Error: {problem}")
    assert readme.read_bytes() == before
    assert not Path("new.md").exists()


def test_markdown_is_written_if_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.md").write_text("*  one\n")
    Path("a.html").write_text("<p>one <b>two</b>")

    assert run("convert", "a.md", "--to", "markdown", "-o", "b.md").exit_code == 0
    assert Path("b.md").read_text() == "* one\n"
    assert run("convert", "a.html", "-o", "c.md").exit_code == 0
    assert Path("c.md").read_text() == "one **two**\n"
    assert (
        "d.md requires --to markdown (got --to slack)" in run("convert", "a.html", "--to", "slack", "-o", "d.md").stderr
    )


def commands_of(group: click.Group) -> Iterator[tuple[str, click.Command]]:
    for name in group.list_commands(click.Context(group)):
        command = group.get_command(click.Context(group), name)
        assert command
        yield name, command
        if isinstance(command, click.Group):
            yield from ((f"{name} {below}", each) for below, each in commands_of(command))


def test_help_has_examples_which_the_command_accepts() -> None:
    missing = []
    for name, command in [("", main), *commands_of(main)]:
        shown = run(*name.split(), "--help").stdout.partition("\nExamples:\n")[2]
        examples = re.findall(r"^  mdpublish (.+)$", shown, re.MULTILINE)
        if not examples or getattr(command, "examples", None) is None:
            missing.append(name)
        for example in examples:
            assert not name or example.startswith(name), example
            parse_only(example)
    assert missing == []


def parse_only(line: str) -> None:
    """Raise a usage error unless the command has these arguments and options."""
    command: click.Command = main
    words = shlex.split(line)
    while isinstance(command, click.Group) and words and not words[0].startswith("-"):
        following = command.get_command(click.Context(command), words.pop(0))
        assert following, line
        command = following
    command.make_context(command.name, words)


def test_help_lists_the_outputs() -> None:
    for command in ("", "convert", "check", "batch"):
        listed = run(*command.split(), "--help").stdout.partition("\nOutputs:\n")[2]
        assert re.findall(r"^  ([a-z-]+)", listed, re.MULTILINE) == list(OUTPUTS), command
    for command in ("copy", "preview"):
        listed = run(command, "--help").stdout.partition("\nDestinations:\n")[2]
        assert re.findall(r"^  ([a-z-]+)", listed, re.MULTILINE) == list(DESTINATIONS), command


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no named pipes")
def test_interruption_exits_with_130_and_no_traceback(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with (
        subprocess.Popen(
            [BIN / "mdpublish", "convert", "pipe"], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        ) as process,
        (tmp_path / "pipe").open("wb"),
    ):  # once the command reads
        process.send_signal(signal.SIGINT)
        printed = process.communicate(timeout=60)

    assert (process.returncode, printed) == (130, (b"", b"\nAborted!\n"))


def test_interruption_of_the_imports_exits_with_130_and_no_traceback(tmp_path: Path) -> None:
    (tmp_path / "click.py").write_text("raise KeyboardInterrupt")  # Ctrl-C while the command is imported
    environment = importing(tmp_path)
    command = [sys.executable, "-m", "mdpublish_core", "--version"]
    process = subprocess.run(command, check=False, capture_output=True, env=environment, text=True)

    assert (process.returncode, process.stdout, process.stderr) == (130, "", "\nAborted!\n")


def test_colors_are_for_terminals_that_want_them(tmp_path: Path) -> None:
    (tmp_path / "a.md").write_text("[a](javascript:b)")
    arguments = ("check", str(tmp_path / "a.md"))

    assert b"\x1b[" in on_a_terminal(*arguments)
    assert b"\x1b[" not in on_a_terminal(*arguments, NO_COLOR="1")
    assert b"\x1b[" not in on_a_terminal(*arguments, TERM="dumb")
    assert "\x1b[" not in run(*arguments).output


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
@pytest.mark.parametrize(
    "arguments", [["convert", "-"], ["templates"], ["templates", "--gallery", "-"], ["check", "."]]
)
def test_full_disk_ends_in_a_message(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "a.md").write_text("[a](b)")
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [BIN / "mdpublish", *arguments],
            cwd=tmp_path,
            stdin=subprocess.DEVNULL,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    assert (done.returncode, done.stderr) == (1, "Error: cannot access standard output: No space left on device\n")


@pytest.mark.parametrize("arguments", [["convert", "a.md"], ["check", "a.md"], ["templates"], ["--help"]])
def test_reader_that_has_enough_is_no_mistake(tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "a.md").write_text("[a](b)\n\n" * 5_000)
    with subprocess.Popen(
        [BIN / "mdpublish", *arguments], cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.close()
        assert b"Traceback" not in process.stderr.read()
        process.wait(60)
    assert process.returncode == 1


def test_every_command_that_reports_does_so_for_programs() -> None:
    helps = {name: CliRunner().invoke(main, [name, "--help"]).stdout for name in COMMANDS}
    assert {name for name, shown in helps.items() if not re.search(r"^ +--output-format \[text\|json", shown, re.MULTILINE)} == {
        # A server, a login, a script for a shell, and a page for a person.
        "preview", "login", "mcp", "completion", "arrivals",
    }  # fmt: skip
