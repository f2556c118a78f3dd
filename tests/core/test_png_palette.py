import random
import struct
import zlib
from collections.abc import Sequence

import pytest

from mdpublish_core import convert
from mdpublish_core.figures import png_palette
from mdpublish_core.figures.png_palette import MAX_DIFFERENCE, with_palette
from mdpublish_core.figures.rasterizer import render_png
from mdpublish_core.figures.worker import DENSITY
from tests.core.png_images import SIGNATURE, PngImage

Row = Sequence[tuple[int, int, int, int]]

WHITE, BLACK, RED = (255, 255, 255, 255), (0, 0, 0, 255), (255, 0, 0, 255)

SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><circle cx="50" cy="50" r="40" fill="#c33"/>
<path d="M90 90L190 10" stroke="#147"/><text x="90" y="50" font-size="20">Words</text></svg>"""


def png_of(rows: Sequence[Row], *, filters: Sequence[int] = (0,)) -> bytes:
    """Encode a PNG like those of resvg; row by row, one filter after the other."""
    before = bytes(4 * len(rows[0]))
    content = b""
    for number, row in enumerate(rows):
        kind, pixels = filters[number % len(filters)], bytes(value for pixel in row for value in pixel)
        content += bytes([kind]) + _filtered(kind, pixels, before)
        before = pixels
    header = struct.pack(">IIBBBBB", len(rows[0]), len(rows), 8, 6, 0, 0, 0)
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(content)), (b"IEND", b""))
    return SIGNATURE + b"".join(
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data)) for name, data in chunks
    )


def _filtered(kind: int, pixels: bytes, before: bytes) -> bytes:
    filtered = bytearray()
    for index, value in enumerate(pixels):
        left, corner = (row[index - 4] if index >= 4 else 0 for row in (pixels, before))
        above = before[index]
        guess = left + above - corner
        paeth = min((left, above, corner), key=lambda each: abs(guess - each))
        filtered.append((value - (0, left, above, (left + above) // 2, paeth)[kind]) & 255)
    return bytes(filtered)


def colors_of(png: bytes) -> list[list[bytes]]:
    image = PngImage.decode(png)
    return [[row[i * image.channels :][:3] for i in range(image.width)] for row in image.rows]


@pytest.mark.parametrize("kind", range(5), ids=["none", "sub", "up", "average", "paeth"])
def test_each_filter_is_undone(kind: int) -> None:
    chosen = random.Random(kind)
    colors = [(chosen.randrange(256), chosen.randrange(256), chosen.randrange(256), 255) for _ in range(100)]
    rows = [[chosen.choice(colors) for _ in range(37)] for _ in range(60)]
    png = png_of(rows, filters=(kind,))

    smaller = with_palette(png)

    assert len(smaller) < len(png)
    assert colors_of(smaller) == colors_of(png)


@pytest.mark.parametrize(("count", "depth"), [(2, 1), (3, 2), (4, 2), (5, 4), (16, 4), (17, 8)])
def test_palette_has_no_more_bits_than_it_needs(count: int, depth: int) -> None:
    rows = [[(x * (x + y) % count, 0, 0, 255) for x in range(301)] for y in range(60)]
    png = png_of(rows, filters=(0, 4, 2, 1))

    smaller = with_palette(png)

    assert (smaller[24], smaller[25]) == (depth, 3)
    assert colors_of(smaller) == colors_of(png)


@pytest.mark.needs("resvg_py", "ziafont")
def test_figure_loses_nothing_and_half_of_its_bytes() -> None:
    png = render_png(SVG, scale=DENSITY, background_color="#ffffff")

    smaller = with_palette(png)

    assert colors_of(smaller) == colors_of(png)
    assert len(smaller) < 0.5 * len(png)
    assert with_palette(png) == smaller


def test_colors_of_few_pixels_are_merged_within_the_bound() -> None:
    # An area of white, and 300 colors of a pixel each.
    rows: list[Row] = [[WHITE] * 300 for _ in range(50)]
    rows.append([(x // 4, x % 4, 0, 255) for x in range(300)])
    png = png_of(rows)

    smaller = with_palette(png)

    before, after = colors_of(png), colors_of(smaller)
    assert smaller[25] == 3
    assert after[:50] == before[:50]
    differences = [
        abs(a - b) for one, two in zip(before[50], after[50], strict=True) for a, b in zip(one, two, strict=True)
    ]
    assert 0 < max(differences) <= MAX_DIFFERENCE


def test_colors_that_differ_more_are_kept() -> None:
    png = png_of([[(x % 20 * 12, x // 20 * 12, 0, 255) for x in range(400)]] * 3)

    assert with_palette(png) == png


def test_gradient_stays_as_it_is() -> None:
    png = png_of([[(x, y, 128, 255) for x in range(256)] for y in range(64)])

    assert with_palette(png) == png


def test_translucent_image_stays_as_it_is() -> None:
    png = png_of([[RED, BLACK, (0, 0, 0, 128)] * 40] * 9)

    assert with_palette(png) == png


@pytest.mark.needs("resvg_py", "ziafont")
def test_large_image_stays_as_it_is() -> None:
    svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2001 2000"><path d="M0 0h9v9z"/></svg>'
    png = render_png(svg, background_color="#ffffff")

    assert with_palette(png) == png


@pytest.mark.needs("pygraphviz", "resvg_py", "ziafont", "ziamath")
@pytest.mark.parametrize("destination", ["email", "google-docs", "word", "onenote"])
def test_figures_of_documents_have_palettes(destination: str) -> None:
    conversion = convert("```dot\ndigraph { a -> b }\n```\n\n$$\n\\int x\n$$\n", to=destination)

    images = [media for media in conversion.media if media.media_type == "image/png"]
    assert images
    assert {image.data[25] for image in images} == {3}


@pytest.mark.parametrize("kind", range(5), ids=["none", "sub", "up", "average", "paeth"])
def test_runs_of_equal_pixels_are_kept(kind: int) -> None:
    chosen = random.Random(kind)
    colors = [(chosen.randrange(256), chosen.randrange(256), chosen.randrange(256), 255) for _ in range(7)]
    rows: list[Row] = []
    for _ in range(80):
        row = [color for color in chosen.choices(colors, k=12) for _ in range(chosen.randrange(1, 12))][:60]
        row += [colors[0]] * (60 - len(row))
        rows += [row, [*row[:20], *[colors[1]] * 20, *row[40:]]]
    png = png_of(rows, filters=(kind,))

    assert colors_of(with_palette(png)) == colors_of(png)


def test_image_without_runs_stays_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen = random.Random(1)
    png = png_of([chosen.choices((BLACK, WHITE, RED), k=60) for _ in range(40)])
    assert len(with_palette(png)) < len(png)

    monkeypatch.setattr(png_palette, "MAX_RUNS", 1_000)
    assert with_palette(png) == png
