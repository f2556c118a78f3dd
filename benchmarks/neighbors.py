"""What requests cost while others send theirs: views beside conversions, and small requests beside searches."""

import socket
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from statistics import median
from threading import Event
from time import perf_counter

from benchmarks.rows import page_path
from benchmarks.server import Server, exchange

CONVERSIONS = 20
"""A second; two connections send them, so that a slow one delays no other."""

SEARCHES = 16
"""At once, in an account with many documents: the first hits, late ones, and none."""

_QUERIES = ("common", "common&cursor=0-5000-0", "comm", "absent", "rare")


def print_neighbors(large: Server, others: Server, *, rounds: int, pages: int) -> None:
    seconds = 0.5 if rounds == 1 else 2.0
    other = replace(others, keys=others.keys[-1:])
    _print_views(other, rounds, seconds, pages)
    _print_small_requests(large, other, rounds, seconds)


def _print_views(server: Server, rounds: int, seconds: float, pages: int) -> None:
    views = b"\n%%\n".join(server.request("GET", page_path(at), Accept_Encoding="gzip") for at in range(pages))
    alone: list[float] = []
    beside: list[float] = []
    sent = 0.0
    for _ in range(rounds):
        load = server.load(views, connections=16, seconds=seconds, is_cycled=True)
        alone.append(load["requests"] / load["seconds"])
        with _converting(server) as done:
            load = server.load(views, connections=16, seconds=seconds, is_cycled=True)
            beside.append(load["requests"] / load["seconds"])
        sent += len(done) / rounds
    ratio = median(beside) / median(alone)
    print(f"\n- views of {pages} pages in turn, 16 connections: {median(alone):,.0f} a second alone, ", end="")
    print(f"{median(beside):,.0f} beside {CONVERSIONS} small conversions a second: {ratio:.2f} (goal: 0.8)", flush=True)


@contextmanager
def _converting(server: Server) -> Iterator[list[float]]:
    """Convert a small text some times a second."""
    request = server.request("POST", "/v1/convert", {"markdown": "# Small\n\nSome *text*."})
    over = Event()
    done: list[float] = []

    def send(delay: float) -> None:
        at = perf_counter() + delay
        with socket.create_connection(("127.0.0.1", server.port)) as connection:
            while not over.wait(max(at - perf_counter(), 0)):
                exchange(connection, request)
                done.append(perf_counter())
                at += 2 / CONVERSIONS

    with ThreadPoolExecutor(2) as threads:
        sending = [threads.submit(send, number / CONVERSIONS) for number in range(2)]
        try:
            yield done
        finally:
            over.set()
        for each in sending:
            each.result()


def _print_small_requests(large: Server, other: Server, rounds: int, seconds: float) -> None:
    cookie = f"session={large.key}"
    searches = b"\n%%\n".join(large.request("GET", f"/documents?q={query}", Cookie=cookie) for query in _QUERIES)
    print(f"\n| another account's request | quiet, p95, ms | beside {SEARCHES} searches at once | ratio (goal: 3) |")
    print("|---|--:|--:|--:|")
    searched: list[float] = []
    statuses: set[str] = set()
    with ThreadPoolExecutor(1) as threads:
        for what, (method, path) in {
            "get usage": ("GET", "/v1/usage"),
            "list documents": ("GET", "/v1/documents"),
            "create a document": ("POST", "/v1/documents"),
        }.items():
            request = other.request(method, path, {"title": "Small"} if method == "POST" else None)
            quiet: list[float] = []
            attacked: list[float] = []
            for _ in range(rounds):
                quiet.append(other.load(request, connections=1, seconds=seconds)["p95"])
                attack = threads.submit(
                    large.load, searches, connections=SEARCHES, seconds=seconds + 0.5, is_cycled=True
                )
                attacked.append(other.load(request, connections=1, seconds=seconds)["p95"])
                load = attack.result()
                searched.append(load["requests"] / load["seconds"])
                statuses |= load["statuses"].keys()
            times = median(quiet), median(attacked)
            print(f"| {what} | {times[0]:.2f} | {times[1]:.2f} | {times[1] / times[0]:.2f} |", flush=True)
    print(f"\n- {median(searched):,.0f} searches a second meanwhile (status {', '.join(sorted(statuses))})", flush=True)
