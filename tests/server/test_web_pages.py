import gzip
import re
from base64 import b64encode
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import sha256
from html.parser import HTMLParser

import httpx
import pytest
from sqlalchemy import delete, update

from mdpublish_server.conversion import RENDER_VERSION
from mdpublish_server.publishing import DEMO_LIFETIME
from mdpublish_server.storage import SqlStorage
from mdpublish_server.storage.tables import ADDRESSES, DOCUMENTS
from mdpublish_server.web.ready import accepts_gzip

pytestmark = pytest.mark.anyio

MICROSECOND = timedelta(microseconds=1)


@pytest.fixture
async def url(client: httpx.AsyncClient) -> str:
    body = {"content": "# Hello\n\nA *first* page.", "title": "Greeting"}
    return str((await client.post("/v1/demo/publish", json=body)).json()["url"])


async def test_page_shows_the_document_in_a_frame(client: httpx.AsyncClient, url: str) -> None:
    page = await client.get(url)

    assert page.status_code == 200
    assert page.headers["content-type"] == "text/html; charset=utf-8"
    assert page.text.startswith('<!DOCTYPE html>\n<html lang="en">')
    assert "<title>Greeting</title>" in page.text
    assert "A <em>first</em> page." in page.text
    assert f'<link rel="canonical" href="{url}" />' in page.text
    assert '<meta name="robots" content="noindex" />' in page.text
    assert '<a href="http://127.0.0.1:8000">Published with mdpublish</a>' in page.text


async def test_page_shares_no_rights_with_the_site(client: httpx.AsyncClient, url: str) -> None:
    page = await client.get(url)

    (style,) = re.findall("<style>(.*?)</style>", page.text, re.DOTALL)
    style_hash = b64encode(sha256(style.encode()).digest()).decode()
    assert page.headers["content-security-policy"] == (
        "sandbox allow-scripts allow-popups; default-src 'none'; img-src https: data:; font-src 'self'; "
        f"style-src 'sha256-{style_hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["x-robots-tag"] == "noindex"


@pytest.mark.parametrize("theme_mode", ["light", "dark"])
async def test_policy_names_the_style_of_each_mode(client: httpx.AsyncClient, theme_mode: str) -> None:
    body = {"content": "x", "theme_mode": theme_mode}
    page = await client.get((await client.post("/v1/demo/publish", json=body)).json()["url"])

    (style,) = re.findall("<style>(.*?)</style>", page.text, re.DOTALL)
    style_hash = b64encode(sha256(style.encode()).digest()).decode()
    assert f"style-src 'sha256-{style_hash}';" in page.headers["content-security-policy"]


async def test_page_holds_nothing_that_runs_or_loads(client: httpx.AsyncClient) -> None:
    content = (
        "<script>alert(1)</script>\n\n[x](javascript:alert)\n\n<style>p{}</style>\n\n<p onclick='a()' style='b'>c</p>"
    )
    page = await client.get((await client.post("/v1/demo/publish", json={"content": content})).json()["url"])

    tags: list[tuple[str, list[tuple[str, str | None]]]] = []

    class Collector(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.append((tag, attrs))

    Collector().feed(page.text)
    assert [tag for tag, _ in tags].count("style") == 1
    assert "script" not in {tag for tag, _ in tags}
    names = {name for _, attributes in tags for name, _ in attributes}
    assert not {name for name in names if name == "style" or name.startswith("on")}
    assert "javascript:" not in page.text


async def test_page_is_sent_gzipped_where_that_is_taken(client: httpx.AsyncClient, url: str) -> None:
    async with client.stream("GET", url, headers={"Accept-Encoding": "gzip"}) as response:
        zipped = b"".join([chunk async for chunk in response.aiter_raw()])
    plain = await client.get(url, headers={"Accept-Encoding": "identity"})

    assert response.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in plain.headers
    assert gzip.decompress(zipped) == plain.content
    assert response.headers["vary"] == plain.headers["vary"] == "Accept-Encoding"
    assert response.headers["etag"] != plain.headers["etag"]


@pytest.mark.parametrize(
    ("accept_encoding", "accepted"),
    [
        ("", False),
        ("identity", False),
        ("br", False),
        ("gzip", True),
        ("GZip", True),
        ("deflate, gzip;q=0.5, br", True),
        ("gzip;q=0", False),
        ("gzip ; q=0.000", False),
        ("*", True),
        ("*;q=0", False),
        ("*, gzip;q=0", False),
        ("x-gzip", False),
        ("gzip;q=", False),
        (",,;;=", False),
    ],
)
async def test_gzip_is_accepted_as_the_header_says(accept_encoding: str, accepted: bool) -> None:
    assert accepts_gzip(accept_encoding) is accepted


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
async def test_client_with_the_same_bytes_gets_none(client: httpx.AsyncClient, url: str, encoding: str) -> None:
    headers = {"Accept-Encoding": encoding}
    etag = (await client.get(url, headers=headers)).headers["etag"]

    for names in (etag, f"W/{etag}", f'"other", {etag}', "*"):
        again = await client.get(url, headers={**headers, "If-None-Match": names})
        assert (again.status_code, again.content) == (304, b"")
        assert again.headers["etag"] == etag
        assert again.headers["cache-control"] == "no-cache"
        assert again.headers["vary"] == "Accept-Encoding"


@pytest.mark.parametrize("names", ['"other"', "", "etag", '"'])
async def test_client_with_other_bytes_gets_the_page(client: httpx.AsyncClient, url: str, names: str) -> None:
    assert (await client.get(url, headers={"If-None-Match": names})).status_code == 200


async def test_etag_is_strong_and_stays(client: httpx.AsyncClient, url: str) -> None:
    first, second = await client.get(url), await client.get(url)
    assert re.fullmatch(r'"[\w-]+"', first.headers["etag"])
    assert first.headers["etag"] == second.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"


async def test_head_gives_the_headers_of_get(client: httpx.AsyncClient, url: str) -> None:
    for address in (url, "/", "/static/site.css", "/healthz", "/p/nosuch", "/nosuch"):
        get, head = await client.get(address), await client.head(address)
        assert head.status_code == get.status_code
        assert head.headers == get.headers
        assert head.content == b""


async def test_page_lives_until_its_72_hours_have_passed(
    client: httpx.AsyncClient, url: str, travel: Callable[[timedelta], None]
) -> None:
    travel(DEMO_LIFETIME - MICROSECOND)
    assert (await client.get(url)).status_code == 200

    travel(MICROSECOND)
    expired = await client.get(url)

    assert timedelta(hours=72) == DEMO_LIFETIME
    assert expired.status_code == 410
    assert "This page has expired" in expired.text
    assert "Hello" not in expired.text


async def test_expiry_told_is_the_expiry_kept(client: httpx.AsyncClient, times: list[datetime]) -> None:
    published = (await client.post("/v1/demo/publish", json={"content": "x"})).json()

    times.append(datetime.fromisoformat(published["expires_at"]) - MICROSECOND)
    assert (await client.get(published["url"])).status_code == 200
    times.append(datetime.fromisoformat(published["expires_at"]))
    assert (await client.get(published["url"])).status_code == 410


@pytest.mark.parametrize(
    "identifier", ["nosuch", "x" * 20, "X" * 20, "é" * 20, "%00" * 20, "x" * 5_000, "%ff", "..%2f..", "'", "a;b"]
)
async def test_unknown_page_is_told_on_a_page(client: httpx.AsyncClient, identifier: str) -> None:
    response = await client.get(f"/p/{identifier}")
    assert response.status_code == 404
    assert response.headers["content-type"] == "text/html; charset=utf-8"
    assert "No page here" in response.text


async def test_swept_page_says_that_it_has_expired(
    client: httpx.AsyncClient, url: str, storage: SqlStorage, travel: Callable[[timedelta], None]
) -> None:
    travel(DEMO_LIFETIME)
    with storage._writer.begin() as connection:
        connection.execute(delete(DOCUMENTS))
    assert (await client.get(url)).status_code == 410


@pytest.mark.parametrize("stale", [{"render_version": RENDER_VERSION - 1}, {"render_version": None, "body": None}])
async def test_page_of_another_render_version_is_rendered_anew_once(
    client: httpx.AsyncClient, url: str, storage: SqlStorage, stale: dict[str, object]
) -> None:
    fresh = await client.get(url)
    old = {"body": gzip.compress(b"old"), "etag": "old", "style_hash": "sha256-old", **stale}
    with storage._writer.begin() as connection:
        connection.execute(update(ADDRESSES).values(**old))

    again = await client.get(url)

    assert again.content == fresh.content
    assert again.headers == fresh.headers
    stored = storage.find_demo(url.rpartition("/")[2])
    assert stored
    assert stored.page
    assert stored.page.render_version == RENDER_VERSION


async def test_page_that_cannot_be_rendered_anew_is_told_without_its_cause(
    client: httpx.AsyncClient, url: str, storage: SqlStorage, caplog: pytest.LogCaptureFixture
) -> None:
    with storage._writer.begin() as connection:
        connection.execute(update(ADDRESSES).values(render_version=0))
        connection.execute(update(DOCUMENTS).values(template_id="gone"))

    response = await client.get(url)

    assert response.status_code == 500
    assert "could not be rendered" in response.text
    assert "gone" not in response.text
    assert "UnknownTemplate" in caplog.text
