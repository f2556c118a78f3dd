"""Open blocks and the current paragraph. Elements end as in browsers, paragraph-like ones with their source block."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mdpublish_core.nodes.open_nodes import Paragraph, Token
from mdpublish_core.readers.markdown.raw_html.blocks import block_tokens
from mdpublish_core.readers.markdown.raw_html.inlines import InlineBuilder
from mdpublish_core.resources.allowed_elements import CELL_TAGS, GRID_TAGS, HEADING_TAGS, LIST_TAGS, ROW_PARENTS

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

_TAG_LEVELS: Mapping[str, int] = {
    "": 0,
    **dict.fromkeys(_TABLE_TAGS | {"li"}, 0),
    **dict.fromkeys(LIST_TAGS | HEADING_TAGS, 2),
    "table": 5,
}
"""Tree levels per element, 1 by default: a table includes its parts, alignment adds a `div`."""

_PARAGRAPH_TAGS = HEADING_TAGS | {"p", "summary", "caption", "figcaption", "dt"}


@dataclass(slots=True, eq=False)
class OpenBlock:
    """An open element; an empty tag is the boundary of a Markdown block.

    `floor` is the inlines' previous `floor`, if this is a boundary for inlines.
    """

    tag: str = ""
    attributes: Mapping[str, str] = field(default_factory=dict)
    has_end_tag: bool = True
    line: int | None = None
    floor: int | None = None
    children: list[Token] = field(default_factory=list)


class BlockStack:
    """The open blocks, outermost first, and the inlines of the current paragraph."""

    def __init__(self, levels: int) -> None:
        self.inlines = InlineBuilder()
        self.line: int | None = None
        self.paragraph_line: int | None = None
        self._levels_left = levels
        self._blocks = [OpenBlock()]

    @property
    def top(self) -> OpenBlock:
        return self._blocks[-1]

    @property
    def is_idle(self) -> bool:
        inlines = self.inlines
        return not (self._blocks[-1].tag or inlines.started or inlines.open or inlines.anchors)

    @property
    def in_heading(self) -> bool:
        return self.top.tag in HEADING_TAGS

    @property
    def in_code(self) -> bool:
        return self.top.tag == "pre"

    def has_room(self, tag: str) -> bool:
        return self.inlines.depth + _TAG_LEVELS.get(tag, 1) <= self._levels_left

    def open(self, tag: str, attributes: Mapping[str, str], *, has_end_tag: bool) -> None:
        floor = self.inlines.floor if tag in _CELL_BOUNDARIES else None
        self._push(OpenBlock(tag, attributes, has_end_tag=has_end_tag, line=self.line, floor=floor))

    def open_boundary(self) -> None:
        self._push(OpenBlock(floor=self.inlines.floor))

    def close_boundary(self) -> Sequence[Token]:
        while self.top.tag:
            self.pop()
        return self._leave()

    def pop(self) -> None:
        block = self.top
        children = self._leave()
        self._levels_left += _TAG_LEVELS.get(block.tag, 1)
        self.top.children += block_tokens(block.tag, block.attributes, children, block.line)

    def close(self, tag: str) -> None:
        self.flush()
        if tag == "table":
            boundaries = _NO_BOUNDARIES
        elif tag in _TABLE_TAGS:
            boundaries = frozenset({"table"})
        else:
            boundaries = _CELL_BOUNDARIES | LIST_TAGS if tag == "li" else _CELL_BOUNDARIES
        if (index := self._nearest(frozenset({tag}), boundaries)) is not None:
            self._pop_to(index)

    def prepare_parent(self, tag: str) -> bool:
        """Close and open elements as this one requires; return whether it is allowed."""
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
        if self.top.tag in GRID_TAGS:
            if self.top.tag != "tr":
                self.open("tr", {}, has_end_tag=True)
            self.open("td", {}, has_end_tag=True)

    def begin_block(self) -> None:
        self.end_source()
        if self.in_heading:
            self.pop()
        self.make_cell()

    def end_source(self) -> None:
        self.flush()
        while self.in_code or (self.top.tag in _PARAGRAPH_TAGS and not self.top.has_end_tag):
            self.pop()

    def flush(self) -> None:
        """End the current paragraph; a heading stays open."""
        if not self.in_heading and (children := self.inlines.finish()):
            self.top.children.append(Paragraph(children, line=self.paragraph_line))

    def add_anchors(self) -> None:
        if anchors := self.inlines.take_anchors():
            self.top.children.append(Paragraph(anchors, line=self.line))

    def finish(self) -> list[Token]:
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
        for index in range(len(self._blocks) - 1, 0, -1):
            tag = self._blocks[index].tag
            if tag in tags:
                return index
            if not tag or tag in boundaries:
                return None
        return None
