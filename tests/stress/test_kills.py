"""Acknowledged writes survive SIGKILL of the service, the database server, or both.

Clients create, publish, edit, unpublish and delete documents during a kill and restart; then writes and counters are
checked.
"""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

import httpx
import pytest

from tests.stress.clients import Client
from tests.stress.postgresql_process import PostgresqlProcess
from tests.stress.service import KillableService

ACCOUNTS = 2
CLIENTS_OF_ACCOUNT = 3

KILLS = pytest.mark.parametrize(
    "kills",
    [pytest.param(2, marks=[pytest.mark.nightly, pytest.mark.short]), pytest.param(50, marks=pytest.mark.stress)],
)
"""`nox -s nightly` runs the short form in CI, `nox -s stress` the long one."""


@dataclass(slots=True, kw_only=True)
class Load:
    service: KillableService
    random: Random
    clients: list[Client] = field(default_factory=list)

    def open_accounts(self) -> None:
        for number in range(ACCOUNTS):
            email = f"client{number}@example.org"
            self.service.run("account", "add", email, "--plan", "pro")
            key = self.service.run("key", "add", email).strip()
            self.clients += [Client(key=key, random=Random(self.random.random())) for _ in range(CLIENTS_OF_ACCOUNT)]

    async def work_until(self, killed: Callable[[], Awaitable[None]]) -> None:
        stop = asyncio.Event()
        work = [asyncio.create_task(client.work(self.service.url, stop)) for client in self.clients]
        await asyncio.sleep(0.1 + 1.4 * self.random.random())
        try:
            await killed()
        finally:
            stop.set()
        await asyncio.gather(*work)

    def verify(self) -> None:
        """Check that no write is lost, that counters are right, and that `doctor` agrees."""

        async def verify() -> None:
            await asyncio.gather(*(client.verify(self.service.url) for client in self.clients))

        asyncio.run(verify())
        self._verify_counts()
        output = self.service.run("doctor")
        assert "ERROR" not in output, output

    def statuses(self) -> Counter[int]:
        return sum((client.statuses for client in self.clients), Counter())

    def _verify_counts(self) -> None:
        """Check that all acknowledged requests are counted, and only requests that were sent."""
        for number in range(ACCOUNTS):
            clients = self.clients[number * CLIENTS_OF_ACCOUNT : (number + 1) * CLIENTS_OF_ACCOUNT]
            headers = {"Authorization": f"Bearer {clients[0].key}"}
            used = httpx.get(f"{self.service.url}/v1/usage", headers=headers, timeout=60).json()["used"]
            assert sum(client.acknowledged for client in clients) <= used <= sum(client.sent for client in clients)


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
