from hashlib import sha256
from uuid import UUID

import httpx
import pytest

from mdpublish_server.services.accounts import take_page_down
from mdpublish_server.storage import Database
from mdpublish_server.storage.permalinks import find_demo
from tests.server.api_requests import claim, publish_demo, refusal

pytestmark = pytest.mark.anyio

PATH = "/v1/demo/publish"


async def test_only_the_hash_of_the_claim_token_is_stored(client: httpx.AsyncClient, database: Database) -> None:
    published = (await client.post(PATH, json={"content": "x"})).json()

    with database.read_transaction() as transaction:
        demo = find_demo(transaction, published["url"].rpartition("/")[2])
    assert demo
    assert UUID(published["claim_token"]).version == 4
    assert demo.claim_token_hash == sha256(published["claim_token"].encode()).hexdigest()
    assert demo.document_id == published["id"]


async def test_demo_that_was_taken_down_cannot_be_claimed(free: httpx.AsyncClient, database: Database) -> None:
    demo = await publish_demo(free)
    with database.write_transaction() as transaction:
        take_page_down(transaction, demo["id"])
    assert (await free.get(demo["url"])).status_code == 404
    assert refusal(await claim(free, demo["claim_token"])) == (404, "not_found")
