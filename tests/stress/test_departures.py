"""Law: clients that leave delay nobody.

Their documents use all the CPU time that a job may have, and each comes from another network.
"""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.remarks import remark
from tests.stress.processes import PATIENCE

pytestmark = pytest.mark.stress

HOSTILE = 34
ALLOWED_SECONDS = 7.0

REPOSITORY = Path(__file__).parents[2]
FORWARDED = {"X-Forwarded-Proto": "https", "X-Forwarded-For": "203.0.113.1"}
DEMO = '{"title": "x", "content": "spin:"}'


@pytest.fixture
def port(tmp_path: Path) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port: int = listener.getsockname()[1]
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("MDPUBLISH_")},
        "MDPUBLISH_DATABASE_URL": f"sqlite:///{tmp_path / 'test.db'}",
        "MDPUBLISH_PORT": str(port),
        "MDPUBLISH_PUBLIC_URL": "https://pages.example.org",
        "MDPUBLISH_TRUSTED_PROXIES": "127.0.0.1",
    }
    command = [sys.executable, "-m", "tests.stress.hostile_service"]
    with subprocess.Popen(command, cwd=REPOSITORY, env=environment) as process:
        try:
            wait_until_ready(port)
            yield port
        finally:
            process.kill()


def wait_until_ready(port: int) -> None:
    end = time.monotonic() + PATIENCE
    while True:
        try:
            httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=PATIENCE).raise_for_status()
        except httpx.TransportError:
            assert time.monotonic() < end, f"the service did not start within {PATIENCE} s"
            time.sleep(0.1)
        else:
            return


def sent_demo(port: int, client: str) -> socket.socket:
    head = {"Host": "pages.example.org", **FORWARDED, "X-Forwarded-For": client, "Content-Length": len(DEMO)}
    lines = "".join(f"{name}: {value}\r\n" for name, value in head.items())
    connection = socket.create_connection(("127.0.0.1", port))
    connection.sendall(f"POST /v1/demo/publish HTTP/1.1\r\n{lines}\r\n{DEMO}".encode())
    return connection


def test_demo_is_soon_published_after_those_of_clients_that_left(port: int, request: pytest.FixtureRequest) -> None:
    connections = [sent_demo(port, f"2001:db8:0:{number:x}::1") for number in range(HOSTILE)]
    # The worker has begun the first, and the others wait.
    time.sleep(1)
    for connection in connections:
        connection.close()

    began = time.monotonic()
    demo = {"title": "", "content": "# An ordinary text"}
    response = httpx.post(f"http://127.0.0.1:{port}/v1/demo/publish", json=demo, headers=FORWARDED, timeout=600)
    seconds = time.monotonic() - began

    remark(request.config, f"departures: a demo took {seconds:.1f} s after {HOSTILE} whose clients left")
    assert response.status_code == 201, response.text
    assert seconds < ALLOWED_SECONDS
