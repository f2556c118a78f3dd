"""How long the service's event loop is held, as other clients see it."""

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from math import ceil
from threading import Event, Thread
from urllib.parse import urlsplit

_REQUEST = b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"

_EVERY_SECONDS = 0.01

_PATIENCE = 120


@dataclass(slots=True)
class Lag:
    """Response times of requests that were due every 10 ms, in seconds.

    One that could not be sent because another waited counts from when it was due.
    """

    seconds: list[float] = field(default_factory=list)

    @property
    def p99(self) -> float:
        return sorted(self.seconds)[ceil(len(self.seconds) * 0.99) - 1]

    @property
    def max(self) -> float:
        return max(self.seconds)

    def __str__(self) -> str:
        return f"p99 {self.p99 * 1_000:.1f} ms, max {self.max * 1_000:.1f} ms, {len(self.seconds):,} requests"


@contextmanager
def measured_lag(url: str) -> Iterator[Lag]:
    lag, ended = Lag(), Event()
    thread = Thread(target=_measure, args=(url, lag, ended))
    thread.start()
    try:
        yield lag
    finally:
        ended.set()
        thread.join()


def _measure(url: str, lag: Lag, ended: Event) -> None:
    parts = urlsplit(url)
    with socket.create_connection((parts.hostname or "", parts.port or 80), timeout=_PATIENCE) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        due = time.perf_counter()
        while not ended.is_set():
            due += _EVERY_SECONDS
            time.sleep(max(0, due - time.perf_counter()))
            connection.sendall(_REQUEST)
            received = b""
            while b"}" not in received:
                received += connection.recv(65_536)
            assert received.startswith(b"HTTP/1.1 200"), received
            now = time.perf_counter()
            while True:
                lag.seconds.append(now - due)
                if due + _EVERY_SECONDS >= now:
                    break
                due += _EVERY_SECONDS
