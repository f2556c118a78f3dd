"""Attacks on uploads past an assistant, each by name; all are refused."""

import asyncio
from datetime import timedelta

import httpx
import pytest

from mdpublish_server.services.copy_pages import MAX_PAGES
from mdpublish_server.state import AppState
from tests.server.conftest import MakeOwner, Travel
from tests.server.test_mcp import connected

pytestmark = pytest.mark.anyio


async def test_of_concurrent_uploads_one_is_stored(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient
) -> None:
    async with connected(state, make_owner().headers) as assistant:
        upload = await assistant.use("create_upload")
        sent = await asyncio.gather(*(client.put(upload["url"], content=b"%d" % n) for n in range(4)))
        assert sorted(response.status_code for response in sent) == [200, 404, 404, 404]
        [stored] = [n for n, response in enumerate(sent) if response.status_code == 200]
        created = await assistant.use("create_document", upload_id=upload["upload_id"])
        document = await assistant.use("get_document", document_id=created["document_id"])
    assert document["content"] == str(stored)


@pytest.mark.parametrize("name", ["the id", "another token", "a path", "nothing"])
async def test_nothing_is_sent_by_another_token(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient, name: str
) -> None:
    """Who reads the chat knows the id."""
    async with connected(state, make_owner().headers) as assistant:
        upload = await assistant.use("create_upload")
    site, token = upload["url"].rsplit("/", 1)
    other = {"the id": upload["upload_id"], "another token": "A" * len(token), "a path": "../mcp", "nothing": ""}[name]
    # A path to `/mcp` needs a key.
    assert (await client.put(f"{site}/{other}", content=b"evil")).status_code in (401, 404, 405)
    assert (await client.put(upload["url"], content=b"mine")).status_code == 200


async def test_nothing_is_read_by_the_token(state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient) -> None:
    """Who sends knows the token."""
    async with connected(state, make_owner().headers) as assistant:
        upload = await assistant.use("create_upload")
        await client.put(upload["url"], content=b"mine")
        token = upload["url"].rpartition("/")[2]
        assert "(not_found)" in await assistant.error("convert", upload_id=token, destination="word")


@pytest.mark.parametrize("method", ["GET", "POST", "DELETE", "PATCH"])
async def test_upload_is_neither_read_nor_changed_by_its_url(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient, method: str
) -> None:
    async with connected(state, make_owner().headers) as assistant:
        upload = await assistant.use("create_upload")
        await client.put(upload["url"], content=b"secret")
        response = await client.request(method, upload["url"])
        assert response.status_code in (404, 405)
        assert "secret" not in response.text


async def test_uploads_of_an_account_are_bounded(state: AppState, make_owner: MakeOwner, travel: Travel) -> None:
    async with connected(state, make_owner().headers) as assistant:
        for _ in range(MAX_PAGES):
            await assistant.use("create_upload")
            travel(timedelta(seconds=1))
        assert "at most 100" in await assistant.error("create_upload")


async def test_upload_is_read_for_ten_minutes(
    state: AppState, make_owner: MakeOwner, client: httpx.AsyncClient, travel: Travel
) -> None:
    async with connected(state, make_owner().headers) as assistant:
        upload = await assistant.use("create_upload")
        await client.put(upload["url"], content=b"# Roses")
        travel(timedelta(minutes=10))
        assert "(not_found)" in await assistant.error("convert", upload_id=upload["upload_id"], destination="word")
