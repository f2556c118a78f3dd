"""`mdpublish convert`: one text into one output."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.options import destination_option, look_options
from mdpublish_core.cli.reading import read_css, read_template, read_text
from mdpublish_core.cli.writing import library_errors, report, write

if TYPE_CHECKING:
    from mdpublish_core import Notice, Template
    from mdpublish_core.templates import ThemeMode


@click.command()
@click.argument("file", metavar="FILE|-")
@destination_option()
@look_options
@click.option("-o", "--output", metavar="OUT", default="-", help="File to write; standard output without it.")
@click.option("--page", is_flag=True, help="Write a whole web page instead of a fragment.")
def convert(
    *,
    file: str,
    destination: str,
    template: str,
    theme_mode: "ThemeMode",
    css_file: str | None,
    output: str,
    page: bool,
) -> None:
    """Convert the Markdown text in FILE, or on standard input (-)."""
    if page and destination != "generic":
        raise click.UsageError(f"--page makes a web page, which is not for --to {destination}; leave one of them out")
    markdown = read_text(file)
    with library_errors():
        chosen = read_template(template)
        css = read_css(css_file)
        if page:
            text, notices = _page(markdown, file, chosen, theme_mode, css)
        else:
            from mdpublish_core import convert as convert_text
            from mdpublish_core.media import data_url

            conversion = convert_text(
                markdown,
                destination=destination,
                template=chosen,
                theme_mode=theme_mode,
                css=css,
                media_url=data_url,  # one file is all that is written
            )
            text, notices = conversion.html, conversion.notices
    write(output, text.encode())
    report(file, notices)


def _page(
    markdown: str, file: str, template: "Template", theme_mode: "ThemeMode", css: str | None
) -> tuple[str, tuple["Notice", ...]]:
    """Return a web page whose title is the document's, or else the file's name, and the notices."""
    from mdpublish_core import parse, render, render_page

    document = parse(markdown)
    title = document.title or ("Untitled" if file == "-" else Path(file).stem)
    page = render_page(document, title=title, template=template, theme_mode=theme_mode, css=css)
    # A page has what a fragment has, and so the same is to be said of it.
    return page, render(document, template=template, theme_mode=theme_mode).notices
