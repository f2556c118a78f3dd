"""Bar paths: the fill and the border.

A border is a filled ring, since sides differ in width. Bars are enlarged slightly to hide seams; the fill is
then intersected with the outer edge, or clipped if that would cut a rounded corner.
"""

import math
from dataclasses import dataclass
from typing import NamedTuple

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.charts.shapes.elements import BarElement, Sides
from mdpublish_core.figures.charts.shapes.paths import Corners, Path

_SQUARE = Corners()

# px. Lengths are written with two decimals.
_EPSILON = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class BarPaths:
    """`ring`, the border, is filled by the even-odd rule and painted first; `clip` applies to `fill`."""

    fill: str
    ring: str | None = None
    clip: str | None = None


class _RoundedBox(NamedTuple):
    box: Box
    corners: Corners = _SQUARE

    def draw(self, path: Path) -> Path:
        left, top = self.box.left, self.box.top
        if self.corners == _SQUARE:
            return path.rectangle(left, top, self.box.width, self.box.height)
        return path.rounded_rectangle(left, top, self.box.width, self.box.height, self.corners)


def bar_paths(element: BarElement) -> BarPaths | None:
    """Return None if a coordinate is not finite."""
    sizes = (element.x, element.y, element.base, element.width, element.height, element.inflation)
    if not all(map(math.isfinite, (*sizes, *element.style.border_widths, *element.style.corners))):
        return None
    box = box_of(element)
    borders = _clamp_borders(element.style.border_widths, box)
    outer = _RoundedBox(box, _clamp_corners(element.style.corners, box))
    inner = _RoundedBox(_inset(box, borders), _inner_corners(outer.corners, borders))
    by = element.inflation
    whole = Sides(by, by, by, by)
    if not any(borders):
        return BarPaths(fill=_RoundedBox(_inset(box, _negative(whole)), outer.corners).draw(Path()).data)
    seams = Sides(*(by if width else 0.0 for width in borders))
    outer = _RoundedBox(_inset(box, _negative(seams)), outer.corners)
    ring = outer.draw(Path())
    hole = _hole(_RoundedBox(_inset(inner.box, seams), inner.corners), outer.box)
    if hole:
        hole.draw(ring)
    filled = _RoundedBox(_inset(inner.box, _negative(whole)), inner.corners)
    cut = _cut(filled, outer.box)
    is_clipped = cut is None or not _contains(outer, cut)
    return BarPaths(
        fill=(filled if is_clipped or cut is None else cut).draw(Path()).data,
        ring=ring.data,
        clip=outer.draw(Path()).data if is_clipped else None,
    )


def box_of(element: BarElement) -> Box:
    if element.is_horizontal:
        half = element.height / 2
        return Box(min(element.x, element.base), element.y - half, max(element.x, element.base), element.y + half)
    half = element.width / 2
    return Box(element.x - half, min(element.y, element.base), element.x + half, max(element.y, element.base))


def _clamp_borders(borders: Sides, box: Box) -> Sides:
    across, down = box.width / 2, box.height / 2
    return Sides(
        *(max(0.0, min(maximum, width)) for width, maximum in zip(borders, (down, across, down, across), strict=True))
    )


def _clamp_corners(corners: Corners, box: Box) -> Corners:
    maximum = min(box.width, box.height) / 2
    return Corners(*(max(0.0, min(maximum, radius)) for radius in corners))


def _inner_corners(corners: Corners, borders: Sides) -> Corners:
    """Reduce each radius by the wider of its two sides."""
    top, right, bottom, left = borders
    widths = (max(top, left), max(top, right), max(bottom, right), max(bottom, left))
    return Corners(*(max(0.0, radius - width) for radius, width in zip(corners, widths, strict=True)))


def _inset(box: Box, sides: Sides) -> Box:
    return Box(box.left + sides.left, box.top + sides.top, box.right - sides.right, box.bottom - sides.bottom)


def _negative(sides: Sides) -> Sides:
    return Sides(*(-size for size in sides))


def _hole(inner: _RoundedBox, outer: Box) -> _RoundedBox | None:
    """Return an inside-out hole without corners."""
    left, top, right, bottom = inner.box
    if left <= right and top <= bottom:
        return inner
    flipped = outer.intersection(Box(min(left, right), min(top, bottom), max(left, right), max(top, bottom)))
    return None if flipped.is_empty else _RoundedBox(flipped)


def _cut(inner: _RoundedBox, outer: Box) -> _RoundedBox | None:
    """Return None if that would cut a rounded corner."""
    cut = inner.box.intersection(outer)
    names = ((0, 3), (0, 1), (1, 2), (2, 3))
    for one, other, corners in zip(cut, inner.box, names, strict=True):
        if abs(one - other) > _EPSILON and any(inner.corners[corner] for corner in corners):
            return None
    return _RoundedBox(cut, inner.corners)


def _contains(outer: _RoundedBox, inner: _RoundedBox) -> bool:
    """Compare corners, given that the sides contain `inner`."""
    left, top = inner.box.left - outer.box.left, inner.box.top - outer.box.top
    right, bottom = outer.box.right - inner.box.right, outer.box.bottom - inner.box.bottom
    distances = ((left, top), (right, top), (right, bottom), (left, bottom))
    return all(
        math.hypot(max(0.0, large - small - across), max(0.0, large - small - down)) + small <= large + _EPSILON
        for (across, down), large, small in zip(distances, outer.corners, inner.corners, strict=True)
        if large
    )
