"""Documents: their fields, and creating, listing, getting, updating and deleting them."""

from typing import Any
from uuid import UUID

import httpx

from tests.contract.claims import claim
from tests.contract.service import Service
from tests.server.api_requests import (
    claim as claim_demo,
)
from tests.server.api_requests import (
    create,
    delete,
    get,
    publish,
    publish_demo,
    publish_new,
    refusal,
    unpublish,
    update,
)

PATH = "/v1/documents"
VALIDATION_ERROR = (400, "validation_error")
SUMMARY = {
    *("id", "title", "template_id", "theme_mode", "is_published", "slug", "page_width", "word_count"),
    *("created_at", "updated_at"),
}
FULL = SUMMARY | {"content", "published_at", "description", "visibility", "show_source"}
FRONT_MATTER = (
    "---\ntitle: Garden day\ndescription: About it\nlang: de-CH\ntemplate: paper\ntheme_mode: dark\npage_width: wide\n"
    "slug: garden-2026\nauthor: Me\n---\n\nTwo words\n"
)


async def both_refuse(service: Service, **field: object) -> None:
    """Assert that neither creating nor updating a document takes a value."""
    document_id = await create(service.pro)
    for response in (
        await service.pro.post(PATH, json=field),
        await service.pro.patch(f"{PATH}/{document_id}", json=field),
    ):
        assert refusal(response) == VALIDATION_ERROR


async def created(service: Service, **fields: Any) -> dict[str, Any]:
    return await get(service.pro, await create(service.pro, **fields))


async def published(service: Service, **fields: Any) -> dict[str, Any]:
    return await get(service.pro, (await publish_new(service.pro, **fields))["id"])


# Fields


@claim("document.fields")
async def fields(service: Service) -> None:
    assert set(await created(service)) == FULL


@claim("document.id")
async def document_id_is_uuid(service: Service) -> None:
    document = await created(service)
    assert str(UUID(document["id"])) == document["id"]


@claim("document.title")
async def title(service: Service) -> None:
    assert (await created(service))["title"] == "Untitled"
    assert (await created(service, title="Garden"))["title"] == "Garden"


@claim("document.title.cleaned")
async def title_is_cleaned(service: Service) -> None:
    for sent, stored in (("  ends \u00a0\n", "ends"), ("a\tb\0c\x7f", "abc"), ("", "Untitled"), (" \n ", "Untitled")):
        document = await created(service, title=sent)
        assert document["title"] == stored
        assert (await update(service.pro, document["id"], title=sent))["title"] == stored


@claim("document.title.length")
async def title_is_bounded(service: Service) -> None:
    assert (await created(service, title="é" * 200))["title"] == "é" * 200
    await both_refuse(service, title="x" * 201)


@claim("document.content")
async def content(service: Service) -> None:
    assert (await created(service))["content"] == ""
    assert (await created(service, content="# A\r\n\tb  \n"))["content"] == "# A\r\n\tb  \n"


@claim("document.content.size")
async def content_is_bounded(service: Service) -> None:
    assert len((await created(service, content="é" * 500_000))["content"]) == 500_000
    await both_refuse(service, content="é" * 500_001)


@claim("document.template_id")
async def template_id(service: Service) -> None:
    assert (await created(service))["template_id"] == "swiss"
    assert (await created(service, template_id="mono"))["template_id"] == "mono"
    await both_refuse(service, template_id="nosuch")


@claim("document.theme_mode")
async def theme_mode(service: Service) -> None:
    assert (await created(service))["theme_mode"] == "light"
    for mode in ("light", "dark"):
        assert (await created(service, theme_mode=mode))["theme_mode"] == mode
    await both_refuse(service, theme_mode="sepia")


@claim("document.is_published")
async def is_published(service: Service) -> None:
    document = await created(service)
    assert document["is_published"] is False
    await publish(service.pro, document["id"])
    assert (await get(service.pro, document["id"]))["is_published"] is True


@claim("document.slug")
async def slug(service: Service) -> None:
    document = await created(service, title="Garden")
    assert document["slug"] is None
    await publish(service.pro, document["id"])
    assert (await get(service.pro, document["id"]))["slug"] == "garden"


@claim("document.published_at")
async def published_at(service: Service) -> None:
    document = await created(service)
    assert document["published_at"] is None
    response = await publish(service.pro, document["id"])
    assert (await get(service.pro, document["id"]))["published_at"] == response["published_at"] > document["created_at"]


@claim("document.published_at.kept")
async def published_at_stays(service: Service) -> None:
    document = await published(service)
    await publish(service.pro, document["id"])
    await update(service.pro, document["id"], content="new")
    assert (await get(service.pro, document["id"]))["published_at"] == document["published_at"]


@claim("document.description")
async def description(service: Service) -> None:
    assert (await created(service))["description"] is None
    assert (await created(service, description=" What\nwe plant "))["description"] == "What we plant"


@claim("document.description.cleared")
async def description_is_cleared(service: Service) -> None:
    for nothing in (None, "", " \n"):
        document = await created(service, description="D")
        await update(service.pro, document["id"], title="T")
        assert (await get(service.pro, document["id"]))["description"] == "D"
        await update(service.pro, document["id"], description=nothing)
        assert (await get(service.pro, document["id"]))["description"] is None


@claim("document.description.length")
async def description_is_bounded(service: Service) -> None:
    assert (await created(service, description="x" * 500))["description"] == "x" * 500
    await both_refuse(service, description="x" * 501)


@claim("document.page_width")
async def page_width(service: Service) -> None:
    document = await created(service)
    assert document["page_width"] is None
    for width in ("standard", "wide", "full"):
        assert (await update(service.pro, document["id"], page_width=width))["page_width"] == width
    await both_refuse(service, page_width="narrow")


@claim("document.visibility")
async def visibility(service: Service) -> None:
    document = await created(service)
    assert document["visibility"] is None
    for sent, stored in (({}, "link"), ({"visibility": "public"}, "public"), ({"visibility": "link"}, "link")):
        await publish(service.pro, document["id"], **sent)
        assert (await get(service.pro, document["id"]))["visibility"] == stored


@claim("document.show_source")
async def show_source(service: Service) -> None:
    document = await created(service)
    assert document["show_source"] is False
    await update(service.pro, document["id"], show_source=True)
    assert (await get(service.pro, document["id"]))["show_source"] is True


@claim("document.word_count")
async def word_count(service: Service) -> None:
    document = await created(service, content="# One two\n\nthree")
    assert document["word_count"] == 3
    await update(service.pro, document["id"], content="")
    assert (await get(service.pro, document["id"]))["word_count"] == 0


@claim("document.word_count.words")
async def words(service: Service) -> None:
    for content, number in (
        ("a [link](https://example.org/long/path) *b*", 3),
        ("one\n\n---\n\ntwo", 2),
        ("日本語", 3),
        ("カナ と", 3),
        ("- [x] done", 1),
    ):
        assert (await created(service, content=content))["word_count"] == number


@claim("document.created_at")
async def created_at(service: Service) -> None:
    document = await created(service)
    assert document["created_at"] == document["updated_at"]
    await update(service.pro, document["id"], title="T")
    await publish(service.pro, document["id"])
    assert (await get(service.pro, document["id"]))["created_at"] == document["created_at"]


@claim("document.updated_at")
async def updated_at(service: Service) -> None:
    document = await created(service)
    response = await update(service.pro, document["id"], title="T")
    assert (await get(service.pro, document["id"]))["updated_at"] == response["updated_at"] > document["updated_at"]


@claim("document.updated_at.publish")
async def updated_at_of_published(service: Service) -> None:
    document = await created(service, description="D", page_width="wide")
    for _ in range(2):
        await publish(service.pro, document["id"])
    published = await get(service.pro, document["id"])
    for option in ({"description": "E"}, {"page_width": "full"}, {"visibility": "public"}):
        before = (await get(service.pro, document["id"]))["updated_at"]
        await publish(service.pro, document["id"], **option)
        assert (await get(service.pro, document["id"]))["updated_at"] > before
    before = (await get(service.pro, document["id"]))["updated_at"]
    await publish(service.pro, document["id"])
    await unpublish(service.pro, document["id"])
    assert (await get(service.pro, document["id"]))["updated_at"] == before
    # The first publishing gave the document its visibility.
    assert published["updated_at"] >= document["updated_at"]


@claim("document.updated_at.unique")
async def updated_at_is_unique(service: Service) -> None:
    service.clock.stop()
    times = [(await created(service))["updated_at"] for _ in range(5)]
    assert times == sorted(set(times))


@claim("document.summary")
async def summary(service: Service) -> None:
    document = await published(service, title="Garden")
    (item,) = (await service.pro.get(PATH)).json()["data"]
    assert set(item) == SUMMARY
    assert item == {name: document[name] for name in SUMMARY}


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
    document = await created(service, **chosen, description="D", page_width="full")
    assert {name: document[name] for name in chosen} == chosen
    assert (document["description"], document["page_width"]) == ("D", "full")


@claim("create.400.validation_error")
async def create_refuses_wrong_field(service: Service) -> None:
    for body in ({"title": 1}, {"title": "x" * 201}, {"template_id": "nosuch"}, {"theme_mode": "sepia"}):
        assert refusal(await service.free.post(PATH, json=body)) == VALIDATION_ERROR
    assert (await service.free.get(PATH)).json()["data"] == []
    assert refusal(await service.free.post(PATH, json={"page_width": "narrow"})) == VALIDATION_ERROR


@claim("create.403.forbidden")
async def create_needs_the_plan(service: Service) -> None:
    assert refusal(await service.free.post(PATH, json={"template_id": "nord"})) == (403, "forbidden")
    for _ in range(3):
        await create(service.free)
    assert refusal(await service.free.post(PATH, json={})) == (403, "forbidden")


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
    for limit, number in ((1, 1), (0, 1), (-5, 1), (100, 100), (101, 100), (10**9, 100)):
        assert len(await listed(service.pro, limit=limit)) == number


@claim("list.limit.empty")
async def empty_query_is_none(service: Service) -> None:
    await several(service, 21)
    assert len(await listed(service.pro, limit="", cursor="")) == 20


@claim("list.cursor")
async def cursor_continues(service: Service) -> None:
    ids = await several(service, 5)
    seen: list[str] = []
    query: dict[str, str | int] = {"limit": 2}
    has_more = True
    while has_more:
        page = (await service.pro.get(PATH, params=query)).json()
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
    assert (await service.pro.get(PATH, params={"cursor": "A" * 32})).status_code == 200
    for wrong in ("x", "A" * 31, "A" * 33, "2026-03-01T12:00:00Z"):
        assert refusal(await service.pro.get(PATH, params={"cursor": wrong})) == VALIDATION_ERROR


@claim("list.400.validation_error")
async def list_refuses_wrong_query(service: Service) -> None:
    for query in ({"cursor": "x"}, {"limit": "1.5"}, {"limit": "many"}):
        assert refusal(await service.pro.get(PATH, params=query)) == VALIDATION_ERROR


# Getting


@claim("get.200")
async def gets(service: Service) -> None:
    document = await created(service, title="A", content="# A\n\n*b*")
    assert (document["title"], document["content"], document["word_count"]) == ("A", "# A\n\n*b*", 2)


@claim("get.304")
async def known_document_is_not_sent(service: Service) -> None:
    url = f"{PATH}/{await create(service.pro)}"
    tag = (await service.pro.get(url)).headers["etag"]
    for known in (tag, f"W/{tag}", f'"0", {tag}'):
        response = await service.pro.get(url, headers={"If-None-Match": known})
        assert (response.status_code, response.content) == (304, b"")
    await service.pro.patch(url, json={})
    assert (await service.pro.get(url, headers={"If-None-Match": tag})).status_code == 200
    assert (await service.pro.get(url, headers={"If-None-Match": "*"})).status_code == 304


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
        ("page_width", "full"),
        ("slug", "kitchen"),
        ("visibility", "public"),
        ("show_source", True),
    ):
        before = await get(service.pro, document["id"])
        await update(service.pro, document["id"], **{field: value})
        after = await get(service.pro, document["id"])
        assert {**after, "updated_at": ""} == {**before, field: value, "updated_at": ""}


@claim("update.body.unpublished")
async def options_are_set_before_publishing(service: Service) -> None:
    document_id = await create(service.pro)
    await update(service.pro, document_id, slug="kitchen", visibility="public", hide_badge=True)
    assert (await get(service.pro, document_id))["slug"] is None
    response = await service.pro.post(f"{PATH}/publish", json={"content": "x", "slug": "kitchen"})
    assert refusal(response) == (409, "conflict")
    url = (await publish(service.pro, document_id))["published_url"]
    page = await service.pro.get(url)
    assert url.endswith("/kitchen")
    assert "x-robots-tag" not in page.headers
    assert "Published with" not in page.text


@claim("update.live")
async def live_page_changes(service: Service) -> None:
    response = await publish_new(service.pro, "old", title="Old")
    await update(service.pro, response["id"], content="new", title="New", template_id="mono", theme_mode="dark")
    page = (await service.pro.get(response["published_url"])).text
    for shown in ("<p>new</p>", "<title>New</title>", "mdpublish-mono-dark"):
        assert shown in page


@claim("update.400.validation_error")
async def update_refuses_wrong_field(service: Service) -> None:
    url = f"{PATH}/{await create(service.pro)}"
    for body in ({"title": None}, {"theme_mode": "sepia"}, {"template_id": "nosuch"}, {"slug": "A B"}):
        assert refusal(await service.pro.patch(url, json=body)) == VALIDATION_ERROR


@claim("update.403.forbidden")
async def update_needs_the_plan(service: Service) -> None:
    document_id = await create(service.free)
    for body in ({"template_id": "nord"}, {"slug": "garden"}, {"hide_badge": True}, {"visibility": "public"}):
        before = await get(service.free, document_id)
        assert refusal(await service.free.patch(f"{PATH}/{document_id}", json=body)) == (403, "forbidden")
        assert await get(service.free, document_id) == before
    assert refusal(await service.free.patch(f"{PATH}/{document_id}", json={"template_id": "nord"})) == (
        403,
        "forbidden",
    )


@claim("update.409.conflict")
async def update_takes_no_slug_twice(service: Service) -> None:
    await publish_new(service.pro, slug="garden")
    url = f"{PATH}/{await create(service.pro)}"
    assert refusal(await service.pro.patch(url, json={"slug": "garden"})) == (409, "conflict")


@claim("update.500.render_error")
async def rendering_of_update_fails(service: Service) -> None:
    service.configure(is_fragile=True)
    response = await publish_new(service.pro, "old")
    before = await get(service.pro, response["id"])
    failed = await service.pro.patch(f"{PATH}/{response['id']}", json={"content": "raise:secret"})
    assert refusal(failed) == (500, "render_error")
    assert await get(service.pro, response["id"]) == before
    assert "<p>old</p>" in (await service.pro.get(response["published_url"])).text


# Deleting


@claim("delete.200")
async def deletes(service: Service) -> None:
    document_id = await create(service.pro)
    response = await service.pro.delete(f"{PATH}/{document_id}")
    assert (response.status_code, response.json()) == (200, {"success": True})


# Front matter


@claim("front-matter.stored")
async def front_matter_is_stored(service: Service) -> None:
    document = await created(service, content=FRONT_MATTER)
    assert (document["content"], document["word_count"]) == (FRONT_MATTER, 2)
    response = await service.pro.post("/v1/convert", json={"markdown": FRONT_MATTER, "destination": "html"})
    assert response.json()["html"] == "<p>Two words</p>\n"


@claim("front-matter.defaults")
async def front_matter_sets_defaults(service: Service) -> None:
    expected = {
        "title": "Garden day",
        "description": "About it",
        "template_id": "paper",
        "theme_mode": "dark",
        "page_width": "wide",
    }
    for document in (
        await created(service, content=FRONT_MATTER),
        await published(service, content=FRONT_MATTER),
    ):
        assert {name: document[name] for name in expected} == expected
    assert document["slug"] == "garden-2026"
    demo = await publish_demo(service.anyone, FRONT_MATTER)
    assert "<title>Garden day</title>" in (await service.anyone.get(demo["url"])).text
    response = await service.pro.post("/v1/convert", json={"markdown": FRONT_MATTER})
    assert (response.json()["template_id"], response.json()["theme_mode"]) == ("paper", "dark")


@claim("front-matter.request-wins")
async def request_wins(service: Service) -> None:
    chosen = {"title": "Mine", "template_id": "mono", "theme_mode": "light", "page_width": "full"}
    document = await created(service, content=FRONT_MATTER, **chosen)
    assert {name: document[name] for name in chosen} == chosen


@claim("front-matter.update")
async def front_matter_of_update_sets_nothing(service: Service) -> None:
    document_id = await create(service.pro, title="Mine")
    await update(service.pro, document_id, content=FRONT_MATTER)
    await publish(service.pro, document_id)
    document = await get(service.pro, document_id)
    assert (document["title"], document["template_id"], document["page_width"]) == ("Mine", "swiss", "standard")


@claim("front-matter.invalid")
async def invalid_front_matter_is_a_notice(service: Service) -> None:
    for line in ("theme_mode: dim", "template: nord", "slug: A B", "title: " + "x" * 201):
        response = await service.free.post(f"{PATH}/publish", json={"content": f"---\n{line}\nunknown: x\n---\nText\n"})
        assert response.status_code == 201
        assert [notice["code"] for notice in response.json()["notices"]] == ["front-matter-ignored"]
        await delete(service.free, response.json()["id"])


@claim("front-matter.slug")
async def taken_slug_of_front_matter_is_replaced(service: Service) -> None:
    await publish_new(service.pro, slug="garden-2026")
    response = await publish_new(service.pro, FRONT_MATTER)
    assert not response["published_url"].endswith("/garden-2026")
    (notice,) = response["notices"]
    assert (notice["code"], "'garden-2026' is taken" in notice["message"]) == ("front-matter-ignored", True)


@claim("front-matter.other-block")
async def other_block_is_markdown(service: Service) -> None:
    document = await created(service, content="---\ntext\n---\n")
    assert (document["title"], document["word_count"]) == ("Untitled", 1)


@claim("front-matter.string")
async def front_matter_value_is_a_string(service: Service) -> None:
    response = await publish_new(service.pro, "---\ntitle: no\nlang: no\n---\nTekst\n")
    assert response["title"] == "no"
    assert '<html lang="no"' in (await service.pro.get(response["published_url"])).text


# States


@claim("state.document.created")
async def created_document_is_unpublished(service: Service) -> None:
    document = await created(service, title="Garden")
    assert (document["is_published"], document["slug"]) == (False, None)
    assert (await service.anyone.get("/u/pro-user/garden")).status_code == 404


@claim("state.document.created-and-published")
async def created_document_is_published_in_one_step(service: Service) -> None:
    response = await publish_new(service.pro, "text", title="Garden")
    assert (await get(service.pro, response["id"]))["is_published"] is True
    assert (await service.anyone.get(response["published_url"])).status_code == 200


@claim("state.document.published")
async def document_is_published(service: Service) -> None:
    document_id = await create(service.pro, content="text")
    response = await publish(service.pro, document_id)
    assert (await get(service.pro, document_id))["published_at"] == response["published_at"]
    assert "<p>text</p>" in (await service.anyone.get(response["published_url"])).text


@claim("state.document.republished")
async def document_is_republished(service: Service) -> None:
    document_id = await create(service.pro, content="text")
    first = await publish(service.pro, document_id, visibility="public")
    second = await publish(service.pro, document_id, page_width="full")
    assert second["published_url"] == first["published_url"]
    assert second["published_at"] == first["published_at"]
    document = await get(service.pro, document_id)
    assert (document["visibility"], document["page_width"]) == ("public", "full")


@claim("state.document.updated")
async def published_document_is_updated(service: Service) -> None:
    response = await publish_new(service.pro, "old")
    await update(service.pro, response["id"], content="new")
    assert (await get(service.pro, response["id"]))["is_published"] is True
    assert "<p>new</p>" in (await service.anyone.get(response["published_url"])).text


@claim("state.document.unpublished")
async def document_is_unpublished(service: Service) -> None:
    response = await publish_new(service.pro, "text", description="D")
    before = await get(service.pro, response["id"])
    await unpublish(service.pro, response["id"])
    after = await get(service.pro, response["id"])
    assert after == {**before, "is_published": False, "slug": None, "published_at": None}
    assert (await service.anyone.get(response["published_url"])).status_code == 404


@claim("state.document.published-again")
async def unpublished_document_is_republished(service: Service) -> None:
    first = await publish_new(service.pro, "text", slug="garden")
    await unpublish(service.pro, first["id"])
    taken = await service.pro.post(f"{PATH}/publish", json={"content": "x", "slug": "garden"})
    assert refusal(taken) == (409, "conflict")
    second = await publish(service.pro, first["id"])
    assert second["published_url"] == first["published_url"]
    assert second["published_at"] > first["published_at"]
    assert (await service.anyone.get(first["published_url"])).status_code == 200


@claim("state.document.deleted")
async def document_is_deleted(service: Service) -> None:
    document_id = await create(service.pro)
    await delete(service.pro, document_id)
    assert await listed(service.pro) == []
    assert refusal(await service.pro.get(f"{PATH}/{document_id}")) == (404, "not_found")


@claim("state.document.deleted-published")
async def published_document_is_deleted(service: Service) -> None:
    response = await publish_new(service.pro, slug="garden")
    await publish(service.pro, response["id"], slug="kitchen")
    await delete(service.pro, response["id"])
    for slug in ("garden", "kitchen"):
        assert (await service.anyone.get(f"/u/pro-user/{slug}")).status_code == 404
    # The slugs are free again.
    await publish_new(service.pro, slug="garden")


@claim("state.document.owner")
async def only_the_owner_changes_a_document(service: Service) -> None:
    demo = await publish_demo(service.anyone)
    assert (await claim_demo(service.pro, demo["claim_token"])).status_code == 200
    before = await get(service.pro, demo["id"])
    for method, path in (("PATCH", ""), ("DELETE", ""), ("POST", "/publish"), ("DELETE", "/publish")):
        response = await service.free.request(method, f"{PATH}/{demo['id']}{path}", json={})
        assert refusal(response) == (404, "not_found")
    assert await get(service.pro, demo["id"]) == before
