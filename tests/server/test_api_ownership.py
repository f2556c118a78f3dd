"""Another account's document is indistinguishable from a missing one."""

from typing import Any

import httpx
import pytest

from tests.server.api_requests import MISSING, create, publish_new, refusal
from tests.server.conftest import MakeOwner
from tests.server.input_bench import headers_of

pytestmark = pytest.mark.anyio

OPERATIONS: list[tuple[str, str, dict[str, Any] | None]] = [
    ("GET", "/v1/documents/{id}", None),
    ("HEAD", "/v1/documents/{id}", None),
    ("PATCH", "/v1/documents/{id}", {}),
    ("PATCH", "/v1/documents/{id}", {"title": "mine", "content": "mine"}),
    # Pro features reveal nothing either.
    ("PATCH", "/v1/documents/{id}", {"template_id": "nord"}),
    ("DELETE", "/v1/documents/{id}", None),
    ("POST", "/v1/documents/{id}/publish", {}),
    ("POST", "/v1/documents/{id}/publish", {"description": "mine"}),
    ("POST", "/v1/documents/{id}/publish", {"slug": "garden", "hide_badge": True, "visibility": "public"}),
    ("DELETE", "/v1/documents/{id}/publish", None),
]


@pytest.fixture
async def others(client: httpx.AsyncClient, make_owner: MakeOwner) -> list[str]:
    """The ids of another account's documents: one published, one not."""
    client.headers.update(make_owner("other", plan="pro", username="other").headers)
    ids = [(await publish_new(client, "secret", title="secret", slug="garden"))["id"], await create(client)]
    del client.headers["Authorization"]
    return ids


async def responses_to(
    client: httpx.AsyncClient, operation: tuple[str, str, dict[str, Any] | None], ids: list[str]
) -> list[httpx.Response]:
    method, path, body = operation
    return [await client.request(method, path.format(id=each), json=body) for each in ids]


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda operation: f"{operation[0]} {operation[2]}")
async def test_missing_and_anothers_document_are_given_identical_responses_whatever_is_sent(
    free: httpx.AsyncClient, others: list[str], operation: tuple[str, str, dict[str, Any] | None]
) -> None:
    (missing,) = await responses_to(free, operation, [MISSING])
    if operation[0] != "HEAD":
        assert refusal(missing) == (404, "not_found")

    for response in await responses_to(free, operation, [*others, others[0].upper(), "x"]):
        assert (response.status_code, response.content) == (404, missing.content), response.request.url
        assert headers_of(response) == headers_of(missing)


@pytest.mark.parametrize("path", ["/v1/documents/{id}", "/v1/documents/{id}/publish"])
async def test_wrong_body_for_a_missing_and_for_anothers_document_is_given_the_same_response(
    free: httpx.AsyncClient, others: list[str], path: str
) -> None:
    method = "POST" if path.endswith("publish") else "PATCH"
    for body in ({"page_width": "x"}, {"description": 1}):
        responses = await responses_to(free, (method, path, body), [MISSING, *others])
        assert len({(response.status_code, response.content) for response in responses}) == 1
        assert refusal(responses[0]) == (400, "validation_error")
