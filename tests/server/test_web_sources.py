"""The Markdown source of a published page, at its URL plus `.md`, where its owner shows it."""

import httpx
import pytest

from mdpublish_server.services.accounts import set_username, suspend, take_page_down
from mdpublish_server.services.demos import DEMO_LIFETIME
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import find_account_by_email
from tests.server.api_requests import (
    SITE,
    claim,
    create,
    delete,
    get,
    publish,
    publish_demo,
    publish_new,
    unpublish,
    update,
)
from tests.server.conftest import NOW, Travel

pytestmark = pytest.mark.anyio

ODD = "# Ä\r\n\r\n\ttabs  \n<script>alert(1)</script>\u2028\U0001f600 \ufffe\n\n\n"


@pytest.fixture
async def urls(pro: httpx.AsyncClient, free: httpx.AsyncClient) -> list[str]:
    """The URLs of one page of each kind that can show its source, with the same content."""
    return [
        (await publish_new(pro, "# One", slug="one", show_source=True))["published_url"],
        (await publish_new(free, "# One", show_source=True))["published_url"],
    ]


async def test_source_is_hidden_unless_the_owner_shows_it(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, free: httpx.AsyncClient
) -> None:
    pages = [
        (await publish_new(pro, "# One <!-- two -->", visibility="public"))["published_url"],
        (await publish_new(free, "# One <!-- two -->"))["published_url"],
        (await publish_demo(client, "# One <!-- two -->"))["url"],
    ]
    never = await client.get(f"{SITE}/u/pro-user/never-was.md")
    for url in pages:
        source = await client.get(f"{url}.md")
        assert (source.status_code, source.content) == (404, never.content)
        page = (await client.get(url)).text
        assert f"{url}.md" not in page
        assert "two" not in page


@pytest.mark.parametrize("operation", ["update", "publish"])
async def test_owner_shows_and_hides_the_source_at_once(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, operation: str
) -> None:
    change = {"update": update, "publish": publish}[operation]
    published = await publish_new(pro, "# One")
    url, document_id = published["published_url"], published["id"]
    for is_shown in (True, False):
        await change(pro, document_id, show_source=is_shown)
        assert (await get(pro, document_id))["show_source"] is is_shown
        for link in (
            f'<a href="{url}.md">Source</a>',
            f'<link rel="alternate" type="text/markdown" title="Source" href="{url}.md" />',
        ):
            assert (link in (await client.get(url)).text) is is_shown
        assert (await client.get(f"{url}.md")).status_code == (200 if is_shown else 404)
        # It stays when other options change.
        await publish(pro, document_id, description="D")
        assert (await get(pro, document_id))["show_source"] is is_shown


async def test_source_is_plain_text_that_runs_nowhere_and_is_not_listed(
    client: httpx.AsyncClient, urls: list[str]
) -> None:
    for url in urls:
        headers = (await client.get(f"{url}.md")).headers
        assert headers["content-type"] == "text/markdown; charset=utf-8"
        assert headers["content-security-policy"] == "sandbox; default-src 'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert headers["x-robots-tag"] == "noindex"
        assert headers["link"] == f'<{url}>; rel="canonical"'
        assert headers["cache-control"] == "no-cache"
        assert headers["vary"] == "Accept-Encoding"


async def test_source_is_byte_for_byte_what_was_written(client: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    url = (await publish_new(pro, ODD, show_source=True))["published_url"]
    assert (await client.get(f"{url}.md")).content == ODD.encode()


@pytest.mark.parametrize("encoding", ["gzip", "identity"])
async def test_client_with_the_same_source_gets_none(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, encoding: str
) -> None:
    published = await publish_new(pro, "long " * 1_000, show_source=True)
    url, headers = f"{published['published_url']}.md", {"Accept-Encoding": encoding}
    first = await client.get(url, headers=headers)
    assert first.headers.get("content-encoding", "identity") == encoding

    headers["If-None-Match"] = first.headers["etag"]
    second = await client.get(url, headers=headers)
    await update(pro, published["id"], content="other")
    changed = await client.get(url, headers=headers)

    assert (second.status_code, second.content) == (304, b"")
    assert "content-type" not in second.headers
    for name in ("etag", "cache-control", "vary", "x-robots-tag", "content-security-policy"):
        assert second.headers[name] == first.headers[name]
    assert (changed.status_code, changed.content) == (200, b"other")


async def test_head_gives_the_headers_of_get(client: httpx.AsyncClient, urls: list[str]) -> None:
    for url in (f"{urls[0]}.md", f"{SITE}/d/nosuch.md"):
        get, head = await client.get(url), await client.head(url)
        assert head.headers.pop("x-request-id") != get.headers.pop("x-request-id")
        assert (head.status_code, head.headers, head.content) == (get.status_code, get.headers, b"")


async def test_other_methods_are_refused(client: httpx.AsyncClient, urls: list[str]) -> None:
    for url in urls:
        response = await client.post(f"{url}.md")
        assert (response.status_code, response.headers["allow"]) == (405, "GET, HEAD")


async def test_source_moves_with_its_page(client: httpx.AsyncClient, pro: httpx.AsyncClient) -> None:
    document_id = await create(pro, content="# One")
    await publish(pro, document_id, slug="first", show_source=True)
    await publish(pro, document_id, slug="second")

    moved = await client.get(f"{SITE}/u/pro-user/first.md")

    assert (moved.status_code, moved.headers["location"]) == (301, f"{SITE}/u/pro-user/second.md")
    assert moved.headers["cache-control"] == "no-cache"
    assert (await client.get(moved.headers["location"])).content == b"# One"


async def test_source_of_a_claimed_demo_leads_to_the_new_one_once_it_is_shown(
    client: httpx.AsyncClient, pro: httpx.AsyncClient
) -> None:
    demo = await publish_demo(client, "# One")
    claimed = (await claim(pro, demo["claim_token"])).json()
    assert (await client.get(f"{demo['url']}.md")).status_code == 404
    await update(pro, claimed["id"], show_source=True)

    moved = await client.get(f"{demo['url']}.md")

    assert (moved.status_code, moved.headers["location"]) == (301, f"{claimed['published_url']}.md")
    assert (await client.get(moved.headers["location"])).content == b"# One"


async def test_source_moves_when_an_account_gets_a_username(
    client: httpx.AsyncClient, free: httpx.AsyncClient, database: Database
) -> None:
    url = (await publish_new(free, "# One", show_source=True))["published_url"]
    with database.write_transaction() as transaction:
        account = find_account_by_email(transaction, "free@example.org")
        assert account
        set_username(transaction, account, "freda", now=NOW)

    moved = await client.get(f"{url}.md")

    assert (moved.status_code, moved.headers["location"]) == (301, f"{url.replace('/d/', '/u/freda/')}.md")


async def test_source_of_an_expired_demo_has_expired(client: httpx.AsyncClient, travel: Travel) -> None:
    url = (await publish_demo(client, "# One"))["url"]
    travel(DEMO_LIFETIME)

    expired = await client.get(f"{url}.md")

    assert expired.status_code == 410
    assert expired.text == (await client.get(url)).text
    assert "# One" not in expired.text


async def test_source_goes_with_its_page(
    client: httpx.AsyncClient, pro: httpx.AsyncClient, free: httpx.AsyncClient, database: Database
) -> None:
    unpublished, deleted, taken_down = [
        await publish_new(pro, "# One", slug=f"page-{n}", show_source=True) for n in range(3)
    ]
    suspended = await publish_new(free, "# One", show_source=True)
    gone = [f"{page['published_url']}.md" for page in (unpublished, deleted, taken_down, suspended)]
    assert [(await client.get(url)).status_code for url in gone] == [200] * 4

    await unpublish(pro, unpublished["id"])
    await delete(pro, deleted["id"])
    with database.write_transaction() as transaction:
        take_page_down(transaction, taken_down["id"])
        account = find_account_by_email(transaction, "free@example.org")
        assert account
        suspend(transaction, account, suspended=True)

    never = await client.get(f"{SITE}/u/pro-user/never-was.md")
    assert never.status_code == 404
    for url in gone:
        response = await client.get(url)
        assert (response.status_code, response.content) == (404, never.content)


async def test_bad_url_is_nobodys_source(client: httpx.AsyncClient) -> None:
    for path in (
        "/d/.md",
        "/d/one.md.md",
        "/d/ONE.md",
        "/p/%ff.md",
        "/u/x/y%2Fz.md",
        "/d/%00.md",
        "/d/" + "x" * 5_000 + ".md",
    ):
        response = await client.get(path, follow_redirects=True)
        assert response.status_code == 404, path
        assert "Page not found" in response.text, path
