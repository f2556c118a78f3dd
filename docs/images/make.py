"""Makes the README's screenshots of the site. Run by `nox -s screenshots`."""

import shutil
import socket
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.error import URLError
from urllib.request import urlopen

from playwright.sync_api import sync_playwright

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

FOLDER = Path(__file__).parent

DESK, PHONE = (1280, 800), (360, 740)

SECONDS = 30
"""For the service to start."""

SETTLED = 1_500
"""Milliseconds for a preview to be drawn."""


def main() -> None:
    chromium = shutil.which("chromium")
    if chromium is None:
        sys.exit("chromium is not installed; on Debian: apt-get install chromium")
    with ExitStack() as stack:
        url = stack.enter_context(Service())
        playwright = stack.enter_context(sync_playwright())
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        stack.callback(browser.close)
        take(browser, url)


def take(browser: "Browser", url: str) -> None:
    page = opened(browser, url, DESK)
    save(page, "workbench.png")
    page.get_by_role("button", name="Slack", exact=True).first.click()
    save(page, "workbench-slack.png")
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
    gallery = opened(browser, f"{url}/templates", DESK)
    save(gallery, "templates.png")
    save(opened(browser, url, PHONE), "phone.png")


def opened(browser: "Browser", url: str, size: tuple[int, int], scheme: Literal["light", "dark"] = "light") -> "Page":
    width, height = size
    page = browser.new_page(viewport={"width": width, "height": height}, color_scheme=scheme)
    page.goto(url)
    return page


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
