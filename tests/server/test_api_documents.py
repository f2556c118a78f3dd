"""Documents: create, list, get, update, delete."""

import asyncio
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from tests.server import api_requests
from tests.server.api_requests import create, get, refusal, update

pytestmark = pytest.mark.anyio

PATH = "/v1/documents"
SUMMARY_FIELDS = {
    "id",
    "title",
    "template_id",
    "theme_mode",
    "is_published",
    "slug",
    "page_width",
    "word_count",
    "created_at",
    "updated_at",
}
FULL_FIELDS = SUMMARY_FIELDS | {"content", "published_at", "description", "visibility", "show_source"}

# Input and stored value of titles, descriptions and content.
TITLES = [
    ("Plain", "Plain"),
    ("  ends \u00a0\n", "ends"),
    ("a\tb\x00c\x1b[31m\x7f\x85d", "abc[31md"),
    ("", "Untitled"),
    (" \n\x00 ", "Untitled"),
    ("é" * 200, "é" * 200),
    ("\x00" * 500 + "x" + " " * 500, "x"),
    ("<b>\u202eevil", "<b>evil"),
]
WRONG_FIELDS = [
    ({"title": 1}, "title must be a string (got an integer)"),
    ({"title": "x" * 201}, "title must be at most 200 characters (got 201)"),
    ({"content": []}, "content must be a string (got an array)"),
    ({"content": "é" * 500_001}, "content must be at most 1,000,000 bytes of UTF-8 (got 1,000,002)"),
    ({"theme_mode": "Dark"}, "theme_mode must be one of light, dark (got 'Dark')"),
]


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


# Creating


@pytest.mark.parametrize("body", [b"{}", b""])
async def test_document_is_created_with_defaults(free: httpx.AsyncClient, body: bytes) -> None:
    response = await free.post(PATH, content=body)

    created = response.json()
    assert response.status_code == 201
    assert str(UUID(created["id"])) == created["id"]
    assert created == {
        "id": created["id"],
        "title": "Untitled",
        "template_id": "swiss",
        "theme_mode": "light",
        "created_at": "2026-03-01T12:00:00.123456Z",
        "notices": [],
    }
    del created["notices"]
    assert await get(free, created["id"]) == {
        **created,
        "content": "",
        "is_published": False,
        "slug": None,
        "published_at": None,
        "description": None,
        "page_width": None,
        "visibility": None,
        "show_source": False,
        "word_count": 0,
        "updated_at": created["created_at"],
    }


async def test_document_is_created_as_requested(free: httpx.AsyncClient) -> None:
    body = {"title": "Garden", "content": "# Day\n\nA *b*.", "template_id": "mono", "theme_mode": "dark"}
    response = await free.post(PATH, json=body)

    created = response.json()
    assert {name: created[name] for name in ("title", "template_id", "theme_mode")} == {
        "title": "Garden",
        "template_id": "mono",
        "theme_mode": "dark",
    }
    stored = await get(free, created["id"])
    assert {name: stored[name] for name in body} == body
    assert stored["is_published"] is False


async def test_created_document_has_no_page(free: httpx.AsyncClient) -> None:
    await create(free, title="Garden")
    for path in ("/d/garden", "/u/garden/garden"):
        assert (await free.get(path)).status_code == 404


@pytest.mark.parametrize(("title", "stored"), TITLES)
async def test_title_is_cleaned_when_created_and_when_changed(free: httpx.AsyncClient, title: str, stored: str) -> None:
    created = (await free.post(PATH, json={"title": title})).json()
    assert created["title"] == stored

    await update(free, created["id"], title="other")
    assert (await update(free, created["id"], title=title))["title"] == stored
    assert (await get(free, created["id"]))["title"] == stored


@pytest.mark.parametrize(("body", "message"), WRONG_FIELDS)
async def test_wrong_field_is_named_with_its_bound_and_nothing_is_stored(
    free: httpx.AsyncClient, body: dict[str, object], message: str
) -> None:
    document_id = await create(free)
    before = await get(free, document_id)

    for response in (await free.post(PATH, json=body), await free.patch(f"{PATH}/{document_id}", json=body)):
        assert refusal(response) == (400, "validation_error")
        assert response.json()["error"]["message"] == message

    assert [document["id"] for document in (await listed(free))["data"]] == [document_id]
    assert await get(free, document_id) == before


@pytest.mark.parametrize("field", ["title", "content", "template_id", "theme_mode"])
async def test_null_in_an_update_is_refused(free: httpx.AsyncClient, field: str) -> None:
    document_id = await create(free, title="Plan")
    response = await free.patch(f"{PATH}/{document_id}", json={field: None})
    assert refusal(response) == (400, "validation_error")
    assert response.json()["error"]["message"] == f"{field} must be a string (got null)"
    assert (await get(free, document_id))["title"] == "Plan"


async def test_null_in_a_new_document_is_as_if_left_out(free: httpx.AsyncClient) -> None:
    document_id = await create(free, title=None, content=None, template_id=None, theme_mode=None)
    document = await get(free, document_id)
    assert (document["title"], document["content"], document["template_id"]) == ("Untitled", "", "swiss")


async def test_unknown_template_is_refused(free: httpx.AsyncClient) -> None:
    document_id = await create(free)
    for response in (
        await free.post(PATH, json={"template_id": "nosuch"}),
        await free.patch(f"{PATH}/{document_id}", json={"template_id": "nosuch"}),
    ):
        assert refusal(response) == (400, "validation_error")
        assert "'nosuch'" in response.json()["error"]["message"]


async def test_longest_content_is_stored_however_it_is_escaped(free: httpx.AsyncClient) -> None:
    escaped = await free.post(PATH, content=b'{"content": "' + b"\\u0061" * 1_000_000 + b'"}')
    plain = await free.post(PATH, json={"content": "é" * 500_000})

    assert (escaped.status_code, plain.status_code) == (201, 201)
    assert (await get(free, escaped.json()["id"]))["content"] == "a" * 1_000_000
    assert (await get(free, plain.json()["id"]))["content"] == "é" * 500_000


async def test_body_beyond_eight_megabytes_is_refused_and_the_connection_closed(free: httpx.AsyncClient) -> None:
    document_id = await create(free)
    body = b"{}".ljust(8_000_001)

    for method, path in (("POST", PATH), ("PATCH", f"{PATH}/{document_id}"), ("POST", f"{PATH}/publish")):
        response = await free.request(method, path, content=body)
        assert refusal(response) == (400, "validation_error")
        assert "8,000,000" in response.json()["error"]["message"]
        assert response.headers["connection"] == "close"

    assert (await free.post(PATH, content=body[:8_000_000])).status_code == 201


async def test_nul_becomes_the_replacement_character_in_content_and_goes_elsewhere(free: httpx.AsyncClient) -> None:
    document_id = await create(free, content="a\0b\r\nc", title="T\0t")
    await update(free, document_id, description="d\0e")

    document = await get(free, document_id)
    assert (document["content"], document["title"], document["description"]) == ("a\ufffdb\r\nc", "Tt", "de")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", 0),
        (" \n\n", 0),
        ("# One two\n\nthree", 3),
        ("a [link](https://example.org/long/path) *b*", 3),
        ("one\n\n---\n\ntwo", 2),
        ("日本語", 3),
        ("カナ と", 3),
        ("- [x] done\n- [ ] open", 2),
    ],
)
async def test_words_are_those_that_the_reader_sees(free: httpx.AsyncClient, content: str, words: int) -> None:
    document_id = await create(free, content=content)
    assert (await get(free, document_id))["word_count"] == words
    assert (await listed(free))["data"][0]["word_count"] == words

    await update(free, document_id, content="a b c d e")
    assert (await get(free, document_id))["word_count"] == 5
    await update(free, document_id, content=content)
    assert (await get(free, document_id))["word_count"] == words


# Updating


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("title", "New"),
        ("content", "new *text*"),
        ("template_id", "mono"),
        ("theme_mode", "dark"),
        ("description", "About it."),
        ("page_width", "wide"),
        ("page_width", "full"),
        ("page_width", "standard"),
    ],
)
async def test_only_what_is_sent_changes(
    free: httpx.AsyncClient, travel: Callable[[timedelta], None], field: str, value: str
) -> None:
    document_id = await create(free, title="Old", content="old text")
    before = await get(free, document_id)
    travel(timedelta(minutes=1))

    response = await update(free, document_id, **{field: value})

    after = await get(free, document_id)
    assert after == {**before, field: value, "updated_at": "2026-03-01T12:01:00.123456Z"}
    assert response == {
        "notices": [],
        **{name: after[name] for name in ("id", "title", "template_id", "theme_mode", "page_width", "updated_at")},
    }


async def test_update_of_nothing_is_an_edit_too(free: httpx.AsyncClient) -> None:
    document_id = await create(free, title="T", content="x")
    before = await get(free, document_id)
    await update(free, document_id)
    after = await get(free, document_id)
    assert {**after, "updated_at": ""} == {**before, "updated_at": ""}
    assert after["updated_at"] > before["updated_at"]


@pytest.mark.parametrize("cleared", [None, "", " \x00\n"])
async def test_description_is_cleared_by_null_or_empty(free: httpx.AsyncClient, cleared: str | None) -> None:
    document_id = await create(free)
    await update(free, document_id, description="d" * 500)
    assert (await get(free, document_id))["description"] == "d" * 500

    await update(free, document_id, title="kept")
    assert (await get(free, document_id))["description"] == "d" * 500
    await update(free, document_id, description=cleared)
    assert (await get(free, document_id))["description"] is None


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({"description": "d" * 501}, "description must be at most 500 characters (got 501)"),
        ({"description": 1}, "description must be"),
        ({"page_width": None}, "page_width must be a string (got null)"),
        ({"page_width": "narrow"}, "page_width must be one of standard, wide, full (got 'narrow')"),
    ],
)
async def test_wrong_change_is_refused(free: httpx.AsyncClient, body: dict[str, object], message: str) -> None:
    document_id = await create(free)
    response = await free.patch(f"{PATH}/{document_id}", json=body)
    assert refusal(response) == (400, "validation_error")
    assert response.json()["error"]["message"].startswith(message)


async def test_document_is_created_with_description_and_width(free: httpx.AsyncClient) -> None:
    document = await get(free, await create(free, description=" What\nwe plant ", page_width="wide"))
    assert (document["description"], document["page_width"]) == ("What we plant", "wide")


async def test_options_of_a_page_are_set_before_it_is_published(pro: httpx.AsyncClient) -> None:
    document_id = await create(pro, title="Garden")
    before = await get(pro, document_id)
    await update(pro, document_id, slug="kitchen", visibility="public", hide_badge=True)

    document = await get(pro, document_id)
    assert (document["slug"], document["visibility"], document["is_published"]) == (None, "public", False)
    assert document["updated_at"] > before["updated_at"]
    taken = await pro.post("/v1/documents/publish", json={"content": "x", "slug": "kitchen"})
    assert refusal(taken) == (409, "conflict")
    published = await api_requests.publish(pro, document_id)
    assert published["published_url"].endswith("/u/pro-user/kitchen")
    assert "Published with" not in (await pro.get(published["published_url"])).text


async def test_options_of_a_published_page_are_live_at_once(pro: httpx.AsyncClient) -> None:
    published = await api_requests.publish_new(pro, title="Garden")
    document_id, url = published["id"], published["published_url"]
    await update(pro, document_id, slug="kitchen", visibility="public", hide_badge=True, description="Plants")

    moved = await api_requests.redirect_from(pro, url)
    assert moved.endswith("/u/pro-user/kitchen")
    page = await pro.get(moved)
    assert "x-robots-tag" not in page.headers
    assert f'<link rel="canonical" href="{moved}" />' in page.text
    assert '<meta name="description" content="Plants" />' in page.text
    assert "Published with" not in page.text
    assert (await get(pro, document_id))["slug"] == "kitchen"


@pytest.mark.parametrize("is_published", [True, False])
async def test_update_to_a_slug_that_is_taken_is_a_conflict_and_changes_nothing(
    pro: httpx.AsyncClient, is_published: bool
) -> None:
    await api_requests.publish_new(pro, slug="garden")
    document_id = await create(pro, content="old")
    if is_published:
        await api_requests.publish(pro, document_id)
    before = await get(pro, document_id)
    response = await pro.patch(f"{PATH}/{document_id}", json={"slug": "garden", "content": "new"})
    assert refusal(response) == (409, "conflict")
    assert await get(pro, document_id) == before


async def test_change_without_json_is_refused(free: httpx.AsyncClient) -> None:
    document_id = await create(free)
    for method, path in (("POST", PATH), ("PATCH", f"{PATH}/{document_id}")):
        assert refusal(await free.request(method, path, content=b"{")) == (400, "invalid_body")
        assert refusal(await free.request(method, path, content=b"[]")) == (400, "invalid_body")


async def test_unknown_fields_are_ignored(free: httpx.AsyncClient) -> None:
    document_id = await create(free, title="T", color="red", id="mine", slug="garden", is_published=True)
    before = await get(free, document_id)
    await update(free, document_id, color=None, is_published=True, word_count=7, created_at="")
    assert {**await get(free, document_id), "updated_at": ""} == {**before, "updated_at": ""}
    assert before["is_published"] is False


async def test_last_of_a_repeated_key_counts(free: httpx.AsyncClient) -> None:
    created = await free.post(PATH, content=b'{"title": 1, "title": "last"}')
    assert (created.status_code, created.json()["title"]) == (201, "last")


@pytest.mark.parametrize(
    "path", [PATH, f"{PATH}/{{id}}", f"{PATH}/{api_requests.MISSING}", "/v1/usage", "/v1/templates"]
)
async def test_head_responds_as_get_does_without_the_body(free: httpx.AsyncClient, path: str) -> None:
    url = path.format(id=await create(free, content="x"))
    shown, head = await free.get(url), await free.head(url)
    varying = ("x-ratelimit-remaining", "x-request-id")
    assert head.status_code == shown.status_code
    assert {name: value for name, value in head.headers.items() if name not in varying} == {
        name: value for name, value in shown.headers.items() if name not in varying
    }
    assert head.content == b""


# Deleting


async def test_deleted_document_is_gone(free: httpx.AsyncClient) -> None:
    document_id, stored = await create(free), await create(free)
    response = await free.delete(f"{PATH}/{document_id}")

    assert (response.status_code, response.json()) == (200, {"success": True})
    assert refusal(await free.get(f"{PATH}/{document_id}")) == (404, "not_found")
    assert refusal(await free.patch(f"{PATH}/{document_id}", json={})) == (404, "not_found")
    assert refusal(await free.delete(f"{PATH}/{document_id}")) == (404, "not_found")
    assert [document["id"] for document in (await listed(free))["data"]] == [stored]


async def test_deleting_a_published_document_takes_its_page_away(pro: httpx.AsyncClient) -> None:
    published = await api_requests.publish_new(pro, slug="garden")
    await api_requests.publish(pro, published["id"], slug="garden-day")
    await api_requests.delete(pro, published["id"])

    for url in ("/u/pro-user/garden", "/u/pro-user/garden-day"):
        assert (await pro.get(url)).status_code == 404
    # The slug is available again.
    assert (await api_requests.publish_new(pro, slug="garden-day"))["published_url"].endswith("/u/pro-user/garden-day")


# Listing


async def test_list_of_nothing_is_empty(free: httpx.AsyncClient) -> None:
    assert await listed(free) == {"data": [], "has_more": False, "next_cursor": None}


async def test_listed_document_is_its_summary(free: httpx.AsyncClient) -> None:
    published = await api_requests.publish_new(free, "# A b", title="Garden")
    (summary,) = (await listed(free))["data"]
    document = await get(free, published["id"])

    assert set(summary) == SUMMARY_FIELDS
    assert set(document) == FULL_FIELDS
    assert summary == {name: document[name] for name in SUMMARY_FIELDS}
    assert summary["is_published"] is True
    assert summary["slug"] == published["published_url"].rpartition("/")[2]


async def test_newest_edit_comes_first(pro: httpx.AsyncClient) -> None:
    first, second, third = [await create(pro) for _ in range(3)]
    assert [document["id"] for document in (await listed(pro))["data"]] == [third, second, first]

    await update(pro, first, title="edited")
    assert [document["id"] for document in (await listed(pro))["data"]] == [first, third, second]


async def test_publishing_is_no_edit(pro: httpx.AsyncClient, travel: Callable[[timedelta], None]) -> None:
    document_id = await create(pro, content="x")
    await create(pro)
    before = await listed(pro)

    for _ in range(2):
        travel(timedelta(minutes=1))
        await api_requests.publish(pro, document_id)
    travel(timedelta(minutes=1))
    await api_requests.unpublish(pro, document_id)

    after = await listed(pro)
    assert [each["updated_at"] for each in after["data"]] == [each["updated_at"] for each in before["data"]]
    assert [each["id"] for each in after["data"]] == [each["id"] for each in before["data"]]


@pytest.mark.parametrize("options", [{"description": "D"}, {"page_width": "wide"}, {"visibility": "public"}])
async def test_publishing_with_another_option_is_an_edit(
    pro: httpx.AsyncClient, travel: Callable[[timedelta], None], options: dict[str, str]
) -> None:
    document_id = await create(pro, content="x")
    created = (await get(pro, document_id))["updated_at"]
    travel(timedelta(minutes=1))
    await api_requests.publish(pro, document_id, **options)
    edited = (await get(pro, document_id))["updated_at"]
    assert edited > created

    # With the value that is stored, it is a mere republishing.
    travel(timedelta(minutes=1))
    await api_requests.publish(pro, document_id, **options)
    assert (await get(pro, document_id))["updated_at"] == edited


async def test_publishing_with_the_first_options_is_no_edit(
    pro: httpx.AsyncClient, travel: Callable[[timedelta], None]
) -> None:
    document_id = await create(pro, content="x")
    created = (await get(pro, document_id))["updated_at"]
    travel(timedelta(minutes=1))
    await api_requests.publish(
        pro, document_id, visibility="link", page_width="standard", description="", slug="garden"
    )
    assert (await get(pro, document_id))["updated_at"] == created


@pytest.mark.parametrize("limit", [1, 2, 3, 7, 8, 100])
async def test_pages_hold_each_document_once(pro: httpx.AsyncClient, limit: int) -> None:
    ids = [await create(pro) for _ in range(7)]
    assert await ids_of_all_pages(pro, limit) == ids[::-1]


async def test_twenty_documents_are_listed_by_default(pro: httpx.AsyncClient) -> None:
    ids = [await create(pro) for _ in range(22)]

    page = await listed(pro)
    rest = await listed(pro, cursor=page["next_cursor"])

    assert [document["id"] for document in page["data"]] == ids[:1:-1]
    assert [document["id"] for document in rest["data"]] == ids[1::-1]
    assert rest["next_cursor"] is None


@pytest.mark.parametrize(
    ("limit", "number"), [("0", 1), ("-7", 1), ("-" + "9" * 400, 1), ("1", 1), ("+3", 3), ("003", 3)]
)
async def test_limit_below_one_lists_one(pro: httpx.AsyncClient, limit: str, number: int) -> None:
    for _ in range(4):
        await create(pro)
    assert len((await listed(pro, limit=limit))["data"]) == number


@pytest.mark.parametrize("limit", ["100", "101", "9" * 400])
async def test_limit_beyond_a_hundred_lists_a_hundred(pro: httpx.AsyncClient, limit: str) -> None:
    await asyncio.gather(*(create(pro) for _ in range(101)))
    page = await listed(pro, limit=limit)
    assert len(page["data"]) == 100
    assert page["has_more"] is True


@pytest.mark.parametrize("limit", ["ten", "1.5", "1e2", " 1", "0x10", "٣", "null"])
async def test_limit_that_is_no_integer_is_refused(free: httpx.AsyncClient, limit: str) -> None:
    response = await free.get(PATH, params={"limit": limit})
    assert refusal(response) == (400, "validation_error")
    assert "limit" in response.json()["error"]["message"]


@pytest.mark.parametrize(
    "cursor", ["x", "A" * 31, "A" * 33, "A" * 31 + "=", "A" * 31 + "+", "A" * 31 + "é", "2026-03-01T12:00:00Z"]
)
async def test_cursor_of_another_shape_is_refused(free: httpx.AsyncClient, cursor: str) -> None:
    response = await free.get(PATH, params={"cursor": cursor})
    assert refusal(response) == (400, "validation_error")
    assert "cursor" in response.json()["error"]["message"]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(cursor=st.text("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", min_size=32, max_size=32))
@example("A" * 32)
@example("_" * 32)
@example("-" * 32)
async def test_every_cursor_of_its_shape_is_accepted(free: httpx.AsyncClient, cursor: str) -> None:
    page = await listed(free, cursor=cursor)
    assert page["has_more"] is False


async def test_empty_limit_and_cursor_are_as_if_left_out(pro: httpx.AsyncClient) -> None:
    for _ in range(21):
        await create(pro)
    response = await pro.get(f"{PATH}?limit=&cursor=")
    assert response.status_code == 200
    assert response.json() == await listed(pro)


async def test_id_is_read_in_either_case_and_shown_in_lower_case(free: httpx.AsyncClient) -> None:
    document_id = await create(free, title="Plan")
    for written in (document_id.upper(), document_id.title()):
        assert (await get(free, written))["id"] == document_id
        assert (await update(free, written, title="New"))["id"] == document_id
        unpublished = await free.delete(f"{PATH}/{written}/publish")
        assert unpublished.json()["id"] == document_id


async def test_cursor_has_the_shape_that_is_declared(pro: httpx.AsyncClient) -> None:
    for _ in range(2):
        await create(pro)
    cursor = (await listed(pro, limit=1))["next_cursor"]
    assert re.fullmatch(r"[A-Za-z0-9_-]{32}", cursor)


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


# Times


@pytest.mark.parametrize("step", [timedelta(0), timedelta(hours=-1), timedelta(microseconds=1), timedelta(hours=1)])
async def test_every_edit_is_later_than_the_last_whatever_the_clock_shows(
    pro: httpx.AsyncClient, travel: Callable[[timedelta], None], step: timedelta
) -> None:
    updates: list[datetime] = []
    ids: list[str] = []
    for _ in range(3):
        travel(step)
        ids.append(await create(pro))
        updates.append(datetime.fromisoformat((await get(pro, ids[-1]))["updated_at"]))
    for document_id in (ids[0], ids[0], ids[2]):
        travel(step)
        updates.append(datetime.fromisoformat((await update(pro, document_id))["updated_at"]))

    assert updates == sorted(set(updates))
    assert await ids_of_all_pages(pro, 1) == [ids[2], ids[0], ids[1]]


async def test_no_two_documents_tie_when_they_are_created_at_once(pro: httpx.AsyncClient) -> None:
    await asyncio.gather(*(create(pro) for _ in range(12)))
    documents = (await listed(pro))["data"]
    assert len({document["updated_at"] for document in documents}) == 12
    assert len(set(await ids_of_all_pages(pro, 5))) == 12


async def test_creation_time_stays(pro: httpx.AsyncClient, travel: Callable[[timedelta], None]) -> None:
    document_id = await create(pro)
    travel(timedelta(days=1))
    await update(pro, document_id, title="x")
    document = await get(pro, document_id)
    assert document["created_at"] == "2026-03-01T12:00:00.123456Z"
    assert document["updated_at"] == "2026-03-02T12:00:00.123456Z"
