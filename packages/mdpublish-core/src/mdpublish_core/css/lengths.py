"""Lengths that are the same everywhere."""

from collections.abc import Mapping

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

FONT_SIZES: Mapping[str, str] = {
    "xx-small": "9px",
    "x-small": "10px",
    "small": "13px",
    "medium": "16px",
    "large": "18px",
    "x-large": "24px",
    "xx-large": "32px",
    "smaller": "0.83em",
    "larger": "1.2em",
}
"""What browsers make of the keywords."""
