"""No character that is typed is lost, whatever fails: random edits and faults, compared with a model.

Edits go to the account's document in one tab or two. Faults: no connection, a lost response, 429, 503, a service that
is killed and started again, a session that ends, tabs that crash, are closed and opened again. `nox -s stress --
--writing` runs the long forms.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

from tests.browser.faulty_writing import Site, killable_site
from tests.browser.writing_proof import pull_plug, write_in_two
from tests.browsers.windows import new_chromium
from tests.remarks import remark

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with killable_site(tmp_path_factory.mktemp("site")) as site:
        yield site


def test_nothing_typed_is_lost_whatever_fails(chromium: "Browser", site: Site, pytestconfig: pytest.Config) -> None:
    written = pull_plug(site, new_chromium(chromium), seed=33)

    assert written.lost == set()
    remark(pytestconfig, f"a pulled plug: {written}")


def test_two_browsers_lose_nothing_and_readers_see_what_was_published(
    chromium: "Browser", site: Site, pytestconfig: pytest.Config
) -> None:
    written = write_in_two(site, (new_chromium(chromium), new_chromium(chromium)), steps=40)

    assert written.lost == set()
    remark(pytestconfig, f"two browsers: {written}")
