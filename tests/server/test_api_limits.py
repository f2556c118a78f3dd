"""Rate limits of requests at once, and of a plan that changes."""

import asyncio

import httpx
import pytest

from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import set_plan
from tests.server.conftest import MakeOwner

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
