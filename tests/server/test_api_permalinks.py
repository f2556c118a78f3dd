"""Permalinks: requested and generated slugs, and redirects from former URLs."""

import asyncio
import re
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
from tests.server.api_requests import (
    SITE,
    create,
    delete,
    get,
    publish,
    publish_demo,
    publish_new,
    redirect_from,
    refusal,
    unpublish,
    update,
)
from tests.server.conftest import Owner

pytestmark = pytest.mark.anyio

ALWAYS_SUFFIXES = pytest.mark.parametrize("environment", [{"MDPUBLISH_LINK_SUFFIXES": "always"}])


@pytest.fixture
def owner(make_owner: Callable[..., Owner]) -> Owner:
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


async def titled(client: httpx.AsyncClient, title: str, **options: object) -> str:
    """Publish a new document with this title and return its slug."""
    document_id = await create(client, title=title)
    return str((await publish(client, document_id, **options))["published_url"].rpartition("/")[2])


# URLs


async def test_page_of_an_account_with_a_username_lies_under_it(pro: httpx.AsyncClient) -> None:
    assert (await publish_new(pro, slug="garden"))["published_url"] == f"{SITE}/u/pro-user/garden"


async def test_page_of_an_account_without_a_username_lies_under_d(anna: httpx.AsyncClient) -> None:
    assert (await publish_new(anna, slug="garden"))["published_url"] == f"{SITE}/d/garden"


async def test_demo_page_lies_under_p(client: httpx.AsyncClient) -> None:
    assert re.fullmatch(rf"{SITE}/p/[a-z0-9]{{20}}", (await publish_demo(client))["url"])


# Requested slugs


@pytest.mark.parametrize("slug", ["abc", "a-b", "0-1-2", "a" * 60, "2026", "publish"])
async def test_requested_slug_is_used(pro: httpx.AsyncClient, slug: str) -> None:
    created = await publish_new(pro, slug=slug)
    assert created["published_url"] == f"{SITE}/u/pro-user/{slug}"
    assert (await get(pro, created["id"]))["slug"] == slug
    assert (await pro.get(created["published_url"])).status_code == 200


@pytest.mark.parametrize(
    "slug", ["", "ab", "a" * 61, "Abc", "a--b", "-ab", "ab-", "a b", "a_b", "a/b", "äbc", "ab\n", "a.b", "../x", "a\0b"]
)
async def test_slug_of_another_shape_is_refused_and_nothing_is_stored(pro: httpx.AsyncClient, slug: str) -> None:
    document_id = await create(pro)
    for path, body in (
        ("/v1/documents/publish", {"content": "x", "slug": slug}),
        (f"/v1/documents/{document_id}/publish", {"slug": slug}),
    ):
        response = await pro.post(path, json=body)
        assert refusal(response) == (400, "validation_error")
        assert response.json()["error"]["message"].startswith("slug must ")
    (only,) = (await pro.get("/v1/documents")).json()["data"]
    assert only["is_published"] is False


async def test_slug_that_is_taken_is_a_conflict_and_nothing_is_stored(pro: httpx.AsyncClient) -> None:
    taken = await publish_new(pro, "first", slug="garden")
    document_id = await create(pro)

    for path, body in (
        ("/v1/documents/publish", {"content": "x", "slug": "garden"}),
        (f"/v1/documents/{document_id}/publish", {"slug": "garden"}),
    ):
        response = await pro.post(path, json=body)
        assert refusal(response) == (409, "conflict")
        assert "'garden'" in response.json()["error"]["message"]

    assert len((await pro.get("/v1/documents")).json()["data"]) == 2
    assert (await get(pro, document_id))["is_published"] is False
    assert "first" in (await pro.get(taken["published_url"])).text


async def test_page_that_is_refused_another_slug_stays_where_it_is(pro: httpx.AsyncClient) -> None:
    await publish_new(pro, slug="garden")
    other = await publish_new(pro, slug="kitchen")
    response = await pro.post(f"/v1/documents/{other['id']}/publish", json={"slug": "garden"})
    assert refusal(response) == (409, "conflict")
    assert (await pro.get(other["published_url"])).status_code == 200
    assert (await get(pro, other["id"]))["slug"] == "kitchen"


async def test_slug_of_an_unpublished_document_stays_reserved(pro: httpx.AsyncClient) -> None:
    first = await publish_new(pro, slug="garden")
    await unpublish(pro, first["id"])
    response = await pro.post("/v1/documents/publish", json={"content": "x", "slug": "garden"})
    assert refusal(response) == (409, "conflict")
    assert (await publish(pro, first["id"]))["published_url"] == first["published_url"]


async def test_repeated_slug_is_no_conflict_with_itself(pro: httpx.AsyncClient) -> None:
    first = await publish_new(pro, slug="garden")
    assert (await publish(pro, first["id"], slug="garden"))["published_url"] == first["published_url"]


async def test_slugs_of_two_usernames_do_not_meet(
    pro: httpx.AsyncClient, anna: httpx.AsyncClient, rename: Callable[[str], None]
) -> None:
    rename("anna")
    await publish_new(pro, slug="garden")
    assert (await publish_new(anna, slug="garden"))["published_url"] == f"{SITE}/u/anna/garden"


async def test_slugs_of_accounts_without_usernames_share_a_space(
    anna: httpx.AsyncClient, client_from: Callable[[str], httpx.AsyncClient], make_owner: Callable[..., Owner]
) -> None:
    await publish_new(anna, slug="garden")
    async with client_from("127.0.0.1") as other:
        other.headers.update(make_owner("other", plan="pro").headers)
        response = await other.post("/v1/documents/publish", json={"content": "x", "slug": "garden"})
    assert refusal(response) == (409, "conflict")


async def test_slug_without_a_username_stays_taken_when_another_account_has_moved(
    anna: httpx.AsyncClient,
    pro: httpx.AsyncClient,
    client_from: Callable[[str], httpx.AsyncClient],
    make_owner: Callable[..., Owner],
) -> None:
    await publish_new(pro, slug="meadow")
    await publish_new(anna, "of Anna", slug="garden")
    async with client_from("127.0.0.1") as other:
        other.headers.update(make_owner("other", plan="pro").headers)
        response = await other.post("/v1/documents/publish", json={"content": "of another", "slug": "garden"})
    assert refusal(response) == (409, "conflict")
    assert "of Anna" in (await anna.get("/d/garden")).text


# Slugs generated from titles


@pytest.mark.parametrize("visibility", ["link", "public"])
@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("Garden day", "garden-day"),
        ("Über Straßen, groß!", "ueber-strassen-gross"),
        ("Привет мир", "privet-mir"),
        ("--- A  &  B ---x", "a-b-x"),
        ("x" * 200, "x" * 50),
    ],
)
async def test_slug_is_the_title_in_plain_characters(
    pro: httpx.AsyncClient, title: str, slug: str, visibility: str
) -> None:
    assert await titled(pro, title, visibility=visibility) == slug


@pytest.mark.parametrize("visibility", ["link", "public"])
async def test_slug_that_is_taken_below_a_username_is_numbered(pro: httpx.AsyncClient, visibility: str) -> None:
    slugs = [await titled(pro, "Garden", visibility=visibility) for _ in range(4)]
    assert slugs == ["garden", "garden-2", "garden-3", "garden-4"]


async def test_slug_that_is_taken_in_the_shared_space_gets_random_characters(free: httpx.AsyncClient) -> None:
    slugs = [await titled(free, "Garden day") for _ in range(3)]
    assert slugs[0] == "garden-day"
    assert all(re.fullmatch(r"garden-day-[a-z0-9]{6}", slug) for slug in slugs[1:])


async def test_shared_space_has_a_slug_once_for_all_accounts(free: httpx.AsyncClient, anna: httpx.AsyncClient) -> None:
    assert await titled(free, "Garden") == "garden"
    assert re.fullmatch(r"garden-[a-z0-9]{6}", await titled(anna, "Garden"))


async def test_pages_created_at_once_get_a_number_each(pro: httpx.AsyncClient) -> None:
    published = await asyncio.gather(*(publish_new(pro, title="Garden") for _ in range(8)))
    slugs = {each["published_url"].rpartition("/")[2] for each in published}
    assert slugs == {"garden", *(f"garden-{number}" for number in range(2, 9))}


async def test_longest_title_leaves_room_for_the_suffix(free: httpx.AsyncClient) -> None:
    await titled(free, "x" * 200)
    assert re.fullmatch(r"x{50}-[a-z0-9]{6}", await titled(free, "x" * 200))


@pytest.mark.parametrize(("title", "start"), [("Q3", "q3"), ("AI", "ai"), ("a", "a"), ("50 %", "50")])
async def test_short_title_is_kept_with_random_characters(pro: httpx.AsyncClient, title: str, start: str) -> None:
    slugs = {await titled(pro, title, visibility="public") for _ in range(2)}
    assert len(slugs) == 2
    assert all(re.fullmatch(rf"{start}-[a-z0-9]{{6}}", slug) for slug in slugs)


@pytest.mark.parametrize("title", ["!?", "…", "Untitled", None])
async def test_slug_is_the_first_heading_where_the_title_gives_none(pro: httpx.AsyncClient, title: str | None) -> None:
    published = await publish_new(pro, "Text\n\n## Garden *day*", title=title)
    assert published["published_url"] == f"{SITE}/u/pro-user/garden-day"


async def test_slug_of_a_title_and_a_heading_without_characters_is_random(pro: httpx.AsyncClient) -> None:
    slugs = {(await publish_new(pro, "# !?", title="…"))["published_url"].rpartition("/")[2] for _ in range(2)}
    assert len(slugs) == 2
    assert all(re.fullmatch(r"[a-z0-9]{12}", slug) for slug in slugs)


async def test_slug_of_a_text_without_title_and_heading_is_untitled(pro: httpx.AsyncClient) -> None:
    assert (await publish_new(pro, "Text"))["published_url"] == f"{SITE}/u/pro-user/untitled"


async def test_slug_created_before_stays_when_the_page_becomes_public(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro, title="Garden")
    first = await publish(pro, document_id)
    assert (await publish(pro, document_id, visibility="public"))["published_url"] == first["published_url"]


@ALWAYS_SUFFIXES
async def test_every_unlisted_page_gets_random_characters_where_the_operator_enables_it(
    pro: httpx.AsyncClient, free: httpx.AsyncClient
) -> None:
    for client in (pro, free):
        slugs = {await titled(client, "Garden") for _ in range(3)}
        assert len(slugs) == 3
        assert all(re.fullmatch(r"garden-[a-z0-9]{6}", slug) for slug in slugs)


@ALWAYS_SUFFIXES
async def test_public_slug_is_numbered_whatever_the_suffix_setting(pro: httpx.AsyncClient) -> None:
    assert [await titled(pro, "Garden", visibility="public") for _ in range(2)] == ["garden", "garden-2"]


# Redirects


async def test_former_slug_redirects_to_the_new_one(pro: httpx.AsyncClient) -> None:
    first = await publish_new(pro, slug="garden")
    second = await publish(pro, first["id"], slug="kitchen")

    assert second["published_url"] == f"{SITE}/u/pro-user/kitchen"
    assert await redirect_from(pro, first["published_url"]) == second["published_url"]
    assert (await get(pro, first["id"]))["slug"] == "kitchen"


async def test_every_former_slug_is_one_hop_from_the_page(pro: httpx.AsyncClient) -> None:
    document_id = (await publish_new(pro, slug="one"))["id"]
    for slug in ("two", "three", "four"):
        await publish(pro, document_id, slug=slug)
    for slug in ("one", "two", "three"):
        assert await redirect_from(pro, f"/u/pro-user/{slug}") == f"{SITE}/u/pro-user/four"

    # Back at the first slug, the others redirect to it.
    await publish(pro, document_id, slug="one")
    for slug in ("two", "three", "four"):
        assert await redirect_from(pro, f"/u/pro-user/{slug}") == f"{SITE}/u/pro-user/one"
    assert (await pro.get("/u/pro-user/one")).status_code == 200


async def test_another_page_takes_a_former_url_over(pro: httpx.AsyncClient) -> None:
    first = await publish_new(pro, "the first", slug="garden")
    await publish(pro, first["id"], slug="kitchen")
    await publish_new(pro, "the second", slug="garden")

    assert "the second" in (await pro.get("/u/pro-user/garden")).text
    assert "the first" in (await pro.get("/u/pro-user/kitchen")).text


async def test_redirect_to_an_unpublished_page_is_not_found_until_it_is_republished(
    pro: httpx.AsyncClient,
) -> None:
    document_id = (await publish_new(pro, slug="garden"))["id"]
    await publish(pro, document_id, slug="kitchen")
    await unpublish(pro, document_id)
    for slug in ("garden", "kitchen"):
        assert (await pro.get(f"/u/pro-user/{slug}")).status_code == 404

    await publish(pro, document_id)
    assert await redirect_from(pro, "/u/pro-user/garden") == f"{SITE}/u/pro-user/kitchen"


async def test_redirect_to_a_deleted_page_is_not_found(pro: httpx.AsyncClient) -> None:
    document_id = (await publish_new(pro, slug="garden"))["id"]
    await publish(pro, document_id, slug="kitchen")
    await delete(pro, document_id)
    for slug in ("garden", "kitchen"):
        assert (await pro.get(f"/u/pro-user/{slug}")).status_code == 404


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
    anna: httpx.AsyncClient, rename: Callable[[str], None], make_owner: Callable[..., Owner]
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
    anna: httpx.AsyncClient, rename: Callable[[str], None], make_owner: Callable[..., Owner]
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
    anna: httpx.AsyncClient, rename: Callable[[str], None], travel: Callable[[timedelta], None]
) -> None:
    await publish_new(anna, slug="garden")
    for number in range(MAX_FORMER_USERNAMES + 2):
        travel(timedelta(hours=5))
        rename(f"anna-{number}")

    assert (await anna.get("/u/anna-0/garden")).status_code == 404
    for former in ("/d/garden", "/u/anna-1/garden", f"/u/anna-{MAX_FORMER_USERNAMES}/garden"):
        assert await redirect_from(anna, former) == f"{SITE}/u/anna-{MAX_FORMER_USERNAMES + 1}/garden"


async def test_username_is_changed_five_times_a_day(
    rename: Callable[[str], None], travel: Callable[[timedelta], None]
) -> None:
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


@pytest.mark.parametrize("path", ["/u/nobody/garden", "/d/garden", "/u/pro-user/nosuch", "/u/pro-user/../x", "/u/A/b"])
async def test_url_of_nothing_is_not_found_on_a_page(pro: httpx.AsyncClient, path: str) -> None:
    response = await pro.get(path)
    assert response.status_code == 404
    assert response.headers["content-type"] == "text/html; charset=utf-8"
