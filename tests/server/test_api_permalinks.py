"""Permalinks: slugs made at once, and redirects from former usernames and slugs."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from mdpublish_server.errors import RateLimited
from mdpublish_server.services.accounts import DAILY_RENAMES, set_username
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import MAX_FORMER_USERNAMES, find_account
from mdpublish_server.storage.slug_claims import FORMER_SLUGS
from mdpublish_server.storage.tables import DOCUMENTS, PAGES, PERMALINKS
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import SITE, publish, publish_new, redirect_from, refusal, unpublish, update
from tests.server.browsers import Connect
from tests.server.conftest import MakeOwner, Owner, Travel

pytestmark = pytest.mark.anyio


@pytest.fixture
def owner(make_owner: MakeOwner) -> Owner:
    """An account on the Pro plan without a username."""
    return make_owner("anna", plan="pro")


@pytest.fixture
def anna(client: httpx.AsyncClient, owner: Owner) -> httpx.AsyncClient:
    client.headers.update(owner.headers)
    return client


@pytest.fixture
def rename(database: Database, owner: Owner, times: list[datetime]) -> Callable[[str], None]:

    def give(username: str) -> None:
        with database.write_transaction() as transaction:
            account = find_account(transaction, owner.account.id)
            assert account
            set_username(transaction, account, username, now=times[-1])

    return give


# Requested slugs


async def test_slug_without_a_username_stays_taken_when_another_account_has_moved(
    anna: httpx.AsyncClient, pro: httpx.AsyncClient, client_from: Connect, make_owner: MakeOwner
) -> None:
    await publish_new(pro, slug="meadow")
    await publish_new(anna, "of Anna", slug="garden")
    async with client_from("127.0.0.1") as other:
        other.headers.update(make_owner("other", plan="pro").headers)
        response = await other.post("/v1/documents/publish", json={"content": "of another", "slug": "garden"})
    assert refusal(response) == (409, "conflict")
    assert "of Anna" in (await anna.get("/d/garden")).text


# Slugs generated from titles


async def test_pages_created_at_once_get_a_number_each(pro: httpx.AsyncClient) -> None:
    published = await asyncio.gather(*(publish_new(pro, title="Garden") for _ in range(8)))
    slugs = {each["published_url"].rpartition("/")[2] for each in published}
    assert slugs == {"garden", *(f"garden-{number}" for number in range(2, 9))}


async def test_slug_of_a_text_without_title_and_heading_is_untitled(pro: httpx.AsyncClient) -> None:
    assert (await publish_new(pro, "Text"))["published_url"] == f"{SITE}/u/pro-user/untitled"


# Redirects


async def test_pages_move_when_the_username_is_first_set(
    anna: httpx.AsyncClient, rename: Callable[[str], None]
) -> None:
    first = await publish_new(anna, "one", slug="garden")
    second = await publish_new(anna, "two", slug="kitchen")
    unpublished = await publish_new(anna, "three", slug="cellar")
    await unpublish(anna, unpublished["id"])

    rename("anna")

    for published, slug in ((first, "garden"), (second, "kitchen")):
        url = f"{SITE}/u/anna/{slug}"
        assert published["published_url"] == f"{SITE}/d/{slug}"
        assert await redirect_from(anna, published["published_url"]) == url
        page = await anna.get(url)
        assert f'<link rel="canonical" href="{url}" />' in page.text
    assert (await anna.get("/u/anna/cellar")).status_code == 404
    assert (await anna.get("/d/cellar")).status_code == 404
    assert (await publish(anna, unpublished["id"]))["published_url"] == f"{SITE}/u/anna/cellar"
    assert await redirect_from(anna, "/d/cellar") == f"{SITE}/u/anna/cellar"


async def test_pages_move_when_the_username_changes_and_nothing_is_two_hops_away(
    anna: httpx.AsyncClient, rename: Callable[[str], None]
) -> None:
    document_id = (await publish_new(anna, slug="garden"))["id"]
    rename("anna")
    await publish(anna, document_id, slug="kitchen")
    rename("anna-b")

    for former in ("/d/garden", "/u/anna/garden", "/u/anna/kitchen", "/u/anna-b/garden"):
        if former == "/u/anna-b/garden":  # never a URL of the page
            assert (await anna.get(former)).status_code == 404
        else:
            assert await redirect_from(anna, former) == f"{SITE}/u/anna-b/kitchen"


async def test_new_owner_of_a_released_username_takes_over_its_permalinks_on_publishing(
    anna: httpx.AsyncClient, rename: Callable[[str], None], make_owner: MakeOwner
) -> None:
    await publish_new(anna, "of the first", slug="garden")
    await publish_new(anna, "of the first", slug="kitchen")
    rename("anna")
    rename("anna-b")

    anna.headers.update(make_owner("second", plan="pro", username="anna").headers)
    await publish_new(anna, "of the second", slug="garden")

    assert "of the second" in (await anna.get("/u/anna/garden")).text
    assert await redirect_from(anna, "/u/anna/kitchen") == f"{SITE}/u/anna-b/kitchen"
    assert "of the first" in (await anna.get("/u/anna-b/garden")).text


async def test_rename_writes_no_row_of_a_page(
    anna: httpx.AsyncClient, rename: Callable[[str], None], database: Database
) -> None:
    def rows() -> list[list[tuple[Any, ...]]]:
        with database.read_transaction() as transaction:
            return [list(transaction.rows(Statement(table.select()))) for table in (DOCUMENTS, PAGES, PERMALINKS)]

    for number in range(3):
        await publish_new(anna, slug=f"page-{number}")
    before = rows()
    for name in ("anna", "anna-b", "anna-c"):
        rename(name)
    assert rows() == before


async def test_slug_of_a_former_username_leads_to_the_page_that_had_it_then(
    anna: httpx.AsyncClient, rename: Callable[[str], None]
) -> None:
    rename("anna")
    first = await publish_new(anna, "the first", slug="garden")
    rename("anna-b")
    await publish(anna, first["id"], slug="kitchen")
    await publish_new(anna, "the second", slug="garden")
    rename("anna-c")

    assert await redirect_from(anna, "/u/anna/garden") == f"{SITE}/u/anna-c/kitchen"
    assert await redirect_from(anna, "/u/anna-b/garden") == f"{SITE}/u/anna-c/garden"
    assert await redirect_from(anna, "/u/anna-b/kitchen") == f"{SITE}/u/anna-c/kitchen"
    assert "the second" in (await anna.get("/u/anna-c/garden")).text
    assert (await anna.get("/u/anna/kitchen")).status_code == 404


async def test_username_that_is_taken_back_has_its_former_urls(
    anna: httpx.AsyncClient, rename: Callable[[str], None]
) -> None:
    rename("anna")
    document_id = (await publish_new(anna, slug="garden"))["id"]
    rename("anna-b")
    await publish(anna, document_id, slug="kitchen")
    rename("anna")

    assert await redirect_from(anna, "/u/anna/garden") == f"{SITE}/u/anna/kitchen"
    assert await redirect_from(anna, "/u/anna-b/garden") == f"{SITE}/u/anna/kitchen"
    assert (await anna.get("/u/anna/kitchen")).status_code == 200


async def test_shared_slug_is_free_once_its_account_has_a_username(
    anna: httpx.AsyncClient, rename: Callable[[str], None], make_owner: MakeOwner
) -> None:
    await publish_new(anna, "the first", slug="garden")
    rename("anna")
    assert await redirect_from(anna, "/d/garden") == f"{SITE}/u/anna/garden"

    anna.headers.update(make_owner("second", plan="pro").headers)
    await publish_new(anna, "the second", slug="garden")
    assert "the second" in (await anna.get("/d/garden")).text
    assert "the first" in (await anna.get("/u/anna/garden")).text


async def test_page_has_fifty_former_slugs_and_the_oldest_is_dropped(anna: httpx.AsyncClient) -> None:
    document_id = (await publish_new(anna, slug="slug-0"))["id"]
    for number in range(1, FORMER_SLUGS + 2):
        await publish(anna, document_id, slug=f"slug-{number}")

    assert (await anna.get("/d/slug-0")).status_code == 404
    assert await redirect_from(anna, "/d/slug-1") == f"{SITE}/d/slug-{FORMER_SLUGS + 1}"


async def test_account_has_ten_former_usernames_and_the_oldest_is_dropped(
    anna: httpx.AsyncClient, rename: Callable[[str], None], travel: Travel
) -> None:
    await publish_new(anna, slug="garden")
    for number in range(MAX_FORMER_USERNAMES + 2):
        travel(timedelta(hours=5))
        rename(f"anna-{number}")

    assert (await anna.get("/u/anna-0/garden")).status_code == 404
    for former in ("/d/garden", "/u/anna-1/garden", f"/u/anna-{MAX_FORMER_USERNAMES}/garden"):
        assert await redirect_from(anna, former) == f"{SITE}/u/anna-{MAX_FORMER_USERNAMES + 1}/garden"


async def test_username_is_changed_five_times_a_day(rename: Callable[[str], None], travel: Travel) -> None:
    for number in range(DAILY_RENAMES + 1):  # the first is no change
        rename(f"anna-{number}")
        travel(timedelta(hours=1))
    with pytest.raises(RateLimited, match="5 times in 24 hours; retry in 19 h") as refused:
        rename("anna-x")
    assert refused.value.headers == {"Retry-After": str(19 * 3600)}
    travel(timedelta(hours=19))
    rename("anna-x")


async def test_renamed_accounts_pages_can_still_be_changed(
    anna: httpx.AsyncClient, rename: Callable[[str], None]
) -> None:
    document_id = (await publish_new(anna, "old", slug="garden"))["id"]
    rename("anna")
    await update(anna, document_id, content="new")
    assert "new" in (await anna.get("/u/anna/garden")).text
    assert (await publish(anna, document_id))["published_url"] == f"{SITE}/u/anna/garden"


async def test_url_of_nothing_is_not_found_on_a_page(pro: httpx.AsyncClient) -> None:
    for path in ("/u/nobody/garden", "/d/garden", "/u/pro-user/nosuch", "/u/pro-user/../x", "/u/A/b"):
        response = await pro.get(path, follow_redirects=True)
        assert response.status_code == 404, path
        assert response.headers["content-type"] == "text/html; charset=utf-8", path
