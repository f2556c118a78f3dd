"""Patterns that tell areas apart without color: lines and dots on tiles, drawn in the color of the area."""

from collections.abc import Mapping
from typing import Literal, NamedTuple, get_args

from mdpublish_core.data_files import read_table

PatternName = Literal["solid", "diagonal", "reverse", "cross", "dots", "rows", "columns", "grid", "blocks", "shade"]

SOLID: PatternName = "solid"

PATTERNS: tuple[PatternName, ...] = get_args(PatternName)


class Tile(NamedTuple):
    """A square of side `size`, in px, with strokes of `width` along a path; strokes of no length are dots."""

    size: float
    path: str
    width: float


TILES: Mapping[str, Tile] = {
    name: Tile(float(size), path, float(width)) for name, size, path, width in read_table(__file__, "patterns.tsv")
}
"""All but `solid`."""
