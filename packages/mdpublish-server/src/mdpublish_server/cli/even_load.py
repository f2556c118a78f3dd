"""Several processes that share a socket take about as many connections each.

The system wakes all of them for a connection, and one that is awake takes the next ones too: of sixteen connections
that are kept alive, one process of three may get all. So each says how many it has; one with more lets others go.
"""

import asyncio
import errno
import os
import socket
from contextlib import suppress
from multiprocessing import get_context
from typing import Any, ClassVar

import uvicorn
from uvicorn.supervisors import Multiprocess, multiprocess

WAIT_SECONDS = 0.002
"""Seconds in which other processes, unless busy, may take a connection."""

_RETRY_SECONDS = 1.0
"""Seconds until another try with too many open files."""

_SPARE = 8
"""Slots of processes that replace others."""


class EvenProcesses(Multiprocess):
    """Starts and replaces processes that share one socket."""

    def __init__(self, config: uvicorn.Config, sockets: list[socket.socket]) -> None:
        super().__init__(config, sockets)
        # Process ids, each followed by a number of connections.
        config.shares = get_context("spawn").RawArray("q", 2 * (config.workers + _SPARE))  # type: ignore[attr-defined]
        multiprocess.Process = _EvenProcess  # type: ignore[misc]


class _EvenProcess(multiprocess.Process):
    _by_slot: ClassVar[dict[int, multiprocess.Process]] = {}

    def __init__(self, config: Any, sockets: list[socket.socket]) -> None:
        taken = {slot for slot, each in self._by_slot.items() if each.process.is_alive()}
        config.slot = next((slot for slot in range(0, len(config.shares), 2) if slot not in taken), 0)
        super().__init__(config, sockets)
        self._by_slot[config.slot] = self

    @property
    def server(self) -> uvicorn.Server:
        if self._server is None:
            self._server = EvenServer(self.config)
        return self._server


class EvenServer(uvicorn.Server):
    """Takes connections from a socket that other processes share."""

    config: Any

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=[])
        assert sockets is not None
        (self._listener,) = sockets
        self._listener.settimeout(0)
        self._loop = asyncio.get_running_loop()
        self._arriving: set[asyncio.Task[Any]] = set()
        self._count()
        self.config.shares[self.config.slot] = os.getpid()
        self._loop.add_reader(self._listener, self._decide)

    async def on_tick(self, counter: int) -> bool:
        self._count()
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        self._loop.remove_reader(self._listener)
        if self._arriving:
            await asyncio.wait(self._arriving)
        await super().shutdown(sockets)

    def _decide(self) -> None:
        """Take a connection, or leave it to others for a while."""
        count = self._count()
        if all(count <= other for other in self._others()):
            self._take()
        else:
            self._pause(WAIT_SECONDS)

    def _pause(self, seconds: float) -> None:
        self._loop.remove_reader(self._listener)
        self._loop.call_later(seconds, self._resume)

    def _resume(self) -> None:
        if not self.should_exit:
            self._loop.add_reader(self._listener, self._decide)
            self._take()

    def _take(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except OSError as error:
            # Another process was faster, or the client has left.
            if error.errno in (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM):
                self._pause(_RETRY_SECONDS)
            return
        connection.settimeout(0)
        task = self._loop.create_task(self._loop.connect_accepted_socket(self._protocol, connection))
        self._arriving.add(task)
        task.add_done_callback(self._arriving.discard)
        self._count()

    def _protocol(self) -> asyncio.Protocol:
        protocol: asyncio.Protocol = self.config.http_protocol_class(
            config=self.config, server_state=self.server_state, app_state=self.lifespan.state, _loop=self._loop
        )
        return protocol

    def _count(self) -> int:
        count = len(self.server_state.connections) + len(self._arriving)
        self.config.shares[self.config.slot + 1] = count
        return count

    def _others(self) -> list[int]:
        """Return the numbers of connections of the other processes that run."""
        shares = self.config.shares
        slots = (slot for slot in range(0, len(shares), 2) if shares[slot] and slot != self.config.slot)
        return [shares[slot + 1] for slot in slots if _is_running(shares[slot])]


def _is_running(process_id: int) -> bool:
    with suppress(ProcessLookupError):
        os.kill(process_id, 0)
        return True
    return False
