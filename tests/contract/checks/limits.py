"""Rate limits, the monthly quota, and the limits of documents, pages and conversions."""

import asyncio
from datetime import UTC, datetime, timedelta
from math import ceil
from time import perf_counter
from typing import Any

import httpx

from mdpublish_server.services.accounts import add_key
from mdpublish_server.storage.tables import ACCOUNTS
from mdpublish_server.storage.transactions import Statement
from tests.contract.claims import claim
from tests.contract.service import Service
from tests.server.api_requests import (
    MISSING,
    create,
    get,
    publish,
    publish_demo,
    publish_new,
    refusal,
    unpublish,
    used,
)

LIST = "/v1/documents"
CONVERT = "/v1/convert"
SMALL_QUOTA = {"MDPUBLISH_FREE_MONTHLY_QUOTA": "3"}
MICROSECOND = timedelta(microseconds=1)
RATE_LIMITED = (429, "rate_limited")
QUOTA_EXCEEDED = (429, "quota_exceeded")


async def convert(client: httpx.AsyncClient, markdown: str = "x") -> httpx.Response:
    return await client.post(CONVERT, json={"markdown": markdown})


def rate_of(response: httpx.Response) -> tuple[int, int, int]:
    """Return limit, remaining requests and reset."""
    limit, remaining, reset = (int(response.headers[f"x-ratelimit-{name}"]) for name in ("limit", "remaining", "reset"))
    return limit, remaining, reset


# Requests per second


async def _check_rate(client: httpx.AsyncClient, service: Service, limit: int) -> None:
    service.clock.stop()
    for _ in range(limit):
        assert (await client.get(LIST)).status_code == 200
    assert refusal(await client.get(LIST)) == RATE_LIMITED


@claim("limits.rate.free")
async def free_has_ten_a_second(service: Service) -> None:
    await _check_rate(service.free, service, 10)


@claim("limits.rate.pro")
async def pro_has_thirty_a_second(service: Service) -> None:
    await _check_rate(service.pro, service, 30)


@claim("limits.rate.window")
async def window_slides(service: Service) -> None:
    service.clock.stop()
    for _ in range(6):
        await service.free.get(LIST)
    service.clock.advance(milliseconds=600)
    for _ in range(4):
        await service.free.get(LIST)
    assert refusal(await service.free.get(LIST)) == RATE_LIMITED
    # Six requests have left the window.
    service.clock.advance(milliseconds=400)
    statuses = [(await service.free.get(LIST)).status_code for _ in range(7)]
    assert statuses == [200] * 6 + [429]


@claim("limits.rate.account")
async def rate_is_of_the_account(service: Service) -> None:
    _ = service.free
    with service.database.write_transaction() as transaction:
        second = add_key(transaction, service.accounts["free"], name="second", now=service.clock.now)
    other = service.client(second.raw)
    service.clock.stop()
    for _ in range(5):
        for client in (service.free, other):
            assert (await client.get(LIST)).status_code == 200
    assert (await service.pro.get(LIST)).status_code == 200
    for client in (service.free, other):
        assert refusal(await client.get(LIST)) == RATE_LIMITED


@claim("limits.rate.retry-after")
async def rate_limit_says_when_to_retry(service: Service) -> None:
    service.clock.stop()
    for _ in range(10):
        await service.free.get(LIST)
    for _ in range(20):
        response = await service.free.get(LIST)
        assert refusal(response) == RATE_LIMITED
    service.clock.advance(seconds=int(response.headers["retry-after"]))
    assert (await service.free.get(LIST)).status_code == 200


@claim("limits.rate.outside")
async def requests_without_operation_count(service: Service) -> None:
    service.clock.stop()
    left = 10
    for method, path, status in (
        ("GET", "/v1/nosuch", 404),
        ("PUT", LIST, 405),
        ("OPTIONS", LIST, 405),
        ("GET", f"{LIST}/x", 404),
    ):
        response = await service.free.request(method, path)
        left -= 1
        assert (response.status_code, rate_of(response)[:2]) == (status, (10, left))


@claim("limits.rate.anonymous")
async def anonymous_requests_are_not_limited(service: Service) -> None:
    service.clock.stop()
    for _ in range(12):
        response = await service.anyone.get(LIST)
        assert refusal(response) == (401, "unauthorized")
        assert rate_of(response)[:2] == (10, 10)


@claim("limits.rate.demo")
async def demos_are_not_limited(service: Service) -> None:
    service.clock.stop()
    for client in (service.anyone, service.free):
        for _ in range(12):
            await publish_demo(client)
    assert rate_of(await service.free.get(LIST))[:2] == (10, 9)
    assert await used(service.free) == 0


@claim("limits.headers")
async def every_response_has_headers(service: Service) -> None:
    for client in (service.anyone, service.free):
        for method, path in (
            ("GET", LIST),
            ("GET", "/v1/nosuch"),
            ("PUT", LIST),
            ("POST", CONVERT),
            ("POST", "/v1/demo/publish"),
            ("GET", f"{LIST}/{MISSING}"),
        ):
            rate_of(await client.request(method, path))


@claim("limits.headers.limit")
async def header_shows_the_limit(service: Service) -> None:
    for client, limit in ((service.free, 10), (service.pro, 30), (service.anyone, 10)):
        assert rate_of(await client.get(LIST))[0] == limit


@claim("limits.headers.remaining")
async def header_shows_what_remains(service: Service) -> None:
    service.clock.stop()
    for remaining in (9, 8, 7):
        assert rate_of(await service.free.get(LIST))[1] == remaining


@claim("limits.headers.reset")
async def header_shows_the_reset(service: Service) -> None:
    service.clock.stop()
    start = service.clock.now
    assert rate_of(await service.free.get(LIST))[2] == ceil((start + timedelta(seconds=1)).timestamp())
    for _ in range(9):
        response = await service.free.get(LIST)
    reset = rate_of(response)[2]
    service.clock.set(datetime.fromtimestamp(reset, UTC))
    assert (await service.free.get(LIST)).status_code == 200


# Calls per month


async def _spend(client: httpx.AsyncClient, number: int) -> None:
    """Send counted requests that cost little."""
    for _ in range(number):
        response = await client.delete(f"{LIST}/{MISSING}")
        assert response.status_code == 404


@claim("limits.quota.free")
async def free_has_a_thousand_a_month(service: Service) -> None:
    await _spend(service.free, 999)
    assert (await convert(service.free)).status_code == 200
    assert refusal(await convert(service.free)) == QUOTA_EXCEEDED


@claim("limits.quota.pro")
async def pro_has_ten_thousand_a_month(service: Service) -> None:
    await _spend(service.pro, 1)
    with service.database.write_transaction() as transaction:
        transaction.change(Statement(ACCOUNTS.update().values(used=ACCOUNTS.c.used + 9_998)))
    assert (await convert(service.pro)).status_code == 200
    assert await used(service.pro) == 10_000
    assert refusal(await convert(service.pro)) == QUOTA_EXCEEDED


@claim("limits.quota.counted")
async def requests_are_counted(service: Service) -> None:
    client = service.pro
    demo = await publish_demo(client)
    document_id = await create(client)
    url = f"{LIST}/{document_id}"
    requests: tuple[tuple[str, str, dict[str, Any]], ...] = (
        ("POST", CONVERT, {"markdown": "x"}),
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
    for path in (LIST, f"{LIST}?limit=1", f"{LIST}/{document_id}", "/v1/templates", "/v1/usage"):
        assert (await service.free.get(path)).status_code == 200
    assert await used(service.free) == 1


@claim("limits.quota.errors")
async def refused_requests_are_counted(service: Service) -> None:
    for number, (method, path, status) in enumerate(
        (("POST", CONVERT, 400), ("PATCH", f"{LIST}/{MISSING}", 404), ("POST", "/v1/demo/claim", 400)), 1
    ):
        assert (await service.free.request(method, path, json={})).status_code == status
        assert await used(service.free) == number
    response = await service.free.post(LIST, json={"template_id": "nord"})
    assert refusal(response) == (403, "forbidden")
    assert await used(service.free) == 4


@claim("limits.quota.failures")
async def failed_requests_are_not_counted(service: Service) -> None:
    service.configure(is_fragile=True)
    assert refusal(await convert(service.free, "raise:x")) == (500, "conversion_error")
    assert await used(service.free) == 0
    service.clock.stop()
    for _ in range(12):
        response = await convert(service.free)
    assert refusal(response) == RATE_LIMITED
    service.clock.advance(seconds=1)
    assert await used(service.free) < 12


@claim("limits.quota.exceeded")
async def quota_is_exceeded(service: Service) -> None:
    service.configure(SMALL_QUOTA)
    await _spend(service.free, 3)
    for _ in range(2):
        response = await convert(service.free)
        assert refusal(response) == QUOTA_EXCEEDED
        assert "retry-after" not in response.headers
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


# Documents and pages


@claim("limits.documents.free")
async def free_has_three_documents(service: Service) -> None:
    for _ in range(3):
        await create(service.free)
    assert refusal(await service.free.post(LIST, json={})) == (403, "forbidden")


@claim("limits.documents.pro")
async def pro_has_any_number_of_documents(service: Service) -> None:
    for _ in range(12):
        await create(service.pro)


@claim("limits.pages.free")
async def free_has_three_pages(service: Service) -> None:
    ids = [(await publish_new(service.pro))["id"] for _ in range(3)]
    fourth = await create(service.pro)
    service.put_on("free")
    url = f"{LIST}/{fourth}/publish"
    assert refusal(await service.pro.post(url)) == (403, "quota_exceeded")
    # Republishing needs no room, and unpublishing makes some.
    await publish(service.pro, ids[0])
    await unpublish(service.pro, ids[0])
    await publish(service.pro, fourth)


@claim("limits.pages.pro")
async def pro_has_any_number_of_pages(service: Service) -> None:
    for _ in range(12):
        await publish_new(service.pro)


PRO_OPTIONS: tuple[dict[str, Any], ...] = ({"slug": "garden"}, {"hide_badge": True}, {"visibility": "public"})


@claim("limits.options.free")
async def free_has_no_pro_options(service: Service) -> None:
    document_id = await create(service.free)
    for option in PRO_OPTIONS:
        for method, path, body in (
            ("POST", f"{LIST}/publish", {"content": "x"}),
            ("POST", f"{LIST}/{document_id}/publish", {}),
            ("PATCH", f"{LIST}/{document_id}", {}),
        ):
            response = await service.free.request(method, path, json={**body, **option})
            assert refusal(response) == (403, "forbidden")


@claim("limits.options.pro")
async def pro_has_pro_options(service: Service) -> None:
    document_id = await create(service.pro)
    for option in PRO_OPTIONS:
        assert (await service.pro.patch(f"{LIST}/{document_id}", json=option)).status_code == 200
        await publish(service.pro, document_id, **option)


@claim("limits.options.free.page")
async def free_page_is_unlisted_with_badge(service: Service) -> None:
    published = await publish_new(service.free, "x", visibility="link", hide_badge=False)
    assert (await get(service.free, published["id"]))["visibility"] == "link"
    page = await service.anyone.get(published["published_url"])
    assert page.headers["x-robots-tag"] == "noindex"
    assert "Published with" in page.text


@claim("limits.templates.free")
async def free_has_free_templates(service: Service) -> None:
    document_id = await create(service.free)
    for method, path, body in (
        ("POST", CONVERT, {"markdown": "x"}),
        ("POST", LIST, {}),
        ("POST", f"{LIST}/publish", {"content": "x"}),
        ("PATCH", f"{LIST}/{document_id}", {}),
    ):
        response = await service.free.request(method, path, json={**body, "template_id": "mono"})
        assert response.is_success
        response = await service.free.request(method, path, json={**body, "template_id": "nord"})
        assert refusal(response) == (403, "forbidden")


@claim("limits.templates.pro")
async def pro_has_all_templates(service: Service) -> None:
    for template in (await service.pro.get("/v1/templates")).json()["data"]:
        response = await service.pro.post(LIST, json={"template_id": template["id"]})
        assert response.status_code == 201


# Conversions


@claim("limits.conversion.cpu")
async def conversion_has_five_seconds(service: Service) -> None:
    service.configure(is_fragile=True)
    response = await convert(service.free, "spin:")
    assert refusal(response) == (500, "conversion_error")
    assert "5 s of CPU time" in response.json()["error"]["message"]


@claim("limits.conversion.memory")
async def conversion_has_a_gibibyte(service: Service) -> None:
    service.configure(is_fragile=True)
    assert refusal(await convert(service.free, "bomb:")) == (500, "conversion_error")


@claim("limits.conversion.crash")
async def crashed_worker_is_replaced(service: Service) -> None:
    service.configure(is_fragile=True)
    assert refusal(await convert(service.free, "exit:1")) == (500, "conversion_error")
    assert (await convert(service.free)).status_code == 200


@claim("limits.conversion.wait")
async def conversion_without_cpu_time_is_retried(service: Service) -> None:
    service.configure(is_fragile=True)
    assert refusal(await convert(service.free, "raise:")) == (500, "conversion_error")
    service.retries = False
    began = perf_counter()
    response = await convert(service.free, "hang:")
    assert refusal(response) == (503, "service_unavailable")
    assert int(response.headers["retry-after"]) >= 1
    # The wait is real time, which the clock does not move.
    assert perf_counter() - began >= 30
    assert await used(service.free) == 0


@claim("limits.conversion.queue")
async def full_queue_is_reported(service: Service) -> None:
    service.configure({"MDPUBLISH_FREE_RATE_LIMIT": "1000"}, is_fragile=True)
    service.retries = False
    responses = await asyncio.gather(*(convert(service.free, "sleep:0.2") for _ in range(60)))
    busy = [response for response in responses if response.status_code == 503]
    assert busy
    for response in busy:
        assert refusal(response) == (503, "service_unavailable")
        assert int(response.headers["retry-after"]) >= 1
    assert await used(service.free) == 0
