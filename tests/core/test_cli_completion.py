"""Shell completion of commands, options, destinations and templates."""

import os
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner

from mdpublish_core import list_templates
from mdpublish_core.cli import COMMANDS, main
from mdpublish_core.writers.outputs import DESTINATIONS, OUTPUTS
from tests.running import BIN

PATH = f"{BIN}{os.pathsep}{os.environ['PATH']}"


def offers(**environment: str) -> list[str]:
    """Lines that a shell's script gets; `test_script_makes_bash_complete` has a shell call the command."""
    done = CliRunner().invoke(main, prog_name="mdpublish", env=environment)
    assert (done.exit_code, done.stderr) == (0, "")
    return done.stdout.splitlines()


def completed(*words: str) -> list[str]:
    """Completions that bash offers for the last word."""
    line = " ".join(["mdpublish", *words])
    offered = offers(_MDPUBLISH_COMPLETE="bash_complete", COMP_WORDS=line, COMP_CWORD=str(len(words)))
    return [each.partition(",")[2] for each in offered]


@pytest.mark.parametrize(
    ("words", "offered"),
    [
        ([""], list(COMMANDS)),
        (["co"], ["convert", "copy", "completion"]),
        (["convert", "a.md", "--to", ""], list(OUTPUTS)),
        (["copy", "a.md", "--to", ""], list(DESTINATIONS)),
        (["batch", "a", "b", "--to", "o"], ["onenote"]),
        (["check", "--to", "pl"], ["plain-text"]),
        (["copy", "--template", "te"], ["terminal"]),
        (["convert", "--template", ""], [template.id for template in list_templates()]),
        (["convert", "--theme-mode", ""], ["light", "dark", "auto"]),
        (["copy", "--theme-mode", ""], ["light", "dark"]),
        (["convert", "--page-w"], ["--page-width"]),
        (["convert", "--extension", "e"], ["emoji"]),
        (["batch", "a", "b", "--extension", "no-mat"], ["no-math"]),
        (["completion", ""], ["bash", "zsh", "fish", "powershell"]),
    ],
)
def test_words_are_completed(words: list[str], offered: list[str]) -> None:
    assert completed(*words) == offered


@pytest.mark.parametrize(
    "words", [["convert", "REA"], ["convert", "-o", ""], ["batch", ""], ["convert", "--template", "./"]]
)
def test_names_of_files_are_left_to_the_shell(words: list[str]) -> None:
    assert completed(*words) in ([words[-1]], [""])


def test_script_makes_bash_complete(tmp_path: Path) -> None:
    (tmp_path / "script").write_text(CliRunner().invoke(main, ["completion", "bash"]).stdout)
    program = (
        "source ./script; complete -p mdpublish; COMP_WORDS=(mdpublish convert --to w); COMP_CWORD=3; "
        '_mdpublish_completion mdpublish; echo "${COMPREPLY[@]}"'
    )

    done = subprocess.run(
        ["bash", "--norc", "-c", program],
        cwd=tmp_path,
        env={"PATH": PATH},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )

    assert done.stdout.splitlines()[-1] == "word"
    assert "mdpublish" in done.stdout.splitlines()[0]


def completed_in_powershell(*words: str) -> list[str]:
    """The lines that its script gets for the last word, as PowerShell passes them."""
    # PowerShell's parser has no element for a word that is still empty.
    line = "\n".join(["mdpublish", *filter(None, words)])
    lines = offers(_MDPUBLISH_COMPLETE="powershell_complete", COMP_WORDS=line, COMP_WORD=words[-1])
    return [line for line in lines if line]  # as its script does


def test_powershell_gets_values_with_their_help() -> None:
    assert completed_in_powershell("co") == [
        f"{name}\t{help_text}"
        for name, help_text in (
            ("convert", "Convert a Markdown file."),
            ("copy", "Copy a converted document to the clipboard."),
            ("completion", "Print a shell completion script."),
        )
    ]
    assert completed_in_powershell("convert", "a b.md", "--to", "") == [f"{name}\t{name}" for name in OUTPUTS]
    assert completed_in_powershell("convert", "REA") == []


@pytest.mark.parametrize("shell", ["zsh", "fish", "powershell"])
def test_script_of_other_shells_asks_the_command(shell: str) -> None:
    script = CliRunner().invoke(main, ["completion", shell]).stdout

    assert "_MDPUBLISH_COMPLETE" in script
    assert f"{shell}_complete" in script


def test_unknown_shell_is_refused_with_the_known_ones() -> None:
    result = CliRunner().invoke(main, ["completion", "tcsh"])

    assert result.exit_code == 2
    assert "'bash', 'zsh', 'fish'" in result.stderr
