"""Console output."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_core import MdpublishError
from mdpublish_core.cli.inputs import display_name, error_message

if TYPE_CHECKING:
    from mdpublish_core import Notice

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


def pluralize(number: int, noun: str) -> str:
    """Format a count: `1 file`, `2,000 files`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def print_notices(file: str, notices: "Iterable[Notice]") -> None:
    for notice in sort_notices(notices):
        click.echo(notice_line(file, notice), err=True)


def sort_notices(notices: "Iterable[Notice]") -> "list[Notice]":
    """Sort by line, without duplicates from several conversions."""
    return sorted(dict.fromkeys(notices), key=lambda notice: (notice.line is None, notice.line or 0))


def notice_line(file: str, notice: "Notice") -> str:
    location = display_name(file) if notice.line is None else f"{display_name(file)}:{notice.line}"
    return f"{click.style(f'{location}:', bold=True)} {notice.message} {click.style(f'[{notice.code}]', fg='yellow')}"


def error_line(message: str) -> str:
    return f"{click.style('Error:', fg='red')} {message}"


@contextmanager
def library_errors() -> Iterator[None]:
    try:
        yield
    except MdpublishError as error:
        raise click.ClickException(error_message(error)) from None
