"""SQLite: batched transactions, and locked, full or missing databases."""

import asyncio
import resource
import shutil
import sqlite3
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import httpx
import pytest

from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.storage import Account, Database, Transaction, open_database
from mdpublish_server.storage.accounts import add_account, find_account, list_accounts
from mdpublish_server.storage.disk_reserve import RESERVE_BYTES, DiskReserve
from mdpublish_server.storage.documents import add_document, delete_document, find_document, replace_document
from mdpublish_server.storage.search_index import newest_indexed
from mdpublish_server.storage.sqlite import SqliteDatabase
from tests.server.conftest import NOW, PRAGMAS, Travel
from tests.server.test_storage import ANNA, DRAFT
from tests.stress.processes import PATIENCE
from tests.stress.service import KillableService

LARGE = "word " * 150_000

BUSY_TIMEOUT_MS = 300

pytestmark = pytest.mark.anyio


@pytest.fixture
def path(tmp_path: Path, migrated_sqlite: Path) -> Path:
    return Path(shutil.copy(migrated_sqlite, tmp_path / "test.db"))


@pytest.fixture
def database_url(path: Path) -> str:
    """Only SQLite."""
    return f"sqlite:///{path}"


@pytest.fixture
def database(path: Path) -> Iterator[SqliteDatabase]:
    """A database with a short busy timeout."""
    database = SqliteDatabase(str(path), busy_timeout_ms=BUSY_TIMEOUT_MS)
    yield database
    database.close()


def account(number: int) -> Account:
    return Account(
        id=f"account-{number}",
        email=f"{number}@example.org",
        password_hash=None,
        username=None,
        plan="free",
        plan_until=None,
        is_suspended=False,
        created_at=NOW,
        documents=0,
        pages=0,
        active_keys=0,
        month="2026-03",
        used=0,
    )


@contextmanager
def locked(path: Path) -> Iterator[None]:
    """Hold the write lock from another connection."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield


async def test_connections_are_safe_and_durable(database: SqliteDatabase, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mdpublish_server.storage.sqlite._PRAGMAS", PRAGMAS)
    await database.write(lambda transaction: add_account(transaction, account(0)))
    with database.read_transaction() as transaction:
        reader = transaction._cursor.connection  # type: ignore[attr-defined]
    assert database._writer
    for connection in (database._writer, reader):
        values = [
            connection.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("journal_mode", "synchronous", "foreign_keys")
        ]
        assert values == ["wal", 2, 1]


async def test_request_that_fails_harms_no_other_of_its_batch(database: SqliteDatabase) -> None:
    def add(number: int) -> Callable[[Transaction], None]:
        def work(transaction: Transaction) -> None:
            add_account(transaction, account(number))
            if number % 3 == 1:
                raise LookupError(number)
            if number % 3 == 2:
                # A duplicate key, bypassing the function that would prevent it.
                transaction._cursor.execute(
                    "INSERT INTO accounts SELECT * FROM accounts WHERE id = :id", {"id": account(number).id}
                )

        return work

    outcomes = await asyncio.gather(*(database.write(add(number)) for number in range(30)), return_exceptions=True)

    assert [type(outcome) for outcome in outcomes] == [type(None), LookupError, sqlite3.IntegrityError] * 10
    with database.read_transaction() as transaction:
        assert {stored.id for stored in list_accounts(transaction)} == {
            account(number).id for number in range(0, 30, 3)
        }


async def test_requests_that_wait_share_one_transaction(database: SqliteDatabase) -> None:
    await database.write(lambda transaction: add_account(transaction, account(1_000)))
    commits = 0

    def count(statement: str) -> None:
        nonlocal commits
        commits += statement == "COMMIT"

    assert database._writer
    database._writer.set_trace_callback(count)
    await asyncio.gather(*(database.write(lambda t, n=n: add_account(t, account(n))) for n in range(100)))  # type: ignore[misc]

    assert commits <= 4
    with database.read_transaction() as transaction:
        assert len(list_accounts(transaction)) == 101


async def test_response_comes_after_the_commit(database: SqliteDatabase, path: Path) -> None:
    with closing(sqlite3.connect(path)) as other:
        for number in range(20):
            await database.write(lambda t, n=number: add_account(t, account(n)))  # type: ignore[misc]
            assert other.execute("SELECT count(*) FROM accounts").fetchone() == (number + 1,)


async def test_reader_sees_one_state_while_another_writes(database: SqliteDatabase) -> None:
    with database.read_transaction() as transaction:
        assert list_accounts(transaction) == ()
        await database.write(lambda transaction: add_account(transaction, account(0)))
        assert list_accounts(transaction) == ()


async def test_write_waits_for_the_lock_of_another_process(path: Path) -> None:
    patient = SqliteDatabase(str(path), busy_timeout_ms=PATIENCE * 1_000)
    with locked(path):
        writing = asyncio.create_task(patient.write(lambda transaction: add_account(transaction, account(0))))
        await asyncio.sleep(0.3)
        assert not writing.done()
        # Readers do not wait.
        assert await patient.read(lambda transaction: find_account(transaction, account(0).id)) is None
    assert await writing
    patient.close()


def count_change(transaction: Transaction) -> None:
    """Count a change of pages, as triggers do."""
    transaction._cursor.execute(
        "INSERT INTO page_changes VALUES (1, 1, 0) ON CONFLICT (id) DO UPDATE SET changes = page_changes.changes + 1"
    )


async def test_stamp_changes_with_every_change_of_pages_and_with_nothing_else(
    database: SqliteDatabase, path: Path
) -> None:
    stamps = [await database.stamp()]
    await asyncio.sleep(0)
    stamps.append(await database.stamp())
    await database.write(lambda transaction: add_account(transaction, account(0)))
    assert await database.stamp() == stamps[0]
    await database.write(count_change)
    stamps += [await database.stamp(), await database.stamp()]
    with SqliteDatabase(str(path)).write_transaction() as transaction:
        count_change(transaction)
    # Cached for one iteration of the event loop.
    assert await database.stamp() == stamps[-1]
    await asyncio.sleep(0)
    stamps.append(await database.stamp())
    assert stamps[0] == stamps[1] != stamps[2] == stamps[3] != stamps[4]
    assert None not in stamps


async def test_reads_of_an_iteration_share_a_snapshot_and_later_ones_see_what_was_committed(
    database: SqliteDatabase, path: Path
) -> None:
    other = SqliteDatabase(str(path))
    seen = [len(await database.read(list_accounts))]
    with other.write_transaction() as transaction:
        add_account(transaction, account(0))
    seen.append(len(await database.read(list_accounts)))
    await asyncio.sleep(0)
    seen.append(len(await database.read(list_accounts)))
    await database.write(lambda transaction: add_account(transaction, account(1)))
    seen.append(len(await database.read(list_accounts)))
    assert seen == [0, 0, 1, 2]


async def test_log_stays_short_however_long_writers_leave_no_pause(path: Path) -> None:
    database = SqliteDatabase(str(path), checkpoint_seconds=0.02, wal_pages=50)

    async def write(numbers: range) -> None:
        for number in numbers:
            await database.write(lambda transaction, number=number: add_account(transaction, account(number)))  # type: ignore[misc]

    # Overlapping writers leave no pause in which a checkpoint could complete.
    await asyncio.gather(*(write(range(first, first + 1_500)) for first in range(0, 6_000, 1_500)))
    size = path.with_name(f"{path.name}-wal").stat().st_size
    assert await database.read(lambda transaction: find_account(transaction, account(5_999).id))
    database.close()
    # 50 MB without a bound; the limit allows generously for writes during a checkpoint.
    assert size < 25_000_000


@pytest.mark.nightly
@pytest.mark.short
async def test_too_many_writes_that_wait_are_refused(database: SqliteDatabase, path: Path) -> None:
    with locked(path):
        outcomes = await asyncio.gather(
            *(database.write(lambda _transaction: None) for _ in range(1_200)), return_exceptions=True
        )
    refused = [outcome for outcome in outcomes if "Too many pending writes" in str(outcome)]
    assert 100 <= len(refused) < 1_200
    assert await database.write(lambda transaction: add_account(transaction, account(0)))


async def test_database_that_stays_locked_is_unavailable_for_writing_and_is_read(
    path: Path, pro: httpx.AsyncClient, travel: Travel
) -> None:
    published = (await pro.post("/v1/documents/publish", json={"content": "Shown"})).json()

    with locked(path):
        refused = await pro.post("/v1/documents", json={"title": "Refused"})
        # Long enough for the key's last use to be stored again.
        travel(timedelta(minutes=5))
        listed = await pro.get("/v1/documents")
        usage = await pro.get("/v1/usage")
        page = await pro.get(published["published_url"])
        ready = await pro.get("/readyz")
    after = await pro.post("/v1/documents", json={"title": "Kept"})

    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "service_unavailable")
    assert refused.headers["retry-after"] == "5"
    assert [response.status_code for response in (listed, usage, page, ready)] == [200] * 4
    assert after.status_code == 201
    # The rejected request was not counted.
    assert (await pro.get("/v1/usage")).json()["used"] == 2


async def test_page_that_must_be_rerendered_is_shown_while_nothing_can_be_written(
    database: SqliteDatabase, path: Path, pro: httpx.AsyncClient
) -> None:
    published = (await pro.post("/v1/documents/publish", json={"content": "Shown"})).json()
    with database.write_transaction() as transaction:
        transaction._cursor.execute("UPDATE pages SET render_version = 0")
    with locked(path):
        page = await pro.get(published["published_url"])
    assert page.status_code == 200
    assert "Shown" in page.text


async def test_full_disk_refuses_writes_and_lets_reads_go_on(database: SqliteDatabase, pro: httpx.AsyncClient) -> None:
    published = (await pro.post("/v1/documents/publish", json={"content": "Shown"})).json()
    assert database._writer
    (pages,) = database._writer.execute("PRAGMA page_count").fetchone()
    database._writer.execute(f"PRAGMA max_page_count = {pages + 3}")

    refused = await pro.post("/v1/documents", json={"content": LARGE})
    listed = await pro.get("/v1/documents")
    page = await pro.get(published["published_url"])
    assert (refused.status_code, refused.json()["error"]["code"]) == (503, "service_unavailable")
    assert "full" not in refused.text
    assert len(listed.json()["data"]) == 1
    assert page.status_code == 200

    # SQLite rolled back one statement, or the batch and with it the connection.
    if isinstance(database._writer, sqlite3.Connection):
        database._writer.execute("PRAGMA max_page_count = 1000000")
    assert (await pro.post("/v1/documents", json={"content": LARGE})).status_code == 201
    assert (await pro.get("/v1/usage")).json()["used"] == 2


async def test_full_disk_harms_no_other_request_of_the_batch(database: SqliteDatabase, pro: httpx.AsyncClient) -> None:
    await pro.post("/v1/documents", json={"title": "First"})
    assert database._writer
    (pages,) = database._writer.execute("PRAGMA page_count").fetchone()
    database._writer.execute(f"PRAGMA max_page_count = {pages + 3}")

    bodies = [{"content": LARGE} if number == 4 else {"title": f"Small {number}"} for number in range(8)]
    responses = await asyncio.gather(*(pro.post("/v1/documents", json=body) for body in bodies))

    statuses = [response.status_code for response in responses]
    assert statuses[4] == 503
    assert set(statuses) <= {201, 503}
    listed = {document["id"] for document in (await pro.get("/v1/documents")).json()["data"]}
    # Exactly the acknowledged documents exist, whichever others SQLite rolled back.
    acknowledged = {response.json()["id"] for response in responses if response.status_code == 201}
    assert len(listed) == len(acknowledged) + 1
    assert acknowledged <= listed
    assert (await pro.get("/v1/usage")).json()["used"] == len(listed)


@pytest.fixture
def crowded(database: SqliteDatabase, path: Path) -> SqliteDatabase:
    """The database on a disk that has no room for the reserve."""
    database._reserve = DiskReserve(f"{path}-reserve", size=1 << 60)
    return database


@pytest.fixture
async def stored(pro: httpx.AsyncClient) -> list[str]:
    """Documents of 5 MB in all, the first of which is published."""
    documents = [(await pro.post("/v1/documents", json={"content": LARGE})).json()["id"] for _ in range(7)]
    assert (await pro.post(f"/v1/documents/{documents[0]}/publish")).status_code == 200
    return documents


async def test_on_a_full_disk_documents_are_deleted_and_unpublished(
    pro: httpx.AsyncClient, stored: list[str], request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("crowded")

    refused = await pro.post("/v1/documents", json={"content": "more"})
    changed = await pro.patch(f"/v1/documents/{stored[1]}", json={"title": "more"})
    unpublished = await pro.delete(f"/v1/documents/{stored[0]}/publish")
    deleted = await pro.delete(f"/v1/documents/{stored[0]}")

    assert [each.status_code for each in (refused, changed, unpublished, deleted)] == [503, 503, 200, 200]
    assert refused.headers["retry-after"] == "60"
    assert "deleting and unpublishing work" in refused.json()["error"]["message"]
    assert {each["id"] for each in (await pro.get("/v1/documents")).json()["data"]} == set(stored[1:])


async def test_pages_that_deletions_freed_are_room_for_new_documents(
    pro: httpx.AsyncClient, stored: list[str], request: pytest.FixtureRequest
) -> None:
    request.getfixturevalue("crowded")
    statuses = []
    for document_id in stored:
        assert (await pro.delete(f"/v1/documents/{document_id}")).status_code == 200
        statuses.append((await pro.post("/v1/documents", json={"content": "more"})).status_code)
    assert statuses[0] == 503
    assert statuses[-1] == 201


async def test_reserve_is_given_up_for_a_deletion_and_taken_again(database: SqliteDatabase, path: Path) -> None:
    reserve = database._reserve = DiskReserve(f"{path}-reserve")
    await database.write(lambda transaction: add_account(transaction, account(0)))
    assert Path(f"{path}-reserve").stat().st_size == RESERVE_BYTES
    assert Path(f"{path}-reserve").stat().st_mode & 0o777 == 0o600

    def fill(transaction: Transaction) -> None:
        for number in range(1, 100):
            add_account(transaction, account(number))

    held = []
    for write in (database.write, database.write_reserved):
        assert database._writer
        (pages,) = database._writer.execute("PRAGMA page_count").fetchone()
        # The first attempt fails, whatever the work is; only one with the reserve has a second.
        database._writer.execute(f"PRAGMA max_page_count = {pages}")
        with suppress(ServiceUnavailable):
            await write(fill)
        held.append(reserve.is_held())
    assert held == [True, False]
    with database.read_transaction() as transaction:
        assert len(list_accounts(transaction)) == 100

    await database.write(lambda transaction: add_account(transaction, account(100)))
    assert reserve.is_held()


@pytest.mark.nightly
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="only Linux bounds the files of another process")
def test_real_service_outlives_a_full_disk(tmp_path: Path) -> None:
    service = KillableService(tmp_path, f"sqlite:///{tmp_path}/service.db")
    key = service.key_of("anna@example.org")
    with (
        service.running(),
        httpx.Client(base_url=service.url, headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE) as client,
    ):
        published = client.post("/v1/documents/publish", json={"content": "Shown"}).json()
        with full_disk(service, tmp_path):
            statuses = [client.post("/v1/documents", json={"content": LARGE}).status_code for _ in range(4)]
            listed = client.get("/v1/documents")
            page = client.get(published["published_url"])
        assert statuses == [503] * 4
        assert (listed.status_code, page.status_code) == (200, 200)
        assert len(listed.json()["data"]) == 1
        assert client.post("/v1/documents", json={"content": LARGE}).status_code == 201
        assert client.get("/v1/usage").json()["used"] == 2
    assert "ERROR" not in service.run("doctor")


@contextmanager
def full_disk(service: KillableService, folder: Path) -> Iterator[None]:
    """Limit the service's file size to its largest database file, but for the reserve, plus 8 KB."""
    size = max(file.stat().st_size for file in folder.glob("service.db*") if not file.name.endswith("-reserve"))
    unlimited = resource.prlimit(service.pid, resource.RLIMIT_FSIZE)
    resource.prlimit(service.pid, resource.RLIMIT_FSIZE, (size + 8_192, unlimited[1]))
    try:
        yield
    finally:
        resource.prlimit(service.pid, resource.RLIMIT_FSIZE, unlimited)


async def test_file_that_is_gone_is_unavailable_and_not_recreated(tmp_path: Path) -> None:
    database = open_database(f"sqlite:///{tmp_path}/gone.db")
    with pytest.raises(ServiceUnavailable):
        await database.read(list_accounts)
    with pytest.raises(ServiceUnavailable):
        await database.write(lambda transaction: add_account(transaction, account(0)))
    assert await database.stamp() is None
    database.close()
    assert list(tmp_path.iterdir()) == []


async def test_writers_of_several_processes_alternate(path: Path) -> None:
    """Threads with a database each behave as processes: they share only the file."""

    def write(begin: int) -> None:
        async def add_all(database: Database) -> None:
            for number in range(begin, begin + 50):
                assert await database.write(lambda t, n=number: add_account(t, account(n)))  # type: ignore[misc]

        database = open_database(f"sqlite:///{path}")
        asyncio.run(add_all(database))
        database.close()

    threads = [threading.Thread(target=write, args=(begin,)) for begin in range(0, 200, 50)]
    for thread in threads:
        thread.start()
    for thread in threads:
        await asyncio.to_thread(thread.join)
    database = open_database(f"sqlite:///{path}")
    with database.read_transaction() as transaction:
        assert len(list_accounts(transaction)) == 200
    database.close()


async def test_cancelled_request_that_waits_is_not_done(database: SqliteDatabase, path: Path) -> None:
    with locked(path):
        waiting = asyncio.create_task(database.write(lambda _transaction: None))
        await asyncio.sleep(0.05)
        cancelled = asyncio.create_task(database.write(lambda transaction: add_account(transaction, account(0))))
        await asyncio.sleep(0)
        cancelled.cancel()
        with suppress(ServiceUnavailable):
            await waiting
    await database.write(lambda transaction: add_account(transaction, account(1)))
    with database.read_transaction() as transaction:
        assert [stored.id for stored in list_accounts(transaction)] == [account(1).id]


LONG_WORDS = " ".join(f"word{number}" for number in range(8_000))
RENAMED = replace(DRAFT, title="Another")

CHANGES: dict[str, Callable[[Transaction], object]] = {
    "a title": lambda transaction: replace_document(transaction, RENAMED, words=None),
    "a text in place of a long one": lambda transaction: replace_document(transaction, DRAFT, words="short"),
    "a deletion": lambda transaction: delete_document(transaction, ANNA.id, DRAFT.id),
}


async def threads_of(database: SqliteDatabase, change: Callable[[Transaction], object]) -> list[bool]:
    """Write a change; return where it ran: True for the event loop."""
    threads: list[int] = []

    def work(transaction: Transaction) -> None:
        threads.append(threading.get_ident())
        change(transaction)

    await database.write(work)
    return [thread == threading.get_ident() for thread in threads]


async def add(database: SqliteDatabase, words: str) -> list[bool]:
    await database.write(lambda transaction: add_account(transaction, ANNA))
    return await threads_of(database, lambda transaction: add_document(transaction, DRAFT, words=words))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_index_of_a_short_text_is_changed_in_the_event_loop(
    database: SqliteDatabase, change: Callable[[Transaction], object]
) -> None:
    assert await add(database, "short") == [True]
    assert await threads_of(database, change) == [True]


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
async def test_index_of_a_long_text_is_changed_in_a_thread(
    database: SqliteDatabase, change: Callable[[Transaction], object]
) -> None:
    assert await add(database, LONG_WORDS) == [True, False]
    assert await threads_of(database, change) == [True, False]


async def test_long_text_whose_title_stays_is_changed_in_the_event_loop(database: SqliteDatabase) -> None:
    await add(database, LONG_WORDS)
    moved = replace(DRAFT, slug="moved")
    assert await threads_of(database, lambda transaction: replace_document(transaction, moved, words=None)) == [True]


async def test_long_changes_and_others_share_a_transaction(database: SqliteDatabase) -> None:
    await database.write(lambda transaction: add_account(transaction, ANNA))

    def fail(transaction: Transaction) -> None:
        add_document(transaction, replace(DRAFT, id="failed"), words=LONG_WORDS)
        raise LookupError

    outcomes = await asyncio.gather(
        database.write(lambda transaction: add_document(transaction, DRAFT, words=LONG_WORDS)),
        database.write(fail),
        database.write(lambda transaction: add_account(transaction, account(1))),
        return_exceptions=True,
    )

    assert [type(each) for each in outcomes] == [type(None), LookupError, bool]
    with database.read_transaction() as transaction:
        assert find_document(transaction, DRAFT.id) == DRAFT
        assert find_document(transaction, "failed") is None
        assert len(newest_indexed(transaction, ANNA.id, before=2**62, limit=9)) == 1
