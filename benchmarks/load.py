"""HTTP load generator with keep-alive connections.

    python benchmarks/load.py ADDRESS CONNECTIONS SECONDS [cycled] < request

Reads raw requests separated by lines of `%%`; each connection repeats one, or all connections cycle through them.
Prints JSON: `requests`, `seconds`, `p50`, `p95` and `p99` in milliseconds, `statuses`. Parses as little as possible, to
need far less CPU than the service.
"""

import asyncio
import json
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import cycle, repeat
from time import perf_counter


class Client(asyncio.Protocol):
    """A connection that sends requests one after the other."""

    def __init__(self, load: "Load", requests: Iterator[bytes]) -> None:
        self._load = load
        self._requests = requests
        self._buffer = b""
        self._began = 0.0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._send()

    def data_received(self, data: bytes) -> None:
        self._buffer += data
        head_end = self._buffer.find(b"\r\n\r\n")
        if head_end < 0:
            return
        head = self._buffer[:head_end].lower()
        at = head.find(b"content-length:")
        length = int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0
        if len(self._buffer) < head_end + 4 + length:
            return
        self._load.record(int(self._buffer[9:12]), perf_counter() - self._began)
        self._buffer = b""
        self._send()

    def _send(self) -> None:
        if self._load.is_over():
            self._transport.close()
            return
        self._began = perf_counter()
        self._transport.write(next(self._requests))  # type: ignore[attr-defined]

    def connection_lost(self, _error: Exception | None) -> None:
        self._load.closed()


class Load:
    """Requests of one measurement."""

    def __init__(self, connections: int, seconds: float) -> None:
        self._open = connections
        self._seconds = seconds
        self._end = 0.0
        self.times: list[float] = []
        self.statuses: Counter[int] = Counter()
        self.done = asyncio.Event()

    def start(self) -> None:
        self._end = perf_counter() + self._seconds

    def is_over(self) -> bool:
        """Return whether the time has passed, and a response come, however busy the machine is."""
        return bool(self.times) and perf_counter() >= self._end

    def record(self, status: int, seconds: float) -> None:
        self.times.append(seconds)
        self.statuses[status] += 1

    def closed(self) -> None:
        self._open -= 1
        if not self._open:
            self.done.set()


async def main(endpoint: str, connections: int, seconds: float, *, is_cycled: bool) -> None:
    requests = sys.stdin.buffer.read().split(b"\n%%\n")
    load = Load(connections, seconds)
    host, _, port = endpoint.rpartition(":")
    load.start()
    began = perf_counter()
    loop = asyncio.get_running_loop()
    cycled = cycle(requests)
    clients = [
        partial(Client, load, cycled if is_cycled else repeat(requests[number % len(requests)]))
        for number in range(connections)
    ]
    await asyncio.gather(*(loop.create_connection(client, host, int(port)) for client in clients))
    await load.done.wait()
    taken = sorted(load.times)
    print(
        json.dumps(
            {
                "requests": len(taken),
                "seconds": perf_counter() - began,
                "p50": taken[len(taken) // 2] * 1_000,
                "p95": taken[int(len(taken) * 0.95)] * 1_000,
                "p99": taken[int(len(taken) * 0.99)] * 1_000,
                "statuses": {str(status): number for status, number in load.statuses.items()},
            }
        )
    )


if __name__ == "__main__":
    import uvloop

    uvloop.run(main(sys.argv[1], int(sys.argv[2]), float(sys.argv[3]), is_cycled=sys.argv[4:] == ["cycled"]))
