"""Footnotes beside the text, in layouts with a margin: each at the height of its mark, below the one before.

They stay where they are in the HTML. Browsers without anchor positioning, small windows and paper show them at the end.
"""

from collections.abc import Sequence
from math import inf

from mdpublish_core import nodes
from mdpublish_core.writers.structure.anchors import footnote_id, footnote_reference_id

MAX_CHARACTERS = 240
"""Characters of a note beside the text: half a dozen narrow lines."""

MAX_NOTES = 100
"""Notes in a page's margin: each has rules of its own."""

_TEXT_BESIDE = 2.2
"""Characters of text that are as high as one of a note."""

_LINE = 66
"""Characters that a heading or any short block takes at least."""

_NARROW = (nodes.Paragraph, nodes.Heading, nodes.SetextHeading, nodes.List, nodes.Quote)

_PLACES = """@supports (anchor-name: --a) {{
@media screen and (min-width: 66em) {{
.{scope} main {{ position: relative; }}
.{scope} .footnotes:not(:has(> ol > li:not(.beside))) {{ border: 0; margin: 0; padding: 0; }}
.{scope} .footnotes:not(:has(> ol > li:not(.beside)))::before {{ content: none; }}
.{scope} .footnotes .beside {{ inset-inline-end: var(--inset, 0px); line-height: 1.45; margin: 0; position: absolute; width: var(--margin); }}
{rules}
}}
}}"""


def side_notes(document: nodes.Document) -> list[int]:
    """Return the numbers of footnotes with room beside the text, in order: up to the next wide block or margin note."""
    blocks = [block for block in document.children or () if not isinstance(block, nodes.FootnoteDefinition)]
    lengths = {
        note.number: len(nodes.text_content(note))
        for note in document.footnote_definitions
        if all(isinstance(block, nodes.Paragraph) for block in note.children)
    }
    beside: list[int] = []
    taken = blocked = 0.0
    for at, block in enumerate(blocks):
        if len(beside) >= MAX_NOTES:
            break
        marks = [
            each.number
            for each in nodes.walk(block)
            if isinstance(each, nodes.FootnoteReference) and each.occurrence == 1
        ]
        needed = taken + _TEXT_BESIDE * sum(lengths.get(mark, 0) + _LINE / 2 for mark in marks)
        # What is below the title stands beside the first blocks.
        is_free = at > 1 and blocked <= 0 and all(lengths.get(mark, inf) <= MAX_CHARACTERS for mark in marks)
        if marks and is_free and _is_narrow(block) and _has_room(blocks, at + 1, needed):
            beside += marks
            taken = needed
        taken, blocked = (max(0.0, height - _length(block)) for height in (taken, blocked))
        if isinstance(block, nodes.Callout):
            # It stands in the margin, too.
            blocked = _TEXT_BESIDE * (_length(block) + _LINE)
    return beside[:MAX_NOTES]


def _has_room(blocks: Sequence[nodes.Token], start: int, needed: float) -> bool:
    """Return whether the text from a block on is as high as is needed."""
    while needed > 0 and start < len(blocks) and _is_narrow(blocks[start]):
        needed -= _length(blocks[start])
        start += 1
    return needed <= 0


def _is_narrow(block: nodes.Token) -> bool:
    return isinstance(block, _NARROW) and not any(isinstance(each, nodes.Image) for each in nodes.walk(block))


def _length(block: nodes.Token) -> int:
    if isinstance(block, nodes.CodeFence):
        return _LINE * block.content.count("\n")
    return max(_LINE, len(nodes.text_content(block)))


def side_notes_css(notes: Sequence[int], scope: str) -> str:
    """Return the rules that place notes, for a page whose stylesheet has `--margin`."""
    rules = [f"[id='{footnote_reference_id(note, 1)}'] {{ anchor-name: --r{note}; }}" for note in notes]
    for above, note in zip((None, *notes), notes, strict=False):
        top = f"anchor(--r{note} top)"
        top = top if above is None else f"max({top}, anchor(--n{above} bottom) + 0.6em)"
        rules.append(f"[id='{footnote_id(note)}'] {{ anchor-name: --n{note}; top: {top}; }}")
    return _PLACES.format(scope=scope, rules="\n".join(f".{scope} {rule}" for rule in rules))
