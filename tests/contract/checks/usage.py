"""The usage record."""

from datetime import UTC, datetime
from typing import Any

from tests.contract.claims import claim
from tests.contract.service import Service
from tests.image_files import PNG
from tests.server.api_requests import create

PATH = "/v1/usage"


async def usage_of(service: Service, name: str = "free") -> dict[str, Any]:
    client = service.free if name == "free" else service.pro
    response = await client.get(PATH)
    assert response.status_code == 200
    return dict(response.json())


@claim("usage.200")
async def returns_usage(service: Service) -> None:
    assert set(await usage_of(service)) == {
        *("used", "limit", "remaining", "month", "reset_date"),
        *("image_bytes", "image_bytes_limit", "tier"),
    }


@claim("usage.used")
async def used_counts_requests(service: Service) -> None:
    for number in range(3):
        assert (await usage_of(service))["used"] == number
        await create(service.free)
    await create(service.pro)
    assert (await usage_of(service))["used"] == 3


@claim("usage.limit")
async def limit_is_that_of_the_plan(service: Service) -> None:
    assert (await usage_of(service))["limit"] == 1_000
    assert (await usage_of(service, "pro"))["limit"] == 10_000


@claim("usage.remaining")
async def remaining_is_the_difference(service: Service) -> None:
    await create(service.free)
    usage = await usage_of(service)
    assert usage["remaining"] == usage["limit"] - usage["used"] == 999


@claim("usage.remaining.zero")
async def remaining_is_never_negative(service: Service) -> None:
    service.configure({"MDPUBLISH_FREE_MONTHLY_QUOTA": "1"})
    for _ in range(2):
        await create(service.pro)
    service.put_on("free")
    usage = await usage_of(service, "pro")
    assert (usage["used"], usage["remaining"]) == (2, 0)


@claim("usage.month")
async def month_is_the_current_one(service: Service) -> None:
    for time, month in (
        (datetime(2026, 12, 31, 23, 59, 59, 999999, UTC), "2026-12"),
        (datetime(2027, 1, 1, tzinfo=UTC), "2027-01"),
    ):
        service.clock.set(time)
        assert (await usage_of(service))["month"] == month


@claim("usage.reset_date")
async def reset_is_the_next_month(service: Service) -> None:
    for time, reset in (
        (datetime(2026, 10, 31, tzinfo=UTC), "2026-11-01T00:00:00.000000Z"),
        (datetime(2026, 12, 31, 23, 59, 59, 999999, UTC), "2027-01-01T00:00:00.000000Z"),
        (datetime(2027, 1, 1, tzinfo=UTC), "2027-02-01T00:00:00.000000Z"),
        (datetime(2028, 2, 29, 12, tzinfo=UTC), "2028-03-01T00:00:00.000000Z"),
    ):
        service.clock.set(time)
        assert (await usage_of(service))["reset_date"] == reset


@claim("usage.image_bytes")
async def image_bytes_are_those_of_the_plan(service: Service) -> None:
    sizes = [(await service.free.post("/v1/images", content=PNG)).json()["bytes"] for _ in range(2)]
    usage = await usage_of(service)
    assert (usage["image_bytes"], usage["image_bytes_limit"]) == (sum(sizes), 50_000_000)
    usage = await usage_of(service, "pro")
    assert (usage["image_bytes"], usage["image_bytes_limit"]) == (0, 5_000_000_000)


@claim("usage.tier")
async def tier_is_the_plan(service: Service) -> None:
    assert (await usage_of(service))["tier"] == "free"
    assert (await usage_of(service, "pro"))["tier"] == "pro"


@claim("usage.session")
async def session_returns_usage(service: Service) -> None:
    await create(service.free)
    response = await service.browser("free").get(PATH)
    assert (response.status_code, response.json()["used"]) == (200, 1)
