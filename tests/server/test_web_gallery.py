import re
from base64 import b64encode
from hashlib import sha256
from xml.etree.ElementTree import Element

import html5lib
import httpx
import pytest

from mdpublish_core import list_templates
from mdpublish_core.templates import THEME_MODES

pytestmark = pytest.mark.anyio


def parsed(response: httpx.Response) -> Element:
    tree: Element = html5lib.HTMLParser(strict=True, namespaceHTMLElements=False).parse(response.text)
    return tree


def allowed_style(response: httpx.Response) -> str:
    matches = re.search(r"style-src '(sha256-[^']+)'", response.headers["content-security-policy"])
    assert matches
    return matches[1]


def hash_of_style(tree: Element) -> str:
    (style,) = tree.iter("style")
    return f"sha256-{b64encode(sha256((style.text or '').encode()).digest()).decode()}"


async def test_gallery_shows_every_template_and_leads_to_each_in_full(client: httpx.AsyncClient) -> None:
    response = await client.get("/templates")

    tree = parsed(response)
    links = [link.get("href") for link in tree.iter("a") if link.get("class") == "open"]
    assert links == [f"/templates/{each.id}/{mode}" for each in list_templates() for mode in THEME_MODES]
    assert allowed_style(response) == hash_of_style(tree)
    assert not list(tree.iter("script"))


@pytest.mark.parametrize("mode", THEME_MODES)
async def test_full_specimen_leads_back(client: httpx.AsyncClient, mode: str) -> None:
    response = await client.get(f"/templates/paper/{mode}")

    tree = parsed(response)
    assert [heading.text for heading in tree.iter("h1")] == ["Paper"]
    assert "/templates#template-paper" in [link.get("href") for link in tree.iter("a")]
    assert allowed_style(response) == hash_of_style(tree)


async def test_gallery_is_resent_only_when_it_changed(client: httpx.AsyncClient) -> None:
    first = await client.get("/templates")

    second = await client.get("/templates", headers={"If-None-Match": first.headers["etag"]})

    assert (second.status_code, second.content) == (304, b"")


@pytest.mark.parametrize("path", ["/templates/none/light", "/templates/paper/grey", "/templates/paper"])
async def test_template_that_is_none_is_not_found(client: httpx.AsyncClient, path: str) -> None:
    response = await client.get(path)

    assert response.status_code == 404
    assert response.headers["content-type"].startswith("text/html")


async def test_landing_page_leads_to_the_gallery(client: httpx.AsyncClient) -> None:
    assert 'href="/templates"' in (await client.get("/")).text
