"""Bound on the memory of responses that clients have not taken yet."""

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import inf
from typing import Protocol

BYTES_IN_FLIGHT = 64_000_000
"""Bytes of bodies above one piece that a server process holds for clients."""


class Writer(Protocol):
    """The sending side of a connection."""

    stalled_since: float | None
    """When the client last took something, if it is waited for."""

    def abort(self) -> None:
        """Close the connection, unsent bytes included."""


@dataclass(frozen=True, slots=True, eq=False)
class _Hold:
    body: bytes
    network: str
    writer: Writer


class BytesInFlight:
    """Bodies held for clients; one that responses share counts once.

    Past `limit` bytes, connections are closed: of the network for which most bytes are held, those that stall longest.
    """

    def __init__(self, limit: int = BYTES_IN_FLIGHT) -> None:
        self._limit = limit
        self._holds: dict[_Hold, None] = {}
        self._holders: Counter[int] = Counter()
        self.total = 0

    @contextmanager
    def hold(self, body: bytes, network: str, writer: Writer) -> Iterator[None]:
        """Count `body` until it is sent."""
        hold = _Hold(body, network, writer)
        self._add(hold)
        try:
            yield
        finally:
            self._remove(hold)

    def _add(self, hold: _Hold) -> None:
        self._holds[hold] = None
        self._holders[id(hold.body)] += 1
        if self._holders[id(hold.body)] == 1:
            self.total += len(hold.body)
        while self.total > self._limit and (victim := self._victim(hold)):
            self._remove(victim)
            victim.writer.abort()

    def _remove(self, hold: _Hold) -> None:
        if hold not in self._holds:
            return
        del self._holds[hold]
        self._holders[id(hold.body)] -= 1
        if not self._holders[id(hold.body)]:
            del self._holders[id(hold.body)]
            self.total -= len(hold.body)

    def _victim(self, newest: _Hold) -> _Hold | None:
        charged: Counter[str] = Counter()
        for hold in self._holds:
            charged[hold.network] += len(hold.body)
        others = [hold for hold in self._holds if hold is not newest]
        return min(others, key=lambda hold: (-charged[hold.network], _since(hold.writer)), default=None)


def _since(writer: Writer) -> float:
    return inf if writer.stalled_since is None else writer.stalled_since
