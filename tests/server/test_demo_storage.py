"""A bound on the bytes that demos hold: exact on both databases, and freed by expiry, deletion and claims."""

import asyncio
from datetime import datetime

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.services.cleanup import clean_up_batch
from mdpublish_server.services.demos import DEMO_LIFETIME
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.demo_usage import MISCOUNTED
from mdpublish_server.storage.tables import DEMO_PAGES
from mdpublish_server.storage.transactions import Statement
from tests.server.conftest import Travel
from tests.server.test_services_health import wrong

pytestmark = pytest.mark.anyio

BODY = {"content": "# Hello"}


async def publish(client: httpx.AsyncClient) -> httpx.Response:
    return await client.post("/v1/demo/publish", json=BODY)


def counted(database: Database) -> int:
    """Return the bytes that are counted, which are those that demos hold."""
    with database.read_transaction() as transaction:
        ((number, held),) = transaction.rows(MISCOUNTED)
    assert number == held
    return int(number)


def number_counted(database: Database, size: int) -> int:
    """Return how many demos are counted; their compressed pages differ by a few bytes."""
    return round(counted(database) / size)


@pytest.fixture
async def size(client: httpx.AsyncClient, database: Database) -> int:
    """The bytes of one demo, which exists."""
    assert (await publish(client)).status_code == 201
    return counted(database)


def allow(state: AppState, size: int, *, demos: float) -> None:
    """Bound the bytes of demos."""
    object.__setattr__(state.demos, "max_bytes", round(demos * size))


async def test_demo_counts_with_its_markdown_and_its_page(client: httpx.AsyncClient, database: Database) -> None:
    created = (await publish(client)).json()
    page = await client.get(created["url"], headers={"Accept-Encoding": "gzip"})

    assert counted(database) == len(BODY["content"]) + int(page.headers["content-length"])


async def test_demo_past_the_bound_is_refused_and_the_others_stay(
    client: httpx.AsyncClient, database: Database, state: AppState, size: int
) -> None:
    allow(state, size, demos=2.5)
    second = await publish(client)
    refused = await publish(client)

    assert second.status_code == 201
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "service_unavailable")
    assert refused.headers["retry-after"] == "600"
    assert "storage for demo pages is full" in refused.json()["error"]["message"]
    assert (await client.get(second.json()["url"])).status_code == 200
    assert number_counted(database, size) == 2


async def test_refused_demo_is_not_rendered_if_nothing_is_left(
    client: httpx.AsyncClient, state: AppState, size: int, jobs: list[str]
) -> None:
    allow(state, size, demos=1)
    jobs.clear()

    assert (await publish(client)).status_code == 503
    assert jobs == []


async def test_refused_demo_leaves_nothing(
    client: httpx.AsyncClient, database: Database, state: AppState, size: int
) -> None:
    allow(state, size, demos=1.5)

    assert (await publish(client)).status_code == 503
    with database.read_transaction() as transaction:
        assert len(transaction.rows(Statement(select(DEMO_PAGES.c.identifier)))) == 1


async def test_bound_is_exact_for_concurrent_demos(
    client: httpx.AsyncClient, database: Database, state: AppState, size: int
) -> None:
    allow(state, size, demos=6.5)
    responses = await asyncio.gather(*(publish(client) for _ in range(12)))

    assert sorted(response.status_code for response in responses) == [201] * 5 + [503] * 7
    assert number_counted(database, size) == 6


async def test_claimed_demo_is_freed(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, database: Database, size: int
) -> None:
    token = (await publish(client)).json()["claim_token"]
    assert number_counted(database, size) == 2
    claimed = await pro.post("/v1/demo/claim", json={"claim_token": token})

    assert claimed.status_code == 200
    assert number_counted(database, size) == 1


async def test_deleted_demo_is_freed(client: httpx.AsyncClient, database: Database, state: AppState, size: int) -> None:
    token = (await publish(client)).json()["claim_token"]
    assert number_counted(database, size) == 2
    await state.demos.delete(token)

    assert number_counted(database, size) == 1


async def test_expired_demo_is_freed_by_the_cleanup(
    client: httpx.AsyncClient, database: Database, size: int, travel: Travel, times: list[datetime]
) -> None:
    travel(DEMO_LIFETIME / 2)
    await publish(client)
    travel(DEMO_LIFETIME / 2)
    for _ in range(2):
        with database.write_transaction() as transaction:
            clean_up_batch(transaction, times[-1])

        assert number_counted(database, size) == 1


@pytest.mark.parametrize("environment", [{"MDPUBLISH_DEMO_MEGABYTES": "2"}])
async def test_bound_is_set_in_megabytes(state: AppState) -> None:
    assert state.demos.max_bytes == 2_000_000


async def test_demos_are_counted_without_a_bound(client: httpx.AsyncClient, state: AppState, size: int) -> None:
    assert state.demos.max_bytes is None
    assert size > 0
    assert (await publish(client)).status_code == 201


@pytest.mark.usefixtures("size")
async def test_wrong_number_is_detected(database: Database, database_url: str) -> None:
    with database.write_transaction() as transaction:
        transaction._cursor.execute("UPDATE demo_usage SET bytes = bytes + 1")

    (problem,) = await asyncio.to_thread(wrong, MDPUBLISH_DATABASE_URL=database_url)

    assert "bytes, but" in problem
