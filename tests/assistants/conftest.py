"""A running service with an account, and a way to it for programs that send no token."""

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx
import pytest

from tests.browser.served import Member, Served, served


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    with served(tmp_path_factory.mktemp("service")) as service:
        yield service


@pytest.fixture(scope="module")
def member(service: Served) -> Member:
    return service.open_account("anna@example.org", username="anna")


@pytest.fixture(scope="module")
def open_url(service: Served, member: Member) -> Iterator[str]:
    """The URL of a proxy that adds the member's key to each request."""

    class Proxy(BaseHTTPRequestHandler):
        def _pass_on(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            headers = {**self.headers, "Authorization": f"Bearer {member.key}"}
            response = httpx.request(self.command, f"{service.url}{self.path}", headers=headers, content=body)
            self.send_response(response.status_code)
            for name, value in response.headers.items():
                if name.lower() not in ("content-length", "content-encoding", "transfer-encoding", "connection"):
                    self.send_header(name, value)
            self.send_header("Content-Length", str(len(response.content)))
            self.end_headers()
            self.wfile.write(response.content)

        do_GET = do_POST = do_DELETE = do_OPTIONS = _pass_on  # noqa: N815  (the base class's names)

        def log_message(self, *_arguments: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
    thread = Thread(target=server.serve_forever)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/mcp"
    server.shutdown()
    thread.join()
    server.server_close()
