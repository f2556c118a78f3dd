"""The preview's server: HTTP on this machine alone, a thread for each connection.

    /                the page, and /preview.css, /preview.js, /preview.svg, which belong to it
    /choices         what it offers to choose from
    /state?…         whether the document can be shown as chosen, its notices, its version
    /document/?…     the document as chosen; what stands below is a picture in its folder
    /events          a server-sent event for each version

Whoever writes the document, and any page that a browser shows, may be hostile. Hence: only a request that names this
server by an address of this machine is answered, since another name may be one that its owner has led here (DNS
rebinding); nothing is changed by any request; no other page may frame or read an answer; and the document's frame runs
no script, loads nothing but pictures and sends no form, whatever it holds.
"""

import json
import os
import select
import socket
import sys
from contextlib import suppress
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from socketserver import TCPServer
from threading import Lock, Thread
from time import monotonic
from urllib.parse import parse_qsl, urlsplit

from mdpublish_core.cli.previewing.pictures import picture_below
from mdpublish_core.cli.previewing.proof import Proof
from mdpublish_core.cli.reading import refusal
from mdpublish_core.errors import MdpublishError
from mdpublish_core.own_colours import own_colors

ADDRESS = "127.0.0.1"
"""The loopback interface, which no other machine reaches."""

SECONDS_BETWEEN_LOOKS = 0.2
"""How often the files are looked at while a page listens."""

_SECONDS_TO_SETTLE = 0.05
"""After a change, the time in which a file must not change again: many programs empty a file before they write it."""

_LOOKS_TO_SETTLE = 20
"""A file that is written all the time is shown all the same, each second."""

_SECONDS_BETWEEN_HEARTBEATS = 15.0
"""How often a page that listens hears something, so that one that is gone without a word is noticed."""

_SECONDS_OF_SILENCE = 30.0
"""How long a connection may take to send what it asks, or to take what is sent."""

_MOST_CONNECTIONS = 64
"""At once. A browser opens six to one server."""

_SECONDS_TO_END = 2.0
"""How long the end waits for requests that are being answered."""

STATIC = {
    "/": ("preview.html", "text/html; charset=utf-8"),
    "/preview.css": ("preview.css", "text/css; charset=utf-8"),
    "/preview.js": ("preview.js", "text/javascript; charset=utf-8"),
    "/preview.svg": ("preview.svg", "image/svg+xml"),
}
"""The page's own files, by their address."""

_NOTHING = "default-src 'none'; base-uri 'none'; form-action 'none'"

PAGE_POLICY = (
    f"{_NOTHING}; frame-ancestors 'none'; "
    "script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'"
)
"""The page runs its own script, which no file of the document's folder can be, since only pictures are handed out."""

DOCUMENT_POLICY = (
    f"{_NOTHING}; frame-ancestors 'self'; style-src 'unsafe-inline'; img-src 'self' data: https: http:; "
    "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox"
)
"""The frame is of the page's origin, so that the page finds its place in it again; without `allow-scripts`, the document
gains nothing by that. Its links open in windows of their own, which are as free as those that the user opens."""

PICTURE_POLICY = (
    f"{_NOTHING}; frame-ancestors 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; sandbox"
)
"""An SVG may be a whole document, with scripts."""


class PreviewServer(ThreadingHTTPServer):
    """The server of one proof; `serve_forever` runs it, `server_close` ends it with all its connections.

    `port` 0 is a free one. Raises `OSError` where the port is taken.
    """

    # On Windows, this would let two servers share a port.
    allow_reuse_address = os.name != "nt"
    allow_reuse_port = False

    def __init__(self, proof: Proof, *, port: int) -> None:
        self.proof = proof
        self._working: dict[object, Thread] = {}
        self._lock = Lock()
        super().__init__((ADDRESS, port), _Handler)

    def server_bind(self) -> None:
        """Bind, without asking anybody for this machine's name, as `HTTPServer` does."""
        TCPServer.server_bind(self)
        self.server_name, self.server_port = self.server_address[:2]  # type: ignore[assignment]

    @property
    def url(self) -> str:
        """The page's address."""
        return f"http://{ADDRESS}:{self.server_port}/"

    @property
    def hosts(self) -> frozenset[str]:
        """What the header `Host` may say."""
        bare = {ADDRESS, "localhost"}
        return frozenset({f"{name}:{self.server_port}" for name in bare} | (bare if self.server_port == 80 else set()))

    def process_request(self, request: socket.socket | tuple[bytes, socket.socket], client_address: object) -> None:
        """Answer in a thread, unless there are too many."""
        thread = Thread(target=self.process_request_thread, args=(request, client_address), daemon=True)
        with self._lock:
            admitted = len(self._working) < _MOST_CONNECTIONS
            if admitted:
                self._working[request] = thread
        if admitted:
            thread.start()
        else:
            self.shutdown_request(request)

    def shutdown_request(self, request: socket.socket | tuple[bytes, socket.socket]) -> None:
        """Close a connection."""
        super().shutdown_request(request)
        with self._lock:
            self._working.pop(request, None)

    def server_close(self) -> None:
        """Take no more connections, and end those that are open: a page that listens would never leave by itself."""
        super().server_close()
        with self._lock:
            working = dict(self._working)
        for connection in working:
            assert isinstance(connection, socket.socket)
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
        ended = monotonic() + _SECONDS_TO_END
        for thread in working.values():
            thread.join(max(0.0, ended - monotonic()))

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a page that left in the middle; of anything else, what Python says."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            super().handle_error(request, client_address)  # type: ignore[arg-type]


class _Handler(BaseHTTPRequestHandler):
    """Answers one request."""

    server: PreviewServer
    timeout = _SECONDS_OF_SILENCE

    def do_GET(self) -> None:
        if not self._is_meant():
            return
        address = _parsed(self.path)
        if address:
            self._route(*address)
        else:
            self.send_error(HTTPStatus.BAD_REQUEST, "the address cannot be read")

    do_HEAD = do_GET  # noqa: N815  (what `http.server` calls it)

    def _refuse(self) -> None:
        if self._is_meant():
            self.send_error(HTTPStatus.METHOD_NOT_ALLOWED, "the preview is only to be looked at: GET and HEAD")

    do_POST = do_PUT = do_PATCH = do_DELETE = do_OPTIONS = _refuse  # noqa: N815

    def _is_meant(self) -> bool:
        """Tell whether the request names this server by an address of this machine; refuse it otherwise."""
        named = self.headers.get_all("Host", [])
        if len(named) == 1 and named[0] in self.server.hosts:
            return True
        self.send_error(HTTPStatus.FORBIDDEN, f"this preview is at {self.server.url} alone")
        return False

    def _route(self, path: str, query: dict[str, str]) -> None:
        if path in STATIC:
            name, media_type = STATIC[path]
            self._answer(_static(name), media_type, policy=PAGE_POLICY)
        elif path == "/choices":
            self._answer_json(self.server.proof.offered())
        elif path == "/state":
            self._answer_json(self._state(query))
        elif path == "/events":
            self._tell_versions()
        elif path == "/document/":
            self._show(query)
        elif path.startswith("/document/"):
            self._show_picture(path.removeprefix("/document/"))
        else:
            self.send_error(HTTPStatus.NOT_FOUND, f"nothing is here; the preview is at {self.server.url}")

    def _state(self, query: dict[str, str]) -> dict[str, object]:
        proof = self.server.proof
        try:
            shown = proof.show(proof.choices(query))
        except MdpublishError as error:
            return {"shown": False, "version": proof.version(), "problem": refusal(error), "notices": []}
        notices = [{"line": each.line, "message": each.message, "code": each.code} for each in shown.notices]
        return {"shown": True, "version": shown.version, "problem": shown.problem, "notices": notices}

    def _show(self, query: dict[str, str]) -> None:
        proof = self.server.proof
        try:
            shown = proof.show(proof.choices(query))
        except MdpublishError as error:
            self.send_error(HTTPStatus.BAD_REQUEST, refusal(error))
        else:
            self._answer(shown.body, shown.media_type, policy=DOCUMENT_POLICY, framed=True)

    def _show_picture(self, address: str) -> None:
        picture = picture_below(self.server.proof.folder, address)
        if picture:
            self._answer(picture.data, picture.media_type, policy=PICTURE_POLICY)
        else:
            self.send_error(
                HTTPStatus.NOT_FOUND,
                "no picture is here; the preview shows the document, and the PNG, JPEG, GIF, WebP and SVG files "
                "in its folder and below, of at most 20 MB and none that are hidden",
            )

    def _tell_versions(self) -> None:
        """Send an event for the version there is, and for each that follows, until the page is gone."""
        self._begin("text/event-stream; charset=utf-8")
        if self.command == "HEAD":
            return
        told = seen = None
        looks, heard = 0, monotonic()
        while True:
            version = self.server.proof.version()
            looks = 0 if version == told else looks + 1
            if version != told and (told is None or version == seen or looks > _LOOKS_TO_SETTLE):
                self.wfile.write(f"data: {version}\n\n".encode())
                told, heard = version, monotonic()
            elif monotonic() - heard > _SECONDS_BETWEEN_HEARTBEATS:
                self.wfile.write(b":\n\n")
                heard = monotonic()
            seen = version
            if self._is_gone(SECONDS_BETWEEN_LOOKS if version == told else _SECONDS_TO_SETTLE):
                return

    def _is_gone(self, seconds: float) -> bool:
        """Wait, and tell whether the other side has closed the connection meanwhile."""
        readable, _, _ = select.select([self.connection], [], [], seconds)
        return bool(readable) and self.connection.recv(4096) == b""

    def _answer_json(self, value: dict[str, object]) -> None:
        self._answer(json.dumps(value).encode(), "application/json")

    def _answer(
        self,
        body: bytes,
        media_type: str,
        *,
        status: HTTPStatus = HTTPStatus.OK,
        policy: str = f"{_NOTHING}; frame-ancestors 'none'",
        framed: bool = False,
    ) -> None:
        self._begin(media_type, status=status, policy=policy, framed=framed, length=len(body))
        if self.command != "HEAD":
            self.wfile.write(body)

    def _begin(
        self,
        media_type: str,
        *,
        status: HTTPStatus = HTTPStatus.OK,
        policy: str = f"{_NOTHING}; frame-ancestors 'none'",
        framed: bool = False,
        length: int | None = None,
    ) -> None:
        """Send the head of an answer."""
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
        """Answer with a message as text."""
        status = HTTPStatus(code)
        self._answer(
            f"{explain or message or status.phrase}\n".encode(),
            "text/plain; charset=utf-8",
            status=status,
            policy=DOCUMENT_POLICY,
            framed=True,
        )

    def version_string(self) -> str:
        """Return what the header `Server` says: no more than who it is."""
        return "mdpublish"

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  (what `http.server` calls it)
        """Log nothing: the terminal is the user's."""


def _parsed(address: str) -> tuple[str, dict[str, str]] | None:
    """Return the path and the query of what a request asks for; None for what is asked of a proxy, or is no address."""
    if not address.startswith("/"):
        return None
    try:
        parts = urlsplit(address)
        return parts.path, dict(parse_qsl(parts.query, max_num_fields=20))
    except ValueError:
        return None


def _static(name: str) -> bytes:
    content = (files("mdpublish_core.cli.previewing") / "static" / name).read_bytes()
    return own_colors().encode() + content if name.endswith(".css") else content
