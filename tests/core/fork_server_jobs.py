"""Jobs of workers that are forked from a fork server, some of them compromised."""

import os
import random
import socket
from collections.abc import Callable, Mapping
from threading import Event, Thread

from mdpublish_core import convert
from mdpublish_core.workers.fork_server import END, FORK, KILL, REQUEST, fork_inner

WARMED_UP_BY: list[int] = []


def _warm_up(payload: bytes) -> bytes:
    if payload == b"raise":
        raise ValueError("no warm-up")
    if payload == b"thread" and not WARMED_UP_BY:
        Thread(target=Event().wait, daemon=True).start()
    WARMED_UP_BY.append(os.getpid())
    return b""


def _ask_for_workers(number: bytes) -> bytes:
    """Return how many workers come."""
    forked = [fork_inner("mdpublish_core.figures.worker") for _ in range(int(number))]
    return str(sum(each is not None for each in forked)).encode()


def _forge(request: bytes) -> bytes:
    """Send to the fork server what no worker sends."""
    control = socket.socket(fileno=os.dup(3))
    control.settimeout(0)
    numbers = range(1, 100)
    messages = {
        b"garbage": [b"x", b"x" * 10_000, bytes(REQUEST.size)],
        b"unknown module": [REQUEST.pack(FORK, 0, each, 0, 0) for each in (2, -1, 1 << 30)],
        b"descriptors": [REQUEST.pack(FORK, 0, 0, 0, 0)],
        b"silence": [REQUEST.pack(FORK, 0, 0, 0, 0)] * 1_000,
        b"kill of others": [
            REQUEST.pack(kind, owner, 0, each, 0) for kind in (KILL, END) for owner in (0, 1, 2) for each in numbers
        ],
    }[request]
    for message in messages:
        descriptors = [1, 2] * 50 if request == b"descriptors" else []
        try:
            socket.send_fds(control, [message], descriptors)
        except OSError:
            break
    return b""


JOBS: Mapping[str, Callable[[bytes], bytes]] = {
    "abort": lambda _payload: os.abort(),
    "ask for workers": _ask_for_workers,
    "convert": lambda payload: str(convert(payload.decode()).html.count("<svg ")).encode(),
    "echo": lambda payload: payload,
    "forge": _forge,
    "hang": lambda _payload: bytes(Event().wait(3_600)),
    "pid": lambda _payload: str(os.getpid()).encode(),
    "print": lambda payload: convert(payload.decode(), to="pdf").to_bytes()[:4],
    "random": lambda _payload: str(random.random()).encode(),
    "fork_server": lambda _payload: str(os.getppid()).encode(),
    "warm_up": _warm_up,
    "warmed up by": lambda _payload: " ".join(map(str, WARMED_UP_BY)).encode(),
}
