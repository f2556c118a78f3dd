"""Limits of documents, pages, options and conversions."""

import asyncio
from time import perf_counter
from typing import Any

import httpx

from tests.contract.checks.templates import FREE
from tests.contract.claims import claim
from tests.contract.requests import failure
from tests.contract.service import Service
from tests.server.api_requests import create, delete, get, publish, publish_new, refusal, unpublish, update, used

LIST = "/v1/documents"
CONVERT = "/v1/convert"


async def convert(client: httpx.AsyncClient, markdown: str = "x") -> httpx.Response:
    return await client.post(CONVERT, json={"markdown": markdown})


@claim("limits.documents.free")
async def free_has_three_documents(service: Service) -> None:
    ids = [await create(service.free) for _ in range(3)]
    for document_id in ids[:2]:
        response = await service.free.post(LIST, json={})
        assert refusal(response) == (403, "forbidden")
        assert "3 documents" in response.json()["error"]["message"]
        await delete(service.free, document_id)
        await create(service.free)


@claim("limits.documents.pro")
async def pro_has_any_number_of_documents(service: Service) -> None:
    for _ in range(12):
        await create(service.pro)


@claim("limits.pages.free", "publish.403.quota_exceeded")
async def free_has_three_pages(service: Service) -> None:
    ids = [(await publish_new(service.pro))["id"] for _ in range(3)]
    fourth = await create(service.pro)
    service.put_on("free")
    url = f"{LIST}/{fourth}/publish"
    response = await service.pro.post(url)
    assert refusal(response) == (403, "quota_exceeded")
    assert "3 published pages" in response.json()["error"]["message"]
    assert (await get(service.pro, fourth))["is_published"] is False
    # Republishing needs no room; unpublishing makes some, and deleting.
    await publish(service.pro, ids[0])
    await unpublish(service.pro, ids[0])
    await publish(service.pro, fourth)
    assert refusal(await service.pro.post(f"{LIST}/{ids[0]}/publish")) == (403, "quota_exceeded")
    await delete(service.pro, fourth)
    await publish(service.pro, ids[0])


@claim("limits.pages.pro")
async def pro_has_any_number_of_pages(service: Service) -> None:
    for _ in range(12):
        await publish_new(service.pro)


PRO_OPTIONS: tuple[dict[str, Any], ...] = (
    *({"slug": "garden"}, {"hide_badge": True}, {"visibility": "public"}),
    *({"visibility": "specific"}, {"readers": ["a@example.org"]}),
)


@claim("limits.options.free", "update.403.forbidden", "publish.403.forbidden", "create-and-publish.403.forbidden")
async def free_has_no_pro_options(service: Service) -> None:
    document_id = await create(service.free)
    for option in PRO_OPTIONS:
        for method, path, body in (
            ("POST", f"{LIST}/publish", {"content": "x"}),
            ("POST", f"{LIST}/{document_id}/publish", {}),
            ("PATCH", f"{LIST}/{document_id}", {}),
        ):
            before = (await service.free.get(LIST)).json()
            response = await service.free.request(method, path, json={**body, **option})
            assert refusal(response) == (403, "forbidden")
            assert "Pro" in response.json()["error"]["message"]
            assert (await service.free.get(LIST)).json() == before
    free: dict[str, Any] = {"visibility": "link", "hide_badge": False, "page_width": "full", "description": "D"}
    for method, path in (("PATCH", f"{LIST}/{document_id}"), ("POST", f"{LIST}/{document_id}/publish")):
        assert (await service.free.request(method, path, json=free)).status_code == 200
    await publish_new(service.free, theme_mode="dark", **free)


@claim("limits.options.pro")
async def pro_has_pro_options(service: Service) -> None:
    document_id = await create(service.pro)
    for option in PRO_OPTIONS:
        assert (await service.pro.patch(f"{LIST}/{document_id}", json=option)).status_code == 200
        await publish(service.pro, document_id, **option)


@claim("limits.options.free.page")
async def free_page_is_unlisted_with_badge(service: Service) -> None:
    published = await publish_new(service.free, "x", visibility="link", hide_badge=False)
    assert (await get(service.free, published["id"]))["visibility"] == "link"
    page = await service.anyone.get(published["published_url"])
    assert page.headers["x-robots-tag"] == "noindex"
    assert "Published with" in page.text


@claim("limits.templates.free", "convert.403.forbidden", "create.403.forbidden")
async def free_has_free_templates(service: Service) -> None:
    document_id = await create(service.free)
    for method, path, body in (
        ("POST", CONVERT, {"markdown": "x"}),
        ("POST", LIST, {}),
        ("POST", f"{LIST}/publish", {"content": "x"}),
        ("PATCH", f"{LIST}/{document_id}", {}),
    ):
        response = await service.free.request(method, path, json={**body, "template_id": "mono"})
        assert response.is_success
        for template_id in ("executive", "dracula", "nord", "tokyo-night"):
            response = await service.free.request(method, path, json={**body, "template_id": template_id})
            assert refusal(response) == (403, "forbidden")
            assert template_id in response.json()["error"]["message"]
    other = service.account("other")
    document_id = await create(other)
    for template_id in FREE:
        for path in (LIST, f"{LIST}/publish"):
            response = await other.post(path, json={"content": "x", "template_id": template_id})
            assert response.json()["template_id"] == template_id
            await delete(other, response.json()["id"])
        assert (await update(other, document_id, template_id=template_id))["template_id"] == template_id


@claim("limits.templates.pro")
async def pro_has_all_templates(service: Service) -> None:
    document_id = await create(service.pro)
    for method, path, body in (
        ("POST", CONVERT, {"markdown": "x"}),
        ("POST", f"{LIST}/publish", {"content": "x"}),
        ("PATCH", f"{LIST}/{document_id}", {}),
    ):
        for template_id in ("executive", "dracula", "nord", "tokyo-night"):
            response = await service.pro.request(method, path, json={**body, "template_id": template_id})
            assert response.json()["template_id"] == template_id
    for template in (await service.pro.get("/v1/templates")).json()["data"]:
        response = await service.pro.post(LIST, json={"template_id": template["id"]})
        assert response.status_code == 201


# Conversions


@claim("limits.conversion.cpu")
async def conversion_has_five_seconds(service: Service) -> None:
    service.configure(is_fragile=True)
    response = await convert(service.free, "spin:")
    assert refusal(response) == (500, "conversion_error")
    assert "5 s of CPU time" in response.json()["error"]["message"]


@claim("limits.conversion.memory")
async def conversion_has_a_gibibyte(service: Service) -> None:
    service.configure(is_fragile=True)
    assert refusal(await convert(service.free, "bomb:")) == (500, "conversion_error")


@claim("limits.conversion.crash")
async def crashed_worker_is_replaced(service: Service) -> None:
    service.configure(is_fragile=True)
    assert refusal(await convert(service.free, "exit:1")) == (500, "conversion_error")
    assert (await convert(service.free)).status_code == 200


@claim("limits.conversion.wait")
async def conversion_without_cpu_time_is_retried(service: Service) -> None:
    service.configure(is_fragile=True)
    assert refusal(await convert(service.free, "raise:")) == (500, "conversion_error")
    service.retries = False
    began = perf_counter()
    response = await convert(service.free, "hang:")
    assert refusal(response) == (503, "service_unavailable")
    assert int(response.headers["retry-after"]) >= 1
    # The wait is real time, which the clock does not move.
    assert perf_counter() - began >= 30
    assert await used(service.free) == 0


@claim("limits.conversion.queue")
async def full_queue_is_reported(service: Service) -> None:
    service.configure({"MDPUBLISH_FREE_RATE_LIMIT": "1000"}, is_fragile=True)
    service.retries = False
    responses = await asyncio.gather(*(convert(service.free, "sleep:0.2") for _ in range(60)))
    busy = [response for response in responses if response.status_code == 503]
    assert busy
    for response in busy:
        assert failure(response) == (503, "service_unavailable")
        assert int(response.headers["retry-after"]) >= 1
    assert await used(service.free) == 0
