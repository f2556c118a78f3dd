"""PostgreSQL's stamps: one read for many requests, and what happens without a connection."""

import asyncio
import time
from collections.abc import Iterator

import psycopg
import pytest

from mdpublish_server.storage import Database, Stamp, migrate
from mdpublish_server.storage.accounts import add_account, find_account
from mdpublish_server.storage.postgresql import PostgresqlDatabase
from mdpublish_server.storage.stamps import Stamps
from tests.server.test_storage import ANNA
from tests.server.test_storage_postgresql import kill_connections
from tests.server.test_storage_sqlite import count_change
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
    with psycopg.connect(server.url) as connection:
        connection.execute("DELETE FROM accounts; DELETE FROM page_changes")
    return server.url


async def connected(stamps: Database | Stamps) -> Stamp:
    """Return the first stamp after connecting."""
    for _ in range(3_000):
        stamp = await (stamps.read() if isinstance(stamps, Stamps) else stamps.stamp())
        if stamp is not None:
            return stamp
        await asyncio.sleep(0.02)
    raise AssertionError("no connection")


async def test_stamp_changes_with_every_change_of_pages_and_with_nothing_else(
    database: Database, database_url: str
) -> None:
    first = await connected(database)
    assert await database.read(lambda transaction: find_account(transaction, ANNA.id)) is None
    await database.write(lambda transaction: add_account(transaction, ANNA))
    assert await database.stamp() == first

    await database.write(count_change)
    second = await database.stamp()
    other = PostgresqlDatabase(database_url)
    with other.write_transaction() as transaction:
        count_change(transaction)
        before = await database.stamp()
    third = await database.stamp()
    other.close()

    assert None not in (second, before, third)
    assert first != second
    assert third not in (first, second, before)
    assert await database.stamp() == third


async def test_many_requests_share_reads_and_one_that_leaves_disturbs_none(database_url: str) -> None:
    connections: list[psycopg.Connection[object]] = []

    def connect() -> psycopg.Connection[object]:
        connections.append(psycopg.connect(database_url, autocommit=True))
        return connections[-1]

    stamps = Stamps(connect)
    assert await stamps.read() is None
    stamp = await connected(stamps)
    requests = [asyncio.create_task(stamps.read()) for _ in range(50)]
    await asyncio.sleep(0)
    requests[0].cancel()
    requests[30].cancel()
    read = await asyncio.gather(*requests, return_exceptions=True)

    assert len(connections) == 1
    assert read[1:30] + read[31:] == [stamp] * 48
    stamps.close()
    assert connections[0].closed


async def test_request_gets_no_stamp_whose_read_began_before_it(database_url: str) -> None:
    stamps = Stamps(lambda: psycopg.connect(database_url, autocommit=True))
    with psycopg.connect(database_url, autocommit=True) as writer:
        before = await connected(stamps)
        early = asyncio.create_task(stamps.read())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        # The event loop stands still, so the early answer is on its way during this commit.
        time.sleep(1)  # noqa: ASYNC251
        writer.execute("INSERT INTO page_changes VALUES (99, 0, 1)")
        late = asyncio.create_task(stamps.read())
        assert await early == before
        assert await late != before
        writer.execute("DELETE FROM page_changes")
    stamps.close()


async def test_killed_connection_gives_no_stamp_until_there_is_another(database: Database, database_url: str) -> None:
    first = await connected(database)
    assert kill_connections(database_url)
    assert await database.stamp() is None
    assert await connected(database) == first


async def test_restarted_server_gives_another_stamp(server: PostgresqlProcess, database: Database) -> None:
    first = await connected(database)
    await asyncio.to_thread(server.stop)
    assert await asyncio.gather(*(database.stamp() for _ in range(5))) == [None] * 5
    await asyncio.to_thread(server.start)
    assert await connected(database) != first


async def test_server_that_hangs_gives_no_stamp_and_holds_nobody_up_twice(
    server: PostgresqlProcess, database_url: str
) -> None:
    stamps = Stamps(lambda: psycopg.connect(database_url, autocommit=True, connect_timeout=2), seconds=0.2)
    first = await connected(stamps)
    with server.hanging():
        early = [asyncio.create_task(stamps.read()) for _ in range(3)]
        await asyncio.sleep(0)
        late = [asyncio.create_task(stamps.read()) for _ in range(3)]
        assert await asyncio.gather(*early, *late) == [None] * 6
        assert await stamps.read() is None
    assert await connected(stamps) == first
    stamps.close()
