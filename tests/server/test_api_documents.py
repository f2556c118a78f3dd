"""Lists of documents, and times of edits, where requests meet."""

import asyncio
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.server.api_requests import create, get, update
from tests.server.conftest import Travel

pytestmark = pytest.mark.anyio

PATH = "/v1/documents"


async def listed(client: httpx.AsyncClient, **query: str | int) -> dict[str, Any]:
    response = await client.get(PATH, params=query)
    assert response.status_code == 200, response.text
    page = dict(response.json())
    assert set(page) == {"data", "has_more", "next_cursor"}
    return page


async def ids_of_all_pages(client: httpx.AsyncClient, limit: int) -> list[str]:
    """Return all ids, following the cursors."""
    ids: list[str] = []
    query: dict[str, str | int] = {"limit": limit}
    while True:
        page = await listed(client, **query)
        assert len(page["data"]) <= limit
        assert page["has_more"] is (page["next_cursor"] is not None)
        ids += [document["id"] for document in page["data"]]
        if not page["has_more"]:
            return ids
        query["cursor"] = page["next_cursor"]


# Listing


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cursor=st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", min_size=32, max_size=32))
@example("A" * 32)
@example("_" * 32)
@example("-" * 32)
async def test_every_cursor_of_its_shape_is_accepted(free: httpx.AsyncClient, cursor: str) -> None:
    page = await listed(free, cursor=cursor)
    assert page["has_more"] is False


async def test_document_edited_between_two_pages_is_not_listed_twice(pro: httpx.AsyncClient) -> None:
    ids = [await create(pro) for _ in range(4)]
    page = await listed(pro, limit=2)
    await update(pro, ids[0], title="edited")
    rest = await listed(pro, limit=2, cursor=page["next_cursor"])
    assert [document["id"] for document in rest["data"]] == [ids[1]]


async def test_cursor_shows_nothing_of_another_account(pro: httpx.AsyncClient, free: httpx.AsyncClient) -> None:
    for _ in range(2):
        await create(pro)
    mine = await create(free)
    cursor = (await listed(pro, limit=1))["next_cursor"]
    assert (await listed(free))["data"][0]["id"] == mine
    assert {document["id"] for document in (await listed(free, cursor=cursor))["data"]} <= {mine}


# Folders


async def test_folder_is_there_while_a_document_names_it(pro: httpx.AsyncClient) -> None:
    first, second = [await create(pro, title=title, folder="Work") for title in "AB"]
    published = await pro.post(f"{PATH}/publish", json={"content": "# C", "folder": "work"})
    third = published.json()["id"]
    page = await listed(pro, folder="WORK", limit=2)
    assert [(each["id"], each["folder"]) for each in page["data"]] == [(third, "work"), (second, "Work")]
    rest = await listed(pro, folder="WORK", limit=2, cursor=page["next_cursor"])
    assert [each["id"] for each in rest["data"]] == [first]

    for document, folder in zip((first, second, third), ("Home", None, ""), strict=True):
        await update(pro, document, folder=folder)
    refused = await pro.get(PATH, params={"folder": "Work"})
    assert (refused.status_code, refused.json()["error"]["message"]) == (
        400, "folder must be one that a document is in (got 'Work'); choose from: Home",
    )  # fmt: skip
    assert {each["id"] for each in (await listed(pro, folder=" "))["data"]} == {second, third}


@pytest.mark.parametrize(
    ("stored", "query"),
    [("Work", "wORK"), ("Straße", "STRASSE"), ("Caf\u00e9", "CAFE\u0301"), ("Ünïcode", "ünïCODE"), ("仕事", " 仕事\n")],
)
async def test_folders_are_compared_without_case(pro: httpx.AsyncClient, stored: str, query: str) -> None:
    await create(pro, folder="Other")
    document = await create(pro, folder=stored)
    assert [each["id"] for each in (await listed(pro, folder=query))["data"]] == [document]


async def test_folder_of_another_account_is_unknown(pro: httpx.AsyncClient, free: httpx.AsyncClient) -> None:
    await create(pro, folder="Work")
    refused = await free.get(PATH, params={"folder": "Work"})
    assert refused.json()["error"]["message"] == "folder must be one that a document is in (got 'Work')"
    assert (await listed(free, folder=""))["data"] == []


@pytest.mark.parametrize("folder", ["x" * 61, 7, ["Work"], True, {"name": "Work"}])
async def test_folder_that_is_no_name_is_refused(pro: httpx.AsyncClient, folder: object) -> None:
    document = await create(pro, folder="Work")
    for method, url in (("POST", PATH), ("POST", f"{PATH}/publish"), ("PATCH", f"{PATH}/{document}")):
        refused = await pro.request(method, url, json={"content": "# A", "folder": folder})
        assert refused.status_code == 400, method
        assert "folder" in refused.json()["error"]["message"]
    assert (await get(pro, document))["folder"] == "Work"


# Times


@pytest.mark.parametrize("step", [timedelta(0), timedelta(hours=-1), timedelta(microseconds=1), timedelta(hours=1)])
async def test_every_edit_is_later_than_the_last_whatever_the_clock_shows(
    pro: httpx.AsyncClient, travel: Travel, step: timedelta
) -> None:
    updates: list[datetime] = []
    ids: list[str] = []
    for _ in range(3):
        travel(step)
        ids.append(await create(pro))
        updates.append(datetime.fromisoformat((await get(pro, ids[-1]))["updated_at"]))
    for title, document_id in zip("ABC", (ids[0], ids[0], ids[2]), strict=True):
        travel(step)
        updates.append(datetime.fromisoformat((await update(pro, document_id, title=title))["updated_at"]))

    assert updates == sorted(set(updates))
    assert await ids_of_all_pages(pro, 1) == [ids[2], ids[0], ids[1]]


async def test_no_two_documents_tie_when_they_are_created_at_once(pro: httpx.AsyncClient) -> None:
    await asyncio.gather(*(create(pro) for _ in range(12)))
    documents = (await listed(pro))["data"]
    assert len({document["updated_at"] for document in documents}) == 12
    assert len(set(await ids_of_all_pages(pro, 5))) == 12


@pytest.mark.parametrize("title", ["\u200b\u200b", "\u3164", " \u2800\ufe0f", "\u034f\u00ad", "\u115f\u1160"])
async def test_title_that_nobody_sees_is_empty(pro: httpx.AsyncClient, title: str) -> None:
    assert (await get(pro, await create(pro, title=title)))["title"] == "Untitled"
    assert (await get(pro, await create(pro, title=f"{title}\u2600\ufe0f")))["title"].endswith("\u2600\ufe0f")


# ETags


async def test_tag_of_a_compressed_response_is_strong_and_names_the_same_revision(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro, content="long " * 1_000)
    url = f"/v1/documents/{document_id}"
    tags = [(await pro.get(url, headers={"Accept-Encoding": each})).headers["etag"] for each in ("gzip", "identity")]
    assert tags[0] != tags[1]
    assert not any(each.startswith("W/") for each in tags)
    for each in tags:
        assert (await pro.get(url, headers={"If-None-Match": each})).status_code == 304
    assert (await pro.patch(url, json={}, headers={"If-Match": tags[0]})).status_code == 200


async def test_unknown_query_fields_change_nothing(free: httpx.AsyncClient) -> None:
    """Later clients send what is not known yet."""
    document = await create(free, content="# A")
    for path in (PATH, f"{PATH}/{document}", "/v1/images", "/v1/usage", "/v1/templates"):
        plain = await free.get(path)
        with_unknown = await free.get(path, params={"since": "x", "sort": ["a", "b"], "": ""})
        notice = with_unknown.json().pop("notices")[-1]
        assert (plain.status_code, with_unknown.json()) == (200, plain.json() | {"notices": [notice]}), path
        assert (notice["code"], notice["message"]) == ("unknown-field", "ignored: names 'since', 'sort', ''")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"colour": "red"},
        {"title": "A", "content": "# A", "template_id": "swiss"},
        {"title": " A\n", "description": ""},
        {"description": None, "password": None, "expires_at": None},
        {"visibility": "link", "readers": [], "show_source": False, "offer_pdf": False, "hide_badge": False},
        {"is_published": False, "word_count": 9, "updated_at": "2026-01-01T00:00:00Z"},
    ],
)
async def test_update_that_changes_nothing_changes_no_tag(pro: httpx.AsyncClient, body: dict[str, Any]) -> None:
    documents = [await create(pro, title=title, content="# A") for title in "AB"]
    url = f"{PATH}/{documents[0]}"
    await pro.post(f"{url}/publish", json={})
    before = await pro.get(url)

    response = await pro.patch(url, json=body)

    after = await pro.get(url)
    assert response.json()["updated_at"] == before.json()["updated_at"]
    assert (after.json(), after.headers["etag"], response.headers["etag"]) == (
        *(before.json(), before.headers["etag"]),
        before.headers["etag"],
    )
    assert await ids_of_all_pages(pro, 5) == documents[::-1]
