"""Measures how long others wait while a client's eight connections attack; only that they are served is judged.

The attack and the quiet service alternate, since the machine may do other work too.
"""

import asyncio
import socket
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from statistics import quantiles
from threading import Event, Thread
from urllib.parse import urlsplit

import httpx
import pytest

from tests.remarks import remark
from tests.stress.event_loop_lag import measured_lag
from tests.stress.processes import PATIENCE
from tests.stress.service import KillableService

pytestmark = pytest.mark.stress

CONNECTIONS = 8
ROUNDS = 4
PHASE_SECONDS = 15.0
"""Of conversions one after the other, quiet and attacked, in each round."""

SETTLED_SECONDS = 1.0

DOT = "".join(f"```dot\ndigraph {{ a{n} -> b -> c; a{n} -> c }}\n```\n\n" for n in range(2_000))[:100_000]
"""Uses all the CPU time that figures of a document may have."""

REPORT = "# Report\n\nSome *text*, a [link](https://example.org) and `code`.\n\n- [x] done\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
ORDINARY = REPORT * 20

SETTINGS = [
    pytest.param({}, id="default"),
    pytest.param({"MDPUBLISH_WORKERS": "2"}, id="2 workers"),
    pytest.param({"MDPUBLISH_WORKERS": "1"}, id="1 worker"),
]

CHUNKS = 990_000
CHUNKED_HEAD = b"POST /v1/demo/publish HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"


@pytest.fixture
def service(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[KillableService]:
    chosen = {"MDPUBLISH_WORKERS": "", "MDPUBLISH_DEMO_WORKERS": "", **getattr(request, "param", {})}
    service = KillableService(tmp_path, f"sqlite:///{tmp_path / 'test.db'}", settings=chosen)
    with service.running():
        service.wait_until_ready()
        yield service


def client_of(service: KillableService, name: str, plan: str) -> httpx.AsyncClient:
    service.run("account", "add", f"{name}@example.org", "--plan", plan)
    key = service.run("key", "add", f"{name}@example.org").strip()
    return httpx.AsyncClient(base_url=service.url, headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE)


def described(seconds: list[float]) -> str:
    cut = quantiles(seconds, n=20)
    return f"p50 {cut[9] * 1_000:.0f} ms, p95 {cut[18] * 1_000:.0f} ms, max {max(seconds) * 1_000:.0f} ms"


async def convert(client: httpx.AsyncClient, markdown: str) -> int:
    response = await client.post("/v1/convert", json={"markdown": markdown, "destination": "email"})
    return response.status_code


async def measure(client: httpx.AsyncClient, seconds: list[float], refused: list[int]) -> None:
    ends = time.perf_counter() + PHASE_SECONDS
    while (began := time.perf_counter()) < ends:
        status = await convert(client, f"{ORDINARY}{began}")
        seconds.append(time.perf_counter() - began)
        if status != 200:
            refused.append(status)
        await asyncio.sleep(0.05)


async def attack(client: httpx.AsyncClient) -> None:
    while True:
        if await convert(client, DOT) != 200:
            await asyncio.sleep(0.5)


@pytest.mark.parametrize("service", SETTINGS, indirect=True)
def test_account_works_while_another_sends_the_worst_texts(
    service: KillableService, request: pytest.FixtureRequest
) -> None:
    async def run() -> None:
        quiet: list[float] = []
        attacked: list[float] = []
        refused: list[int] = []
        async with client_of(service, "greedy", "free") as greedy, client_of(service, "modest", "pro") as modest:
            await convert(modest, ORDINARY)
            for _ in range(ROUNDS):
                await measure(modest, quiet, refused)
                attackers = [asyncio.create_task(attack(greedy)) for _ in range(CONNECTIONS)]
                await asyncio.sleep(SETTLED_SECONDS)
                await measure(modest, attacked, refused)
                for task in attackers:
                    task.cancel()
                await asyncio.gather(*attackers, return_exceptions=True)
                await asyncio.sleep(SETTLED_SECONDS)
        name = request.node.callspec.id
        ratio = quantiles(attacked, n=20)[18] / quantiles(quiet, n=20)[18]
        remark(request.config, f"fairness, {name}: quiet {described(quiet)}; attacked {described(attacked)}")
        remark(
            request.config,
            f"fairness, {name}: p95 {ratio:.1f} times; refused {len(refused)} of {len(quiet + attacked)}",
        )
        assert len(refused) < len(attacked)

    asyncio.run(run())


def test_one_account_alone_has_the_throughput_of_all_workers(
    service: KillableService, request: pytest.FixtureRequest
) -> None:
    async def run() -> None:
        async with client_of(service, "a", "pro") as client:
            for name, markdown, number in (("ordinary", ORDINARY, 400), ("long", REPORT * 200, 80)):
                await asyncio.gather(*(convert(client, markdown) for _ in range(CONNECTIONS)))
                began = time.perf_counter()
                statuses: list[int] = []

                async def work(markdown: str = markdown, share: int = number // CONNECTIONS) -> None:
                    statuses.extend([await convert(client, markdown) for _ in range(share)])  # noqa: B023

                await asyncio.gather(*(work() for _ in range(CONNECTIONS)))
                rate = number / (time.perf_counter() - began)
                assert statuses == [200] * number
                remark(request.config, f"fairness: one account, {name} texts, {rate:.1f} conversions a second")

    asyncio.run(run())


def send_tiny_chunks(url: str, ended: Event) -> None:
    parts = urlsplit(url)
    body = b"1\r\n \r\n" * CHUNKS
    with suppress(OSError), socket.create_connection((parts.hostname or "", parts.port or 80)) as connection:
        connection.sendall(CHUNKED_HEAD)
        connection.sendall(body)
        ended.wait(PATIENCE)


def test_chunks_of_one_byte_do_not_hold_the_event_loop(
    service: KillableService, request: pytest.FixtureRequest
) -> None:
    ended = Event()
    with measured_lag(service.url) as quiet:
        time.sleep(3)
    with measured_lag(service.url) as attacked:
        threads = [Thread(target=send_tiny_chunks, args=(service.url, ended)) for _ in range(CONNECTIONS)]
        for thread in threads:
            thread.start()
        time.sleep(6)
    ended.set()
    for thread in threads:
        thread.join()
    remark(request.config, f"fairness: /healthz, quiet {quiet}; with tiny chunks {attacked}")
