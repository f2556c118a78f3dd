"""Views and boxes that hold their text."""

from collections.abc import Mapping, Sequence

from mdpublish_core.figures.boxes import Box
from mdpublish_core.figures.svg.geometry import Matrix, box_of, outlines
from mdpublish_core.figures.svg.values import format_number

# px: a letter is not readable with less; around what is shown at the edge.
_MAX_CUT, _ROOM = 3.0, 4.0

_MAX_WIDENING = 3
"""What is farther outside is not worth to be seen."""


def holding(frame: Box, lines: Sequence[Box]) -> Box:
    """Return a box, wider if lines of text would be cut off."""
    hidden = [line for line in lines if not frame.contains(line, _MAX_CUT)]
    if not hidden or frame.is_empty:
        return frame
    wider = Box(
        min(frame.left, *(line.left - _ROOM for line in hidden)),
        min(frame.top, *(line.top - _ROOM for line in hidden)),
        max(frame.right, *(line.right + _ROOM for line in hidden)),
        max(frame.bottom, *(line.bottom + _ROOM for line in hidden)),
    )
    return frame if max(wider.width / frame.width, wider.height / frame.height) > _MAX_WIDENING else wider


def widened(attributes: Mapping[str, str], matrix: Matrix, lines: Sequence[Box]) -> dict[str, str]:
    """Return the attributes of a rectangle that holds the lines of a text that begins in it; none of a turned one."""
    if matrix != Matrix(e=matrix.e, f=matrix.f):
        return {}
    frame = box_of([matrix.apply(point) for point in outlines("rect", attributes)[0]])
    middles = [((line.left + line.right) / 2, (line.top + line.bottom) / 2) for line in lines]
    begins = bool(middles) and frame.holds(middles[0])
    # Lines below the frame belong to it too; lines beside it do not.
    mine = [
        line
        for line, (x, y) in zip(lines, middles, strict=True)
        if frame.holds((x, y)) or (begins and y > frame.bottom and frame.left < x < frame.right)
    ]
    wider = holding(frame, mine)
    sides = {"x": wider.left - matrix.e, "y": wider.top - matrix.f, "width": wider.width, "height": wider.height}
    return {} if wider == frame else {name: format_number(side) for name, side in sides.items()}
