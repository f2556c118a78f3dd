"""The last line of a quote that names who said it: `— Name`."""

import re
from collections.abc import Sequence

from mdpublish_core import nodes

# An em dash or a horizontal bar, as people and keyboards write it.
_ATTRIBUTION = re.compile(r"[\u2014\u2015] ?\w")


def split_attribution(blocks: Sequence[nodes.Token]) -> tuple[Sequence[nodes.Token], nodes.Paragraph | None]:
    """Return a quote's blocks, in which an attribution is a paragraph of its own, and that paragraph.

    A quote of nothing else has none.
    """
    last = blocks[-1] if blocks else None
    if not isinstance(last, nodes.Paragraph):
        return blocks, None
    inlines = last.children
    start = next((at for at in range(len(inlines), 0, -1) if isinstance(inlines[at - 1], nodes.LineBreak)), 0)
    if not _begins_attribution(inlines[start:]) or (not start and len(blocks) == 1):
        return blocks, None
    if not start:
        return blocks, last
    attribution = nodes.Paragraph(inlines[start:], line=last.line_number)
    return [*blocks[:-1], nodes.Paragraph(inlines[: start - 1], line=last.line_number), attribution], attribution


def _begins_attribution(inlines: Sequence[nodes.Token]) -> bool:
    first = inlines[0] if inlines else None
    if not isinstance(first, nodes.RawText):
        return False
    # The name may be a link or emphasized.
    return bool(_ATTRIBUTION.match(first.content)) or (
        first.content.rstrip() in ("\u2014", "\u2015") and len(inlines) > 1
    )
