"""ETags of documents, `If-Match` and `If-None-Match`."""

import asyncio

import httpx
import pytest

from tests.server.api_requests import MISSING, create, get, publish, publish_new, refusal, unpublish, update

pytestmark = pytest.mark.anyio

WRITES = pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "", {"title": "New"}),
        ("POST", "/publish", {"description": "New"}),
        ("DELETE", "/publish", None),
        ("DELETE", "", None),
    ],
)


async def tag(client: httpx.AsyncClient, document_id: str) -> str:
    return str((await client.get(f"/v1/documents/{document_id}")).headers["etag"])


async def test_tag_is_that_of_the_revision_whatever_request_returns_it(pro: httpx.AsyncClient) -> None:
    created = await pro.post("/v1/documents", json={"content": "x"})
    url = f"/v1/documents/{created.json()['id']}"
    assert created.headers["etag"] == (await pro.get(url)).headers["etag"] == (await pro.head(url)).headers["etag"]
    tags = [created.headers["etag"]]
    for method, path in (("PATCH", url), ("POST", f"{url}/publish"), ("POST", f"{url}/publish")):
        response = await pro.request(method, path, json={})
        assert response.headers["etag"] == (await pro.get(url)).headers["etag"]
        tags.append(response.headers["etag"])
    await pro.delete(f"{url}/publish")
    tags.append((await pro.get(url)).headers["etag"])
    assert len(set(tags)) == len(tags)
    new = await pro.post("/v1/documents/publish", json={"content": "x"})
    assert new.headers["etag"] == await tag(pro, new.json()["id"])


@WRITES
async def test_write_to_the_revision_that_was_read_is_done(
    pro: httpx.AsyncClient, method: str, path: str, body: dict[str, str] | None
) -> None:
    document_id = (await publish_new(pro))["id"]
    headers = {"If-Match": await tag(pro, document_id)}
    response = await pro.request(method, f"/v1/documents/{document_id}{path}", json=body, headers=headers)
    assert response.status_code == 200, response.text


@WRITES
async def test_write_to_another_revision_is_refused_and_changes_nothing(
    pro: httpx.AsyncClient, method: str, path: str, body: dict[str, str] | None
) -> None:
    document_id = (await publish_new(pro))["id"]
    stale = await tag(pro, document_id)
    await update(pro, document_id, content="another's")
    before = await get(pro, document_id)
    for named in (stale, f"W/{stale}", "x", '"x"', '""', '"99999999999999999999"'):
        response = await pro.request(
            method, f"/v1/documents/{document_id}{path}", json=body, headers={"If-Match": named}
        )
        assert refusal(response) == (412, "precondition_failed")
    assert await get(pro, document_id) == before


@WRITES
async def test_write_to_a_missing_document_is_not_found_whatever_it_expects(
    pro: httpx.AsyncClient, method: str, path: str, body: dict[str, str] | None
) -> None:
    response = await pro.request(method, f"/v1/documents/{MISSING}{path}", json=body, headers={"If-Match": '"1"'})
    assert refusal(response) == (404, "not_found")


@pytest.mark.parametrize("form", ["{}", "W/{}", '"0", {}', "*", 'W/"0" , W/{}'])
async def test_tag_is_accepted_as_proxies_and_lists_write_it(pro: httpx.AsyncClient, form: str) -> None:
    document_id = await create(pro)
    headers = {"If-Match": form.format(await tag(pro, document_id))}
    response = await pro.patch(f"/v1/documents/{document_id}", json={"title": "New"}, headers=headers)
    assert response.status_code == 200


async def test_tag_of_a_compressed_response_is_strong_and_names_the_same_revision(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro, content="long " * 1_000)
    url = f"/v1/documents/{document_id}"
    tags = [(await pro.get(url, headers={"Accept-Encoding": each})).headers["etag"] for each in ("gzip", "identity")]
    assert tags[0] != tags[1]
    assert not any(each.startswith("W/") for each in tags)
    for each in tags:
        assert (await pro.get(url, headers={"If-None-Match": each})).status_code == 304
    assert (await pro.patch(url, json={}, headers={"If-Match": tags[0]})).status_code == 200


async def test_without_a_condition_the_last_write_wins(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro)
    for title in ("first", "second"):
        await update(pro, document_id, title=title)
    assert (await get(pro, document_id))["title"] == "second"


async def test_client_with_the_same_document_gets_none(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro, content="x")
    url, known = f"/v1/documents/{document_id}", await tag(pro, document_id)
    for named in (known, f"W/{known}", f'"0", {known}', "*"):
        response = await pro.get(url, headers={"If-None-Match": named})
        assert (response.status_code, response.content, response.headers["etag"]) == (304, b"", known)
        assert "x-ratelimit-limit" in response.headers
    for change in (update, publish):
        await change(pro, document_id)
        assert (await pro.get(url, headers={"If-None-Match": known})).status_code == 200
    published = await tag(pro, document_id)
    await unpublish(pro, document_id)
    assert (await pro.get(url, headers={"If-None-Match": published})).status_code == 200


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
