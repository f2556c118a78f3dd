"""ETags of compressed documents, and `If-Match` of requests at once."""

import asyncio

import httpx
import pytest

from tests.server.api_requests import create, get

pytestmark = pytest.mark.anyio


async def tag(client: httpx.AsyncClient, document_id: str) -> str:
    return str((await client.get(f"/v1/documents/{document_id}")).headers["etag"])


async def test_tag_of_a_compressed_response_is_strong_and_names_the_same_revision(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro, content="long " * 1_000)
    url = f"/v1/documents/{document_id}"
    tags = [(await pro.get(url, headers={"Accept-Encoding": each})).headers["etag"] for each in ("gzip", "identity")]
    assert tags[0] != tags[1]
    assert not any(each.startswith("W/") for each in tags)
    for each in tags:
        assert (await pro.get(url, headers={"If-None-Match": each})).status_code == 304
    assert (await pro.patch(url, json={}, headers={"If-Match": tags[0]})).status_code == 200


async def test_of_writes_at_once_to_one_revision_one_is_done(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro)
    headers = {"If-Match": await tag(pro, document_id)}
    responses = await asyncio.gather(
        *(
            pro.patch(f"/v1/documents/{document_id}", json={"title": f"T{number}"}, headers=headers)
            for number in range(20)
        )
    )
    statuses = [response.status_code for response in responses]
    assert (statuses.count(200), statuses.count(412)) == (1, 19)
    assert (await get(pro, document_id))["title"] == f"T{statuses.index(200)}"
