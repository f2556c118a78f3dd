"""Legends: https://www.chartjs.org/docs/latest/configuration/legend.html."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.fonts import Align, Font, Label, read_font
from mdpublish_core.figures.charts.options import Options
from mdpublish_core.figures.charts.series.base import LegendItem
from mdpublish_core.figures.charts.series.styles import shape_of
from mdpublish_core.figures.charts.shapes.elements import LayoutItem, Sides
from mdpublish_core.figures.charts.titles import align_between, opposite_align, side_for_align

_POSITIONS = ("top", "left", "right", "bottom", "chartArea")

_SIDES: tuple[Align, ...] = ("left", "center", "right")

# px, below rows and beside columns.
_MARGIN = 10.0


@dataclass(slots=True)
class LegendEntry:
    """Positions of an item, its box and its text."""

    item: LegendItem
    left: float
    top: float
    width: float
    height: float
    line: int  # row or column
    box_x: float = 0.0
    box_y: float = 0.0
    label_x: float = 0.0
    label_y: float = 0.0
    align: Align = "left"


class Legend(LayoutItem):
    """A legend in rows or columns."""

    weight = 1000.0

    def __init__(self, options: Options, font: Font, items: Callable[[bool], list[LegendItem]]) -> None:
        self.is_displayed = self.shares_space = options.flag("display")
        self.placement = options.choice("position", _POSITIONS, "top")
        self.is_horizontal = self.placement in {"top", "bottom"}
        self.align: str = options.choice("align", ("center", "start", "end"), "center")
        self.is_full_size = options.flag("fullSize")
        self.is_right_to_left = options.flag("rtl")
        self._max_width = options.optional_number("maxWidth")
        self._max_height = options.optional_number("maxHeight")
        if options.has("weight"):
            self.weight = options.number("weight")
        labels = options.nested("labels")
        self.font = read_font(labels, font)
        self.padding = labels.number("padding")
        self.color = labels.color("color")
        self.uses_points = labels.flag("usePointStyle")
        self.point_width = labels.optional_number("pointStyleWidth")
        self._text_align = labels.choice("textAlign", _SIDES, "left")
        self._read_box(labels)
        self._read_title(options.nested("title"), font)
        all_items = items(self.uses_points)
        self._items = self._styled_items(all_items, labels, is_backward=options.flag("reverse"))
        # As in Chart.js, an empty legend takes some space, but none if no dataset has a label.
        self._is_nameless = bool(all_items) and not self._items
        self.entries: list[LegendEntry] = []
        self._row_widths: list[float] = [0.0]
        self._columns: list[tuple[float, float]] = []

    def _read_box(self, labels: Options) -> None:
        size = self.font.size
        width, height = labels.number("boxWidth", size), labels.number("boxHeight", size)
        if self.uses_points:
            height = min(height, size)
            width = self.point_width or min(width, size)
        self.box_width, self.box_height = width, height
        self.item_height = max(size, height)

    def _read_title(self, options: Options, font: Font) -> None:
        self.has_title = options.flag("display")
        self.title_lines: Label = options.lines("text")
        self.title_align = options.choice("position", ("center", "start", "end"), "center")
        self.title_color = options.color("color")
        self.title_font = read_font(options, font)
        self._title_padding = options.sides("padding")

    def _styled_items(self, items: Sequence[LegendItem], labels: Options, *, is_backward: bool) -> list[LegendItem]:
        shape = labels.value("pointStyle")
        has_corners, corner = labels.flag("useBorderRadius"), labels.number("borderRadius")
        styled = [
            replace(
                item,
                shape=item.shape if shape is None else shape_of(shape),
                corner=(corner or item.corner) if has_corners else 0.0,
            )
            for item in items
            if any(item.label_lines)
        ]
        return styled[::-1] if is_backward else styled

    @property
    def _title_height(self) -> float:
        return self.title_font.line_height + self._title_padding.height if self.has_title else 0.0

    def move_below(self, max_width: float, max_height: float) -> None:
        """Move a legend beside the chart below it if it would have no room for whole names, which Chart.js cuts.

        One whose width the author limits stays.
        """
        if self.is_horizontal or not (self.is_displayed and self._items) or self.placement == "chartArea":
            return
        if not self._max_width and self._in_columns(max_height) + _MARGIN > max_width:
            self.placement, self.is_horizontal = "bottom", True

    def update(self, max_width: float, max_height: float, margins: Sides) -> None:
        left, top, right, bottom = self.box
        if self.is_horizontal:
            self.width, left, right = max_width, margins.left, max_width
        else:
            self.height, top, bottom = max_height, margins.top, max_height
        self.box = Box(left, top, right, bottom)
        if not self.is_displayed or (self._is_nameless and not self.has_title):
            self.width = self.height = 0.0
            self.entries = []
            return
        if self.is_horizontal:
            width, height = max_width, self._in_rows(max_width) + _MARGIN
        else:
            width, height = self._in_columns(max_height) + _MARGIN, max_height
        self.width = min(width, self._max_width or max_width)
        self.height = min(height, self._max_height or max_height)

    def _in_rows(self, max_width: float) -> float:
        """Return the height of the rows."""
        padding, widths = self.padding, [0.0]
        entries: list[LegendEntry] = []
        height, row, top = self._title_height, -1, -(self.item_height + padding)
        for number, item in enumerate(self._items):
            width = self.box_width + self.font.size / 2 + self.font.width(",".join(item.label_lines))
            if not number or widths[-1] + width + 2 * padding > max_width:
                height += self.item_height + padding
                if number:
                    widths.append(0.0)
                top += self.item_height + padding
                row += 1
            entries.append(LegendEntry(item, 0.0, top, width, self.item_height, row))
            widths[-1] += width + padding
        self.entries, self._row_widths = entries, widths
        return height

    def _in_columns(self, max_height: float) -> float:
        """Return the width of the columns."""
        padding = self.padding
        limit = max_height - self._title_height
        entries: list[LegendEntry] = []
        columns: list[tuple[float, float]] = []
        total, wide, high, left = padding, 0.0, 0.0, 0.0
        for number, item in enumerate(self._items):
            longest = max(reversed(item.label_lines), key=len)
            width = self.box_width + self.font.size / 2 + self.font.width(longest)
            height = self.item_height if len(item.label_lines) == 1 else self.font.line_height * len(item.label_lines)
            if number and high + height + 2 * padding > limit:
                total += wide + padding
                columns.append((wide, high))
                left += wide + padding
                wide = high = 0.0
            entries.append(LegendEntry(item, left, high, width, height, len(columns)))
            wide = max(wide, width)
            high += height + padding
        columns.append((wide, high))
        self.entries, self._columns = entries, columns
        return total + wide

    def position_items(self) -> None:
        """Run after the legend has its box."""
        box, padding, first = self.box, self.padding, self.box.top + self._title_height + self.padding
        line, at = -1, 0.0
        for entry in self.entries:
            is_next, line = entry.line != line, entry.line
            if self.is_horizontal:
                if is_next:
                    at = align_between(self.align, box.left + padding, box.right - self._row_widths[line])
                entry.top += first
                self._position_item(entry, at, at + entry.width)
                at += entry.width + padding
            else:
                if is_next:
                    at = align_between(self.align, first, box.bottom - self._columns[line][1])
                entry.top = at
                self._position_item(entry, entry.left + box.left + padding, box.right)
                at += entry.height + padding

    def _mirrored(self, x: float) -> float:
        """Mirror in right-to-left legends."""
        return 2 * self.box.left + self.width - x if self.is_right_to_left else x

    def _position_item(self, entry: LegendEntry, left: float, right: float) -> None:
        is_mirrored = self.is_right_to_left
        x = self._mirrored(left)
        entry.left = x - entry.width if is_mirrored else x
        entry.box_x = x - self.box_width if is_mirrored else x
        entry.box_y = entry.top
        align = opposite_align(self._text_align) if is_mirrored else self._text_align
        start = left + self.box_width + self.font.size / 2
        # In right-to-left legends, text aligned left is at the end.
        at_end = align == ("left" if is_mirrored else "right")
        at = right if at_end else ((start + right) / 2 if align == "center" else start)
        entry.label_x = self._mirrored(at)
        entry.label_y = entry.top + self.item_height / 2
        entry.align = align

    def title_position(self) -> tuple[float, float, Align]:
        left, width = self.box.left, self.width
        down = self._title_padding.top + self.title_font.size / 2
        if self.is_horizontal:
            width = max(self._row_widths)
            y = self.box.top + down
            left = align_between(self.align, left, self.box.right - width)
        else:
            highest = max((height for _, height in self._columns), default=0.0)
            end = self.box.bottom - highest - self.padding - self._title_height
            y = down + align_between(self.align, self.box.top, end)
        align = side_for_align(self.title_align)
        align = opposite_align(align) if self.is_right_to_left else align
        return align_between(self.title_align, left, left + width), y, align
