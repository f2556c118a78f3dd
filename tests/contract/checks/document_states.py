"""What becomes of a document when it is published, changed, unpublished and deleted."""

from tests.contract.claims import claim
from tests.contract.requests import created
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


@claim("state.document.created", "page.unpublished")
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
    options = {"slug": "garden", "description": "D", "visibility": "public", "page_width": "wide"}
    first = await publish(service.pro, document_id, **options, hide_badge=True)
    document, page = await get(service.pro, document_id), await service.anyone.get(first["published_url"])
    assert await publish(service.pro, document_id) == first
    assert await get(service.pro, document_id) == document
    assert (await service.anyone.get(first["published_url"])).text == page.text
    for change in ({"description": "Other"}, {"description": None}, {"visibility": "link"}, {"page_width": "full"}):
        await publish(service.pro, document_id, **change)
        document = {**document, **change, "updated_at": ""}
        assert {**await get(service.pro, document_id), "updated_at": ""} == document


@claim("state.document.updated")
async def published_document_is_updated(service: Service) -> None:
    response = await publish_new(service.pro, "old")
    await update(service.pro, response["id"], content="new")
    assert (await get(service.pro, response["id"]))["is_published"] is True
    assert "<p>new</p>" in (await service.anyone.get(response["published_url"])).text


@claim("state.document.unpublished")
async def document_is_unpublished(service: Service) -> None:
    response = await publish_new(service.pro, "text", title="Garden", description="D", slug="page")
    before = await get(service.pro, response["id"])
    await unpublish(service.pro, response["id"])
    after = await get(service.pro, response["id"])
    assert after == {**before, "is_published": False, "slug": None, "published_at": None}
    await update(service.pro, response["id"], content="new")
    gone = await service.anyone.get(response["published_url"])
    assert gone.status_code == 404
    assert "Garden" not in gone.text


@claim("state.document.published-again")
async def unpublished_document_is_republished(service: Service) -> None:
    first = await publish_new(service.pro, "text", slug="garden", hide_badge=True, visibility="public")
    page = (await service.anyone.get(first["published_url"])).text
    await unpublish(service.pro, first["id"])
    taken = await service.pro.post(f"{PATH}/publish", json={"content": "x", "slug": "garden"})
    assert refusal(taken) == (409, "conflict")
    second = await publish(service.pro, first["id"])
    assert second["published_url"] == first["published_url"]
    assert second["published_at"] > first["published_at"]
    assert (await service.anyone.get(first["published_url"])).text == page


@claim("state.document.deleted")
async def document_is_deleted(service: Service) -> None:
    document_id = await create(service.pro)
    await delete(service.pro, document_id)
    assert (await service.pro.get(PATH)).json()["data"] == []
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
    options = {"slug": "garden", "hide_badge": True, "visibility": "public", "description": "mine"}
    for method, path, body in (
        ("PATCH", "", {"title": "mine", "content": "mine"}),
        ("PATCH", "", {"template_id": "nord"}),
        ("DELETE", "", None),
        ("POST", "/publish", {}),
        ("POST", "/publish", options),
        ("DELETE", "/publish", None),
    ):
        response = await service.free.request(method, f"{PATH}/{demo['id']}{path}", json=body)
        assert refusal(response) == (404, "not_found")
    assert await get(service.pro, demo["id"]) == before
