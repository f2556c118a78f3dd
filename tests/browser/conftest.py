"""Chromium, the system's own, and ways to look at a page in it."""

import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    # The session `tests` collects these tests without Playwright, to say how many it leaves.
    from playwright.sync_api import Browser, Page

# As root, in containers, Chromium needs the first; the others keep it from calling home.
ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]

Opener = Callable[..., "Page"]
"""Opens a page: keyword `width` in px, and what else `Browser.new_page` takes."""


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium")
    if path is None:
        pytest.fail("no chromium on PATH; install it (Debian: chromium)")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=ARGUMENTS)
        yield browser
        browser.close()


@pytest.fixture
def complaints() -> list[str]:
    """What pages wrote on their consoles; a policy that is broken is written there. A test that expects some clears it."""
    return []


@pytest.fixture
def open_page(chromium: "Browser", complaints: list[str]) -> Iterator[Opener]:
    """Open pages that are closed after the test; what a page complains of in its console is an error."""
    pages: list[Page] = []

    def opened(*, width: int = 1280, **options: object) -> "Page":
        page = chromium.new_page(viewport={"width": width, "height": 800}, **options)  # type: ignore[arg-type]
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        pages.append(page)
        return page

    yield opened
    for page in pages:
        page.close()
    assert complaints == []
