"""What requests cost while others send theirs: views beside conversions, and small requests beside bursts of searches."""

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from itertools import cycle, islice
from statistics import median, quantiles
from threading import Event
from time import perf_counter, sleep

from benchmarks.rows import page_path
from benchmarks.server import Server, exchange, receive

CONVERSIONS = 20
"""A second; two connections send them, so that a slow one delays no other."""

SEARCHES = 16
"""At once, in an account with many documents: the first hits, late ones, and none."""

SEARCH_RATE = 30
"""Searches a second that an account may send by default on the Pro plan; the benchmark's service has no limit."""

_QUERIES = ("common", "common&cursor=0-5000-0", "comm", "absent", "rare")


def print_neighbors(large: Server, others: Server, *, rounds: int, pages: int) -> None:
    """Print both, each with and without the load of others in turns."""
    seconds = 0.5 if rounds == 1 else 3.0
    other = replace(others, keys=others.keys[-1:])
    _print_views(other, rounds, seconds, pages)
    _print_small_requests(large, other, rounds, 2 * seconds)


def _print_views(server: Server, rounds: int, seconds: float, pages: int) -> None:
    views = b"\n%%\n".join(server.request("GET", page_path(at), Accept_Encoding="gzip") for at in range(pages))
    request = server.request("POST", "/v1/convert", {"markdown": "# Small\n\nSome *text*."})

    def convert(connections: list[socket.socket]) -> None:
        exchange(connections[0], request)

    alone: list[float] = []
    beside: list[float] = []
    server.load(views, connections=16, seconds=seconds, is_cycled=True)
    for _ in range(rounds):
        load = server.load(views, connections=16, seconds=seconds, is_cycled=True)
        alone.append(load["requests"] / load["seconds"])
        half = CONVERSIONS / 2
        with _sending(server, convert, half), _sending(server, convert, half):
            load = server.load(views, connections=16, seconds=seconds, is_cycled=True)
        beside.append(load["requests"] / load["seconds"])
    ratio = median(beside) / median(alone)
    print(f"\n- views of {pages} pages in turn, 16 connections: {median(alone):,.0f} a second alone, ", end="")
    print(f"{median(beside):,.0f} beside {CONVERSIONS} small conversions a second: {ratio:.2f} (goal: 0.8)", flush=True)


def _print_small_requests(large: Server, other: Server, rounds: int, seconds: float) -> None:
    cookie = f"session={large.key}"
    searches = cycle([large.request("GET", f"/documents?q={query}", Cookie=cookie) for query in _QUERIES])

    def search(connections: list[socket.socket]) -> None:
        for connection, request in zip(connections, islice(searches, SEARCHES), strict=True):
            connection.sendall(request)
        for connection in connections:
            receive(connection)

    print(f"\n| another account's request, p50 and p95, ms | quiet | beside {SEARCHES} searches at once ", end="")
    print("| ratio of p95 (goal: 3) |\n|---|--:|--:|--:|")
    for what, (method, path) in {
        "get usage": ("GET", "/v1/usage"),
        "list documents": ("GET", "/v1/documents"),
        "create a document": ("POST", "/v1/documents"),
    }.items():
        request = other.request(method, path, {"title": "Small"} if method == "POST" else None)
        quiet: list[float] = []
        attacked: list[float] = []
        for _ in range(rounds):
            quiet += _times(other, request, seconds)
            with _sending(large, search, SEARCH_RATE / SEARCHES, connections=SEARCHES):
                attacked += _times(other, request, seconds)
        p95 = [quantiles(times, n=20)[-1] for times in (quiet, attacked)]
        cells = [f"{median(times):.2f}, {high:.2f}" for times, high in zip((quiet, attacked), p95, strict=True)]
        print(f"| {what} | {' | '.join(cells)} | {p95[1] / p95[0]:.2f} |", flush=True)


def _times(server: Server, request: bytes, seconds: float) -> list[float]:
    """Return the milliseconds of requests, twenty a second at irregular times."""
    taken: list[float] = []
    end = perf_counter() + seconds
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        while (began := perf_counter()) < end:
            exchange(connection, request)
            taken.append((perf_counter() - began) * 1_000)
            # Bursts of searches come at regular times.
            sleep(0.02 + 0.06 * (len(taken) * 0.618 % 1))
    return taken


@contextmanager
def _sending(
    server: Server, send: Callable[[list[socket.socket]], None], rate: float, *, connections: int = 1
) -> Iterator[None]:
    """Send something some times a second."""
    over = Event()

    def repeat() -> None:
        at = perf_counter()
        with ExitStack() as stack:
            endpoint = "127.0.0.1", server.port
            opened = [stack.enter_context(socket.create_connection(endpoint)) for _ in range(connections)]
            while not over.wait(max(at - perf_counter(), 0)):
                send(opened)
                at += 1 / rate

    with ThreadPoolExecutor(1) as thread:
        sending = thread.submit(repeat)
        try:
            yield
        finally:
            over.set()
        sending.result()
