from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


@pytest.fixture(scope="module")
def window(chromium: "Browser") -> Iterator["Page"]:
    page = chromium.new_page()
    yield page
    page.close()
