"""Readers, passwords and ends of pages."""

from datetime import timedelta
from typing import Any

from tests.contract.claims import claim
from tests.contract.requests import created, published
from tests.contract.service import Service
from tests.server.api_requests import create, get, publish, publish_new, refusal, update

VALIDATION_ERROR = (400, "validation_error")
SECRET = "Zwetschgenkuchen"


def requests_to_publish(document_id: str) -> tuple[tuple[str, str, dict[str, Any]], ...]:
    return (
        ("POST", "/v1/documents/publish", {"content": SECRET}),
        ("POST", f"/v1/documents/{document_id}/publish", {}),
        ("PATCH", f"/v1/documents/{document_id}", {}),
    )


async def all_store(service: Service, options: dict[str, Any], expected: dict[str, Any]) -> None:
    """Assert that each of the three calls stores options."""
    for method, path, body in requests_to_publish(await create(service.pro, content=SECRET)):
        response = await service.pro.request(method, path, json={**body, **options})
        assert response.is_success, response.text
        document = await get(service.pro, response.json()["id"])
        assert {name: document[name] for name in expected} == expected


@claim("document.readers")
async def readers(service: Service) -> None:
    sent = ["Anna@Example.org", "@EXAMPLE.com", "anna@example.org"]
    await all_store(service, {"readers": sent}, {"readers": ["anna@example.org", "@example.com"]})
    document_id = (await created(service))["id"]
    many = [f"reader-{number}@example.org" for number in range(100)]
    for listed in (many, ["a@example.org"], []):
        await update(service.pro, document_id, readers=listed)
        await update(service.pro, document_id, visibility="specific")
        await update(service.pro, document_id, visibility="link")
        assert (await get(service.pro, document_id))["readers"] == listed
    for wrong in (None, [*many, "b@example.org"], "a@example.org", [1], ["a"], ["@"], ["@a@b"]):
        refused = await service.pro.patch(f"/v1/documents/{document_id}", json={"readers": wrong})
        assert refusal(refused) == VALIDATION_ERROR, wrong


@claim("document.password")
async def password(service: Service) -> None:
    await all_store(service, {"password": "correct horse"}, {"has_password": True})
    document_id = (await created(service))["id"]
    for length, is_valid in ((7, False), (8, True), (200, True), (201, False)):
        response = await service.free.post("/v1/documents/publish", json={"content": "x", "password": "x" * length})
        assert response.status_code == (201 if is_valid else 400)
    await update(service.pro, document_id, password="correct horse")
    assert "correct horse" not in (await service.pro.get(f"/v1/documents/{document_id}")).text
    await update(service.pro, document_id, title="A")
    assert (await get(service.pro, document_id))["has_password"] is True
    await publish(service.pro, document_id, password=None)
    assert (await get(service.pro, document_id))["has_password"] is True
    await update(service.pro, document_id, password=None)
    assert (await get(service.pro, document_id))["has_password"] is False


@claim("document.expires_at")
async def end(service: Service) -> None:
    await all_store(service, {"expires_at": "2026-05-01T02:00:00+02:00"}, {"expires_at": "2026-05-01T00:00:00.000000Z"})
    document = await published(service)
    for wrong in (service.clock.now - timedelta(seconds=1), service.clock.now + timedelta(days=3655), "x", "9" * 99, 1):
        time = wrong if isinstance(wrong, str | int) else wrong.isoformat()
        refused = await service.pro.patch(f"/v1/documents/{document['id']}", json={"expires_at": time})
        assert refusal(refused) == VALIDATION_ERROR, wrong
    await update(service.pro, document["id"], expires_at=(service.clock.now + timedelta(days=3652)).isoformat())
    await update(service.pro, document["id"], expires_at=None)
    assert (await get(service.pro, document["id"]))["expires_at"] is None


@claim("page.specific")
async def specific_page_shows_a_form(service: Service) -> None:
    fields = {"title": SECRET, "visibility": "specific", "readers": ["a@example.org"], "show_source": True}
    url = (await publish_new(service.pro, SECRET, **fields))["published_url"]
    form = await service.anyone.get(url)
    assert (form.status_code, form.headers["cache-control"]) == (200, "private, no-store")
    assert form.headers["x-robots-tag"] == "noindex"
    assert SECRET not in form.text
    for suffix in (".md", ".png"):
        assert (await service.anyone.get(f"{url}{suffix}")).status_code == 404


@claim("page.password")
async def page_asks_for_its_password(service: Service) -> None:
    url = (await publish_new(service.free, SECRET, title=SECRET, password="correct horse"))["published_url"]
    form = await service.anyone.get(url)
    assert (form.status_code, SECRET in form.text) == (200, False)
    path = url.removeprefix("http://127.0.0.1:8000")
    for sent, status in (("wrong horse", 401), ("correct horse", 303)):
        entered = await service.anyone.post("/read", data={"page": path, "password": sent})
        assert (entered.status_code, SECRET in entered.text) == (status, False)
    assert SECRET in (await service.anyone.get(url)).text


@claim("page.expires_at", "publish.body.expires_at")
async def page_ends(service: Service) -> None:
    end = service.clock.now + timedelta(days=1)
    page = await publish_new(service.free, SECRET, title=SECRET, expires_at=end.isoformat())
    assert SECRET in (await service.anyone.get(page["published_url"])).text
    service.clock.set(end)
    ended = await service.anyone.get(page["published_url"])
    assert (ended.status_code, SECRET in ended.text) == (410, False)
    assert (await get(service.free, page["id"]))["content"] == SECRET
    republished = await service.free.post(f"/v1/documents/{page['id']}/publish", json={})
    assert refusal(republished) == VALIDATION_ERROR
    await publish(service.free, page["id"], expires_at=(end + timedelta(days=1)).isoformat())
    assert SECRET in (await service.anyone.get(page["published_url"])).text
