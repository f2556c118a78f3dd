"""Uploads, and what they become."""

from typing import Any

import httpx

from tests.contract.claims import claim
from tests.contract.service import Service
from tests.image_files import PNG, SECRET, SVG, opened, quartered_image, saved
from tests.server.api_requests import refusal, used

PATH = "/v1/images"


async def upload(client: httpx.AsyncClient, content: bytes = PNG, **options: Any) -> dict[str, Any]:
    response = await client.post(PATH, content=content, **options)
    assert response.status_code == 201, response.text
    return dict(response.json())


async def listed(client: httpx.AsyncClient, **query: str | int) -> list[str]:
    response = await client.get(PATH, params=query)
    assert response.status_code == 200
    return [image["id"] for image in response.json()["data"]]


@claim("upload.201")
async def uploads(service: Service) -> None:
    image = await upload(service.pro)
    assert set(image) == {"id", "url", "width", "height", "media_type", "bytes", "created_at", "restricted"}
    assert (image["width"], image["height"], image["media_type"]) == (60, 40, "image/png")


@claim("upload.body")
async def body_is_a_file_or_a_form(service: Service) -> None:
    for media_type in ("image/png", "application/octet-stream", "image/avif"):
        await upload(service.pro, headers={"Content-Type": media_type})
    await upload(service.pro)
    response = await service.pro.post(PATH, files={"any": ("name.txt", PNG)}, data={"note": "x"})
    assert (response.status_code, response.json()["media_type"]) == (201, "image/png")


@claim("upload.kinds")
async def six_kinds_are_accepted(service: Service) -> None:
    for kind in ("PNG", "JPEG", "GIF", "WEBP", "AVIF"):
        image = await upload(service.pro, saved(quartered_image(), kind), headers={"Content-Type": "image/svg+xml"})
        assert image["media_type"] == f"image/{kind.lower()}"
    assert (await upload(service.pro, SVG, headers={"Content-Type": "image/png"}))["media_type"] == "image/svg+xml"


@claim("upload.url")
async def image_is_public_and_inert(service: Service) -> None:
    image = await upload(service.pro)
    response = await service.anyone.get(image["url"])
    assert (response.status_code, response.headers["content-type"]) == (200, "image/png")
    assert response.headers["cache-control"] == "public, max-age=3600"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "sandbox" in response.headers["content-security-policy"]
    assert "set-cookie" not in response.headers


@claim("upload.rewritten")
async def metadata_is_dropped(service: Service) -> None:
    exif = quartered_image().getexif()
    exif[0x0112], exif[0x010E] = 6, SECRET.decode()
    image = await upload(service.pro, saved(quartered_image(), "JPEG", exif=exif) + b"<script>")
    content = (await service.anyone.get(image["url"])).content
    assert (image["width"], image["height"]) == opened(content).size == (40, 60)
    assert not opened(content).getexif()
    assert SECRET not in content
    assert b"<script>" not in content


@claim("upload.400.invalid_body")
async def other_bodies_are_refused(service: Service) -> None:
    for media_type in ("application/json", "multipart/form-data", "multipart/form-data; boundary=x"):
        response = await service.pro.post(PATH, content=b"{}", headers={"Content-Type": media_type})
        assert refusal(response) == (400, "invalid_body")


@claim("upload.400.validation_error")
async def what_is_no_image_is_refused(service: Service) -> None:
    flat = quartered_image(6_400, 6_400)
    for content in (b"", b"%PDF-1.7", PNG[:-30], bytes(10_000_001), saved(flat, "PNG")):
        assert refusal(await service.pro.post(PATH, content=content)) == (400, "validation_error")
    assert await listed(service.pro) == []


@claim("upload.403.quota_exceeded")
async def space_of_the_plan_is_a_limit(service: Service) -> None:
    service.configure({"MDPUBLISH_FREE_IMAGE_MEGABYTES": "0"})
    assert refusal(await service.free.post(PATH, content=PNG)) == (403, "quota_exceeded")
    await upload(service.pro)
    assert await used(service.free) == 1


@claim("list-images.200")
async def lists(service: Service) -> None:
    ids = [(await upload(service.pro))["id"] for _ in range(3)]
    await upload(service.free)
    assert await listed(service.pro) == ids[::-1]
    first = (await service.pro.get(PATH, params={"limit": 2})).json()
    assert first["has_more"]
    assert await listed(service.pro, cursor=first["next_cursor"]) == ids[:1]


@claim("list-images.400.validation_error")
async def wrong_query_is_refused(service: Service) -> None:
    for query in ({"limit": "ten"}, {"cursor": "x"}):
        assert refusal(await service.pro.get(PATH, params=query)) == (400, "validation_error")


@claim("free-image.200")
async def frees(service: Service) -> None:
    image = await upload(service.pro)
    new = await service.pro.post("/v1/documents/publish", json={"content": f"![a]({image['url']})"})
    await service.pro.delete(f"/v1/documents/{new.json()['id']}/publish")
    assert (await service.anyone.get(image["url"])).status_code == 404
    response = await service.pro.patch(f"{PATH}/{image['id']}", json={"restricted": False})
    assert (response.status_code, response.json()["restricted"]) == (200, False)
    assert (await service.anyone.get(image["url"])).status_code == 200


@claim("free-image.400.validation_error")
async def nobody_restricts_an_image(service: Service) -> None:
    image = await upload(service.free)
    for body in ({"restricted": True}, {}):
        response = await service.free.patch(f"{PATH}/{image['id']}", json=body)
        assert refusal(response) == (400, "validation_error")


@claim("delete-image.200")
async def deletes(service: Service) -> None:
    image = await upload(service.free)
    response = await service.free.delete(f"{PATH}/{image['id']}")
    assert (response.status_code, response.json()) == (200, {"success": True})
    assert (await service.anyone.get(image["url"])).status_code == 404
    assert (await service.free.get("/v1/usage")).json()["image_bytes"] == 0
    assert await listed(service.free) == []
