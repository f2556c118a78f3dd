"""Uploaded images in what shows them: pages, mails, Word files and exports."""

import io
import re
import zipfile
from email import message_from_bytes
from email.policy import SMTP
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from mdpublish_server.services import known_images
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import MISCOUNTED
from tests.image_files import SVG, opened, saved
from tests.server.api_requests import publish_demo, publish_new
from tests.server.browsers import Member

pytestmark = pytest.mark.anyio

SHOT = saved(Image.effect_noise((1500, 600), 50), "PNG")


async def upload(client: httpx.AsyncClient, content: bytes = SHOT) -> dict[str, Any]:
    response = await client.post("/v1/images", content=content)
    assert response.status_code == 201, response.text
    return dict(response.json())


async def file(client: httpx.AsyncClient, markdown: str, **fields: str) -> bytes:
    response = await client.post("/v1/convert", json={"markdown": markdown, **fields})
    assert response.status_code == 200, response.text
    return response.content


def embedded_images(docx: bytes) -> list[Image.Image]:
    with zipfile.ZipFile(io.BytesIO(docx)) as parts:
        return [opened(parts.read(name)) for name in parts.namelist() if "/media/" in name]


async def test_image_arrives_on_a_page_in_a_mail_in_a_word_file_and_in_the_export(
    anna: Member, database: Database, tmp_path: Path
) -> None:
    client = anna.program
    image = await upload(client)
    url, markdown = image["url"], f"![A shot]({image['url']})\n"
    page = (await client.get((await publish_new(client, markdown))["published_url"])).text
    stem = url.removesuffix(".png")
    assert f'src="{url}" alt="A shot" width="1500" height="600"' in page
    assert f'srcset="{stem}-640.webp 640w, {stem}-1280.webp 1280w, {url} 1500w"' in page
    variants = [await client.get(f"{stem}-{width}.webp") for width in (640, 1280)]
    assert [opened(each.content).size for each in variants] == [(640, 256), (1280, 512)]
    assert {each.headers["content-type"] for each in variants} == {"image/webp"}
    assert image["bytes"] == sum(path.stat().st_size for path in (tmp_path / "images").iterdir())

    mail = message_from_bytes(await file(client, markdown, format="eml"), policy=SMTP)
    (part,) = (each for each in mail.walk() if each.get_content_type() == "image/png")
    assert opened(part.get_content()).size == (1500, 600)
    (embedded,) = embedded_images(await file(client, markdown, format="docx"))
    assert embedded.size == (1500, 600)
    export = await anna.browser.post("/account/export")
    with zipfile.ZipFile(io.BytesIO(export.content)) as archive:
        assert opened(archive.read(f"images/{url.rpartition('/')[2]}")).size == (1500, 600)

    await client.delete(f"/v1/images/{image['id']}")
    assert list((tmp_path / "images").iterdir()) == []
    assert (await client.get(f"{stem}-640.webp")).status_code == 404
    assert b"srcset" not in await file(client, markdown, destination="generic")
    with database.read_transaction() as transaction:
        assert transaction.rows(MISCOUNTED) == []


@pytest.mark.parametrize("destination", ["google-docs", "word"])
async def test_pasted_image_keeps_its_url_at_a_size_that_fits(free: httpx.AsyncClient, destination: str) -> None:
    url = (await upload(free))["url"]
    html = (await file(free, f"![A]({url})", destination=destination)).decode()
    width, height = (int(re.search(rf'{name}=\\"(\d+)\\"', html)[1]) for name in ("width", "height"))  # type: ignore[index]
    assert url in html
    assert width < 1000
    assert height == pytest.approx(width * 600 / 1500, abs=1)


async def test_demo_page_and_preview_know_the_image(free: httpx.AsyncClient, other: httpx.AsyncClient) -> None:
    url = (await upload(free))["url"]
    page = await other.get((await publish_demo(other, f"![A]({url})"))["url"])
    assert "-640.webp 640w" in page.text


async def test_drawing_stays_one_on_a_page_and_is_pixels_in_a_word_file(free: httpx.AsyncClient) -> None:
    url = (await upload(free, SVG))["url"]
    page = (await free.get((await publish_new(free, f"![A]({url})"))["published_url"])).text
    assert f'src="{url}" alt="A" width="30" height="20"' in page
    (embedded,) = embedded_images(await file(free, f"![A]({url})", format="docx"))
    assert (embedded.format, embedded.size) == ("PNG", (60, 40))


async def test_image_of_another_site_or_a_lost_one_is_a_link(free: httpx.AsyncClient, tmp_path: Path) -> None:
    image = await upload(free)
    for path in (tmp_path / "images").iterdir():
        path.unlink()
    elsewhere = image["url"].replace("127.0.0.1:8000", "127.0.0.2:8000")
    assert embedded_images(await file(free, f"![A]({image['url']}) ![B]({elsewhere})", format="docx")) == []


async def test_files_of_an_output_are_bounded(free: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    urls = [(await upload(free, saved(Image.effect_noise((400, 300), 40 + each), "PNG")))["url"] for each in range(3)]
    sizes = [image["bytes"] for image in (await free.get("/v1/images")).json()["data"]]
    monkeypatch.setattr(known_images, "MAX_EMBEDDED_BYTES", sum(sizes[1:]))
    markdown = "\n".join(f"![{url}]({url})" for url in (*urls, *urls))
    assert len(embedded_images(await file(free, markdown, format="docx"))) == 2


async def test_large_image_is_embedded_as_its_variant(free: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(known_images, "_LARGE_BYTES", 1_000)
    url = (await upload(free))["url"]
    (embedded,) = embedded_images(await file(free, f"![A]({url})", format="docx"))
    assert (embedded.format, embedded.size) == ("JPEG", (1280, 512))


async def test_image_of_a_private_page_is_embedded_for_nobody(anna: Member, berta: Member) -> None:
    """Its URL alone shows nothing, so a file with it must not."""
    markdown = f"![A shot]({(await upload(berta.program))['url']})"
    await publish_new(berta.program, markdown, visibility="specific", readers=["rita@example.com"])

    assert embedded_images(await file(anna.program, markdown, format="docx")) == []
