"""PNG with a palette: less than half the bytes, since figures have few colors.

The colors of areas stay exact, and those of edges differ by at most the least of `DIFFERENCES` whose palette suffices.
With more colors, as in photographs and gradients, the image stays as it is.
"""

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING, cast

from mdpublish_core.errors import importing_extra

if TYPE_CHECKING:
    from PIL.Image import Image as PillowImage

DIFFERENCES = (3, 7, 15)
"""Of a channel, from 0 to 255: a color stands for those that differ in the lowest bits."""

MAX_PIXELS = 4_000_000
"""0.15 s of CPU time."""

MAX_COLORS = 1_000
"""With more, an image has gradients: what is merged there shows as bands."""

_PALETTE_SIZE = 256

# Of the pixels.
_MIN_AREA = 1 / 100


def with_palette(png: bytes) -> bytes:
    """Return an image with a palette; as it is if colors would be lost, or nothing be won. Raises `MissingExtra`."""
    with importing_extra("figures", "pillow"):
        from PIL import Image
    image = Image.open(BytesIO(png))
    if image.width * image.height > MAX_PIXELS or (
        image.mode == "RGBA" and image.getchannel("A").getextrema() != (255, 255)
    ):
        return png
    small = _quantized(image.convert("RGB"))
    if small is None:
        return png
    file = BytesIO()
    # 3 % more bytes than at level 9, in half the time.
    small.save(file, "PNG", compress_level=8, bits=_depth(len(small.getcolors() or ())))
    return min(png, file.getvalue(), key=len)


def _quantized(image: "PillowImage") -> "PillowImage | None":
    from PIL import Image

    counts = cast("list[tuple[int, tuple[int, int, int]]] | None", image.getcolors(MAX_COLORS))
    if counts is None:
        return None
    colors_by_count = [color for _, color in sorted(counts, key=lambda each: (-each[0], each[1]))]
    areas = sum(count >= image.width * image.height * _MIN_AREA for count, _ in counts)
    for difference in DIFFERENCES:
        cells: dict[tuple[int, ...], tuple[int, ...]] = {}
        for number, color in enumerate(colors_by_count):
            # Pillow looks for the nearest color in a palette without the lowest bits of the first difference.
            if number < areas and cells.setdefault(_cell(color, DIFFERENCES[0]), color) != color:
                break
            cells.setdefault(_cell(color, difference), color)
        else:
            colors = list(dict.fromkeys(cells.values()))
            if len(colors) <= _PALETTE_SIZE:
                palette = Image.new("P", (1, 1))
                palette.putpalette([channel for color in colors for channel in _cell(color, DIFFERENCES[0])])
                small = image.quantize(palette=palette, dither=Image.Dither.NONE)
                small.putpalette([channel for color in colors for channel in color])
                return small
    # Exact, but twenty times as slow.
    return image.quantize(_PALETTE_SIZE, Image.Quantize.MEDIANCUT) if len(counts) <= _PALETTE_SIZE else None


def _cell(color: Sequence[int], difference: int) -> tuple[int, ...]:
    return tuple(channel & ~difference for channel in color)


def _depth(colors: int) -> int:
    return next(bits for bits in (1, 2, 4, 8) if colors <= 1 << bits)
