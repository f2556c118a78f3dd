"""Law: clients that do not read, and headers that are hard to parse, cost others neither memory nor time.

Of 500 clients, each asks for a page of 5 MB without gzip and never reads it.
"""

import socket
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from statistics import median, quantiles
from threading import Event
from urllib.parse import urlsplit

import httpx
import psutil
import pytest

from tests.remarks import remark
from tests.stress.processes import PATIENCE
from tests.stress.service import KillableService

pytestmark = pytest.mark.stress

CLIENTS = 500
PAGE_BYTES = 5_000_000
PROBES = 300
WATCHED_SECONDS = 8.0
ARRIVAL_SECONDS = 4.0
"""In which the clients come: at once, they would be a burst of 500 requests for any page."""

MAX_GROWTH = 100_000_000
MAX_PROBE_SECONDS = 0.1
MAX_LAG_SECONDS = 0.02

ROUNDS = 15
BACKSLASH = "\\"
COOKIE_BYTES = (32_000, 15_000)
"""More than a request's headers may have, and nearly as much."""


@pytest.fixture
def service(tmp_path: Path) -> Iterator[KillableService]:
    service = KillableService(tmp_path, f"sqlite:///{tmp_path / 'test.db'}")
    with service.running():
        service.wait_until_ready()
        yield service


def publish_large_page(service: KillableService) -> str:
    """Return its path."""
    key = service.key_of("a@example.org")
    response = httpx.post(
        f"{service.url}/v1/documents/publish",
        json={"title": "Large", "content": "- [ ] a\n" * 64_000},
        headers={"Authorization": f"Bearer {key}"},
        timeout=PATIENCE,
    )
    assert response.status_code == 201, response.text
    url: str = response.json()["published_url"]
    return urlsplit(url).path


def probe(url: str, *, path: str = "/healthz") -> list[float]:
    """Return how long each response took from when its request was due: a pause delays all those due meanwhile."""
    seconds = []
    began = time.perf_counter()
    with httpx.Client(base_url=url, timeout=PATIENCE) as http:
        for number in range(PROBES):
            due = began + number * WATCHED_SECONDS / PROBES
            time.sleep(max(0.0, due - time.perf_counter()))
            assert http.get(path).status_code == 200
            seconds.append(time.perf_counter() - due)
    return seconds


def p99(seconds: list[float]) -> float:
    return quantiles(seconds, n=100)[98]


def highest_memory(process: psutil.Process, stop: Event) -> int:
    highest = 0
    while not stop.wait(0.05):
        highest = max(highest, process.memory_info().rss)
    return highest


def ask_without_reading(service: KillableService, path: str) -> socket.socket:
    parts = urlsplit(service.url)
    client = socket.socket()
    client.settimeout(PATIENCE)
    client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    client.connect((parts.hostname, parts.port))
    client.sendall(f"GET {path} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
    return client


def test_clients_that_never_read_cost_little_memory(service: KillableService, request: pytest.FixtureRequest) -> None:
    path = publish_large_page(service)
    plain = httpx.get(service.url + path, headers={"Accept-Encoding": "identity"}, timeout=PATIENCE)
    assert len(plain.content) >= PAGE_BYTES
    process = psutil.Process(service.pid)
    before = process.memory_info().rss
    stop = Event()
    with ExitStack() as stack, ThreadPoolExecutor(2) as executor:
        memory = executor.submit(highest_memory, process, stop)
        probes = executor.submit(probe, service.url)
        for _ in range(CLIENTS):
            stack.enter_context(ask_without_reading(service, path))
            time.sleep(ARRIVAL_SECONDS / CLIENTS)
        seconds = probes.result()
        stop.set()
        growth = memory.result() - before

    remark(
        request.config,
        f"{CLIENTS} clients that never read: RSS {before / 1e6:.0f} MB + {growth / 1e6:.0f} MB, "
        f"/healthz p99 {p99(seconds) * 1000:.0f} ms, longest {max(seconds) * 1000:.0f} ms",
    )
    assert growth < MAX_GROWTH
    assert p99(seconds) < MAX_PROBE_SECONDS


@pytest.mark.parametrize("size", COOKIE_BYTES)
def test_cookie_full_of_escapes_holds_nobody_up(
    service: KillableService, request: pytest.FixtureRequest, size: int
) -> None:
    hostile = {"Cookie": f'session="{BACKSLASH * size}"'}
    lags, statuses = [], set()
    with (
        httpx.Client(base_url=service.url, timeout=PATIENCE) as attacker,
        httpx.Client(base_url=service.url, timeout=PATIENCE) as http,
        ThreadPoolExecutor(1) as executor,
    ):
        for _ in range(ROUNDS):
            attack = executor.submit(attacker.get, "/account", headers=hostile)
            longest = 0.0
            while not attack.done():
                began = time.perf_counter()
                assert http.get("/healthz").status_code == 200
                longest = max(longest, time.perf_counter() - began)
            lags.append(longest)
            statuses.add(attack.result().status_code)

    remark(
        request.config,
        f"cookie of {size:,} bytes: status {statuses}, /healthz meanwhile at most {median(lags) * 1000:.1f} ms (median of {ROUNDS})",
    )
    assert median(lags) < MAX_LAG_SECONDS
