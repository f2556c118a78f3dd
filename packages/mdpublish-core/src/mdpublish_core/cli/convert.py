"""`mdpublish convert`: one text into one output."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import click

from mdpublish_core.cli.options import destination_option, look_options, raw_html_option
from mdpublish_core.cli.pictures import UNSEEN
from mdpublish_core.cli.reading import STANDARD_INPUT, folder_of, read_css, read_template, read_text, whole
from mdpublish_core.cli.writing import STANDARD_OUTPUT, library_errors, report, write
from mdpublish_core.notices import Notice

if TYPE_CHECKING:
    from mdpublish_core import Conversion, Document
    from mdpublish_core.cli.pictures import EmbeddedPictures
    from mdpublish_core.destinations import MediaUrl
    from mdpublish_core.extensions import RawHtml
    from mdpublish_core.templates import PageWidth, ThemeMode

Form = Literal["html", "page", "text", "mail"]

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


# What the user says that stands in the output as it is.
_WRITTEN = frozenset({"title", "subject", "lang"})

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
@click.option("--lang", metavar="TAG", help="Language of a page, a BCP 47 tag.  [default: en]")
@click.option("--title", help="Title of a page.  [default: the first heading]")
@click.option("--subject", help="Subject of a mail (.eml).  [default: the first heading]")
@click.option("--from", "sender", metavar="ADDRESS", help="Sender of a mail (.eml).")
@click.option(
    "--to-address", "recipients", metavar="ADDRESS", multiple=True, help="Recipient of a mail (.eml); repeatable."
)
@click.option(
    "--embed-pictures/--no-embed-pictures",
    "embeds",
    default=None,
    help="Take the pictures that the text names as files into the output, or leave them.  "
    "[default: --embed-pictures for google-docs, word, onenote and email]",
)
@click.option("--open", "opens", is_flag=True, help="Open what was written; without -o, a temporary file.")
def convert(**options: Any) -> None:
    """Convert the text in FILE, or on standard input (-)."""
    given: dict[str, Any] = {
        name: whole(value) if name in _WRITTEN and value else value for name, value in options.items()
    }
    request = Request(**given)
    request.check()
    with library_errors():
        document, pictures = _parse(request)
        content, notices = _FORM_MAKERS[request.form](document, request)
    output = request.output
    if request.opens and output == STANDARD_OUTPUT:
        output = _temporary_file(request)
    write(output, content)
    if pictures:
        notices = pictures.told_with(notices)
        if pictures.are_taken and request.goal == "email" and request.form == "html":
            notices = (*notices, Notice("picture", UNSEEN.format(remedy="-o mail.eml")))
    report(request.file, notices)
    if request.opens:
        _open(output)


def _parse(request: Request) -> "tuple[Document, EmbeddedPictures | None]":
    """Return the document, and the pictures that it took along, where it takes any."""
    from mdpublish_core import parse
    from mdpublish_core.cli.pictures import EmbeddedPictures
    from mdpublish_core.destinations import get_destination

    embeds = request.embeds
    if embeds is None:
        embeds = get_destination(request.goal).embeds and request.form != "text"
    text = read_text(request.file)
    pictures = EmbeddedPictures(folder_of(request.file)) if embeds else None
    return parse(text, raw_html=request.raw_html, resolve=pictures), pictures


def _html(document: "Document", request: Request) -> "tuple[bytes, tuple[Notice, ...]]":
    from mdpublish_core.media import data_url

    conversion = _rendered(document, request, data_url)  # one file is all that is written
    return conversion.html.encode(), conversion.notices


def _text(document: "Document", request: Request) -> "tuple[bytes, tuple[Notice, ...]]":
    from mdpublish_core.destinations import get_destination

    conversion = _rendered(document, request)
    text = conversion.html if get_destination(request.goal).is_text else conversion.plain_text
    return text.encode(), conversion.notices


def _mail(document: "Document", request: Request) -> "tuple[bytes, tuple[Notice, ...]]":
    from mdpublish_core.cli.mails import mail_file, read_address

    try:
        sender = read_address(request.sender) if request.sender else None
        recipients = [read_address(recipient) for recipient in request.recipients]
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    conversion = _rendered(document, request)
    subject = request.subject or _title(document, request)
    return mail_file(conversion, subject=subject, sender=sender, recipients=recipients), conversion.notices


def _page(document: "Document", request: Request) -> "tuple[bytes, tuple[Notice, ...]]":
    from mdpublish_core.cli.pages import page_with_notices
    from mdpublish_core.page import Frame

    frame = Frame(
        title=request.title or _title(document, request),
        page_width=request.page_width or "standard",
        lang=request.lang or "en",
    )
    template, css = read_template(request.template), read_css(request.css_file)
    page, notices = page_with_notices(document, template, request.theme_mode, css, frame)
    return page.encode(), notices


_FORM_MAKERS = {"html": _html, "text": _text, "mail": _mail, "page": _page}


def _rendered(document: "Document", request: Request, media_url: "MediaUrl" = None) -> "Conversion":
    from mdpublish_core import render

    return render(
        document,
        destination=request.goal,
        template=read_template(request.template),
        theme_mode=request.theme_mode,
        css=read_css(request.css_file),
        media_url=media_url,
    )


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
