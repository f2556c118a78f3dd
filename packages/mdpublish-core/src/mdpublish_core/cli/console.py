"""Console output."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from mdpublish_core import MdpublishError
from mdpublish_core.cli.inputs import error_message
from mdpublish_core.errors import UnknownChoice

STANDARD_OUTPUT = "-"


def write(output: str, content: bytes) -> None:
    if output == STANDARD_OUTPUT:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        Path(output).write_bytes(content)
    except OSError as error:
        raise click.ClickException(f"cannot write {output}: {error.strerror}") from None


@contextmanager
def atomic_write(path: Path, *, mode: int = 0o666) -> Iterator[Path]:
    """Create an empty file beside `path`, which it replaces after the block; raise `OSError`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = path.with_name(f".{path.name}.{os.getpid()}.part")
    temporary.unlink(missing_ok=True)
    # A folder of strangers may hold links to other files: what is new is made, not opened.
    os.close(os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode))
    try:
        yield temporary
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


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
