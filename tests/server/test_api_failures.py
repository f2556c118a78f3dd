"""Internal failures are reported, not counted against the quota, and change nothing.

Nothing is mocked: workers run jobs that fail on request (`conversion_jobs`), and rows in the database are corrupted.
"""

import gc
from collections.abc import AsyncIterator, Iterator
from datetime import datetime

import httpx
import pytest
from starlette.types import ASGIApp

from mdpublish_server.app import make_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.settings import Settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import DOCUMENTS
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import SITE, create, get, publish, publish_new, refusal, unpublish, update, used
from tests.server.conftest import MakeOwner, Owner

pytestmark = pytest.mark.anyio

# Inputs that make a worker fail in each way, of which one fails the job and one the worker.
HARMFUL = ["raise:secret", "crash:", "exit:1", "recurse:"]
FAILING = HARMFUL[:2]
RATE_HEADERS = {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"}


@pytest.fixture(scope="module")
def fragile_converter() -> Iterator[Converter]:
    """Workers that fail on `HARMFUL` inputs."""
    converter = Converter(workers=2, demo_workers=1, jobs_module="tests.server.conversion_jobs")
    yield converter
    converter.close()


@pytest.fixture
def owner(make_owner: MakeOwner) -> Owner:
    return make_owner("anna", plan="pro", username="anna")


@pytest.fixture
def anna(client: httpx.AsyncClient, owner: Owner) -> httpx.AsyncClient:
    """A client of a service with ordinary workers."""
    client.headers.update(owner.headers)
    return client


@pytest.fixture
def fragile_app(settings: Settings, database: Database, fragile_converter: Converter, times: list[datetime]) -> ASGIApp:
    state = AppState(settings, database=database, converter=fragile_converter, clock=lambda: times[-1])
    return make_app(state)


@pytest.fixture
async def fragile(fragile_app: ASGIApp, owner: Owner) -> AsyncIterator[httpx.AsyncClient]:
    """A client of the same account at a service with fragile workers on the same database."""
    transport = httpx.ASGITransport(fragile_app, raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url=SITE, headers=owner.headers) as client:
        yield client


def failure(response: httpx.Response) -> tuple[int, str]:
    """Return a failure's status and code; it has rate limit headers and reveals no internals."""
    assert set(response.headers) >= RATE_HEADERS
    assert "secret" not in response.text
    assert "Traceback" not in response.text
    return refusal(response)


@pytest.mark.parametrize("markdown", [*FAILING, "stall:"])
async def test_slug_made_for_a_page_that_breaks_is_free_at_once(
    fragile: httpx.AsyncClient, request: pytest.FixtureRequest, markdown: str
) -> None:
    # Errors may be part of reference cycles, which hold the slug until the garbage is collected.
    gc.disable()
    request.addfinalizer(gc.enable)
    response = await fragile.post("/v1/documents/publish", json={"content": markdown, "title": "Garden"})
    assert response.status_code in (500, 503)
    assert (await publish_new(fragile, title="Garden"))["published_url"] == f"{SITE}/u/anna/garden"


async def test_content_that_breaks_can_be_stored_and_changed_while_it_is_not_published(
    fragile: httpx.AsyncClient,
) -> None:
    document_id = await create(fragile, content="raise:two words")
    # Counted by white space, without a worker.
    assert (await get(fragile, document_id))["word_count"] == 2
    await update(fragile, document_id, content="raise:now three words")
    assert (await get(fragile, document_id))["word_count"] == 3
    await unpublish(fragile, document_id)
    await update(fragile, document_id, content="whole")
    await publish(fragile, document_id)


async def test_failure_leaves_the_page_limit_as_it_was(fragile: httpx.AsyncClient, make_owner: MakeOwner) -> None:
    fragile.headers.update(make_owner("free").headers)
    for _ in range(4):
        response = await fragile.post("/v1/documents/publish", json={"content": "raise:"})
        assert refusal(response) == (500, "render_error")
    for _ in range(3):
        await publish_new(fragile)


@pytest.fixture
async def spoilt(anna: httpx.AsyncClient, database: Database) -> str:
    """The id of a document whose row has a time out of range."""
    document_id = await create(anna)
    with database.write_transaction() as transaction:
        transaction.change(Statement(DOCUMENTS.update().values(created_at=2**62)))
    return document_id


@pytest.mark.parametrize(
    ("method", "path"),
    [("GET", "/v1/documents/{id}"), ("PATCH", "/v1/documents/{id}"), ("POST", "/v1/documents/{id}/publish")],
)
async def test_crash_is_an_internal_error_that_reveals_nothing_and_is_not_counted(
    anna: httpx.AsyncClient, spoilt: str, caplog: pytest.LogCaptureFixture, method: str, path: str
) -> None:
    count = await used(anna)
    response = await anna.request(method, path.format(id=spoilt), json=None if method == "GET" else {})
    assert failure(response) == (500, "internal_error")
    assert "Overflow" not in response.text
    assert "OverflowError" in caplog.text
    assert await used(anna) == count
