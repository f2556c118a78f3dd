"""`/fonts/…`, and pages with and without the fonts of their templates."""

import re
from base64 import b64encode
from hashlib import sha256

import httpx
import pytest

from mdpublish_core.templates.hosted_fonts import FONT_FOLDER
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.services.page_access import ANYBODY
from mdpublish_server.services.pages import stored_version
from mdpublish_server.settings import read_settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database

pytestmark = pytest.mark.anyio

CONTENTS = {entry.name: entry.read_bytes() for entry in FONT_FOLDER.iterdir()}
FONTS = sorted(name for name in CONTENTS if name.endswith(".woff2"))


@pytest.fixture
def environment() -> dict[str, str]:
    return {}


async def publish(client: httpx.AsyncClient, template_id: str = "ink") -> str:
    body = {"content": "# Hello\n\nText.", "template_id": template_id}
    return str((await client.post("/v1/demo/publish", json=body)).json()["url"])


def style_hash(html: str) -> str:
    (style,) = re.findall("<style>(.*?)</style>", html, re.DOTALL)
    return f"'sha256-{b64encode(sha256(style.encode()).digest()).decode()}'"


# Responses


async def test_font_is_stored_for_good_and_open_to_every_page(client: httpx.AsyncClient) -> None:
    response = await client.get(f"/fonts/{FONTS[0]}", headers={"Origin": "null"})

    assert (response.status_code, response.content) == (200, CONTENTS[FONTS[0]])
    assert response.headers["content-type"] == "font/woff2"
    assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert response.headers["access-control-allow-origin"] == "*"
    assert response.headers["x-content-type-options"] == "nosniff"
    assert "content-encoding" not in response.headers


async def test_font_that_is_known_is_not_resent(client: httpx.AsyncClient) -> None:
    first = await client.get(f"/fonts/{FONTS[0]}")

    second = await client.get(f"/fonts/{FONTS[0]}", headers={"If-None-Match": first.headers["etag"]})

    assert (second.status_code, second.content) == (304, b"")
    assert second.headers["access-control-allow-origin"] == "*"


async def test_nothing_but_a_font_is_detected(client: httpx.AsyncClient) -> None:
    for name in (
        "",
        "anton-400.woff2",
        "anton.OFL.txt",
        "..%2Fsite.css",
        "../site.css",
        "%2e%2e/site.css",
        "..%5Csite.css",
        f"{FONTS[0]}%00",
        f"{FONTS[0]}/",
        FONTS[0].upper(),
    ):
        assert (await client.get(f"/fonts/{name}")).status_code == 404, name


# Pages


async def test_page_loads_the_fonts_of_its_template(client: httpx.AsyncClient) -> None:
    page = await client.get(await publish(client))

    assert '<link rel="preload" href="http://127.0.0.1:8000/fonts/literata-400.' in page.text
    named = set(re.findall(r'url\("http://127\.0\.0\.1:8000/fonts/([^"]+)"\)', page.text))
    assert named
    assert named <= set(FONTS)
    assert f"style-src {style_hash(page.text)};" in page.headers["content-security-policy"]
    assert "font-src 'self';" in page.headers["content-security-policy"]


async def test_page_of_a_template_without_fonts_loads_none(client: httpx.AsyncClient) -> None:
    page = await client.get(await publish(client, "terminal"))

    assert "/fonts/" not in page.text


async def test_preview_loads_fonts_by_its_own_policy(client: httpx.AsyncClient) -> None:
    form = {"content": "# Hello", "template_id": "ink", "theme_mode": "light"}
    page = await client.post("/preview", data=form, headers={"Sec-Fetch-Site": "same-origin"})

    assert "http://127.0.0.1:8000/fonts/bodoni-moda-400." in page.text
    assert "font-src 'self';" in page.headers["content-security-policy"]


async def test_interface_has_its_fonts_in_every_weight_that_is_hosted(client: httpx.AsyncClient) -> None:
    page, style = await client.get("/"), (await client.get("/static/site.css")).text

    assert "font-src 'self';" in page.headers["content-security-policy"]
    assert set(re.findall(r'url\("/fonts/([^"]+)"\)', style)) == {
        name for name in FONTS if re.match(r"(inter|jetbrains-mono)-\d", name)
    }
    assert "font-display:optional" not in style


async def test_full_specimen_loads_fonts_and_the_gallery_none_of_its_own(client: httpx.AsyncClient) -> None:
    full, gallery = await client.get("/templates/executive/light/specimen"), await client.get("/templates")

    assert "http://127.0.0.1:8000/fonts/libre-baskerville-" in full.text
    assert "font-src 'self';" in full.headers["content-security-policy"]
    assert "/fonts/" not in gallery.text


async def test_page_is_rerendered_when_fonts_are_turned_on_or_off(
    client: httpx.AsyncClient, state: AppState, database: Database, converter: Converter
) -> None:
    path = (await publish(client)).removeprefix("http://127.0.0.1:8000")
    without = AppState(
        read_settings({"MDPUBLISH_WEB_FONTS": "off"}), database=database, converter=converter, clock=state.clock
    )
    seen = []
    for each in (state, without, state):
        view = await each.page_server.view(path, network="192.0.2.1", visitor=ANYBODY)
        assert view.page is not None
        seen.append((view.page.render_version, view.page.etag))

    on, off = stored_version(loads_fonts=True), stored_version(loads_fonts=False)
    assert [version for version, _ in seen] == [on, off, on]
    assert seen[0] == seen[2]
    assert seen[0][1] != seen[1][1]


class TestWithoutFonts:
    """With the setting `off`."""

    @pytest.fixture
    def environment(self) -> dict[str, str]:
        return {"MDPUBLISH_WEB_FONTS": "off"}

    async def test_fonts_are_not_there(self, client: httpx.AsyncClient) -> None:
        assert (await client.get(f"/fonts/{FONTS[0]}")).status_code == 404

    async def test_nothing_names_them(self, client: httpx.AsyncClient) -> None:
        full, page = await client.get("/templates/ink/light/specimen"), await client.get(await publish(client))
        home, style = await client.get("/"), await client.get("/static/site.css")

        for response in (full, page, home, style):
            assert "/fonts/" not in response.text
            assert "@font-face" not in response.text
        assert "fallback" not in full.text + page.text
        for response in (full, home):
            assert "font-src" not in response.headers["content-security-policy"]
