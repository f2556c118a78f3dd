"""Makes the thumbnails of all templates in `web/static/thumbnails`. Run by `nox -s thumbnails`.

A thumbnail is the top of the page of a template's example in a window of 960 px, at a third of its size, so that all
have one scale. AVIF took 16% less than WebP at the same signal-to-noise ratio, 36 dB. One thread encodes, so that the
same pixels give the same bytes; fonts that are not hosted come from the machine.
"""

import shutil
import sys
from collections.abc import Iterator
from hashlib import sha256
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, Route, sync_playwright

from mdpublish_core import PageOptions, list_templates, parse, render
from mdpublish_core.hosting.outputs import THEME_MODES
from mdpublish_core.hosting.templates import FONT_FOLDER, example_markdown

STATIC = Path(__file__).parents[1] / "src" / "mdpublish_server" / "web" / "static"
FOLDER = STATIC / "thumbnails"

WINDOW_WIDTH, WINDOW_HEIGHT = 960, 720

WIDTH, HEIGHT = 640, 480
"""In pixels: twice the size at which they are shown, for dense screens."""

QUALITIES = (50, 40, 30, 20)
"""Of AVIF: the first that keeps to `MAX_BYTES`, which few patterned papers exceed at 50."""

MAX_BYTES = 20_000

ORIGIN = "http://page/"


def main() -> None:
    path = shutil.which("chromium")
    if path is None:
        sys.exit("chromium is not installed; on Debian: apt-get install chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": WINDOW_WIDTH, "height": WINDOW_HEIGHT})
        thumbnails = {name: encoded(screenshot) for name, screenshot in screenshots(page)}
        browser.close()
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir()
    for name, content in thumbnails.items():
        (FOLDER / f"{name}.{sha256(content).hexdigest()[:8]}.avif").write_bytes(content)
    total = sum(map(len, thumbnails.values()))
    print(f"{len(thumbnails)} thumbnails, {total:,} bytes")  # noqa: T201 - a program


def screenshots(page: Page) -> Iterator[tuple[str, bytes]]:
    options = PageOptions(font_url=ORIGIN)
    # Readers whose fonts come late keep the others; a picture waits for its own.
    pages = {
        f"{template.id}-{mode}": render(
            parse(example_markdown(template)), to="page", options=options, template=template, theme_mode=mode
        ).html.replace("font-display:optional", "font-display:block")
        for template in list_templates()
        for mode in THEME_MODES
    }

    def respond(route: Route) -> None:
        name = route.request.url.removeprefix(ORIGIN)
        if name in pages:
            route.fulfill(body=pages[name], content_type="text/html")
        else:
            route.fulfill(path=FONT_FOLDER / name, headers={"Access-Control-Allow-Origin": "*"})

    page.route(f"{ORIGIN}**", respond)
    for name in pages:
        page.goto(f"{ORIGIN}{name}")
        page.evaluate("document.fonts.ready")
        yield name, page.screenshot()


def encoded(screenshot: bytes) -> bytes:
    image = Image.open(BytesIO(screenshot)).convert("RGB").resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)
    for quality in QUALITIES:
        output = BytesIO()
        image.save(output, "AVIF", quality=quality, speed=6, max_threads=1)
        if output.tell() <= MAX_BYTES:
            break
    return output.getvalue()


if __name__ == "__main__":
    main()
