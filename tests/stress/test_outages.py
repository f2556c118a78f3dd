"""Redis or PostgreSQL that hangs (SIGSTOP): requests do not wait for it, and the log has a line a minute."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from pathlib import Path
from statistics import median

import httpx
import pytest

from tests.remarks import remark
from tests.server.redis_server import RedisServer, private_redis_server
from tests.stress.postgresql_process import PostgresqlProcess
from tests.stress.service import KillableService

pytestmark = [pytest.mark.stress, pytest.mark.anyio]

__all__ = ["private_redis_server"]

CLIENTS = 8
SECONDS = 6
PAUSE = 0.01

MAX_SLOWER = 0.05


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@dataclass(slots=True)
class Responses:
    seconds: list[float] = field(default_factory=list)
    statuses: Counter[int] = field(default_factory=Counter)
    retry_after: int = 0

    @property
    def p99(self) -> float:
        return sorted(self.seconds)[ceil(len(self.seconds) * 0.99) - 1]

    def __str__(self) -> str:
        return (
            f"median {median(self.seconds) * 1_000:.1f} ms, p99 {self.p99 * 1_000:.1f} ms, "
            f"max {max(self.seconds) * 1_000:.0f} ms, {dict(self.statuses)}"
        )


async def load(service: KillableService, key: str) -> Responses:
    responses = Responses()
    end = time.monotonic() + SECONDS

    async def work() -> None:
        headers = {"Authorization": f"Bearer {key}"}
        async with httpx.AsyncClient(base_url=service.url, headers=headers, timeout=60) as client:
            while time.monotonic() < end:
                begin = time.perf_counter()
                response = await client.get("/v1/usage")
                responses.seconds.append(time.perf_counter() - begin)
                responses.statuses[response.status_code] += 1
                responses.retry_after += "retry-after" in response.headers
                await asyncio.sleep(PAUSE)

    await asyncio.gather(*(work() for _ in range(CLIENTS)))
    return responses


@contextmanager
def running(folder: Path, database_url: str, settings: Mapping[str, str]) -> Iterator[tuple[KillableService, str]]:
    """Run the service; yields the key of an account, too."""
    service = KillableService(folder, database_url, settings=settings)
    key = service.key_of("anna@example.org")
    with service.running():
        service.wait_until_ready()
        yield service, key


async def test_requests_do_not_wait_for_redis(
    tmp_path: Path, private_redis_server: RedisServer, pytestconfig: pytest.Config
) -> None:
    settings = {"MDPUBLISH_REDIS_URL": private_redis_server.url}
    with running(tmp_path, f"sqlite:///{tmp_path}/test.db", settings) as (service, key):
        await load(service, key)
        usual = await load(service, key)
        with private_redis_server.hanging():
            hanging = await load(service, key)
    remark(pytestconfig, f"Redis responds: {usual}")
    remark(pytestconfig, f"Redis hangs: {hanging}")
    assert hanging.statuses.keys() == {200}
    assert service.errors().count("Redis is unavailable") == 1
    assert hanging.p99 < usual.p99 + MAX_SLOWER


async def test_requests_are_refused_at_once(
    tmp_path: Path, killable_postgresql: PostgresqlProcess, pytestconfig: pytest.Config
) -> None:
    with running(tmp_path, killable_postgresql.url, {}) as (service, key):
        usual = await load(service, key)
        with killable_postgresql.hanging():
            await load(service, key)  # the first wait for a response
            hanging = await load(service, key)
        after = await load(service, key)
    for name, responses in (("responds", usual), ("hangs", hanging), ("responds again", after)):
        remark(pytestconfig, f"PostgreSQL {name}: {responses}")
    assert hanging.statuses.keys() == {503}
    assert hanging.retry_after == len(hanging.seconds)
    assert median(hanging.seconds) < median(usual.seconds) + MAX_SLOWER
    assert after.statuses[200] > after.statuses[503]
    assert service.errors().count("Database not available") == 1
