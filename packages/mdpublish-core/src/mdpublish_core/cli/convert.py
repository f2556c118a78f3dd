"""The `convert` command."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import UNCONFIGURED, ConfiguredDefaults, RunOption
from mdpublish_core.cli.console import STANDARD_OUTPUT, library_errors, write
from mdpublish_core.cli.images import parse_document
from mdpublish_core.cli.imported import read_source
from mdpublish_core.cli.inputs import STANDARD_INPUT, ParseOptions, read_output_name
from mdpublish_core.cli.notice_formats import FileNotices, output_format_option, print_notices, sort_notices
from mdpublish_core.cli.options import (
    declared_values,
    default_title,
    markdown_options,
    output_options,
    output_values,
    page_style_options,
    read_mailbox,
    read_style,
    render_output,
    require_flags,
    table_options,
    with_files,
)
from mdpublish_core.resources.source_files import SUFFIXES
from mdpublish_core.writers.outputs import BY_SUFFIX, Output, complete_file_of, get_output, output_of_suffix

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from mdpublish_core import Conversion, Document, Notice
    from mdpublish_core.cli.notice_formats import NoticeFormat
    from mdpublish_core.resources.known_images import KnownImages
    from mdpublish_core.templates import PageThemeMode

_UNSUPPORTED_SUFFIXES = {
    ".doc": "Word can open .docx: -o report.docx",
    ".odt": "LibreOffice can open .docx: -o report.docx",
    ".rtf": "Word can open .docx: -o report.docx",
}


class ConvertOptions(NamedTuple):
    """The command's options."""

    file: str
    to: str | None
    template: str | None
    theme_mode: "PageThemeMode | None"
    css_file: str | None
    parsing: ParseOptions
    repairs: bool
    output: str
    given: "Mapping[str, Any]"
    """Options of outputs, by the names of their fields."""
    embed_images: bool | None
    fetch_images: bool
    allow_private: bool
    open_output: bool
    notice_format: "NoticeFormat"
    configured: ConfiguredDefaults = UNCONFIGURED
    named_to: str | None = None
    """The output that the front matter names."""

    @property
    def suffix(self) -> str:
        return Path(self.output).suffix.lower()

    @property
    def chosen_output(self) -> Output:
        """The output that `--to`, the file's suffix, the front matter or the configuration asks for, in this order.

        For a suffix of several outputs, the later ones count; for the file of a destination, so does its suffix.
        """
        of_file = output_of_suffix(self.suffix)
        to = self.to or self.named_to or self.configured.to
        if of_file is None:
            return get_output(to or ("page" if self.open_output and self.output == STANDARD_OUTPUT else "generic"))
        if to is None:
            return of_file
        chosen = get_output(to)
        if of_file.media_type == chosen.media_type or of_file.suffix == chosen.suffix:
            return chosen
        if self.to and of_file.destination != chosen.name:
            name = Path(self.output).name
            raise click.UsageError(f"{name} requires --to {of_file.name} (got --to {self.to})")
        return of_file

    @property
    def embeds_images(self) -> bool:
        """Whether images are embedded, by default if the output is read away from the files."""
        return self.chosen_output.embeds_images if self.embed_images is None else self.embed_images

    def check(self) -> None:
        self._check_overwriting()
        if self.suffix in _UNSUPPORTED_SUFFIXES:
            raise click.UsageError(f"cannot write {self.suffix} files; {_UNSUPPORTED_SUFFIXES[self.suffix]}")
        if self.suffix and not self.to and output_of_suffix(self.suffix) is None:
            raise click.UsageError(
                f"cannot write {self.suffix} files; use {', '.join(BY_SUFFIX)}, or --to for a file of another suffix"
            )
        require_flags(self.chosen_output, self.given)
        if self.allow_private and not self.fetch_images:
            raise click.UsageError("--allow-private requires --fetch-images")
        if self.fetch_images and (self.chosen_output.is_text or not self.chosen_output.is_styled):
            raise click.UsageError(
                f"--fetch-images requires an output with images in it (got {self.chosen_output.name})"
            )

    def _check_overwriting(self) -> None:
        remedy = f"name another output, such as -o {Path(self.output).stem}.html"
        for file in filter(None, (self.file, self.css_file, self.template, self.given.get("reference_doc"))):
            if _is_same_file(file, self.output):
                raise click.UsageError(f"input and output are the same file: {self.output}; {remedy}")
        if self.suffix in SUFFIXES and not self.to and (Path(self.file).suffix.lower() or self.suffix) in SUFFIXES:
            raise click.UsageError(f"{self.suffix} files require --to markdown if the input is Markdown, too; {remedy}")


@click.command(cls=ConfiguredCommand, input_name="file")
@click.argument("file", metavar="FILE|-", type=click.Path(path_type=str))
@table_options("convert to")
@page_style_options
@markdown_options
@table_options("convert")
@click.option(
    "-o",
    "--output",
    cls=RunOption,
    metavar="OUT",
    type=click.Path(),
    default=STANDARD_OUTPUT,
    help="Output file: "
    + ", ".join(f"{suffix} for {each.summary}" for suffix, each in BY_SUFFIX.items())
    + "; - for standard output.  [default: -]",
)
@output_options(has_per_document=True)
@table_options("convert 2")
@table_options("cache")
@output_format_option("standard error")
def convert(**values: Any) -> None:
    """Convert a Markdown file.

    Reads FILE, or standard input if FILE is -. A Word file, a web page, an email, a notebook or a table is read as by
    import.
    """
    given = declared_values(values)
    options = ConvertOptions(given=given, **values)
    with library_errors():
        options.check()
        markdown, lost = read_source(options.file, repairs=options.repairs)
    named, invalid = read_output_name(markdown)
    options = options._replace(named_to=named)
    with library_errors():
        options.check()
        document, images = parse_document(options.file, markdown, options.parsing, embed_images=options.embeds_images)
        known, unfetched = _fetch(document, options) if options.fetch_images else (None, ())
        conversion = _render(document, options, known)
    notices = (*lost, *invalid, *conversion.notices)
    output = options.output
    if output == STANDARD_OUTPUT and options.chosen_output.is_binary and sys.stdout.isatty():
        suffix = conversion.suffix
        raise click.UsageError(f"cannot write {options.chosen_output.summary} to a terminal; use: -o report{suffix}")
    if options.open_output and output == STANDARD_OUTPUT:
        output = _temporary_file(options)
    write(output, conversion.to_bytes())
    if images:
        notices = images.merge_notices(notices, complete=complete_file_of(options.chosen_output))
    print_notices([FileNotices(options.file, sort_notices((*notices, *unfetched)))], options.notice_format)
    if options.open_output:
        _open(output)


def _fetch(document: "Document", options: ConvertOptions) -> "tuple[KnownImages, Sequence[Notice]]":
    from mdpublish_core.cli.remote_images import ImageFetcher

    fetcher = ImageFetcher(allows_private=options.allow_private)
    return fetcher.fetch(document), fetcher.notices


def _render(document: "Document", options: ConvertOptions, images: "KnownImages | None") -> "Conversion":
    style = read_style(options.template, options.theme_mode, options.css_file, options.configured)
    output = options.chosen_output
    values = with_files(output_values(options.given, options.configured, document))
    values["default_title"] = default_title(options.file)
    if "sender" in output.flags:
        sender = values.get("sender")
        values["sender"] = read_mailbox(sender) if sender else None
        values["to"] = [*map(read_mailbox, values.get("to", ()))]
    if "fonts" in output.flags:
        values.setdefault("fonts", "inline")
    return render_output(document, output, values, style, images)


def _is_same_file(file: str, output: str) -> bool:
    try:
        return STANDARD_INPUT not in {file, output} and Path(file).samefile(output)
    except (OSError, ValueError):
        return False


def _temporary_file(options: ConvertOptions) -> str:
    """Never removed: the program that opens it may need it later."""
    from tempfile import mkdtemp

    return str(Path(mkdtemp(prefix="mdpublish-")) / f"output{options.chosen_output.suffix}")


def _open(output: str) -> None:
    click.echo(f"Opening {output}", err=True)
    if click.launch(output):
        raise click.ClickException(f"cannot open {output}: no application found")
