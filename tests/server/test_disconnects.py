"""Requests of clients that leave during a job: nothing is stored or counted, but a write that began is finished."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from datetime import datetime
from urllib.parse import urlencode

import httpx
import pytest
from sqlalchemy import func, select
from starlette.types import ASGIApp, Message

from mdpublish_server.app import make_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.settings import Settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import DOCUMENTS
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import SITE, create, get, used
from tests.server.conftest import MakeOwner

pytestmark = pytest.mark.anyio

FORM = {"content": "hang:", "template_id": "swiss", "theme_mode": "light"}
JSON_REQUESTS = {
    "/v1/convert": {"markdown": "hang:"},
    "/v1/documents": {"content": "hang:"},
    "/v1/documents/publish": {"content": "hang:"},
    "/v1/demo/publish": {"content": "hang:"},
}
FORM_PATHS = ("/", "/preview", "/copy")
REQUESTS = [
    *(pytest.param(path, "application/json", json.dumps(fields), id=path) for path, fields in JSON_REQUESTS.items()),
    *(pytest.param(path, "application/x-www-form-urlencoded", urlencode(FORM), id=path) for path in FORM_PATHS),
]


@pytest.fixture(scope="module")
def hanging_converter() -> Iterator[Converter]:
    """Workers that hang on the text `hang:`."""
    converter = Converter(workers=1, demo_workers=1, jobs_module="tests.server.conversion_jobs")
    yield converter
    converter.close()


@pytest.fixture
def app(settings: Settings, database: Database, hanging_converter: Converter, times: list[datetime]) -> ASGIApp:
    state = AppState(settings, database=database, converter=hanging_converter, clock=lambda: times[-1])
    return make_app(state)


@pytest.fixture
async def anna(app: ASGIApp, make_owner: MakeOwner) -> AsyncIterator[httpx.AsyncClient]:
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=SITE) as client:
        client.headers.update(make_owner("anna", plan="pro", username="anna").headers)
        yield client


@pytest.fixture
def quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mdpublish_server.conversion.pool.ABANDONED_SECONDS", 0.01)


class Request:
    """A request whose client leaves when `has_left` is set."""

    def __init__(
        self, client: httpx.AsyncClient, path: str, content_type: str, body: str, *, method: str = "POST"
    ) -> None:
        headers = {"host": "127.0.0.1:8000", "content-type": content_type, "origin": SITE}
        headers["authorization"] = client.headers["authorization"]
        self.has_left = asyncio.Event()
        self.responses: list[Message] = []
        self._scope = {
            "type": "http",
            "method": method,
            "path": path,
            "raw_path": path.encode(),
            "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
            "client": ("127.0.0.1", 50000),
            "scheme": "http",
            "http_version": "1.1",
        }
        self._messages = iter([{"type": "http.request", "body": body.encode(), "more_body": False}])

    async def send_to(self, app: ASGIApp) -> None:
        await app(self._scope, self._receive, self._send)

    async def _receive(self) -> Message:
        message = next(self._messages, None)
        if message is None:
            await self.has_left.wait()
            message = {"type": "http.disconnect"}
        return message

    async def _send(self, message: Message) -> None:
        self.responses.append(message)


def stored(database: Database) -> int:
    with database.read_transaction() as transaction:
        rows = transaction.rows(Statement(select(func.count()).select_from(DOCUMENTS)))
    return int(rows[0][0])


@pytest.mark.usefixtures("quickly")
@pytest.mark.parametrize(("path", "content_type", "body"), REQUESTS)
async def test_request_of_a_client_that_leaves_during_its_job_changes_and_counts_nothing(
    app: ASGIApp, anna: httpx.AsyncClient, database: Database, path: str, content_type: str, body: str
) -> None:
    request = Request(anna, path, content_type, body)
    sent = asyncio.create_task(request.send_to(app))
    await asyncio.sleep(0.05)
    assert not sent.done()
    request.has_left.set()
    async with asyncio.timeout(60):
        await sent
    assert request.responses[0]["status"] == 400
    assert stored(database) == 0
    assert await used(anna) == 0


@pytest.mark.usefixtures("quickly")
async def test_document_whose_change_is_abandoned_keeps_its_text(app: ASGIApp, anna: httpx.AsyncClient) -> None:
    document_id = await create(anna, content="before")
    count = await used(anna)
    path = f"/v1/documents/{document_id}"
    request = Request(anna, path, "application/json", '{"content": "hang:"}', method="PATCH")
    sent = asyncio.create_task(request.send_to(app))
    await asyncio.sleep(0.05)
    request.has_left.set()
    await sent
    assert (await get(anna, document_id))["content"] == "before"
    assert await used(anna) == count
    # The document is not locked.
    assert (await anna.patch(path, json={"title": "after"})).status_code == 200


async def test_write_is_finished_though_the_client_leaves_after_its_job(
    app: ASGIApp, anna: httpx.AsyncClient, hanging_converter: Converter
) -> None:
    request = Request(anna, "/v1/documents/publish", "application/json", '{"content": "text", "slug": "garden"}')
    hanging_converter.observe(lambda _kind, _outcome, _seconds, _cpu_seconds: request.has_left.set())
    await request.send_to(app)
    assert request.has_left.is_set()
    assert request.responses[0]["status"] == 201
    assert (await anna.get("/u/anna/garden")).status_code == 200
    assert await used(anna) == 1
