"""Divides blocks into parts of a size that a place takes: between blocks, items and rows, never in code or a formula."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

from mdpublish_core.notices import Notice
from mdpublish_core.writers.places.blocks import Block, MarkedSpan, bold

_DIVIDED = frozenset({"bulletList", "orderedList", "taskList", "table", "blockquote", "panel", "expand"})

_MARK_SIZE = 100
"""Left for the number of a part, which has markup."""


class Limit(NamedTuple):
    """What a message may have: so many units, and how they are counted."""

    size: int
    unit: str
    measure: Callable[[Sequence[Block]], int]


def in_parts(blocks: Sequence[Block], limit: Limit, notices: list[Notice]) -> list[Sequence[Block]]:
    """Return blocks in as many parts as their size needs, each begun by its number: `(1/3)`."""
    measure, max_size = limit.measure, limit.size - _MARK_SIZE
    total = measure(blocks)
    if total <= limit.size:
        return [blocks]
    parts: list[list[Block]] = [[]]
    sizes = [0]
    for block in blocks:
        for piece in _pieces(block, max_size, measure):
            size = measure([piece])
            if parts[-1] and sizes[-1] + size > max_size:
                parts.append([])
                sizes.append(0)
            parts[-1].append(piece)
            sizes[-1] += size
    message = (
        f"the text has {total:,} {limit.unit}, of which a message can have {limit.size:,}: it is in {len(parts)} parts"
    )
    too_long = [number for number, size in enumerate(sizes, 1) if size > max_size]
    rest = f"; part {too_long[0]} has a block that is longer" if too_long else ""
    notices.append(Notice("message-too-long", f"{message}{rest}", None))
    return [[bold([MarkedSpan(f"({number}/{len(parts)})")]), *part] for number, part in enumerate(parts, 1)]


def _pieces(block: Block, limit: int, measure: Callable[[Sequence[Block]], int]) -> Iterator[Block]:
    """Yield a block, divided if it is too long: a list goes on counting, a table repeats its header."""
    is_spanned = any(cell.attributes.get("rowspan", 1) > 1 for row in block.blocks for cell in row.blocks)
    if block.kind not in _DIVIDED or is_spanned or measure([block]) <= limit:
        yield block
        return
    is_headed = block.kind == "table" and all(cell.attributes["is_header"] for cell in block.blocks[0].blocks)
    head = block.blocks[:1] if is_headed else ()
    base = size = measure([replace(block, blocks=head)])
    run: list[Block] = []
    start = block.attributes.get("start")
    for each in block.blocks[len(head) :]:
        added = measure([each])
        if run and size + added > limit:
            yield replace(block, blocks=[*head, *run], attributes={**block.attributes, "start": start})
            start = None if start is None else start + len(run)
            run, size = [], base
        run.append(each)
        size += added
    yield replace(block, blocks=[*head, *run], attributes={**block.attributes, "start": start})
