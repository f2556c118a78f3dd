"""Runs the system's Chromium, preferably Debian's `chromium-headless-shell`, which takes half as long."""

import os
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    # The session `tests` collects these tests without Playwright installed.
    from playwright.sync_api import Browser, BrowserType, Page

# `--no-sandbox`: for root in containers. The last makes headless text as wide. The others prevent background requests.
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",
)

_FONTS = Path(__file__).parent / "fonts.conf"

PATIENCE = 120_000
"""Milliseconds that Playwright waits for anything: a guard against hangs, which judges nothing."""


@contextmanager
def launched(arguments: Sequence[str] = ARGUMENTS, variables: Mapping[str, str] | None = None) -> Iterator["Browser"]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = launch(playwright.chromium, arguments, variables)
        yield browser
        browser.close()


def launch(
    browser_type: "BrowserType", arguments: Sequence[str] = ARGUMENTS, variables: Mapping[str, str] | None = None
) -> "Browser":
    """`variables` are added to the environment."""
    path = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    assert path is not None, "no chromium on PATH; install it (Debian: chromium)"
    return _patient(
        browser_type.launch(
            executable_path=path,
            args=list(arguments),
            env={**os.environ, "FONTCONFIG_FILE": str(_FONTS), **(variables or {})},
        )
    )


def _patient(browser: "Browser") -> "Browser":
    from playwright.sync_api import expect

    expect.set_options(timeout=PATIENCE)
    browser.on("context", lambda context: context.set_default_timeout(PATIENCE))
    return browser


@contextmanager
def window_on(browser_type: "BrowserType", desktop: Mapping[str, str]) -> Iterator["Page"]:
    """Open a page in a window: headless Chromium has a clipboard of its own."""
    arguments = [*ARGUMENTS, "--ozone-platform=x11"]
    path = shutil.which("chromium")
    browser = _patient(browser_type.launch(executable_path=path, headless=False, args=arguments, env=dict(desktop)))
    yield browser.new_page()
    browser.close()


@pytest.fixture(scope="session")
def chromium() -> Iterator["Browser"]:
    """Playwright allows one per thread."""
    with launched() as browser:
        yield browser
