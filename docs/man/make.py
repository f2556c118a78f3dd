"""Writes the manual page of the command, mdpublish(1), from the command's own parsers.

`python -m docs.man.make` writes it to the core's `man/`, from where wheels install it in `share/man/man1`. Macros are
those of man(7), which groff and mandoc read.
"""

import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import click

from mdpublish_core import __version__
from mdpublish_core.cli import main as command
from mdpublish_core.cli.command import Command, CommandGroup
from mdpublish_core.writers.outputs import DESTINATIONS

PAGE = Path(__file__).parents[2] / "packages/mdpublish-core/man/mdpublish.1"

_EXIT_STATUSES = {
    "0": "Success.",
    "1": "An input could not be converted, or an output not be written; for check, also that there are notices.",
    "2": "Wrong options, names or configuration.",
    "130": "Interrupted by Ctrl-C.",
}

_FILES = {
    "mdpublish.toml": "Configuration: options without their dashes as keys, those of one command in a table of its name.",
    "pyproject.toml": "The same in its table tool.mdpublish.",
}

_ENVIRONMENT = {"NO_COLOR": "If set, output has no colors."}


def main() -> None:
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(manual(), "utf-8")


def manual() -> str:
    return "\n".join((*_head(), *_commands(command, "mdpublish"), *_foot())) + "\n"


def _head() -> Iterator[str]:
    yield '.\\" Written by docs/man/make.py.'
    yield f'.TH MDPUBLISH 1 "" "mdpublish {__version__}" "User Commands"'
    yield ".SH NAME"
    yield f"mdpublish \\- {_escaped(_paragraphs(command)[0].rstrip('.'))}"
    yield ".SH SYNOPSIS"
    yield "\\fBmdpublish\\fR [\\fIOPTIONS\\fR] \\fICOMMAND\\fR [\\fIARGS\\fR]..."
    yield ".SH DESCRIPTION"
    yield "Converts Markdown files. A value comes from an option, else from the front matter of the document, else from the"
    yield "configuration of its folder, else it is the default. Nothing is fetched from the network."
    yield ".SH OPTIONS"
    yield from _options(command, "mdpublish")
    yield ".SH COMMANDS"


def _commands(group: click.Group, name: str) -> Iterator[str]:
    context = click.Context(group, info_name=name)
    for subname in group.list_commands(context):
        subcommand = group.get_command(context, subname)
        assert subcommand
        path = f"{name} {subname}"
        pieces = " ".join(subcommand.collect_usage_pieces(_context(subcommand, path)))
        yield f".SS {_escaped(f'{path} {pieces}')}"
        for number, paragraph in enumerate(_paragraphs(subcommand)):
            if number:
                yield ".PP"
            if paragraph.startswith("\b\n"):
                yield ".nf"
                yield from map(_escaped, paragraph.splitlines()[1:])
                yield ".fi"
            else:
                yield _escaped(" ".join(paragraph.split()))
        yield from _options(subcommand, path)
        if isinstance(subcommand, click.Group):
            yield from _commands(subcommand, path)


def _context(cmd: click.Command, name: str) -> click.Context:
    """Return a context with the options for help that the command has when it runs: click keeps those of the first."""
    return click.Context(cmd, info_name=name, help_option_names=command.context_settings["help_option_names"])


def _options(cmd: click.Command, name: str) -> Iterator[str]:
    context = _context(cmd, name)
    # Not get_params, in which --help is that of the context that asked first.
    records = [param.get_help_record(context) for param in cmd.params if isinstance(param, click.Option)]
    for record in (*records, ("-h, --help", "Show this message and exit.")):
        if record:
            yield ".TP"
            yield f"\\fB{_escaped(record[0])}\\fR"
            yield _escaped(" ".join(record[1].split()))


def _foot() -> Iterator[str]:
    yield ".SH DESTINATIONS"
    yield from _terms({name: f"{each.summary}." for name, each in DESTINATIONS.items()})
    yield ".SH EXIT STATUS"
    yield from _terms(_EXIT_STATUSES)
    yield ".SH ENVIRONMENT"
    yield from _terms(_ENVIRONMENT)
    yield ".SH FILES"
    yield from _terms(_FILES)
    yield ".SH EXAMPLES"
    for line, meaning in _examples(command):
        yield ".TP"
        yield f"\\fBmdpublish {_escaped(line)}\\fR"
        yield _escaped(meaning)


def _examples(group: click.Group) -> Iterator[tuple[str, str]]:
    """Examples of the commands: those of the group itself are among them."""
    context = click.Context(group)
    seen = set()
    for name in group.list_commands(context):
        subcommand = group.get_command(context, name)
        if isinstance(subcommand, Command | CommandGroup):
            for line, meaning in subcommand.examples:
                if line not in seen:
                    seen.add(line)
                    yield line, meaning


def _terms(terms: dict[str, str]) -> Iterator[str]:
    for term, meaning in terms.items():
        yield ".TP"
        yield f"\\fB{_escaped(term)}\\fR"
        yield _escaped(meaning)


def _paragraphs(cmd: click.Command) -> list[str]:
    assert cmd.help, f"{cmd.name} has no help"
    return inspect.cleandoc(cmd.help).split("\n\n")


def _escaped(value: str) -> str:
    """Return a value for roff: hyphens that can be copied, no control line, no escape."""
    escaped = (
        value.replace("\\", "\\e").replace("-", "\\-").replace("…", "...").replace("'", "\\(aq").replace("~", "\\(ti")
    )
    return re.sub(r"^(?=[.])", r"\\&", escaped)


if __name__ == "__main__":
    main()
