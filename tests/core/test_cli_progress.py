"""Progress of long work, as a line on a terminal."""

import re
import sys
from collections.abc import Callable
from io import StringIO
from pathlib import Path

import pytest

from mdpublish_core.cli import main
from mdpublish_core.cli.progress import Progress

COMMANDS = {
    "batch": ["batch", "docs", "out", "--workers", "1"],
    "check": ["check", "docs", "--no-cache"],
    "check with fixes": ["check", "docs", "--fix"],
    "format": ["format", "--check", "docs"],
    "site": ["site", "docs", "out", "--workers", "1"],
}


class Terminal(StringIO):
    """A standard error that is one."""

    def isatty(self) -> bool:
        return True


Run = Callable[[list[str], StringIO], str]


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a command in a folder with three files, and returns what it wrote to standard error."""
    (tmp_path / "docs").mkdir()
    for name in ("a", "b", "c"):
        (tmp_path / f"docs/{name}.md").write_text(f"# {name}\n")
    monkeypatch.chdir(tmp_path)
    for variable, value in {"CI": "", "TERM": "xterm", "COLUMNS": "60"}.items():
        monkeypatch.setenv(variable, value)

    def run(arguments: list[str], standard_error: StringIO) -> str:
        monkeypatch.setattr(sys, "stderr", standard_error)
        main(arguments, standalone_mode=False)
        return standard_error.getvalue()

    return run


@pytest.mark.parametrize("name", COMMANDS)
def test_command_says_on_a_terminal_what_it_does_and_leaves_nothing_of_it(name: str, run: Run) -> None:
    written = run(COMMANDS[name], Terminal())
    *steps, last = written.split("\r")
    assert any(re.fullmatch(r"3 of [35]: .*c\.(md|html)", step) for step in steps), written
    # The last step is overwritten by spaces before the summary is written.
    assert not steps[-1].strip(), written
    assert last.rstrip("\n"), written
    assert " of " not in last


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize(
    ("standard_error", "variables"),
    [(StringIO, {}), (Terminal, {"CI": "true"}), (Terminal, {"TERM": "dumb"})],
    ids=["pipe", "CI", "dumb"],
)
def test_command_is_silent_elsewhere(
    name: str,
    standard_error: type[StringIO],
    variables: dict[str, str],
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for variable, value in variables.items():
        monkeypatch.setenv(variable, value)
    assert "\r" not in run(COMMANDS[name], standard_error())


@pytest.mark.parametrize("name", COMMANDS)
def test_command_is_silent_beside_a_report_for_a_program(name: str, run: Run) -> None:
    assert "\r" not in run([*COMMANDS[name], "--output-format", "json"], Terminal())


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("a\x1b[2J.md", "1 of 2: a\ufffd[2J.md"),
        ("x" * 90, "1 of 2: " + "x" * 51),
        ("b.md\n\r", "1 of 2: b.md\ufffd\ufffd"),
    ],
    ids=["control", "long", "lines"],
)
def test_line_fits_the_terminal_and_moves_nothing_else(name: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    for variable, value in {"CI": "", "TERM": "xterm", "COLUMNS": "60"}.items():
        monkeypatch.setenv(variable, value)
    monkeypatch.setattr(sys, "stderr", terminal)
    Progress().show(1, 2, name)
    assert terminal.getvalue() == f"\r{line}"
    Progress().show(1, 1, name)
    assert terminal.getvalue() == f"\r{line}"
