from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import set_plan
from tests.server.api_requests import create, used
from tests.server.conftest import Owner

pytestmark = pytest.mark.anyio

PATH = "/v1/usage"


async def test_usage_of_a_free_account(free: httpx.AsyncClient) -> None:
    for _ in range(3):
        await create(free)
    assert (await free.get(PATH)).json() == {
        "used": 3,
        "limit": 1_000,
        "remaining": 997,
        "month": "2026-03",
        "reset_date": "2026-04-01T00:00:00.000000Z",
        "tier": "free",
    }


async def test_usage_of_a_pro_account(pro: httpx.AsyncClient) -> None:
    await create(pro)
    assert (await pro.get(PATH)).json() == {
        "used": 1,
        "limit": 10_000,
        "remaining": 9_999,
        "month": "2026-03",
        "reset_date": "2026-04-01T00:00:00.000000Z",
        "tier": "pro",
    }


async def test_asking_counts_nothing(free: httpx.AsyncClient) -> None:
    assert [await used(free) for _ in range(3)] == [0, 0, 0]


async def test_usage_is_per_account(free: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    await create(free)
    assert (await used(free), await used(pro)) == (1, 0)


@pytest.mark.parametrize(
    ("now", "month", "reset"),
    [
        (datetime(2026, 12, 31, 23, 59, 59, 999999, UTC), "2026-12", "2027-01-01T00:00:00.000000Z"),
        (datetime(2027, 1, 1, tzinfo=UTC), "2027-01", "2027-02-01T00:00:00.000000Z"),
        (datetime(2028, 2, 29, 12, tzinfo=UTC), "2028-02", "2028-03-01T00:00:00.000000Z"),
        (datetime(2026, 10, 31, tzinfo=UTC), "2026-10", "2026-11-01T00:00:00.000000Z"),
    ],
)
async def test_month_and_reset_are_of_the_calendar_in_utc(
    free: httpx.AsyncClient, times: list[datetime], now: datetime, month: str, reset: str
) -> None:
    times.append(now)
    usage = (await free.get(PATH)).json()
    assert (usage["month"], usage["reset_date"]) == (month, reset)


async def test_new_month_begins_with_nothing_used(free: httpx.AsyncClient, times: list[datetime]) -> None:
    await create(free)
    times.append(datetime(2026, 3, 31, 23, 59, 59, 999999, UTC))
    assert await used(free) == 1
    times.append(datetime(2026, 4, 1, tzinfo=UTC))
    assert await used(free) == 0
    await create(free)
    assert await used(free) == 1


@pytest.mark.parametrize("wrong", [datetime(2026, 4, 1, tzinfo=UTC), datetime(1970, 1, 1, tzinfo=UTC)])
async def test_usage_survives_a_clock_that_jumps_to_another_month_and_back(
    free: httpx.AsyncClient, times: list[datetime], wrong: datetime
) -> None:
    right = times[-1]
    for _ in range(2):
        await create(free)
    times.append(wrong)
    await create(free)
    assert await used(free) == 1

    times.append(right)
    assert await used(free) == 2
    assert (await free.post("/v1/convert", json={"markdown": "x"})).status_code == 200
    assert await used(free) == 3


@pytest.mark.parametrize("environment", [{"MDPUBLISH_FREE_MONTHLY_QUOTA": "2"}])
async def test_nothing_less_than_nothing_remains_after_a_downgrade(
    client: httpx.AsyncClient, make_owner: Callable[..., Owner], database: Database
) -> None:
    owner = make_owner(plan="pro")
    client.headers.update(owner.headers)
    for _ in range(3):
        await create(client)
    with database.write_transaction() as transaction:
        set_plan(transaction, owner.account.id, "free", until=None)
    usage = (await client.get(PATH)).json()
    assert (usage["used"], usage["limit"], usage["remaining"], usage["tier"]) == (3, 2, 0, "free")


async def test_tier_is_free_when_the_plan_ends(
    client: httpx.AsyncClient,
    make_owner: Callable[..., Owner],
    database: Database,
    times: list[datetime],
    travel: Callable[[timedelta], None],
) -> None:
    owner = make_owner()
    client.headers.update(owner.headers)
    until = times[-1] + timedelta(days=3)
    with database.write_transaction() as transaction:
        set_plan(transaction, owner.account.id, "pro", until=until)

    travel(timedelta(days=3) - timedelta(microseconds=1))
    assert (await client.get(PATH)).json()["tier"] == "pro"
    travel(timedelta(microseconds=1))
    assert (await client.get(PATH)).json()["tier"] == "free"
