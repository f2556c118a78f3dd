"""Profiles, feeds, the sitemap and robots.txt list public pages, and no others."""

import asyncio
import re
import socket
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import unescape
from typing import Any
from urllib.robotparser import RobotFileParser
from uuid import UUID, uuid4

import feedparser  # type: ignore[import-untyped]  # one function is used
import httpx
import pytest
from lxml import etree
from sqlalchemy import insert

from mdpublish_server.services import feeds
from mdpublish_server.services.accounts import delete_account, set_username, suspend, take_page_down
from mdpublish_server.services.demos import DEMO_LIFETIME
from mdpublish_server.storage import Database, Transaction
from mdpublish_server.storage.accounts import find_account, set_plan
from mdpublish_server.storage.documents import find_document, replace_document
from mdpublish_server.storage.records import title_key
from mdpublish_server.storage.tables import DOCUMENTS
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import SITE, claim, create, delete, publish, publish_demo, publish_new, unpublish, update
from tests.server.browsers import Connect
from tests.server.conftest import NOW, MakeOwner, Owner, Travel

pytestmark = pytest.mark.anyio

ATOM = "{http://www.w3.org/2005/Atom}"
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"

LISTS = ("/u/anna", "/u/anna/feed.atom", "/sitemap.xml")

_ADD = Statement(insert(DOCUMENTS))


@pytest.fixture(autouse=True)
def nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail if a feed parser accesses the network."""
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_: pytest.fail("something is fetched"))


@pytest.fixture
def owner(make_owner: MakeOwner) -> Owner:
    return make_owner("anna", plan="pro", username="anna")


@pytest.fixture
async def anna(client_from: Connect, owner: Owner) -> Any:
    async with client_from("127.0.0.1") as client:
        client.headers.update(owner.headers)
        yield client


async def public(
    client: httpx.AsyncClient, content: str = "x", title: str = "Untitled", **options: Any
) -> dict[str, Any]:
    """Publish a public document."""
    document_id = await create(client, content=content, title=title)
    return await publish(client, document_id, visibility="public", **options)


async def locations(client: httpx.AsyncClient, url: str = "/sitemap.xml") -> dict[str, str | None]:
    """Return a sitemap's URLs with their modification times."""
    response = await client.get(url)
    assert response.status_code == 200, response.text
    root = etree.fromstring(response.content)
    assert root.tag in (f"{MAP}urlset", f"{MAP}sitemapindex")
    entries = {}
    for entry in root:
        assert [child.tag for child in entry] in ([f"{MAP}loc"], [f"{MAP}loc", f"{MAP}lastmod"])
        entries[str(entry[0].text)] = entry[1].text if len(entry) > 1 else None
    assert len(entries) == len(root)
    return entries


async def listed(client: httpx.AsyncClient, url: str) -> dict[str, bool]:
    """Return which of Anna's lists contain the URL, whether she has a profile, and whether the URL has a page."""
    profile, feed = await client.get("/u/anna"), await client.get("/u/anna/feed.atom")
    assert profile.status_code == feed.status_code
    entries = [entry.link for entry in feedparser.parse(feed.content).entries] if feed.status_code == 200 else []
    return {
        "profile": f'href="{url}"' in profile.text,
        "feed": url in entries,
        "sitemap": url in await locations(client),
        "profile in sitemap": f"{SITE}/u/anna" in await locations(client),
        "page": (await client.get(url)).status_code == 200,
    }


NOWHERE = {"profile": False, "feed": False, "sitemap": False, "profile in sitemap": False, "page": False}
EVERYWHERE = dict.fromkeys(NOWHERE, True)
PAGE_ALONE = {**NOWHERE, "page": True}


# Visibility


@dataclass(slots=True, kw_only=True)
class Garden:
    """A document and its URL, after each of the steps that lead to a state."""

    anna: httpx.AsyncClient
    owner: Owner
    database: Database
    travel: Travel
    id: str = ""
    token: str = ""
    url: str = f"{SITE}/u/anna/garden"

    async def publish(self, **options: str) -> None:
        self.url = str((await publish(self.anna, self.id, **options))["published_url"])

    def change(self, work: Callable[[Transaction], object]) -> None:
        with self.database.write_transaction() as transaction:
            work(transaction)

    async def stored(self) -> None:
        self.id = await create(self.anna, title="Garden", content="# Garden")

    async def linked(self) -> None:
        await self.publish(slug="garden", visibility="link")

    async def public(self) -> None:
        await self.publish(slug="garden", visibility="public")

    async def republished(self) -> None:
        await self.publish()

    async def renamed(self) -> None:
        await self.publish(slug="gardens")

    async def moved_away(self) -> None:
        """Without the URL that it has now."""
        await publish(self.anna, self.id, slug="gardens")

    async def unpublished(self) -> None:
        await unpublish(self.anna, self.id)

    async def deleted(self) -> None:
        await delete(self.anna, self.id)

    async def taken_down(self) -> None:
        self.change(lambda transaction: take_page_down(transaction, self.id))

    async def suspended(self) -> None:
        self.change(lambda transaction: suspend(transaction, self.owner.account, suspended=True))

    async def suspended_no_more(self) -> None:
        self.change(lambda transaction: suspend(transaction, self.owner.account, suspended=False))

    async def account_deleted(self) -> None:
        self.change(lambda transaction: delete_account(transaction, self.owner.account, now=NOW))

    async def downgraded(self) -> None:
        self.change(lambda transaction: set_plan(transaction, self.owner.account.id, "free", until=None))

    async def demo(self) -> None:
        demo = await publish_demo(self.anna, "# Garden")
        self.id, self.token, self.url = demo["id"], demo["claim_token"], demo["url"]

    async def expired(self) -> None:
        self.travel(DEMO_LIFETIME)

    async def claimed(self) -> None:
        self.url = str((await claim(self.anna, self.token)).json()["published_url"])


PUBLIC = (Garden.stored, Garden.public)

STATES = {
    "never published": ((Garden.stored,), NOWHERE),
    "linked": ((Garden.stored, Garden.linked), PAGE_ALONE),
    "public": (PUBLIC, EVERYWHERE),
    "unpublished": ((*PUBLIC, Garden.unpublished), NOWHERE),
    "published again": ((*PUBLIC, Garden.unpublished, Garden.republished), EVERYWHERE),
    "deleted": ((*PUBLIC, Garden.deleted), NOWHERE),
    "taken down": ((*PUBLIC, Garden.taken_down), NOWHERE),
    "suspended": ((*PUBLIC, Garden.suspended), NOWHERE),
    "suspended no more": ((*PUBLIC, Garden.suspended, Garden.suspended_no_more), EVERYWHERE),
    "account deleted": ((*PUBLIC, Garden.account_deleted), NOWHERE),
    "demo": ((Garden.demo,), PAGE_ALONE),
    "expired demo": ((Garden.demo, Garden.expired), NOWHERE),
    "claimed demo": ((Garden.demo, Garden.claimed), PAGE_ALONE),
    "claimed demo, public": ((Garden.demo, Garden.claimed, Garden.public), EVERYWHERE),
    "public no more": ((*PUBLIC, Garden.linked), PAGE_ALONE),
    "public since": ((Garden.stored, Garden.linked, Garden.public), EVERYWHERE),
    "downgraded": ((*PUBLIC, Garden.downgraded), EVERYWHERE),
    "renamed": ((*PUBLIC, Garden.renamed), EVERYWHERE),
    "former permalink": ((*PUBLIC, Garden.moved_away, Garden.unpublished), NOWHERE),
}


@pytest.mark.parametrize("name", STATES)
@pytest.mark.parametrize("requested_before", [False, True], ids=["", "asked before"])
async def test_document_appears_by_its_state(
    client: httpx.AsyncClient,
    anna: httpx.AsyncClient,
    owner: Owner,
    database: Database,
    travel: Travel,
    name: str,
    requested_before: bool,
) -> None:
    if requested_before:
        # Fill the caches: stale lists must not be served.
        await public(anna, "# Garden", slug="early")
        for url in LISTS:
            assert (await client.get(url)).status_code == 200
    steps, appears = STATES[name]
    garden = Garden(anna=anna, owner=owner, database=database, travel=travel)
    for step in steps:
        await step(garden)

    matches = await listed(client, garden.url)

    is_gone = name in ("suspended", "account deleted")
    assert matches == ({**appears, "profile in sitemap": True} if requested_before and not is_gone else appears)


async def test_page_that_is_published_while_it_is_taken_down_stays_down(
    anna: httpx.AsyncClient, database: Database
) -> None:
    document_id = await create(anna, title="Garden", content="# Garden")
    with database.read_transaction() as transaction:
        read_before = find_document(transaction, document_id)
    with database.write_transaction() as transaction:
        take_page_down(transaction, document_id)
    assert read_before
    with database.write_transaction() as transaction:
        assert not replace_document(transaction, read_before)


# Profiles


async def test_users_page_shows_pages_with_the_newest_first(
    client: httpx.AsyncClient, anna: httpx.AsyncClient, travel: Travel
) -> None:
    for number in range(3):
        await public(
            anna,
            "word " * 450,
            title=f"Page {number} & <more>",
            slug=f"page-{number}",
            **({"description": "What it <b>says</b>"} if number == 1 else {}),
        )
        travel(timedelta(days=1))

    page = await client.get("/u/anna")

    assert page.headers["content-type"] == "text/html; charset=utf-8"
    titles = re.findall(r'<h2 dir="auto"><a href="([^"]+)">(.*?)</a></h2>', page.text)
    assert titles == [(f"{SITE}/u/anna/page-{number}", f"Page {number} &amp; &lt;more&gt;") for number in (2, 1, 0)]
    assert page.text.count("What it &lt;b&gt;says&lt;/b&gt;") == 1
    assert '<time datetime="2026-03-01">1 March 2026</time> · 3&nbsp;min read' in page.text
    assert "<h1>anna</h1>" in page.text


async def test_users_page_names_itself_and_its_feed(client: httpx.AsyncClient, anna: httpx.AsyncClient) -> None:
    await public(anna, "x")
    page = (await client.get("/u/anna")).text
    assert f'<link rel="canonical" href="{SITE}/u/anna">' in page
    assert (
        f'<link rel="alternate" type="application/atom+xml" title="Pages by anna" href="{SITE}/u/anna/feed.atom">'
        in page
    )
    for name, content in (
        ("og:type", "profile"),
        ("og:title", "anna"),
        ("og:url", f"{SITE}/u/anna"),
        ("og:site_name", "mdpublish"),
        ("profile:username", "anna"),
    ):
        assert f'<meta property="{name}" content="{content}">' in page
    assert '<meta name="description"' in page
    assert "noindex" not in page


def add_pages(database: Database, account_id: str, number: int, *, since: datetime = NOW, prefix: str = "page") -> None:
    """Add public pages to an account; each three have the same publication time."""
    with database.write_transaction() as transaction:
        for location in range(number):
            published_at = to_microseconds(since) + location // 3
            transaction.change(
                _ADD,
                id=str(uuid4()),
                account_id=account_id,
                title=f"Title {location}",
                title_key=title_key(f"Title {location}"),
                folder=None,
                folder_key="",
                template_id="swiss",
                theme_mode="light",
                description=None,
                page_width="standard",
                visibility="public",
                hide_badge=False,
                show_source=False,
                offer_pdf=False,
                slug=f"{prefix}-{location}",
                published_at=published_at,
                is_taken_down=False,
                expires_at=None,
                word_count=1,
                created_at=published_at,
                updated_at=published_at,
                revision=1,
                content="x",
                is_autosaved=False,
                readers="",
                password_hash=None,
            )


def slugs(page: str) -> list[str]:
    return re.findall(r'<h2 dir="auto"><a href="[^"]*/u/anna/([^"]+)"', page)


def link(page: str, rel: str) -> str | None:
    """Return the profile's link to the next or previous part; `<link>` and `<a>` must agree."""
    heads = re.findall(rf'<link rel="{rel}" href="([^"]+)">', page)
    bodies = re.findall(rf'<a href="([^"]+)" rel="{rel}">', page)
    assert heads == bodies
    return unescape(heads[0]) if heads else None


@pytest.mark.parametrize("number", [1, 50, 51, 100, 120])
async def test_parts_of_a_users_page_hold_each_page_once(
    client: httpx.AsyncClient, owner: Owner, database: Database, number: int
) -> None:
    add_pages(database, owner.account.id, number)

    parts = [await client.get("/u/anna")]
    while (following := link(parts[-1].text, "next")) and len(parts) < number:
        parts.append(await client.get(following))
    seen = [slug for part in parts for slug in slugs(part.text)]

    assert sorted(seen) == sorted(f"page-{location}" for location in range(number))
    assert [len(slugs(part.text)) for part in parts[:-1]] == [50] * (len(parts) - 1)
    assert [int(slug.removeprefix("page-")) // 3 for slug in seen] == sorted(
        (location // 3 for location in range(number)), reverse=True
    )
    # And back, through the same parts.
    back = parts[-1]
    for part in reversed(parts[:-1]):
        previous = link(back.text, "prev")
        assert previous
        back = await client.get(previous)
        assert slugs(back.text) == slugs(part.text)
    assert back.url == f"{SITE}/u/anna"
    assert link(back.text, "prev") is None


async def test_further_parts_are_not_listed_by_search_engines(
    client: httpx.AsyncClient, owner: Owner, database: Database
) -> None:
    add_pages(database, owner.account.id, 51)
    following = link((await client.get("/u/anna")).text, "next")
    assert following
    part = (await client.get(following)).text
    assert '<meta name="robots" content="noindex">' in part
    assert f'<link rel="canonical" href="{following}">' in part


async def test_user_without_public_pages_equals_nobody(
    client: httpx.AsyncClient, anna: httpx.AsyncClient, make_owner: MakeOwner, database: Database
) -> None:
    await publish_new(anna, "x")
    suspended = make_owner("berta", plan="pro", username="berta")
    former = make_owner("carl", plan="pro", username="carl")
    deleted = make_owner("dora", plan="pro", username="dora")
    for each in (suspended, former, deleted):
        add_pages(database, each.account.id, 1, prefix=f"of-{each.account.id}")
    with database.write_transaction() as transaction:
        suspend(transaction, suspended.account, suspended=True)
        set_username(transaction, former.account, "karl", now=NOW)
        delete_account(transaction, deleted.account, now=NOW)

    for end in ("", "/feed.atom"):
        nobody = await client.get(f"/u/nobody{end}")
        assert nobody.status_code == 404
        for name in ("anna", "berta", "carl", "dora"):
            response = await client.get(f"/u/{name}{end}")
            response.headers["x-request-id"] = nobody.headers["x-request-id"]
            assert (response.status_code, response.headers, response.content) == (404, nobody.headers, nobody.content)
        assert (await client.get(f"/u/karl{end}")).status_code == 200


@pytest.mark.parametrize(
    "before",
    [
        "",
        "x",
        "%00",
        "A" * 31,
        "A" * 32,
        "_" * 32,
        "A" * 33,
        "é" * 32,
        "A" * 100_00,
        "AAYmGJp6wACfbBs0mlNMU4qDbBqPDysR",
    ],
)
async def test_cursor_that_leads_to_nothing_is_no_page(
    client: httpx.AsyncClient, owner: Owner, database: Database, before: str
) -> None:
    add_pages(database, owner.account.id, 3)
    response = await client.get(f"/u/anna?before={before}")
    # This cursor sorts after all others, so it gives the first part.
    assert response.status_code == (200 if before == "_" * 32 else 404)


@pytest.mark.parametrize("name", ["Anna", "ANNA"])
@pytest.mark.parametrize("end", ["", "/feed.atom"])
async def test_username_in_capitals_leads_to_the_user(
    client: httpx.AsyncClient, owner: Owner, database: Database, name: str, end: str
) -> None:
    add_pages(database, owner.account.id, 1)
    response = await client.get(f"/u/{name}{end}")
    assert (response.status_code, response.headers["location"]) == (301, f"/u/anna{end}")


@pytest.mark.parametrize("name", ["an", "x" * 31, "x" * 5_000, "%ff%fe", "a%20b", "anna%00", "änna", "'", "%"])
@pytest.mark.parametrize("end", ["", "/feed.atom"])
async def test_bad_username_is_nobody(
    client: httpx.AsyncClient, owner: Owner, database: Database, name: str, end: str
) -> None:
    add_pages(database, owner.account.id, 1)
    response = await client.get(f"/u/{name}{end}")
    assert response.status_code == 404
    assert "Page not found" in response.text


# Feeds


async def test_feed_is_read_by_another_reader(
    client: httpx.AsyncClient, anna: httpx.AsyncClient, travel: Travel
) -> None:
    for number in range(2):
        await public(anna, f"text {number}", title=f"Page {number} & <b>", slug=f"page-{number}", description="D <i>")
        travel(timedelta(hours=1))

    response = await client.get("/u/anna/feed.atom")
    feed = feedparser.parse(response.content)

    assert response.headers["content-type"] == "application/atom+xml"
    assert not feed.bozo, feed.bozo_exception
    assert feed.version == "atom10"
    assert (feed.feed.title, feed.feed.author) == ("Pages by anna on mdpublish", "anna")
    assert {item.rel: item.href for item in feed.feed.links} == {
        "self": f"{SITE}/u/anna/feed.atom",
        "alternate": f"{SITE}/u/anna",
    }
    assert [(entry.title_detail.type, entry.title_detail.value) for entry in feed.entries] == [
        ("text/plain", "Page 1 & <b>"),
        ("text/plain", "Page 0 & <b>"),
    ]
    assert [entry.link for entry in feed.entries] == [f"{SITE}/u/anna/page-1", f"{SITE}/u/anna/page-0"]
    assert feed.entries[0].summary == "D <i>"
    assert feed.entries[0].published == feed.entries[0].updated == feed.feed.updated == "2026-03-01T13:00:00Z"
    assert "text" not in [entry.get("content") for entry in feed.entries]


async def test_feed_keeps_the_rules_of_rfc_4287(
    client: httpx.AsyncClient, anna: httpx.AsyncClient, travel: Travel
) -> None:
    first = await public(anna, "x", title="With", description="It says")
    await public(anna, "x", title="Without")
    travel(timedelta(hours=1))
    await update(anna, first["id"], content="y")

    root = etree.fromstring((await client.get("/u/anna/feed.atom")).content)

    # RFC 4287, sections 4.1.1 and 4.1.2: required and optional elements.
    def names(element: Any) -> dict[str, int]:
        matches = [child.tag.removeprefix(ATOM) for child in element]
        return {name: matches.count(name) for name in matches}

    assert root.tag == f"{ATOM}feed"
    assert names(root) == {"id": 1, "title": 1, "updated": 1, "link": 2, "author": 1, "generator": 1, "entry": 2}
    entries = root.findall(f"{ATOM}entry")
    required = {"id": 1, "title": 1, "link": 1, "published": 1, "updated": 1, "content": 1}
    assert sorted((names(entry) for entry in entries), key=len) == [required, {**required, "summary": 1}]
    # 3.3: RFC 3339 dates, in upper case; 4.2.15: the feed's date is that of its last change.
    dates = [str(element.text) for tag in ("updated", "published") for element in root.iter(f"{ATOM}{tag}")]
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", date) for date in dates)
    assert root.findtext(f"{ATOM}updated") == max(dates) == "2026-03-01T13:00:00Z"
    # 4.2.6: ids are unique IRIs; 4.2.7.2: one alternate link per type.
    ids = [str(element.text) for element in root.iter(f"{ATOM}id")]
    assert len(set(ids)) == len(ids) == 3
    for urn in ids:
        assert UUID(urn.removeprefix("urn:uuid:")).urn == urn
    assert f"urn:uuid:{first['id']}" in ids
    for entry in entries:
        (alternate,) = entry.findall(f"{ATOM}link")
        assert (alternate.get("rel"), alternate.get("type")) == ("alternate", "text/html")


async def test_ids_in_a_feed_stay_when_pages_move(
    client: httpx.AsyncClient, anna: httpx.AsyncClient, owner: Owner, database: Database
) -> None:
    page = await public(anna, "x")
    before = feedparser.parse((await client.get("/u/anna/feed.atom")).content)

    await publish(anna, page["id"], slug="elsewhere")
    with database.write_transaction() as transaction:
        account = find_account(transaction, owner.account.id)
        assert account
        set_username(transaction, account, "annabel", now=NOW)
    after = feedparser.parse((await client.get("/u/annabel/feed.atom")).content)

    assert after.feed.id == before.feed.id
    assert after.entries[0].id == before.entries[0].id
    assert after.entries[0].link == f"{SITE}/u/annabel/elsewhere"
    assert owner.account.id not in before.feed.id


async def test_feed_holds_the_fifty_newest_pages(client: httpx.AsyncClient, owner: Owner, database: Database) -> None:
    add_pages(database, owner.account.id, 60)
    titles = [entry.title for entry in feedparser.parse((await client.get("/u/anna/feed.atom")).content).entries]
    assert len(titles) == 50
    assert {int(title.removeprefix("Title ")) // 3 for title in titles[:48]} == set(range(4, 20))


@pytest.mark.parametrize("odd", ["\ufffe", "\uffff", "\u0085", "\u202e", "\u2028", "]]>", "&#0;", "\U0010ffff", "<!--"])
async def test_feed_takes_any_content(client: httpx.AsyncClient, anna: httpx.AsyncClient, odd: str) -> None:
    await public(anna, "x", title=f"a{odd}b", description=f"c{odd}d")
    response = await client.get("/u/anna/feed.atom")
    entry = etree.fromstring(response.content).find(f"{ATOM}entry")
    assert entry is not None
    summary = entry.findtext(f"{ATOM}summary") or ""
    assert (summary[0], summary[-1]) == ("c", "d")
    assert (await client.get("/u/anna")).status_code == 200


# The sitemap


async def test_sitemap_lists_start_page_users_and_pages(
    client: httpx.AsyncClient, anna: httpx.AsyncClient, make_owner: MakeOwner, database: Database
) -> None:
    assert await locations(client) == {f"{SITE}/": None}
    await public(anna, "x", slug="garden")
    nameless = make_owner("berta", plan="pro")
    add_pages(database, nameless.account.id, 2)

    assert await locations(client) == {
        f"{SITE}/": None,
        f"{SITE}/u/anna": None,
        f"{SITE}/u/anna/garden": "2026-03-01T12:00:00Z",
        f"{SITE}/d/page-0": "2026-03-01T12:00:00Z",
        f"{SITE}/d/page-1": "2026-03-01T12:00:00Z",
    }


async def test_sitemap_reports_when_a_page_was_changed(
    client: httpx.AsyncClient, anna: httpx.AsyncClient, travel: Travel
) -> None:
    document_id = await create(anna, content="x")
    travel(timedelta(hours=1))
    url = (await publish(anna, document_id, visibility="public"))["published_url"]
    assert (await locations(client))[url] == "2026-03-01T13:00:00Z"
    travel(timedelta(hours=1))
    await update(anna, document_id, content="y")
    assert (await locations(client))[url] == "2026-03-01T14:00:00Z"


@pytest.fixture
def small_parts(monkeypatch: pytest.MonkeyPatch) -> int:
    """Sitemap parts of twelve pages, divided at ten, queried in threes."""
    monkeypatch.setattr(feeds, "SITEMAP_PAGES", 12)
    monkeypatch.setattr(feeds, "SPLIT_PAGES", 10)
    monkeypatch.setattr(feeds, "_ROWS", 3)
    return 12


@pytest.mark.parametrize("number", [9, 12, 13, 20, 35])
async def test_parts_of_the_sitemap_hold_each_url_once(
    client: httpx.AsyncClient, make_owner: MakeOwner, database: Database, small_parts: int, number: int
) -> None:
    names = ("anna", "berta", "carl")
    for location, name in enumerate(names):
        add_pages(database, make_owner(name, username=name).account.id, number // 3 + (location < number % 3))
    shares = {name: number // 3 + (location < number % 3) for location, name in enumerate(names)}
    expected = {f"{SITE}/", *(f"{SITE}/u/{name}" for name in names)}
    expected |= {f"{SITE}/u/{name}/page-{location}" for name, share in shares.items() for location in range(share)}

    index = await locations(client)
    if number <= small_parts:
        assert set(index) == expected
        assert (await client.get("/sitemap-2.xml")).status_code == 404
        return
    count = -(-number // 10)
    assert list(index) == [f"{SITE}/sitemap-{part + 1}.xml" for part in range(count)]
    matches = [url for part in index for url in await locations(client, part)]
    assert sorted(matches) == sorted(expected)
    assert (await client.get(f"/sitemap-{count + 1}.xml")).status_code == 404


async def test_part_that_grows_is_divided_and_the_others_stay(
    client: httpx.AsyncClient, make_owner: MakeOwner, database: Database, small_parts: int
) -> None:
    owners = sorted((make_owner(name, username=name) for name in ("anna", "berta")), key=lambda one: one.account.id)
    for owner in owners:
        add_pages(database, owner.account.id, 10)
    assert list(await locations(client)) == [f"{SITE}/sitemap-1.xml", f"{SITE}/sitemap-2.xml"]
    second = await client.get("/sitemap-2.xml")

    add_pages(database, owners[0].account.id, small_parts, since=NOW - timedelta(days=1), prefix="early")
    # The start page, a profile and ten pages.
    assert len(await locations(client, "/sitemap-1.xml")) == 12
    index = await locations(client)
    assert list(index) == [f"{SITE}/sitemap-{number}.xml" for number in (1, 3, 4, 2)]
    parts = [await locations(client, part) for part in index]
    assert [len(part) for part in parts] == [12, 10, 2, 11]
    assert len({url for part in parts for url in part if "/early-" in url}) == small_parts
    assert (await client.get("/sitemap-2.xml")).content == second.content


@pytest.mark.usefixtures("small_parts")
async def test_part_of_suspended_accounts_alone_is_not_named(
    client: httpx.AsyncClient, make_owner: MakeOwner, database: Database
) -> None:
    owners = sorted((make_owner(name, username=name) for name in ("anna", "berta")), key=lambda one: one.account.id)
    for owner in owners:
        add_pages(database, owner.account.id, 10)
    assert len(await locations(client)) == 2

    with database.write_transaction() as transaction:
        suspend(transaction, owners[1].account, suspended=True)
    assert set(await locations(client)) == {
        f"{SITE}/",
        f"{SITE}/u/{owners[0].account.username}",
        *(f"{SITE}/u/{owners[0].account.username}/page-{location}" for location in range(10)),
    }
    assert (await client.get("/sitemap-2.xml")).status_code == 404

    with database.write_transaction() as transaction:
        suspend(transaction, owners[0].account, suspended=True)
    assert await locations(client) == {f"{SITE}/": None}


def test_part_of_the_sitemap_stays_within_the_protocols_bounds() -> None:
    # sitemaps.org: 50,000 URLs and 50 MB per file. Each page may add a profile; a host name has at most
    # 253 characters, a path 200.
    assert feeds.SPLIT_PAGES < feeds.SITEMAP_PAGES
    urls = 2 * feeds.SITEMAP_PAGES + 1
    entry = len("<url><loc>https://:65535</loc><lastmod>2026-03-01T12:00:00Z</lastmod></url>") + 253 + 200
    assert urls <= 50_000
    assert urls * entry <= 50 * 2**20


async def test_bad_number_is_no_part_of_the_sitemap(client: httpx.AsyncClient) -> None:
    for number in ("0", "01", "-1", "x", "", "1.5", "99999", "100000", "%00", "٣", "9" * 5_000):
        assert (await client.get(f"/sitemap-{number}.xml")).status_code == 404, number


async def test_all_who_wait_for_the_sitemap_get_it(client: httpx.AsyncClient, anna: httpx.AsyncClient) -> None:
    page = await public(anna, "x")
    responses = await asyncio.gather(*(client.get("/sitemap.xml") for _ in range(20)))
    assert all(page["published_url"] in response.text for response in responses)
    assert len({response.headers["etag"] for response in responses}) == 1

    meanwhile = [asyncio.create_task(client.get("/sitemap.xml")) for _ in range(20)]
    await unpublish(anna, page["id"])
    assert page["published_url"] not in (await client.get("/sitemap.xml")).text
    assert {(await response).status_code for response in meanwhile} == {200}


async def test_sitemap_that_nobody_waits_for_any_more_harms_no_other(client: httpx.AsyncClient) -> None:
    tasks = [asyncio.create_task(client.get("/sitemap.xml")) for _ in range(3)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    responses = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(responses[0], asyncio.CancelledError)
    assert [response.status_code for response in responses[1:] if isinstance(response, httpx.Response)] == [200, 200]
    assert (await client.get("/sitemap.xml")).status_code == 200


# robots.txt


async def test_robots_may_read_pages_and_nothing_of_accounts(client: httpx.AsyncClient) -> None:
    response = await client.get("/robots.txt")
    robots = RobotFileParser()
    robots.parse(response.text.splitlines())

    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    for path in ("/", "/u/anna", "/u/anna/garden", "/d/garden", "/p/x", "/u/anna/feed.atom", "/static/site.css"):
        assert robots.can_fetch("anybody", f"{SITE}{path}"), path
    for path in ("account", "account/keys", "operator", "signin", "signup", "signout", "report", "claim", "v1/usage"):
        assert not robots.can_fetch("anybody", f"{SITE}/{path}"), path
    assert robots.site_maps() == [f"{SITE}/sitemap.xml"]


# llms.txt


async def test_assistants_are_told_what_there_is(client: httpx.AsyncClient) -> None:
    response = await client.get("/llms.txt")

    assert response.headers["content-type"] == "text/plain; charset=utf-8"
    lines = response.text.splitlines()
    assert lines[0] == "# mdpublish"
    assert lines[2].startswith("> ")
    headings = [line for line in lines if line.startswith("#")]
    assert headings == ["# mdpublish", "## API", "## Pages"]
    for url in re.findall(r"\((http[^)]+)\)", response.text):
        path = url.removeprefix(SITE)
        assert (await client.get(path)).status_code == (401 if path == "/mcp" else 200), path


# Caching


async def test_all_are_stored_but_revalidated(client: httpx.AsyncClient, anna: httpx.AsyncClient) -> None:
    for number in range(12):
        await public(anna, "x", title=f"Page {number}", description="long " * 50)
    for url in (*LISTS, "/robots.txt"):
        for encoding in ("gzip", "identity"):
            headers = {"Accept-Encoding": encoding}
            first = await client.get(url, headers=headers)
            headers["If-None-Match"] = first.headers["etag"]
            second = await client.get(url, headers=headers)
            head = await client.head(url, headers={"Accept-Encoding": encoding})

            assert first.headers["cache-control"] == "no-cache"
            assert first.headers["x-content-type-options"] == "nosniff"
            assert first.headers["vary"] == "Accept-Encoding"
            if url != "/robots.txt":
                assert first.headers.get("content-encoding", "identity") == encoding
            assert (second.status_code, second.content) == (304, b"")
            assert second.headers["etag"] == first.headers["etag"]
            for response in (head, first):
                del response.headers["x-request-id"]
            assert (head.status_code, head.headers, head.content) == (200, first.headers, b"")


async def test_what_changes_has_another_etag(client: httpx.AsyncClient, anna: httpx.AsyncClient) -> None:
    page = await public(anna, "x")
    before = {url: (await client.get(url)).headers["etag"] for url in LISTS}
    await publish(anna, page["id"], slug="elsewhere")
    for url in LISTS:
        response = await client.get(url, headers={"If-None-Match": before[url]})
        assert (response.status_code, "elsewhere" in response.text) == (200, True)


# The text of entries


async def test_entries_have_the_text_of_their_pages_with_absolute_urls(
    client: httpx.AsyncClient, anna: httpx.AsyncClient
) -> None:
    content = (
        '# Garden\n\n[Shed](shed#door), [x](javascript:y), ![a](/i/a.png "A")\n\n> [!NOTE]\n> Water `a < b`.\n\n'
        '<script>alert(1)</script>\n\n```py\nprint("x")\n```\n\n```dot\ndigraph { a -> b }\n```\n\n- [ ] dig\n'
    )
    await public(anna, content, "Garden", slug="garden")

    [entry] = feedparser.parse(
        (await client.get("/u/anna/feed.atom")).content, sanitize_html=False, resolve_relative_uris=False
    ).entries
    [given] = entry.content
    document = etree.fromstring(f"<div>{given.value}</div>")

    assert given.type == "text/html"
    assert document.xpath("//@href") == [f"{SITE}/u/anna/shed#door", f"{SITE}/u/anna/garden"]
    assert document.xpath("//@src") == [f"{SITE}/i/a.png"]
    assert not document.xpath("//script | //style | //nav | //h1 | //svg | //button | //@class | //@style | //@id")
    words = " ".join(str(document.xpath("string()")).split())
    assert "Water a < b." in words
    assert "\u2610 dig" in words
    assert 'print("x")' in words
    assert "Published with" not in words


@pytest.mark.parametrize(
    "options",
    [{"visibility": "link"}, {"visibility": "specific", "readers": ["a@example.org"]}, {"password": "correct horse"}],
    ids=["link", "specific", "password"],
)
async def test_text_of_a_page_that_is_public_no_more_is_in_no_feed(
    client: httpx.AsyncClient, anna: httpx.AsyncClient, options: dict[str, Any]
) -> None:
    await public(anna, "Open.", "Open", slug="open")
    page = await public(anna, "The roses are out.", "Garden", slug="garden")
    assert "The roses are out." in (await client.get("/u/anna/feed.atom")).text
    await publish(anna, page["id"], **options)
    assert "The roses are out." not in (await client.get("/u/anna/feed.atom")).text


async def test_text_in_a_feed_is_bounded(
    client: httpx.AsyncClient, anna: httpx.AsyncClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(feeds, "FEED_CHARACTERS", 1_000)
    for name, content in {"short": "a", "long": "word " * 300, "longer": "word " * 30_000, "new": "b"}.items():
        await public(anna, content, name, slug=name, description=f"On {name}.")

    entries = feedparser.parse((await client.get("/u/anna/feed.atom")).content).entries
    assert {entry.summary: "content" in entry for entry in entries} == {
        "On new.": True, "On longer.": False, "On long.": False, "On short.": True,
    }  # fmt: skip
