"""`Idempotency-Key`: requests that are sent again."""

import asyncio
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.errors import Conflict
from mdpublish_server.services.cleanup import clean_up_batch
from mdpublish_server.services.idempotency import StoredResponse
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import REPLAYS
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import SITE, create, publish_demo, refusal, used
from tests.server.conftest import NOW

pytestmark = pytest.mark.anyio

KEY = {"Idempotency-Key": "0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42"}
CREATE = "/v1/documents"
PUBLISH = "/v1/documents/publish"
DEMO = "/v1/demo/publish"
REPLAYED = "idempotency-replayed"


async def count(client: httpx.AsyncClient) -> int:
    return len((await client.get(CREATE)).json()["data"])


@pytest.mark.parametrize(
    ("path", "body"), [(CREATE, {"title": "A"}), (PUBLISH, {"content": "x"}), (DEMO, {"content": "x"})]
)
async def test_request_sent_again_gets_the_first_response_and_does_nothing(
    pro: httpx.AsyncClient, path: str, body: dict[str, str]
) -> None:
    first = await pro.post(path, json=body, headers=KEY)
    documents = await count(pro)
    second = await pro.post(path, json=body, headers=KEY)
    assert (second.status_code, second.content) == (first.status_code, first.content) == (201, first.content)
    assert REPLAYED not in first.headers
    assert second.headers[REPLAYED] == "true"
    assert second.headers["content-type"] == "application/json"
    assert second.headers.get("etag") == first.headers.get("etag")
    assert await count(pro) == documents


async def test_claim_sent_again_is_no_claim_of_a_used_token(free: httpx.AsyncClient) -> None:
    body = {"claim_token": (await publish_demo(free))["claim_token"]}
    responses = [await free.post("/v1/demo/claim", json=body, headers=KEY) for _ in range(2)]
    assert [response.status_code for response in responses] == [200, 200]
    assert responses[0].json() == responses[1].json()
    assert refusal(await free.post("/v1/demo/claim", json=body)) == (404, "not_found")


async def test_refusal_is_replayed_too(free: httpx.AsyncClient) -> None:
    for is_replay in (False, True):
        response = await free.post(CREATE, json={"title": 1}, headers=KEY)
        assert refusal(response) == (400, "validation_error")
        assert (REPLAYED in response.headers) is is_replay


async def test_key_with_another_body_is_a_mismatch(free: httpx.AsyncClient) -> None:
    await free.post(CREATE, json={"title": "A"}, headers=KEY)
    response = await free.post(CREATE, json={"title": "B"}, headers=KEY)
    assert refusal(response) == (422, "idempotency_mismatch")
    assert await count(free) == 1


async def test_key_is_of_an_account_and_a_path(free: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    body = {"content": "x"}
    for client, path in ((free, CREATE), (pro, CREATE), (free, PUBLISH), (free, DEMO)):
        response = await client.post(path, json=body, headers=KEY)
        assert response.status_code == 201
        assert REPLAYED not in response.headers


async def test_replay_counts_for_the_rate_and_not_for_the_month(free: httpx.AsyncClient) -> None:
    for _ in range(3):
        response = await free.post(CREATE, json={}, headers=KEY)
        assert response.status_code == 201
    assert await used(free) == 1
    assert int(response.headers["x-ratelimit-remaining"]) == 997


@pytest.mark.parametrize("environment", [{"MDPUBLISH_FREE_MONTHLY_QUOTA": "1"}])
async def test_replay_needs_no_quota_and_a_refusal_for_quota_is_not_replayed(free: httpx.AsyncClient) -> None:
    for _ in range(2):
        assert (await free.post(CREATE, json={}, headers=KEY)).status_code == 201
    for _ in range(2):
        response = await free.post(CREATE, json={}, headers={"Idempotency-Key": "other"})
        assert refusal(response) == (429, "quota_exceeded")
        assert REPLAYED not in response.headers


async def test_of_requests_at_once_one_is_done(free: httpx.AsyncClient) -> None:
    responses = await asyncio.gather(*(free.post(CREATE, json={"content": "x"}, headers=KEY) for _ in range(20)))
    created = [response for response in responses if response.status_code == 201]
    assert len({response.content for response in created}) == 1
    assert all(refusal(response) == (409, "conflict") for response in responses if response not in created)
    assert await count(free) == 1
    assert (await free.post(CREATE, json={"content": "x"}, headers=KEY)).json() == created[0].json()


async def test_request_whose_process_ended_is_done_again_after_five_minutes(
    state: AppState, travel: Callable[[timedelta], None]
) -> None:
    begun, never = asyncio.Event(), asyncio.Event()

    async def hang() -> StoredResponse:
        begun.set()
        await never.wait()
        raise AssertionError

    async def respond() -> StoredResponse:
        return StoredResponse(201, [], b"done")

    scope = ("account", "POST", CREATE)
    first = asyncio.create_task(state.idempotent_requests.run("key", scope, b"", hang))
    await begun.wait()
    travel(timedelta(minutes=5) - timedelta(microseconds=1))
    with pytest.raises(Conflict):
        await state.idempotent_requests.run("key", scope, b"", respond)
    travel(timedelta(microseconds=1))
    assert await state.idempotent_requests.run("key", scope, b"", respond) == (await respond(), False)

    # What the first one does at last changes nothing.
    first.cancel()
    with suppress(asyncio.CancelledError):
        await first
    assert await state.idempotent_requests.run("key", scope, b"", hang) == (await respond(), True)


async def test_key_is_new_after_24_hours(free: httpx.AsyncClient, travel: Callable[[timedelta], None]) -> None:
    first = await free.post(CREATE, json={}, headers=KEY)
    travel(timedelta(hours=24) - timedelta(microseconds=1))
    assert (await free.post(CREATE, json={}, headers=KEY)).json() == first.json()
    travel(timedelta(microseconds=1))
    assert (await free.post(CREATE, json={}, headers=KEY)).json()["id"] != first.json()["id"]


@pytest.mark.parametrize("key", ["", "x" * 256, "caf\u00e9", "tab\tbed"])
async def test_key_of_other_characters_or_length_is_refused(free: httpx.AsyncClient, key: str) -> None:
    response = await free.post(CREATE, json={}, headers={b"Idempotency-Key": key.encode()})
    assert refusal(response) == (400, "validation_error")
    assert await count(free) == 0


async def test_key_sent_twice_is_refused(free: httpx.AsyncClient) -> None:
    response = await free.post(
        CREATE, json={"content": "x"}, headers=[("Idempotency-Key", "a"), ("Idempotency-Key", "a")]
    )

    assert refusal(response) == (400, "validation_error")
    assert "must be sent once (got 2)" in response.text


async def test_invalid_key_is_refused_after_authentication_and_counts(
    client: httpx.AsyncClient, pro: httpx.AsyncClient
) -> None:
    invalid = {"Idempotency-Key": "x" * 256}

    stranger = await client.post(CREATE, json={"content": "x"}, headers=invalid)
    assert refusal(stranger) == (401, "unauthorized")
    before = await used(pro)
    response = await pro.post(CREATE, json={"content": "x"}, headers=invalid)
    assert refusal(response) == (400, "validation_error")
    assert int(response.headers["x-ratelimit-remaining"]) < int(response.headers["x-ratelimit-limit"])
    assert await used(pro) == before + 1


@pytest.mark.parametrize("environment", [{"MDPUBLISH_FREE_MONTHLY_QUOTA": "1"}])
async def test_invalid_key_past_the_quota_is_a_refusal_for_quota(free: httpx.AsyncClient) -> None:
    await create(free)

    response = await free.post(CREATE, json={"content": "x"}, headers={"Idempotency-Key": ""})

    assert refusal(response) == (429, "quota_exceeded")


async def test_quoted_key_is_the_bare_one(free: httpx.AsyncClient) -> None:
    await free.post(CREATE, json={}, headers={"Idempotency-Key": "one"})
    assert REPLAYED in (await free.post(CREATE, json={}, headers={"Idempotency-Key": '"one"'})).headers


async def test_key_without_an_account_has_32_characters(client: httpx.AsyncClient) -> None:
    for characters, status in ((31, 400), (32, 201)):
        response = await client.post(DEMO, json={"content": "x"}, headers={"Idempotency-Key": "k" * characters})
        assert response.status_code == status


async def test_neither_key_nor_response_is_stored_in_plain(free: httpx.AsyncClient, database: Database) -> None:
    await free.post(DEMO, json={"content": "x"}, headers=KEY)
    with database.read_transaction() as transaction:
        ((replay_id, body_hash, _, response),) = transaction.rows(Statement(select(REPLAYS)))
    assert KEY["Idempotency-Key"] not in (replay_id, body_hash)
    assert b"claim_token" not in bytes(response)
    assert SITE.encode() not in bytes(response)


async def test_replays_are_deleted_after_24_hours(free: httpx.AsyncClient, database: Database) -> None:
    await free.post(CREATE, json={}, headers=KEY)
    for hours, left in ((23, 1), (24, 0)):
        with database.write_transaction() as transaction:
            clean_up_batch(transaction, NOW + timedelta(hours=hours))
            assert len(transaction.rows(Statement(select(REPLAYS)))) == left


async def test_other_operations_ignore_the_key(free: httpx.AsyncClient) -> None:
    for _ in range(2):
        response = await free.post("/v1/convert", json={"markdown": "x"}, headers=KEY)
        assert response.status_code == 200
        assert REPLAYED not in response.headers
