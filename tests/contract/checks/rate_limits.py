"""Requests per second, and the headers that show them."""

from datetime import timedelta
from math import ceil

import httpx

from mdpublish_server.services.accounts import add_key
from tests.contract.claims import claim
from tests.contract.service import ELSEWHERE, Service
from tests.server.api_requests import MISSING, publish_demo, refusal, used

LIST = "/v1/documents"
CONVERT = "/v1/convert"
RATE_LIMITED = (429, "rate_limited")
SECOND = timedelta(seconds=1)
MICROSECOND = timedelta(microseconds=1)
WITHOUT_OPERATION = (
    ("GET", "/v1", 404),
    ("GET", "/v1/", 404),
    ("GET", "/v1/nosuch", 404),
    ("HEAD", "/v1/nosuch", 404),
    ("POST", f"{LIST}/", 404),
    ("GET", f"{LIST}/x/y/z", 404),
    ("GET", "/v1/line%0Abreak", 404),
    ("PUT", LIST, 405),
    ("GET", CONVERT, 405),
    ("GET", "/v1/demo/publish", 405),
    ("OPTIONS", LIST, 405),
    ("OPTIONS", f"{LIST}/{MISSING}", 405),
    ("GET", f"{LIST}/x", 404),
    ("GET", f"{LIST}/{MISSING}", 404),
)


def rate_of(response: httpx.Response) -> tuple[int, int, int]:
    """Return limit, remaining requests and reset; each header occurs once."""
    (limit,), (remaining,), (reset,) = (
        response.headers.get_list(f"x-ratelimit-{name}") for name in ("limit", "remaining", "reset")
    )
    return int(limit), int(remaining), int(reset)


async def _check_rate(client: httpx.AsyncClient, service: Service, limit: int) -> None:
    service.clock.stop()
    reset = ceil((service.clock.now + SECOND).timestamp())
    for left in reversed(range(limit)):
        response = await client.get(LIST)
        assert (response.status_code, rate_of(response)) == (200, (limit, left, reset))
    for span in (timedelta(0), SECOND - MICROSECOND):
        service.clock.now += span
        response = await client.get(LIST)
        assert refusal(response) == RATE_LIMITED
        assert (rate_of(response), response.headers["retry-after"]) == ((limit, 0, reset), "1")
    service.clock.now += MICROSECOND
    response = await client.get(LIST)
    assert (response.status_code, rate_of(response)) == (200, (limit, limit - 1, reset + 1))


@claim("limits.rate.free", "limits.rate.retry-after", "limits.headers.remaining", "limits.headers.reset")
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


@claim("limits.rate.outside")
async def requests_without_operation_count(service: Service) -> None:
    for client, limit in ((service.free, 10), (service.pro, 30)):
        for method, path, status in WITHOUT_OPERATION:
            service.clock.advance(seconds=1)
            service.clock.stop()
            await client.get(LIST)
            response = await client.request(method, path)
            assert (response.status_code, rate_of(response)[:2]) == (status, (limit, limit - 2))
    for _ in range(10):
        await service.free.get("/v1/nosuch")
    assert refusal(await service.free.get("/v1/nosuch")) == RATE_LIMITED


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
            ("HEAD", LIST),
            ("POST", CONVERT),
            ("POST", "/v1/demo/publish"),
            *((method, path) for method, path, _ in WITHOUT_OPERATION),
        ):
            assert rate_of(await client.request(method, path))[0] == 10
    preflight = {"Origin": "https://a.example", "Access-Control-Request-Method": "GET"}
    rate_of(await service.anyone.options("/v1/usage", headers=preflight))
    rate_of(await service.client(from_ip=ELSEWHERE).get("/v1/usage"))


@claim("limits.headers.limit")
async def header_shows_the_limit(service: Service) -> None:
    for client, limit in ((service.free, 10), (service.pro, 30), (service.anyone, 10)):
        assert rate_of(await client.get(LIST))[0] == limit
