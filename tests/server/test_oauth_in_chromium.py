"""The SDK's own client connects over HTTP, and a person signs in and allows it in Chromium, on both databases."""

import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from queue import SimpleQueue
from threading import Thread
from typing import TYPE_CHECKING
from urllib.parse import parse_qsl, urlsplit

import anyio
import httpx2
import pytest
import uvicorn
from mcp.shared.auth import AuthorizationCodeResult

from mdpublish_server.services.apps import Apps
from mdpublish_server.state import AppState
from tests.local_server import LocalServer, Request, Response, in_thread
from tests.server.apps import serving
from tests.server.browsers import Member
from tests.server.members import PASSWORD
from tests.server.test_oauth_attacks import document_server, response
from tests.server.test_oauth_sdk_client import Site, use_refresh_and_revoke

if TYPE_CHECKING:
    # The session `tests` collects these tests without Playwright installed.
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.assistants

SECONDS = 120
"""Generous for a loaded machine."""


class Callback(LocalServer):
    """An app's redirect URI on this computer."""

    def __init__(self) -> None:
        self.paths: SimpleQueue[str] = SimpleQueue()

        def receive(request: Request) -> Response:
            self.paths.put(request.path)
            return Response(b"<!DOCTYPE html><link rel=icon href=data:,><title>Done</title><p>Close this tab.")

        super().__init__(receive)
        self.url += "/callback"


class Person:
    """Waits until a browser in the test's own thread has followed the client's link."""

    def __init__(self, callback: Callback) -> None:
        self.links: SimpleQueue[str | BaseException] = SimpleQueue()
        self._callback = callback

    async def visit(self, url: str) -> None:
        self.links.put(url)

    async def wait_for_callback(self) -> AuthorizationCodeResult:
        path = await anyio.to_thread.run_sync(lambda: self._callback.paths.get(timeout=SECONDS))
        query = dict(parse_qsl(urlsplit(path).query))
        return AuthorizationCodeResult(**{name: query[name] for name in ("code", "state", "iss")})


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


@pytest.fixture
def url(listener: socket.socket) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture
def environment(url: str) -> dict[str, str]:
    return {"MDPUBLISH_PUBLIC_URL": url, "MDPUBLISH_DASHBOARD_URL": url}


@asynccontextmanager
async def listening(state: AppState, listener: socket.socket) -> AsyncIterator[None]:
    """Serve the application over HTTP."""
    async with serving(state) as site, anyio.create_task_group() as tasks:
        server = uvicorn.Server(uvicorn.Config(site, log_level="error", lifespan="off", server_header=False))
        tasks.start_soon(server._serve, [listener])
        yield
        server.should_exit = True


def allow(page: "Page", link: str) -> None:
    """Sign in on the way, and allow what is asked for."""
    page.goto(link)
    page.locator("[name=email]").fill("anna@example.org")
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Allow").click()
    page.get_by_text("Close this tab.").wait_for()


@pytest.mark.parametrize("identifies_by_document", [False, True], ids=["registration", "metadata document"])
def test_client_connects_while_a_person_allows_it_in_a_browser(
    state: AppState,
    anna: Member,
    url: str,
    listener: socket.socket,
    chromium: "Browser",
    *,
    identifies_by_document: bool,
) -> None:
    assert anna.token
    with in_thread(Callback()) as callback:
        person = Person(callback)

        async def connect() -> None:
            def document(of: str) -> bytes:
                return response({"client_id": of, "client_name": "The SDK", "redirect_uris": [callback.url]})

            async with document_server(document) as (document_url, documents, requests):
                state.apps = Apps(state.database, state.settings, state.clock, documents)
                async with listening(state, listener):
                    site = Site(url, httpx2.AsyncHTTPTransport())
                    used = document_url if identifies_by_document else None
                    await use_refresh_and_revoke(site, person, used, callback.url)
            assert len(requests) == identifies_by_document

        def run() -> None:
            try:
                anyio.run(connect)
                person.links.put("")
            except BaseException as error:  # noqa: BLE001  (the test raises it)
                person.links.put(error)

        thread = Thread(target=run)
        thread.start()
        page = chromium.new_page()
        page.set_default_timeout(SECONDS * 1_000)
        # Once: what comes after is refreshed.
        allow(page, _link(person))
        assert _link(person) == ""
        thread.join()
        page.close()


def _link(person: Person) -> str:
    """Return what the client asks the person to open; nothing at its end."""
    link = person.links.get(timeout=SECONDS)
    if isinstance(link, BaseException):
        raise link
    return link
