import asyncio
import gzip
import re
from base64 import b64encode
from datetime import timedelta
from hashlib import sha256
from html.parser import HTMLParser

import httpx
import pytest
from sqlalchemy import delete, select, update
from sqlalchemy.sql.base import Executable

from mdpublish_core.hosting.pages import page_script_hash
from mdpublish_server.services.demos import DEMO_LIFETIME
from mdpublish_server.services.pages import stored_version
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import find_account_by_email, set_plan
from mdpublish_server.storage.tables import DOCUMENTS, PAGES
from mdpublish_server.storage.transactions import Statement
from mdpublish_server.validation.content_encoding import accepts_gzip
from tests.server.api_requests import publish_new
from tests.server.conftest import Travel
from tests.server.test_storage_sqlite import count_change

pytestmark = pytest.mark.anyio

# Of pages without fonts, the default.
VERSION = stored_version(loads_fonts=True)

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
        "sandbox allow-scripts allow-popups; default-src 'none'; img-src https: data: http://127.0.0.1:8000; font-src "
        f"'self'; connect-src http://127.0.0.1:8000/robots.txt; style-src 'sha256-{style_hash}'; script-src "
        f"'{page_script_hash()}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    )
    assert page.headers["x-content-type-options"] == "nosniff"
    assert page.headers["referrer-policy"] == "no-referrer"
    assert page.headers["x-robots-tag"] == "noindex"


async def test_page_holds_nothing_that_runs_or_loads(client: httpx.AsyncClient, free: httpx.AsyncClient) -> None:
    content = (
        "<script>alert(1)</script>\n\n[x](javascript:alert)\n\n<style>p{}</style>\n\n<p onclick='a()' style='b'>c</p>"
    )
    # From an account: the abuse filter rejects this in a demo.
    response = await free.post("/v1/documents/publish", json={"content": content})
    page = await client.get(response.json()["published_url"])

    tags: list[tuple[str, list[tuple[str, str | None]]]] = []

    class Collector(HTMLParser):
        def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
            tags.append((tag, attrs))

    Collector().feed(page.text)
    assert [tag for tag, _ in tags].count("style") == 1
    assert "script" not in {tag for tag, _ in tags}
    names = {name for _, attributes in tags for name, _ in attributes}
    assert not {name for name in names if name == "style" or name.startswith("on")}
    values = {value for _, attributes in tags for _, value in attributes}
    assert not {value for value in values if "javascript:" in (value or "")}


async def test_page_has_a_switch_and_links_beside_headings_and_a_preview_has_none(
    client: httpx.AsyncClient, pro: httpx.AsyncClient
) -> None:
    content = "# Title\n\n## Part\n\nText"
    published = await pro.post("/v1/documents/publish", json={"content": content})
    page = (await client.get(published.json()["published_url"])).text
    form = {"content": content, "template_id": "swiss", "theme_mode": "light"}
    preview = (await client.post("/preview", data=form, headers={"Sec-Fetch-Site": "same-origin"})).text

    shown = {each: (page.count(each), preview.count(each)) for each in ('class="mode"', 'class="anchor"', ">Part<")}
    assert shown == {'class="mode"': (1, 0), 'class="anchor"': (1, 0), ">Part<": (1, 1)}


async def test_page_shows_where_else_its_content_and_its_image_are(client: httpx.AsyncClient, url: str) -> None:
    page = (await client.get(url)).text
    path = url.removeprefix("http://127.0.0.1:8000")

    report = f"http://127.0.0.1:8000/report?page={path.replace('/', '%2F')}"
    assert f'<a href="{report}" rel="nofollow">Report this page</a>' in page
    assert f'<meta property="og:image" content="{url}.png" />' in page
    assert '<meta property="og:image:alt" content="Greeting" />' in page
    assert '<meta property="og:site_name" content="mdpublish" />' in page
    assert '<meta property="og:description" content="A first page." />' in page
    assert '<meta name="description" content="A first page." />' in page


async def test_page_names_the_feed_that_has_it(client: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    document, url = await published(pro, visibility="public")
    feed = (
        '<link rel="alternate" type="application/atom+xml" title="Pages by pro-user" '
        'href="http://127.0.0.1:8000/u/pro-user/feed.atom" />'
    )
    assert feed in (await client.get(url)).text

    # Pages with visibility `link`, and accounts without a username, have no feed.
    await republish(pro, document, visibility="link")
    assert "atom" not in (await client.get(url)).text


async def test_page_of_an_account_without_a_username_is_in_no_feed(
    client: httpx.AsyncClient, free: httpx.AsyncClient, database: Database
) -> None:
    with database.write_transaction() as transaction:
        account = find_account_by_email(transaction, "free@example.org")
        assert account
        set_plan(transaction, account.id, "pro", until=None)
    _, url = await published(free, visibility="public")
    assert "/d/" in url
    assert "atom" not in (await client.get(url)).text


async def test_what_an_author_wrote_is_escaped_in_the_head(client: httpx.AsyncClient, free: httpx.AsyncClient) -> None:
    hostile = '"><script>alert(1)</script><meta name="x'
    response = await free.post(
        "/v1/documents/publish", json={"content": f"`{hostile}`", "title": hostile, "description": None}
    )
    page = (await client.get(response.json()["published_url"])).text

    assert "<script" not in page
    assert '<meta name="x' not in page
    assert page.partition("</head>")[0].count("&quot;&gt;&lt;script&gt;") == 5


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
async def test_gzip_is_accepted_as_the_header_specifies(accept_encoding: str, accepted: bool) -> None:
    assert accepts_gzip(accept_encoding) is accepted


async def test_client_with_the_same_bytes_gets_none(client: httpx.AsyncClient, url: str) -> None:
    for encoding in ("gzip", "identity"):
        headers = {"Accept-Encoding": encoding}
        etag = (await client.get(url, headers=headers)).headers["etag"]

        for names in (etag, f"W/{etag}", f'"other", {etag}', "*"):
            second = await client.get(url, headers={**headers, "If-None-Match": names})
            assert (second.status_code, second.content) == (304, b""), encoding
            assert second.headers["etag"] == etag, encoding
            assert second.headers["cache-control"] == "no-cache", encoding
            assert second.headers["vary"] == "Accept-Encoding", encoding


async def test_client_with_other_bytes_gets_the_page(client: httpx.AsyncClient, url: str) -> None:
    for names in ('"other"', "", "etag", '"'):
        assert (await client.get(url, headers={"If-None-Match": names})).status_code == 200, names


async def test_etag_is_strong_and_stays(client: httpx.AsyncClient, url: str) -> None:
    first, second = await client.get(url), await client.get(url)
    assert re.fullmatch(r'"[\w-]+"', first.headers["etag"])
    assert first.headers["etag"] == second.headers["etag"]
    assert first.headers["cache-control"] == "no-cache"


async def test_head_gives_the_headers_of_get(client: httpx.AsyncClient, url: str) -> None:
    for page_url in (
        url,
        f"{url}.png",
        "/",
        "/static/site.css",
        "/healthz",
        "/readyz",
        "/signup",
        "/signin",
        "/p/nosuch",
        "/nosuch",
    ):
        # Forms with a nonce are never compressed to the same length twice.
        headers = {"Accept-Encoding": "identity"}
        get, head = await client.get(page_url, headers=headers), await client.head(page_url, headers=headers)
        assert head.status_code == get.status_code
        # Request ids differ.
        assert head.headers.pop("x-request-id") != get.headers.pop("x-request-id")
        assert head.headers == get.headers
        assert head.content == b""


async def test_page_lives_until_its_72_hours_have_passed(client: httpx.AsyncClient, url: str, travel: Travel) -> None:
    travel(DEMO_LIFETIME - MICROSECOND)
    assert (await client.get(url)).status_code == 200

    travel(MICROSECOND)
    expired = await client.get(url)

    assert timedelta(hours=72) == DEMO_LIFETIME
    assert expired.status_code == 410
    assert "This page has expired" in expired.text
    assert "Hello" not in expired.text


async def test_unknown_page_is_reported_on_a_page(client: httpx.AsyncClient) -> None:
    for identifier in ("nosuch", "x" * 20, "X" * 20, "é" * 20, "%00" * 20, "x" * 5_000, "%ff", "..%2f..", "'", "a;b"):
        response = await client.get(f"/p/{identifier}", follow_redirects=True)
        assert response.status_code == 404, identifier
        assert response.headers["content-type"] == "text/html; charset=utf-8", identifier
        assert "Page not found" in response.text, identifier


def change(database: Database, statement: Executable) -> None:
    """Change rows without the service, which forgets the pages that it has in memory."""
    with database.write_transaction() as transaction:
        assert transaction.change(Statement(statement))
        count_change(transaction)


@pytest.mark.parametrize(
    "stale",
    [{"render_version": VERSION - 2}, {"render_version": VERSION + 1}, {"revision": 7}, {"has_badge": False}, None],
)
async def test_page_that_is_not_as_it_should_be_is_rerendered_once(
    client: httpx.AsyncClient, url: str, database: Database, stale: dict[str, object] | None
) -> None:
    fresh = await client.get(url)
    if stale is None:
        change(database, delete(PAGES))
    else:
        change(database, update(PAGES).values(body=gzip.compress(b"old"), etag="old", style_hash="sha256-old", **stale))

    second = await client.get(url)

    assert second.content == fresh.content
    for response in (second, fresh):
        del response.headers["x-request-id"]
    assert second.headers == fresh.headers
    with database.read_transaction() as transaction:
        row = transaction.row(Statement(select(PAGES.c.render_version, PAGES.c.revision, PAGES.c.has_badge)))
    assert row is not None
    assert (row[0], row[1], bool(row[2])) == (VERSION, 1, True)


async def test_page_that_cannot_be_rerendered_is_reported_without_its_cause(
    client: httpx.AsyncClient, url: str, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    change(database, delete(PAGES))
    change(database, update(DOCUMENTS).values(template_id="gone"))

    response = await client.get(url)

    assert response.status_code == 500
    assert "Something went wrong" in response.text
    assert "gone" not in response.text
    assert "UnknownTemplate" in caplog.text


async def test_page_of_another_render_version_is_served_where_it_cannot_be_rerendered(
    client: httpx.AsyncClient, url: str, database: Database, caplog: pytest.LogCaptureFixture
) -> None:
    fresh = await client.get(url)
    change(database, update(PAGES).values(render_version=VERSION - 2))
    change(database, update(DOCUMENTS).values(template_id="gone"))

    second = await client.get(url)

    assert (second.status_code, second.content) == (200, fresh.content)
    assert "serving the stored version" in caplog.text


async def test_stale_page_is_rendered_once_for_thirty_viewers(
    client: httpx.AsyncClient, url: str, database: Database, jobs: list[str]
) -> None:
    fresh = await client.get(url)
    change(database, update(PAGES).values(render_version=VERSION - 2, body=gzip.compress(b"old")))
    jobs.clear()

    views = await asyncio.gather(*(client.get(url) for _ in range(30)))

    assert {(view.status_code, view.content) for view in views} == {(200, fresh.content)}
    assert jobs == ["render"]


async def test_failed_rendering_is_shared_and_tried_again_later(
    client: httpx.AsyncClient, url: str, database: Database, jobs: list[str]
) -> None:
    change(database, delete(PAGES))
    change(database, update(DOCUMENTS).values(template_id="gone"))
    jobs.clear()

    views = await asyncio.gather(*(client.get(url) for _ in range(30)))
    shared = len(jobs)
    change(database, update(DOCUMENTS).values(template_id="swiss"))

    assert {view.status_code for view in views} == {500}
    assert shared == 1
    assert (await client.get(url)).status_code == 200


async def published(client: httpx.AsyncClient, **options: object) -> tuple[str, str]:
    """Publish a document; return its id and URL."""
    created = (await client.post("/v1/documents", json={"title": "Greeting", "content": "# Hello"})).json()
    response = await client.post(f"/v1/documents/{created['id']}/publish", json=options)
    assert response.status_code == 200, response.text
    return created["id"], response.json()["published_url"]


async def republish(client: httpx.AsyncClient, document: str, **options: object) -> str:
    response = await client.post(f"/v1/documents/{document}/publish", json=options)
    assert response.status_code == 200, response.text
    return str(response.json()["published_url"])


async def test_page_that_is_hidden_keeps_its_headers_in_a_304(
    client: httpx.AsyncClient, pro: httpx.AsyncClient
) -> None:
    _, url = await published(pro)
    page = await client.get(url)
    second = await client.get(url, headers={"If-None-Match": page.headers["etag"]})
    assert second.status_code == 304
    for name in ("x-robots-tag", "content-security-policy", "referrer-policy", "x-content-type-options"):
        assert second.headers[name] == page.headers[name]


@pytest.mark.parametrize("form", ["{}/", "{}//", "upper", "escaped", "{}/?a=b%20c", "{}.MD"])
async def test_other_forms_of_a_url_lead_to_the_page(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, form: str
) -> None:
    url = (await publish_new(pro, slug="garden-day", show_source=True))["published_url"]
    path = url.removeprefix("http://127.0.0.1:8000")
    forms = {"upper": path.upper(), "escaped": path.replace("garden", "%67ard%65n")}

    response = await client.get(forms.get(form) or form.format(path))

    query, suffix = "?a=b%20c" * ("?" in form), ".md" * ("MD" in form)
    assert (response.status_code, response.headers["location"]) == (301, f"{path}{suffix}{query}")
    assert (await client.get(response.headers["location"])).status_code == 200


@pytest.mark.parametrize("path", ["/u/", "/p/", "/u/a/b/c/", "/x/pro", "/u/%00/x", "/u/é/x"])
async def test_what_is_no_page_leads_nowhere(client: httpx.AsyncClient, path: str) -> None:
    assert (await client.get(path)).status_code == 404


async def test_former_url_leads_to_the_new_one(client: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    document, first = await published(pro, slug="first")
    second = await republish(pro, document, slug="second")
    third = await republish(pro, document, slug="third")

    assert third == "http://127.0.0.1:8000/u/pro-user/third"
    # One redirect only.
    for former in (first, second):
        for moved in (await client.get(former), await client.head(former)):
            assert (moved.status_code, moved.headers["location"], moved.content) == (301, third, b"")
            assert moved.headers["cache-control"] == "no-cache"
    assert (await client.get(third)).status_code == 200
