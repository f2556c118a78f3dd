"""Ways to look at a page in Chromium."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    # The session `tests` collects these tests without Playwright, to say how many it leaves.
    from playwright.sync_api import Browser, Page

Opener = Callable[..., "Page"]
"""Opens a page: keyword `width` in px, and what else `Browser.new_page` takes."""


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
