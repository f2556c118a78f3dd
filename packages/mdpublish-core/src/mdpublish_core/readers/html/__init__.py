"""HTML to a tree: what programs put on the clipboard, saved pages, and our own outputs.

source → its program, and its marks as plain HTML (`sources`) → lxml's tree → blocks, runs of inlines → Document

What Markdown cannot express is kept as its text, with a notice.
"""

from __future__ import annotations

from mdpublish_core import nodes
from mdpublish_core.nodes.open_nodes import Document, Origin
from mdpublish_core.nodes.tokens import seal
from mdpublish_core.notices import limit_notices
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.readers.imported import ReadFile


def read_html(html: str, *, source: str = "auto", limits: Limits = DEFAULT_LIMITS) -> ReadFile:
    """Read HTML. See `mdpublish_core.read_html`."""
    from mdpublish_core.readers.html.blocks import HtmlReader
    from mdpublish_core.readers.html.parse import parse_html, source_text
    from mdpublish_core.readers.html.sources import find_source
    from mdpublish_core.readers.html.sources.cleaning import take_out
    from mdpublish_core.readers.markdown.document import number_footnotes

    normalized, size = source_text(html, limits)
    program = find_source(source, normalized)
    if (root := parse_html(program.prepare(normalized))) is None:
        return ReadFile(nodes.Document([], origin=Origin(size)), ())
    for clean in program.cleaning:
        clean(root)
    take_out(root)
    reader = HtmlReader(root, limits, keeps_lines=program.keeps_lines)
    blocks = reader.read()
    notes = number_footnotes(reader.notes, reader.references)
    notices = tuple(limit_notices(reader.notices))
    document = Document(blocks, footnote_definitions=notes, notices=notices, origin=Origin(size))
    seal(document)
    return ReadFile(document, tuple(reader.media.values()))
