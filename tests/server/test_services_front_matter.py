"""Front matter as defaults of a request: on creating and converting, never on PATCH and publish."""

import re
from typing import Any

import httpx
import pytest

from mdpublish_server.abuse import scan
from mdpublish_server.conversion.converter import Converter, Share
from tests.server.api_requests import create, get, publish, update

pytestmark = pytest.mark.anyio

CONTENT = (
    "\ufeff---\r\ntitle: 'Garden day'\r\ndescription: About it\r\nlang: de-CH\r\ntemplate: paper\r\ntheme_mode: "
    "dark\r\nslug: garden-2026\r\npage_width: wide\r\ntags: [a]\r\n---\r\nTwo words\r\n"
)


async def page_at(client: httpx.AsyncClient, url: str) -> str:
    response = await client.get(url)
    assert response.status_code == 200
    return response.text


async def notices_of(client: httpx.AsyncClient, path: str, body: dict[str, Any]) -> list[tuple[str, str, int | None]]:
    response = await client.post(path, json=body)
    assert response.is_success, response.text
    return [(notice["code"], notice["message"], notice["line"]) for notice in response.json()["notices"]]


async def test_cleared_description_stays_so(free: httpx.AsyncClient) -> None:
    document_id = await create(free, content="---\ndescription: About it\n---\n")
    published = await publish(free, document_id)
    assert "About it" in await page_at(free, published["published_url"])

    await update(free, document_id, description=None)
    assert "About it" not in await page_at(free, published["published_url"])


PRO_ONLY = "---\ntemplate: nord\nslug: garden-2026\n---\nText\n"
NEEDS_PRO = "'nord' requires the Pro plan; use a template of the category free; it is ignored"


async def test_value_that_the_plan_does_not_allow_is_a_notice(free: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    published = await notices_of(free, "/v1/documents/publish", {"content": PRO_ONLY})

    assert published == [
        ("front-matter-ignored", f"template {NEEDS_PRO}", 2),
        ("front-matter-ignored", "slug requires the Pro plan; it is ignored", 3),
    ]
    assert await notices_of(free, "/v1/documents", {"content": PRO_ONLY}) == published[:1]
    assert await notices_of(free, "/v1/demo/publish", {"content": PRO_ONLY}) == published[:1]
    assert await notices_of(free, "/v1/convert", {"markdown": PRO_ONLY}) == [
        ("front-matter-ignored", f"`template` {NEEDS_PRO}", 2)
    ]
    assert await notices_of(pro, "/v1/documents/publish", {"content": PRO_ONLY}) == []
    assert await notices_of(pro, "/v1/convert", {"markdown": PRO_ONLY}) == []


async def test_invalid_value_is_a_notice_and_never_an_error(pro: httpx.AsyncClient) -> None:
    for line, message in (
        ("theme_mode: dim", "`theme_mode` must be one of light, dark (got 'dim'); it is ignored"),
        (f"title: {'x' * 201}", "title must be at most 200 characters (got 201); it is ignored"),
        (f"description: {'x' * 501}", "description must be at most 500 characters (got 501); it is ignored"),
        ("slug: A B", "slug must consist of a-z, 0-9 and single hyphens between them (got 'A B'); it is ignored"),
        ("title: a: b", None),
    ):
        notices = await notices_of(pro, "/v1/documents/publish", {"content": f"---\nauthor: Me\n{line}\n---\nText\n"})

        assert len(notices) == 1, line
        assert message is None or notices == [("front-matter-ignored", message, 3)], line


async def test_front_matter_past_a_limit_is_text_with_a_notice(free: httpx.AsyncClient) -> None:
    content = "---\n" + "".join(f"k{number}: v\n" for number in range(201)) + "---\n"
    response = await free.post("/v1/documents", json={"content": content})

    document = await get(free, response.json()["id"])
    assert document["word_count"] == 402
    assert [notice["code"] for notice in response.json()["notices"]] == ["front-matter-ignored"]


async def test_conversion_follows_front_matter(free: httpx.AsyncClient) -> None:
    body = {"markdown": CONTENT.replace("tags: [a]", "extensions: breaks") + "more", "destination": "html"}
    converted = (await free.post("/v1/convert", json=body)).json()

    assert (converted["template_id"], converted["theme_mode"]) == ("paper", "dark")
    assert converted["html"] == "<p>Two words<br />\nmore</p>\n"
    given = (await free.post("/v1/convert", json=body | {"template_id": "swiss", "theme_mode": "light"})).json()
    assert (given["template_id"], given["theme_mode"]) == ("swiss", "light")


async def test_form_leaves_what_was_not_chosen_to_front_matter(client: httpx.AsyncClient) -> None:
    form = {"content": CONTENT, "template_id": "swiss", "theme_mode": "light"}
    same_origin = {"Sec-Fetch-Site": "same-origin"}
    published = await client.post("/", data=form, headers=same_origin, follow_redirects=True)
    url = re.search(r'http://[^"]+/p/[a-z0-9]{20}', published.text)
    assert url

    page, preview = await client.get(url[0]), await client.post("/preview", data=form, headers=same_origin)
    for response in (page, preview):
        assert response.status_code == 200
        assert "Garden day" in response.text
        assert "mdpublish-paper-dark" in response.text
    # Readers may switch the page, which is dark at first.
    assert ":root:not(:has(>body>*>.mode:checked)) {color-scheme:dark;" in page.text


async def test_choice_in_the_form_wins(client: httpx.AsyncClient) -> None:
    form = {"content": CONTENT, "template_id": "mono", "theme_mode": "light"}
    response = await client.post("/preview", data=form, headers={"Sec-Fetch-Site": "same-origin"})

    assert "mdpublish-mono-dark" in response.text


# Abuse.

LURE = "Your account has been suspended. Verify your password now at https://secure-login.example.xyz/verify"


def escaped(value: str) -> str:
    return "".join(f"\\u{ord(character):04x}" for character in value)


@pytest.mark.parametrize("key", ["title", "description", "unknown"])
@pytest.mark.parametrize("value", [LURE, f'"{LURE}"', f'"{escaped(LURE)}"'], ids=["plain", "quoted", "escaped"])
def test_filter_reads_front_matter(key: str, value: str) -> None:
    assert scan("Hello", f"---\n{key}: {value}\n---\n\nHello\n") is not None


async def test_lure_in_a_title_of_front_matter_is_rejected(client: httpx.AsyncClient) -> None:
    content = f'---\ntitle: "{escaped(LURE)}"\n---\nHello\n'
    response = await client.post("/v1/demo/publish", json={"content": content})

    assert (response.status_code, response.json()["error"]["code"]) == (400, "content_rejected")


def test_plain_front_matter_is_no_reason_to_refuse() -> None:
    assert scan("Garden day", CONTENT) is None


# Workers.


async def test_document_without_front_matter_costs_no_job() -> None:
    converter = Converter(workers=1, demo_workers=1)
    try:
        read = await converter.read_front_matter("# No", share=Share.ACCOUNTS, client_id="a")
    finally:
        converter.close()

    assert read.values == {}
