"""Creating, listing, getting, updating and deleting documents."""

import httpx

from tests.contract.claims import claim
from tests.contract.requests import created, failure, published
from tests.contract.service import Service
from tests.server.api_requests import create, get, publish, publish_new, redirect_from, refusal, update, used

PATH = "/v1/documents"
VALIDATION_ERROR = (400, "validation_error")


# Creating


@claim("create.201")
async def creates(service: Service) -> None:
    response = await service.free.post(PATH, json={"title": "Garden"})
    assert response.status_code == 201
    document = response.json()
    assert set(document) == {"id", "title", "template_id", "theme_mode", "created_at", "notices"}
    stored = await get(service.free, document["id"])
    assert stored["is_published"] is False
    for field in ("title", "template_id", "theme_mode", "created_at"):
        assert stored[field] == document[field]


@claim("create.body")
async def every_field_of_new_document_is_optional(service: Service) -> None:
    document = await created(service)
    defaults = {"title": "Untitled", "content": "", "template_id": "swiss", "theme_mode": "light", "description": None}
    assert {name: document[name] for name in defaults} == defaults
    chosen = {"title": "A", "content": "b", "template_id": "ink", "theme_mode": "dark"}
    chosen |= {"description": "D", "folder": "Work", "page_width": "full"}
    document = await created(service, **chosen)
    assert {name: document[name] for name in chosen} == chosen


# Listing


async def listed(client: httpx.AsyncClient, **query: str | int) -> list[str]:
    response = await client.get(PATH, params=query)
    assert response.status_code == 200
    return [document["id"] for document in response.json()["data"]]


async def several(service: Service, number: int) -> list[str]:
    return [await create(service.pro) for _ in range(number)]


@claim("list.200")
async def lists(service: Service) -> None:
    assert await listed(service.pro) == []
    mine, other = await several(service, 2), await create(service.free)
    assert set(await listed(service.pro)) == set(mine)
    assert await listed(service.free) == [other]


@claim("list.order")
async def last_edited_comes_first(service: Service) -> None:
    first, second, third = await several(service, 3)
    await update(service.pro, first, title="edited")
    assert await listed(service.pro) == [first, third, second]


@claim("list.limit.default")
async def twenty_are_listed(service: Service) -> None:
    await several(service, 21)
    assert len(await listed(service.pro)) == 20


@claim("list.limit.range")
async def limit_is_clamped(service: Service) -> None:
    await several(service, 101)
    nines = "9" * 400
    for limit, number in ((1, 1), (0, 1), (-5, 1), (f"-{nines}", 1), ("+3", 3), ("003", 3)):
        assert len(await listed(service.pro, limit=limit)) == number
    for limit in (100, 101, nines):
        assert len(await listed(service.pro, limit=limit)) == 100


@claim("list.limit.empty")
async def empty_query_is_none(service: Service) -> None:
    await several(service, 21)
    assert len(await listed(service.pro, limit="", cursor="")) == 20


@claim("list.folder")
async def lists_a_folder(service: Service) -> None:
    mine = [await create(service.pro, folder=name) for name in ("Straße", "STRASSE", "Home", None)]
    assert await listed(service.pro, folder="strasse") == [mine[1], mine[0]]
    assert await listed(service.pro, folder="") == [mine[3]]


@claim("list.cursor")
async def cursor_continues(service: Service) -> None:
    ids = await several(service, 7)
    for limit in (1, 2, 3, 7, 8, 100):
        seen: list[str] = []
        query: dict[str, str | int] = {"limit": limit}
        has_more = True
        while has_more:
            page = (await service.pro.get(PATH, params=query)).json()
            assert len(page["data"]) <= limit
            seen += [document["id"] for document in page["data"]]
            has_more, query["cursor"] = page["has_more"], page["next_cursor"]
            assert has_more is (page["next_cursor"] is not None)
        assert seen == ids[::-1]


@claim("list.cursor.form")
async def cursor_has_a_form(service: Service) -> None:
    await several(service, 2)
    cursor = (await service.pro.get(PATH, params={"limit": 1})).json()["next_cursor"]
    assert len(cursor) == 32
    assert set(cursor) <= set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    for character in "A_-":
        assert (await service.pro.get(PATH, params={"cursor": character * 32})).status_code == 200
    for wrong in ("x", "A" * 31, "A" * 33, *("A" * 31 + other for other in "=+é"), "2026-03-01T12:00:00Z"):
        assert refusal(await service.pro.get(PATH, params={"cursor": wrong})) == VALIDATION_ERROR


@claim("list.400.validation_error")
async def list_refuses_wrong_query(service: Service) -> None:
    for name, value in (
        ("cursor", "x"),
        ("folder", "nosuch"),
        *(("limit", each) for each in ("1.5", "ten", "1e2", " 1", "0x10", "٣", "null")),
    ):
        response = await service.pro.get(PATH, params={name: value})
        assert refusal(response) == VALIDATION_ERROR
        assert name in response.json()["error"]["message"]


# Getting


@claim("get.200")
async def gets(service: Service) -> None:
    document = await created(service, title="A", content="# A\n\n*b*")
    assert (document["title"], document["content"], document["word_count"]) == ("A", "# A\n\n*b*", 2)


@claim("get.304")
async def known_document_is_not_sent(service: Service) -> None:
    url = f"{PATH}/{await create(service.pro)}"
    tag = (await service.pro.get(url)).headers["etag"]
    for known in (tag, f"W/{tag}", f'"0", {tag}', "*"):
        response = await service.pro.get(url, headers={"If-None-Match": known})
        assert (response.status_code, response.content, response.headers["etag"]) == (304, b"", tag)
    for method, path in (("PATCH", url), ("POST", f"{url}/publish"), ("DELETE", f"{url}/publish")):
        await service.pro.request(method, path, json={"title": "T"} if method == "PATCH" else None)
        response = await service.pro.get(url, headers={"If-None-Match": tag})
        assert response.status_code == 200
        tag = response.headers["etag"]


# Updating


@claim("update.200")
async def updates(service: Service) -> None:
    document = await created(service, title="Old", content="text")
    response = await update(service.pro, document["id"], title="New")
    assert set(response) == {"id", "title", "template_id", "theme_mode", "page_width", "updated_at", "notices"}
    assert (response["id"], response["title"]) == (document["id"], "New")


@claim("update.body")
async def only_sent_fields_change(service: Service) -> None:
    document = await published(service, title="Old", content="old")
    for field, value in (
        ("title", "New"),
        ("content", "new"),
        ("template_id", "mono"),
        ("theme_mode", "dark"),
        ("description", "D"),
        ("folder", "Work"),
        ("page_width", "full"),
        ("slug", "kitchen"),
        ("visibility", "public"),
        ("show_source", True),
        ("offer_pdf", True),
    ):
        before = await get(service.pro, document["id"])
        await update(service.pro, document["id"], **{field: value})
        after = await get(service.pro, document["id"])
        assert {**after, "updated_at": ""} == {**before, field: value, "updated_at": ""}


@claim("update.body.unpublished")
async def options_are_set_before_publishing(service: Service) -> None:
    document_id = await create(service.pro)
    page_options = {"visibility": "public", "page_width": "wide", "description": "D"}
    await update(service.pro, document_id, slug="kitchen", hide_badge=True, **page_options)
    assert (await get(service.pro, document_id))["slug"] is None
    response = await service.pro.post(f"{PATH}/publish", json={"content": "x", "slug": "kitchen"})
    assert refusal(response) == (409, "conflict")
    url = (await publish(service.pro, document_id))["published_url"]
    page = await service.pro.get(url)
    assert url.endswith("/kitchen")
    assert "x-robots-tag" not in page.headers
    assert "Published with" not in page.text
    document = await get(service.pro, document_id)
    assert {name: document[name] for name in page_options} == page_options


@claim("update.live")
async def live_page_changes(service: Service) -> None:
    response = await publish_new(service.pro, "old", title="Old")
    await update(service.pro, response["id"], content="new", title="New", template_id="mono", theme_mode="dark")
    page = (await service.pro.get(response["published_url"])).text
    for shown in ("<p>new</p>", "<title>New</title>", "mdpublish-mono-dark"):
        assert shown in page
    await update(service.pro, response["id"], slug="kitchen", visibility="public", hide_badge=True, description="D")
    moved = await redirect_from(service.anyone, response["published_url"])
    assert moved.endswith("/u/pro-user/kitchen")
    page_response = await service.anyone.get(moved)
    assert "x-robots-tag" not in page_response.headers
    assert f'<link rel="canonical" href="{moved}" />' in page_response.text
    assert '<meta name="description" content="D" />' in page_response.text
    assert "Published with" not in page_response.text


@claim("update.409.conflict")
async def update_takes_no_slug_twice(service: Service) -> None:
    await publish_new(service.pro, slug="garden")
    for document in (await created(service, content="old"), await published(service, content="old")):
        response = await service.pro.patch(f"{PATH}/{document['id']}", json={"slug": "garden", "content": "new"})
        assert refusal(response) == (409, "conflict")
        assert await get(service.pro, document["id"]) == document


@claim("update.500.render_error")
async def rendering_of_update_fails(service: Service) -> None:
    service.configure(is_fragile=True)
    response = await publish_new(service.pro, "old")
    before, count = await get(service.pro, response["id"]), await used(service.pro)
    page = (await service.pro.get(response["published_url"])).content
    for content in ("raise:secret", "crash:"):
        failed = await service.pro.patch(f"{PATH}/{response['id']}", json={"content": content, "title": "New"})
        assert failure(failed) == (500, "render_error")
        assert await get(service.pro, response["id"]) == before
        assert (await service.pro.get(response["published_url"])).content == page
    assert await used(service.pro) == count


# Deleting


@claim("delete.200")
async def deletes(service: Service) -> None:
    document_id = await create(service.pro)
    response = await service.pro.delete(f"{PATH}/{document_id}")
    assert (response.status_code, response.json()) == (200, {"success": True})
    for method in ("PATCH", "DELETE"):
        assert refusal(await service.pro.request(method, f"{PATH}/{document_id}")) == (404, "not_found")
