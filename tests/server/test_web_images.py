"""`/i/…`: uploaded images, for everybody."""

from pathlib import Path

import httpx
import pytest

from tests.image_files import PNG, SVG

pytestmark = pytest.mark.anyio

IMAGES = "http://images.example:8000"


@pytest.fixture
def environment(request: pytest.FixtureRequest) -> dict[str, str]:
    return dict(getattr(request, "param", {}))


async def url_of(client: httpx.AsyncClient, content: bytes = PNG) -> str:
    return str((await client.post("/v1/images", content=content)).json()["url"])


async def test_image_is_kept_for_an_hour_inert_and_without_cookies(
    free: httpx.AsyncClient, client: httpx.AsyncClient
) -> None:
    for content, media_type in ((PNG, "image/png"), (SVG, "image/svg+xml")):
        response = await client.get(await url_of(free, content))
        headers = dict(response.headers)
        assert headers["content-type"] == media_type, content
        assert headers["cache-control"] == "public, max-age=3600", content
        assert headers["x-content-type-options"] == "nosniff", content
        assert headers["content-security-policy"] == "default-src 'none'; style-src 'unsafe-inline'; sandbox", content
        assert headers["cross-origin-resource-policy"] == "cross-origin", content
        assert "set-cookie" not in headers, content


async def test_known_image_is_neither_read_nor_sent_again(
    free: httpx.AsyncClient, client: httpx.AsyncClient, tmp_path: Path
) -> None:
    url = await url_of(free)
    tag = (await client.head(url)).headers["etag"]
    for file in (tmp_path / "images").iterdir():
        file.unlink()
    response = await client.get(url, headers={"If-None-Match": tag})
    assert (response.status_code, response.content) == (304, b"")
    assert (await client.get(url)).status_code == 503


async def test_other_names_are_404(client: httpx.AsyncClient) -> None:
    for name in ("x", "0" * 32, "0" * 32 + ".png", "..%2f..%2ftest.db", "0" * 31 + "Z.png", "doctor.txt", "%00.png"):
        assert (await client.get(f"/i/{name}")).status_code == 404, name


async def test_suffix_belongs_to_the_name(free: httpx.AsyncClient, client: httpx.AsyncClient) -> None:
    url = await url_of(free)
    assert (await client.get(url.replace(".png", ".svg"))).status_code == 404


@pytest.mark.parametrize("environment", [{"MDPUBLISH_IMAGE_URL": IMAGES}], indirect=True)
async def test_host_of_images_serves_nothing_else(free: httpx.AsyncClient, client: httpx.AsyncClient) -> None:
    url = await url_of(free)
    assert url.startswith(f"{IMAGES}/i/")
    assert (await client.get(url)).status_code == 200
    # URLs from before the setting.
    former = await client.get(url.removeprefix(IMAGES))
    assert (former.status_code, former.headers["location"]) == (307, url)
    for path in ("/", "/signin", "/d/page", "/static/site.css"):
        there = await client.get(f"{IMAGES}{path}")
        assert there.status_code == 307 or path.startswith("/static/")
