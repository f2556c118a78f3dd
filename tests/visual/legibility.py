"""Illegible text in a figure's layout: overflowing, overlapping, clipped, or with low contrast."""

import math
import re
from collections.abc import Iterator, Sequence

from mdpublish_core.css.colors import MIN_GRAPHICS_CONTRAST, MIN_TEXT_CONTRAST, contrast
from tests.visual.chromium import Layout, Mark, Point, TextBox

SLACK = 1.0

# Share of a line box without glyphs, at top and bottom.
_EMPTY = 0.2

_CSS_COLOR = re.compile(r"rgba?\(([\d.]+), ([\d.]+), ([\d.]+)(?:, ([\d.]+))?\)")


def oversized_text(layout: Layout) -> list[TextBox]:
    return [text_box for text_box in layout.text_boxes if text_box.shape is not None and not text_box.fits]


def clipped_text(layout: Layout) -> list[TextBox]:
    left, top, width, height = layout.view

    def is_outside(point: Point) -> bool:
        x, y = point
        return not (left - SLACK <= x <= left + width + SLACK and top - SLACK <= y <= top + height + SLACK)

    return [text_box for text_box in layout.text_boxes if any(map(is_outside, _glyph_area(text_box.points)))]


def covered_text(layout: Layout) -> list[TextBox]:
    return [text_box for text_box in layout.text_boxes if text_box.cover is not None]


def overlapping_labels(labels: Sequence[tuple[str, Sequence[Point]]]) -> list[tuple[str, str]]:
    boxes = [(label, _glyph_area(points)) for label, points in labels]
    return [
        (one, other)
        for number, (one, area) in enumerate(boxes)
        for other, other_area in boxes[number + 1 :]
        if _meet(area, other_area)
    ]


def overlapping_text(layout: Layout) -> list[tuple[TextBox, TextBox]]:
    boxes = [_glyph_area(text_box.points) for text_box in layout.text_boxes]
    return [
        (layout.text_boxes[one], layout.text_boxes[other])
        for one in range(len(boxes))
        for other in range(one + 1, len(boxes))
        if _meet(boxes[one], boxes[other])
    ]


def low_contrast_text(layout: Layout, background: str) -> Iterator[tuple[TextBox, float]]:
    for text_box in layout.text_boxes:
        ground = background
        for fill, alpha in _visible(text_box.grounds):
            ground = _over(fill, alpha, ground)
        ratio = contrast(_over(text_box.fill, text_box.fill_alpha, ground), ground)
        if ratio < MIN_TEXT_CONTRAST - 0.005:
            yield text_box, ratio


def _visible(grounds: Sequence[tuple[str, float]]) -> Sequence[tuple[str, float]]:
    """Return the grounds from the last one that hides those below it; a pattern must be below."""
    for number in range(len(grounds) - 1, -1, -1):
        fill, alpha = grounds[number]
        if alpha == 1 and (match := _CSS_COLOR.fullmatch(fill)) and float(match[4] or 1) == 1:
            return grounds[number:]
    return grounds


def low_contrast_marks(layout: Layout, background: str) -> Iterator[tuple[Mark, float]]:
    """Yield lines and shapes with low contrast.

    A shape's outline or fill suffices, even as separate elements. Shapes in the background color hide others.
    """
    seen: dict[tuple[int, ...], tuple[Mark, float]] = {}
    for number, mark in enumerate(layout.marks):
        best = max((_ratio(mark, ground) for ground in _grounds(layout, number, background)), default=1.0)
        position = tuple(round(each) for point in mark.points for each in point)
        if best > seen.get(position, (mark, 1.0))[1]:
            seen[position] = mark, best
    for mark, ratio in seen.values():
        if ratio < MIN_GRAPHICS_CONTRAST - 0.005 and not _is_backdrop(mark, layout):
            yield mark, ratio


def _ratio(mark: Mark, ground: str) -> float:
    ratios = [1.0]
    if mark.stroke != "none" and mark.stroke_width > 0:
        ratios.append(contrast(_over(mark.stroke, mark.stroke_alpha, ground), ground))
    if mark.is_area:
        ratios.append(contrast(_over(mark.fill, mark.fill_alpha, ground), ground))
    return max(ratios)


def _grounds(layout: Layout, number: int, background: str) -> Iterator[str]:
    """Yield the background, and the shape that contains the mark."""
    yield background
    mine = _box(layout.marks[number])
    for mark in reversed(layout.marks[:number]):
        left, top, right, bottom = _box(mark)
        holds = left <= mine[0] and top <= mine[1] and right >= mine[2] and bottom >= mine[3]
        if holds and mark.is_area and mark.fill != "none" and mark.fill_alpha == 1:
            yield _over(mark.fill, 1, background)
            return


def _is_backdrop(mark: Mark, layout: Layout) -> bool:
    """Return whether a large shape without an outline only groups others."""
    left, top, right, bottom = _box(mark)
    _, _, width, height = layout.view
    has_line = mark.stroke != "none" and mark.stroke_width > 0 and mark.stroke_alpha > 0
    return mark.is_area and not has_line and (right - left > width / 3 or bottom - top > height / 3)


def _box(mark: Mark) -> tuple[float, float, float, float]:
    columns, rows = [x for x, _ in mark.points], [y for _, y in mark.points]
    return min(columns), min(rows), max(columns), max(rows)


def _over(color: str, alpha: float, ground: str) -> str:
    match = _CSS_COLOR.fullmatch(color)
    if match is None:
        # A gradient, or a pattern without a ground for the text on it.
        assert color == "none", f"an unknown colour: {color}"
        return ground
    share = alpha * float(match[4] or 1)
    below = [int(ground[index : index + 2], 16) for index in (1, 3, 5)]
    mixed = (
        round(float(channel) * share + under * (1 - share))
        for channel, under in zip(match.groups()[:3], below, strict=True)
    )
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def _glyph_area(points: Sequence[Point]) -> list[Point]:
    top_left, top_right, bottom_right, bottom_left = points

    def between(one: Point, other: Point, share: float) -> Point:
        return one[0] + (other[0] - one[0]) * share, one[1] + (other[1] - one[1]) * share

    return [
        between(top_left, bottom_left, _EMPTY),
        between(top_right, bottom_right, _EMPTY),
        between(bottom_right, top_right, _EMPTY),
        between(bottom_left, top_left, _EMPTY),
    ]


def _meet(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Return whether boxes, which may be rotated, have no separating axis."""
    for box in (one, other):
        for number in range(2):
            (x1, y1), (x2, y2) = box[number], box[number + 1]
            length = math.hypot(x2 - x1, y2 - y1)
            if length == 0:
                return False
            across = (y1 - y2) / length, (x2 - x1) / length
            first = [x * across[0] + y * across[1] for x, y in one]
            second = [x * across[0] + y * across[1] for x, y in other]
            if max(first) <= min(second) + SLACK or max(second) <= min(first) + SLACK:
                return False
    return True
