"""ETags of documents, and writes that name a revision."""

from tests.contract.claims import claim
from tests.contract.service import Service
from tests.server.api_requests import MISSING, create, get, refusal, update


@claim("etag.responses")
async def documents_have_tags(service: Service) -> None:
    created = await service.free.post("/v1/documents", json={"content": "x"})
    url = f"/v1/documents/{created.json()['id']}"
    response = created
    for method, path in (("PATCH", url), ("POST", f"{url}/publish"), ("POST", "/v1/documents/publish")):
        tag = (await service.free.get(f"/v1/documents/{response.json()['id']}")).headers["etag"]
        assert response.headers["etag"] == tag
        assert tag.startswith('"')
        response = await service.free.request(method, path, json={"content": "x"})
    tag = (await service.free.get(f"/v1/documents/{response.json()['id']}")).headers["etag"]
    assert response.headers["etag"] == tag


@claim("etag.revision")
async def tag_changes_with_the_revision(service: Service) -> None:
    document_id = await create(service.free, content="x")
    url, tags = f"/v1/documents/{document_id}", []
    for method, path in (("PATCH", url), ("POST", f"{url}/publish"), ("DELETE", f"{url}/publish")):
        await service.free.request(method, path)
        tags += [(await service.free.get(url)).headers["etag"] for _ in range(2)]
    assert tags[::2] == tags[1::2]
    assert len(set(tags)) == 3


@claim("etag.if-match")
async def write_names_its_revision(service: Service) -> None:
    document_id = await create(service.free, content="x")
    url = f"/v1/documents/{document_id}"
    stale = (await service.free.get(url)).headers["etag"]
    await update(service.free, document_id, title="New")
    before = await get(service.free, document_id)
    requests = (("PATCH", ""), ("POST", "/publish"), ("DELETE", "/publish"), ("DELETE", ""))
    for method, path in requests:
        for other in (stale, f"W/{stale}", "x", '"x"', '""', '"99999999999999999999"'):
            response = await service.free.request(method, f"{url}{path}", headers={"If-Match": other})
            assert refusal(response) == (412, "precondition_failed")
        response = await service.free.request(method, f"/v1/documents/{MISSING}{path}", headers={"If-Match": '"1"'})
        assert refusal(response) == (404, "not_found")
    assert await get(service.free, document_id) == before
    for method, path in requests:
        current = (await service.free.get(url)).headers["etag"]
        response = await service.free.request(method, f"{url}{path}", headers={"If-Match": current})
        assert response.status_code == 200


@claim("etag.if-match.any")
async def any_revision_may_be_named(service: Service) -> None:
    url = f"/v1/documents/{await create(service.free)}"
    for form in ("*", "W/{}", '"0", {}', 'W/"0" , W/{}'):
        tag = (await service.free.get(url)).headers["etag"]
        response = await service.free.patch(url, json={}, headers={"If-Match": form.format(tag)})
        assert response.status_code == 200


@claim("etag.none")
async def last_write_wins(service: Service) -> None:
    document_id = await create(service.free)
    for title in ("first", "second"):
        await update(service.free, document_id, title=title)
    assert (await get(service.free, document_id))["title"] == "second"
