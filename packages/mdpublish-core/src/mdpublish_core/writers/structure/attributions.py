"""The last line of a quote that names who said it: `— Name`."""

from collections.abc import Sequence

from mdpublish_core import nodes
from mdpublish_core.strings.lazy_patterns import compile_lazily

# An em dash or a horizontal bar; an en dash or two hyphens before a name, which are neither `--option` nor `-- words`.
_ATTRIBUTION = compile_lazily(r"[\u2014\u2015] ?\w|(?:\u2013|--) (?=\w)[^a-z\d_]")
_DASHES = frozenset({"\u2014", "\u2015", "\u2013", "--"})

# Lines of a dialog, or of a list written with dashes.
_DASHED = compile_lazily(r"[\u2013-\u2015]|-- ")


def split_attribution(blocks: Sequence[nodes.Token]) -> tuple[Sequence[nodes.Token], nodes.Paragraph | None]:
    """Return a quote's blocks with its attribution as a paragraph, and that paragraph; a quote of it alone has none."""
    last = blocks[-1] if blocks else None
    if not isinstance(last, nodes.Paragraph):
        return blocks, None
    inlines = last.children
    start = next((at for at in range(len(inlines), 0, -1) if isinstance(inlines[at - 1], nodes.LineBreak)), 0)
    if not _begins_attribution(inlines[start:]) or (not start and len(blocks) == 1):
        return blocks, None
    # Of several lines with dashes, none is an attribution.
    if _has_dashed_line(inlines[: start - 1] if start else ()) or any(map(_is_dashed, blocks[:-1])):
        return blocks, None
    if not start:
        return blocks, last
    attribution = nodes.Paragraph(inlines[start:], line=last.line_number)
    return [*blocks[:-1], nodes.Paragraph(inlines[: start - 1], line=last.line_number), attribution], attribution


def _is_dashed(block: nodes.Token) -> bool:
    return isinstance(block, nodes.Paragraph) and _has_dashed_line(block.children)


def _has_dashed_line(inlines: Sequence[nodes.Token]) -> bool:
    starts = (0, *(at + 1 for at, inline in enumerate(inlines[:-1]) if isinstance(inline, nodes.LineBreak)))
    firsts = (inlines[at] for at in starts if inlines)
    return any(isinstance(first, nodes.RawText) and _DASHED.match(first.content) for first in firsts)


def _begins_attribution(inlines: Sequence[nodes.Token]) -> bool:
    first = inlines[0] if inlines else None
    if not isinstance(first, nodes.RawText):
        return False
    # The name may be a link or emphasized.
    return bool(_ATTRIBUTION.match(first.content)) or (first.content.rstrip() in _DASHES and len(inlines) > 1)
