from collections.abc import Sequence
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from mdpublish_core import convert
from mdpublish_core.figures.png_palette import GRADIENT_PALETTES, PALETTES, with_palette
from mdpublish_core.figures.rasterizer import render_png
from mdpublish_core.figures.worker import DENSITY
from tests.core.png_images import PngImage

Row = Sequence[tuple[int, int, int, int]]

WHITE, BLACK, RED = (255, 255, 255, 255), (0, 0, 0, 255), (255, 0, 0, 255)

SVG = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100"><circle cx="50" cy="50" r="40" fill="#c33"/>
<path d="M90 90L190 10" stroke="#147"/><text x="90" y="50" font-size="20">Words</text></svg>"""


def png_of(rows: Sequence[Row]) -> bytes:
    image = Image.new("RGBA", (len(rows[0]), len(rows)))
    image.putdata([pixel for row in rows for pixel in row])
    file = BytesIO()
    image.save(file, "PNG")
    return file.getvalue()


def colors_of(png: bytes) -> list[list[bytes]]:
    image = PngImage.decode(png)
    return [[row[i * image.channels :][:3] for i in range(image.width)] for row in image.rows]


@pytest.mark.parametrize(("count", "depth"), [(2, 1), (3, 2), (4, 2), (5, 4), (16, 4), (17, 8)])
def test_palette_has_no_more_bits_than_it_needs(count: int, depth: int) -> None:
    rows = [[(x * (x + y) % count * 8, 0, 0, 255) for x in range(301)] for y in range(60)]
    png = png_of(rows)

    smaller = with_palette(png)

    assert (smaller[24], smaller[25]) == (depth, 3)
    assert colors_of(smaller) == colors_of(png)


@pytest.mark.needs("resvg_py", "ziafont")
def test_figure_keeps_its_areas_and_loses_more_than_half_of_its_bytes() -> None:
    png = render_png(SVG, scale=DENSITY, background_color="#ffffff")

    smaller = with_palette(png)

    areas = {b"\xff\xff\xff", b"\xcc\x33\x33"}
    pairs = [pair for rows in zip(colors_of(png), colors_of(smaller), strict=True) for pair in zip(*rows, strict=True)]
    assert {before for before, after in pairs if before == after} >= areas
    assert {after for before, after in pairs if before in areas} == areas
    assert max(abs(one - other) for pair in pairs for one, other in zip(*pair, strict=True)) <= PALETTES[1][1]
    assert len(smaller) < 0.5 * len(png)
    assert with_palette(png) == smaller


def test_areas_of_near_colors_are_exact() -> None:
    rows: list[Row] = [[(29, 29, 29, 255)] * 50 + [(31, 31, 30, 255)] * 50 for _ in range(50)]
    png = png_of(rows)

    smaller = with_palette(png)

    assert smaller[25] == 3
    assert colors_of(smaller) == colors_of(png)


def test_colors_of_few_pixels_are_merged_within_the_bound() -> None:
    # An area of white, and 300 colors of a pixel each.
    rows: list[Row] = [[WHITE] * 300 for _ in range(50)]
    rows.append([(x // 4, x % 4, 0, 255) for x in range(300)])
    png = png_of(rows)

    smaller = with_palette(png, GRADIENT_PALETTES)

    before, after = colors_of(png), colors_of(smaller)
    assert smaller[25] == 3
    assert after[:50] == before[:50]
    differences = [
        abs(a - b) for one, two in zip(before[50], after[50], strict=True) for a, b in zip(one, two, strict=True)
    ]
    assert 0 < max(differences) <= GRADIENT_PALETTES[0][1]


def test_colors_of_edges_differ_more_where_the_palette_is_too_small() -> None:
    # Two areas, and 600 colors of few pixels, as slices in front of a scale have.
    numbers = Random(1).choices(range(600), k=8 * 400)
    edges: list[Row] = [[(255, each % 25 * 4, each // 25 * 4, 255) for each in numbers[y::8]] for y in range(8)]
    png = png_of([*([WHITE] * 200 + [RED] * 200 for _ in range(60)), *edges])

    smaller = with_palette(png, GRADIENT_PALETTES)

    before, after = colors_of(png), colors_of(smaller)
    assert smaller[25] == 3
    assert after[:60] == before[:60]
    pairs = [pair for rows in zip(before[60:], after[60:], strict=True) for pair in zip(*rows, strict=True)]
    assert (
        GRADIENT_PALETTES[0][1]
        < max(abs(a - b) for one, other in pairs for a, b in zip(one, other, strict=True))
        <= GRADIENT_PALETTES[1][1]
    )


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
