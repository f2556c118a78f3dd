"""Patterns that tell areas apart without color: lines and dots on tiles, drawn in the color of the area."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

PatternName = Literal["solid", "diagonal", "reverse", "cross", "dots", "rows", "columns", "grid"]

SOLID: PatternName = "solid"

PATTERNS: tuple[PatternName, ...] = get_args(PatternName)


class Tile(NamedTuple):
    """A square of side `size`, in px, with strokes of `width` along a path; strokes of no length are dots."""

    size: float
    path: str
    width: float


# A second stroke at opposite corners continues a diagonal across the edges of its tile.
_DIAGONAL, _REVERSE = "M0 6L6 0M-1 1L1 -1M5 7L7 5", "M0 0L6 6M-1 5L1 7M5 -1L7 1"

TILES: Mapping[str, Tile] = {
    "diagonal": Tile(6, _DIAGONAL, 1.8),
    "reverse": Tile(6, _REVERSE, 1.8),
    "cross": Tile(6, _DIAGONAL + _REVERSE, 1.2),
    "dots": Tile(6, "M1.5 1.5h0M4.5 4.5h0", 2.2),
    "rows": Tile(5, "M0 2.5h5", 1.8),
    "columns": Tile(5, "M2.5 0v5", 1.8),
    "grid": Tile(6, "M0 3h6M3 0v6", 1.2),
}
"""All but `solid`."""
