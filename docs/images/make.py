"""Makes the README's pictures: `arrivals.webp`, and screenshots of the site. Run by `nox -s screenshots`."""

import socket
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.error import URLError
from urllib.request import urlopen

from docs.images import arrivals
from tests.chromium import launched

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).parent

WIDTH, HEIGHT = 1280, 800

SECONDS = 30
"""For the service to start."""

SETTLED = 1_500
"""Milliseconds for a preview to be drawn."""


def main() -> None:
    with Service() as url, launched() as browser:
        arrivals.draw(browser, url, FOLDER / "arrivals.webp")
        take_screenshots(browser, url)


def take_screenshots(browser: "Browser", url: str) -> None:
    page = browser.new_page(viewport={"width": WIDTH, "height": HEIGHT})
    page.goto(f"{url}/templates")
    save(page, "templates.png")
    page.goto(url)
    save(page, "workbench.png")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.wait_for_url("**/published/*")
    page.get_by_role("link", name="Keep this page").click()
    page.fill("#email", "anna@example.org")
    page.fill("#password", "a long password")
    page.get_by_role("button", name="Keep this page").click()
    page.wait_for_url("**/documents/*")
    page.emulate_media(color_scheme="dark")
    page.goto(page.url.partition("?")[0])
    save(page, "document-dark.png")


def save(page: "Page", name: str) -> None:
    page.wait_for_timeout(SETTLED)
    page.screenshot(path=FOLDER / name)


class Service:
    """The service in a folder of its own, on a free port."""

    def __enter__(self) -> str:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port: int = free.getsockname()[1]
        self._folder = tempfile.TemporaryDirectory()
        command = [Path(sys.executable).parent / "mdpublish-server", "serve", "--port", str(port)]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        self._process = subprocess.Popen(command, cwd=self._folder.name, **quiet)  # noqa: S603
        url = f"http://127.0.0.1:{port}"
        for _ in range(SECONDS):
            try:
                urlopen(f"{url}/readyz", timeout=1).close()  # noqa: S310
            except (URLError, TimeoutError):
                try:
                    self._process.wait(1)
                except subprocess.TimeoutExpired:
                    continue
                sys.exit("the service has stopped")
            else:
                return url
        sys.exit(f"the service did not start within {SECONDS} s")

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.wait()
        self._folder.cleanup()


if __name__ == "__main__":
    main()
