"""Layout of scales, legend and titles around the chart area.

Scales are fitted repeatedly, since their sizes depend on each other.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.shapes.elements import LayoutItem, Sides

_SIDES = ("left", "top", "right", "bottom")


@dataclass(slots=True)
class _Stack:
    count: int = 0
    weight: float = 0.0
    size: float = 0.0
    offset: float = 0.0
    start: float | None = None


@dataclass(slots=True)
class _Slot:
    item: LayoutItem
    placement: str
    key: str
    width: float | None = None
    height: float | None = None
    size: float = 0.0


@dataclass(slots=True)
class _Room:
    left: float
    top: float
    right: float
    bottom: float
    width: float
    height: float
    x: float
    y: float
    overhang: dict[str, float] = field(default_factory=dict)

    def side(self, name: str) -> float:
        return float(getattr(self, name))

    def add(self, name: str, size: float) -> None:
        setattr(self, name, self.side(name) + size)

    def taken(self, name: str) -> float:
        return max(self.side(name), self.overhang[name])

    def margins(self, names: Iterable[str]) -> Sides:
        return Sides(**{name: self.taken(name) for name in names})


class Layout:
    """One layout of a chart; lengths in px."""

    def __init__(
        self, items: Sequence[LayoutItem], width: float, height: float, padding: Sides, min_padding: float
    ) -> None:
        self._width, self._height, self._padding = width, height, padding
        self._inner_width = max(width - padding.width, 0.0)
        self._inner_height = max(height - padding.height, 0.0)
        self._slots = [
            _Slot(item, item.placement, f"{item.placement}{item.stack}" if item.stack else "") for item in items
        ]
        self._stacks: dict[str, _Stack] = {}
        self._room = _Room(
            padding.left,
            padding.top,
            padding.right,
            padding.bottom,
            self._inner_width,
            self._inner_height,
            padding.left,
            padding.top,
            {side: max(float(getattr(padding, side)), min_padding) for side in _SIDES},
        )

    def run(self) -> Box:
        """Place the items, and return the remaining chart area."""
        for slot in self._slots:
            slot.item.begin_layout()
        left, right = self._slots_at("left", backwards=True), self._slots_at("right")
        top, bottom = self._slots_at("top", backwards=True), self._slots_at("bottom")
        across, down = self._slots_at("x"), self._slots_at("y")
        vertical, horizontal = [*left, *right, *down], [*top, *bottom, *across]
        self._allocate(vertical, horizontal)
        full = _by_weight([slot for slot in self._slots if slot.item.is_full_size], backwards=True)
        self._fit(full)
        self._fit(vertical)
        if self._fit(horizontal):
            self._fit(vertical)
        self._take_overhang()
        room = self._room
        self._position([*left, *top])
        room.x += room.width
        room.y += room.height
        self._position([*right, *down, *bottom, *across])
        area = Box.at(room.left, room.top, room.width, room.height)
        for slot in self._slots:
            if slot.placement == "chartArea":
                slot.item.box = area
                slot.item.update(room.width, room.height, Sides())
        return area

    def _slots_at(self, placement: str, *, backwards: bool = False) -> list[_Slot]:
        return _by_weight([slot for slot in self._slots if slot.placement == placement], backwards=backwards)

    def _allocate(self, vertical: Sequence[_Slot], horizontal: Sequence[_Slot]) -> None:
        counted = sum(slot.item.shares_space for slot in vertical) or 1
        max_width, max_height = self._inner_width / 2 / counted, self._inner_height / 2
        slots = [*vertical, *horizontal]
        for slot in slots:
            if slot.key and slot.placement in _SIDES:
                stack = self._stacks.setdefault(slot.key, _Stack())
                stack.count += 1
                stack.weight += slot.item.stack_weight
        for slot in slots:
            item = slot.item
            stack = self._stacks.get(slot.key) or _Stack()
            share = item.stack_weight / stack.weight if stack.weight else 0.0
            is_full = item.is_full_size
            if item.is_horizontal:
                slot.width = share * max_width if share else (self._inner_width if is_full else None)
                slot.height = max_height
            else:
                slot.width = max_width
                slot.height = share * max_height if share else (self._inner_height if is_full else None)

    def _fit(self, slots: Sequence[_Slot]) -> bool:
        """Fit items, repeating earlier ones if the space changed; return whether others' changed."""
        refitted: list[_Slot] = []
        must_refit = has_changed = False
        for slot in slots:
            item, room = slot.item, self._room
            sides = ("left", "right") if item.is_horizontal else ("top", "bottom")
            item.update(slot.width or room.width, slot.height or room.height, room.margins(sides))
            same, other = self._take_space(slot)
            must_refit = must_refit or (same and bool(refitted))
            has_changed = has_changed or other
            if not item.is_full_size:
                refitted.append(slot)
        return (must_refit and self._fit(refitted)) or has_changed

    def _take_space(self, slot: _Slot) -> tuple[bool, bool]:
        """Return whether the space changed along the item and across."""
        item, room = slot.item, self._room
        if slot.placement in _SIDES:
            room.add(slot.placement, -slot.size)
            stack = self._stacks.get(slot.key) or _Stack(count=1)
            stack.size = max(stack.size, item.height if item.is_horizontal else item.width)
            slot.size = stack.size / stack.count
            room.add(slot.placement, slot.size)
        if item.overhang is not None:
            for side in _SIDES:
                room.overhang[side] = max(room.overhang[side], float(getattr(item.overhang, side)))
        # Same order of operations as Chart.js, for equal rounding.
        width = max(0.0, self._width - (room.taken("left") + room.taken("right")))
        height = max(0.0, self._height - (room.taken("top") + room.taken("bottom")))
        is_wider, is_higher = width != room.width, height != room.height
        room.width, room.height = width, height
        return (is_wider, is_higher) if item.is_horizontal else (is_higher, is_wider)

    def _take_overhang(self) -> None:
        room = self._room
        for side in _SIDES:
            more = max(room.overhang[side] - room.side(side), 0.0)
            room.add(side, more)
            if side == "top":
                room.y += more
            elif side == "left":
                room.x += more

    def _position(self, slots: Sequence[_Slot]) -> None:
        room, padding = self._room, self._padding
        for slot in slots:
            item = slot.item
            stack = self._stacks.get(slot.key) or _Stack(weight=1.0)
            weight = (item.stack_weight / stack.weight if stack.weight else 1.0) or 1.0
            if item.is_horizontal:
                start, length, thickness = room.left + stack.offset, room.width * weight, stack.size or item.height
                edges, at = (padding.left, self._width - padding.right), room.y
            else:
                start, length, thickness = room.top + stack.offset, room.height * weight, stack.size or item.width
                edges, at = (padding.top, self._height - padding.bottom), room.x
            at = at if stack.start is None else stack.start
            stack.start, stack.offset = at, stack.offset + length
            start, end = edges if item.is_full_size else (start, start + length)
            if item.is_horizontal:
                box = Box(start, at, end, at + thickness)
                room.y = box.bottom
            else:
                box = Box(at, start, at + thickness, end)
                room.x = box.right
            item.box, item.width, item.height = box, box.width, box.height


def _by_weight(slots: Sequence[_Slot], *, backwards: bool = False) -> list[_Slot]:
    """Sort by weight; `backwards` reverses equal weights, too."""
    sign = -1 if backwards else 1
    indexes = sorted(range(len(slots)), key=lambda number: (sign * slots[number].item.weight, sign * number))
    return [slots[number] for number in indexes]
