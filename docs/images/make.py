"""Makes `page.png`, a page in light and dark mode side by side. Run by `nox -s screenshots`."""

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

from mdpublish_core import PageOptions, parse, render_page
from mdpublish_core.templates import THEME_MODES

FOLDER = Path(__file__).parent
WIDTH, HEIGHT = 640, 660
"""Of one page, in px; the picture holds two."""

MARKDOWN = """\
# Release notes

What changed in **version 2.4**, in a minute. The full list stands in the [changelog](https://example.org/changelog).

## New

- Exports run in the background, and tell you when they are done
- *Shared views* keep their filters
  1. open a view
  2. press Share

| Plan | Seats | Price |
|:-----|------:|------:|
| Team | 10    | 49 €  |
| House | 100  | 390 € |

> Nothing to migrate: the old links still work.

```sh
curl -O https://example.org/tool && sh tool --upgrade
```
"""

FRAME = """<!DOCTYPE html><body style="margin:0;display:flex">
<iframe src="light.html" width="{width}" height="{height}" style="border:0"></iframe>
<iframe src="dark.html" width="{width}" height="{height}" style="border:0"></iframe>"""


def main() -> None:
    path = shutil.which("chromium")
    if path is None:
        sys.exit("chromium is not installed; on Debian: apt-get install chromium")
    document = parse(MARKDOWN)
    pages = {
        f"{mode}.html": render_page(document, PageOptions(title="Release notes"), theme_mode=mode)
        for mode in THEME_MODES
    }
    pages["frame.html"] = FRAME.format(width=WIDTH, height=HEIGHT)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 2 * WIDTH, "height": HEIGHT})
        page.route(
            "http://page/*",
            lambda route: route.fulfill(body=pages[route.request.url.rpartition("/")[2]], content_type="text/html"),
        )
        page.goto("http://page/frame.html")
        page.screenshot(path=FOLDER / "page.png")
        browser.close()


if __name__ == "__main__":
    main()
