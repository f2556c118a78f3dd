"""Every command line of the documentation has only commands and options that exist, also where nothing runs it.

The follower runs blocks; here are inline code, blocks that are not run, labels of the benchmarks, and messages.
"""

import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from mdpublish_core.cli import main as core
from mdpublish_server.cli import main as server
from tests.docs.examples import FOLLOWED, blocks_of
from tests.docs.pages import ROOT

PROGRAMS: dict[str, click.Group] = {"mdpublish": core, "mdpublish-admin": server, "mdpublish-server": server}
SHELLS = {"console", "sh", "yaml"}
FILES = [*FOLLOWED, *(file for folder in ("benchmarks", "packages") for file in sorted((ROOT / folder).rglob("*.py")))]

_INLINE = re.compile(rf"`((?:{'|'.join(PROGRAMS)}) [^`]+)`")
# Users, containers and folders are named mdpublish, too.
_COMMANDS = "|".join(
    rf"{name} (?:{'|'.join(group.list_commands(click.Context(group)))})\b" for name, group in PROGRAMS.items()
)
_IN_SHELL = re.compile(rf"(?:^|[\s/(])((?:{_COMMANDS})[^\n]*)", re.MULTILINE)
_IN_TEXT = re.compile(rf"(?:{_COMMANDS})[^\n\"'`;,:]*")
_QUOTED = re.compile(r"""'[^']*(?:'|$)|"[^"]*(?:"|$)""")
_END = re.compile(r"[|&;<>()#]")


def command_lines(file: Path) -> Iterator[str]:
    if file.suffix == ".py":
        yield from _IN_TEXT.findall(file.read_text("utf-8"))
        return
    yield from _INLINE.findall(file.read_text("utf-8"))
    for block in blocks_of(file):
        if block.language in SHELLS:
            yield from _IN_SHELL.findall(block.code.replace("\\\n", " "))


def problem(line: str) -> str | None:
    """Return the first word that is no command or option of the program."""
    program, *words = _END.split(_QUOTED.sub("TEXT", line))[0].split()
    command: click.Command = PROGRAMS[program]
    for word in words:
        if word.startswith("-") and word.partition("=")[0].rstrip(".") not in options_of(command):
            return word
        if isinstance(command, click.Group) and re.fullmatch(r"[a-z]+", word):
            subcommand = command.get_command(click.Context(command), word)
            if subcommand is None:
                return word
            command = subcommand
    return None


def options_of(command: click.Command) -> set[str]:
    return {"-", "--", "-h", "--help"}.union(*((*each.opts, *each.secondary_opts) for each in command.params))


def test_command_lines_have_only_commands_and_options_that_exist() -> None:
    wrong = [f"{file.relative_to(ROOT)}: {line}" for file in FILES for line in command_lines(file) if problem(line)]

    assert wrong == []


@pytest.mark.parametrize(
    ("line", "word"),
    [
        ("mdpublish convert --page", "--page"),
        ("mdpublish convert a.md --to page | less --page", None),
        ("mdpublish convrt a.md", "convrt"),
        ("mdpublish-server key add anna@example.org --rights read-only > key.txt", "--rights"),
    ],
)
def test_word_that_a_program_does_not_know_is_reported(line: str, word: str | None) -> None:
    assert problem(line) == word
