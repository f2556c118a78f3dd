"""Rate limits, monthly quotas, which requests count, and the headers."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from math import ceil
from typing import Any

import httpx
import pytest

from mdpublish_server.services.accounts import add_key
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import set_plan
from tests.server.api_requests import MISSING, create, publish_demo, publish_new, refusal, used
from tests.server.conftest import NOW, Owner

pytestmark = pytest.mark.anyio

SECOND = timedelta(seconds=1)
MICROSECOND = timedelta(microseconds=1)
RATE_HEADERS = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")
LIST = "/v1/documents"

SMALL_QUOTA = pytest.mark.parametrize("environment", [{"MDPUBLISH_FREE_MONTHLY_QUOTA": "3"}])


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """`{id}` is a document's id, `{token}` a demo's claim token."""

    method: str
    path: str
    body: dict[str, Any] = field(default_factory=dict)


COUNTED = {
    "convert": Request(method="POST", path="/v1/convert", body={"markdown": "x"}),
    "create": Request(method="POST", path="/v1/documents"),
    "update": Request(method="PATCH", path="/v1/documents/{id}"),
    "delete": Request(method="DELETE", path="/v1/documents/{id}"),
    "create and publish": Request(method="POST", path="/v1/documents/publish", body={"content": "x"}),
    "publish": Request(method="POST", path="/v1/documents/{id}/publish"),
    "unpublish": Request(method="DELETE", path="/v1/documents/{id}/publish"),
    "claim": Request(method="POST", path="/v1/demo/claim", body={"claim_token": "{token}"}),
}
EXEMPT = {
    "list": Request(method="GET", path="/v1/documents"),
    "get": Request(method="GET", path="/v1/documents/{id}"),
    "templates": Request(method="GET", path="/v1/templates"),
    "usage": Request(method="GET", path="/v1/usage"),
}
REFUSED = {
    "convert without a text": (Request(method="POST", path="/v1/convert"), 400),
    "convert with a Pro template": (
        Request(method="POST", path="/v1/convert", body={"markdown": "x", "template_id": "nord"}),
        403,
    ),
    "create with a wrong title": (Request(method="POST", path="/v1/documents", body={"title": 1}), 400),
    "create with a Pro template": (Request(method="POST", path="/v1/documents", body={"template_id": "nord"}), 403),
    "update of nothing": (Request(method="PATCH", path=f"/v1/documents/{MISSING}"), 404),
    "update of a malformed id": (Request(method="PATCH", path="/v1/documents/x"), 404),
    "update with a wrong width": (Request(method="PATCH", path="/v1/documents/{id}", body={"page_width": "x"}), 400),
    "delete of nothing": (Request(method="DELETE", path=f"/v1/documents/{MISSING}"), 404),
    "create and publish nothing": (Request(method="POST", path="/v1/documents/publish"), 400),
    "create and publish with a slug": (
        Request(method="POST", path="/v1/documents/publish", body={"content": "x", "slug": "abc"}),
        403,
    ),
    "publish nothing": (Request(method="POST", path=f"/v1/documents/{MISSING}/publish"), 404),
    "publish with a slug": (Request(method="POST", path="/v1/documents/{id}/publish", body={"slug": "abc"}), 403),
    "unpublish nothing": (Request(method="DELETE", path=f"/v1/documents/{MISSING}/publish"), 404),
    "claim of nothing": (Request(method="POST", path="/v1/demo/claim", body={"claim_token": MISSING}), 404),
}
Send = Callable[[Request], Awaitable[httpx.Response]]


@pytest.fixture
def environment() -> dict[str, str]:
    """Default rate limits."""
    return {"MDPUBLISH_FREE_RATE_LIMIT": "", "MDPUBLISH_PRO_RATE_LIMIT": ""}


@pytest.fixture
async def send(free: httpx.AsyncClient) -> Send:
    """Sends requests on the Free plan, with a document and a demo's token."""
    document_id = await create(free)
    token = (await publish_demo(free))["claim_token"]

    async def request(expected: Request) -> httpx.Response:
        body = {name: token if value == "{token}" else value for name, value in expected.body.items()}
        path = expected.path.format(id=document_id)
        return await free.request(expected.method, path, json=body if expected.method in ("POST", "PATCH") else None)

    return request


def rate_of(response: httpx.Response) -> tuple[int, int, int]:
    """Return limit, remaining and reset; each header must occur once."""
    values = [response.headers.get_list(name) for name in RATE_HEADERS]
    assert all(len(value) == 1 for value in values), response.headers
    limit, remaining, reset = (int(value[0]) for value in values)
    return limit, remaining, reset


def reset_after(span: timedelta) -> int:
    return ceil((NOW + span).timestamp())


# Rate limit


@pytest.mark.parametrize(("plan", "limit"), [("free", 10), ("pro", 30)])
async def test_requests_beyond_the_limit_of_a_second_are_refused(
    free: httpx.AsyncClient, pro: httpx.AsyncClient, travel: Callable[[timedelta], None], plan: str, limit: int
) -> None:
    client = {"free": free, "pro": pro}[plan]
    for left in reversed(range(limit)):
        response = await client.get(LIST)
        assert response.status_code == 200
        assert rate_of(response) == (limit, left, reset_after(SECOND))

    for span in (timedelta(0), SECOND - MICROSECOND):
        travel(span)
        response = await client.get(LIST)
        assert refusal(response) == (429, "rate_limited")
        assert rate_of(response) == (limit, 0, reset_after(SECOND))
        assert response.headers["retry-after"] == "1"

    travel(MICROSECOND)
    response = await client.get(LIST)
    assert response.status_code == 200
    assert rate_of(response) == (limit, limit - 1, reset_after(2 * SECOND))


async def test_window_moves_with_the_clock(free: httpx.AsyncClient, travel: Callable[[timedelta], None]) -> None:
    for _ in range(6):
        await free.get(LIST)
    travel(timedelta(milliseconds=600))
    for _ in range(4):
        await free.get(LIST)
    assert (await free.get(LIST)).status_code == 429

    # Six requests have left the window; four have not.
    travel(timedelta(milliseconds=400))
    statuses = [(await free.get(LIST)).status_code for _ in range(7)]
    assert statuses == [200] * 6 + [429]


async def test_refused_requests_do_not_prolong_the_refusal(
    free: httpx.AsyncClient, travel: Callable[[timedelta], None]
) -> None:
    for _ in range(10):
        await free.get(LIST)
    travel(SECOND - MICROSECOND)
    for _ in range(20):
        assert (await free.get(LIST)).status_code == 429
    travel(MICROSECOND)
    assert (await free.get(LIST)).status_code == 200


async def test_limit_is_of_the_account_not_of_the_key(
    client: httpx.AsyncClient, make_owner: Callable[..., Owner], database: Database, times: list[datetime]
) -> None:
    owner, other = make_owner("anna"), make_owner("other")
    with database.write_transaction() as transaction:
        second = add_key(transaction, owner.account, name="", now=times[-1]).raw
    for _ in range(5):
        assert (await client.get(LIST, headers=owner.headers)).status_code == 200
        assert (await client.get(LIST, headers={"Authorization": f"Bearer {second}"})).status_code == 200

    assert (await client.get(LIST, headers=owner.headers)).status_code == 429
    assert (await client.get(LIST, headers={"Authorization": f"Bearer {second}"})).status_code == 429
    assert rate_of(await client.get(LIST, headers=other.headers))[:2] == (10, 9)


async def test_limit_holds_for_requests_at_once(free: httpx.AsyncClient) -> None:
    responses = await asyncio.gather(*(free.get(LIST) for _ in range(25)))
    assert sorted(response.status_code for response in responses) == [200] * 10 + [429] * 15


@pytest.mark.parametrize("name", [*COUNTED, *EXEMPT])
async def test_every_request_is_rate_limited(send: Send, free: httpx.AsyncClient, name: str) -> None:
    while (await free.get("/v1/templates")).status_code == 200:
        pass
    assert refusal(await send({**COUNTED, **EXEMPT}[name])) == (429, "rate_limited")


async def test_without_a_key_nothing_is_refused(client: httpx.AsyncClient) -> None:
    for _ in range(15):
        response = await client.get(LIST)
        assert refusal(response) == (401, "unauthorized")
        assert rate_of(response) == (10, 10, reset_after(timedelta(0)))


async def test_demo_has_no_limit(client: httpx.AsyncClient) -> None:
    for _ in range(15):
        response = await client.post("/v1/demo/publish", json={"content": "x"})
        assert response.status_code == 201
        assert rate_of(response) == (10, 10, reset_after(timedelta(0)))


@pytest.mark.parametrize("environment", [{"MDPUBLISH_DEMO_RATE_LIMIT": "2"}])
async def test_demos_of_one_network_are_capped_where_the_operator_enables_it(
    client_from: Callable[[str], httpx.AsyncClient], travel: Callable[[timedelta], None]
) -> None:
    async with client_from("127.0.0.1") as client, client_from("127.0.0.2") as other:
        for _ in range(2):
            await publish_demo(client)
        response = await client.post("/v1/demo/publish", json={"content": "x"})
        assert refusal(response) == (429, "rate_limited")
        assert response.headers["retry-after"] == "3600"
        rate_of(response)
        await publish_demo(other)

        travel(timedelta(hours=1))
        await publish_demo(client)


async def test_limit_follows_the_plan_at_once(
    client: httpx.AsyncClient, make_owner: Callable[..., Owner], database: Database
) -> None:
    owner = make_owner(plan="pro")
    client.headers.update(owner.headers)
    for _ in range(12):
        assert rate_of(await client.get(LIST))[0] == 30
    with database.write_transaction() as transaction:
        set_plan(transaction, owner.account.id, "free", until=None)
    response = await client.get(LIST)
    assert response.status_code == 429
    assert rate_of(response)[:2] == (10, 0)


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1", 404),
        ("GET", "/v1/", 404),
        ("GET", "/v1/nosuch", 404),
        ("POST", "/v1/documents/", 404),
        ("PUT", "/v1/documents", 405),
        ("GET", "/v1/convert", 405),
        ("DELETE", "/v1/usage", 405),
        ("POST", "/v1/demo/publish", 400),
        ("GET", "/v1/usage", 401),
        ("HEAD", "/v1/usage", 401),
    ],
)
async def test_response_without_a_key_reports_the_free_limit(
    client: httpx.AsyncClient, method: str, path: str, status: int
) -> None:
    response = await client.request(method, path)
    assert response.status_code == status
    assert rate_of(response) == (10, 10, reset_after(timedelta(0)))


OUTSIDE_OPERATIONS = pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("GET", "/v1", 404),
        ("GET", "/v1/", 404),
        ("GET", "/v1/nosuch", 404),
        ("HEAD", "/v1/nosuch", 404),
        ("POST", "/v1/documents/", 404),
        ("GET", "/v1/documents/x/y/z", 404),
        ("GET", "/v1/line%0Abreak", 404),
        ("PUT", "/v1/documents", 405),
        ("GET", "/v1/convert", 405),
        ("GET", "/v1/demo/publish", 405),
        ("OPTIONS", "/v1/documents", 405),
        ("OPTIONS", f"/v1/documents/{MISSING}", 405),
        ("GET", "/v1/documents/x", 404),
        ("GET", f"/v1/documents/{MISSING}", 404),
    ],
)


@OUTSIDE_OPERATIONS
async def test_request_without_a_result_counts_for_the_rate_of_its_key(
    free: httpx.AsyncClient, method: str, path: str, status: int
) -> None:
    for left in reversed(range(10)):
        response = await free.request(method, path)
        assert response.status_code == status
        assert rate_of(response) == (10, left, reset_after(SECOND))
    response = await free.request(method, path)
    assert response.status_code == 429
    assert (rate_of(response)[:2], response.headers["retry-after"]) == ((10, 0), "1")


@OUTSIDE_OPERATIONS
async def test_request_without_a_result_shows_the_limit_of_its_plan(
    pro: httpx.AsyncClient, method: str, path: str, status: int
) -> None:
    response = await pro.request(method, path)
    assert (response.status_code, rate_of(response)[:2]) == (status, (30, 29))


@pytest.mark.parametrize("key", ["", "svc_wrong", "svc_" + "0" * 64])
async def test_unknown_path_is_reported_with_a_wrong_key_too(client: httpx.AsyncClient, key: str) -> None:
    response = await client.get("/v1/nosuch", headers={"Authorization": f"Bearer {key}"})
    assert refusal(response) == (404, "not_found")
    assert rate_of(response)[:2] == (10, 10)


async def test_demo_with_a_key_neither_counts_nor_is_limited(free: httpx.AsyncClient) -> None:
    for _ in range(12):
        assert (await free.post("/v1/demo/publish", json={"content": "x"})).status_code == 201
    assert rate_of(await free.get(LIST))[:2] == (10, 9)


async def test_unknown_path_and_wrong_method_are_reported_with_a_key_too(pro: httpx.AsyncClient) -> None:
    unknown, wrong = await pro.get("/v1/nosuch"), await pro.put("/v1/documents")
    assert refusal(unknown) == (404, "not_found")
    assert refusal(wrong) == (405, "method_not_allowed")
    assert wrong.headers["allow"] == "GET, HEAD, POST"
    rate_of(unknown)
    rate_of(wrong)


@pytest.mark.parametrize("name", [*COUNTED, *EXEMPT])
async def test_response_to_every_request_reports_the_rate(send: Send, name: str) -> None:
    response = await send({**COUNTED, **EXEMPT}[name])
    assert response.status_code in (200, 201)
    limit, remaining, _ = rate_of(response)
    assert limit == 10
    assert remaining < 10


@pytest.mark.parametrize("name", REFUSED)
async def test_refusal_of_every_request_reports_the_rate(send: Send, name: str) -> None:
    request, status = REFUSED[name]
    response = await send(request)
    assert response.status_code == status
    # The second request: the first created the document.
    assert rate_of(response)[:2] == (10, 8)


# Monthly quota


@pytest.mark.parametrize("name", COUNTED)
async def test_request_counts_one(send: Send, free: httpx.AsyncClient, name: str) -> None:
    before = await used(free)
    assert (await send(COUNTED[name])).status_code in (200, 201)
    assert await used(free) == before + 1


@pytest.mark.parametrize("name", EXEMPT)
async def test_reading_counts_nothing(send: Send, free: httpx.AsyncClient, name: str) -> None:
    before = await used(free)
    assert (await send(EXEMPT[name])).status_code == 200
    assert await used(free) == before


@pytest.mark.parametrize("name", REFUSED)
async def test_request_that_is_refused_for_what_it_requests_counts_one(
    send: Send, free: httpx.AsyncClient, name: str
) -> None:
    before = await used(free)
    request, status = REFUSED[name]
    assert (await send(request)).status_code == status
    assert await used(free) == before + 1


@pytest.mark.parametrize("body", [b"", b"{", b"[]"])
async def test_request_without_json_counts_one(free: httpx.AsyncClient, body: bytes) -> None:
    assert refusal(await free.post("/v1/convert", content=body)) == (400, "invalid_body")
    assert await used(free) == 1


async def test_other_refusals_count_one(pro: httpx.AsyncClient, travel: Callable[[timedelta], None]) -> None:
    demo = await publish_demo(pro)
    await publish_new(pro, slug="garden")
    travel(timedelta(hours=72))
    conflict = await pro.post("/v1/documents/publish", json={"content": "x", "slug": "garden"})
    expired = await pro.post("/v1/demo/claim", json={"claim_token": demo["claim_token"]})
    assert (refusal(conflict), refusal(expired)) == ((409, "conflict"), (410, "expired"))
    assert await used(pro) == 3


async def test_document_limit_counts_one(free: httpx.AsyncClient) -> None:
    for _ in range(3):
        await create(free)
    assert refusal(await free.post("/v1/documents", json={})) == (403, "forbidden")
    assert refusal(await free.post("/v1/documents/publish", json={"content": "x"})) == (403, "quota_exceeded")
    assert await used(free) == 5


async def test_rate_limited_request_counts_nothing(
    free: httpx.AsyncClient, travel: Callable[[timedelta], None]
) -> None:
    for _ in range(12):
        await free.post("/v1/convert", json={"markdown": "x"})
    travel(SECOND)
    assert await used(free) == 10


async def test_unknown_path_and_wrong_method_count_nothing(free: httpx.AsyncClient) -> None:
    await free.post("/v1/nosuch", json={})
    await free.put("/v1/documents", json={})
    assert await used(free) == 0


@SMALL_QUOTA
async def test_requests_beyond_the_months_are_refused_and_not_counted(free: httpx.AsyncClient) -> None:
    ids = [await create(free) for _ in range(3)]
    for _ in range(2):
        response = await free.patch(f"/v1/documents/{ids[0]}", json={"title": "changed"})
        assert refusal(response) == (429, "quota_exceeded")
        assert "Monthly quota of 3 requests exceeded" in response.json()["error"]["message"]
        assert "it resets at 2026-04-01T00:00:00Z" in response.json()["error"]["message"]
        # Clients that obey it would sleep for days.
        assert "retry-after" not in response.headers
        rate_of(response)

    assert await used(free) == 3
    # Uncounted requests still work.
    assert (await free.get(f"/v1/documents/{ids[0]}")).json()["title"] == "Untitled"
    assert (await free.get("/v1/documents")).status_code == 200
    assert (await free.get("/v1/templates")).status_code == 200


@SMALL_QUOTA
@pytest.mark.parametrize("name", COUNTED)
async def test_every_counted_request_is_refused_without_quota(send: Send, free: httpx.AsyncClient, name: str) -> None:
    while await used(free) < 3:
        await free.post("/v1/convert", json={"markdown": "x"})
    before = (await free.get(LIST)).json()
    assert refusal(await send(COUNTED[name])) == (429, "quota_exceeded")
    assert (await free.get(LIST)).json() == before
    assert await used(free) == 3


@SMALL_QUOTA
async def test_last_request_of_the_month_may_be_one_that_is_refused(free: httpx.AsyncClient) -> None:
    for _ in range(3):
        assert refusal(await free.post("/v1/convert", json={})) == (400, "validation_error")
    assert refusal(await free.post("/v1/convert", json={"markdown": "x"})) == (429, "quota_exceeded")


@SMALL_QUOTA
async def test_quota_is_checked_before_the_body(free: httpx.AsyncClient) -> None:
    for _ in range(3):
        await create(free)
    for response in (
        await free.post("/v1/convert", content=b"no JSON"),
        await free.post("/v1/documents", json={"title": 1}),
        await free.patch("/v1/documents/x", json={}),
        await free.post("/v1/documents/publish", json={"content": "x", "slug": "pro-only"}),
    ):
        assert refusal(response) == (429, "quota_exceeded")


@pytest.mark.parametrize("environment", [{"MDPUBLISH_FREE_MONTHLY_QUOTA": "3", "MDPUBLISH_FREE_RATE_LIMIT": "3"}])
async def test_rate_is_checked_before_the_quota(free: httpx.AsyncClient, travel: Callable[[timedelta], None]) -> None:
    for _ in range(3):
        await create(free)
    assert refusal(await free.post("/v1/convert", json={})) == (429, "rate_limited")
    travel(SECOND)
    assert refusal(await free.post("/v1/convert", json={})) == (429, "quota_exceeded")


@pytest.mark.parametrize("environment", [{"MDPUBLISH_FREE_MONTHLY_QUOTA": "7", "MDPUBLISH_FREE_RATE_LIMIT": "1000"}])
async def test_quota_holds_for_requests_at_once(free: httpx.AsyncClient) -> None:
    requests = [free.post("/v1/convert", json={"markdown": "x"}) for _ in range(6)]
    requests += [free.post("/v1/documents", json={}) for _ in range(3)]
    requests += [free.patch(f"/v1/documents/{MISSING}", json={}) for _ in range(6)]
    responses = await asyncio.gather(*requests)
    assert [response.status_code for response in responses].count(429) == 8
    assert await used(free) == 7


@SMALL_QUOTA
async def test_quota_restarts_with_the_month_and_not_a_microsecond_before(
    free: httpx.AsyncClient, times: list[datetime]
) -> None:
    for _ in range(3):
        await free.post("/v1/convert", json={"markdown": "x"})

    times.append(datetime(2026, 3, 31, 23, 59, 59, 999999, UTC))
    response = await free.post("/v1/convert", json={"markdown": "x"})
    assert refusal(response) == (429, "quota_exceeded")
    assert "retry-after" not in response.headers

    times.append(datetime(2026, 4, 1, tzinfo=UTC))
    for _ in range(3):
        assert (await free.post("/v1/convert", json={"markdown": "x"})).status_code == 200
    assert refusal(await free.post("/v1/convert", json={"markdown": "x"})) == (429, "quota_exceeded")


async def test_quota_of_an_account_is_separate(free: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    await create(pro)
    assert (await used(free), await used(pro)) == (0, 1)
