"""Several server processes share a port and a rate limit, and all exit."""

import signal
import socket
import ssl
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing
from http.client import HTTPConnection
from pathlib import Path
from typing import TYPE_CHECKING

import httpx
import psutil
import pytest

from mdpublish_server.middleware.metrics import GAUGE_SECONDS
from tests.sampling import sampled
from tests.server.redis_server import RedisServer
from tests.server.test_cli import anna, half_sent, serving, url_of
from tests.stress.processes import PATIENCE, family, survivors

if TYPE_CHECKING:
    from subprocess import Popen

RATE = 2


@pytest.fixture
def headers(tmp_path: Path) -> dict[str, str]:
    return anna(tmp_path)


@pytest.fixture
def process(tmp_path: Path, headers: dict[str, str], redis_server: RedisServer) -> Iterator["Popen[str]"]:
    """A running service with two processes."""
    assert headers
    variables = {
        "MDPUBLISH_PROCESSES": "2",
        "MDPUBLISH_REDIS_URL": redis_server.url,
        "MDPUBLISH_FREE_RATE_LIMIT": str(RATE),
    }
    with serving(tmp_path, **variables) as process:
        yield process


def servers(process: "Popen[str]", port: int) -> list[psutil.Process]:
    """Return the processes with client connections."""
    return [each for each in family(process.pid)[1:] if connections_of(each, port)]


def connections_of(process: psutil.Process, port: int) -> list[object]:
    return [
        each
        for each in process.net_connections("tcp4")
        if each.status == psutil.CONN_ESTABLISHED and each.laddr.port == port
    ]


def test_processes_count_the_rate_together(process: "Popen[str]", headers: dict[str, str]) -> None:
    url = url_of(process)
    port = int(url.rpartition(":")[2])
    statuses = []
    with ExitStack() as stack:
        tls = ssl.create_default_context()  # takes 30 ms for each client otherwise
        clients = [
            stack.enter_context(httpx.Client(base_url=url, headers=headers, timeout=PATIENCE, verify=tls))
            for _ in range(60)
        ]
        for client in clients:
            assert client.get("/healthz").status_code == 200
        assert len(servers(process, port)) == 2
        time.sleep(1.1)
        begun = time.monotonic()
        responses = [client.get("/v1/usage") for client in clients]
        taken = time.monotonic() - begun
        statuses = [response.status_code for response in responses]

    # The limit per one-second window; separate limits would allow twice as many.
    assert RATE <= statuses.count(200) <= RATE * (1 + int(taken))
    assert set(statuses) == {200, 429}
    refused = next(response for response in responses if response.status_code == 429)
    assert refused.json()["error"]["code"] == "rate_limited"
    assert refused.headers["x-ratelimit-remaining"] == "0"


@pytest.mark.nightly
@pytest.mark.short
def test_what_one_process_writes_the_others_show(process: "Popen[str]") -> None:
    base_url = url_of(process)
    url = httpx.post(f"{base_url}/v1/demo/publish", json={"content": "# Hello"}, timeout=PATIENCE).json()["url"]
    assert [httpx.get(url, timeout=PATIENCE).status_code for _ in range(20)] == [200] * 20


# On a busy machine, a process with fewer connections may not wake up in the time that the others leave it.
@pytest.mark.stress
@pytest.mark.skipif(sys.platform == "win32", reason="Windows deals connections out")
@pytest.mark.parametrize("is_burst", [True, False])
def test_connections_that_are_kept_alive_are_spread(tmp_path: Path, redis_server: RedisServer, is_burst: bool) -> None:
    with serving(tmp_path, MDPUBLISH_PROCESSES="3", MDPUBLISH_REDIS_URL=redis_server.url) as process:
        port = int(url_of(process).rpartition(":")[2])
        with ExitStack() as stack:
            connections = [
                stack.enter_context(closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE))) for _ in range(16)
            ]
            for connection in connections:
                connection.connect()
                if not is_burst:
                    assert status(connection) == 200
            assert [status(connection) for connection in connections] == [200] * 16
            counts = [len(connections_of(each, port)) for each in servers(process, port)]
        process.terminate()
        process.communicate(timeout=PATIENCE)
    assert (len(counts), sum(counts)) == (3, 16)
    assert max(counts) <= 2 * min(counts), counts


def status(connection: HTTPConnection) -> int:
    connection.request("GET", "/healthz")
    response = connection.getresponse()
    response.read()
    return response.status


@pytest.mark.nightly
@pytest.mark.short
@pytest.mark.parametrize("stop_signal", sampled([signal.SIGTERM, signal.SIGINT], 2))
def test_request_under_way_gets_its_response_before_the_processes_stop(
    process: "Popen[str]", headers: dict[str, str], stop_signal: signal.Signals
) -> None:
    url = url_of(process)
    everyone = family(process.pid)
    with half_sent(url, headers) as client:
        process.send_signal(stop_signal)
        time.sleep(0.5)
        client.sendall(b': "*x*"}')
        response = b"".join(iter(lambda: client.recv(65_536), b""))
    _, err = process.communicate(timeout=PATIENCE)

    assert response.startswith(b"HTTP/1.1 200 OK\r\n")
    assert process.returncode == 0
    assert "Traceback" not in err
    # Two servers with two workers each, and their parent.
    assert len(everyone) >= 7
    assert not survivors(everyone)


@pytest.mark.nightly
@pytest.mark.short
def test_processes_end_with_their_parent_that_is_killed(process: "Popen[str]") -> None:
    url_of(process)
    everyone = family(process.pid)
    process.kill()
    process.wait()
    assert not survivors(everyone)


@pytest.mark.nightly
@pytest.mark.short
def test_process_that_dies_is_replaced(process: "Popen[str]") -> None:
    url = url_of(process)
    port = int(url.rpartition(":")[2])
    with httpx.Client(base_url=url, timeout=PATIENCE) as client:
        client.get("/healthz")
        (serving_it,) = servers(process, port)
    lost = family(serving_it.pid)
    serving_it.kill()
    assert not survivors(lost)
    end = time.monotonic() + PATIENCE
    while len(family(process.pid)) < 7 and time.monotonic() < end:
        time.sleep(0.1)
    assert len(family(process.pid)) >= 7
    assert [httpx.get(f"{url}/healthz", timeout=PATIENCE).status_code for _ in range(10)] == [200] * 10
    process.terminate()
    process.communicate(timeout=PATIENCE)
    assert process.returncode == 0


def sample(port: int, name: str) -> float:
    """Return the sum of a metric's samples."""
    output = httpx.get(f"http://127.0.0.1:{port}/metrics", timeout=PATIENCE).text
    samples = (line.rpartition(" ") for line in output.splitlines() if not line.startswith("#"))
    return sum(float(value) for label, _, value in samples if name in (label, label.partition("{")[0]))


@pytest.mark.nightly
@pytest.mark.short
def test_metrics_of_all_processes_are_one_scrape(tmp_path: Path, redis_server: RedisServer) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        metrics_port = free.getsockname()[1]
    variables = {
        "MDPUBLISH_PROCESSES": "2",
        "MDPUBLISH_REDIS_URL": redis_server.url,
        "MDPUBLISH_METRICS_PORT": str(metrics_port),
    }
    with serving(tmp_path, **variables) as process:
        url = url_of(process)
        port = int(url.rpartition(":")[2])
        seen: set[int] = set()
        requests = 0
        # Until both processes have counted some.
        while len(seen) < 2 or requests < 20:
            assert requests < 1_000, "one of two processes gets all connections"
            with httpx.Client(base_url=url, timeout=PATIENCE) as client:
                assert client.get("/healthz").status_code == 200
                requests += 1
                seen |= {each.pid for each in servers(process, port)}
        assert sample(metrics_port, "mdpublish_requests_total") == requests
        assert sample(metrics_port, "mdpublish_request_seconds_count") == requests
        assert all(sample(metrics_port, f'process_start_time_seconds{{pid="{each}"}}') > 0 for each in seen)

        killed = psutil.Process(min(seen))
        lost = family(killed.pid)
        killed.kill()
        assert not survivors(lost)
        assert sample(metrics_port, "mdpublish_requests_total") == requests
        # Gauges are a second old.
        end = time.monotonic() + PATIENCE
        while sample(metrics_port, "mdpublish_requests_under_way"):
            assert time.monotonic() < end
            time.sleep(GAUGE_SECONDS)

        process.terminate()
        process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    with socket.create_server(("127.0.0.1", metrics_port)):
        pass
