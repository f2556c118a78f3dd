from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.templates.phone import launch_phone

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def window(chromium: "Browser") -> Iterator["Page"]:
    page = chromium.new_page()
    yield page
    page.close()


@pytest.fixture(scope="module")
def phone(chromium: "Browser", tmp_path_factory: pytest.TempPathFactory) -> Iterator["Page"]:
    """A page in a browser that has the fonts of a phone alone."""
    browser = launch_phone(chromium.browser_type, tmp_path_factory.mktemp("phone"))
    yield browser.new_page()
    browser.close()
