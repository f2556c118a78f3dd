"""PostgreSQL's snapshots: one read for many requests, and what happens without a connection."""

import asyncio
import time
from collections.abc import Iterator

import psycopg
import pytest

from mdpublish_server.storage import Database, migrate
from mdpublish_server.storage.accounts import add_account, find_account
from mdpublish_server.storage.postgresql import PostgresqlDatabase
from mdpublish_server.storage.snapshots import Snapshots
from tests.server.test_storage import ANNA, BEN
from tests.server.test_storage_postgresql import kill_connections
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
        connection.execute("DELETE FROM accounts")
    return server.url


async def connected(stamps: Database | Snapshots) -> str:
    """Return the first stamp after connecting."""
    for _ in range(500):
        stamp = await (stamps.read() if isinstance(stamps, Snapshots) else stamps.stamp())
        if stamp is not None:
            return str(stamp)
        await asyncio.sleep(0.02)
    raise AssertionError("no connection")


async def test_stamp_changes_with_every_commit_and_not_with_reads(database: Database, database_url: str) -> None:
    first = await connected(database)
    assert await database.read(lambda transaction: find_account(transaction, ANNA.id)) is None
    assert await database.stamp() == first

    await database.write(lambda transaction: add_account(transaction, ANNA))
    second = await database.stamp()
    other = PostgresqlDatabase(database_url)
    with other.write_transaction() as transaction:
        add_account(transaction, BEN)
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

    snapshots = Snapshots(connect)
    assert await snapshots.read() is None
    stamp = await connected(snapshots)
    requests = [asyncio.create_task(snapshots.read()) for _ in range(50)]
    await asyncio.sleep(0)
    requests[0].cancel()
    requests[30].cancel()
    stamps = await asyncio.gather(*requests, return_exceptions=True)

    assert len(connections) == 1
    assert stamps[1:30] + stamps[31:] == [stamp] * 48
    snapshots.close()
    assert connections[0].closed


async def test_request_gets_no_stamp_whose_read_began_before_it(database_url: str) -> None:
    snapshots = Snapshots(lambda: psycopg.connect(database_url, autocommit=True))
    with psycopg.connect(database_url, autocommit=True) as writer:
        before = await connected(snapshots)
        early = asyncio.create_task(snapshots.read())
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        # The event loop stands still, so the early answer is on its way during this commit.
        time.sleep(0.1)  # noqa: ASYNC251
        writer.execute("CREATE TABLE IF NOT EXISTS something (it int)")
        late = asyncio.create_task(snapshots.read())
        assert await early == before
        assert await late != before
        writer.execute("DROP TABLE something")
    snapshots.close()


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
    snapshots = Snapshots(lambda: psycopg.connect(database_url, autocommit=True, connect_timeout=2), seconds=0.2)
    first = await connected(snapshots)
    with server.hanging():
        early = [asyncio.create_task(snapshots.read()) for _ in range(3)]
        await asyncio.sleep(0)
        late = [asyncio.create_task(snapshots.read()) for _ in range(3)]
        assert await asyncio.gather(*early, *late) == [None] * 6
        assert await snapshots.read() is None
    assert await connected(snapshots) == first
    snapshots.close()
