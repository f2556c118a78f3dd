"""What was changed in a pasted or exported document, merged back into the Markdown that it was made of.

Markdown → `convert` → read back: what was sent, with all that the way out and in loses
edited file → read: what came back
`losses`: what the edited document does not have at all is no edit
`edits`: the edits between the two, made in the tree of the source, by words (`inlines`) of leaves (`leaves`)
`sources`: that tree written into the lines of the source
`versions`: a source that has changed meanwhile, merged with that by blocks
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from mdpublish_core.conversion import Converter
from mdpublish_core.importing import Imported, read_file, read_html
from mdpublish_core.merging.edits import edit
from mdpublish_core.merging.losses import without_losses
from mdpublish_core.merging.sources import write

from mdpublish_core.notices import Notice

if TYPE_CHECKING:
    from mdpublish_core.nodes import Document


@dataclass(frozen=True, slots=True)
class Merged:
    """A source with the edits of a document that was made of it."""

    markdown: str
    """The source; what both sides changed stands between conflict markers, as git writes them."""

    conflicts: int
    """How many of these there are."""

    notices: tuple[Notice, ...]
    """What could not be merged, and what the edited document does not have."""


def merge(base: str, edited: Document, converter: Converter, *, ours: str | None = None) -> Merged:
    parsing = replace(converter, transform=None, rewrite_url=None, fences={})
    source = parsing.parse(base)
    sent, returned, notices = without_losses(_sent(base, converter), edited)
    entries, unmerged = edit(source, sent, returned)
    theirs, is_exact = write(base, source, entries, parsing.parse)
    if not is_exact:
        unmerged.append(Notice("merge-rewritten", "the edits could not be written between the lines of the source, so all of it is in one style"))
    return Merged(theirs, 0, (*notices, *unmerged))


def _sent(base: str, converter: Converter) -> Document:
    conversion = converter.convert(base)
    if isinstance(conversion.content, bytes):
        return read_file(conversion.content, conversion.suffix).document
    return read_html(conversion.html).document
