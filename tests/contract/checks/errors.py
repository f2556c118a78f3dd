"""The error envelope, and the errors of every operation."""

import asyncio
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import httpx

from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.operations import Access, Operation
from mdpublish_server.storage.tables import ACCOUNTS
from mdpublish_server.storage.transactions import Statement
from tests.contract.claims import DECLARED, claim
from tests.contract.requests import failure
from tests.contract.service import ELSEWHERE, Service
from tests.image_files import PNG
from tests.server.api_requests import MISSING, publish_demo, publish_new, refusal, update, used

IDEMPOTENCY_KEY = {"Idempotency-Key": "0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42"}


def with_response(status: int, code: str) -> Iterator[Operation]:
    """Yield the operations that declare a response."""
    for operation in OPERATIONS:
        if (operation.name, status, code) in DECLARED:
            yield operation


async def send(
    client: httpx.AsyncClient,
    operation: Operation,
    document_id: str = MISSING,
    *,
    headers: dict[str, str] | None = None,
    **body: Any,
) -> httpx.Response:
    """Send the operation's example."""
    path = f"/v1{operation.path.replace('{id}', document_id)}"
    if operation.body_content is not None:
        # What follows the image in its file is dropped.
        file = PNG + json.dumps(body).encode()
        return await client.request(operation.method, path, content=file, headers=headers)
    content = {**operation.body_example, **body} if operation.body_example is not None else None
    return await client.request(operation.method, path, json=content, headers=headers)


@claim("error.envelope")
async def error_has_an_envelope(service: Service) -> None:
    for response, status, code in (
        (await service.free.post("/v1/convert", json={}), 400, "validation_error"),
        (await service.anyone.get("/v1/usage"), 401, "unauthorized"),
        (await service.free.get(f"/v1/documents/{MISSING}"), 404, "not_found"),
        (await service.free.put("/v1/usage"), 405, "method_not_allowed"),
    ):
        error = response.json()["error"]
        assert response.json() == {"error": {"code": code, "message": error["message"], "status": status}}
        assert isinstance(error["message"], str)
        assert error["message"]
        assert response.status_code == status


@claim("every.400.invalid_body")
async def every_body_is_json(service: Service) -> None:
    for operation in with_response(400, "invalid_body"):
        if operation.body is None:
            continue
        path = f"/v1{operation.path.replace('{id}', MISSING)}"
        response = await service.pro.request(operation.method, path, content=b"{")
        assert refusal(response) == (400, "invalid_body")


@claim("every.401.unauthorized")
async def every_operation_needs_a_key(service: Service) -> None:
    operations = list(with_response(401, "unauthorized"))
    assert [each.name for each in OPERATIONS if each not in operations] == ["publishDemo"]
    for operation in operations:
        for key in ({}, {"Authorization": f"Bearer svc_{'0' * 64}"}):
            response = await send(service.anyone, operation, headers=key)
            assert refusal(response) == (401, "unauthorized")
            assert response.headers["www-authenticate"] == "Bearer"


@claim("every.403.forbidden")
async def every_operation_needs_https(service: Service) -> None:
    elsewhere = service.client(from_ip=ELSEWHERE)
    elsewhere.headers["Authorization"] = service.pro.headers["Authorization"]
    for operation in OPERATIONS:
        assert failure(await send(elsewhere, operation)) == (403, "forbidden")


@claim("every.404.not_found")
async def every_missing_document_is_reported(service: Service) -> None:
    for operation in with_response(404, "not_found"):
        if "{id}" in operation.path:
            assert refusal(await send(service.pro, operation)) == (404, "not_found")


@claim("every.409.conflict")
async def request_that_still_runs_conflicts(service: Service) -> None:
    for operation in OPERATIONS:
        if not operation.replays:
            continue
        token = (await publish_demo(service.anyone))["claim_token"]
        body = {"claim_token": token} if operation.name == "claimDemo" else {}
        requests = (send(service.pro, operation, headers=IDEMPOTENCY_KEY, **body) for _ in range(8))
        responses = await asyncio.gather(*requests)
        done = [response for response in responses if response.is_success]
        conflicts = [response for response in responses if response not in done]
        assert len({response.content for response in done}) == 1
        assert conflicts
        assert all(refusal(response) == (409, "conflict") for response in conflicts)


@claim("every.412.precondition_failed")
async def other_revision_fails(service: Service) -> None:
    document_id = (await publish_new(service.pro))["id"]
    stale = (await service.pro.get(f"/v1/documents/{document_id}")).headers["etag"]
    await update(service.pro, document_id, title="New")
    for operation in with_response(412, "precondition_failed"):
        response = await send(service.pro, operation, document_id, headers={"If-Match": stale})
        assert refusal(response) == (412, "precondition_failed")
    assert (await service.pro.get(f"/v1/documents/{document_id}")).json()["title"] == "New"


@claim("every.422.idempotency_mismatch")
async def other_body_is_a_mismatch(service: Service) -> None:
    for operation in with_response(422, "idempotency_mismatch"):
        first = await send(service.pro, operation, headers=IDEMPOTENCY_KEY)
        assert first.status_code in (200, 201, 404)
        documents = (await service.pro.get("/v1/documents")).json()
        response = await send(service.pro, operation, headers=IDEMPOTENCY_KEY, extra="other")
        assert refusal(response) == (422, "idempotency_mismatch")
        assert (await service.pro.get("/v1/documents")).json() == documents


@claim("every.429.quota_exceeded")
async def every_counted_operation_needs_quota(service: Service) -> None:
    service.configure({"MDPUBLISH_PRO_MONTHLY_QUOTA": "1"})
    document_id = (await publish_new(service.pro))["id"]
    for operation in with_response(429, "quota_exceeded"):
        assert operation.is_counted
        assert refusal(await send(service.pro, operation, document_id)) == (429, "quota_exceeded")
    assert await used(service.pro) == 1


@claim("every.429.rate_limited")
async def every_operation_is_rate_limited(service: Service) -> None:
    service.clock.stop()
    for _ in range(10):
        assert (await service.free.get("/v1/usage")).status_code == 200
    for operation in with_response(429, "rate_limited"):
        if operation.access is not Access.OPEN:
            response = await send(service.free, operation)
            assert refusal(response) == (429, "rate_limited")
            assert int(response.headers["retry-after"]) == 1


@claim("every.500.internal_error")
async def every_crash_is_reported(service: Service) -> None:
    _ = service.pro
    # Times out of range: of an account, and of the clock, from which a demo's expiry is calculated.
    with service.database.write_transaction() as transaction:
        transaction.change(Statement(ACCOUNTS.update().values(created_at=2**62)))
    service.clock.set(datetime.max.replace(tzinfo=UTC))
    for operation in OPERATIONS:
        assert failure(await send(service.pro, operation)) == (500, "internal_error")


@claim("every.503.service_unavailable")
async def every_operation_needs_the_database(service: Service) -> None:
    _ = service.pro
    service.lose_database()
    for operation in OPERATIONS:
        response = await send(service.pro, operation)
        assert failure(response) == (503, "service_unavailable")
        assert int(response.headers["retry-after"]) >= 1
