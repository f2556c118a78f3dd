"""The service in a process of its own."""

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from time import sleep
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from mdpublish_server.services.accounts import add_key, create_account
from mdpublish_server.storage import migrate, open_database

HERE = Path(__file__).parent
CONNECTIONS = 32

UNLIMITED = {
    "MDPUBLISH_PRO_RATE_LIMIT": "1000000000",
    "MDPUBLISH_PRO_MONTHLY_QUOTA": "1000000000",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A running service with the API keys of Pro accounts."""

    port: int
    keys: tuple[str, ...]
    process_id: int

    @property
    def key(self) -> str:
        return self.keys[0]

    def send(self, method: str, path: str, body: object = None) -> Any:
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        request = Request(f"http://127.0.0.1:{self.port}{path}", content, headers, method=method)
        with urlopen(request) as response:
            return json.load(response)

    def request(self, method: str, path: str, body: object = None, **headers: str) -> bytes:
        return self._request(self.key, method, path, body, headers)

    def requests(self, method: str, path: str, body: object = None) -> bytes:
        """Return one raw request per account, as read by `load.py`."""
        return b"\n%%\n".join(self._request(key, method, path, body, {}) for key in self.keys)

    def _request(self, key: str, method: str, path: str, body: object, headers: Mapping[str, str]) -> bytes:
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {key}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if content:
            lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
        return "\r\n".join([*lines, "", ""]).encode() + content

    def load(
        self, request: bytes, *, connections: int = CONNECTIONS, seconds: float, is_cycled: bool = False
    ) -> dict[str, Any]:
        command = [sys.executable, str(HERE / "load.py"), f"127.0.0.1:{self.port}", str(connections), str(seconds)]
        command += ["cycled"] if is_cycled else []
        done = subprocess.run(command, input=request, capture_output=True, check=True)
        measured: dict[str, Any] = json.loads(done.stdout)
        return measured


@contextmanager
def serving(
    database_url: str, *, fill: Callable[[Sequence[str]], object] | None = None, **settings: str
) -> Iterator[Server]:
    """Run the service on a new database, which `fill` may fill; it takes the keys."""
    migrate(database_url)
    database = open_database(database_url)
    with database.write_transaction() as transaction:
        now = datetime.now(UTC)
        keys = []
        for number in range(CONNECTIONS):
            email = f"{now:%f%S}-{number}@example.org"
            account = create_account(transaction, email=email, password_hash=None, now=now, plan="pro")
            keys.append(add_key(transaction, account, name="load", now=now).raw)
    database.close()
    if fill is not None:
        fill(keys)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, **UNLIMITED, **settings, "MDPUBLISH_DATABASE_URL": database_url}
    command = [sys.executable, str(HERE / "service_application.py"), str(port)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            wait_for(port)
            yield Server(port=port, keys=tuple(keys), process_id=process.pid)
        finally:
            process.terminate()


def wait_for(port: int) -> None:
    for _ in range(1_200):
        try:
            with urlopen(f"http://127.0.0.1:{port}/bare"):
                return
        except URLError:
            sleep(0.1)
    raise TimeoutError("the service did not start within 120 s")


def exchange(connection: socket.socket, request: bytes) -> None:
    connection.sendall(request)
    receive(connection)


def receive(connection: socket.socket) -> None:
    """Read a response; its status must be 200 or 201."""
    response = b""
    while b"\r\n\r\n" not in response:
        response += connection.recv(65_536)
    head, _, body = response.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
    left = length - len(body)
    while left > 0:
        left -= len(connection.recv(min(left, 1_000_000)))
    assert head.startswith((b"HTTP/1.1 200", b"HTTP/1.1 201")), head
