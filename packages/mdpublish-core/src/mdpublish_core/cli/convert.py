"""The `convert` command."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import UNCONFIGURED, ConfiguredDefaults
from mdpublish_core.cli.console import STANDARD_OUTPUT, library_errors, write
from mdpublish_core.cli.images import parse_document
from mdpublish_core.cli.inputs import (
    DOCUMENT_SUFFIXES,
    STANDARD_INPUT,
    read_destination,
    read_markdown,
    replace_surrogates,
)
from mdpublish_core.cli.notice_formats import FileNotices, output_format_option, print_notices, sort_notices
from mdpublish_core.cli.options import (
    UNICODE,
    destination_option,
    markdown_options,
    page_extras_options,
    page_style_options,
)
from mdpublish_core.cli.outputs import (
    OutputFormat,
    StyleOptions,
    blocks_output,
    chosen_lang,
    chosen_page_width,
    docx_output,
    html_output,
    mail_output,
    page_output,
    read_style,
    text_output,
    title_of,
)

if TYPE_CHECKING:
    from mdpublish_core import Document
    from mdpublish_core.cli.notice_formats import NoticeFormat
    from mdpublish_core.cli.outputs import Output
    from mdpublish_core.options.extensions import RawHtml
    from mdpublish_core.templates import PageThemeMode, PageWidth
    from mdpublish_core.writers.docx import DocxOptions, Paper
    from mdpublish_core.writers.page import PageOptions

_FORMATS: dict[str, OutputFormat] = {".docx": "docx", ".eml": "mail", ".txt": "text"}
_DESTINATIONS = {".docx": "word", ".eml": "email", ".txt": "plain-text"}
_UNSUPPORTED_SUFFIXES = {
    ".doc": "Word can open .docx: -o report.docx",
    ".odt": "LibreOffice can open .docx: -o report.docx",
    ".pdf": "print a web page from the browser: -o report.html --page, or convert a Word file with LibreOffice: -o report.docx",
    ".rtf": "Word can open .docx: -o report.docx",
}

_PAGE_OPTIONS = {
    "page_width": "--page-width",
    "reading_time": "--reading-time",
    "copy_code": "--copy-code",
    "description": "--description",
    "canonical_url": "--canonical-url",
}
_DOCUMENT_OPTIONS = {"contents": "--contents", "lang": "--lang", "title": "--title"}
_DOCX_OPTIONS = {"paper": "--paper"}
_MAIL_OPTIONS = {"subject": "--mail-subject", "sender": "--mail-from", "recipients": "--mail-to"}


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
    blocks: bool
    subject: str | None
    sender: str | None
    recipients: tuple[str, ...]
    embed_images: bool | None
    open_output: bool
    notice_format: "NoticeFormat"
    configured: ConfiguredDefaults = UNCONFIGURED
    named_destination: str | None = None
    """In the front matter."""

    @property
    def suffix(self) -> str:
        return Path(self.output).suffix.lower()

    @property
    def target(self) -> str:
        named = None if self.page is not None else self.named_destination or self.configured.destination
        return self.destination or _DESTINATIONS.get(self.suffix) or named or "generic"

    @property
    def output_format(self) -> OutputFormat:
        page = self.configured.page if self.page is None and self.target == "generic" else self.page
        is_page = self.open_output and self.target == "generic" if page is None else page
        return _FORMATS.get(self.suffix) or ("page" if is_page else "html")

    @property
    def has_contents(self) -> bool:
        return self.configured.contents if self.contents is None else self.contents

    @property
    def embeds_images(self) -> bool:
        """By default, if the output is read away from the files."""
        from mdpublish_core.writers import get_destination

        if self.embed_images is None:
            return get_destination(self.target).embeds_images and self.output_format != "text"
        return self.embed_images

    def check(self) -> None:
        name = Path(self.output).name
        self._check_overwriting()
        if self.suffix in _UNSUPPORTED_SUFFIXES:
            raise click.UsageError(f"cannot write {self.suffix} files; {_UNSUPPORTED_SUFFIXES[self.suffix]}")
        if self.page is not None and self.target != "generic":
            flag = "--page" if self.page else "--fragment"
            raise click.UsageError(f"{flag} cannot be used with --to {self.target}")
        if self.page and self.output_format != "page":
            raise click.UsageError(f"--page requires an .html output file (got {name})")
        if self.blocks and self.target != "slack":
            raise click.UsageError(f"--blocks requires --to slack (got --to {self.target})")
        if self.output_format == "docx" and self.target != "word":
            raise click.UsageError(f"{name} requires --to word (got --to {self.target})")
        if self.output_format == "mail" and self.target != "email":
            raise click.UsageError(f"{name} requires --to email (got --to {self.target})")
        self._check_formats(("page",), _PAGE_OPTIONS, "--page")
        self._check_formats(("page", "docx"), _DOCUMENT_OPTIONS, "--page or a Word file: -o report.docx")
        self._check_formats(("docx",), _DOCX_OPTIONS, "a Word file: -o report.docx")
        self._check_formats(("mail",), _MAIL_OPTIONS, "an email file: -o mail.eml")

    def _check_overwriting(self) -> None:
        remedy = f"name another output, such as -o {Path(self.output).stem}.html"
        for file in filter(None, (self.file, self.css_file, self.template)):
            if _is_same_file(file, self.output):
                raise click.UsageError(f"input and output are the same file: {self.output}; {remedy}")
        if self.suffix in DOCUMENT_SUFFIXES:
            raise click.UsageError(f"cannot write {self.suffix} files, which are Markdown; {remedy}")

    def _check_formats(self, formats: tuple[OutputFormat, ...], names: dict[str, str], remedy: str) -> None:
        for name, option in names.items():
            if getattr(self, name) and self.output_format not in formats:
                raise click.UsageError(f"{option} requires {remedy}")


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
    help="Output file: .txt for plain text, .eml for an email, .docx for a Word file, otherwise HTML; - for standard output.  [default: -]",
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
@click.option("--blocks", is_flag=True, help="Write messages of Block Kit, one JSON object a line (slack only).")
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
    options.check()
    markdown = read_markdown(options.file)
    destination, invalid = read_destination(markdown)
    options = options._replace(named_destination=destination)
    options.check()
    with library_errors():
        document, images = parse_document(
            options.file,
            markdown,
            options.raw_html,
            options.extensions,
            options.transforms,
            embed_images=options.embeds_images,
            configured_extensions=options.configured.extensions,
        )
        content, notices = _render(document, options)
    notices = (*invalid, *notices)
    output = options.output
    if options.open_output and output == STANDARD_OUTPUT:
        output = _temporary_file(options)
    write(output, content)
    if images:
        is_bare_mail = options.target == "email" and options.output_format == "html"
        notices = images.merge_notices(notices, mail_option="-o mail.eml" if is_bare_mail else None)
    print_notices([FileNotices(options.file, sort_notices(notices))], options.notice_format)
    if options.open_output:
        _open(output)


def _render(document: "Document", options: ConvertOptions) -> "Output":
    style = read_style(options.template, options.theme_mode, options.css_file, options.configured)
    if options.output_format == "page":
        return page_output(style, document, _page_options(document, options))
    if options.output_format == "mail":
        return _mail(style, document, options)
    if options.output_format == "docx":
        return docx_output(style, document, _docx_options(document, options))
    if options.blocks:
        return blocks_output(document)
    return (text_output if options.output_format == "text" else html_output)(style, document, options.target)


def _page_options(document: "Document", options: ConvertOptions) -> "PageOptions":
    from mdpublish_core.writers.page import PageOptions

    return PageOptions(
        title=options.title or title_of(document) or _file_title(options.file),
        page_width=chosen_page_width(options.page_width, document, options.configured),
        lang=chosen_lang(options.lang, document, options.configured),
        description=options.description,
        canonical_url=options.canonical_url,
        toc=options.has_contents,
        reading_time=options.reading_time or options.configured.reading_time,
        copy_code=options.copy_code or options.configured.copy_code,
    )


def _docx_options(document: "Document", options: ConvertOptions) -> "DocxOptions":
    from mdpublish_core.writers.docx import DocxOptions

    return DocxOptions(
        title=options.title,
        lang=chosen_lang(options.lang, document, options.configured),
        paper=options.paper or options.configured.paper or "a4",
        contents=options.has_contents,
    )


def _mail(style: StyleOptions, document: "Document", options: ConvertOptions) -> "Output":
    from mdpublish_core.mail_headers import parse_mailbox
    from mdpublish_core.writers.email.eml import subject_of

    try:
        chosen_sender = options.sender or options.configured.sender
        sender = parse_mailbox(chosen_sender) if chosen_sender else None
        recipients = [parse_mailbox(recipient) for recipient in options.recipients]
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    subject = options.subject or subject_of(document) or _file_title(options.file)
    return mail_output(style, document, subject, sender=sender, recipients=recipients)


def _file_title(file: str) -> str:
    return "Untitled" if file == STANDARD_INPUT else replace_surrogates(Path(file).stem)


def _is_same_file(file: str, output: str) -> bool:
    try:
        return STANDARD_INPUT not in {file, output} and Path(file).samefile(output)
    except (OSError, ValueError):
        return False


def _temporary_file(options: ConvertOptions) -> str:
    """Never removed: the program that opens it may need it later."""
    from tempfile import mkdtemp

    from mdpublish_core.writers import get_destination

    name = "output.txt" if get_destination(options.target).is_text else "output.html"
    return str(Path(mkdtemp(prefix="mdpublish-")) / name)


def _open(output: str) -> None:
    click.echo(f"Opening {output}", err=True)
    if click.launch(output):
        raise click.ClickException(f"cannot open {output}: no application found")
