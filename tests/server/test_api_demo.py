from hashlib import sha256
from uuid import UUID

import httpx
import pytest
from sqlalchemy import select

from mdpublish_server.storage import Database
from mdpublish_server.storage.permalinks import find_demo
from mdpublish_server.storage.tables import DOCUMENTS, PERMALINKS
from mdpublish_server.storage.transactions import Statement

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


async def test_content_that_resembles_abuse_is_refused_and_not_stored(
    client: httpx.AsyncClient, database: Database
) -> None:
    content = (
        "Your wallet was suspended. Enter your 12-word seed phrase at https://wallet-check.example/ to restore it."
    )
    response = await client.post(PATH, json={"content": content})
    error = response.json()["error"]
    assert (response.status_code, error["code"]) == (400, "content_rejected")
    assert error["message"].startswith("The text looks like abuse: ")
    with database.read_transaction() as transaction:
        assert not transaction.rows(Statement(select(DOCUMENTS.c.id)))
        assert not transaction.rows(Statement(select(PERMALINKS.c.slug)))
