"""Rate limits of requests at once, and of a plan that changes."""

import asyncio
import re
from datetime import timedelta
from functools import partial

import httpx
import pytest
from starlette.types import ASGIApp

from mdpublish_server.api import OPERATIONS
from mdpublish_server.api.operations import Access, Operation
from mdpublish_server.middleware.protocol import BoundedHttpProtocol
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import set_plan
from tests.server.api_requests import MISSING
from tests.server.conftest import MakeOwner, Travel
from tests.server.raw_server import connected, read_to_end, serving

pytestmark = pytest.mark.anyio

RATE_HEADERS = ("x-ratelimit-limit", "x-ratelimit-remaining", "x-ratelimit-reset")
LIST = "/v1/documents"


@pytest.fixture
def environment() -> dict[str, str]:
    """Default rate limits."""
    return {"MDPUBLISH_FREE_RATE_LIMIT": "", "MDPUBLISH_PRO_RATE_LIMIT": ""}


def rate_of(response: httpx.Response) -> tuple[int, int, int]:
    """Return limit, remaining and reset; each header must occur once."""
    values = [response.headers.get_list(name) for name in RATE_HEADERS]
    assert all(len(value) == 1 for value in values), response.headers
    limit, remaining, reset = (int(value[0]) for value in values)
    return limit, remaining, reset


async def test_limit_holds_for_requests_at_once(free: httpx.AsyncClient) -> None:
    responses = await asyncio.gather(*(free.get(LIST) for _ in range(25)))
    assert sorted(response.status_code for response in responses) == [200] * 10 + [429] * 15


async def test_limit_follows_the_plan_at_once(
    client: httpx.AsyncClient, make_owner: MakeOwner, database: Database
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


WRONG_BODIES = {
    "none": b"",
    "no JSON": b"{",
    "no object": b"[]",
    "no UTF-8": b"\xff",
    "deep": b"[" * 100_000,
    "wrong type": b'{"markdown": 1, "content": 1, "claim_token": 1, "restricted": 1, "html": 1, "title": 1}',
    "large": b" " * 9_000_000,
}
WRONG_HEADERS: dict[str, dict[str, str]] = {
    "key": {"Authorization": "Bearer svc_x"},
    "no key": {"Authorization": ""},
    "media type": {"Content-Type": "text/plain"},
    "multipart": {"Content-Type": "multipart/form-data; boundary=x"},
    "idempotency": {"Idempotency-Key": "\x7f"},
    "precondition": {"If-Match": "x"},
    "strict": {"Prefer": "handling=strict", "Content-Type": "application/json"},
    "encoding": {"Content-Encoding": "gzip"},
    "accept": {"Accept": "image/*"},
    "origin": {"Origin": "https://evil.example", "Cookie": "__Host-session=x", "Sec-Fetch-Site": "cross-site"},
}
METHODS = ("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND")


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.name)
async def test_every_response_of_an_operation_has_the_headers(
    free: httpx.AsyncClient, travel: Travel, operation: Operation
) -> None:
    path = f"/v1{operation.path}"
    requests = [
        *((operation.method, path, body, {}) for body in WRONG_BODIES.values()),
        *((operation.method, path, b"{}", headers) for headers in WRONG_HEADERS.values()),
        *((method, path, b"", {}) for method in METHODS),
        *(
            (operation.method, f"{path}{end}", b"{}", {})
            for end in ("/", "/x", "?nosuch=1&limit=x", "?" + "&" * 99, "%00")
        ),
    ]
    statuses = set()
    for method, url, body, headers in requests:
        for identifier in (MISSING, "x") if "{id}" in url else ("",):
            travel(timedelta(seconds=1))
            given = {"Content-Type": "application/json", **headers}
            response = await free.request(method, url.replace("{id}", identifier), content=body, headers=given)
            assert rate_of(response)[0] > 0, (method, url, headers)
            statuses.add(response.status_code)
    assert statuses >= {404, 405} | ({401} if operation.access is not Access.OPEN else {400})


LINE = b"GET /v1/documents HTTP/1.1\r\nHost: x\r\n"


@pytest.mark.parametrize(
    ("sent", "status"),
    [
        (b"nonsense\r\n\r\n", 400),
        (b"GET /v1/documents HTTP/9.9\r\nHost: x\r\n\r\n", 400),
        (b"GET /v1/documents HTTP/1.1\r\n\r\n", 400),
        (LINE + b"Host: y\r\n\r\n", 400),
        (b"GET /v1/documents HTTP/1.1\r\nHost: a b\r\n\r\n", 400),
        (LINE + b"A: " + b"x" * 20_000 + b"\r\n\r\n", 400),
        (LINE + b"A\x00b: c\r\n\r\n", 400),
        (LINE + b"Content-Length: -1\r\n\r\n", 400),
        (b"POST /v1/convert HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", 400),
        (b"POST /v1/convert HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{", 400),
        (b"GET /v1/documents?" + b"a&" * 200 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET http://x/v1/documents HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 401),
        (b"GET /v1/\xff HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", 400),
        (LINE + b"Upgrade: websocket\r\nConnection: Upgrade\r\n\r\n", 401),
        (LINE + b"Connection: close\r\nExpect: 200-maybe\r\n\r\n", 401),
        (LINE.replace(b"GET", b"OPTIONS") + b"Origin: https://a.example\r\nAccess-Control-Request-Method: GET\r\nConnection: close\r\n\r\n", 204),
    ],
)  # fmt: skip
def test_refusals_of_the_protocol_have_the_headers(app: ASGIApp, sent: bytes, status: int) -> None:
    protocol = partial(BoundedHttpProtocol, free_rate=10)
    with serving(app, protocol=protocol) as server, connected(server) as client:
        client.sendall(sent)
        received = read_to_end(client)

    head, _, rest = received.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 %d " % status), received
    assert b"HTTP/1.1 4" not in rest
    rates = re.findall(rb"(?m)^x-ratelimit-(\w+): (\d+)\r?$", head)
    assert [name for name, _ in rates] == [b"limit", b"remaining", b"reset"]
    assert rates[0][1] == rates[1][1]
