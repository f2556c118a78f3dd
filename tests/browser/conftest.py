from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    # The session `tests` collects these tests without Playwright installed.
    from playwright.sync_api import Browser, Page

Opener = Callable[..., "Page"]
"""Keywords: `width` in px, and the options of `Browser.new_page`."""


@pytest.fixture
def complaints() -> list[str]:
    """Yield console messages of all pages, including policy violations. Tests that expect some clear the list."""
    return []


@pytest.fixture
def open_page(chromium: "Browser", complaints: list[str]) -> Iterator[Opener]:
    """Console messages fail the test."""
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
