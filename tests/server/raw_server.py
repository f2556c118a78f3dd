"""A uvicorn server in a thread, and socket clients that send arbitrary bytes."""

import asyncio
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from threading import Thread
from typing import Any

import uvicorn
from starlette.types import ASGIApp

from mdpublish_server.middleware.protocol import BoundedHttpProtocol

# Seconds; only reached when a test fails.
PATIENCE = 60


class _Server(uvicorn.Server):
    """Starts and stops at once, without uvicorn's pauses of 100 ms: tests start a hundred of them."""

    async def main_loop(self) -> None:
        await self.on_tick(0)
        while not self.should_exit:  # noqa: ASYNC110  (set by another thread)
            await asyncio.sleep(0.005)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for each in sockets or []:
            each.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        await asyncio.wait_for(self._wait_tasks_to_complete(), self.config.timeout_graceful_shutdown)


@contextmanager
def serving(
    app: ASGIApp, *, protocol: Callable[..., BoundedHttpProtocol] = BoundedHttpProtocol, **options: Any
) -> Iterator[tuple[str, int]]:
    """Serve `app` and yield the host and port."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        config = uvicorn.Config(
            app,
            http=protocol,  # type: ignore[arg-type]  # a factory does too
            lifespan="off",
            log_config=None,
            access_log=False,
            proxy_headers=False,
            timeout_graceful_shutdown=PATIENCE,
            ws="none",
            **options,
        )
        server = _Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        try:
            yield listener.getsockname()
        finally:
            server.should_exit = True
            thread.join(PATIENCE)
            assert not thread.is_alive()


@contextmanager
def connected(server: tuple[str, int]) -> Iterator[socket.socket]:
    with socket.create_connection(server, timeout=PATIENCE) as client:
        yield client


def read_to_end(client: socket.socket) -> bytes:
    """Read until the connection is closed or reset."""
    received = bytearray()
    with suppress(ConnectionResetError):
        while chunk := client.recv(65536):
            received += chunk
    return bytes(received)


def read_response(client: socket.socket) -> bytes:
    """Read one response with a Content-Length, and nothing after it."""
    head = bytearray()
    while not head.endswith(b"\r\n\r\n"):
        head += _some(client, 1)
    (length,) = [int(line[16:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length: ")]
    body = bytearray()
    while len(body) < length:
        body += _some(client, length - len(body))
    return bytes(head + body)


def _some(client: socket.socket, size: int) -> bytes:
    chunk = client.recv(size)
    assert chunk, "the server closed the connection"
    return chunk
