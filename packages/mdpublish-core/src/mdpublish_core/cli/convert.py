"""The `convert` command."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import UNCONFIGURED, ConfiguredDefaults
from mdpublish_core.cli.console import STANDARD_OUTPUT, library_errors, write
from mdpublish_core.cli.images import parse_document
from mdpublish_core.cli.inputs import (
    STANDARD_INPUT,
    ParseOptions,
    read_destination,
    read_markdown,
    replace_surrogates,
)
from mdpublish_core.cli.notice_formats import FileNotices, output_format_option, print_notices, sort_notices
from mdpublish_core.cli.options import (
    UNICODE,
    destination_option,
    markdown_options,
    output_options,
    output_values,
    page_extras_options,
    page_style_options,
    read_style,
)
from mdpublish_core.resources.source_files import SUFFIXES
from mdpublish_core.writers.outputs import FILES, SAVED, Output, complete_file_of, output_of, page_of

if TYPE_CHECKING:
    from mdpublish_core import Document
    from mdpublish_core.cli.notice_formats import NoticeFormat
    from mdpublish_core.options.extensions import RawHtml
    from mdpublish_core.templates import PageThemeMode, PageWidth
    from mdpublish_core.writers.docx import Paper
    from mdpublish_core.writers.results import Written

_BY_SUFFIX = {suffix: each for suffix, each in SAVED.items() if not each.is_page}
_UNSUPPORTED_SUFFIXES = {
    ".doc": "Word can open .docx: -o report.docx",
    ".odt": "LibreOffice can open .docx: -o report.docx",
    ".pdf": "print a web page from the browser: -o report.html --page, or convert a Word file with LibreOffice: -o report.docx",
    ".rtf": "Word can open .docx: -o report.docx",
}


class ConvertOptions(NamedTuple):
    """The command's options."""

    file: str
    destination: str | None
    template: str | None
    theme_mode: "PageThemeMode | None"
    css_file: str | None
    raw_html: "RawHtml"
    extensions: tuple[str, ...]
    transforms: tuple[str, ...]
    output: str
    page: bool | None
    page_width: "PageWidth | None"
    lang: str | None
    title: str | None
    paper: "Paper | None"
    contents: bool | None
    reading_time: bool
    copy_code: bool
    description: str | None
    canonical_url: str | None
    subject: str | None
    sender: str | None
    recipients: tuple[str, ...]
    embed_images: bool | None
    open_output: bool
    notice_format: "NoticeFormat"
    flagged: tuple[Output, ...]
    configured: ConfiguredDefaults = UNCONFIGURED
    named_destination: str | None = None
    """In the front matter."""

    @property
    def parsing(self) -> ParseOptions:
        return ParseOptions(self.raw_html, self.extensions, self.transforms, self.configured.extensions)

    @property
    def suffix(self) -> str:
        return Path(self.output).suffix.lower()

    @property
    def named_output(self) -> Output | None:
        """The output that the file's suffix asks for."""
        return _BY_SUFFIX.get(self.suffix)

    @property
    def target(self) -> str:
        named = None if self.page is not None else self.named_destination or self.configured.destination
        of_file = self.named_output and self.named_output.destination
        return self.destination or of_file or named or "generic"

    @property
    def chosen_output(self) -> Output:
        if self.flagged:
            return self.flagged[0]
        if self.named_output:
            return self.named_output if self.named_output.module else output_of(self.target, is_text=True)
        page = self.configured.page if self.page is None else self.page
        is_page = self.open_output if page is None else page
        return (page_of(self.target) if is_page else None) or output_of(self.target)

    @property
    def embeds_images(self) -> bool:
        """By default, if the output is read away from the files."""
        return self.chosen_output.embeds_images if self.embed_images is None else self.embed_images

    def check(self) -> None:
        name = Path(self.output).name
        self._check_overwriting()
        if self.suffix in _UNSUPPORTED_SUFFIXES:
            raise click.UsageError(f"cannot write {self.suffix} files; {_UNSUPPORTED_SUFFIXES[self.suffix]}")
        if self.page is not None and page_of(self.target) is None:
            flag = "--page" if self.page else "--fragment"
            raise click.UsageError(f"{flag} cannot be used with --to {self.target}")
        if self.page and not self.chosen_output.is_page:
            raise click.UsageError(f"--page requires an .html output file (got {name})")
        required = [(f"--{each.name}", each) for each in self.flagged]
        if self.named_output and self.named_output.module:
            required.append((name, self.named_output))
        for what, output in required:
            if output.destination != self.target:
                raise click.UsageError(f"{what} requires --to {output.destination} (got --to {self.target})")
        self._check_options()

    def _check_overwriting(self) -> None:
        remedy = f"name another output, such as -o {Path(self.output).stem}.html"
        for file in filter(None, (self.file, self.css_file, self.template)):
            if _is_same_file(file, self.output):
                raise click.UsageError(f"input and output are the same file: {self.output}; {remedy}")
        if self.suffix in SUFFIXES:
            raise click.UsageError(f"cannot write {self.suffix} files, which are Markdown; {remedy}")

    def _check_options(self) -> None:
        """Refuse options that the output does not have."""
        options = {param.name: param.opts[0] for param in convert.params}
        for name in dict.fromkeys(name for each in FILES.values() for name in each.options):
            if getattr(self, name) and name not in self.chosen_output.options:
                remedy = " or ".join(each.remedy for each in FILES.values() if name in each.options)
                raise click.UsageError(f"{options[name]} requires {remedy}")


@click.command(
    cls=ConfiguredCommand,
    input_name="file",
    examples=[
        ("convert README.md -o page.html --page", "Write a web page."),
        ("convert report.md -o report.docx --contents", "Write a Word file with a table of contents."),
        ("convert news.md -o mail.eml --mail-subject News", "Write an email with its images."),
        ("convert notes.md --to slack", "Print what to post in Slack."),
        ("convert - --to plain-text", "Convert standard input."),
    ],
)
@click.argument("file", metavar="FILE|-", type=click.Path(path_type=str))
@destination_option(
    None, help_text="Destination of the output.  [default: from the suffix of OUT, the front matter, or generic]"
)
@page_style_options
@markdown_options
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=click.Path(),
    default=STANDARD_OUTPUT,
    help="Output file: "
    + "".join(f"{each.suffix} for {each.label or each.summary}, " for each in reversed(_BY_SUFFIX.values()))
    + "otherwise HTML; - for standard output.  [default: -]",
)
@click.option(
    "--page/--fragment",
    "page",
    default=None,
    help="Write a complete web page or an HTML fragment (generic only).  [default: --fragment]",
)
@click.option(
    "--page-width",
    type=click.Choice(["standard", "wide", "full"]),
    help="Page width.  [default: from the front matter, or standard]",
)
@click.option(
    "--lang",
    type=UNICODE,
    metavar="TAG",
    help="Language of a page or Word file, a BCP 47 tag.  [default: from the front matter, or by the script of the text]",
)
@output_options(each for each in FILES.values() if not each.is_file)
@click.option(
    "--title",
    type=UNICODE,
    help="Title of a page or Word file.  [default: from the front matter, or the first heading]",
)
@click.option("--paper", type=click.Choice(["a4", "letter"]), help="Paper of a Word file (.docx only).  [default: a4]")
@click.option(
    "--contents/--no-contents",
    default=None,
    help="Begin a Word file or a long page with a table of contents.  [default: --no-contents]",
)
@page_extras_options
@click.option(
    "--description", type=UNICODE, help="Description of a page, for search engines.  [default: from the front matter]"
)
@click.option("--canonical-url", metavar="URL", help="URL of a page where it is published.")
@click.option(
    "--mail-subject",
    "subject",
    type=UNICODE,
    help="Email subject (.eml only).  [default: from the front matter, or the title]",
)
@click.option("--mail-from", "sender", metavar="ADDRESS", help="Email sender (.eml only).")
@click.option(
    "--mail-to", "recipients", metavar="ADDRESS", multiple=True, help="Email recipient (.eml only); can be repeated."
)
@click.option(
    "--embed-images/--no-embed-images",
    "embed_images",
    default=None,
    help="Embed local image files in the output.  [default: if the destination requires it]",
)
@click.option(
    "--open",
    "open_output",
    is_flag=True,
    help="Open the output in its default application; without -o, a temporary file.",
)
@output_format_option("standard error")
def convert(**values: Any) -> None:
    """Convert a Markdown file.

    Reads FILE, or standard input if FILE is -.
    """
    options = ConvertOptions(**values)
    with library_errors():
        options.check()
    markdown = read_markdown(options.file)
    destination, invalid = read_destination(markdown)
    options = options._replace(named_destination=destination)
    with library_errors():
        options.check()
        document, images = parse_document(options.file, markdown, options.parsing, embed_images=options.embeds_images)
        written = _write(document, options)
    notices = (*invalid, *written.notices)
    output = options.output
    if options.open_output and output == STANDARD_OUTPUT:
        output = _temporary_file(options)
    write(output, written.content)
    if images:
        complete = complete_file_of(options.chosen_output)
        notices = images.merge_notices(notices, mail_option=f"-o {complete.example}" if complete else None)
    print_notices([FileNotices(options.file, sort_notices(notices))], options.notice_format)
    if options.open_output:
        _open(output)


def _write(document: "Document", options: ConvertOptions) -> "Written":
    style = read_style(options.template, options.theme_mode, options.css_file, options.configured)
    output = options.chosen_output
    values = output_values(options, document) | {
        "title": options.title,
        "description": options.description,
        "canonical_url": options.canonical_url,
        "subject": options.subject,
    }
    if "recipients" in output.options:
        values |= _mailboxes(options)
    name = "Untitled" if options.file == STANDARD_INPUT else replace_surrogates(Path(options.file).stem)
    return output.write(document, values, name=name, **style.for_document(document, output.destination))


def _mailboxes(options: ConvertOptions) -> dict[str, Any]:
    from mdpublish_core.mail_headers import parse_mailbox

    sender = options.sender or options.configured.sender
    try:
        return {
            "sender": parse_mailbox(sender) if sender else None,
            "recipients": [parse_mailbox(recipient) for recipient in options.recipients],
        }
    except ValueError as error:
        raise click.UsageError(str(error)) from None


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
