"""What happens when a paid plan ends."""

from datetime import timedelta
from typing import Any

import httpx

from tests.contract.claims import claim
from tests.contract.service import Service
from tests.server import api_requests
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

DOCUMENTS = "/v1/documents"
FORBIDDEN = (403, "forbidden")
BADGE = "Published with"


async def seven(service: Service) -> list[str]:
    """Return the ids of documents of an account that is Free by now, oldest first; two are read-only."""
    ids = [(await publish_new(service.pro, "x"))["id"] for _ in range(7)]
    service.put_on("free")
    return ids


async def both_refuse(client: httpx.AsyncClient, document_id: str) -> None:
    """Assert that a document is read-only."""
    before = await get(client, document_id)
    for method, path in (("PATCH", ""), ("POST", "/publish")):
        response = await client.request(method, f"{DOCUMENTS}/{document_id}{path}", json={})
        assert refusal(response) == FORBIDDEN
        assert "read-only" in response.json()["error"]["message"]
    assert await get(client, document_id) == before


@claim("state.plan.ended")
async def plan_ends(service: Service) -> None:
    _ = service.pro
    end = service.clock.now + timedelta(days=30)
    service.put_on("pro", until=end)
    body = {"markdown": "x", "template_id": "nord"}
    service.clock.set(end - timedelta(microseconds=1))
    assert (await service.pro.post("/v1/convert", json=body)).status_code == 200
    service.clock.set(end)
    assert (await service.pro.get("/v1/usage")).json()["tier"] == "free"
    assert refusal(await service.pro.post("/v1/convert", json=body)) == FORBIDDEN


@claim("state.plan.documents")
async def documents_stay(service: Service) -> None:
    ids = await seven(service)
    listed = (await service.pro.get(DOCUMENTS)).json()["data"]
    assert {document["id"] for document in listed} == set(ids)


@claim("state.plan.editable")
async def five_stay_editable(service: Service) -> None:
    ids = [await create(service.pro) for _ in range(7)]
    await update(service.pro, ids[0], title="edited last")
    service.put_on("free")
    for document_id in (ids[0], *ids[3:]):
        await update(service.pro, document_id, title="x")
    service.clock.advance(seconds=1)
    for document_id in ids[1:3]:
        assert refusal(await service.pro.patch(f"{DOCUMENTS}/{document_id}", json={})) == FORBIDDEN


@claim("state.plan.editable.publish")
async def publishing_is_no_edit(service: Service) -> None:
    ids = [(await publish_new(service.pro))["id"] for _ in range(6)]
    await publish(service.pro, ids[0])
    service.put_on("free")
    assert refusal(await service.pro.patch(f"{DOCUMENTS}/{ids[0]}", json={})) == FORBIDDEN


@claim("state.plan.read-only")
async def rest_is_read_only(service: Service) -> None:
    ids = await seven(service)
    for document_id in ids[:2]:
        await both_refuse(service.pro, document_id)


@claim("state.plan.read-only.allowed")
async def read_only_document_is_read_and_deleted(service: Service) -> None:
    oldest = (await seven(service))[0]
    assert (await get(service.pro, oldest))["content"] == "x"
    await unpublish(service.pro, oldest)
    await delete(service.pro, oldest)


@claim("state.plan.read-only.deletion")
async def deletion_makes_another_editable(service: Service) -> None:
    ids = await seven(service)
    await both_refuse(service.pro, ids[1])
    await delete(service.pro, ids[6])
    await update(service.pro, ids[1], title="x")


@claim("state.plan.read-only.upgrade")
async def upgrade_makes_all_editable(service: Service) -> None:
    ids = await seven(service)
    await both_refuse(service.pro, ids[0])
    service.put_on("pro")
    await update(service.pro, ids[0], title="x")


@claim("state.plan.pages")
async def pages_stay(service: Service) -> None:
    urls = [(await publish_new(service.pro))["published_url"] for _ in range(7)]
    service.put_on("free")
    for url in urls:
        assert (await service.anyone.get(url)).status_code == 200


@claim("state.plan.badge")
async def badge_is_back(service: Service) -> None:
    url = (await publish_new(service.pro, hide_badge=True))["published_url"]
    end = service.clock.now + timedelta(days=30)
    service.put_on("pro", until=end)
    service.clock.set(end - timedelta(microseconds=1))
    assert BADGE not in (await service.anyone.get(url)).text
    hidden = await service.anyone.get(url)
    service.clock.set(end)
    shown = await service.anyone.get(url, headers={"If-None-Match": hidden.headers["etag"]})
    assert BADGE in shown.text
    service.put_on("pro")
    assert (await service.anyone.get(url)).text == hidden.text


@claim("state.plan.stored")
async def stored_values_survive(service: Service) -> None:
    chosen = {"template_id": "nord", "visibility": "public", "slug": "garden"}
    published = await publish_new(service.pro, **chosen)
    service.put_on("free")
    await update(service.pro, published["id"], content="new")
    assert (await publish(service.pro, published["id"]))["published_url"] == published["published_url"]
    document = await get(service.pro, published["id"])
    assert {name: document[name] for name in chosen} == chosen
    page = await service.anyone.get(published["published_url"])
    assert "x-robots-tag" not in page.headers
    assert "<p>new</p>" in page.text
    assert "mdpublish-nord" in page.text


@claim("state.plan.stored.sent")
async def stored_value_needs_no_plan(service: Service) -> None:
    chosen: dict[str, Any] = {"visibility": "public", "slug": "garden", "hide_badge": True}
    published = await publish_new(service.pro, template_id="nord", **chosen)
    service.put_on("free")
    url = f"{DOCUMENTS}/{published['id']}"
    await update(service.pro, published["id"], template_id="nord", **chosen)
    await publish(service.pro, published["id"], **chosen)
    assert refusal(await service.pro.patch(url, json={"template_id": "dracula"})) == FORBIDDEN
    assert refusal(await service.pro.post(f"{url}/publish", json={"slug": "kitchen"})) == FORBIDDEN
    await publish(service.pro, published["id"], visibility="link")
    assert refusal(await service.pro.post(f"{url}/publish", json={"visibility": "public"})) == FORBIDDEN


@claim("state.plan.limits")
async def nothing_more_is_created(service: Service) -> None:
    ids = [(await publish_new(service.pro))["id"] for _ in range(4)]
    unpublished = await create(service.pro)
    service.put_on("free")
    demo = await publish_demo(service.anyone)
    assert refusal(await service.pro.post(DOCUMENTS, json={})) == FORBIDDEN
    response = await service.pro.post(f"{DOCUMENTS}/publish", json={"content": "x"})
    assert refusal(response) == (403, "quota_exceeded")
    assert refusal(await api_requests.claim(service.pro, demo["claim_token"])) == (403, "quota_exceeded")
    response = await service.pro.post(f"{DOCUMENTS}/{unpublished}/publish")
    assert refusal(response) == (403, "quota_exceeded")
    for document_id in ids:
        await publish(service.pro, document_id)
    for document_id in ids[:2]:
        await delete(service.pro, document_id)
        assert refusal(await service.pro.post(DOCUMENTS, json={})) == FORBIDDEN
    await delete(service.pro, ids[2])
    await create(service.pro)
