"""Footnotes and callouts beside the text, in layouts with a margin, where the text has room for them.

Footnotes stay where they are in the HTML, each at the height of its mark, below the one before. Browsers without anchor
positioning, small windows and paper show them at the end.
"""

from collections.abc import Sequence
from itertools import islice
from math import inf
from typing import NamedTuple

from mdpublish_core import nodes
from mdpublish_core.writers.structure.anchors import footnote_id, footnote_reference_id

MAX_CHARACTERS = 240
"""Characters of a note beside the text: half a dozen narrow lines."""

MAX_NOTES = 100
"""Notes in a page's margin: each has rules of its own."""

MAX_CALLOUT_CHARACTERS = 320
"""Characters of a callout beside the text: about a dozen narrow lines."""

_MAX_BESIDE = 2
"""Notes beside one screen of text."""

_SCREEN = 1800
"""Characters of text on a screen, 800 px high."""

_MAX_BLOCKS_BESIDE = 32
"""Of the text, which is as high as any note by then, unless it is callouts alone."""

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


class Margin(NamedTuple):
    """The notes in the margin: numbers of footnotes, in order, and the `id` of each callout."""

    footnotes: tuple[int, ...]
    callouts: frozenset[int]


def margin_of(document: nodes.Document) -> Margin:
    """Return the notes that the text has room for: up to the next wide block, and to what is in the margin already."""
    blocks = [block for block in document.children or () if not isinstance(block, nodes.FootnoteDefinition)]
    lengths = {
        note.number: len(nodes.text_content(note))
        for note in document.footnote_definitions
        if all(isinstance(block, nodes.Paragraph) for block in note.children)
    }
    beside, callouts, places = list[int](), set[int](), list[float]()
    # Of footnotes and callouts in the margin, what is below the current block; and the text before that.
    taken = blocked = passed = 0.0
    # What is below the title stands beside the first blocks.
    for at, block in enumerate(blocks):
        if isinstance(block, nodes.Callout):
            needed = blocked + _TEXT_BESIDE * (_length(block) + _LINE)
            is_free = not taken and _is_free(places, passed)
            if at > 1 and is_free and _is_short(block) and _has_room(blocks, at + 1, needed):
                callouts.add(id(block))
                places.append(passed)
                blocked = needed
                continue
        elif at > 1 and not blocked and _is_narrow(block) and (marks := _first_marks(block)):
            is_short = all(lengths.get(mark, inf) <= MAX_CHARACTERS for mark in marks)
            is_free = _is_free(places, passed, len(marks))
            needed = taken + _TEXT_BESIDE * sum(lengths.get(mark, 0) + _LINE / 2 for mark in marks)
            if is_free and is_short and len(beside) < MAX_NOTES and _has_room(blocks, at + 1, needed):
                beside += marks
                places += [passed] * len(marks)
                taken = needed
        taken, blocked = (max(0.0, height - _length(block)) for height in (taken, blocked))
        passed += _length(block)
    return Margin(tuple(beside[:MAX_NOTES]), frozenset(callouts))


def _is_free(places: Sequence[float], passed: float, notes: int = 1) -> bool:
    """Return whether a screen of text has room for notes more."""
    return sum(passed - place < _SCREEN for place in places[-_MAX_BESIDE:]) + notes <= _MAX_BESIDE


def _first_marks(block: nodes.Token) -> list[int]:
    """Return the numbers of the footnotes that are referred to for the first time."""
    return [
        each.number for each in nodes.walk(block) if isinstance(each, nodes.FootnoteReference) and each.occurrence == 1
    ]


def _is_short(callout: nodes.Callout) -> bool:
    is_text = all(isinstance(block, nodes.Paragraph) for block in callout.children)
    return is_text and sum(len(nodes.text_content(block)) for block in callout.children) <= MAX_CALLOUT_CHARACTERS


def _has_room(blocks: Sequence[nodes.Token], start: int, needed: float) -> bool:
    """Return whether the text from a block on is as high as is needed; callouts may be in the margin themselves."""
    for block in islice(blocks, start, start + _MAX_BLOCKS_BESIDE):
        if needed <= 0 or not isinstance(block, (*_NARROW, nodes.Callout)):
            break
        needed -= _length(block) if _is_narrow(block) else 0
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
        # A theme may have the lead in the margin.
        previous = "anchor(--lead bottom, 0px)" if above is None else f"anchor(--n{above} bottom)"
        top = f"max({top}, {previous} + 0.6em)"
        rules.append(f"[id='{footnote_id(note)}'] {{ anchor-name: --n{note}; top: {top}; }}")
    return _PLACES.format(scope=scope, rules="\n".join(f".{scope} {rule}" for rule in rules))
