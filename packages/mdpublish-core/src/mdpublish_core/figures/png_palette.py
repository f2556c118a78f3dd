"""PNG with a palette: a third of the bytes, since figures have few colors.

The colors of areas stay exact, and those of edges differ by at most that of the first of `PALETTES` that suffices. With
more colors, as in photographs and gradients, the image stays as it is.
"""

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, cast

from mdpublish_core.errors import importing_extra

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

PALETTES = ((16, 31), (16, 63), (64, 15), (64, 31), (256, 3), (256, 7), (256, 15))
"""Sizes, and a difference of a channel, from 0 to 255: a color stands for those that differ in the lowest bits.

Edges need no more shades at twice the pixels that are seen.
"""

GRADIENT_PALETTES = PALETTES[4:]
"""Where more would show as bands."""

MAX_PIXELS = 4_000_000
"""0.15 s of CPU time."""

MAX_COLORS = 1_000
"""With more, an image has gradients: what is merged there shows as bands."""

_PALETTE_SIZE = 256

# Of the pixels: colors that stay as they are, and those that stay if no more frequent one is almost the same.
_MIN_AREA, _MIN_LINE = 1 / 100, 1 / 500

# Pillow looks for the nearest color in a palette without the lowest bits.
_UNREAD = 3


def with_palette(png: bytes, palettes: Sequence[tuple[int, int]] = PALETTES) -> bytes:
    """Return an image with the first palette that suffices; as it is if colors would be lost, or nothing be won. Raises `MissingExtra`."""
    with importing_extra("figures", "pillow"):
        from PIL import Image
    image = Image.open(BytesIO(png))
    if image.width * image.height > MAX_PIXELS or (
        image.mode == "RGBA" and image.getchannel("A").getextrema() != (255, 255)
    ):
        return png
    small = _quantized(image.convert("RGB"), palettes)
    if small is None:
        return png
    file = BytesIO()
    # 3 % more bytes than at level 9, in half the time.
    depth = next(bits for bits in (1, 2, 4, 8) if len(small.getcolors() or ()) <= 1 << bits)
    small.save(file, "PNG", compress_level=8, bits=depth)
    return min(png, file.getvalue(), key=len)


def _quantized(image: "PillowImage", palettes: Sequence[tuple[int, int]]) -> "PillowImage | None":
    from PIL import Image

    counts = cast("list[tuple[int, tuple[int, int, int]]] | None", image.getcolors(MAX_COLORS))
    if counts is None:
        return None
    colors_by_count = [color for _, color in sorted(counts, key=lambda each: (-each[0], each[1]))]
    areas, lines = (
        [color for count, color in counts if count >= image.width * image.height * share]
        for share in (_MIN_AREA, _MIN_LINE)
    )
    exact = {_cell(color, _UNREAD): color for color in (*lines, *areas)}
    for size, difference in palettes if {*areas} <= {*exact.values()} else ():
        cells: dict[tuple[int, ...], tuple[int, ...]] = {}
        for color in colors_by_count:
            cells.setdefault(_cell(color, difference), color)
        colors = list(dict.fromkeys((*exact.values(), *cells.values())))
        if len(colors) <= size:
            palette = Image.new("P", (1, 1))
            palette.putpalette([channel for color in colors for channel in _cell(color, _UNREAD)])
            small = image.quantize(palette=palette, dither=Image.Dither.NONE)
            small.putpalette([channel for color in colors for channel in color])
            return small
    # Exact, but twenty times as slow.
    return image.quantize(_PALETTE_SIZE, Image.Quantize.MEDIANCUT) if len(counts) <= _PALETTE_SIZE else None


def _cell(color: Sequence[int], difference: int) -> tuple[int, ...]:
    return tuple(channel & ~difference for channel in color)
