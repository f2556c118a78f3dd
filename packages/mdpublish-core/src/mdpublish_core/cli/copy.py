"""The `copy` command."""

import os
import shutil
import sys
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.console import library_errors, print_notices
from mdpublish_core.cli.images import read_document
from mdpublish_core.cli.options import destination_option, raw_html_option, style_options
from mdpublish_core.cli.outputs import read_style, render_self_contained

if TYPE_CHECKING:
    from mdpublish_core import Conversion, Document
    from mdpublish_core.cli.clipboards import ClipboardContents
    from mdpublish_core.options.extensions import RawHtml
    from mdpublish_core.templates import ThemeMode

_PASTED_AS_SOURCE = frozenset({"generic", "html"})
"""Copied as source into fields that accept only text, such as code editors."""

_ENCODING_SNIFF_CHARACTERS = 1024
"""https://html.spec.whatwg.org/multipage/semantics.html#charset"""


@click.command()
@click.argument("file", metavar="FILE|-", type=click.Path(path_type=str))
@destination_option(default=None, help_text="Destination to paste into.  [required]")
@style_options
@raw_html_option
@click.option("--plain", is_flag=True, help="Copy plain text only.")
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
    """Copy a converted document to the clipboard.

    Reads FILE, or standard input if FILE is -.
    """
    from mdpublish_core.cli.clipboards import ClipboardContents, find_clipboard
    from mdpublish_core.destinations import get_destination

    destination = _require_destination(destination)
    with library_errors():
        style = read_style(template, theme_mode, css_file)
        document, images = read_document(
            file, raw_html, embed_images=get_destination(destination).embeds_images and not plain
        )
        conversion = render_self_contained(style, document, destination)
        contents = _contents(document, conversion)
    if plain:
        contents = ClipboardContents(None, contents.plain_text)
    clipboard = find_clipboard(sys.platform, os.environ, shutil.which)
    is_html_only = contents.html is not None and not clipboard.supports_both_formats
    if is_html_only:
        contents = ClipboardContents(contents.html, None)
    clipboard.write(contents)
    print_notices(file, images.merge_notices(conversion.notices) if images else conversion.notices)
    hint = " (for text only: --plain)" if is_html_only else ""
    click.echo(f"Copied for {destination}: {_describe(contents)}{hint}", err=True)


def _require_destination(destination: str | None) -> str:
    if destination is None:
        from mdpublish_core.destinations import DESTINATIONS

        raise click.UsageError(f"missing option --to; choose from: {', '.join(DESTINATIONS)}")
    return destination


def _contents(document: "Document", conversion: "Conversion") -> "ClipboardContents":
    from mdpublish_core import render
    from mdpublish_core.cli.clipboards import ClipboardContents
    from mdpublish_core.destinations import get_destination

    if conversion.destination == "slack":
        # Slack's rich-text editor accepts HTML, its markup editor text.
        return ClipboardContents(_with_charset(render(document, destination="html").html), conversion.html)
    if get_destination(conversion.destination).is_text:
        return ClipboardContents(None, conversion.html)
    plain = conversion.html if conversion.destination in _PASTED_AS_SOURCE else conversion.plain_text
    return ClipboardContents(_with_charset(conversion.html), plain)


def _with_charset(html: str) -> str:
    """Without a charset, some applications read the clipboard as Latin-1."""
    from mdpublish_core.html import HtmlWriter

    writer = HtmlWriter()
    writer.empty("meta", (("charset", "utf-8"),))
    declaration = writer.finish()
    return html if declaration in html[:_ENCODING_SNIFF_CHARACTERS] else declaration + html


def _describe(contents: "ClipboardContents") -> str:
    present = {"HTML": contents.html, "text": contents.plain_text}
    names = [name for name, content in present.items() if content is not None]
    size = sum(len(content.encode()) for content in present.values() if content is not None)
    return f"{' and '.join(names)}, {_size(size)}"


def _size(number: int) -> str:
    for unit, factor in (("MB", 1_000_000), ("KB", 1_000)):
        if number >= factor:
            return f"{number / factor:.0f} {unit}" if number >= 10 * factor else f"{number / factor:.1f} {unit}"
    return f"{number} bytes"
