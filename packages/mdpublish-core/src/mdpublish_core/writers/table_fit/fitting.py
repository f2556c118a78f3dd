"""Chooses the type size of a table and the widths of its columns."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from math import inf
from operator import attrgetter
from typing import NamedTuple

from mdpublish_core.notices import Notice
from mdpublish_core.table_model import Grid
from mdpublish_core.templates.table_sizes import MAX_SIZE_OF_SMALL_CODE, SIZES, TableSize
from mdpublish_core.writers.table_fit.cell_faces import TableFaces
from mdpublish_core.writers.table_fit.measurement import ColumnNeeds, Widths, measure_columns
from mdpublish_core.writers.table_fit.stacking import stack_rows, stacked_notice

# Of the estimated widths; kerning and rounding differ between programs.
_MARGIN = 1.02
_COLUMN_MARGIN = 1.0

# In text sizes: a column of sentences has room for two short words, if the type is not much smaller.
_MIN_TEXT_WIDTH = 5.5
_MIN_COMFORTABLE_SIZE = 0.76

# In text sizes, on a phone; a column of fewer words needs room for half of them.
_MIN_PHONE_WIDTH = 6.0

# In text sizes: room that a column with one line has to spare, if there is any.
_SLACK = 0.7

# In text sizes, the first that leaves each longer column as much: what has a line of at most this keeps it.
_SHORT_LINES = (14.0, 11.0, 9.0, 7.0)

# On paper, tables with as many columns are in landscape where a cell would have more lines upright, or divided words.
_MIN_LANDSCAPE_COLUMNS, _MAX_UPRIGHT_LINES = 9, 3

# Fewer columns are not stacked: pairs would be as wide.
_MIN_STACKED_COLUMNS = 3

# As many full lines of text are three in a narrow column, where lines are ragged.
_PHONE_LINES = 2.5

# Longer tables are not stacked: their pairs could exceed the limit of the output.
_MAX_STACKED_CELLS = 2_000

# More have no room for a word each, wherever; to find out would take time.
_MAX_COLUMNS = 60

# Enough for a thousandth of the width.
_ROUNDS = 20


@dataclass(frozen=True, slots=True)
class Room:
    """Where a table is to fit: lengths in px.

    `cell_padding` is the padding of both sides of a cell where the destination has its own, `round_size` its type size.
    """

    width: float
    min_type_size: float
    cell_padding: Callable[[TableSize], float] | None = None
    round_size: Callable[[float], float] = float


@dataclass(frozen=True, slots=True)
class TableFit:
    """A table's type size (an index of `SIZES`) and its columns' widths in px.

    `edges`: width of the outer borders beside the columns. `min_width`: in which no word of up to `MAX_WORD` letters is
    split. `long_columns`: those with longer words, `split_columns`: those where they do not fit. `has_one_line_cells`:
    each cell is in one line. `max_lines`: roughly as many as the longest cell has.
    """

    size: int
    widths: tuple[float, ...]
    edges: float
    min_width: float
    long_columns: frozenset[int]
    split_columns: frozenset[int]
    has_one_line_cells: bool = False
    max_lines: float = 1.0
    is_stacked: bool = False

    @property
    def needs_landscape(self) -> bool:
        """Whether paper is better turned, if this is the fit on upright paper: the rule of Word files and PDFs."""
        is_cramped = self.max_lines > _MAX_UPRIGHT_LINES or bool(self.split_columns)
        return self.is_stacked or (len(self.widths) >= _MIN_LANDSCAPE_COLUMNS and is_cramped)


UNFITTED = TableFit(0, (), 0.0, 0.0, frozenset(), frozenset(), has_one_line_cells=True)
"""A table as the template has it."""


def whole_pixels(widths: Iterable[float]) -> Iterator[int]:
    """Round the columns' edges, so that their widths add up."""
    left = right = 0.0
    for width in widths:
        left, right = right, right + width
        yield round(right) - round(left)


def fit_table(grid: Grid, columns: int, faces: TableFaces, room: Room) -> TableFit:
    """Return the largest size at which no word of up to `MAX_WORD` letters is split; `is_stacked` if there is none."""
    return fit_measured(MeasuredTable(grid, columns, faces), room)


def fit_measured(table: "MeasuredTable", room: Room) -> TableFit:
    """Do what `fit_table` does, for a table that is tried in several rooms."""
    grid, columns, faces = table.grid, table.columns, table.faces
    if not columns:
        return UNFITTED
    room = replace(room, width=room.width - faces.edges)
    for min_width in (_comfortable, _whole_words, _words) if columns <= _MAX_COLUMNS else ():
        # Most tables fit at the first size, so the others are not looked at before.
        for number, size in enumerate(SIZES):
            if min_width is _comfortable and size.type < _MIN_COMFORTABLE_SIZE:
                break
            if _is_readable(table, size, room):
                fit = _fit(table.needs_at(size), number, room, faces.edges, min_width)
                if fit is not None:
                    return fit
    sizes = [number for number, size in enumerate(SIZES) if _is_readable(table, size, room)]
    # A header alone has no rows to show; pairs take twice as many cells.
    cells = sum(len(row.cells) for row in grid.rows)
    is_stacked = columns >= _MIN_STACKED_COLUMNS and len(grid.rows) > 1 and cells <= _MAX_STACKED_CELLS
    smallest = sizes[-1] if columns >= _MIN_STACKED_COLUMNS else sizes[0]
    return _squeezed(table.needs_at(SIZES[smallest]), smallest, room, faces.edges, is_stacked=is_stacked)


def fits_phone(table: "MeasuredTable", size: TableSize, room: Room) -> bool:
    """Return whether no column becomes too narrow to read at a size, where lines may break inside of names, too."""
    needs = table.needs_at(size)
    comfortable = _MIN_PHONE_WIDTH * needs.em
    columns = _columns(needs, size, room)
    # Two columns are as wide as they can be, and no list of pairs.
    lines = _PHONE_LINES if table.columns > 2 else inf
    widths = columns.widths(lambda content: max(content.part, min(content.line / 2, comfortable), content.line / lines))
    return sum(widths) <= room.width - table.faces.edges


class MeasuredTable:
    """Measures a table when first needed, and once more where small tables have larger code."""

    def __init__(self, grid: Grid, columns: int, faces: TableFaces) -> None:
        self.grid = grid
        self.columns = columns
        self.faces = faces

    def needs_at(self, size: TableSize) -> ColumnNeeds:
        return self._measured if size.type >= MAX_SIZE_OF_SMALL_CODE else self._with_large_code

    @cached_property
    def _measured(self) -> ColumnNeeds:
        return measure_columns(self.grid, self.columns, self.faces)

    @cached_property
    def _with_large_code(self) -> ColumnNeeds:
        faces = self.faces.with_large_code
        return (
            measure_columns(self.grid, self.columns, faces, with_other_code=self.faces)
            if faces and self._measured.has_small_code
            else self._measured
        )


def fit_or_stack(
    grid: Grid, faces: TableFaces, room: Room, *, notices: list[Notice], line: int | None
) -> tuple[Grid, TableFit]:
    """Return a grid that fits, and its fit: `grid`, or its rows as labelled pairs, with a notice."""
    fit = fit_table(grid, grid.columns, faces, room)
    if not fit.is_stacked:
        return grid, fit
    notices.append(stacked_notice(grid.columns, line))
    return stack(grid, faces, room)


def stack(grid: Grid, faces: TableFaces, room: Room) -> tuple[Grid, TableFit]:
    """Return a grid's rows as labelled pairs, and their fit."""
    stacked = stack_rows(grid)
    return stacked, replace(fit_table(stacked, stacked.columns, faces, room), is_stacked=True)


def _is_readable(table: MeasuredTable, size: TableSize, room: Room) -> bool:
    """Return whether the destination may write the size; the template's own always."""
    return size.type == 1 or room.round_size(table.needs_at(size).smallest * size.type) >= room.min_type_size


def _comfortable(needs: ColumnNeeds, widths: Widths) -> float:
    return max(widths.whole_word, min(widths.line, _MIN_TEXT_WIDTH * needs.em))


def _whole_words(_: ColumnNeeds, widths: Widths) -> float:
    return widths.whole_word


def _words(_: ColumnNeeds, widths: Widths) -> float:
    return widths.word


def _fit(
    needs: ColumnNeeds, number: int, room: Room, edges: float, min_width: Callable[[ColumnNeeds, Widths], float]
) -> TableFit | None:
    columns = _columns(needs, SIZES[number], room)
    min_widths = columns.widths(lambda content: min_width(needs, content))
    if sum(min_widths) > room.width:
        return None
    lines = columns.widths(lambda content: max(content.line, min_width(needs, content)))
    for limit in (size * needs.em * columns.factor for size in _SHORT_LINES):
        with_lines = [max(minimum, min(line, limit)) for minimum, line in zip(min_widths, lines, strict=True)]
        if sum(with_lines) <= room.width:
            min_widths = with_lines
            break
    widths = _distribute(min_widths, lines, room.width, _SLACK * needs.em * columns.factor)
    longest_words = columns.widths(attrgetter("longest_word"))
    is_long = [content.longest_word > content.word + 0.01 for content in needs.contents]
    is_split = [word > width + 0.5 for word, width in zip(longest_words, widths, strict=True)]
    return TableFit(
        number,
        widths,
        edges,
        sum(columns.widths(attrgetter("word"))),
        frozenset(compress(range(len(widths)), is_long)),
        frozenset(compress(range(len(widths)), is_split)),
        has_one_line_cells=sum(lines) <= room.width,
        max_lines=max(
            content.line * columns.factor / max(1.0, width - padding)
            for content, width, padding in zip(needs.contents, widths, columns.paddings, strict=True)
        ),
    )


def _squeezed(needs: ColumnNeeds, number: int, room: Room, edges: float, *, is_stacked: bool) -> TableFit:
    words = _columns(needs, SIZES[number], room).widths(attrgetter("word"))
    scale = room.width / max(sum(words), 1.0)
    widths = tuple(word * scale for word in words)
    columns = frozenset(range(len(words)))
    return TableFit(number, widths, edges, sum(words), columns, columns, is_stacked=is_stacked)


class _Columns(NamedTuple):
    """Columns at a type size: the factor of text widths, and paddings with borders."""

    contents: Sequence[Widths]
    factor: float
    paddings: Sequence[float]

    def widths(self, measure: Callable[[Widths], float]) -> list[float]:
        pairs = zip(self.contents, self.paddings, strict=True)
        return [measure(content) * self.factor + padding for content, padding in pairs]


def _columns(needs: ColumnNeeds, size: TableSize, room: Room) -> _Columns:
    written = room.round_size(needs.em * size.type) / needs.em if needs.em else 1.0
    type_size = max(size.type, written)
    factor = type_size * _MARGIN
    if room.cell_padding is not None:
        paddings = [room.cell_padding(size)] * len(needs.padding)
    else:
        paddings = [padding * type_size * size.padding for padding in needs.padding]
    bordered = [padding + border + _COLUMN_MARGIN for padding, border in zip(paddings, needs.border, strict=True)]
    return _Columns(needs.contents, factor, bordered)


def _distribute(min_widths: Sequence[float], lines: Sequence[float], width: float, slack: float) -> tuple[float, ...]:
    """Give each column one line if all fit, else widths in proportion to their text, so that rows are not tall."""
    if (spare := width - sum(lines)) >= 0:
        # Some fonts are wider than the estimate.
        return tuple(line + min(slack, spare / len(lines)) for line in lines)
    low, high = 0.0, 1.0
    for _ in range(_ROUNDS):
        share = (low + high) / 2
        needed = sum(max(min_width, line * share) for min_width, line in zip(min_widths, lines, strict=True))
        low, high = (share, high) if needed <= width else (low, share)
    widths = [max(min_width, line * low) for min_width, line in zip(min_widths, lines, strict=True)]
    spare = max(0.0, width - sum(widths)) / len(widths)
    return tuple(each + spare for each in widths)
