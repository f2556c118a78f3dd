"""A hijacked worker gets nothing of the service; on a kernel without Landlock and seccomp, this fails."""

import asyncio
import os
import socket
from pathlib import Path

import pytest

from mdpublish_core.workers import ForkServer, Worker
from mdpublish_server.conversion.pool import Pool

pytestmark = pytest.mark.security

JOBS = "tests.core.theft_jobs"
LONG = 30.0


def test_compromised_worker_takes_nothing(tmp_path: Path) -> None:
    assert asyncio.run(outcomes_of_thefts(tmp_path)) == {}


async def outcomes_of_thefts(folder: Path) -> dict[str, bytes]:
    """Return the thefts that succeed."""
    database, service = folder / "mdpublish.db", str(os.getpid())
    database.write_text("secret")
    fork_server = ForkServer(JOBS, warm_up=("warm_up", b""))
    pool = Pool(fork_server, workers=1)
    with socket.create_server(("127.0.0.1", 0)) as tcp, socket.socket(socket.AF_UNIX) as unix:
        unix.bind(str(folder / "socket"))
        unix.listen()
        port = str(tcp.getsockname()[1])
        thefts = {
            **dict.fromkeys(("read", "run program", "truncate", "change mode"), str(database)),
            "write": str(folder / "new"),
            "list": str(folder),
            **dict.fromkeys(("connect", "send datagram"), port),
            "connect by path": str(folder / "socket"),
            **dict.fromkeys(("parent environment", "parent memory", "parent descriptors", "trace", "signal"), service),
            "delete": str(database),
        }
        try:
            await pool.start()
            outcomes = {
                theft: await pool.run(theft, target.encode(), seconds=LONG, client_id="thief")
                for theft, target in thefts.items()
            }
        finally:
            pool.close()
            fork_server.close()
    return {theft: outcome for theft, outcome in outcomes.items() if outcome != b"PermissionError"}


def test_confinement_takes_little_time() -> None:
    """CPU time of starting a worker, the minimum of several; the bound is a tenth of the whole start."""
    seconds = {
        is_confined: min(start_seconds(is_confined=is_confined) for _ in range(8)) for is_confined in (False, True)
    }
    assert seconds[True] - seconds[False] < 0.02


def start_seconds(*, is_confined: bool) -> float:
    worker = Worker(JOBS, is_confined=is_confined)
    before = os.times()
    worker.start()
    worker.close()
    after = os.times()
    return after.children_user + after.children_system - before.children_user - before.children_system
