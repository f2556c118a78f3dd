"""Demos that two claim at once, and that were taken down."""

import asyncio

import httpx
import pytest

from mdpublish_server.services.accounts import take_page_down
from mdpublish_server.storage import Database
from tests.server.api_requests import (
    claim,
    publish_demo,
    refusal,
)

pytestmark = pytest.mark.anyio


async def test_two_who_claim_at_once_are_one_who_does(pro: httpx.AsyncClient, free: httpx.AsyncClient) -> None:
    demo = await publish_demo(pro)
    responses = await asyncio.gather(*(claim(client, demo["claim_token"]) for client in (pro, free) * 3))
    assert sorted(response.status_code for response in responses) == [200, *[404] * 5]
    owned = [(await client.get(f"/v1/documents/{demo['id']}")).status_code for client in (pro, free)]
    assert sorted(owned) == [200, 404]


async def test_demo_that_was_taken_down_cannot_be_claimed(free: httpx.AsyncClient, database: Database) -> None:
    demo = await publish_demo(free)
    with database.write_transaction() as transaction:
        take_page_down(transaction, demo["id"])
    assert (await free.get(demo["url"])).status_code == 404
    assert refusal(await claim(free, demo["claim_token"])) == (404, "not_found")
