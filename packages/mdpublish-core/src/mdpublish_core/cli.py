"""The `mdpublish` command: files and standard input in, the library's output out.

It only reads, calls the library and writes. A user's mistake ends in one line on standard error and exit status 1 (2 for
a wrong option), never in a traceback. Notices go to standard error as `file:line: message`.
"""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_core import MdpublishError, __version__

if TYPE_CHECKING:
    from mdpublish_core import Notice, Template
    from mdpublish_core.templates import ThemeMode


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mdpublish")
def main() -> None:
    """Convert Markdown into what its destination takes: a web page, a mail, a document, plain text."""


@main.command()
@click.argument("file", metavar="FILE|-")
@click.option("--to", "destination", default="generic", show_default=True, help="Destination of the output.")
@click.option("--template", default="swiss", show_default=True, help="Id of a template, or the path of a theme file.")
@click.option(
    "--mode", "theme_mode", type=click.Choice(["light", "dark"]), default="light", show_default=True, help="Theme mode."
)
@click.option("-o", "--output", metavar="OUT", default="-", help="File to write; standard output without it.")
@click.option("--page", is_flag=True, help="Write a whole web page instead of a fragment.")
def convert(*, file: str, destination: str, template: str, theme_mode: "ThemeMode", output: str, page: bool) -> None:
    """Convert the Markdown text in FILE, or on standard input (-)."""
    if page and destination != "generic":
        raise click.UsageError(f"--page makes a web page, which is not for --to {destination}; leave one of them out")
    markdown = _read(file)
    try:
        chosen = _template(template)
        if page:
            text, notices = _page(markdown, file, chosen, theme_mode)
        else:
            from mdpublish_core import convert as convert_text
            from mdpublish_core.media import data_url

            conversion = convert_text(
                markdown,
                destination=destination,
                template=chosen,
                theme_mode=theme_mode,
                media_url=data_url,  # one file is all that is written
            )
            text, notices = conversion.html, conversion.notices
    except MdpublishError as error:
        raise click.ClickException(str(error)) from None
    _write(output, text)
    _report(file, notices)


@main.command()
def templates() -> None:
    """List the built-in templates."""
    from mdpublish_core import list_templates

    listed = list_templates()
    width = max(len(template.id) for template in listed)
    for template in listed:
        click.echo(f"{template.id:{width}}  {template.category:12}  {template.description}")


def _read(file: str) -> str:
    """Return the text of a file or of standard input, which must be UTF-8."""
    try:
        content = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        return content.decode("utf-8")
    except OSError as error:
        raise click.ClickException(f"cannot read {file}: {error.strerror}") from None
    except UnicodeDecodeError as error:
        raise click.ClickException(f"{_shown(file)} is not UTF-8: byte {error.start + 1} cannot be read") from None


def _template(template: str) -> "Template":
    """Return a built-in template by id, or a user's own by the path of its file."""
    from mdpublish_core import get_template, load_template

    if not template.endswith(".toml"):
        return get_template(template)
    try:
        return load_template(template)
    except OSError as error:
        raise click.ClickException(f"cannot read {template}: {error.strerror}") from None


def _page(markdown: str, file: str, template: "Template", theme_mode: "ThemeMode") -> tuple[str, tuple["Notice", ...]]:
    """Return a web page whose title is the document's, or else the file's name, and the notices."""
    from mdpublish_core import parse, render, render_page

    document = parse(markdown)
    title = document.title or ("Untitled" if file == "-" else Path(file).stem)
    page = render_page(document, title=title, template=template, theme_mode=theme_mode)
    # A page has what a fragment has, and so the same is to be said of it.
    return page, render(document, template=template, theme_mode=theme_mode).notices


def _write(output: str, text: str) -> None:
    content = text.encode()
    if output == "-":
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    try:
        Path(output).write_bytes(content)
    except OSError as error:
        raise click.ClickException(f"cannot write {output}: {error.strerror}") from None


def _report(file: str, notices: tuple["Notice", ...]) -> None:
    for notice in notices:
        place = _shown(file) if notice.line is None else f"{_shown(file)}:{notice.line}"
        click.echo(f"{place}: {notice.message} [{notice.code}]", err=True)


def _shown(file: str) -> str:
    return "standard input" if file == "-" else file
