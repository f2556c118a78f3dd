"""Tables of pandoc's tree: of data, or a single cell for a background or border."""

import re
from collections.abc import Callable, Iterator, Sequence

from tests.interop.pandoc_lines import Json, element, inlines, lines_of, pieces_of, plain_text, without_weight
from tests.interop.pandoc_styles import CODE, STRONG, declared_in, has_background, has_border, is_fixed, marks_of_style

COLORED = "colored"
"""Marks highlighted code, also in a cell's attributes."""

LINE_BLOCKS = frozenset({"Para", "Plain"})

_SIDES = frozenset({"left", "center", "right"})
_COLOR = re.compile(r"(?<!-)color: ?(#[0-9a-f]{3,6})")


def division(classes: Sequence[str], blocks: Sequence[Json]) -> Json:
    return element("Div", [["", list(classes), []], list(blocks)])


def cell(blocks: Sequence[Json], alignment: str = "AlignDefault", rows: int = 1, columns: int = 1) -> Json:
    return [["", [], []], element(alignment), rows, columns, list(blocks)]


def table(head: Sequence[Sequence[Json]], body: Sequence[Sequence[Json]], caption: Sequence[Json] = ()) -> Json:
    rows = [[[["", [], []], list(row)] for row in part] for part in (head, body)]
    widths = [sum(each[3] for each in row) for row in (*head, *body)]
    columns = [
        [element(_alignment_of(number, body or head)), element("ColWidthDefault")] for number in range(max(widths))
    ]
    no_attributes = ["", [], []]
    bodies = [[no_attributes, 0, [], rows[1]]]
    return element(
        "Table",
        [no_attributes, [None, list(caption)], columns, [no_attributes, rows[0]], bodies, [no_attributes, []]],
    )


def _alignment_of(column: int, rows: Sequence[Sequence[Json]]) -> str:
    alignments = {row[column][1]["t"] for row in rows if len(row) > column}
    alignment: str = alignments.pop() if len(alignments) == 1 else "AlignDefault"
    return alignment


class Cell:
    def __init__(self, cell_json: Json, blocks: Sequence[Json]) -> None:
        (_, self._classes, pairs), alignment, self._rows, self._columns, self._content = cell_json
        self._alignment: str = alignment["t"]
        attributes = dict(pairs)
        self._style = attributes.get("style", "")
        self._declared = {**attributes, **declared_in(self._style)}
        self.blocks = blocks

    @property
    def has_border(self) -> bool:
        return has_border(self._declared)

    @property
    def has_background(self) -> bool:
        return has_background(self._declared)

    def division(self, *, has_bar: bool) -> Json:
        """Return a table's single cell."""
        classes = {"shaded": self.has_background, "bordered": self.has_border or has_bar, "cell": True}
        code = self._code()
        colors = [COLORED] if COLORED in self._declared or len(set(_COLOR.findall(str(self._content)))) > 1 else []
        blocks = self.blocks if code is None else [element("CodeBlock", [["", colors, []], code])]
        return division([name for name, holds in classes.items() if holds], blocks)

    def to_pandoc(self, *, is_head: bool = False) -> Json:
        """Return a cell of a data table."""
        marks = marks_of_style(self._style) & {STRONG}
        blocks = list(self.blocks)
        if marks:
            blocks = [_with_lines(block, lambda lines: inlines(pieces_of(lines, marks))) for block in blocks]
        if is_head:
            blocks = [_with_lines(block, without_weight) for block in blocks]
        return cell(blocks, self._aligned(), self._rows, self._columns)

    def _aligned(self) -> str:
        styles = [self._declared, *(declared_in(style) for block in self._content for style in _styles(block))]
        alignments = [name for name in self._classes if name in _SIDES]
        alignments += [declared["text-align"] for declared in styles if declared.get("text-align") in _SIDES]
        return f"Align{alignments[0].capitalize()}" if alignments else self._alignment

    def _code(self) -> str | None:
        """Return code if all lines are monospaced."""
        fixed = is_fixed(self._declared.get("font-family", self._declared.get("font", "")))
        if any(block["t"] not in LINE_BLOCKS for block in self._content):
            return None
        lines = [line for block in self._content for line in lines_of(pieces_of(block["c"]))]
        pieces = [piece for line in lines for piece in line]
        text_pieces = [piece for piece in pieces if isinstance(piece.content, str) and not piece.is_space]
        if not text_pieces or not all(fixed or CODE in piece.marks for piece in text_pieces):
            return None
        return "\n".join(plain_text(line) for line in lines)


def _with_lines(block: Json, change: Callable[[Json], Json]) -> Json:
    return element(block["t"], change(block["c"])) if block["t"] in LINE_BLOCKS else block


def _styles(block: Json) -> Iterator[str]:
    for inline in block["c"] if block["t"] in LINE_BLOCKS else ():
        if inline["t"] == "Span":
            yield dict(inline["c"][0][2]).get("style", "")
