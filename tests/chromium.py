"""Chromium, the system's own: how it is started, and one for all tests of a session.

Debian has the same engine without windows, too, as `chromium-headless-shell`: it takes half as long, and is taken where it is
installed.
"""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    # The session `tests` collects tests that need it without Playwright, to say how many it leaves.
    from playwright.sync_api import Browser

# As root, in containers, Chromium needs the first; the last has letters as wide without windows as with them, and the others
# keep it from calling home.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",
)


@contextmanager
def launched(arguments: Sequence[str] = ARGUMENTS) -> Iterator["Browser"]:
    """Open it, and close it in the end."""
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert path is not None, "no chromium on PATH; install it (Debian: chromium)"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(arguments))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """Share one: Playwright does not let two be open in one thread."""
    with launched() as browser:
        yield browser
