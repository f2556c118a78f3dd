"""Claiming a demo: it becomes the account's document."""

import asyncio
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import httpx
import pytest

from mdpublish_server.services.accounts import take_page_down
from mdpublish_server.storage import Database
from tests.server.api_requests import (
    SITE,
    claim,
    create,
    delete,
    get,
    page_of,
    publish,
    publish_demo,
    publish_new,
    redirect_from,
    refusal,
    unpublish,
    update,
    used,
)
from tests.server.conftest import Owner

pytestmark = pytest.mark.anyio

LIFETIME = timedelta(hours=72)
MICROSECOND = timedelta(microseconds=1)
UNKNOWN = "0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42"
LENGTH = "claim_token must be the token of 36 characters that publishing the demo returned"


async def claimed(client: httpx.AsyncClient, demo: dict[str, Any]) -> dict[str, Any]:
    response = await claim(client, demo["claim_token"])
    assert response.status_code == 200, response.text
    return dict(response.json())


async def test_claimed_page_lies_under_the_username(pro: httpx.AsyncClient) -> None:
    demo = await publish_demo(pro, "# Garden\n\nWe meet.", title="Garden day", template_id="mono")
    response = await claimed(pro, demo)

    assert response["slug"] == "garden-day"
    assert response == {
        "id": demo["id"],
        "title": "Garden day",
        "published_url": f"{SITE}/u/pro-user/{response['slug']}",
        "slug": response["slug"],
        "template_id": "mono",
        "notices": [],
    }
    page = await pro.get(response["published_url"])
    assert page.text == page_of(
        "# Garden\n\nWe meet.", title="Garden day", url=response["published_url"], template="mono"
    )
    assert page.headers["x-robots-tag"] == "noindex"


async def test_page_claimed_without_a_username_lies_under_d(free: httpx.AsyncClient) -> None:
    response = await claimed(free, await publish_demo(free, title="Garden"))
    assert response["published_url"] == f"{SITE}/d/{response['slug']}"
    assert (await free.get(response["published_url"])).status_code == 200


async def test_claimed_document_is_the_demos_with_its_id(
    free: httpx.AsyncClient, travel: Callable[[timedelta], None]
) -> None:
    demo = await publish_demo(free, "a *b*", title="T", theme_mode="dark")
    travel(timedelta(hours=1))
    response = await claimed(free, demo)

    assert await get(free, demo["id"]) == {
        "id": demo["id"],
        "title": "T",
        "content": "a *b*",
        "template_id": "swiss",
        "theme_mode": "dark",
        "is_published": True,
        "slug": response["slug"],
        # when the demo was published
        "published_at": "2026-03-01T12:00:00.123456Z",
        "description": None,
        "page_width": "standard",
        "visibility": "link",
        "show_source": False,
        "word_count": 2,
        "created_at": "2026-03-01T12:00:00.123456Z",
        "updated_at": "2026-03-01T13:00:00.123456Z",
    }
    assert [document["id"] for document in (await free.get("/v1/documents")).json()["data"]] == [demo["id"]]


async def test_demo_url_redirects_to_the_claimed_page(pro: httpx.AsyncClient) -> None:
    demo = await publish_demo(pro)
    response = await claimed(pro, demo)
    assert await redirect_from(pro, demo["url"]) == response["published_url"]

    # One redirect, wherever the page moves.
    moved = await publish(pro, demo["id"], slug="elsewhere")
    assert await redirect_from(pro, demo["url"]) == moved["published_url"]


async def test_claimed_page_is_permanent(pro: httpx.AsyncClient, travel: Callable[[timedelta], None]) -> None:
    demo = await publish_demo(pro)
    travel(LIFETIME - MICROSECOND)
    response = await claimed(pro, demo)

    for span in (MICROSECOND, timedelta(days=400)):
        travel(span)
        assert (await pro.get(response["published_url"])).status_code == 200
        assert await redirect_from(pro, demo["url"]) == response["published_url"]


async def test_claimed_document_can_be_changed_unpublished_and_deleted(pro: httpx.AsyncClient) -> None:
    demo = await publish_demo(pro)
    response = await claimed(pro, demo)
    await update(pro, demo["id"], content="new")
    assert "new" in (await pro.get(response["published_url"])).text

    await unpublish(pro, demo["id"])
    assert (await pro.get(demo["url"])).status_code == 404
    await publish(pro, demo["id"])
    await delete(pro, demo["id"])
    for url in (demo["url"], response["published_url"]):
        assert (await pro.get(url)).status_code == 404


async def test_token_is_used_once(pro: httpx.AsyncClient, free: httpx.AsyncClient) -> None:
    demo = await publish_demo(pro)
    await claimed(pro, demo)
    for client in (pro, free):
        assert refusal(await claim(client, demo["claim_token"])) == (404, "not_found")
    assert refusal(await free.get(f"/v1/documents/{demo['id']}")) == (404, "not_found")


async def test_two_who_claim_at_once_are_one_who_does(pro: httpx.AsyncClient, free: httpx.AsyncClient) -> None:
    demo = await publish_demo(pro)
    responses = await asyncio.gather(*(claim(client, demo["claim_token"]) for client in (pro, free) * 3))
    assert sorted(response.status_code for response in responses) == [200, *[404] * 5]
    owned = [(await client.get(f"/v1/documents/{demo['id']}")).status_code for client in (pro, free)]
    assert sorted(owned) == [200, 404]


async def test_claimed_token_is_not_found_rather_than_expired_later(
    pro: httpx.AsyncClient, travel: Callable[[timedelta], None]
) -> None:
    demo = await publish_demo(pro)
    await claimed(pro, demo)
    travel(LIFETIME)
    assert refusal(await claim(pro, demo["claim_token"])) == (404, "not_found")


async def test_demo_is_expired_at_72_hours_and_not_a_microsecond_before(
    pro: httpx.AsyncClient, travel: Callable[[timedelta], None]
) -> None:
    late, early = await publish_demo(pro), await publish_demo(pro)

    travel(LIFETIME - MICROSECOND)
    await claimed(pro, early)
    assert (await pro.get(late["url"])).status_code == 200

    travel(MICROSECOND)
    assert refusal(await claim(pro, late["claim_token"])) == (410, "expired")
    assert (await pro.get(late["url"])).status_code == 410
    travel(timedelta(days=300))
    assert refusal(await claim(pro, late["claim_token"])) == (410, "expired")
    assert [document["id"] for document in (await pro.get("/v1/documents")).json()["data"]] == [early["id"]]


@pytest.mark.parametrize("token", [UNKNOWN, "x", "\0", "é", "x" * 200, " ", "'; --"])
async def test_unknown_token_is_not_found(free: httpx.AsyncClient, token: str) -> None:
    demo = await publish_demo(free)
    assert refusal(await claim(free, token)) == (404, "not_found")
    assert (await free.get(demo["url"])).status_code == 200


async def test_token_is_accepted_only_whole(free: httpx.AsyncClient) -> None:
    demo = await publish_demo(free)
    for token in (f" {demo['claim_token']}", demo["claim_token"][:-1], demo["id"]):
        assert refusal(await claim(free, token)) == (404, "not_found")


async def test_claim_returns_the_notices_of_its_page(free: httpx.AsyncClient) -> None:
    demo = await publish_demo(free, "Text <!-- x")
    claimed_page = (await claim(free, demo["claim_token"])).json()
    assert [notice["code"] for notice in claimed_page["notices"]] == [notice["code"] for notice in demo["notices"]]
    assert claimed_page["notices"] == demo["notices"] != []


async def test_token_is_read_in_either_case(free: httpx.AsyncClient) -> None:
    demo = await publish_demo(free)
    assert (await claim(free, demo["claim_token"].upper())).json()["id"] == demo["id"]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "claim_token is required"),
        ({"claim_token": None}, "claim_token is required"),
        ({"claim_token": 1}, "claim_token must be a string (got an integer)"),
        ({"claim_token": ""}, f"{LENGTH} (got 0 characters)"),
        ({"claim_token": "x" * 201}, f"{LENGTH} (got 201 characters)"),
    ],
)
async def test_missing_or_wrong_token_is_named(free: httpx.AsyncClient, body: dict[str, object], message: str) -> None:
    response = await free.post("/v1/demo/claim", json=body)
    assert refusal(response) == (400, "validation_error")
    assert response.json()["error"]["message"].startswith(message)


async def test_claim_without_a_key_is_unauthorized_and_leaves_the_demo(
    client: httpx.AsyncClient, make_owner: Callable[..., Owner]
) -> None:
    demo = await publish_demo(client)
    assert refusal(await claim(client, demo["claim_token"])) == (401, "unauthorized")
    client.headers.update(make_owner().headers)
    await claimed(client, demo)


async def test_claim_beyond_the_document_limit_is_refused_and_leaves_the_demo(free: httpx.AsyncClient) -> None:
    demo = await publish_demo(free)
    ids = [await create(free) for _ in range(3)]

    response = await claim(free, demo["claim_token"])
    assert refusal(response) == (403, "quota_exceeded")
    assert "3 documents" in response.json()["error"]["message"]
    assert (await free.get(demo["url"])).status_code == 200

    await delete(free, ids[0])
    await claimed(free, demo)


@pytest.mark.parametrize("environment", [{"MDPUBLISH_FREE_DOCUMENTS": "9"}])
async def test_claim_beyond_the_page_limit_is_refused_and_leaves_the_demo(free: httpx.AsyncClient) -> None:
    demo = await publish_demo(free)
    ids = [(await publish_new(free))["id"] for _ in range(3)]

    response = await claim(free, demo["claim_token"])
    assert refusal(response) == (403, "quota_exceeded")
    assert "3 published pages" in response.json()["error"]["message"]

    await unpublish(free, ids[0])
    await claimed(free, demo)


async def test_claimed_document_counts_within_the_limits(free: httpx.AsyncClient) -> None:
    for _ in range(3):
        await claimed(free, await publish_demo(free))
    assert refusal(await free.post("/v1/documents", json={})) == (403, "forbidden")
    response = await claim(free, (await publish_demo(free))["claim_token"])
    assert refusal(response) == (403, "quota_exceeded")


async def test_claim_counts_one_request_and_publishing_a_demo_none(free: httpx.AsyncClient) -> None:
    demo = await publish_demo(free)
    assert await used(free) == 0
    await claimed(free, demo)
    assert await used(free) == 1


async def test_demo_that_was_taken_down_cannot_be_claimed(free: httpx.AsyncClient, database: Database) -> None:
    demo = await publish_demo(free)
    with database.write_transaction() as transaction:
        take_page_down(transaction, demo["id"])
    assert (await free.get(demo["url"])).status_code == 404
    assert refusal(await claim(free, demo["claim_token"])) == (404, "not_found")


async def test_deleted_documents_token_is_not_found(free: httpx.AsyncClient) -> None:
    demo = await publish_demo(free)
    await claimed(free, demo)
    await delete(free, demo["id"])
    assert refusal(await claim(free, demo["claim_token"])) == (404, "not_found")
