"""The `copy` command."""

import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import ConfiguredDefaults
from mdpublish_core.cli.console import library_errors
from mdpublish_core.cli.images import parse_document
from mdpublish_core.cli.imported import as_markdown, read_clipboard, read_source
from mdpublish_core.cli.inputs import ParseOptions, read_output_name
from mdpublish_core.cli.notice_formats import FileNotices, output_format_option, print_notices, sort_notices
from mdpublish_core.cli.options import markdown_options, read_style, style_options, table_options

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdpublish_core import Notice
    from mdpublish_core.cli.notice_formats import NoticeFormat
    from mdpublish_core.templates import ThemeMode
    from mdpublish_core.writers.clipboard import ClipboardContents


@click.command(cls=ConfiguredCommand, input_name="file")
@click.argument("file", metavar="[FILE|-]", type=click.Path(path_type=str), required=False)
@table_options("copy")
@table_options("copy to")
@style_options
@markdown_options
@table_options("copy 2")
@output_format_option("standard output (text: to standard error)")
@table_options("copy 3")
@table_options("cache")
def copy(
    *,
    file: str | None,
    from_clipboard: bool,
    to: str | None,
    template: str | None,
    theme_mode: "ThemeMode | None",
    css_file: str | None,
    parsing: ParseOptions,
    repairs: bool | None,
    plain: bool,
    notice_format: "NoticeFormat",
    configured: ConfiguredDefaults,
) -> None:
    """Copy a converted document to the clipboard.

    Reads FILE, standard input if FILE is -, or with --from-clipboard what was copied in another program.
    """
    from mdpublish_core.cli.clipboards import find_clipboard
    from mdpublish_core.writers.clipboard import ClipboardContents, render_for_clipboard
    from mdpublish_core.writers.outputs import get_destination

    markdown, lost = _read(file, from_clipboard=from_clipboard, repairs=from_clipboard if repairs is None else repairs)
    file = file or "clipboard"
    named, invalid = read_output_name(markdown)
    with library_errors():
        destination = get_destination(_required(to or named or configured.to))
        style = read_style(template, theme_mode, css_file, configured)
        embeds_images = destination.embeds_images and not plain
        document, images = parse_document(file, markdown, parsing, embed_images=embeds_images)
        contents, conversion = render_for_clipboard(document, destination, **style.for_document(document, destination))
    if plain:
        contents = ClipboardContents(None, contents.plain_text)
    clipboard = find_clipboard(sys.platform, os.environ, shutil.which)
    is_html_only = contents.html is not None and not clipboard.supports_both_formats
    if is_html_only:
        contents = ClipboardContents(contents.html, None)
    clipboard.write(contents)
    notices = (*lost, *invalid, *conversion.notices)
    merged = images.merge_notices(notices) if images else notices
    print_notices([FileNotices(file, sort_notices(merged))], notice_format, err=notice_format == "text")
    hint = " (for text only: --plain)" if is_html_only else ""
    click.echo(f"Copied for {destination.name}: {_describe(contents)}{hint}", err=True)


def _read(file: str | None, *, from_clipboard: bool, repairs: bool) -> "tuple[str, Sequence[Notice]]":
    """Return Markdown, and what of other formats it cannot say."""
    if (file is None) != from_clipboard:
        raise click.UsageError("name a FILE, - for standard input, or --from-clipboard for the clipboard")
    with library_errors():
        if file is not None:
            return read_source(file, repairs=repairs)
        return as_markdown(read_clipboard(), repairs=repairs)


def _required(to: str | None) -> str:
    if to is None:
        from mdpublish_core.writers.outputs import destination_names

        raise click.UsageError(f"missing option --to; choose from: {', '.join(destination_names())}")
    return to


def _describe(contents: "ClipboardContents") -> str:
    present = {"HTML": contents.html, "text": contents.plain_text}
    names = [name for name, content in present.items() if content is not None]
    size = sum(len(content.encode()) for content in present.values() if content is not None)
    return f"{' and '.join(names)}, {_size(size)}"


def _size(number: int) -> str:
    for unit, factor in (("MB", 1_000_000), ("KB", 1_000)):
        if number >= factor:
            return f"{number / factor:.0f} {unit}" if number >= 10 * factor else f"{number / factor:.1f} {unit}"
    return f"{number} bytes"
