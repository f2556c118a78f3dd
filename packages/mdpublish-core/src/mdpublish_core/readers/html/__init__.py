"""HTML to a tree: what programs put on the clipboard, saved pages, and our own outputs.

source → its program, and its marks as plain HTML (`sources`) → lxml's tree → blocks, runs of inlines → Document

What Markdown cannot express is kept as its text, with a notice.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from mdpublish_core.front_matter import FrontMatter
from mdpublish_core.nodes.open_nodes import Document, List, Origin, walk
from mdpublish_core.nodes.tokens import seal
from mdpublish_core.notices import limit_notices
from mdpublish_core.options.limits import DEFAULT_LIMITS, Limits
from mdpublish_core.readers.imported import ReadFile

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from mdpublish_core.ledger.entries import SeenEntry
    from mdpublish_core.nodes import FootnoteDefinition, HtmlSpan, Token
    from mdpublish_core.notices import Notice
    from mdpublish_core.readers.html.parse import Element
    from mdpublish_core.resources.media import Media


def read_html(html: str, *, source: str = "auto", whole_page: bool = True, limits: Limits = DEFAULT_LIMITS) -> ReadFile:
    """Read HTML. See `mdpublish_core.read_html`."""
    from mdpublish_core import ledger
    from mdpublish_core.readers.html.parse import source_text

    normalized, size = source_text(html, limits)
    reading = read_elements(normalized, source, limits, whole_page=whole_page)
    lost = ledger.loss_notices(reading.seen, reading.entries())
    return ReadFile(reading.document((*reading.notices, *lost), size), reading.media)


def read_elements(
    normalized: str,
    source: str,
    limits: Limits,
    *,
    whole_page: bool = True,
    comments: Sequence[HtmlSpan] | None = None,
) -> Reading:
    """Read normalized HTML; of what is made of another format, what it shows is not counted, and its comments are given."""
    from mdpublish_core import ledger
    from mdpublish_core.readers.html.blocks import HtmlReader
    from mdpublish_core.readers.html.formulas import mark_formulas
    from mdpublish_core.readers.html.lists import take_labels
    from mdpublish_core.readers.html.main_text import take_main_text
    from mdpublish_core.readers.html.parse import parse_html
    from mdpublish_core.readers.html.sources import find_source
    from mdpublish_core.readers.html.sources.cleaning import pop_taken, take_out
    from mdpublish_core.readers.markdown.document import number_footnotes

    program = find_source(source, normalized)
    prepared = program.prepare(normalized)
    if (root := parse_html(prepared)) is None:
        return Reading()
    written = root if prepared == normalized else parse_html(normalized)
    seen = () if comments is not None or written is None else tuple(ledger.html.entries_of(written))
    cut = None if whole_page else take_main_text(root, normalized)
    program.clean(root)
    take_out(root)
    take_labels(root)
    if comments is None:
        mark_formulas(root, normalized, is_known=bool(program.marks))
    taken = pop_taken(root)
    reader = HtmlReader(root, limits, keeps_lines=program.keeps_lines)
    reader.comments = comments or ()
    blocks = reader.read()
    notes = number_footnotes(reader.notes, reader.references)
    notices = [*reader.notices, *([cut] if cut else ())]
    return Reading(blocks, notes, notices, tuple(reader.media.values()), seen, reader.left_out, taken)


class Reading(NamedTuple):
    """What was read, and what was left out on purpose."""

    blocks: Sequence[Token] = ()
    notes: Sequence[FootnoteDefinition] = ()
    notices: Sequence[Notice] = ()
    media: tuple[Media, ...] = ()
    seen: Sequence[SeenEntry] = ()
    left_out: Sequence[SeenEntry] = ()
    taken: Element | None = None

    def entries(self) -> Iterator[SeenEntry]:
        """Yield what a person sees of it, in the tree or named."""
        from mdpublish_core import ledger

        yield from ledger.tree.entries_of((*self.blocks, *self.notes))
        yield from () if self.taken is None else ledger.html.entries_of(self.taken)
        yield from self.left_out

    def document(self, notices: Iterable[Notice], size: int) -> Document:
        """Return the tree of a source of `size` bytes."""
        limited = tuple(limit_notices(notices))
        document = Document(self.blocks, footnote_definitions=self.notes, notices=limited, origin=Origin(size))
        numbered = [each for each in walk(document) if isinstance(each, List) and each.numbering]
        if any(each.numbering != "1)" for each in numbered):
            document.front_matter = FrontMatter({"extensions": "fancy-lists"})
        else:  # as any Markdown has them
            for each in numbered:
                each.numbering = ""
        seal(document)
        return document
