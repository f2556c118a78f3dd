"""Acknowledged writes survive SIGKILL of the service, the database server, or both.

Clients create, publish, edit, unpublish and delete documents during a kill and restart; then all is checked.
"""

import asyncio
from pathlib import Path
from random import Random

import pytest

from tests.stress.clients import Load
from tests.stress.postgresql_process import PostgresqlProcess
from tests.stress.service import KillableService

KILLS = pytest.mark.parametrize(
    "kills",
    [pytest.param(2, marks=[pytest.mark.nightly, pytest.mark.short]), pytest.param(50, marks=pytest.mark.stress)],
)
"""`nox -s nightly` runs the short form in CI, `nox -s stress` the long one."""


@KILLS
def test_nothing_acknowledged_is_lost_with_the_service_on_sqlite(tmp_path: Path, kills: int) -> None:
    service = KillableService(tmp_path, f"sqlite:///{tmp_path}/test.db")
    load = Load(service=service, random=Random(kills))
    load.open_accounts()
    service.start()

    async def killed() -> None:
        service.kill()

    try:
        for _ in range(kills):
            asyncio.run(load.work_until(killed))
            service.start()
            load.verify()
    finally:
        service.stop()

    assert service.errors() == ""
    report("SQLite", kills, load)


@KILLS
def test_nothing_acknowledged_is_lost_with_the_service_or_postgresql(
    tmp_path: Path, killable_postgresql: PostgresqlProcess, kills: int
) -> None:
    service = KillableService(tmp_path, killable_postgresql.url)
    load = Load(service=service, random=Random(kills))
    load.open_accounts()
    service.start()

    async def kill_service() -> None:
        service.kill()

    async def kill_both() -> None:
        await asyncio.to_thread(killable_postgresql.kill)
        service.kill()

    async def kill_postgresql() -> None:
        await asyncio.to_thread(killable_postgresql.kill)
        await asyncio.to_thread(killable_postgresql.start)
        await asyncio.to_thread(service.wait_until_ready)
        await asyncio.sleep(0.3)

    try:
        for number in range(kills):
            kill = (kill_postgresql, kill_service, kill_both)[number % 3]
            asyncio.run(load.work_until(kill))
            killable_postgresql.start()
            if kill is not kill_postgresql:
                service.start()
            load.verify()
    finally:
        service.stop()

    report("PostgreSQL", kills, load)


def report(database: str, kills: int, load: Load) -> None:
    documents = sum(len(client.known) for client in load.clients)
    acknowledged = sum(client.acknowledged for client in load.clients)
    summary = (
        f"{database}: {kills} kills, {acknowledged} acknowledged writes, {documents} documents, {dict(load.statuses())}"
    )
    print(summary)  # noqa: T201  (a report)
