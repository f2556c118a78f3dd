"""`Idempotency-Key`: requests that are sent again."""

import asyncio
from contextlib import suppress
from datetime import timedelta

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.errors import Conflict
from mdpublish_server.services import idempotency
from mdpublish_server.services.cleanup import clean_up_batch
from mdpublish_server.services.idempotency import StoredResponse
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import REPLAYS
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import create, refusal, used
from tests.server.conftest import NOW, Travel

pytestmark = pytest.mark.anyio

KEY = {"Idempotency-Key": "0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42"}
CREATE = "/v1/documents"
REPLAYED = "idempotency-replayed"


async def test_request_whose_process_ended_is_done_again_after_five_minutes(state: AppState, travel: Travel) -> None:
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


async def test_refusals_without_an_account_are_kept_for_a_number_an_hour(
    client: httpx.AsyncClient, database: Database, travel: Travel, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(idempotency, "ANONYMOUS_REFUSALS", 2)

    async def refuse_twice(number: int) -> bool:
        """Return whether the second response is the first again."""
        headers = {"Idempotency-Key": f"{number:032}"}
        first, second = [await client.post("/v1/demo/publish", json={}, headers=headers) for _ in range(2)]
        assert (first.status_code, first.content) == (second.status_code, second.content) == (400, first.content)
        return REPLAYED in second.headers

    assert [await refuse_twice(number) for number in range(4)] == [True, True, False, False]
    with database.read_transaction() as transaction:
        assert len(transaction.rows(Statement(select(REPLAYS)))) == 2
    # A demo page is bounded by what all may hold.
    await client.post("/v1/demo/publish", json={"content": "x"}, headers=KEY)
    assert REPLAYED in (await client.post("/v1/demo/publish", json={"content": "x"}, headers=KEY)).headers
    travel(timedelta(hours=1))
    assert await refuse_twice(4)


async def test_replays_are_deleted_after_24_hours(free: httpx.AsyncClient, database: Database) -> None:
    await free.post(CREATE, json={}, headers=KEY)
    for hours, left in ((23, 1), (24, 0)):
        with database.write_transaction() as transaction:
            clean_up_batch(transaction, NOW + timedelta(hours=hours))
            assert len(transaction.rows(Statement(select(REPLAYS)))) == left
