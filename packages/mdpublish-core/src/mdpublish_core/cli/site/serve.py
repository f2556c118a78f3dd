"""Serves a site on this computer, and tells its pages to reload after each build.

Only the loopback interface is used, and the `Host` header must name this server, against hostile pages (DNS rebinding).
"""

import os
import select
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from http import HTTPStatus
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Condition, Thread
from typing import Any
from urllib.parse import unquote, urlsplit

import click

from mdpublish_core.cli.batch.links import file_stamp

HOST = "127.0.0.1"

EVENTS = "/.mdpublish-site/events"

_POLL_SECONDS = 0.4
_HEARTBEAT_SECONDS = 15.0

_RELOAD_SCRIPT = f"""
(() => {{
  const events = new EventSource("{EVENTS}");
  let version = null;
  events.onmessage = (event) => {{
    if (version !== null && version !== event.data) location.reload();
    version = event.data;
  }};
}})();
"""


class SiteServer(ThreadingHTTPServer):
    """Serves the files of a site; port 0 selects a free one."""

    daemon_threads = True
    allow_reuse_address = os.name != "nt"

    def __init__(self, out: Path, *, port: int) -> None:
        self.version = time.monotonic_ns()
        self.built = Condition()
        super().__init__((HOST, port), partial(_Handler, directory=str(out)))

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_port}/"

    def reload(self) -> None:
        """Tell open pages to reload."""
        with self.built:
            self.version = time.monotonic_ns()
            self.built.notify_all()


class _Handler(SimpleHTTPRequestHandler):
    server: SiteServer

    def do_GET(self) -> None:
        if not self._is_host():
            self.send_error(HTTPStatus.FORBIDDEN, f"invalid Host header; the site is at {self.server.url}")
        elif urlsplit(self.path).path == EVENTS:
            self._stream()
        elif any(part.startswith(".") for part in unquote(urlsplit(self.path).path).split("/")):
            self.send_error(HTTPStatus.NOT_FOUND)
        elif urlsplit(self.path).path.endswith("/assets/site.js"):
            self._send_script()
        else:
            super().do_GET()

    def do_HEAD(self) -> None:
        if self._is_host():
            super().do_HEAD()
        else:
            self.send_error(HTTPStatus.FORBIDDEN)

    def _is_host(self) -> bool:
        port = self.server.server_port
        return self.headers.get_all("Host", []) in ([f"{HOST}:{port}"], [f"localhost:{port}"])

    def _send_script(self) -> None:
        try:
            script = Path(self.translate_path(self.path)).read_bytes()
        except OSError:
            self.send_error(HTTPStatus.NOT_FOUND)
            return
        self._send(HTTPStatus.OK, "text/javascript; charset=utf-8", script + _RELOAD_SCRIPT.encode())

    def _send(self, status: HTTPStatus, media_type: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        status = HTTPStatus(code)
        page = Path(self.directory) / "404.html"
        if status == HTTPStatus.NOT_FOUND and self.command == "GET" and page.is_file():
            self._send(status, "text/html; charset=utf-8", page.read_bytes())
        else:
            self._send(status, "text/plain; charset=utf-8", f"{explain or message or status.phrase}\n".encode())

    def end_headers(self) -> None:
        self.send_header("Cache-Control", "no-store")
        self.send_header("X-Content-Type-Options", "nosniff")
        super().end_headers()

    def _stream(self) -> None:
        self.send_response(HTTPStatus.OK)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        sent = None
        while not self._is_gone():
            with self.server.built:
                if sent == self.server.version:
                    self.server.built.wait(_HEARTBEAT_SECONDS)
                version = self.server.version
            try:
                self.wfile.write(f"data: {version}\n\n".encode() if version != sent else b":\n\n")
            except OSError:
                return
            sent = version

    def _is_gone(self) -> bool:
        readable, _, _ = select.select([self.connection], [], [], 0)
        return bool(readable) and self.connection.recv(4096) == b""

    def version_string(self) -> str:
        return "mdpublish"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002
        pass


def serve_site(folder: Path, out: Path, port: int, watched: Sequence[Path], build: Callable[[], object]) -> None:
    """Serve until Ctrl-C; build after each change of the folder or of a watched file."""
    try:
        server = SiteServer(out, port=port)
    except OSError as error:
        raise click.ClickException(
            f"cannot serve on port {port}: {error.strerror}; choose another with --port"
        ) from None
    Thread(target=server.serve_forever, daemon=True).start()
    click.echo(f"Serving {server.url}; stop with Ctrl-C", err=True)
    state = _state(folder, out, watched)
    try:
        while True:
            time.sleep(_POLL_SECONDS)
            current = _state(folder, out, watched)
            if current != state:
                state = current
                _rebuild(build)
                server.reload()
    except KeyboardInterrupt:
        click.echo("Stopped", err=True)
    finally:
        server.shutdown()
        server.server_close()


def _rebuild(build: Callable[[], object]) -> None:
    try:
        build()
    except click.ClickException as error:
        error.show()
    except OSError as error:
        # Such as a file that went away meanwhile: its change is the next one.
        click.echo(f"Error: {error}", err=True)


def _state(folder: Path, out: Path, watched: Sequence[Path]) -> dict[str, str]:
    return {path: file_stamp(path) for path in (*_files(folder, out.resolve()), *map(str, watched))}


def _files(folder: Path, out: Path) -> Iterator[str]:
    for name, folders, files in os.walk(folder):
        folders[:] = [each for each in folders if not each.startswith(".") and Path(name, each).resolve() != out]
        yield from (os.path.join(name, file) for file in files if not file.startswith("."))  # noqa: PTH118  (speed)
