"""The owner link: its page, claiming a demo for an account, and deleting it."""

import asyncio
from collections.abc import AsyncIterator
from datetime import timedelta
from html import unescape
from urllib.parse import urlsplit
from uuid import uuid4

import httpx
import pytest

from mdpublish_server.storage import Account, Database
from mdpublish_server.storage.accounts import list_accounts
from mdpublish_server.storage.tables import DEMO_PAGES, DOCUMENTS, PAGES, PERMALINKS
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import claim, publish_demo, refusal, used
from tests.server.browsers import Connect
from tests.server.conftest import Travel
from tests.server.members import PERSON, join

pytestmark = pytest.mark.anyio

LIFETIME = timedelta(hours=72)
MICROSECOND = timedelta(microseconds=1)

TITLE = 'Tea & <b>"cake"</b>'


async def demo_path(client: httpx.AsyncClient, title: str = TITLE) -> tuple[str, str]:
    """Publish a demo; return the path of its owner link, and its URL."""
    demo = await publish_demo(client, "# Hello\n\nworld", title=title)
    assert demo["claim_url"] == f"http://127.0.0.1:8000/claim/{demo['claim_token']}"
    return urlsplit(demo["claim_url"]).path, demo["url"]


def stored(database: Database) -> list[int]:
    """Return row counts of the tables that a demo uses."""
    with database.read_transaction() as transaction:
        return [
            len(transaction.rows(Statement(table.select()))) for table in (DOCUMENTS, PAGES, PERMALINKS, DEMO_PAGES)
        ]


def account_in(database: Database) -> Account:
    with database.read_transaction() as transaction:
        (account,) = list_accounts(transaction)
    return account


@pytest.fixture
def environment() -> dict[str, str]:
    return {"MDPUBLISH_FREE_MONTHLY_QUOTA": "2"}


@pytest.fixture
async def member(client_from: Connect) -> AsyncIterator[httpx.AsyncClient]:
    """A browser signed in as Anna."""
    async with client_from("127.0.0.1") as client:
        await join(client)
        yield client


async def test_owner_link_shows_the_demo(client: httpx.AsyncClient) -> None:
    path, url = await demo_path(client)
    page = await client.get(path)
    assert page.status_code == 200
    assert TITLE in unescape(page.text)
    assert TITLE not in page.text
    assert '<b>"cake"' not in page.text
    assert f'readonly value="{url}" data-link>' in page.text
    assert "4 March 2026, 12:00 UTC" in page.text
    assert page.text.count(f'action="{path}"') == 1
    assert 'name="password"' in page.text
    assert '<meta name="robots" content="noindex">' in page.text
    assert page.headers["cache-control"] == "no-store"
    assert page.headers["referrer-policy"] == "same-origin"


async def test_who_is_signed_in_makes_it_hers(member: httpx.AsyncClient, database: Database) -> None:
    path, url = await demo_path(member)
    page = await member.get(path)
    assert "Keep this page" in page.text
    assert "anna@example.org" in page.text
    assert 'name="password"' not in page.text

    done = await member.post(path)
    assert done.status_code == 303
    moved = await member.get(url)
    assert moved.status_code == 301
    assert (await member.get(moved.headers["location"])).status_code == 200
    document = await member.get(done.headers["location"])
    assert "The page is now in your account." in document.text
    assert moved.headers["location"] in document.text
    account = account_in(database)
    assert (account.documents, account.pages) == (1, 1)
    # Not an API request.
    assert account.used == 0

    for response in (
        await member.get(path),
        await member.post(path),
        await member.get(f"{path}/delete"),
        await member.post(f"{path}/delete"),
    ):
        assert response.status_code == 404
        assert "it was already claimed" in response.text
    assert account_in(database).documents == 1


async def test_claim_goes_on_after_signing_up_and_in(client: httpx.AsyncClient) -> None:
    path, _ = await demo_path(client)
    ready = await client.post("/signup", data={**PERSON, "next": path})
    assert ready.headers["location"] == f"/signin?notice=ready&next={path}"
    signed_in = await client.post("/signin", data={**PERSON, "next": path})
    assert (signed_in.status_code, signed_in.headers["location"]) == (303, path)
    assert "You are signed in as anna@example.org." in (await client.get(path)).text
    assert (await client.post(path)).status_code == 303


async def test_month_that_is_used_up_does_not_hinder(member: httpx.AsyncClient, database: Database) -> None:
    for _ in range(2):
        assert refusal(await claim(member, str(uuid4()))) == (404, "not_found")
    assert await used(member) == 2
    path, _ = await demo_path(member)
    assert (await member.post(path)).status_code == 303
    assert account_in(database).used == 2


async def test_limit_of_documents_is_reported_and_the_demo_stays(member: httpx.AsyncClient, database: Database) -> None:
    for _ in range(3):
        path, _ = await demo_path(member)
        assert (await member.post(path)).status_code == 303
    path, url = await demo_path(member)
    page = await member.post(path)
    assert page.status_code == 403
    assert 'role="alert"' in page.text
    assert "the free plan allows 3 documents" in page.text.lower()
    assert "Keep this page" in page.text
    assert '<a href="/documents">Your documents</a>' in page.text
    assert (await member.get(url)).status_code == 200
    assert account_in(database).documents == 3


@pytest.mark.parametrize("is_member", [False, True])
async def test_demo_is_deleted_with_or_without_an_account(
    client: httpx.AsyncClient, member: httpx.AsyncClient, database: Database, is_member: bool
) -> None:
    browser = member if is_member else client
    path, url = await demo_path(browser)
    requested = await browser.get(f"{path}/delete")
    assert requested.status_code == 200
    assert TITLE in unescape(requested.text)
    assert f'action="{path}/delete"' in requested.text
    assert stored(database) == [1, 1, 1, 1]
    assert (await browser.get(url)).status_code == 200

    done = await browser.post(f"{path}/delete")
    assert (done.status_code, done.headers["location"]) == (303, "/?done=deleted")
    assert "The page and its text have been deleted." in (await browser.get("/?done=deleted")).text
    assert stored(database) == [0, 0, 0, 0]
    assert (await browser.get(url)).status_code == 404
    for response in (await browser.get(path), await browser.post(f"{path}/delete")):
        assert response.status_code == 404
    assert refusal(await claim(member, path.removeprefix("/claim/"))) == (404, "not_found")


async def test_deleted_demo_never_was_even_when_its_time_is_over(client: httpx.AsyncClient, travel: Travel) -> None:
    path, url = await demo_path(client)
    await client.post(f"{path}/delete")
    travel(LIFETIME)
    assert (await client.get(url)).status_code == 404
    assert (await client.get(path)).status_code == 404


async def test_expired_demo_is_reported(member: httpx.AsyncClient, travel: Travel, database: Database) -> None:
    path, _ = await demo_path(member)
    travel(LIFETIME - MICROSECOND)
    assert (await member.get(path)).status_code == 200
    travel(MICROSECOND)
    for response in (
        await member.get(path),
        await member.post(path),
        await member.get(f"{path}/delete"),
        await member.post(f"{path}/delete"),
    ):
        assert response.status_code == 410
        assert "The demo page has expired" in response.text
        assert '<meta name="robots" content="noindex">' in response.text
    assert account_in(database).documents == 0


@pytest.mark.parametrize(
    "token",
    [
        "0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42",
        "x",
        "0" * 36,
        "a" * 64,
        "A" * 5_000,
        "%00",
        "%ff",
        "é",
        "' OR 1=1 --",
        "<script>",
    ],
)
async def test_token_that_is_none_shows_nothing(member: httpx.AsyncClient, token: str) -> None:
    await demo_path(member)
    for response in (
        await member.get(f"/claim/{token}"),
        await member.post(f"/claim/{token}"),
        await member.get(f"/claim/{token}/delete"),
        await member.post(f"/claim/{token}/delete"),
    ):
        assert response.status_code == 404
        assert TITLE not in unescape(response.text)
        assert "<script>" not in response.text


async def test_of_claim_and_deletion_at_once_one_happens(member: httpx.AsyncClient, database: Database) -> None:
    for _ in range(8):
        path, url = await demo_path(member)
        claimed, deleted = await asyncio.gather(member.post(path), member.post(f"{path}/delete"))
        assert sorted((claimed.status_code, deleted.status_code)) == [303, 404]
        assert (await member.get(url)).status_code == (301 if claimed.status_code == 303 else 404)
        account = account_in(database)
        assert (account.documents, account.pages) == tuple(stored(database)[:2])
        if account.documents == 3:
            break
