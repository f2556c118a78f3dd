"""The `import` command."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.command import Command
from mdpublish_core.cli.console import library_errors, write
from mdpublish_core.cli.imported import as_markdown, read_clipboard, read_imported, require_markdown_name
from mdpublish_core.cli.notice_formats import FileNotices, output_format_option, print_notices, sort_notices
from mdpublish_core.cli.options import table_options
from mdpublish_core.readers.formats import COMMENTS, FORMAT_NAMES, WHOLE_PAGE

if TYPE_CHECKING:
    from mdpublish_core.cli.notice_formats import NoticeFormat
    from mdpublish_core.importing import Imported


@click.command("import", cls=Command)
@click.argument("file", metavar="[FILE|-]", type=click.Path(path_type=str), required=False)
@table_options("import")
@click.option(
    "--from",
    "input_format",
    type=click.Choice(FORMAT_NAMES),
    metavar="SUFFIX",
    help="Read FILE as one with this suffix.  [default: its own; of standard input as it begins]",
)
@table_options("import 2")
@click.option("--whole-page", is_flag=True, help=WHOLE_PAGE)
@table_options("import 3")
@click.option("--comments", is_flag=True, help=COMMENTS)
@table_options("import wrap")
@output_format_option("standard error")
def import_file(
    *,
    file: str | None,
    clipboard: bool,
    input_format: str | None,
    source: str,
    whole_page: bool,
    output: str,
    media_folder: Path | None,
    comments: bool,
    wrap: int | None,
    notice_format: "NoticeFormat",
) -> None:
    """Write a Word file, a web page, an email or a selection as Markdown.

    Reads FILE, standard input if FILE is -, or the clipboard: .docx, .html, .eml, .mht, .ipynb, .csv, .tsv, or what a
    program such as Google Docs, Word or an assistant puts on the clipboard. Nothing is fetched.
    """
    if (file is None) != clipboard:
        raise click.UsageError("name a FILE, - for standard input, or --clipboard for the clipboard")
    if comments and (clipboard or source != "auto"):
        raise click.UsageError("--comments is for Word files; name one")
    require_markdown_name(output)
    with library_errors():
        suffix = input_format and f".{input_format}"
        if file is None:
            read: Imported | str = read_clipboard(source)
        else:
            read = read_imported(file, suffix=suffix, source=source, comments=comments, whole_page=whole_page)
        markdown, notices = as_markdown(read, output=output, media_folder=media_folder, wrap=wrap)
    write(output, markdown.encode())
    print_notices([FileNotices(file or "clipboard", sort_notices(notices))], notice_format)
