"""HTML to a tree: what programs put on the clipboard, saved pages, and our own outputs.

source → its program found and its marks read as plain HTML (`sources`) → lxml's tree → blocks, and runs of inlines → Document

What Markdown cannot express is kept as its text, with a notice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from mdpublish_core.arguments import require_limits, require_type
from mdpublish_core.nodes import Document, Origin
from mdpublish_core.notices import Notice, limit_notices
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits

if TYPE_CHECKING:
    from mdpublish_core.resources.media import Media


@dataclass(frozen=True, slots=True)
class Imported:
    """A document that was read from another format than Markdown."""

    document: Document
    """The tree, to be rendered, or written as Markdown."""

    notices: tuple[Notice, ...]
    """What Markdown cannot express, and what was left out."""

    media: tuple[Media, ...]
    """Images that were in the source itself; the document's images have their `content_id` as URL."""


def read_html(html: str, *, source: str = "auto", limits: Limits = DEFAULT_LIMITS) -> Imported:
    """Read HTML, such as a selection on the clipboard or a saved page.

    `source` is the program that wrote it; `auto` finds it by marks in the HTML, and `html` is none. What Markdown cannot express is
    kept as its text, with a notice. URLs are checked as in `parse`; those that are not allowed are left out, and their text stays.

    Raises `UnknownSource`, `InvalidArgument`, `InvalidHtml` past a limit of the HTML parser, and `LimitExceeded` past
    `limits.max_input_bytes`.
    """
    from mdpublish_core.readers.html.blocks import HtmlReader
    from mdpublish_core.readers.html.parse import parse_html, source_text
    from mdpublish_core.readers.html.sources import find_source
    from mdpublish_core.readers.html.sources.cleaning import take_out
    from mdpublish_core.readers.markdown.document import number_footnotes

    require_type("html", html, str)
    require_type("source", source, str)
    require_limits(limits)
    normalized, size = source_text(html, limits)
    program = find_source(source, normalized)
    root = parse_html(program.prepare(normalized))
    if root is None:
        return Imported(Document([], origin=Origin(size)), (), ())
    program.clean(root)
    take_out(root)
    reader = HtmlReader(root, limits, keeps_lines=program.keeps_lines)
    blocks = reader.read()
    notes = number_footnotes(reader.notes, reader.references)
    notices = tuple(limit_notices(reader.notices))
    document = Document(blocks, footnote_definitions=notes, notices=notices, origin=Origin(size))
    return Imported(document, notices, tuple(reader.media.values()))
