"""`mdpublish check`: what authors should know of their texts before anybody reads them."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.options import DESTINATION, raw_html_option
from mdpublish_core.cli.reading import STANDARD_INPUT, folder_of, read_text, refusal, shown
from mdpublish_core.cli.writing import counted, error_line, in_order, library_errors, notice_line

if TYPE_CHECKING:
    from mdpublish_core import Notice
    from mdpublish_core.destinations import Destination
    from mdpublish_core.extensions import RawHtml


@dataclass(frozen=True, slots=True)
class _Checked:
    """A file with its notices, or with the reason why it has none."""

    file: str
    notices: "tuple[Notice, ...]" = ()
    problem: str | None = None


@click.command()
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@click.option(
    "--to",
    "destinations",
    type=DESTINATION,
    metavar="DESTINATION",
    multiple=True,
    help="Destination to check for; repeatable.  [default: generic]",
)
@raw_html_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="How notices are printed: a line each, for programs, or as annotations of a workflow on GitHub.",
)
def check(*, files: tuple[str, ...], destinations: tuple[str, ...], raw_html: "RawHtml", form: str) -> None:
    """Print what could not be shown as it was written.

    Each notice has its file and line. A folder stands for every Markdown file in it and below. Links and pictures that lead
    to no file, and links to no heading, are found, too. The exit status is 1 where there is anything to print.
    """
    from mdpublish_core.destinations import get_destination

    with library_errors():
        goals = [get_destination(destination) for destination in destinations or ("generic",)]
    checked = [_check(file, goals, raw_html) for file in _expanded(files)]
    _PRINTERS[form](checked)
    notices = sum(len(each.notices) for each in checked)
    unread = sum(each.problem is not None for each in checked)
    said = f"{counted(notices, 'notice')} in {counted(len(checked), 'file')}" + (
        f", {unread:,} not checked" if unread else ""
    )
    click.echo(said, err=True)
    if notices or unread:
        raise SystemExit(1)


def _expanded(files: Sequence[str]) -> Iterator[str]:
    """Yield the files that are named, and those in the folders that are."""
    from mdpublish_core.cli.folders.plan import documents_in

    for file in files:
        if file != STANDARD_INPUT and Path(file).is_dir():
            yield from (str(Path(file) / document) for document in sorted(documents_in(Path(file))))
        else:
            yield file


def _check(file: str, goals: "Sequence[Destination]", raw_html: "RawHtml") -> _Checked:
    from mdpublish_core import MdpublishError

    try:
        notices = in_order(_notices(read_text(file), folder_of(file), goals, raw_html))
    except click.ClickException as error:
        return _Checked(file, problem=error.message)
    except MdpublishError as error:
        return _Checked(file, problem=refusal(error))
    return _Checked(file, tuple(notices))


def _notices(text: str, folder: Path, goals: "Sequence[Destination]", raw_html: "RawHtml") -> "Iterator[Notice]":
    """Yield what the destinations give notice of, as the commands convert for them: some take pictures along."""
    from mdpublish_core import parse, render
    from mdpublish_core.cli.folders.addresses import CheckedAddresses
    from mdpublish_core.cli.pictures import EmbeddedPictures

    checked = CheckedAddresses(folder)
    document = parse(text, raw_html=raw_html, resolve=checked)
    yield from checked.notices_of(document)
    pictures = EmbeddedPictures(folder)
    with_pictures = (
        parse(text, raw_html=raw_html, resolve=pictures) if any(goal.embeds_images for goal in goals) else document
    )
    for goal in goals:
        if goal.embeds_images:
            yield from pictures.told_with(render(with_pictures, destination=goal.name).notices)
        else:
            yield from render(document, destination=goal.name).notices


def _print_text(checked: Sequence[_Checked]) -> None:
    for each in checked:
        for notice in each.notices:
            click.echo(notice_line(each.file, notice))
        if each.problem:
            click.echo(error_line(each.problem), err=True)


def _print_json(checked: Sequence[_Checked]) -> None:
    content = [
        {
            "file": shown(each.file),
            "error": each.problem,
            "notices": [{"line": n.line, "code": n.code, "message": n.message} for n in each.notices],
        }
        for each in checked
    ]
    click.echo(json.dumps(content, indent=2))


def _print_github(checked: Sequence[_Checked]) -> None:
    """Print GitHub's workflow commands, which it makes annotations of."""
    for each in checked:
        place = f"file={_property(shown(each.file))}"
        if each.problem:
            click.echo(f"::error {place}::{_data(each.problem)}")
        for notice in each.notices:
            line = f",line={notice.line}" if notice.line else ""
            click.echo(f"::warning {place}{line},title={notice.code}::{_data(notice.message)}")


_PRINTERS: dict[str, Callable[[Sequence[_Checked]], None]] = {
    "text": _print_text,
    "json": _print_json,
    "github": _print_github,
}


def _data(text: str) -> str:
    """Return a text as it stands in a workflow command."""
    return _escaped(text, r"[%\r\n]")


def _property(text: str) -> str:
    """Return a text as a property of a workflow command."""
    return _escaped(text, r"[%\r\n:,]")


def _escaped(text: str, special: str) -> str:
    return re.sub(special, lambda match: f"%{ord(match[0]):02X}", text)
