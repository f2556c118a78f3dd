"""PostgreSQL: lost connections, server restarts, deadlocks and locks."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from typing import Any

import httpx
import psycopg
import pytest

from mdpublish_server.app import create_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.services.cleanup import clean_up_batch
from mdpublish_server.settings import Settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import Account, Database, Transaction, migrate, open_database
from mdpublish_server.storage.accounts import add_account, find_account, increment_counter
from mdpublish_server.storage.documents import (
    add_document,
    delete_document,
    find_document,
    replace_document,
    unpublish_document,
)
from mdpublish_server.storage.outages import Outage
from mdpublish_server.storage.permalinks import save_page
from mdpublish_server.storage.postgresql import PostgresqlDatabase
from mdpublish_server.storage.transactions import Work
from tests.server.api_requests import publish_new, unpublish, update, used
from tests.server.conftest import NOW
from tests.server.test_storage import ANNA, BEN, EMAIL_TOKEN, PAGE, SHOWN
from tests.stress.postgresql_process import PostgresqlProcess, postgresql_process

pytestmark = pytest.mark.anyio


@pytest.fixture(scope="module")
def server() -> Iterator[PostgresqlProcess]:
    """A server that these tests may stop."""
    with postgresql_process() as server:
        migrate(server.url)
        yield server


@pytest.fixture
def database_url(server: PostgresqlProcess) -> str:
    """Only PostgreSQL."""
    server.start()
    with psycopg.connect(server.url) as connection:
        connection.execute("TRUNCATE accounts, usernames, documents, demo_pages CASCADE")
    return server.url


def kill_connections(database_url: str) -> int:
    """Terminate all other connections, as an operator or failover would; return their number."""
    with psycopg.connect(database_url, autocommit=True) as connection:
        ended = connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
            "WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
        )
        return len(ended.fetchall())


async def test_next_request_works_after_every_connection_was_killed(database_url: str, pro: httpx.AsyncClient) -> None:
    await asyncio.gather(*(pro.post("/v1/documents", json={"title": "Before"}) for _ in range(8)))
    assert kill_connections(database_url) >= 1
    responses = await asyncio.gather(*(pro.post("/v1/documents", json={"title": "After"}) for _ in range(8)))
    assert [response.status_code for response in responses] == [201] * 8


async def test_transaction_whose_connection_is_killed_is_unavailable_and_undone(
    database_url: str, database: Database
) -> None:
    def work(transaction: Transaction) -> None:
        add_account(transaction, ANNA)
        kill_connections(database_url)
        find_account(transaction, ANNA.id)

    with pytest.raises(Exception, match="database is not available"):
        await database.write(work)
    assert await database.read(lambda transaction: find_account(transaction, ANNA.id)) is None


class _LosingDatabase(PostgresqlDatabase):
    """Loses its connection when a change of one statement is done, before its result arrives."""

    async def write_once(self, work: Work[Any]) -> Any:
        def work_and_lose(transaction: Transaction) -> None:
            assert work(transaction) is not None
            raise psycopg.errors.AdminShutdown

        return await super().write_once(work_and_lose)


async def test_document_is_created_and_counted_once_if_its_connection_is_lost_afterwards(
    database_url: str, settings: Settings, converter: Converter, pro: httpx.AsyncClient
) -> None:
    database = _LosingDatabase(database_url)
    app = create_app(settings, database=database, converter=converter, clock=lambda: NOW)
    transport = httpx.ASGITransport(app)
    async with httpx.AsyncClient(transport=transport, base_url=pro.base_url, headers=pro.headers) as client:
        created = await client.post("/v1/documents", json={"title": "Once"})
    await asyncio.to_thread(database.close)
    listed = (await pro.get("/v1/documents")).json()["data"]
    assert [each["id"] for each in listed] == [created.json()["id"]]
    assert await used(pro) == 1


async def test_deadlock_is_ended_and_both_changes_are_applied(database: Database) -> None:
    with database.write_transaction() as transaction:
        add_account(transaction, ANNA)
        add_account(transaction, BEN)
    met = asyncio.Barrier(2)
    loop = asyncio.get_running_loop()
    runs = []

    def crosswise(first: Account, second: Account) -> Callable[[Transaction], None]:
        def work(transaction: Transaction) -> None:
            runs.append(first.id)
            increment_counter(transaction, first.id, "documents", limit=10)
            if runs.count(first.id) == 1:
                asyncio.run_coroutine_threadsafe(met.wait(), loop).result(30)
            increment_counter(transaction, second.id, "documents", limit=10)

        return work

    await asyncio.gather(database.write(crosswise(ANNA, BEN)), database.write(crosswise(BEN, ANNA)))

    # One transaction was aborted and retried; PostgreSQL may abort both.
    assert len(runs) > 2
    for account in (ANNA, BEN):
        matches = await database.read(lambda transaction, account_id=account.id: find_account(transaction, account_id))  # type: ignore[misc]
        assert matches
        assert matches.documents == 2


async def known_page(client: httpx.AsyncClient, database: Database, **fields: Any) -> tuple[str, str]:
    """Publish a page and view it until it is in memory; return its id and URL."""
    published = await publish_new(client, **fields)
    while await database.stamp() is None:  # noqa: ASYNC110  (it connects by itself)
        await asyncio.sleep(0.01)
    for _ in range(2):
        assert (await client.get(published["published_url"])).status_code == 200
    return published["id"], published["published_url"]


async def test_pages_in_memory_are_served_for_a_minute_without_the_server(
    server: PostgresqlProcess,
    pro: httpx.AsyncClient,
    database: Database,
    state: AppState,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now = 1_000.0
    monkeypatch.setattr(state.page_server, "_ticks", lambda: now)
    not_viewed = (await publish_new(pro, "Not viewed"))["published_url"]
    document_id, url = await known_page(pro, database, content="Viewed")
    await asyncio.to_thread(server.stop)

    statuses = {}
    for later in (0, 60, 61):
        now = 1_000.0 + later
        statuses[later] = [(await pro.get(each)).status_code for each in (url, f"{url}.md", not_viewed, "/d/none")]
    now = 1_000.0
    assert "Viewed" in (await pro.get(url)).text
    assert (await pro.get("/v1/documents")).status_code == 503
    await asyncio.to_thread(server.start)

    assert statuses == {0: [200, 503, 503, 503], 60: [200, 503, 503, 503], 61: [503, 503, 503, 503]}
    await update(pro, document_id, content="Changed")
    assert "Changed" in (await pro.get(url)).text


@pytest.mark.parametrize("is_acknowledged", [True, False])
async def test_page_that_this_process_unpublished_is_not_served_without_the_server(
    server: PostgresqlProcess, pro: httpx.AsyncClient, database: Database, is_acknowledged: bool
) -> None:
    document_id, url = await known_page(pro, database, content="Viewed")
    if is_acknowledged:
        await unpublish(pro, document_id)
        await asyncio.to_thread(server.stop)
    else:

        def lose(transaction: Transaction) -> None:
            unpublish_document(transaction, document_id)
            server.stop()

        with pytest.raises(ServiceUnavailable):
            await database.write_reserved(lose)

    page = await pro.get(url)
    await asyncio.to_thread(server.start)
    assert page.status_code == 503


async def test_server_that_is_stopped_makes_the_service_unavailable_until_it_is_back(
    server: PostgresqlProcess, pro: httpx.AsyncClient
) -> None:
    published = (await pro.post("/v1/documents/publish", json={"content": "Shown"})).json()
    await asyncio.to_thread(server.stop)

    refused = [
        await pro.post("/v1/documents", json={"title": "Refused"}),
        await pro.get("/v1/documents"),
        await pro.post("/v1/convert", json={"markdown": "x"}),
        await pro.get("/readyz"),
    ]
    page = await pro.get(published["published_url"])
    alive = await pro.get("/healthz")
    await asyncio.to_thread(server.start)

    for response in refused:
        assert (response.status_code, response.json()["error"]["code"]) == (503, "service_unavailable")
        assert int(response.headers["retry-after"]) > 0
        assert "socket" not in response.text
    assert page.status_code == 503
    assert alive.status_code == 200
    assert (await pro.get("/readyz")).status_code == 200
    assert (await pro.post("/v1/documents", json={"title": "Kept"})).status_code == 201
    assert (await pro.get("/v1/usage")).json()["used"] == 2


async def test_demo_that_is_claimed_during_cleanup_stays(database: Database, database_url: str) -> None:
    """The claim commits while the cleanup, which still sees the expired demo, waits for its lock."""
    with database.write_transaction() as transaction:
        add_account(transaction, ANNA)
        add_document(transaction, SHOWN, words="")
    assert SHOWN.expires_at
    late = SHOWN.expires_at + timedelta(seconds=1)
    other = open_database(database_url)

    with other.write_transaction() as claim:
        assert replace_document(claim, replace(SHOWN, account_id=ANNA.id, expires_at=None, visibility="link"))
        cleanup_task = asyncio.create_task(database.write(lambda transaction: clean_up_batch(transaction, late)))
        await wait_for_a_lock(database_url)
    await cleanup_task
    other.close()

    stored = await database.read(lambda transaction: find_document(transaction, SHOWN.id))
    assert stored
    assert stored.account_id == ANNA.id


async def wait_for_a_lock(database_url: str) -> None:
    """Wait until a connection is blocked by another's lock."""
    query = "SELECT count(*) FROM pg_stat_activity WHERE wait_event_type = 'Lock'"
    async with await psycopg.AsyncConnection.connect(database_url, autocommit=True) as connection:
        for _ in range(1_200):
            row = await (await connection.execute(query)).fetchone()
            if row and row[0]:
                return
            await asyncio.sleep(0.05)
    raise AssertionError("nobody waits for a lock")


async def test_page_of_a_document_that_is_being_deleted_is_not_stored_and_breaks_nothing(
    database: Database, database_url: str
) -> None:
    with database.write_transaction() as transaction:
        add_account(transaction, ANNA)
        add_document(transaction, EMAIL_TOKEN, words="")
    other = open_database(database_url)
    with other.write_transaction() as deletion:
        delete_document(deletion, ANNA.id, EMAIL_TOKEN.id)
        saving = asyncio.create_task(database.write(lambda transaction: save_page(transaction, EMAIL_TOKEN.id, PAGE)))
        await wait_for_a_lock(database_url)
    other.close()
    assert await saving is False


def test_one_request_at_a_time_tries_a_database_that_is_down() -> None:
    outage = Outage()
    with outage.admitted() as early:
        outage.begin()
        # Requests that wait for a thread do not wait for the database, too.
        with pytest.raises(ServiceUnavailable):
            outage.require(early)
    with outage.admitted() as trial:
        outage.require(trial)
        with pytest.raises(ServiceUnavailable) as refused, outage.admitted():
            pass
        assert refused.value.headers == {"Retry-After": "5"}
        outage.end()
    with outage.admitted() as first, outage.admitted() as second:
        outage.require(first)
        outage.require(second)


@pytest.mark.nightly
@pytest.mark.short
async def test_server_that_hangs_costs_the_first_requests_seconds_and_the_others_nothing(
    server: PostgresqlProcess, database_url: str
) -> None:
    database = PostgresqlDatabase(database_url, read_seconds=0.2, write_seconds=0.2)

    def find(transaction: Transaction) -> object:
        return find_account(transaction, ANNA.id)

    await asyncio.gather(*(database.read(find) for _ in range(4)))
    with server.hanging():
        for refused in await asyncio.gather(*(database.read(find) for _ in range(40)), return_exceptions=True):
            assert isinstance(refused, ServiceUnavailable)
        trial = asyncio.create_task(database.read(find))
        await asyncio.sleep(0)
        for _ in range(40):
            with pytest.raises(ServiceUnavailable):
                await database.read(find)
        assert not trial.done()
        with pytest.raises(ServiceUnavailable):
            await trial
    # On a busy machine, the first connections after it may take longer than a read's time.
    for _ in range(600):
        with suppress(ServiceUnavailable):
            assert await database.read(find) is None
            break
        await asyncio.sleep(0.1)
    else:
        pytest.fail("the database stayed unavailable")
    await asyncio.to_thread(database.close)


@pytest.mark.nightly
@pytest.mark.short
async def test_lock_that_is_held_for_long_makes_a_write_unavailable(database_url: str, pro: httpx.AsyncClient) -> None:
    await pro.post("/v1/documents", json={"title": "Before"})
    with psycopg.connect(database_url) as other:
        other.execute("SELECT id FROM accounts FOR UPDATE")
        refused = await pro.post("/v1/documents", json={"title": "Refused"})
        listed = await pro.get("/v1/documents")
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "service_unavailable")
    assert listed.status_code == 200
