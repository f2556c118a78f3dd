"""Fixtures of the comparisons with other renderers: a browser, and lines printed at the end."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.chromium import launched
from tests.remarks import Report, remark

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with launched() as browser:
        yield browser


@pytest.fixture
def report(request: pytest.FixtureRequest) -> Report:
    return lambda line: remark(request.config, line)
