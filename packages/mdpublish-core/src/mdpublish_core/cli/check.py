"""The `check` command."""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.console import error_line, library_errors, notice_line, pluralize, sort_notices
from mdpublish_core.cli.inputs import STANDARD_INPUT, display_name, error_message, folder_of, read_markdown
from mdpublish_core.cli.options import DESTINATION, raw_html_option

if TYPE_CHECKING:
    from mdpublish_core import Notice
    from mdpublish_core.destinations import Destination
    from mdpublish_core.options.extensions import RawHtml


@dataclass(frozen=True, slots=True)
class _CheckResult:
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
    help="Destination to check for; can be repeated.  [default: generic]",
)
@raw_html_option
@click.option(
    "--format",
    "output_format",
    type=click.Choice(["text", "json", "github"]),
    default="text",
    show_default=True,
    help="Output format: one line per notice, JSON, or annotations for GitHub Actions.",
)
def check(*, files: tuple[str, ...], destinations: tuple[str, ...], raw_html: "RawHtml", output_format: str) -> None:
    """Report problems in Markdown files.

    Notices are printed with file and line. Directories are searched recursively for Markdown files. Links and
    images whose file does not exist, and links to missing headings, are reported as well. Exits with status 1 if
    there are any notices or unreadable files.
    """
    from mdpublish_core.destinations import get_destination

    with library_errors():
        targets = [get_destination(destination) for destination in destinations or ("generic",)]
    results = [_check(file, targets, raw_html) for file in _expanded(files)]
    _PRINTERS[output_format](results)
    notices = sum(len(each.notices) for each in results)
    unread = sum(each.problem is not None for each in results)
    summary = f"{pluralize(notices, 'notice')} in {pluralize(len(results), 'file')}" + (
        f", {unread:,} unreadable" if unread else ""
    )
    click.echo(summary, err=True)
    if notices or unread:
        raise SystemExit(1)


def _expanded(files: Sequence[str]) -> Iterator[str]:
    from mdpublish_core.cli.batch.plan import documents_in

    for file in files:
        if file != STANDARD_INPUT and Path(file).is_dir():
            yield from (str(Path(file) / document) for document in sorted(documents_in(Path(file))))
        else:
            yield file


def _check(file: str, targets: "Sequence[Destination]", raw_html: "RawHtml") -> _CheckResult:
    from mdpublish_core import MdpublishError

    try:
        notices = sort_notices(_notices(read_markdown(file), folder_of(file), targets, raw_html))
    except click.ClickException as error:
        return _CheckResult(file, problem=error.message)
    except MdpublishError as error:
        return _CheckResult(file, problem=error_message(error))
    return _CheckResult(file, tuple(notices))


def _notices(markdown: str, folder: Path, targets: "Sequence[Destination]", raw_html: "RawHtml") -> "Iterator[Notice]":
    from mdpublish_core import parse, render
    from mdpublish_core.cli.batch.links import LinkChecker
    from mdpublish_core.cli.images import ImageEmbedder

    link_checker = LinkChecker(folder)
    document = parse(markdown, raw_html=raw_html, rewrite_url=link_checker)
    yield from link_checker.notices_of(document)
    images = ImageEmbedder(folder)
    with_images = (
        parse(markdown, raw_html=raw_html, rewrite_url=images)
        if any(target.embeds_images for target in targets)
        else document
    )
    for target in targets:
        if target.embeds_images:
            yield from images.merge_notices(render(with_images, destination=target.name).notices)
        else:
            yield from render(document, destination=target.name).notices


def _print_text(results: Sequence[_CheckResult]) -> None:
    for each in results:
        for notice in each.notices:
            click.echo(notice_line(each.file, notice))
        if each.problem:
            click.echo(error_line(each.problem), err=True)


def _print_json(results: Sequence[_CheckResult]) -> None:
    content = [
        {
            "file": display_name(each.file),
            "error": each.problem,
            "notices": [{"line": n.line, "code": n.code, "message": n.message} for n in each.notices],
        }
        for each in results
    ]
    click.echo(json.dumps(content, indent=2))


def _print_github(results: Sequence[_CheckResult]) -> None:
    for each in results:
        location = f"file={_property(display_name(each.file))}"
        if each.problem:
            click.echo(f"::error {location}::{_data(each.problem)}")
        for notice in each.notices:
            line = f",line={notice.line}" if notice.line else ""
            click.echo(f"::warning {location}{line},title={notice.code}::{_data(notice.message)}")


_PRINTERS: dict[str, Callable[[Sequence[_CheckResult]], None]] = {
    "text": _print_text,
    "json": _print_json,
    "github": _print_github,
}


def _data(value: str) -> str:
    return _escaped(value, r"[%\r\n]")


def _property(value: str) -> str:
    return _escaped(value, r"[%\r\n:,]")


def _escaped(value: str, special: str) -> str:
    return re.sub(special, lambda match: f"%{ord(match[0]):02X}", value)
