"""What rendering a figure costs, in steps of about a microsecond: the same number on every machine.

Counted from the result, since a line of source can become a large image. Measured with each kind's samples.
"""

BASE_STEPS = 2_000
"""Steps to send a figure to a worker and start its engine."""

FONT_STEPS = 2_000
"""Steps to load the fonts of an image with text and shape it."""

SVG_BYTE_STEPS = 1
"""Steps to lay out, draw and sanitize each byte of the engine's SVG."""

FAILURE_STEPS = 5_000
"""Steps to look for a mistake and draw the figure once more without it."""

SOURCE_BYTE_STEPS = 10
"""Steps for each byte of source to draw a figure as text, or to look for a mistake."""

PIXEL_STEPS = 50 / 1_000
"""Steps to rasterize and compress each pixel of an image."""

PALETTE_STEPS = 25 / 1_000
"""Steps for each pixel to write an image with a palette."""

MAX_LAYOUT_STEPS = 2_000_000
"""Steps of a layout: by default, as many as a figure may take microseconds."""

RESTART_STEPS = 300_000
"""Steps to replace a worker that crashed."""


def layout_steps(items: int) -> int:
    """Return the steps to lay out a graph of so many nodes and edges, also invisible ones: at worst, their square."""
    return min(items * items, MAX_LAYOUT_STEPS)
