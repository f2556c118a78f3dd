"""Runs the system's Chromium, preferably Debian's `chromium-headless-shell`, which takes half as long."""

import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    # The session `tests` collects these tests without Playwright installed.
    from playwright.sync_api import Browser

# `--no-sandbox`: for root in containers. The last makes headless text as wide. The others prevent background requests.
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
    from playwright.sync_api import sync_playwright

    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert path is not None, "no chromium on PATH; install it (Debian: chromium)"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(arguments))
        yield browser
        browser.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """Playwright allows one per thread."""
    with launched() as browser:
        yield browser
