"""Published pages are the library's. What the contract states of publishing is checked in `tests/contract`."""

from typing import Any

import httpx
import pytest

from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import PAGES
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import create, get, page_of, publish, publish_demo, publish_new, unpublish, update

pytestmark = pytest.mark.anyio

# Updating published documents


@pytest.mark.parametrize(
    ("change", "shown"),
    [
        ({"content": "# New"}, {"content": "# New"}),
        ({"title": "New"}, {"title": "New"}),
        ({"template_id": "mono"}, {"template": "mono"}),
        ({"theme_mode": "dark"}, {"theme_mode": "dark"}),
        ({"description": "New & <b>"}, {"description": "New & <b>"}),
        ({"page_width": "full"}, {"page_width": "full"}),
    ],
)
async def test_change_shows_at_once_on_the_live_page(
    free: httpx.AsyncClient, change: dict[str, str], shown: dict[str, Any]
) -> None:
    published = await publish_new(free, "# Old", title="Old")
    url = published["published_url"]
    old = await free.get(url)
    assert old.text == page_of("# Old", title="Old", url=url)

    await update(free, published["id"], **change)

    new = await free.get(url, headers={"If-None-Match": old.headers["etag"]})
    assert new.status_code == 200
    assert new.text == page_of(**{"content": "# Old", "title": "Old", "url": url, **shown})
    assert new.headers["cache-control"] == "no-cache"
    document = await get(free, published["id"])
    assert document["is_published"] is True
    assert document["published_at"] == published["published_at"]


# Unpublishing


async def test_bytes_of_an_unpublished_page_are_not_stored(free: httpx.AsyncClient, database: Database) -> None:
    gone, stored = await publish_new(free), await publish_new(free)
    await unpublish(free, gone["id"])
    with database.read_transaction() as transaction:
        assert [row[0] for row in transaction.rows(Statement(PAGES.select()))] == [stored["id"]]


# The page


async def test_page_is_the_librarys(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro, title="T & t", content="# A\n\n*b*", template_id="nord", theme_mode="dark")
    url = (await publish(pro, document_id, description='Say "x"', page_width="full"))["published_url"]
    expected = page_of(
        "# A\n\n*b*",
        title="T & t",
        url=url,
        template="nord",
        theme_mode="dark",
        description='Say "x"',
        page_width="full",
    )
    assert (await pro.get(url)).text == expected
    assert f'<link rel="canonical" href="{url}" />' in expected
    assert '<meta name="description" content="Say &quot;x&quot;" />' in expected


async def test_page_is_sandboxed_as_a_demo_is(free: httpx.AsyncClient) -> None:
    demo = await free.get((await publish_demo(free))["url"])
    page = await free.get((await publish_new(free))["published_url"])
    assert page.headers["content-security-policy"] == demo.headers["content-security-policy"]
    assert "allow-same-origin" not in page.headers["content-security-policy"]
