"""No word that is typed is lost in Firefox, by the model and the steps of `tests.browser.writing_proof`."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.faulty_writing import Site, killable_site
from tests.browser.writing_proof import NewBrowser, browsers, pull_plug, write_in_two

pytestmark = pytest.mark.browsers


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with killable_site(tmp_path_factory.mktemp("site")) as site:
        yield site


@pytest.fixture
def new_browser(tmp_path: Path) -> Iterator[NewBrowser]:
    with browsers("firefox", tmp_path) as new_browser:
        yield new_browser


def test_nothing_typed_is_lost_whatever_fails(new_browser: NewBrowser, site: Site) -> None:
    assert pull_plug(site, new_browser(), seed=33).lost == set()


def test_two_browsers_lose_nothing(new_browser: NewBrowser, site: Site) -> None:
    assert write_in_two(site, (new_browser(), new_browser()), steps=20).lost == set()
