"""Concurrent requests: limits hold, exactly one request wins, and a page always shows its document's content.

A round is twenty concurrent requests. There are five rounds by default and 200 in `nox -s stress`.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Iterable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest

from mdpublish_server.errors import QuotaExceeded
from mdpublish_server.services.accounts import add_key, create_account
from mdpublish_server.services.revision_history import content_of
from mdpublish_server.storage import Account, Database
from mdpublish_server.storage.accounts import MISCOUNTED, find_account
from mdpublish_server.storage.document_revisions import find_revision, list_revisions
from mdpublish_server.storage.keys import list_keys
from mdpublish_server.storage.request_counts import count_request
from tests.server.conftest import NOW, MakeOwner, Owner, Travel

AT_ONCE = 20
MONTHLY_QUOTA = 60

pytestmark = [
    pytest.mark.anyio,
    pytest.mark.parametrize("rounds", [5, pytest.param(200, marks=pytest.mark.stress)]),
]


@pytest.fixture
def environment() -> dict[str, str]:
    return {
        "MDPUBLISH_FREE_MONTHLY_QUOTA": str(MONTHLY_QUOTA),
        "MDPUBLISH_FREE_DOCUMENTS": "5",
        "MDPUBLISH_FREE_PAGES": "3",
        "MDPUBLISH_PRO_MONTHLY_QUOTA": "1000000000",
        "MDPUBLISH_REVISION_MINUTES": "0",
    }


async def requested(
    client: httpx.AsyncClient,
    owner: Owner,
    method: str,
    path: str,
    body: dict[str, Any] | None = None,
    headers: dict[str, str] | None = None,
) -> httpx.Response:
    """Send a request, retrying while the account has too many requests waiting for a worker."""
    while True:
        response = await client.request(method, path, json=body, headers={**owner.headers, **(headers or {})})
        if response.status_code != 503 or "requests are waiting" not in response.text:
            return response
        await asyncio.sleep(0.01)


async def at_once(requests: Iterable[Awaitable[httpx.Response]]) -> tuple[list[httpx.Response], Counter[int]]:
    """Send requests concurrently; return the responses and a count of their statuses."""
    responses = list(await asyncio.gather(*requests))
    assert len(responses) == AT_ONCE
    return responses, Counter(response.status_code for response in responses)


def stored_account(database: Database, owner: Owner) -> Account:
    """Return the stored account; the counters of all accounts must equal their rows."""
    with database.read_transaction() as transaction:
        assert transaction.rows(MISCOUNTED) == []
        account = find_account(transaction, owner.account.id)
    assert account
    return account


async def test_demo_is_claimed_by_one_of_many(
    client: httpx.AsyncClient, database: Database, make_owner: MakeOwner, travel: Travel, rounds: int
) -> None:
    owners = [make_owner(f"claimer{number}", plan="pro") for number in range(4)]
    for number in range(rounds):
        travel(timedelta(seconds=1))
        demo = (await client.post("/v1/demo/publish", json={"content": f"Demo {number}"})).json()
        body = {"claim_token": demo["claim_token"]}

        responses, statuses = await at_once(
            requested(client, owners[index % 4], "POST", "/v1/demo/claim", body) for index in range(AT_ONCE)
        )

        assert statuses == {200: 1, 404: AT_ONCE - 1}
        (winner,) = [response.json() for response in responses if response.status_code == 200]
        moved = await client.get(urlsplit(demo["url"]).path)
        assert (moved.status_code, moved.headers["location"]) == (301, winner["published_url"])
    assert sum(stored_account(database, owner).documents for owner in owners) == rounds


async def test_creations_never_pass_the_limit(
    client: httpx.AsyncClient, database: Database, make_owner: MakeOwner, rounds: int
) -> None:
    for number in range(rounds):
        owner = make_owner(f"free{number}")
        paths = ["/v1/documents", "/v1/documents/publish"]

        _, statuses = await at_once(
            requested(client, owner, "POST", paths[index % 2], {"content": "x"}) for index in range(AT_ONCE)
        )

        account = stored_account(database, owner)
        assert statuses == {201: 5, 403: AT_ONCE - 5}
        assert (account.documents, account.used) == (5, AT_ONCE)
        assert account.pages <= 3


async def test_publishes_never_pass_the_limit(
    client: httpx.AsyncClient, database: Database, make_owner: MakeOwner, rounds: int
) -> None:
    for number in range(rounds):
        owner = make_owner(f"free{number}")
        ids = [
            (await requested(client, owner, "POST", "/v1/documents", {"content": "x"})).json()["id"] for _ in range(5)
        ]

        _, statuses = await at_once(
            requested(client, owner, "POST", f"/v1/documents/{ids[index % 5]}/publish", {}) for index in range(AT_ONCE)
        )

        listed = (await requested(client, owner, "GET", "/v1/documents")).json()["data"]
        assert set(statuses) <= {200, 403}
        assert stored_account(database, owner).pages == 3
        assert sum(document["is_published"] for document in listed) == 3


@pytest.mark.parametrize("owners", [1, 4])
async def test_slug_is_given_once(
    client: httpx.AsyncClient, database: Database, make_owner: MakeOwner, travel: Travel, rounds: int, owners: int
) -> None:
    """For one account, and for several without usernames, whose pages share a namespace."""
    created = [make_owner(f"pro{number}", plan="pro") for number in range(owners)]
    for number in range(rounds):
        travel(timedelta(seconds=1))
        body = {"content": "x", "slug": f"slug-{number}"}

        responses, statuses = await at_once(
            requested(client, created[index % owners], "POST", "/v1/documents/publish", body)
            for index in range(AT_ONCE)
        )

        assert statuses == {201: 1, 409: AT_ONCE - 1}, [response.text for response in responses]
    assert sum(stored_account(database, owner).documents for owner in created) == rounds


async def test_generated_slugs_of_one_title_all_differ(
    client: httpx.AsyncClient, database: Database, make_owner: MakeOwner, travel: Travel, rounds: int
) -> None:
    owner = make_owner("pro", plan="pro", username="pro-user")
    urls = []
    for _ in range(rounds):
        travel(timedelta(seconds=1))
        responses, statuses = await at_once(
            requested(client, owner, "POST", "/v1/documents/publish", {"content": "x", "title": "Same"})
            for _ in range(AT_ONCE)
        )
        assert statuses == {201: AT_ONCE}
        urls += [response.json()["published_url"] for response in responses]
    assert len(set(urls)) == len(urls) == stored_account(database, owner).pages


@pytest.mark.parametrize("path", ["/v1/documents", "/v1/documents/publish"])
async def test_request_with_an_idempotency_key_is_done_once(
    client: httpx.AsyncClient, database: Database, make_owner: MakeOwner, travel: Travel, rounds: int, path: str
) -> None:
    owner = make_owner("pro", plan="pro", username="pro-user")
    for number in range(rounds):
        travel(timedelta(seconds=1))
        headers = {"Idempotency-Key": f"round {number}"}

        responses, statuses = await at_once(
            requested(client, owner, "POST", path, {"content": "x"}, headers) for _ in range(AT_ONCE)
        )

        # 503: no worker was free for the one that ran; sent again, it runs.
        assert set(statuses) <= {201, 409, 503}
        created = {response.content for response in responses if response.status_code == 201}
        repeated = await requested(client, owner, "POST", path, {"content": "x"}, headers)
        assert repeated.status_code == 201
        assert created <= {repeated.content}
        assert ("idempotency-replayed" in repeated.headers) is bool(created)
    assert stored_account(database, owner).documents == rounds


async def test_of_updates_of_one_revision_one_is_done(
    client: httpx.AsyncClient, make_owner: MakeOwner, travel: Travel, rounds: int
) -> None:
    owner = make_owner("pro", plan="pro", username="pro-user")
    created = await requested(client, owner, "POST", "/v1/documents/publish", {"content": "x"})
    path, tag = f"/v1/documents/{created.json()['id']}", created.headers["etag"]
    for number in range(rounds):
        travel(timedelta(seconds=1))
        requests = [
            ("PATCH", path, {"title": f"Title {number}"}),
            ("PATCH", path, {"content": f"Content {number}"}),
            ("POST", f"{path}/publish", {}),
        ]

        responses, statuses = await at_once(
            requested(client, owner, *requests[index % 3], headers={"If-Match": tag}) for index in range(AT_ONCE)
        )

        assert statuses == {200: 1, 412: AT_ONCE - 1}
        (tag,) = [response.headers["etag"] for response in responses if response.status_code == 200]
        assert (await client.get(path, headers=owner.headers)).headers["etag"] == tag


async def test_month_never_has_more_requests_than_allowed(
    client: httpx.AsyncClient, database: Database, make_owner: MakeOwner, rounds: int
) -> None:
    for number in range(rounds):
        owner = make_owner(f"free{number}")
        left = number % 15
        with database.write_transaction() as transaction:
            for _ in range(MONTHLY_QUOTA - left):
                assert count_request(transaction, owner.account.id, month="2026-03", limit=MONTHLY_QUOTA)
        requests: list[tuple[str, str, dict[str, Any] | None]] = [
            ("POST", "/v1/convert", {"markdown": "x"}),
            ("POST", "/v1/convert", {"markdown": ""}),
            ("POST", "/v1/documents", {"content": "x"}),
            ("DELETE", "/v1/documents/9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11", None),
        ]

        _, statuses = await at_once(requested(client, owner, *requests[index % 4]) for index in range(AT_ONCE))

        assert statuses[429] == AT_ONCE - left
        assert stored_account(database, owner).used == MONTHLY_QUOTA


async def test_account_never_has_more_than_two_keys(database: Database, rounds: int) -> None:
    def add(account: Account) -> str:
        try:
            with database.write_transaction() as transaction:
                return add_key(transaction, account, name="", now=NOW).key.id
        except QuotaExceeded:
            return ""

    with ThreadPoolExecutor(AT_ONCE) as threads:
        for number in range(rounds):
            with database.write_transaction() as transaction:
                account = create_account(transaction, email=f"{number}@example.org", password_hash=None, now=NOW)
            added = sorted(filter(None, threads.map(add, [account] * AT_ONCE)))
            with database.read_transaction() as transaction:
                assert sorted(key.id for key in list_keys(transaction, account.id)) == added
                assert transaction.rows(MISCOUNTED) == []
            assert len(added) == 2


async def test_page_shows_the_last_content_after_updates_and_publishes_at_once(
    client: httpx.AsyncClient, database: Database, make_owner: MakeOwner, travel: Travel, rounds: int
) -> None:
    owner = make_owner("pro", plan="pro")
    second = 0
    for number in range(rounds):
        travel(timedelta(seconds=1))
        created = await requested(client, owner, "POST", "/v1/documents/publish", {"content": "first", "title": "Race"})
        path = f"/v1/documents/{created.json()['id']}"
        updates = [
            requested(client, owner, "PATCH", path, {"content": f"text{number}x{index}x"}) for index in range(14)
        ]
        publishes = [
            requested(client, owner, "POST", f"{path}/publish", {"page_width": width})
            for width in ("wide", "full", "standard", "wide", "full")
        ]

        responses, statuses = await at_once(
            [*updates, *publishes, requested(client, owner, "DELETE", f"{path}/publish")]
        )

        second += statuses[503]
        assert all("modified concurrently" in response.text for response in responses if response.status_code == 503)
        assert set(statuses) <= {200, 503}
        await shows_its_document(client, owner, path)
        stored_account(database, owner)
    print(f"{second} of {rounds * AT_ONCE} changes at once were sent away")  # noqa: T201  (for `pytest -s`)


async def test_each_content_that_updates_at_once_replace_is_stored_once(
    client: httpx.AsyncClient, database: Database, make_owner: MakeOwner, travel: Travel, rounds: int
) -> None:
    owner = make_owner("pro", plan="pro")
    for _ in range(rounds):
        travel(timedelta(seconds=1))
        created = await requested(client, owner, "POST", "/v1/documents", {"content": "first"})
        document_id = created.json()["id"]
        path = f"/v1/documents/{document_id}"

        responses, statuses = await at_once(
            requested(client, owner, "PATCH", path, {"content": f"content {index}"}) for index in range(AT_ONCE)
        )

        assert set(statuses) <= {200, 503}
        accepted = {f"content {index}" for index, response in enumerate(responses) if response.status_code == 200}
        current = (await requested(client, owner, "GET", path)).json()["content"]
        with database.read_transaction() as transaction:
            revisions = [
                find_revision(transaction, document_id, each.number)
                for each in list_revisions(transaction, document_id)
            ]
        former = [content_of(revision) for revision in revisions if revision]
        assert sorted([*former, current]) == sorted({"first"} | accepted)
        assert former[-1] == "first"


async def test_document_that_is_deleted_among_updates_and_publishes_is_gone(
    client: httpx.AsyncClient, database: Database, make_owner: MakeOwner, travel: Travel, rounds: int
) -> None:
    owner = make_owner("pro", plan="pro")
    for number in range(rounds):
        travel(timedelta(seconds=1))
        created = await requested(client, owner, "POST", "/v1/documents/publish", {"content": "first", "title": "Race"})
        path = f"/v1/documents/{created.json()['id']}"
        requests = [
            requested(client, owner, "PATCH", path, {"content": f"text{number}x{index}x"})
            if index % 2
            else requested(client, owner, "POST", f"{path}/publish", {})
            for index in range(AT_ONCE - 2)
        ]
        requests += [requested(client, owner, "DELETE", path) for _ in range(2)]

        responses, statuses = await at_once(requests)

        assert set(statuses) <= {200, 404, 503}, [response.text for response in responses]
        assert sorted(response.status_code for response in responses[-2:]) == [200, 404]
        assert (await requested(client, owner, "GET", path)).status_code == 404
        assert (await client.get(urlsplit(created.json()["published_url"]).path)).status_code == 404
        account = stored_account(database, owner)
        assert (account.documents, account.pages) == (0, 0)


async def shows_its_document(client: httpx.AsyncClient, owner: Owner, path: str) -> None:
    """Assert that the document's page, if published, shows its content."""
    document = (await requested(client, owner, "GET", path)).json()
    if document["is_published"]:
        page = await client.get(f"/d/{document['slug']}")
        assert page.status_code == 200
        assert document["content"] in page.text
