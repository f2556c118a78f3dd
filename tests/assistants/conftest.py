"""A running service with an account, and a way to it for programs that send no token."""

from collections.abc import Iterator

import httpx
import pytest

from tests.browser.served import Member, Served, served
from tests.local_server import LocalServer, Request, Response, in_thread


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

    def pass_on(request: Request) -> Response:
        headers = {**request.headers, "Authorization": f"Bearer {member.key}"}
        url = f"{service.url}{request.path}"
        response = httpx.request(request.method, url, headers=headers, content=request.body)
        passed = {
            name: value
            for name, value in response.headers.items()
            if name.lower() not in ("content-length", "content-encoding", "transfer-encoding", "connection")
        }
        return Response(response.content, response.status_code, passed)

    with in_thread(LocalServer(pass_on)) as server:
        yield f"{server.url}/mcp"
