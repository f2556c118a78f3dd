"""Uploaded images by the API: what the contract's requests cannot show."""

import asyncio
import re
from pathlib import Path

import httpx
import pytest
from PIL import Image
from sqlalchemy import func, select

from mdpublish_core.images import rewrite_image
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import MISCOUNTED
from mdpublish_server.storage.tables import IMAGES
from mdpublish_server.storage.transactions import Statement
from tests.image_files import PNG, quartered_image, saved
from tests.server.conftest import MakeOwner

pytestmark = pytest.mark.anyio

COUNT = Statement(select(func.count()).select_from(IMAGES))


@pytest.fixture
def environment(request: pytest.FixtureRequest) -> dict[str, str]:
    return dict(getattr(request, "param", {"MDPUBLISH_FREE_IMAGE_MEGABYTES": "1"}))


async def upload(client: httpx.AsyncClient, content: bytes = PNG, media_type: str = "image/png") -> dict[str, object]:
    response = await client.post("/v1/images", content=content, headers={"Content-Type": media_type})
    assert response.status_code == 201, response.text
    return dict(response.json())


def files(tmp_path: Path) -> list[Path]:
    return sorted((tmp_path / "images").iterdir()) if (tmp_path / "images").exists() else []


async def test_image_is_served_as_the_core_wrote_it(
    free: httpx.AsyncClient, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    image = await upload(free)
    assert re.fullmatch(r"http://127\.0\.0\.1:8000/i/[0-9a-f]{32}\.png", str(image["url"]))
    response = await client.get(str(image["url"]))
    assert response.content == rewrite_image(PNG).content == files(tmp_path)[0].read_bytes()
    assert response.headers["content-type"] == "image/png"
    assert len(response.content) == image["bytes"]


@pytest.mark.parametrize(
    "media_type", ["image/jpg", "IMAGE/PJPEG", "image/x-png", "image/*", "application/octet-stream"]
)
async def test_content_tells_what_image_it_is(free: httpx.AsyncClient, media_type: str) -> None:
    image = await upload(free, saved(quartered_image(), "JPEG"), media_type)

    assert image["media_type"] == "image/jpeg"


async def test_what_is_no_image_is_refused(free: httpx.AsyncClient, tmp_path: Path) -> None:
    rows: tuple[tuple[dict[str, str], bytes, str, str], ...] = (
        ({}, b"", "validation_error", "The body must be an image file (got an empty body)"),
        ({}, b"%PDF", "validation_error", "The file is no image: it must be PNG, JPEG, GIF, WebP, AVIF or SVG"),
        ({"Content-Type": "application/json"}, b"{}", "invalid_body", "Content-Type must be that of an image"),
        ({"Content-Type": "multipart/form-data"}, b"x", "invalid_body", "The body is not valid multipart/form-data"),
        (
            {"Content-Type": "multipart/form-data; boundary=x"},
            b"--y",
            "invalid_body",
            "The body is not valid multipart/form-data",
        ),
        (
            {"Content-Type": "multipart/form-data; boundary=x"},
            b'--x\r\nContent-Disposition: form-data; name="file"\r\n\r\nx\r\n--x--\r\n',
            "validation_error",
            "The form must have a field with a file (got none)",
        ),
        (
            {"Content-Type": "multipart/form-data; boundary=x"},
            b'--x\r\nContent-Disposition: form-data; name="a"; filename="a"\r\n\r\nx\r\n' * 2 + b"--x--\r\n",
            "invalid_body",
            "The body is not valid multipart/form-data: Too many files. Maximum number of files is 1.",
        ),
        ({}, bytes(10_000_001), "validation_error", "The body must be at most 10,000,000 bytes"),
    )
    for headers, content, code, message in rows:
        response = await free.post("/v1/images", content=content, headers=headers)
        assert response.status_code == 400, headers
        assert response.json()["error"]["code"] == code, headers
        assert response.json()["error"]["message"].startswith(message), headers
        assert files(tmp_path) == [], headers


@pytest.mark.parametrize("environment", [{"MDPUBLISH_MAX_IMAGE_MEGAPIXELS": "1"}], indirect=True)
async def test_operator_s_limit_of_pixels_applies(free: httpx.AsyncClient) -> None:
    response = await free.post("/v1/images", content=saved(quartered_image(1_100, 1_000), "PNG"))
    assert response.json()["error"]["message"] == "The file must have at most 1 megapixels in all (it has 1.1)"


async def retried_upload(
    client: httpx.AsyncClient, image: bytes, headers: dict[str, str] | None = None
) -> httpx.Response:
    """Upload an image, retrying while the machine is busy."""
    while True:
        response = await client.post("/v1/images", content=image, headers=headers)
        if response.status_code != 503:
            return response
        await asyncio.sleep(1)


async def test_space_is_exact_under_parallel_uploads(
    free: httpx.AsyncClient, database: Database, tmp_path: Path
) -> None:
    """A megabyte takes six of these."""
    noise = rewrite_image(saved(Image.effect_noise((400, 375), 90), "PNG")).content
    fitting = 1_000_000 // len(noise)
    responses = await asyncio.gather(*(retried_upload(free, noise) for _ in range(20)))
    statuses = sorted(response.status_code for response in responses)
    assert statuses == [201] * fitting + [403] * (20 - fitting)
    refused = next(response for response in responses if response.status_code == 403)
    assert refused.json()["error"]["code"] == "quota_exceeded"
    assert "The Free plan allows 1 MB of images" in refused.json()["error"]["message"]
    assert len(files(tmp_path)) == fitting
    usage = (await free.get("/v1/usage")).json()
    assert (usage["image_bytes"], usage["image_bytes_limit"]) == (fitting * len(noise), 1_000_000)
    with database.read_transaction() as transaction:
        assert transaction.rows(MISCOUNTED) == []


async def test_same_key_at_once_stores_one_image(free: httpx.AsyncClient, tmp_path: Path) -> None:
    headers = {"Idempotency-Key": "shot"}
    responses = await asyncio.gather(*(retried_upload(free, PNG, headers) for _ in range(50)))
    assert {response.status_code for response in responses} <= {201, 409}
    assert len({response.json()["url"] for response in responses if response.status_code == 201}) == 1
    replay = await free.post("/v1/images", content=PNG, headers=headers)
    assert replay.headers["idempotency-replayed"] == "true"
    assert len(files(tmp_path)) == 1


async def test_deleted_image_is_gone_with_its_file(
    free: httpx.AsyncClient, client: httpx.AsyncClient, database: Database, tmp_path: Path
) -> None:
    image = await upload(free)
    path = f"/v1/images/{str(image['id']).upper()}"
    assert (await free.delete(path)).json() == {"success": True}
    assert files(tmp_path) == []
    with database.read_transaction() as transaction:
        assert transaction.rows(COUNT)[0][0] == 0
    assert (await client.get(str(image["url"]))).status_code == 404
    assert (await free.delete(path)).status_code == 404
    assert (await free.get("/v1/images")).json()["data"] == []


async def test_images_are_their_owner_s(
    free: httpx.AsyncClient, other: httpx.AsyncClient, make_owner: MakeOwner
) -> None:
    image = await upload(free)
    other.headers.update(make_owner("berta").headers)
    missing = await other.delete("/v1/images/00000000-0000-4000-8000-000000000000")
    for image_id in (image["id"], "x"):
        response = await other.delete(f"/v1/images/{image_id}")
        assert (response.status_code, response.content) == (404, missing.content)
    assert (await other.get("/v1/images")).json()["data"] == []
    assert (await free.get(str(image["url"]))).status_code == 200
