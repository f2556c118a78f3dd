"""Acknowledged writes survive a power cut, which keeps of files what was synced, and anything of later writes.

A preloaded library records what the database writes and syncs under load, and clients what was acknowledged. From the
record, the files are made as cuts at random moments may leave them, and the service starts on each.
"""

import asyncio
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random, getrandbits
from tempfile import TemporaryDirectory
from typing import Any

import httpx
import psycopg
import pytest

from mdpublish_server.storage import MigrationFailure
from tests.stress.clients import Client, Load
from tests.stress.postgresql_process import PostgresqlProcess, postgresql_process
from tests.stress.recorded_disk import Kind, RecordedDisk, Recorder
from tests.stress.service import KillableService, ServiceInProcess

CUTS = pytest.mark.parametrize(
    "cuts",
    [pytest.param(3, marks=[pytest.mark.nightly, pytest.mark.short]), pytest.param(50, marks=pytest.mark.stress)],
)
"""`nox -s nightly` runs the short form in CI, `nox -s stress` the long one."""

# Of PostgreSQL, which syncs none of these; recovery needs none.
BY_STDIO = {"log", "pg_internal.init", "pgstat.stat", "postmaster.opts"}

# Recovery opens and syncs thousands of files.
MOMENTS = {Kind.WRITE, Kind.RENAME, Kind.UNLINK, Kind.ACKNOWLEDGED}

WITH_SYNCHRONOUS = """
import sys
from mdpublish_server.storage import sqlite
sqlite._PRAGMAS = tuple(sys.argv[1] if each.startswith("synchronous") else each for each in sqlite._PRAGMAS)
from mdpublish_server.cli import main
del sys.argv[1]
main()
"""


@dataclass(slots=True, kw_only=True)
class RecordingClient(Client):
    record: Callable[[Client], None]

    async def _change(self, http: httpx.AsyncClient) -> None:
        await Client._change(self, http)
        self.record(self)

    async def _send(self, http: httpx.AsyncClient, method: str, path: str, **options: Any) -> dict[str, Any] | None:
        self.record(replace(self, sent=self.sent + 1))
        return await Client._send(self, http, method, path, **options)


class RecordedLoad:
    """Clients change documents in turns; what they know is recorded beside the file operations."""

    def __init__(self, load: Load, recorder: Recorder, root: Path) -> None:
        self.load = load
        self.recorder = recorder
        self._disk = RecordedDisk(root)
        self._states = list(map(_copy, load.clients))
        self._moments: list[Client] = []
        load.clients = [
            RecordingClient(key=client.key, random=client.random, record=self._recording(number))
            for number, client in enumerate(load.clients)
        ]

    def work(self, seconds: float, end: Callable[[], None]) -> None:
        async def end_later() -> None:
            await asyncio.sleep(seconds)
            await asyncio.to_thread(end)

        asyncio.run(self.load.work_until(end_later))

    def kinds(self) -> list[Kind]:
        return [note.kind for note in self.recorder.notes()]

    def cut(self, cuts: int, random: Random) -> Iterator[tuple[RecordedDisk, list[Client]]]:
        """Yield, for random moments in their order, the disk and what each client knew."""
        kinds = self.kinds()
        first = kinds.index(Kind.ACKNOWLEDGED)
        moments = set(random.sample([at for at in range(first, len(kinds)) if kinds[at] in MOMENTS], cuts))
        for number, note in enumerate(self.recorder.notes()):
            if note.kind is Kind.ACKNOWLEDGED:
                self._states[note.file] = self._moments[note.argument]
            else:
                self._disk.apply(note)
            if number in moments:
                yield self._disk, list(map(_copy, self._states))
        assert self._disk.unrecorded() <= BY_STDIO

    def _recording(self, number: int) -> Callable[[Client], None]:
        def record(client: Client) -> None:
            self._moments.append(_copy(client))
            self.recorder.acknowledge(number, len(self._moments) - 1)

        return record


def _copy(client: Client) -> Client:
    names = ("key", "random", "acknowledged", "sent")
    state = {name: getattr(client, name) for name in names}
    return Client(known=dict(client.known), unsure=dict(client.unsure), **state)


@pytest.fixture
def random() -> Random:
    seed = getrandbits(32)
    print(f"seed: {seed}")  # noqa: T201  (pytest shows it for failures)
    return Random(seed)


@pytest.fixture
def record_folder() -> Iterator[Path]:
    """Unlike pytest's folders, one that PostgreSQL can read, which is another user."""
    with TemporaryDirectory() as folder:
        Path(folder).chmod(0o755)
        yield Path(folder)


def record_sqlite(folder: Path, random: Random, *, seconds: float, synchronous: str = "FULL") -> RecordedLoad:
    root = folder / "recorded"
    root.mkdir()
    url = f"sqlite:///{root}/test.db"
    load = Load(service=KillableService(folder, url), random=random)
    load.open_accounts()
    recorded = RecordedLoad(load, Recorder(folder, root), root)
    command = (sys.executable, "-c", WITH_SYNCHRONOUS, f"synchronous = {synchronous}")
    service = load.service = KillableService(folder, url, settings=recorded.recorder.environment, command=command)
    # The log is kept by a kill and removed by a stop.
    try:
        for end in (service.kill, service.stop, service.stop):
            service.start()
            recorded.work(seconds / 3, end)
    finally:
        service.stop()
    return recorded


def verify_sqlite(disk: RecordedDisk, clients: list[Client], random: Random) -> None:
    """Start the service on what the cut leaves."""
    with TemporaryDirectory() as folder:
        disk.write(Path(folder), random)
        # Shared memory is a file that nobody syncs.
        shared = Path(folder, "test.db-shm")
        shared.write_bytes(random.randbytes(32_768))
        shared.chmod(0o600)
        verify(f"sqlite:///{folder}/test.db", clients, random)


def record_postgresql(
    folder: Path, record_folder: Path, server: PostgresqlProcess, random: Random, *, seconds: float, options: str = ""
) -> RecordedLoad:
    service = KillableService(folder, server.url)
    load = Load(service=service, random=random)
    load.open_accounts()
    server.stop()
    recorded = RecordedLoad(load, Recorder(record_folder, server.folder), server.folder)
    server.environment = recorded.recorder.environment
    server.options = tuple(options.split())

    def checkpoint() -> None:
        with psycopg.connect(server.url, autocommit=True) as connection:
            connection.execute("SELECT pg_switch_wal()")
            connection.execute("CHECKPOINT")

    # Without syncs, a kill loses writes, which clients would notice at once.
    kill = server.stop if options else server.kill
    try:
        server.start()
        service.start()
        for end in (checkpoint, kill, checkpoint, server.stop, checkpoint, server.stop):
            recorded.work(seconds / 6, end)
            server.start()
            service.wait_until_ready()
    finally:
        service.stop()
        server.stop()
    return recorded


def verify_postgresql(disk: RecordedDisk, clients: list[Client], random: Random) -> None:
    def write(folder: Path) -> None:
        disk.write(folder, random)
        # Their process may be another one's now.
        for name in ("postmaster.pid", ".s.PGSQL.5432.lock"):
            (folder / name).unlink(missing_ok=True)

    with postgresql_process(write) as server:
        verify(server.url, clients, random)


def verify(url: str, clients: list[Client], random: Random) -> None:
    service = ServiceInProcess(url)
    with service.running():
        Load(service=service, random=random, clients=clients).verify()


@CUTS
def test_nothing_acknowledged_is_lost_by_power_cuts_with_sqlite(tmp_path: Path, random: Random, cuts: int) -> None:
    recorded = record_sqlite(tmp_path, random, seconds=cuts / 2)
    for disk, clients in recorded.cut(cuts, random):
        verify_sqlite(disk, clients, random)
    report("SQLite", cuts, recorded)


@CUTS
def test_nothing_acknowledged_is_lost_by_power_cuts_with_postgresql(
    tmp_path: Path, record_folder: Path, killable_postgresql: PostgresqlProcess, random: Random, cuts: int
) -> None:
    recorded = record_postgresql(tmp_path, record_folder, killable_postgresql, random, seconds=cuts / 2)
    for disk, clients in recorded.cut(cuts, random):
        verify_postgresql(disk, clients, random)
    report("PostgreSQL", cuts, recorded)


@pytest.mark.stress
def test_power_cuts_show_that_sqlite_did_not_sync(tmp_path: Path, random: Random) -> None:
    recorded = record_sqlite(tmp_path, random, seconds=3, synchronous="OFF")
    assert losses("SQLite, synchronous=OFF", verify_sqlite, recorded, random)


@pytest.mark.stress
def test_power_cuts_show_that_postgresql_did_not_sync(
    tmp_path: Path, record_folder: Path, killable_postgresql: PostgresqlProcess, random: Random
) -> None:
    options = "-c synchronous_commit=off -c wal_writer_delay=10s"
    recorded = record_postgresql(tmp_path, record_folder, killable_postgresql, random, seconds=3, options=options)
    assert losses("PostgreSQL, synchronous_commit=off", verify_postgresql, recorded, random)


def losses(
    database: str,
    verify: Callable[[RecordedDisk, list[Client], Random], None],
    recorded: RecordedLoad,
    random: Random,
) -> int:
    losses = 0
    for disk, clients in recorded.cut(10, random):
        try:
            verify(disk, clients, random)
        except (AssertionError, MigrationFailure):
            losses += 1
    report(f"{database}: {losses} cuts lose writes", 10, recorded)
    return losses


def report(database: str, cuts: int, recorded: RecordedLoad) -> None:
    acknowledged = sum(client.acknowledged for client in recorded.load.clients)
    kinds = {kind.name: number for kind, number in Counter(recorded.kinds()).items()}
    print(f"{database}: {cuts} power cuts, {acknowledged} acknowledged writes, {kinds}")  # noqa: T201  (a report)
