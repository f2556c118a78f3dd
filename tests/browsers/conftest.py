from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache

import pytest

from tests.browser.served import Served, served
from tests.browsers.windows import ENGINES, Window

Windows = Callable[[str], Window]


@pytest.fixture(scope="session")
def windows(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Windows]:
    """Start each engine when it is first asked for."""
    with ExitStack() as running:
        yield cache(lambda name: running.enter_context(ENGINES[name](tmp_path_factory.mktemp(name))))


@pytest.fixture(scope="session")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("service")) as service:
        yield service


@pytest.fixture(params=ENGINES)
def window(request: pytest.FixtureRequest, windows: Windows, service: Served) -> Window:
    """As new: signed out, light, with nothing kept."""
    window = windows(request.param)
    window.prefer("light")
    window.forget(service.url)
    return window
