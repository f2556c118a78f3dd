"""Publishing and unpublishing documents."""

import re
from datetime import datetime
from typing import Any
from uuid import UUID

from tests.contract.claims import claim
from tests.contract.requests import created, failure, published
from tests.contract.service import Service
from tests.server.api_requests import create, delete, get, publish, publish_new, refusal, update, used

CREATE_AND_PUBLISH = "/v1/documents/publish"
VALIDATION_ERROR = (400, "validation_error")
FIELDS = {
    *("id", "title", "published_url", "published_at", "template_id", "word_count", "reading_time_minutes", "notices"),
}
PRO_OPTIONS: tuple[dict[str, Any], ...] = (
    *({"slug": "garden"}, {"hide_badge": True}, {"visibility": "public"}),
    *({"visibility": "specific"}, {"readers": ["a@example.org"]}),
)


def publish_path(document_id: str) -> str:
    return f"/v1/documents/{document_id}/publish"


@claim("create-and-publish.201")
async def creates_and_publishes(service: Service) -> None:
    response = await service.free.post(CREATE_AND_PUBLISH, json={"content": "# A b", "title": "Garden"})
    assert response.status_code == 201
    page = response.json()
    assert set(page) == FIELDS
    assert str(UUID(page["id"])) == page["id"]
    assert (page["title"], page["template_id"], page["word_count"]) == ("Garden", "swiss", 2)
    assert datetime.fromisoformat(page["published_at"]) == service.clock.now


@claim("create-and-publish.body.content")
async def content_is_required(service: Service) -> None:
    for body in ({}, {"content": ""}, {"content": None}, {"content": 1}):
        assert refusal(await service.free.post(CREATE_AND_PUBLISH, json=body)) == VALIDATION_ERROR
    await publish_new(service.free, " ")


@claim("create-and-publish.body.defaults")
async def new_page_has_defaults(service: Service) -> None:
    document = await get(service.pro, (await publish_new(service.pro, "x"))["id"])
    expected = {
        "title": "Untitled",
        "template_id": "swiss",
        "theme_mode": "light",
        "description": None,
        "visibility": "link",
        "page_width": "standard",
        "show_source": False,
        "offer_pdf": False,
    }
    assert {name: document[name] for name in expected} == expected


@claim("create-and-publish.body.options")
async def new_page_has_options(service: Service) -> None:
    chosen = {
        "title": "A",
        "template_id": "nord",
        "theme_mode": "dark",
        "slug": "garden",
        "description": "D",
        "folder": "Work",
        "visibility": "public",
        "page_width": "full",
        "show_source": True,
        "offer_pdf": True,
    }
    published = await publish_new(service.pro, "x", **chosen, hide_badge=True)
    document = await get(service.pro, published["id"])
    assert {name: document[name] for name in chosen} == chosen
    assert "Published with" not in (await service.anyone.get(published["published_url"])).text


@claim("create-and-publish.403.quota_exceeded")
async def create_and_publish_keeps_the_document_limit(service: Service) -> None:
    for _ in range(3):
        await publish_new(service.free)
    for limit in ("3 documents", "3 published pages"):
        response = await service.free.post(CREATE_AND_PUBLISH, json={"content": "x"})
        assert refusal(response) == (403, "quota_exceeded")
        assert limit in response.json()["error"]["message"]
        service.configure({"MDPUBLISH_FREE_DOCUMENTS": "9"})


@claim("create-and-publish.409.conflict")
async def create_and_publish_takes_no_slug_twice(service: Service) -> None:
    await publish_new(service.pro, slug="garden")
    response = await service.pro.post(CREATE_AND_PUBLISH, json={"content": "x", "slug": "garden"})
    assert refusal(response) == (409, "conflict")
    assert "'garden'" in response.json()["error"]["message"]
    assert len((await service.pro.get("/v1/documents")).json()["data"]) == 1


@claim("create-and-publish.500.render_error")
async def rendering_of_new_page_fails(service: Service) -> None:
    service.configure(is_fragile=True)
    for content in ("raise:secret", "crash:"):
        body = {"content": content, "title": "Garden", "slug": "kitchen"}
        assert failure(await service.pro.post(CREATE_AND_PUBLISH, json=body)) == (500, "render_error")
    assert (await service.pro.get("/v1/documents")).json()["data"] == []
    assert (await service.pro.get("/v1/usage")).json()["used"] == 0
    # Nor is the slug taken.
    await publish_new(service.pro, slug="kitchen")
    assert (await publish_new(service.pro, title="Garden"))["published_url"].endswith("/garden")


@claim("publish.200")
async def publishes(service: Service) -> None:
    document_id = await create(service.free, content="# A b", title="Garden")
    published = await publish(service.free, document_id)
    assert set(published) == FIELDS
    assert (published["id"], published["title"], published["word_count"]) == (document_id, "Garden", 2)
    assert published["reading_time_minutes"] == 1


@claim("publish.notices")
async def publishing_returns_notices(service: Service) -> None:
    published = await publish_new(service.pro, "[a](javascript:b)")
    updated = await update(service.pro, published["id"], content="[c](javascript:d)")
    for response in (published, updated, await publish(service.pro, published["id"])):
        assert [notice["code"] for notice in response["notices"]] == ["unsafe-link"]
    unpublished = await create(service.pro)
    assert (await update(service.pro, unpublished, content="[a](javascript:b)"))["notices"] == []


@claim("publish.reading-time")
async def reading_takes_minutes(service: Service) -> None:
    document_id = await create(service.pro)
    for words, minutes in ((0, 1), (1, 1), (200, 1), (201, 2), (400, 2), (401, 3), (2_001, 11)):
        await update(service.pro, document_id, content="word " * words)
        published = await publish(service.pro, document_id)
        assert (published["word_count"], published["reading_time_minutes"]) == (words, minutes)


@claim("publish.body.defaults")
async def page_has_defaults(service: Service) -> None:
    document_id = await create(service.pro, title="Garden day")
    url = (await publish(service.pro, document_id))["published_url"]
    document = await get(service.pro, document_id)
    assert (document["slug"], document["visibility"], document["page_width"]) == ("garden-day", "link", "standard")
    assert (document["description"], document["show_source"]) == (None, False)
    assert "Published with" in (await service.anyone.get(url)).text


@claim("publish.body.slug")
async def slug_is_chosen(service: Service) -> None:
    document_id = await create(service.pro)
    assert (await publish(service.pro, document_id, slug="garden"))["published_url"].endswith("/u/pro-user/garden")
    assert (await get(service.pro, document_id))["slug"] == "garden"


@claim("publish.body.description")
async def description_is_in_the_page(service: Service) -> None:
    document_id = await create(service.pro, content="x")
    url = (await publish(service.pro, document_id, description='Say "x"'))["published_url"]
    assert '<meta name="description" content="Say &quot;x&quot;" />' in (await service.anyone.get(url)).text
    response = await service.pro.post(publish_path(document_id), json={"description": "x" * 501})
    assert refusal(response) == VALIDATION_ERROR


@claim("publish.body.hide_badge")
async def badge_is_hidden(service: Service) -> None:
    document_id = await create(service.pro, content="x")
    for hide_badge in (False, True, False):
        url = (await publish(service.pro, document_id, hide_badge=hide_badge))["published_url"]
        for content in ("x", "y"):
            await update(service.pro, document_id, content=content)
            assert ("Published with" in (await service.anyone.get(url)).text) is not hide_badge


@claim("publish.body.visibility")
async def visibility_is_chosen(service: Service) -> None:
    document_id = await create(service.pro, content="x")
    for visibility in ("public", "link"):
        url = (await publish(service.pro, document_id, visibility=visibility))["published_url"]
        assert (await get(service.pro, document_id))["visibility"] == visibility
        assert ("x-robots-tag" in (await service.anyone.get(url)).headers) is (visibility == "link")
    await publish(service.pro, document_id, visibility="specific")
    response = await service.pro.post(publish_path(document_id), json={"visibility": "private"})
    assert refusal(response) == VALIDATION_ERROR


@claim("publish.body.page_width")
async def page_width_is_chosen(service: Service) -> None:
    document_id = await create(service.pro, content="x")
    styles = set()
    for width in ("standard", "wide", "full"):
        url = (await publish(service.pro, document_id, page_width=width))["published_url"]
        assert (await get(service.pro, document_id))["page_width"] == width
        styles.update(re.findall("<style>(.*?)</style>", (await service.anyone.get(url)).text, re.DOTALL))
    assert len(styles) == 3
    response = await service.pro.post(publish_path(document_id), json={"page_width": "narrow"})
    assert refusal(response) == VALIDATION_ERROR


@claim("publish.body.show_source")
async def source_is_chosen(service: Service) -> None:
    document_id = await create(service.pro, content="x")
    for show_source, status in ((True, 200), (False, 404)):
        url = (await publish(service.pro, document_id, show_source=show_source))["published_url"]
        assert (await service.anyone.get(f"{url}.md")).status_code == status


@claim("publish.body.offer_pdf")
async def pdf_is_chosen(service: Service) -> None:
    document_id = await create(service.pro, content="x")
    for offer_pdf, status in ((True, 200), (False, 404)):
        url = (await publish(service.pro, document_id, offer_pdf=offer_pdf))["published_url"]
        assert (await service.anyone.get(f"{url}.pdf")).status_code == status


@claim("publish.409.conflict")
async def publish_takes_no_slug_twice(service: Service) -> None:
    await publish_new(service.pro, slug="garden")
    for document in (await created(service), await published(service, slug="kitchen")):
        response = await service.pro.post(publish_path(document["id"]), json={"slug": "garden"})
        assert refusal(response) == (409, "conflict")
        assert await get(service.pro, document["id"]) == document


@claim("publish.500.render_error")
async def rendering_fails(service: Service) -> None:
    options = {"slug": "kitchen", "visibility": "public", "description": "D", "page_width": "full"}
    for content in ("raise:secret", "crash:"):
        new, old = await created(service, content=content), await published(service, content=content, slug="garden")
        page, count = (await service.anyone.get("/u/pro-user/garden")).content, await used(service.pro)
        service.configure(is_fragile=True)
        for document in (new, old):
            response = await service.pro.post(publish_path(document["id"]), json=options)
            assert failure(response) == (500, "render_error")
            assert await get(service.pro, document["id"]) == document
        assert await used(service.pro) == count
        assert (await service.anyone.get("/u/pro-user/garden")).content == page
        assert (await service.anyone.get("/u/pro-user/kitchen")).status_code == 404
        # The slug is not taken.
        await delete(service.pro, (await publish_new(service.pro, slug="kitchen"))["id"])
        await delete(service.pro, old["id"])
        service.configure()


@claim("unpublish.200")
async def unpublishes(service: Service) -> None:
    once = (await publish_new(service.pro))["id"]
    for document_id in (once, once, await create(service.pro)):
        response = await service.pro.delete(publish_path(document_id))
        assert (response.status_code, response.json()) == (200, {"id": document_id, "is_published": False})
