"""The `merge` command."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.command import Command
from mdpublish_core.cli.console import STANDARD_OUTPUT, library_errors, pluralize, write
from mdpublish_core.cli.fixes import print_diff
from mdpublish_core.cli.images import ImageEmbedder
from mdpublish_core.cli.imported import media_url, read_clipboard, read_imported, require_markdown_name
from mdpublish_core.cli.inputs import folder_of, read_markdown
from mdpublish_core.cli.notice_formats import FileNotices, output_format_option, print_notices, sort_notices
from mdpublish_core.cli.options import extensions_option, table_options
from mdpublish_core.readers.formats import COMMENTS

if TYPE_CHECKING:
    from mdpublish_core import Converter
    from mdpublish_core.cli.notice_formats import NoticeFormat
    from mdpublish_core.importing import Imported


@click.command(cls=Command)
@click.argument("base", metavar="BASE", type=click.Path(path_type=str))
@click.argument("edited", metavar="[EDITED]", type=click.Path(path_type=str), required=False)
@table_options("merge")
@table_options("merge to")
@table_options("merge 2")
@click.option("--comments", is_flag=True, help=COMMENTS)
@table_options("merge 3")
@extensions_option
@output_format_option("standard error")
def merge(
    *,
    base: str,
    edited: str | None,
    clipboard: bool,
    comments: bool,
    ours: str | None,
    to: str | None,
    output: str | None,
    in_place: bool,
    diff: bool,
    force: bool,
    media_folder: Path | None,
    extensions: tuple[str, ...],
    notice_format: "NoticeFormat",
) -> None:
    """Merge what was changed in a pasted or exported document into the Markdown that it was made of.

    BASE is the Markdown as it was sent; EDITED the document that came back: .docx, .html or .eml. Blocks that nobody
    touched stay as they are, byte by byte. Where --ours has another change of the same block, both are written, between
    conflict markers as git's.

    Exits with status 1 if there are conflicts, or if an edit could not be merged: then nothing is written without
    --force.
    """
    from mdpublish_core.merging import merge as merge_edited

    if (edited is None) != clipboard:
        raise click.UsageError("name the EDITED file, or --clipboard for the clipboard")
    if comments and clipboard:
        raise click.UsageError("--comments is for Word files; name one")
    if sum([output is not None, in_place, diff]) > 1:
        raise click.UsageError("--output, --in-place and --diff exclude each other")
    require_markdown_name(output or STANDARD_OUTPUT)
    current = ours or base
    target = current if in_place else output or STANDARD_OUTPUT
    source, now = read_markdown(base), read_markdown(ours) if ours else None
    with library_errors():
        read = read_clipboard() if edited is None else read_imported(edited, comments=comments)
        if isinstance(read, str):
            raise click.ClickException("the clipboard has only text; copy the document itself, or save it as a file")
        merged = merge_edited(
            source,
            read,
            _converter(base, source, read, edited=edited, to=to, extensions=extensions),
            ours=now,
            labels=(current, edited or "clipboard"),
            media_url=lambda media: media_url(media, target, media_folder),
        )
    is_refused = merged.is_incomplete and not force
    if diff:
        print_diff(current, source if now is None else now, merged.markdown)
    elif not is_refused:
        write(target, merged.markdown.encode())
    print_notices([FileNotices(base, sort_notices(merged.notices))], notice_format)
    if is_refused:
        click.echo("nothing was written: the result lacks an edit; add --force to write it without", err=True)
        raise SystemExit(1)
    if merged.conflicts:
        if target != STANDARD_OUTPUT:
            click.echo(f"{pluralize(merged.conflicts, 'conflict')}: look for <<<<<<< in {target}", err=True)
        raise SystemExit(1)


def _converter(
    file: str, base: str, read: "Imported", *, edited: str | None, to: str | None, extensions: tuple[str, ...]
) -> "Converter":
    """Return what the document was made with."""
    from mdpublish_core import Converter
    from mdpublish_core.merging import find_converter
    from mdpublish_core.readers.markdown import added_extensions

    converter = Converter(
        to=to or "generic",
        extensions=added_extensions(base, extensions) if extensions else None,
        rewrite_url=ImageEmbedder(folder_of(file)),
    )
    return converter if to else find_converter(base, read, converter, Path(edited or "").suffix)
