# ruff: noqa: T201  (prints its files)
"""Sheets of all templates: `python -m tests.templates.sheets OUT [ID ...]` shows the top of a page at 375, 768 and 1280
px, with the fonts of a phone and hosted ones, under the template's name; 18 on a sheet.
"""

import sys
from collections.abc import Iterator, Mapping, Sequence
from io import BytesIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

from mdpublish_core import list_templates
from mdpublish_core.templates import THEME_MODES
from tests.templates.measurements import SPECIMEN
from tests.templates.phone import DESKTOP, PHONE, TABLET, open_template, phone_browser

if TYPE_CHECKING:
    from PIL.Image import Image
    from playwright.sync_api import Page

WIDTHS = {PHONE: 300, TABLET: 400, DESKTOP: 480}
"""In px on a sheet."""

COLUMNS = 6
ROWS = 3
_GAP, _CAPTION = 10, 26
_GROUND = "#808080"


def main(out: Path, ids: Sequence[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    templates = [each for each in list_templates() if not ids or each.id in ids]
    with TemporaryDirectory() as folder, phone_browser(Path(folder)) as browser:
        page = browser.new_page()
        for view, width in WIDTHS.items():
            for mode in THEME_MODES:
                images = {}
                for template in templates:
                    open_template(page, template, mode, view, SPECIMEN)
                    images[template.id] = scaled(page, width)
                for number, part in enumerate(parts(images, COLUMNS * ROWS), 1):
                    file = out / f"{view.width}-{mode}-{number}.png"
                    sheet(part, COLUMNS).save(file)
                    print(file)


def parts(images: Mapping[str, "Image"], size: int) -> Iterator[dict[str, "Image"]]:
    remaining = iter(images.items())
    while part := dict(islice(remaining, size)):
        yield part


def scaled(page: "Page", width: int) -> "Image":
    from PIL import Image

    image = Image.open(BytesIO(page.screenshot())).convert("RGB")
    return image.resize((width, image.height * width // image.width), Image.Resampling.LANCZOS)


def sheet(images: Mapping[str, "Image"], columns: int) -> "Image":
    """Return images of one size in rows, each under its name."""
    from PIL import Image, ImageDraw, ImageFont

    rows = list(parts(images, columns))
    width = max(image.width for image in images.values()) + _GAP
    height = max(image.height for image in images.values()) + _GAP + _CAPTION
    result = Image.new("RGB", (width * min(columns, len(images)) + _GAP, height * len(rows) + _GAP), _GROUND)
    canvas, font = ImageDraw.Draw(result), ImageFont.load_default(18)
    for row, pairs in enumerate(rows):
        for column, (name, image) in enumerate(pairs.items()):
            left, top = column * width + _GAP, row * height + _GAP
            canvas.text((left, top), name, fill="#ffffff", font=font)
            result.paste(image, (left, top + _CAPTION))
    return result


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2:])
