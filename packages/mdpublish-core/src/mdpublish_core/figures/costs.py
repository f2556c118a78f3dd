"""What rendering a figure costs, in steps of about a microsecond: the same number on every machine.

Counted from the result, since a line of source can become a large image. Measured with the samples of each kind,
without load.
"""

BASE_STEPS = 2_000
"""To send a figure to a worker, and start its engine."""

FONT_STEPS = 2_000
"""To load the fonts of an image with text, and to shape it."""

SVG_BYTE_STEPS = 1
"""To lay out, draw and sanitize what takes a byte of the engine's SVG."""

FAILURE_STEPS = 5_000
"""To look for a mistake, and to draw the figure once more without it."""

SOURCE_BYTE_STEPS = 10
"""To draw a figure as text, or to look for the mistake in it, for each byte of its source."""

PIXEL_STEPS = 50 / 1_000
"""To rasterize and compress an image."""

PALETTE_STEPS = 25 / 1_000
"""For each pixel, to write an image with a palette."""

MAX_LAYOUT_STEPS = 2_000_000
"""As many as a figure may take microseconds, by default."""

RESTART_STEPS = 300_000
"""To replace a worker that crashed."""


def layout_steps(items: int) -> int:
    """Return the steps to lay out a graph of so many nodes and edges, also invisible ones: at worst, their square."""
    return min(items * items, MAX_LAYOUT_STEPS)
