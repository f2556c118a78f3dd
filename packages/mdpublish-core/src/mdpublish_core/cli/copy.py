"""`mdpublish copy`: one text onto the clipboard, to be pasted into its destination.

What is copied is decided here; `clipboards` puts it there.
"""

import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.options import destination_option, look_options, raw_html_option
from mdpublish_core.cli.outputs import read_look, render_alone
from mdpublish_core.cli.pictures import read_document
from mdpublish_core.cli.writing import library_errors, report

if TYPE_CHECKING:
    from mdpublish_core import Conversion, Document
    from mdpublish_core.cli.clipboards import Contents
    from mdpublish_core.extensions import RawHtml
    from mdpublish_core.templates import ThemeMode

_PASTED_AS_SOURCE = frozenset({"generic", "html"})
"""Where text alone is taken, HTML for web pages goes as its source: that is what is pasted into an editor of code."""

_SNIFFED = 1024
"""Readers look for the encoding in a page's first bytes: https://html.spec.whatwg.org/multipage/semantics.html#charset"""


@click.command()
@click.argument("file", metavar="FILE|-", type=click.Path(path_type=str))
@destination_option(default=None, help_text="Where you will paste.  [required]")
@look_options
@raw_html_option
@click.option("--plain", is_flag=True, help="Copy the text alone, without HTML.")
def copy(
    *,
    file: str,
    destination: str | None,
    template: str,
    theme_mode: "ThemeMode",
    css_file: str | None,
    raw_html: "RawHtml",
    plain: bool,
) -> None:
    """Copy a text to the clipboard, to be pasted.

    FILE is a Markdown file; - stands for standard input.
    """
    from mdpublish_core.cli.clipboards import Contents, choose
    from mdpublish_core.destinations import get_destination

    destination = _required(destination)
    with library_errors():
        look = read_look(template, theme_mode, css_file)
        document, pictures = read_document(
            file, raw_html, embeds=get_destination(destination).embeds_images and not plain
        )
        conversion = render_alone(look, document, destination)
        contents = _contents(document, conversion)
    if plain:
        contents = Contents(None, contents.text)
    clipboard = choose(sys.platform, os.environ, shutil.which)
    alone = contents.html is not None and not clipboard.holds_both
    if alone:
        contents = Contents(contents.html, None)
    clipboard.put(contents)
    report(file, pictures.told_with(conversion.notices) if pictures else conversion.notices)
    hint = "; for text alone: --plain" if alone else ""
    click.echo(f"copied for {destination}: {_described(contents)}{hint}", err=True)


def _required(destination: str | None) -> str:
    """Return the destination, or end the command with a list of all."""
    if destination is None:
        from mdpublish_core.destinations import DESTINATIONS

        raise click.UsageError(f"where will you paste? Give --to one of: {', '.join(DESTINATIONS)}")
    return destination


def _contents(document: "Document", conversion: "Conversion") -> "Contents":
    """Return what is copied of a conversion, as HTML and as text."""
    from mdpublish_core import render
    from mdpublish_core.cli.clipboards import Contents
    from mdpublish_core.destinations import get_destination

    if conversion.destination == "slack":
        # Slack's editor reads HTML; whoever has turned that editor off writes mrkdwn, and pastes text.
        return Contents(_declared(render(document, destination="html").html), conversion.html)
    if get_destination(conversion.destination).is_text:
        return Contents(None, conversion.html)
    text = conversion.html if conversion.destination in _PASTED_AS_SOURCE else conversion.plain_text
    return Contents(_declared(conversion.html), text)


def _declared(html: str) -> str:
    """Return HTML that says that it is UTF-8; on a clipboard, nothing else does, and some readers take it for Latin-1."""
    from mdpublish_core.html import HtmlWriter

    writer = HtmlWriter()
    writer.empty("meta", (("charset", "utf-8"),))
    declaration = writer.finish()
    return html if declaration in html[:_SNIFFED] else declaration + html


def _described(contents: "Contents") -> str:
    """Return which contents there are, and their size: `HTML and text, 12 KB`."""
    present = {"HTML": contents.html, "text": contents.text}
    names = [name for name, content in present.items() if content is not None]
    size = sum(len(content.encode()) for content in present.values() if content is not None)
    return f"{' and '.join(names)}, {_size(size)}"


def _size(number: int) -> str:
    """Return a number of bytes in the largest unit that leaves at least one of it."""
    for unit, factor in (("MB", 1_000_000), ("KB", 1_000)):
        if number >= factor:
            return f"{number / factor:.0f} {unit}" if number >= 10 * factor else f"{number / factor:.1f} {unit}"
    return f"{number} bytes"
