"""Lengths that are the same everywhere."""

from collections.abc import Mapping

from mdpublish_core.data_files import read_pairs

PIXELS: Mapping[str, float] = {
    "px": 1.0,
    "pt": 4 / 3,
    "pc": 16.0,
    "in": 96.0,
    "cm": 96 / 2.54,
    "mm": 96 / 25.4,
    "q": 96 / 101.6,
}
"""Absolute units, in px."""

FONT_SIZES = read_pairs(__file__, "font_sizes.tsv")
"""What browsers make of the keywords."""
