"""Internal failures are reported, not counted against the quota, and change nothing.

Nothing is mocked: workers run jobs that fail on request (`conversion_jobs`), and rows in the database are corrupted.
"""

import asyncio
import gc
from collections.abc import AsyncIterator, Callable, Iterator
from datetime import UTC, datetime
from pathlib import Path

import httpx
import pytest
from starlette.types import ASGIApp

from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.operations import Operation
from mdpublish_server.app import make_app
from mdpublish_server.conversion import Converter
from mdpublish_server.settings import Settings
from mdpublish_server.state import make_state
from mdpublish_server.storage import Database, open_database
from mdpublish_server.storage.tables import ACCOUNTS, DOCUMENTS
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import (
    MISSING,
    SITE,
    claim,
    create,
    get,
    publish,
    publish_demo,
    publish_new,
    refusal,
    unpublish,
    update,
    used,
)
from tests.server.conftest import Owner

pytestmark = pytest.mark.anyio

# Inputs that make a worker fail in each way, of which one fails the job and one the worker.
HARMFUL = ["raise:secret", "crash:", "exit:1", "recurse:"]
FAILING = HARMFUL[:2]
RATE_HEADERS = {"x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset"}
BY_NAME = [pytest.param(operation, id=operation.name) for operation in OPERATIONS]


@pytest.fixture(scope="module")
def fragile_converter() -> Iterator[Converter]:
    """Workers that fail on `HARMFUL` inputs."""
    converter = Converter(workers=2, demo_workers=1, jobs_module="tests.server.conversion_jobs")
    yield converter
    converter.close()


@pytest.fixture
def owner(make_owner: Callable[..., Owner]) -> Owner:
    return make_owner("anna", plan="pro", username="anna")


@pytest.fixture
def anna(client: httpx.AsyncClient, owner: Owner) -> httpx.AsyncClient:
    """A client of a service with ordinary workers."""
    client.headers.update(owner.headers)
    return client


@pytest.fixture
def fragile_app(settings: Settings, database: Database, fragile_converter: Converter, times: list[datetime]) -> ASGIApp:
    state = make_state(settings, database=database, converter=fragile_converter, clock=lambda: times[-1])
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


@pytest.mark.parametrize("markdown", HARMFUL)
async def test_conversion_that_breaks_is_reported_and_not_counted(fragile: httpx.AsyncClient, markdown: str) -> None:
    response = await fragile.post("/v1/convert", json={"markdown": markdown})
    assert failure(response) == (500, "conversion_error")
    assert await used(fragile) == 0

    assert (await fragile.post("/v1/convert", json={"markdown": "x"})).status_code == 200
    assert await used(fragile) == 1


@pytest.mark.parametrize("markdown", FAILING)
async def test_publishing_that_breaks_changes_nothing_and_is_not_counted(
    fragile: httpx.AsyncClient, markdown: str
) -> None:
    document_id = await create(fragile, content=markdown)
    before, count = await get(fragile, document_id), await used(fragile)

    response = await fragile.post(
        f"/v1/documents/{document_id}/publish", json={"slug": "garden", "description": "D", "page_width": "full"}
    )

    assert failure(response) == (500, "render_error")
    assert await get(fragile, document_id) == before
    assert await used(fragile) == count
    assert (await fragile.get("/u/anna/garden")).status_code == 404
    # The slug is available.
    await publish_new(fragile, slug="garden")


@pytest.mark.parametrize("markdown", FAILING)
async def test_create_and_publish_that_breaks_keeps_nothing_and_is_not_counted(
    fragile: httpx.AsyncClient, markdown: str
) -> None:
    response = await fragile.post("/v1/documents/publish", json={"content": markdown, "slug": "garden"})
    assert failure(response) == (500, "render_error")
    assert (await fragile.get("/v1/documents")).json()["data"] == []
    assert await used(fragile) == 0
    await publish_new(fragile, slug="garden")


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


@pytest.mark.parametrize("markdown", FAILING)
async def test_republishing_that_breaks_leaves_page_and_document(
    anna: httpx.AsyncClient, fragile: httpx.AsyncClient, markdown: str
) -> None:
    published = await publish_new(anna, markdown, slug="garden")
    before, count = await get(anna, published["id"]), await used(anna)
    page = await anna.get(published["published_url"])

    response = await fragile.post(
        f"/v1/documents/{published['id']}/publish", json={"slug": "kitchen", "visibility": "public", "description": "D"}
    )

    assert failure(response) == (500, "render_error")
    assert await get(anna, published["id"]) == before
    assert await used(anna) == count
    after = await anna.get(published["published_url"])
    assert (after.status_code, after.content) == (200, page.content)
    assert (await anna.get("/u/anna/kitchen")).status_code == 404


@pytest.mark.parametrize("markdown", FAILING)
async def test_change_of_a_published_document_that_breaks_leaves_page_and_document(
    fragile: httpx.AsyncClient, markdown: str
) -> None:
    published = await publish_new(fragile, "old", title="Old")
    before, count = await get(fragile, published["id"]), await used(fragile)
    page = await fragile.get(published["published_url"])

    response = await fragile.patch(f"/v1/documents/{published['id']}", json={"content": markdown, "title": "New"})

    assert failure(response) == (500, "render_error")
    assert await get(fragile, published["id"]) == before
    assert await used(fragile) == count
    after = await fragile.get(published["published_url"])
    assert (after.status_code, after.content) == (200, page.content)


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


async def test_failure_leaves_the_page_limit_as_it_was(
    fragile: httpx.AsyncClient, make_owner: Callable[..., Owner]
) -> None:
    fragile.headers.update(make_owner("free").headers)
    for _ in range(4):
        response = await fragile.post("/v1/documents/publish", json={"content": "raise:"})
        assert refusal(response) == (500, "render_error")
    for _ in range(3):
        await publish_new(fragile)


async def test_claim_that_breaks_leaves_the_demo(anna: httpx.AsyncClient, fragile: httpx.AsyncClient) -> None:
    demo = await publish_demo(anna, "raise:secret")
    assert failure(await claim(fragile, demo["claim_token"])) == (500, "render_error")

    assert await used(anna) == 0
    assert (await anna.get(demo["url"])).status_code == 200
    assert (await anna.get("/v1/documents")).json()["data"] == []
    assert (await claim(anna, demo["claim_token"])).status_code == 200


async def test_demo_that_breaks_is_not_published(fragile: httpx.AsyncClient) -> None:
    response = await fragile.post("/v1/demo/publish", json={"content": "raise:secret"})
    assert failure(response) == (500, "render_error")


async def test_request_that_has_no_room_in_the_queue_learns_when_to_retry_and_not_counted(
    fragile: httpx.AsyncClient,
) -> None:
    body = {"markdown": "sleep:0.2"}
    responses = await asyncio.gather(*(fragile.post("/v1/convert", json=body) for _ in range(60)))

    busy = [response for response in responses if response.status_code == 503]
    assert busy
    for response in busy:
        assert failure(response) == (503, "service_unavailable")
        assert int(response.headers["retry-after"]) >= 1
    assert await used(fragile) == 0


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


async def send(client: httpx.AsyncClient, operation: Operation) -> httpx.Response:
    path = operation.path.replace("{id}", MISSING)
    return await client.request(operation.method, f"/v1{path}", json=operation.body_example)


@pytest.mark.parametrize("operation", BY_NAME)
async def test_crash_of_any_operation_is_reported(
    anna: httpx.AsyncClient, database: Database, times: list[datetime], operation: Operation
) -> None:
    # An account creation time out of range, and a clock so late that a demo's expiry overflows: demos have no account.
    with database.write_transaction() as transaction:
        transaction.change(Statement(ACCOUNTS.update().values(created_at=2**62)))
    times.append(datetime.max.replace(tzinfo=UTC))

    assert failure(await send(anna, operation)) == (500, "internal_error")


@pytest.mark.parametrize("operation", BY_NAME)
async def test_no_operation_works_without_the_database(
    converter: Converter, settings: Settings, tmp_path: Path, operation: Operation
) -> None:
    database = open_database(f"sqlite:///{tmp_path / 'never-made.db'}")
    app = make_app(make_state(settings, database=database, converter=converter))
    headers = {"Authorization": f"Bearer svc_{'0' * 64}"}
    async with httpx.AsyncClient(transport=httpx.ASGITransport(app), base_url=SITE, headers=headers) as client:
        response = await send(client, operation)
    database.close()

    assert failure(response) == (503, "service_unavailable")
    assert "never-made" not in response.text
    assert int(response.headers["retry-after"]) >= 1
