from datetime import UTC, datetime

import httpx
import pytest

from tests.server.api_requests import create, used

pytestmark = pytest.mark.anyio


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
