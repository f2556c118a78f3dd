"""Console output."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from mdpublish_core import MdpublishError
from mdpublish_core.cli.inputs import WalkedFile, error_message
from mdpublish_core.errors import UnknownChoice
from mdpublish_core.resources.folder_files import open_within

STANDARD_OUTPUT = "-"


def write(output: str, content: bytes) -> None:
    if output == STANDARD_OUTPUT:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        if isinstance(output, WalkedFile):
            with open_within(output.root, Path(output), "wb") as opened:
                opened.write(content)
                opened.truncate()
        else:
            Path(output).write_bytes(content)
    except OSError as error:
        problem = "make its folder first" if isinstance(error, FileNotFoundError) else error.strerror
        raise click.ClickException(f"cannot write {output}: {problem}") from None


def pluralize(number: int, noun: str) -> str:
    """Format a count: `1 file`, `2,000 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def error_line(message: str) -> str:
    return f"{click.style('Error:', fg='red')} {message}"


class UnknownName(click.ClickException):
    """A name on the command line that stands for nothing: one line, with the exit status of a usage error."""

    exit_code = 2


@contextmanager
def library_errors() -> Iterator[None]:
    try:
        yield
    except UnknownChoice as error:
        raise UnknownName(error_message(error)) from None
    except MdpublishError as error:
        raise click.ClickException(error_message(error)) from None
