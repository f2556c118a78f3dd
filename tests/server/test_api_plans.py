"""Limits of a plan hold for requests at once."""

import asyncio

import httpx
import pytest

from tests.server.api_requests import create

pytestmark = pytest.mark.anyio


async def test_document_limit_holds_for_requests_at_once(free: httpx.AsyncClient) -> None:
    responses = await asyncio.gather(*(free.post("/v1/documents", json={}) for _ in range(9)))
    assert sorted(response.status_code for response in responses) == [201] * 3 + [403] * 6
    assert len((await free.get("/v1/documents")).json()["data"]) == 3


@pytest.mark.parametrize("environment", [{"MDPUBLISH_FREE_DOCUMENTS": "9"}])
async def test_page_limit_holds_for_requests_at_once(free: httpx.AsyncClient) -> None:
    ids = [await create(free) for _ in range(8)]
    responses = await asyncio.gather(*(free.post(f"/v1/documents/{each}/publish", json={}) for each in ids))
    statuses = [response.status_code for response in responses]
    # 503: too many conflicting requests; retry.
    assert statuses.count(200) == 3
    assert set(statuses) <= {200, 403, 503}
