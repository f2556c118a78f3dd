"""HTTP servers of a test, in threads."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from email.message import Message
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import BaseServer
from threading import Thread
from types import MappingProxyType
from typing import NamedTuple, TypeVar

Server = TypeVar("Server", bound=BaseServer)


class Request(NamedTuple):
    method: str
    path: str
    headers: Message
    body: bytes


class Response(NamedTuple):
    content: bytes
    status: int = 200
    headers: Mapping[str, str] = MappingProxyType({"Content-Type": "text/html; charset=utf-8"})


class LocalServer(ThreadingHTTPServer):
    """Listens on a free port of this machine. Several threads, since Chromium opens connections that it never uses."""

    def __init__(self, respond: Callable[[Request], Response]) -> None:
        class Handler(BaseHTTPRequestHandler):
            def _respond(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                response = respond(Request(self.command, self.path, self.headers, body))
                self.send_response(response.status)
                for name, value in {**response.headers, "Content-Length": str(len(response.content))}.items():
                    self.send_header(name, value)
                self.end_headers()
                self.wfile.write(response.content)

            do_GET = do_POST = do_PATCH = do_DELETE = do_OPTIONS = _respond  # noqa: N815  (the base class's names)

            def log_message(self, *_arguments: object) -> None:
                pass

        super().__init__(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server_port}"


@contextmanager
def in_thread(server: Server) -> Iterator[Server]:
    """Serve in a thread until the block ends, then close the server."""
    with server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()
