"""Files of other formats and the clipboard as Markdown, and the images in them."""

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.console import STANDARD_OUTPUT
from mdpublish_core.cli.inputs import STANDARD_INPUT, display_name, read_bytes, read_markdown
from mdpublish_core.errors import InvalidFile
from mdpublish_core.resources.folder_files import atomic_write
from mdpublish_core.writers.outputs import BY_SUFFIX

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdpublish_core.importing import Imported
    from mdpublish_core.nodes import Document
    from mdpublish_core.notices import Notice
    from mdpublish_core.resources.media import Media

_MARKDOWN_SUFFIXES = {".md", ".txt"}


def require_markdown_name(output: str) -> None:
    """Raise a usage error for an output file with the suffix of another format, such as the document that was read."""
    from mdpublish_core.readers.formats import FORMATS

    suffix = Path(output).suffix.lower()
    if suffix in FORMATS.keys() | BY_SUFFIX.keys() - _MARKDOWN_SUFFIXES:
        name = Path(output).with_suffix(".md").name
        raise click.UsageError(f"cannot write Markdown to a {suffix} file; use -o {name}, and convert that")


def read_source(file: str, *, repairs: bool = False) -> "tuple[str, Sequence[Notice]]":
    """Return a file as Markdown: as it is, repaired, or converted if its suffix is that of another format."""
    from mdpublish_core.readers.formats import FORMATS

    if Path(file).suffix.lower() not in FORMATS:
        return as_markdown(read_markdown(file), repairs=repairs)
    return as_markdown(read_imported(file))


def read_imported(
    file: str, *, suffix: str | None = None, source: str = "auto", comments: bool = False, whole_page: bool = True
) -> "Imported":
    """Read a file of another format, told by its suffix or how it begins. `source` is the program that wrote HTML."""
    from mdpublish_core import read_file, read_html
    from mdpublish_core.readers.formats import decode, suffix_of

    content = sys.stdin.buffer.read() if file == STANDARD_INPUT else read_bytes(file) or b""
    if source != "auto":
        return read_html(decode(content), source=source, whole_page=whole_page)
    suffix = suffix or Path(file).suffix or suffix_of(content)
    try:
        return read_file(content, suffix, comments=comments, whole_page=whole_page)
    except InvalidFile as error:
        raise click.ClickException(f"{display_name(file)} {error.problem}") from None


def read_clipboard(source: str = "auto") -> "Imported | str":
    """Read the clipboard's HTML, or return its text if it has no HTML."""
    import shutil

    from mdpublish_core import read_html
    from mdpublish_core.cli.clipboards import find_clipboard

    contents = find_clipboard(sys.platform, os.environ, shutil.which).read()
    if contents.html is not None:
        return read_html(contents.html, source=source)
    if contents.plain_text is not None:
        return contents.plain_text
    raise click.ClickException("the clipboard has neither HTML nor text; select something and copy it")


def as_markdown(
    read: "Imported | str",
    *,
    output: str = STANDARD_OUTPUT,
    media_folder: Path | None = None,
    wrap: int | None = None,
    repairs: bool = False,
) -> "tuple[str, Sequence[Notice]]":
    """Return Markdown, with its images in it or in a folder, and what it cannot say; text is repaired on request."""
    if isinstance(read, str):
        return _repaired(read) if repairs else (read, ())
    from mdpublish_core import to_markdown

    return to_markdown(_with_media(read, output, media_folder), wrap=wrap), read.notices


def _repaired(markdown: str) -> "tuple[str, Sequence[Notice]]":
    from mdpublish_core.errors import install_command
    from mdpublish_core.notices import Notice
    from mdpublish_core.repair import repair

    repaired = repair(markdown)
    missing = f"; for text in a wrong encoding, run: {install_command('repair')}" if repaired.skipped else ""
    message = f"{repaired.summary or 'no repairs'}{missing}"
    return repaired.markdown, [Notice("repaired", message)] if repaired.repairs or missing else []


def _with_media(imported: "Imported", output: str, folder: Path | None) -> "Document":
    """Return the document with the URLs of its media, which are written to a folder if one is given."""
    from mdpublish_core.importing import with_image_urls

    urls = {each.content_id: media_url(each, output, folder) for each in imported.media}
    return with_image_urls(imported.document, urls) if urls else imported.document


def media_url(media: "Media", output: str, folder: Path | None) -> str:
    """Return the URL of an image in a Markdown file: of a file that is written to a folder, or of the image itself."""
    from urllib.parse import quote

    from mdpublish_core.resources.media import image_data_url

    if folder is None:
        return image_data_url(media.data) or ""
    file = folder / media.content_id
    with atomic_write(file) as new:
        new.write(media.data)
    start = Path() if output == STANDARD_OUTPUT else Path(output).parent
    return quote(Path(os.path.relpath(file, start)).as_posix())
