"""The blocks that are open while raw HTML is lowered, and the paragraph at hand: where an element may stand, and ends.

Elements end as browsers end them, but for what their authors cannot have meant: one of a line or a paragraph that no tag
closes ends with the block of the source it stands in, while one that a tag closes may hold any block.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mdpublish_core.nodes import Paragraph, Token
from mdpublish_core.parsing.raw_html.blocks import block_tokens
from mdpublish_core.parsing.raw_html.elements import CELL_TAGS, GRID_TAGS, HEADING_TAGS, LIST_TAGS, ROW_PARENTS
from mdpublish_core.parsing.raw_html.inlines import InlineBuilder

_CELL_BOUNDARIES = CELL_TAGS | {"caption"}
_TABLE_TAGS = GRID_TAGS | CELL_TAGS | {"caption"}
_NO_BOUNDARIES: frozenset[str] = frozenset()

_PARENTS: Mapping[str, frozenset[str]] = {
    "li": LIST_TAGS,
    "dt": frozenset({"dl"}),
    "dd": frozenset({"dl"}),
    **dict.fromkeys(("caption", "thead", "tbody", "tfoot"), frozenset({"table"})),
    "tr": ROW_PARENTS,
    **dict.fromkeys(CELL_TAGS, GRID_TAGS),
}
"""Elements that stand only in others: these."""

_TAG_LEVELS: Mapping[str, int] = {
    "": 0,
    **dict.fromkeys(_TABLE_TAGS | {"li"}, 0),
    **dict.fromkeys(LIST_TAGS | HEADING_TAGS, 2),
    "table": 5,
}
"""Levels that an element may add to a tree, 1 if it is not named: a table takes those of its parts on itself, a list its
items', and what is aligned stands in a `div`."""

_PARAGRAPH_TAGS = HEADING_TAGS | {"p", "summary", "caption", "figcaption", "dt"}
"""Elements of a line or a paragraph."""


@dataclass(slots=True, eq=False)
class OpenBlock:
    """A block that is being built: an element, or with no tag a bound of Markdown's.

    `has_end_tag` says that a tag closes it, `floor` which inlines were out of reach before, where it is a bound for inlines.
    """

    tag: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    has_end_tag: bool = True
    line: int | None = None
    floor: int | None = None
    children: list[Token] = field(default_factory=list)


class BlockStack:
    """The open blocks, outermost first, and the inlines of the paragraph at hand; `levels` is how deep elements may nest."""

    def __init__(self, levels: int) -> None:
        self.inlines = InlineBuilder()
        self.line: int | None = None
        self.paragraph_line: int | None = None
        self._levels_left = levels
        self._blocks = [OpenBlock("")]

    @property
    def top(self) -> OpenBlock:
        """The innermost block."""
        return self._blocks[-1]

    @property
    def is_idle(self) -> bool:
        """Whether no element is open, and nothing waits for what comes."""
        inlines = self.inlines
        return not (self._blocks[-1].tag or inlines.started or inlines.open or inlines.anchors)

    @property
    def in_heading(self) -> bool:
        """Whether a heading is open, which goes on until it is closed, and holds inlines alone."""
        return self.top.tag in HEADING_TAGS

    @property
    def in_code(self) -> bool:
        """Whether all that comes is code."""
        return self.top.tag == "pre"

    def has_room(self, tag: str) -> bool:
        """Tell whether an element may stand here without the tree getting too deep."""
        return len(self.inlines.open) + _TAG_LEVELS.get(tag, 1) <= self._levels_left

    def open(self, tag: str, attributes: Mapping[str, str], *, has_end_tag: bool) -> None:
        """Begin an element."""
        floor = self.inlines.floor if tag in _CELL_BOUNDARIES else None
        self._push(OpenBlock(tag, attributes, has_end_tag, self.line, floor))

    def open_boundary(self) -> None:
        """Begin a block of Markdown's, whose bounds no element crosses."""
        self._push(OpenBlock("", floor=self.inlines.floor))

    def close_boundary(self) -> Sequence[Token]:
        """End the block of Markdown's with all that was opened in it, and return its children."""
        while self.top.tag:
            self.pop()
        return self._leave()

    def pop(self) -> None:
        """End the innermost element, and add what it became to the one around it."""
        block = self.top
        children = self._leave()
        self._levels_left += _TAG_LEVELS.get(block.tag, 1)
        self.top.children += block_tokens(block.tag, block.attributes, children, block.line)

    def close(self, tag: str) -> None:
        """End an element, if it is open and no bound stands between."""
        self.flush()
        if tag == "table":
            boundaries = _NO_BOUNDARIES
        elif tag in _TABLE_TAGS:
            boundaries = frozenset({"table"})
        else:
            boundaries = _CELL_BOUNDARIES | LIST_TAGS if tag == "li" else _CELL_BOUNDARIES
        index = self._nearest(frozenset({tag}), boundaries)
        if index is not None:
            self._pop_to(index)

    def prepare_parent(self, tag: str) -> bool:
        """End the elements that this one cannot stand in, and begin those it needs; tell whether it may stand there."""
        self.flush()
        if self.top.tag == "p" and (tag == "p" or not self.top.has_end_tag):
            self.pop()
        if tag == "summary":
            return self.top.tag == "details"
        if tag not in _PARENTS:
            self.make_cell()
            return True
        index = self._nearest(_PARENTS[tag], _NO_BOUNDARIES if tag in _TABLE_TAGS else _CELL_BOUNDARIES)
        if index is None:
            return False
        self._pop_to(index + 1)
        if tag in CELL_TAGS and self.top.tag != "tr":
            self.open("tr", {}, has_end_tag=True)
        return True

    def make_cell(self) -> None:
        """Begin a cell if what comes would otherwise stand in a table, but in none of its cells."""
        if self.top.tag in GRID_TAGS:
            if self.top.tag != "tr":
                self.open("tr", {}, has_end_tag=True)
            self.open("td", {}, has_end_tag=True)

    def begin_block(self) -> None:
        """Make ready for a block of Markdown's: end what cannot hold it."""
        self.end_source()
        if self.in_heading:
            self.pop()
        self.make_cell()

    def end_source(self) -> None:
        """End what does not outlast the block of the source it stands in."""
        self.flush()
        while self.in_code or (self.top.tag in _PARAGRAPH_TAGS and not self.top.has_end_tag):
            self.pop()

    def flush(self) -> None:
        """End the paragraph at hand; a heading has none, and goes on."""
        if not self.in_heading:
            children = self.inlines.finish()
            if children:
                self.top.children.append(Paragraph(children, line=self.paragraph_line))

    def add_anchors(self) -> None:
        """Give links' targets a paragraph of their own, where no text follows that they could stand in."""
        anchors = self.inlines.take_anchors()
        if anchors:
            self.top.children.append(Paragraph(anchors, line=self.line))

    def finish(self) -> list[Token]:
        """End all blocks, and return the outermost ones."""
        self._pop_to(1)
        self.flush()
        self.add_anchors()
        return self.top.children

    def _push(self, block: OpenBlock) -> None:
        if block.floor is not None:
            self.inlines.floor = len(self.inlines.open)
        self._levels_left -= _TAG_LEVELS.get(block.tag, 1)
        self._blocks.append(block)

    def _pop_to(self, size: int) -> None:
        while len(self._blocks) > size:
            self.pop()

    def _leave(self) -> Sequence[Token]:
        """End the innermost block, and return its children; the inlines that were opened behind a bound end with it."""
        if self.in_heading:
            self.top.children = list(self.inlines.finish())
        self.flush()
        if self.top.floor is not None or self.top.tag == "li":
            self.add_anchors()
        block = self._blocks.pop()
        if block.floor is not None:
            del self.inlines.open[self.inlines.floor :]
            self.inlines.floor = block.floor
        return block.children

    def _nearest(self, tags: frozenset[str], boundaries: frozenset[str]) -> int | None:
        """Return where the innermost open element of these tags stands, unless a bound stands further in."""
        for index in range(len(self._blocks) - 1, 0, -1):
            tag = self._blocks[index].tag
            if tag in tags:
                return index
            if not tag or tag in boundaries:
                return None
        return None
