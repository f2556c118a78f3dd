import re
import struct
from html import unescape

import httpx
import pytest
from lxml import html
from sqlalchemy import select

from mdpublish_core import list_templates
from mdpublish_server.app import create_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.services.workbench import PLACES
from mdpublish_server.settings import read_settings
from mdpublish_server.storage import Database
from mdpublish_server.storage.tables import DOCUMENTS
from mdpublish_server.storage.transactions import Statement
from mdpublish_server.web.public.sample import SAMPLE
from mdpublish_server.web.public.social_images import PITCH
from tests.server.conftest import MakeOwner, SignedIn

pytestmark = pytest.mark.anyio

PAID = next(template.id for template in list_templates() if template.category != "free")

FORM = {"content": "# Hello\n\nA *first* page.", "template_id": "swiss", "theme_mode": "light"}


class Elements:
    """A page's elements, and its text area's content as browsers parse it."""

    def __init__(self, page: str) -> None:
        self._page = html.document_fromstring(page)
        areas = [area.text or "" for area in self._page.iter("textarea")]
        self.content = areas[-1].removeprefix("\n") if areas else None

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [{str(name): str(value) for name, value in element.items()} for element in self._page.iter(tag)]


async def publish(client: httpx.AsyncClient, **fields: str) -> httpx.Response:
    return await client.post("/", data={**FORM, **fields}, follow_redirects=True)


async def test_landing_page_has_a_form_for_everything(client: httpx.AsyncClient) -> None:
    page = await client.get("/")

    elements = Elements(page.text)
    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    (form,) = elements.all("form")
    assert (form["method"], form["action"]) == ("post", "/")
    (textarea,) = elements.all("textarea")
    assert "required" in textarea
    options = [option["value"] for option in elements.all("option")]
    assert options == [template.id for template in list_templates("free")]
    shown = [button["value"] for button in elements.all("button") if button.get("name") == "place"]
    assert shown == list(PLACES)
    copied = [button["data-copy"] for button in elements.all("button") if "data-copy" in button]
    also = [place.also_copied for place in PLACES.values() if place.also_copied]
    assert copied == [*(place.name for place in PLACES.values() if place.arrival), "plain-text", *also]


async def test_home_page_of_a_member_is_a_new_document_and_nobodys_to_keep(
    client: httpx.AsyncClient, make_owner: MakeOwner, signed_in: SignedIn
) -> None:
    member = signed_in(make_owner("anna").account)
    query = "template_id=ink&theme_mode=dark"
    pages = [await member.get(f"{path}?{query}") for path in ("/", "/workbench", "/documents/new")]
    home, _, new = (re.sub(r'(?<=name="nonce" value=")[^"]+', "", page.text) for page in pages)
    guest = await client.get("/")

    assert home == new
    assert '<option value="ink" selected>' in home
    assert "Sign in" not in home
    assert '<a href="/signin">Sign in</a>' in guest.text
    # What the address has is another page for each: no cache may keep either.
    assert {page.headers["cache-control"] for page in (guest, *pages)} == {"no-store"}
    done = await member.get("/?done=deleted")
    assert "The page and its text have been deleted." in done.text


async def test_form_has_the_sample_at_first(client: httpx.AsyncClient) -> None:
    assert Elements((await client.get("/")).text).content == SAMPLE


async def test_words_of_the_sample_are_counted_as_the_preview_counts_them(client: httpx.AsyncClient) -> None:
    headers = {"Sec-Fetch-Site": "same-origin", "Accept": "application/json"}
    preview = await client.post("/preview", data={"content": SAMPLE}, headers=headers)

    assert f'data-words="{preview.json()["words"]}"' in (await client.get("/")).text


async def test_each_field_has_its_label(client: httpx.AsyncClient) -> None:
    elements = Elements((await client.get("/")).text)
    fields = [field["id"] for tag in ("textarea", "select") for field in elements.all(tag)]
    assert [label["for"] for label in elements.all("label") if "for" in label] == fields


async def test_site_runs_its_own_scripts_alone(client: httpx.AsyncClient) -> None:
    page = await client.get("/")
    assert [script["src"] for script in Elements(page.text).all("script")] == [
        "/static/workbench.js",
        "/static/site.js",
    ]
    assert page.headers["content-security-policy"] == (
        "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' https: data: "
        "http://127.0.0.1:8000; form-action 'self'; frame-src 'self'; connect-src 'self' "
        "http://127.0.0.1:8000/robots.txt; base-uri 'none'; frame-ancestors 'none'"
    )
    assert page.headers["x-content-type-options"] == "nosniff"


async def test_other_sites_are_given_an_image_and_a_description(client: httpx.AsyncClient) -> None:
    page = await client.get("/")
    properties = {each["property"]: each["content"] for each in Elements(page.text).all("meta") if "property" in each}

    assert properties["og:description"] == PITCH
    heading = page.text.partition('<h1 class="pitch">')[2].partition("</h1>")[0]
    assert re.sub("<[^>]+>", "", heading).replace("&nbsp;", " ") == PITCH
    assert properties["og:image"] == "http://127.0.0.1:8000/social.png"
    image = await client.get("/social.png")
    assert (image.status_code, image.headers["content-type"]) == (200, "image/png")
    assert struct.unpack(">II", image.content[16:24]) == (1200, 630)
    second = await client.get("/social.png", headers={"If-None-Match": image.headers["etag"]})
    assert (second.status_code, second.content) == (304, b"")


async def test_stylesheet_is_sent_and_stored_by_its_etag(client: httpx.AsyncClient) -> None:
    sheet = await client.get("/static/site.css")
    assert sheet.headers["content-type"] == "text/css; charset=utf-8"
    assert ":focus-visible" in sheet.text
    second = await client.get("/static/site.css", headers={"If-None-Match": sheet.headers["etag"]})
    assert second.status_code == 304


async def test_published_page_is_reported_with_its_owner_link_and_its_time(client: httpx.AsyncClient) -> None:
    result = await publish(client)

    assert result.status_code == 200
    assert result.headers["cache-control"] == "no-store"
    (url,) = set(re.findall(r"http://127\.0\.0\.1:8000/p/[a-z0-9]{20}", result.text))
    assert f'readonly value="{url}" data-link>' in result.text
    assert f'<a class="button" href="{url}">Open</a>' in result.text
    assert len(re.findall(r"<button [^>]*data-copy-link data-script hidden>", result.text)) == 2
    assert result.text.count('class="primary"') == 1
    assert "it is shown only until you leave" in result.text
    assert "4 March 2026, 12:00 UTC" in unescape(result.text)
    token = "[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}"
    (owner_link,) = set(re.findall(rf"http://127\.0\.0\.1:8000/claim/{token}", result.text))
    assert f'<a href="{owner_link}" data-link>' in result.text
    page = await client.get(url)
    assert "A <em>first</em> page." in page.text


@pytest.mark.parametrize(
    ("content", "title"),
    [
        ("text\n\n## Second\n\n# First *level*", "First level"),
        ("no heading", "Untitled"),
        ("# <b>a</b> &lt;b>", "a &lt;b&gt;"),
        (f"# {'x' * 300}", "x" * 199 + "…"),
        ("#", "Untitled"),
    ],
)
async def test_title_is_the_first_heading(client: httpx.AsyncClient, content: str, title: str) -> None:
    result = await publish(client, content=content)
    url = re.findall(r"http://127\.0\.0\.1:8000/p/[a-z0-9]{20}", result.text)[0]
    assert f"<title>{title}</title>" in (await client.get(url)).text


async def test_mistake_is_reported_on_the_form_which_keeps_its_content(client: httpx.AsyncClient) -> None:
    rows: tuple[tuple[dict[str, str], str], ...] = (
        ({"content": ""}, "The text is empty"),
        ({"content": "x" * 102_401}, "The text must be at most 102,400 bytes of UTF-8 (got 102,401)."),
        ({"content": "é" * 1_300_000}, "The text must be at most 102,400 bytes of UTF-8 (got 2,600,000)."),
        ({"template_id": "nosuch"}, " (got 'nosuch')."),
        ({"theme_mode": ""}, " must be one of light, dark (got '')."),
        ({"template_id": PAID}, f"The template {PAID} requires the Pro plan; choose another."),
    )
    for fields, message in rows:
        page = await client.post("/", data={**FORM, **fields})

        assert page.status_code == 400, fields
        assert message in unescape(page.text), fields
        assert 'role="alert"' in page.text, fields
        assert Elements(page.text).content == {**FORM, **fields}["content"], fields


async def test_line_ends_that_the_browser_adds_are_not_counted(client: httpx.AsyncClient) -> None:
    page = await publish(client, content="\r\n" * 102_400)
    assert page.status_code == 200


async def test_longest_content_fits_however_it_is_encoded(client: httpx.AsyncClient) -> None:
    page = await publish(client, content="é" * 51_200)
    assert page.status_code == 200


async def test_body_that_is_no_form_is_reported_on_the_form(client: httpx.AsyncClient) -> None:
    for content, content_type in (
        (b"content=x", "text/plain"),
        (b"--x--", "multipart/form-data; boundary=x"),
        (b"", "application/x-www-form-urlencoded"),
        (b"\xff\xfe%ff%00=&&==", "application/x-www-form-urlencoded"),
        (b"a=1&" * 100_000, "application/x-www-form-urlencoded"),
        (b"content=" + b"x" * 8_000_000, "application/x-www-form-urlencoded"),
    ):
        page = await client.post("/", content=content, headers={"Content-Type": content_type})
        assert page.status_code == 400, content
        assert 'role="alert"' in page.text, content


async def test_program_that_sends_json_is_told_where_the_api_is(client: httpx.AsyncClient) -> None:
    response = await client.post("/", json={"content": "x"})
    assert response.status_code == 404
    assert "/v1 for the API" in response.json()["error"]["message"]


async def test_bytes_that_are_no_utf_8_become_replacement_characters(client: httpx.AsyncClient) -> None:
    headers = {"Content-Type": "application/x-www-form-urlencoded"}
    body = b"content=a%ff%00%ed%a0%80b&template_id=swiss&theme_mode=light"
    page = await client.post("/", content=body, headers=headers)
    assert page.status_code == 303


async def test_content_that_resembles_abuse_is_reported_on_the_form(
    client: httpx.AsyncClient, database: Database
) -> None:
    content = (
        "Your wallet was suspended. Enter your 12-word seed phrase at https://wallet-check.example/ to restore it."
    )
    page = await publish(client, content=content)
    assert page.status_code == 400
    assert "The text looks like abuse: " in unescape(page.text)
    assert Elements(page.text).content == content
    with database.read_transaction() as transaction:
        assert not transaction.rows(Statement(select(DOCUMENTS.c.id)))


async def test_site_is_named_as_the_settings_specify(database: Database, converter: Converter) -> None:
    settings = read_settings({"MDPUBLISH_SERVICE_NAME": "<Pages>", "MDPUBLISH_PUBLIC_URL": "https://example.org"})
    transport = httpx.ASGITransport(create_app(settings, database=database, converter=converter))
    async with httpx.AsyncClient(transport=transport, base_url="https://example.org") as client:
        page = await client.get("/")
        published = await client.post("/v1/demo/publish", json={"content": "x"})

    assert "&lt;Pages&gt;" in page.text
    assert "<Pages>" not in page.text
    assert published.json()["url"].startswith("https://example.org/p/")
