"""Requests per month."""

from datetime import UTC, datetime, timedelta
from typing import Any

import httpx

from mdpublish_server.storage.tables import ACCOUNTS
from mdpublish_server.storage.transactions import Statement
from tests.contract.claims import claim
from tests.contract.service import Service
from tests.server.api_requests import MISSING, create, publish_demo, publish_new, refusal, used

LIST = "/v1/documents"
CONVERT = "/v1/convert"
SMALL_QUOTA = {"MDPUBLISH_FREE_MONTHLY_QUOTA": "3"}
MICROSECOND = timedelta(microseconds=1)
RATE_LIMITED = (429, "rate_limited")
QUOTA_EXCEEDED = (429, "quota_exceeded")


async def convert(client: httpx.AsyncClient, markdown: str = "x") -> httpx.Response:
    return await client.post(CONVERT, json={"markdown": markdown})


async def _spend(client: httpx.AsyncClient, number: int) -> None:
    """Send counted requests that cost little."""
    for _ in range(number):
        response = await client.delete(f"{LIST}/{MISSING}")
        assert response.status_code == 404


async def _use_up(service: Service, client: httpx.AsyncClient, quota: int) -> None:
    """Assert that the quota is the last counted request; most are counted in the database alone."""
    await _spend(client, 1)
    with service.database.write_transaction() as transaction:
        transaction.change(Statement(ACCOUNTS.update().values(used=ACCOUNTS.c.used + quota - 2)))
    assert (await convert(client)).status_code == 200
    assert await used(client) == quota
    assert refusal(await convert(client)) == QUOTA_EXCEEDED


@claim("limits.quota.free")
async def free_has_a_thousand_a_month(service: Service) -> None:
    await _use_up(service, service.free, 1_000)


@claim("limits.quota.pro")
async def pro_has_ten_thousand_a_month(service: Service) -> None:
    await _use_up(service, service.pro, 10_000)


@claim("limits.quota.counted")
async def requests_are_counted(service: Service) -> None:
    client = service.pro
    demo = await publish_demo(client)
    document_id = await create(client)
    url = f"{LIST}/{document_id}"
    requests: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("POST", CONVERT, {"markdown": "x"}),
        ("POST", "/v1/import", {"html": "x"}),
        ("POST", LIST, {}),
        ("PATCH", url, {}),
        ("POST", f"{url}/publish", {}),
        ("DELETE", f"{url}/publish", {}),
        ("DELETE", url, {}),
        ("POST", f"{LIST}/publish", {"content": "x"}),
        ("POST", "/v1/demo/claim", {"claim_token": demo["claim_token"]}),
    )
    for number, (method, path, body) in enumerate(requests, 1):
        assert (await client.request(method, path, json=body)).is_success
        assert await used(client) == number + 1


@claim("limits.quota.exempt")
async def reading_is_not_counted(service: Service) -> None:
    document_id = await create(service.free)
    for path in (LIST, f"{LIST}?limit=1", f"{LIST}/{document_id}", "/v1/images", "/v1/templates", "/v1/usage"):
        assert (await service.free.get(path)).status_code == 200
    assert await used(service.free) == 1


@claim("limits.quota.errors")
async def refused_requests_are_counted(service: Service) -> None:
    document_id = await create(service.free)
    requests: tuple[tuple[str, str, dict[str, Any], int], ...] = (
        ("POST", CONVERT, {}, 400),
        ("POST", CONVERT, {"markdown": "x", "template_id": "nord"}, 403),
        ("POST", LIST, {"title": 1}, 400),
        ("POST", LIST, {"template_id": "nord"}, 403),
        ("PATCH", f"{LIST}/{MISSING}", {}, 404),
        ("PATCH", f"{LIST}/x", {}, 404),
        ("PATCH", f"{LIST}/{document_id}", {"page_width": "x"}, 400),
        ("DELETE", f"{LIST}/{MISSING}", {}, 404),
        ("POST", f"{LIST}/publish", {}, 400),
        ("POST", f"{LIST}/publish", {"content": "x", "slug": "abc"}, 403),
        ("POST", f"{LIST}/{MISSING}/publish", {}, 404),
        ("POST", f"{LIST}/{document_id}/publish", {"slug": "abc"}, 403),
        ("DELETE", f"{LIST}/{MISSING}/publish", {}, 404),
        ("POST", "/v1/demo/claim", {}, 400),
        ("POST", "/v1/demo/claim", {"claim_token": MISSING}, 404),
    )
    for number, (method, path, body, status) in enumerate(requests, 2):
        response = await service.free.request(method, path, json=body)
        assert (response.status_code, response.headers["x-ratelimit-remaining"]) == (status, "9")
        assert await used(service.free) == number
    count = await used(service.free)
    for content in (b"", b"{", b"[]"):
        assert refusal(await service.free.post(CONVERT, content=content)) == (400, "invalid_body")
    assert await used(service.free) == count + 3


@claim("limits.quota.errors.limits")
async def requests_beyond_other_limits_are_counted(service: Service) -> None:
    demo = await publish_demo(service.pro)
    await publish_new(service.pro, slug="garden")
    service.clock.advance(hours=72)
    conflict = await service.pro.post(f"{LIST}/publish", json={"content": "x", "slug": "garden"})
    expired = await service.pro.post("/v1/demo/claim", json={"claim_token": demo["claim_token"]})
    assert (refusal(conflict), refusal(expired)) == ((409, "conflict"), (410, "expired"))
    assert await used(service.pro) == 3
    for _ in range(3):
        await create(service.free)
    assert refusal(await service.free.post(LIST, json={})) == (403, "forbidden")
    response = await service.free.post(f"{LIST}/publish", json={"content": "x"})
    assert refusal(response) == (403, "quota_exceeded")
    assert await used(service.free) == 5


@claim("limits.quota.failures")
async def failed_requests_are_not_counted(service: Service) -> None:
    service.configure(is_fragile=True)
    assert refusal(await convert(service.free, "raise:x")) == (500, "conversion_error")
    assert await used(service.free) == 0
    for method, path in (("POST", "/v1/nosuch"), ("PUT", LIST)):
        await service.free.request(method, path, json={})
    service.clock.advance(seconds=1)
    service.clock.stop()
    for _ in range(12):
        response = await convert(service.free)
    assert refusal(response) == RATE_LIMITED
    service.clock.advance(seconds=1)
    assert await used(service.free) == 10


@claim("limits.quota.exceeded")
async def quota_is_exceeded(service: Service) -> None:
    service.configure(SMALL_QUOTA)
    await _spend(service.free, 3)
    for _ in range(2):
        response = await convert(service.free)
        assert refusal(response) == QUOTA_EXCEEDED
        message = response.json()["error"]["message"]
        assert "Monthly quota of 3 requests exceeded" in message
        assert "it resets at 2026-04-01T00:00:00Z" in message
        # Clients that obey it would sleep for days.
        assert "retry-after" not in response.headers
        assert response.headers["x-ratelimit-remaining"] == "9"
    for path in (LIST, "/v1/templates"):
        assert (await service.free.get(path)).status_code == 200
    assert await used(service.free) == 3


@claim("limits.quota.reset")
async def quota_resets_each_month(service: Service) -> None:
    service.configure(SMALL_QUOTA)
    await _spend(service.free, 3)
    service.clock.set(datetime(2026, 4, 1, tzinfo=UTC) - MICROSECOND)
    assert refusal(await convert(service.free)) == QUOTA_EXCEEDED
    service.clock.set(datetime(2026, 4, 1, tzinfo=UTC))
    assert await used(service.free) == 0
    assert (await convert(service.free)).status_code == 200
