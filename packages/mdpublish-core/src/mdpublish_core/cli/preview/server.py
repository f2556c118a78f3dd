"""The preview's HTTP server.

    /document/?…     the document; below it, images in its directory
    /state?…         its status, notices and version
    /events          a server-sent event for each version

The document and other pages in the browser may be hostile. The `Host` header must name this server (DNS rebinding),
requests are read-only, other origins can neither frame nor read responses, and the document's frame runs no
scripts, submits no forms and loads only images.
"""

import json
import os
import select
import socket
import sys
from contextlib import suppress
from dataclasses import asdict
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from socketserver import TCPServer
from threading import Lock, Thread
from time import monotonic
from urllib.parse import parse_qsl, urlsplit

from mdpublish_core.cli.inputs import error_message
from mdpublish_core.cli.preview.document import PreviewDocument
from mdpublish_core.cli.preview.images import find_image
from mdpublish_core.errors import MdpublishError
from mdpublish_core.site_palette import site_palette

HOST = "127.0.0.1"  # loopback only

POLL_SECONDS = 0.2

_SETTLE_SECONDS = 0.05
"""Many programs truncate a file before writing it."""

_MAX_SETTLE_POLLS = 20
"""Shows a file that changes constantly once a second."""

_HEARTBEAT_SECONDS = 15.0  # detects dead connections

_TIMEOUT_SECONDS = 30.0

_MAX_CONNECTIONS = 64

_SHUTDOWN_SECONDS = 2.0

STATIC = {
    "/": ("preview.html", "text/html; charset=utf-8"),
    "/preview.css": ("preview.css", "text/css; charset=utf-8"),
    "/preview.js": ("preview.js", "text/javascript; charset=utf-8"),
    "/preview.svg": ("preview.svg", "image/svg+xml"),
}

_BASE_POLICY = "default-src 'none'; base-uri 'none'; form-action 'none'"

PAGE_POLICY = (
    f"{_BASE_POLICY}; frame-ancestors 'none'; "
    "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'"
)
"""Only images are served from the document's directory, so 'self' covers none of its scripts."""

DOCUMENT_POLICY = (
    f"{_BASE_POLICY}; frame-ancestors 'self'; style-src 'unsafe-inline'; img-src 'self' data: https: http:; "
    "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox"
)
"""Same origin, to restore the scroll position; harmless without `allow-scripts`."""

IMAGE_POLICY = (
    f"{_BASE_POLICY}; frame-ancestors 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
)
"""SVG may contain scripts."""


class PreviewServer(ThreadingHTTPServer):
    """Serves one document. Port 0 selects a free one."""

    # On Windows, two servers could share a port.
    allow_reuse_address = os.name != "nt"
    allow_reuse_port = False

    def __init__(self, document: PreviewDocument, *, port: int) -> None:
        self.document = document
        self._connections: dict[object, Thread] = {}
        self._lock = Lock()
        super().__init__((HOST, port), _Handler)

    def server_bind(self) -> None:
        """Bind without a reverse DNS lookup."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self.server_port}/"

    @property
    def hosts(self) -> frozenset[str]:
        bare = {HOST, "localhost"}
        return frozenset({f"{name}:{self.server_port}" for name in bare} | (bare if self.server_port == 80 else set()))

    def process_request(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        thread = Thread(target=self.process_request_thread, args=(request, client_address), daemon=True)
        with self._lock:
            admitted = len(self._connections) < _MAX_CONNECTIONS
            if admitted:
                self._connections[request] = thread
        if admitted:
            thread.start()
        else:
            self.shutdown_request(request)

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        super().shutdown_request(request)
        with self._lock:
            self._connections.pop(request, None)

    def server_close(self) -> None:
        """Close open connections, too: event streams never end."""
        super().server_close()
        with self._lock:
            connections = dict(self._connections)
        for connection in connections:
            assert isinstance(connection, socket.socket)
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        deadline = monotonic() + _SHUTDOWN_SECONDS
        for thread in connections.values():
            thread.join(max(0.0, deadline - monotonic()))

    def handle_error(self, request: object, client_address: object) -> None:
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    server: PreviewServer
    timeout = _TIMEOUT_SECONDS

    def do_GET(self) -> None:
        if not self._check_host():
            return
        if target := _parse_target(self.path):
            self._route(*target)
        else:
            self.send_error(HTTPStatus.BAD_REQUEST, "invalid URL")

    do_HEAD = do_GET  # noqa: N815

    def _reject_method(self) -> None:
        if self._check_host():
            self.send_error(HTTPStatus.METHOD_NOT_ALLOWED, "method not allowed; use GET or HEAD")

    do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _reject_method  # noqa: N815

    def _check_host(self) -> bool:
        host_headers = self.headers.get_all("Host", [])
        if len(host_headers) == 1 and host_headers[0] in self.server.hosts:
            return True
        self.send_error(HTTPStatus.FORBIDDEN, f"invalid Host header; the preview is at {self.server.url}")
        return False

    def _route(self, path: str, query: dict[str, str]) -> None:
        if path in STATIC:
            name, media_type = STATIC[path]
            self._respond(_static(name), media_type, policy=PAGE_POLICY)
        elif path == "/choices":
            self._respond_json(self.server.document.available_choices())
        elif path == "/state":
            self._respond_json(self._state(query))
        elif path == "/events":
            self._stream_versions()
        elif path == "/document/":
            self._serve_document(query)
        elif path.startswith("/document/"):
            self._serve_image(path.removeprefix("/document/"))
        else:
            self.send_error(HTTPStatus.NOT_FOUND, f"not found; the preview is at {self.server.url}")

    def _state(self, query: dict[str, str]) -> dict[str, object]:
        document = self.server.document
        try:
            preview = document.rendered(document.choices(query))
        except MdpublishError as error:
            return {"shown": False, "version": document.version(), "problem": error_message(error), "notices": []}
        notices = [asdict(each) for each in preview.notices]
        return {"shown": True, "version": preview.version, "problem": preview.problem, "notices": notices}

    def _serve_document(self, query: dict[str, str]) -> None:
        document = self.server.document
        try:
            preview = document.rendered(document.choices(query))
        except MdpublishError as error:
            self.send_error(HTTPStatus.BAD_REQUEST, error_message(error))
        else:
            self._respond(preview.body, preview.media_type, policy=DOCUMENT_POLICY, framed=True)

    def _serve_image(self, url_path: str) -> None:
        if image := find_image(self.server.document.folder, url_path):
            self._respond(image.data, image.media_type, policy=IMAGE_POLICY)
        else:
            self.send_error(
                HTTPStatus.NOT_FOUND,
                "image not found; the preview serves PNG, JPEG, GIF, WebP and SVG files in and below the document's "
                "directory, except hidden files and files larger than 20 MB",
            )

    def _stream_versions(self) -> None:
        self._send_head("text/event-stream; charset=utf-8")
        if self.command == "HEAD":
            return
        sent = seen = None
        polls, last_sent = 0, monotonic()
        while True:
            version = self.server.document.version()
            polls = 0 if version == sent else polls + 1
            if version != sent and (sent is None or version == seen or polls > _MAX_SETTLE_POLLS):
                self.wfile.write(f"data: {version}\n\n".encode())
                sent, last_sent = version, monotonic()
            elif monotonic() - last_sent > _HEARTBEAT_SECONDS:
                self.wfile.write(b":\n\n")
                last_sent = monotonic()
            seen = version
            if self._is_gone(POLL_SECONDS if version == sent else _SETTLE_SECONDS):
                return

    def _is_gone(self, seconds: float) -> bool:
        readable, _, _ = select.select([self.connection], [], [], seconds)
        return bool(readable) and self.connection.recv(4096) == b""

    def _respond_json(self, value: dict[str, object]) -> None:
        self._respond(json.dumps(value).encode(), "application/json")

    def _respond(
        self,
        body: bytes,
        media_type: str,
        *,
        status: HTTPStatus = HTTPStatus.OK,
        policy: str = f"{_BASE_POLICY}; frame-ancestors 'none'",
        framed: bool = False,
    ) -> None:
        self._send_head(media_type, status=status, policy=policy, framed=framed, length=len(body))
        if self.command != "HEAD":
            self.wfile.write(body)

    def _send_head(
        self,
        media_type: str,
        *,
        status: HTTPStatus = HTTPStatus.OK,
        policy: str = f"{_BASE_POLICY}; frame-ancestors 'none'",
        framed: bool = False,
        length: int | None = None,
    ) -> None:
        self.send_response(status)
        headers = {
            "Content-Type": media_type,
            "Content-Length": None if length is None else str(length),
            "Content-Security-Policy": policy,
            "X-Frame-Options": "SAMEORIGIN" if framed else "DENY",
            "X-Content-Type-Options": "nosniff",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cache-Control": "no-store",
            "Allow": "GET, HEAD" if status == HTTPStatus.METHOD_NOT_ALLOWED else None,
        }
        for name, value in headers.items():
            if value is not None:
                self.send_header(name, value)
        self.end_headers()

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        status = HTTPStatus(code)
        self._respond(
            f"{explain or message or status.phrase}\n".encode(),
            "text/plain; charset=utf-8",
            status=status,
            policy=DOCUMENT_POLICY,
            framed=True,
        )

    def version_string(self) -> str:
        return "mdpublish"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002
        pass


def _parse_target(request_target: str) -> tuple[str, dict[str, str]] | None:
    """Return None for proxy requests and invalid URLs."""
    if not request_target.startswith("/"):
        return None
    try:
        parts = urlsplit(request_target)
        return parts.path, dict(parse_qsl(parts.query, max_num_fields=20))
    except ValueError:
        return None


def _static(name: str) -> bytes:
    content = (files("mdpublish_core.cli.preview") / "static" / name).read_bytes()
    return site_palette().encode() + content if name.endswith(".css") else content
