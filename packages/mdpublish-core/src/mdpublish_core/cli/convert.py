"""`mdpublish convert`: one text into one output."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from mdpublish_core.cli.options import WRITTEN, destination_option, look_options, raw_html_option
from mdpublish_core.cli.outputs import Form, Look, make_html, make_mail, make_page, make_text, read_look
from mdpublish_core.cli.pictures import read_document
from mdpublish_core.cli.reading import STANDARD_INPUT, whole
from mdpublish_core.cli.writing import STANDARD_OUTPUT, library_errors, report, write

if TYPE_CHECKING:
    from mdpublish_core import Document
    from mdpublish_core.cli.outputs import Made
    from mdpublish_core.extensions import RawHtml
    from mdpublish_core.page import PageOptions
    from mdpublish_core.templates import PageWidth, ThemeMode

# What the end of an output's name asks for; another end is HTML's.
_FORMS: dict[str, Form] = {".eml": "mail", ".txt": "text"}
_DESTINATIONS = {".eml": "email", ".txt": "plain-text"}
_NOT_WRITTEN = {
    ".doc": "Word opens HTML: -o report.html --to word",
    ".docx": "Word opens HTML, and saves it as .docx: -o report.html --to word",
    ".odt": "LibreOffice opens HTML: -o report.html --to word",
    ".pdf": "a browser prints one from a page: -o report.html --page",
    ".rtf": "Word opens HTML: -o report.html --to word",
}

# What each form alone has options for.
_PAGE_OPTIONS = {"page_width": "--page-width", "lang": "--lang", "title": "--title"}
_MAIL_OPTIONS = {"subject": "--subject", "sender": "--from", "recipients": "--to-address"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What the user asked for: the command's options, by their names."""

    file: str
    destination: str | None
    template: str
    theme_mode: "ThemeMode"
    css_file: str | None
    raw_html: "RawHtml"
    output: str
    page: bool | None
    page_width: "PageWidth | None"
    lang: str | None
    title: str | None
    subject: str | None
    sender: str | None
    recipients: tuple[str, ...]
    embeds: bool | None
    opens: bool

    @property
    def suffix(self) -> str:
        """What the output's name ends in."""
        return Path(self.output).suffix.lower()

    @property
    def goal(self) -> str:
        """The name of the destination: as asked for, or as the output's name means."""
        return self.destination or _DESTINATIONS.get(self.suffix, "generic")

    @property
    def form(self) -> Form:
        """What is written: whoever opens a part of a page wants to see a page."""
        is_page = self.opens and self.goal == "generic" if self.page is None else self.page
        return _FORMS.get(self.suffix) or ("page" if is_page else "html")

    @property
    def takes_pictures(self) -> bool:
        """Whether pictures in files become part of the output: as asked for, or where nobody would see them otherwise."""
        from mdpublish_core.destinations import get_destination

        if self.embeds is None:
            return get_destination(self.goal).embeds_images and self.form != "text"
        return self.embeds

    def check(self) -> None:
        """Raise a usage error where the options do not go together."""
        name = Path(self.output).name
        if self.suffix in _NOT_WRITTEN:
            raise click.UsageError(f"mdpublish writes no {self.suffix} files; {_NOT_WRITTEN[self.suffix]}")
        if self.page is not None and self.goal != "generic":
            flag = "--page" if self.page else "--fragment"
            raise click.UsageError(f"{flag} is for web pages, not for --to {self.goal}; leave one of them out")
        if self.page and self.form != "page":
            raise click.UsageError(f"--page makes a web page, which {name} cannot hold; name it .html")
        if self.form == "mail" and self.goal != "email":
            raise click.UsageError(f"{name} is to be a mail, which --to {self.goal} makes none; leave one of them out")
        self._check_form("page", _PAGE_OPTIONS, "a web page: --page")
        self._check_form("mail", _MAIL_OPTIONS, "a whole mail: -o mail.eml")
        if _is_same_file(self.file, self.output):
            raise click.UsageError(f"{self.output} is the file that is read, and would be lost; name another output")

    def _check_form(self, form: Form, names: dict[str, str], remedy: str) -> None:
        for name, option in names.items():
            if getattr(self, name) and self.form != form:
                raise click.UsageError(f"{option} is for {remedy}")


@click.command()
@click.argument("file", metavar="FILE|-", type=click.Path(path_type=str))
@destination_option(None, help_text="Destination of the output.  [default: what OUT's name means, or generic]")
@look_options
@raw_html_option
@click.option(
    "-o",
    "--output",
    metavar="OUT",
    type=click.Path(),
    default=STANDARD_OUTPUT,
    help="File to write: HTML, text as .txt, a whole mail as .eml; - is standard output.  [default: -]",
)
@click.option(
    "--page/--fragment",
    "page",
    default=None,
    help="For generic: a whole web page, or a part of one to put into yours.  [default: --fragment]",
)
@click.option(
    "--page-width", type=click.Choice(["standard", "wide", "full"]), help="Width of a page.  [default: standard]"
)
@click.option("--lang", type=WRITTEN, metavar="TAG", help="Language of a page, a BCP 47 tag.  [default: en]")
@click.option("--title", type=WRITTEN, help="Title of a page.  [default: the first heading]")
@click.option("--subject", type=WRITTEN, help="Subject of a mail (.eml).  [default: the first heading]")
@click.option("--from", "sender", metavar="ADDRESS", help="Sender of a mail (.eml).")
@click.option(
    "--to-address", "recipients", metavar="ADDRESS", multiple=True, help="Recipient of a mail (.eml); repeatable."
)
@click.option(
    "--embed-pictures/--no-embed-pictures",
    "embeds",
    default=None,
    help="Take the pictures that the text names as files into the output, or leave them.  "
    "[default: --embed-pictures where the output is read away from the folder]",
)
@click.option("--open", "opens", is_flag=True, help="Open what was written; without -o, a temporary file.")
def convert(**options: Any) -> None:
    """Convert the text in FILE, or on standard input (-)."""
    request = Request(**options)
    request.check()
    with library_errors():
        document, pictures = read_document(request.file, request.raw_html, embeds=request.takes_pictures)
        content, notices = _made(document, request)
    output = request.output
    if request.opens and output == STANDARD_OUTPUT:
        output = _temporary_file(request)
    write(output, content)
    if pictures:
        is_bare_mail = request.goal == "email" and request.form == "html"
        notices = pictures.told_with(notices, mails="-o mail.eml" if is_bare_mail else None)
    report(request.file, notices)
    if request.opens:
        _open(output)


def _made(document: "Document", request: Request) -> "Made":
    look = read_look(request.template, request.theme_mode, request.css_file)
    if request.form == "page":
        return make_page(look, document, _page_options(document, request))
    if request.form == "mail":
        return _mail(look, document, request)
    return (make_text if request.form == "text" else make_html)(look, document, request.goal)


def _page_options(document: "Document", request: Request) -> "PageOptions":
    from mdpublish_core.page import PageOptions

    return PageOptions(
        title=request.title or _title(document, request),
        page_width=request.page_width or "standard",
        lang=request.lang or "en",
    )


def _mail(look: Look, document: "Document", request: Request) -> "Made":
    from mdpublish_core.cli.mails import read_address

    try:
        sender = read_address(request.sender) if request.sender else None
        recipients = [read_address(recipient) for recipient in request.recipients]
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    subject = request.subject or _title(document, request)
    return make_mail(look, document, subject, sender=sender, recipients=recipients)


def _title(document: "Document", request: Request) -> str:
    """Return what a document without a title of its own is called: as its file."""
    return document.title or ("Untitled" if request.file == STANDARD_INPUT else whole(Path(request.file).stem))


def _is_same_file(file: str, output: str) -> bool:
    try:
        return STANDARD_INPUT not in {file, output} and Path(file).samefile(output)
    except (OSError, ValueError):
        return False


def _temporary_file(request: Request) -> str:
    """Return the name of a file in a new folder; the program that opens it may need it long after the command ended."""
    from tempfile import mkdtemp

    from mdpublish_core.destinations import get_destination

    name = "output.txt" if get_destination(request.goal).is_text else "output.html"
    return str(Path(mkdtemp(prefix="mdpublish-")) / name)


def _open(output: str) -> None:
    click.echo(f"opening {output}", err=True)
    if click.launch(output):
        raise click.ClickException(f"no program opened {output}; open it yourself")
