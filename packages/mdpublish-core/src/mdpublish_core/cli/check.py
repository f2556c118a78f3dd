"""The `check` command."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.batch.plan import expand_folders
from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import ConfiguredDefaults
from mdpublish_core.cli.console import library_errors, pluralize
from mdpublish_core.cli.inputs import (
    ParseOptions,
    error_message,
    folder_of,
    read_markdown,
    read_output_name,
)
from mdpublish_core.cli.notice_formats import FileNotices, output_format_option, print_notices, sort_notices
from mdpublish_core.cli.options import OUTPUT, markdown_options

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from mdpublish_core import Delivery, Notice
    from mdpublish_core.cli.notice_formats import NoticeFormat
    from mdpublish_core.options.extensions import RawHtml
    from mdpublish_core.writers.outputs import Output


@click.command(
    cls=ConfiguredCommand,
    input_name="files",
    examples=[
        ("check README.md docs", "Check a file, and all those in a folder."),
        ("check news.md --to email --to slack", "Check what two outputs cannot show."),
        ("check news.md --to slack --delivery", "Say in which form each line arrives."),
        ("check . --output-format github", "Annotate a pull request."),
    ],
)
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@click.option(
    "--to",
    "outputs",
    type=OUTPUT,
    metavar="OUTPUT",
    multiple=True,
    help="Output to check for; can be repeated.  [default: from the front matter, or generic]",
)
@click.option(
    "--delivery",
    "has_delivery",
    is_flag=True,
    help="Also print what arrives in another form or is lost, by line, and what arrives as it is.",
)
@markdown_options
@output_format_option("standard output")
def check(
    *,
    files: tuple[str, ...],
    outputs: tuple[str, ...],
    has_delivery: bool,
    raw_html: "RawHtml",
    extensions: tuple[str, ...],
    transforms: tuple[str, ...],
    notice_format: "NoticeFormat",
    configured: ConfiguredDefaults,
) -> None:
    """Report problems in Markdown files.

    Notices are printed with file, line and column. Directories are searched recursively for Markdown files. Links and
    images whose file does not exist, and links to missing headings, are reported as well. Exits with status 1 if
    there are any notices or unreadable files.
    """
    from mdpublish_core import parse
    from mdpublish_core.writers.outputs import get_output

    parsing = ParseOptions(raw_html, extensions, transforms, configured.extensions)
    with library_errors():
        parse("", transform=transforms)  # an unknown one is a mistake of the command, not of a file
        targets = [get_output(to) for to in outputs]
    defaults = [get_output(to) for to in configured.outputs or ("generic",)]
    results = [_check(file, targets, defaults, parsing, has_delivery=has_delivery) for file in expand_folders(files)]
    print_notices(results, notice_format, err=False)
    notices = sum(len(each.notices) for each in results)
    unread = sum(each.problem is not None for each in results)
    summary = f"{pluralize(notices, 'notice')} in {pluralize(len(results), 'file')}" + (
        f", {unread:,} unreadable" if unread else ""
    )
    click.echo(summary, err=True)
    if notices or unread:
        raise SystemExit(1)


def _check(
    file: str,
    targets: "Sequence[Output]",
    defaults: "Sequence[Output]",
    parsing: ParseOptions,
    *,
    has_delivery: bool,
) -> FileNotices:
    from mdpublish_core import MdpublishError
    from mdpublish_core.writers.outputs import get_output

    delivery: dict[str, Sequence[Delivery]] | None = {} if has_delivery else None
    try:
        markdown = read_markdown(file)
        named, invalid = read_output_name(markdown)
        chosen = targets or ([get_output(named)] if named else defaults)
        notices = sort_notices((*invalid, *_notices(markdown, folder_of(file), chosen, parsing, delivery)))
    except click.ClickException as error:
        return FileNotices(file, problem=error.message)
    except MdpublishError as error:
        return FileNotices(file, problem=error_message(error))
    return FileNotices(file, tuple(notices), delivery=delivery)


def _notices(
    markdown: str,
    folder: Path,
    targets: "Sequence[Output]",
    parsing: ParseOptions,
    delivery: "dict[str, Sequence[Delivery]] | None",
) -> "Iterator[Notice]":
    """Yield the notices of the links and the conversions, and add what arrives to `delivery`, by output."""
    from mdpublish_core import render
    from mdpublish_core.cli.batch.links import LinkChecker
    from mdpublish_core.cli.images import ImageEmbedder

    link_checker = LinkChecker(folder)
    document = parsing.parse(markdown, link_checker)
    yield from link_checker.notices_of(document)
    images = ImageEmbedder(folder)
    with_images = parsing.parse(markdown, images) if any(target.embeds_images for target in targets) else document
    for target in targets:
        conversion = render(with_images if target.embeds_images else document, to=target)
        if delivery is not None:
            delivery[target.name] = conversion.delivery
        yield from images.merge_notices(conversion.notices) if target.embeds_images else conversion.notices
