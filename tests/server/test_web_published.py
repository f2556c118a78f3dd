"""The page after publishing: the link and how it looks elsewhere, notices, copies, and what the owner can do."""

import re
from datetime import timedelta
from html import unescape
from xml.etree import ElementTree as ET

import httpx
import pytest
from msgspec import json

from mdpublish_core import Notice
from mdpublish_server.services.demos import DEMO_LIFETIME
from mdpublish_server.web.public.receipts import Receipt, read_receipt, receipt_of
from mdpublish_server.web.qr_codes import qr_code
from tests.server.conftest import MakeOwner, SignedIn, Travel

pytestmark = pytest.mark.anyio

FORM = {"content": "# Garden day\n\nThe roses are out.", "template_id": "paper", "theme_mode": "dark"}

URL = re.compile(r"http://127\.0\.0\.1:8000/p/[a-z0-9]{20}")


async def published(client: httpx.AsyncClient, **fields: str) -> httpx.Response:
    """Publish, and return the page after it."""
    page = await client.post("/", data={**FORM, **fields}, follow_redirects=True)
    assert page.status_code == 200, page.text
    return page


def url_in(page: httpx.Response) -> str:
    match = URL.search(page.text)
    assert match
    return match[0]


async def owner_page(client: httpx.AsyncClient, page: httpx.Response) -> httpx.Response:
    (path,) = set(re.findall(r"/claim/[0-9a-f-]{36}", page.text))
    return await client.get(path)


async def test_page_and_owner_link_show_the_code_and_the_social_image(client: httpx.AsyncClient) -> None:
    page = await published(client)

    url = url_in(page)
    for shown in (page, await owner_page(client, page)):
        assert qr_code(url) in shown.text
        assert f'<img src="{url}.png" width="1200" height="630"' in shown.text
        assert "<strong>Garden day</strong><br>127.0.0.1:8000" in shown.text
    image = await client.get(f"{url}.png")
    assert image.headers["content-type"] == "image/png"


def test_code_has_no_styles_and_is_black_on_white_in_any_scheme() -> None:
    svg = ET.fromstring(qr_code("https://example.org/p/abcdefghij0123456789"))

    assert {name for element in svg.iter() for name in element.attrib} <= {"viewBox", "fill", "stroke", "d"}
    _title, ground, modules = svg
    side = svg.attrib["viewBox"].split()[2]
    assert (ground.attrib["fill"], ground.attrib["d"]) == ("#fff", f"M0 0h{side}v{side}h-{side}z")
    assert modules.attrib["stroke"] == "#000"
    # ISO/IEC 18004: four modules around stay white.
    assert modules.attrib["d"].startswith("M4 4.5")


async def test_owner_gets_the_text_for_copies_and_files(client: httpx.AsyncClient) -> None:
    content = "\n</textarea><b>&amp;\r\n\n"
    page = await published(client, content=content)

    for shown in (page, await owner_page(client, page)):
        assert "</textarea><b>" not in shown.text
        textarea = re.search(r"<textarea [^>]*hidden readonly>\n(.*?)</textarea>", shown.text, re.DOTALL)
        assert textarea
        assert unescape(textarea[1]) == content.replace("\r\n", "\n")
        assert '<input type="hidden" name="template_id" value="paper">' in shown.text
        assert '<input type="hidden" name="theme_mode" value="dark">' in shown.text
        copied = [
            "google-docs",
            "word",
            "slack",
            "onenote",
            "email",
            "teams",
            "jira",
            "confluence",
            "plain-text",
            "blocks",
            "adf",
        ]
        assert re.findall('data-copy="([^"]+)"', shown.text) == copied
        downloads = [f"/download.{suffix}" for suffix in ("md", "html", "docx", "pdf", "eml", "adf", "txt")]
        assert re.findall('formaction="([^"]+)"', shown.text) == [*downloads, "/workbench"]


async def test_notices_of_the_conversion_are_shown_after_the_redirect(client: httpx.AsyncClient) -> None:
    page = await published(client, content="# A\n\n<blink>x</blink>\n\n[b](foo:bar)")

    assert "Line 3: The element &lt;blink&gt; is not supported; only its text is kept." in page.text
    assert "Line 5: The scheme of the URL &#39;foo:bar&#39; is not allowed." in page.text
    assert "more, which the preview lists" not in page.text


async def test_many_notices_fit_in_the_cookie_and_the_rest_is_counted(client: httpx.AsyncClient) -> None:
    content = "\n\n".join(f"[b](foo{number}:bar)" for number in range(90))

    response = await client.post("/", data={**FORM, "content": content})

    assert len(response.headers["set-cookie"]) < 4_096
    page = await client.get(response.headers["location"])
    shown = page.text.count("is not allowed.")
    assert 10 < shown < 90
    assert f"And {90 - shown} more, which the preview lists." in page.text


@pytest.mark.parametrize("characters", ["x", "é", "😀", '"', "\\"])
def test_receipt_is_bounded_for_any_characters(characters: str) -> None:
    notices = [Notice("unsafe-link", characters * 5_000, number) for number in range(100)]

    receipt = receipt_of("0" * 36, notices)

    encoded = json.encode(receipt).decode()
    assert len(json.encode(encoded)) <= 2_500
    assert read_receipt(encoded) == receipt
    assert len(receipt.remarks) + receipt.omitted == 100


@pytest.mark.parametrize("content", [None, "", "0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42", "[1]", '["x",[[1]]]'])
def test_content_that_is_no_receipt_shows_nothing(content: str | None) -> None:
    assert read_receipt(content) is None


def test_receipt_without_notices_is_the_token() -> None:
    assert receipt_of("x", ()) == Receipt("x")


async def test_page_is_kept_by_one_button_where_somebody_is_signed_in(
    client: httpx.AsyncClient, make_owner: MakeOwner, signed_in: SignedIn
) -> None:
    guest = await published(client)
    async with signed_in(make_owner("anna").account) as member:
        page = await owner_page(member, guest)
        (action,) = set(re.findall('<form method="post" action="(/claim/[^"/]+)"', page.text))

        response = await member.post(action)

        assert response.status_code == 303
        assert response.headers["location"].endswith("?done=claimed")


async def test_guest_is_led_to_the_form_that_keeps_the_page(client: httpx.AsyncClient) -> None:
    page = await published(client)

    assert re.search('href="http://127.0.0.1:8000/claim/[^"]+#keep">Keep this page</a>', page.text)
    assert '<section class="keeping" aria-labelledby="keep">' in (await owner_page(client, page)).text


async def test_owner_link_is_shown_after_looking_at_its_page(client: httpx.AsyncClient) -> None:
    page = await published(client)
    await owner_page(client, page)

    assert (await client.get(str(page.url))).text == page.text


async def test_without_the_owner_link_the_page_can_be_shared_only(client: httpx.AsyncClient, travel: Travel) -> None:
    page = await published(client)
    await client.get("/")

    shared = await client.get(str(page.url))

    assert shared.status_code == 200
    assert qr_code(url_in(page)) in shared.text
    for owned in ("/claim/", "The roses are out.", "data-copy=", "Delete"):
        assert owned not in shared.text
    travel(DEMO_LIFETIME - timedelta(microseconds=1))
    assert (await client.get(str(page.url))).status_code == 200
    travel(timedelta(microseconds=1))
    assert (await client.get(str(page.url))).status_code == 410


async def test_site_policy_holds_on_both_pages(client: httpx.AsyncClient) -> None:
    page = await published(client)

    for shown in (page, await owner_page(client, page)):
        assert "unsafe" not in shown.headers["content-security-policy"]
        assert " style=" not in shown.text
        assert "<style" not in shown.text
        scripts = ["/static/published.js", "/static/site.js"]
        assert re.findall("<script[^>]*>", shown.text) == [f'<script type="module" src="{each}">' for each in scripts]
