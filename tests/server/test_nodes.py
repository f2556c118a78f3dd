"""Two serving processes with one database: pages in the memory of one are current, whatever the other does."""

import asyncio
import re
from collections.abc import AsyncIterator
from dataclasses import dataclass
from datetime import datetime, timedelta

import httpx
import pytest

from mdpublish_server.app import make_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.services.accounts import suspend
from mdpublish_server.services.page_serving import PageServer
from mdpublish_server.settings import Settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database, Transaction, open_database
from mdpublish_server.storage.accounts import find_account_by_email, set_plan
from tests.server.conftest import Travel

pytestmark = pytest.mark.anyio

EMAIL = "pro@example.org"

MICROSECOND = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Node:
    """Another process, as its visitors see it."""

    visitor: httpx.AsyncClient
    pages: PageServer

    async def remember(self, url: str) -> None:
        """View the page until it is in memory."""
        path = httpx.URL(url).path
        for _ in range(3_000):
            await self.visitor.get(url)
            if await self.pages.cached_view(path) is not None:
                return
            # PostgreSQL: once there is a connection.
            await asyncio.sleep(0.02)
        raise AssertionError(f"{path} does not stay in memory")


@pytest.fixture
async def other(settings: Settings, converter: Converter, times: list[datetime]) -> AsyncIterator[Node]:
    database = open_database(settings.database_url)
    state = AppState(settings, database=database, converter=converter, clock=lambda: times[-1])
    transport = httpx.ASGITransport(make_app(state), raise_app_exceptions=False)
    async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as visitor:
        yield Node(visitor=visitor, pages=state.page_server)
    database.close()


async def published(pro: httpx.AsyncClient, **options: object) -> tuple[str, str]:
    """Return the document and its URL."""
    response = await pro.post("/v1/documents/publish", json={"content": "Version 0.", "title": "Page", **options})
    assert response.status_code == 201, response.text
    return response.json()["id"], response.json()["published_url"]


def version_of(page: httpx.Response) -> int:
    match = re.search(r"Version (\d+)\.", page.text)
    assert match, page.text[:500]
    return int(match[1])


async def test_each_change_is_seen_by_the_next_view(pro: httpx.AsyncClient, other: Node) -> None:
    document, url = await published(pro)

    async def view() -> httpx.Response:
        await other.remember(url)
        changed = await pro.send(request)
        assert changed.is_success, changed.text
        return await other.visitor.get(url)

    request = pro.build_request("PATCH", f"/v1/documents/{document}", json={"content": "Version 1."})
    assert version_of(await view()) == 1
    request = pro.build_request("POST", f"/v1/documents/{document}/publish", json={"slug": "moved"})
    moved = await view()
    assert (moved.status_code, moved.headers["location"]) == (301, "http://127.0.0.1:8000/u/pro-user/moved")
    url = moved.headers["location"]
    request = pro.build_request("DELETE", f"/v1/documents/{document}/publish")
    assert (await view()).status_code == 404
    await pro.post(f"/v1/documents/{document}/publish", json={})
    request = pro.build_request("DELETE", f"/v1/documents/{document}")
    assert (await view()).status_code == 404


async def test_page_that_is_taken_down_or_whose_account_is_suspended_is_gone_at_once(
    pro: httpx.AsyncClient, operator: httpx.AsyncClient, other: Node, database: Database
) -> None:
    document, url = await published(pro)
    account = await database.read(lambda transaction: find_account_by_email(transaction, EMAIL))
    assert account
    await other.remember(url)
    await database.write(lambda transaction: suspend(transaction, account, suspended=True))
    assert (await other.visitor.get(url)).status_code == 404
    await database.write(lambda transaction: suspend(transaction, account, suspended=False))

    report = {"page": httpx.URL(url).path, "reason": "phishing", "details": "It asks for my password."}
    assert (await other.visitor.post("/report", data=report)).status_code == 303
    await other.remember(url)
    done = await operator.post(f"/operator/reports/{document}", data={"decision": "take_down"})
    assert done.status_code == 303
    assert (await other.visitor.get(url)).status_code == 404


async def test_page_ends_with_its_time_although_nothing_was_written(
    client: httpx.AsyncClient,
    pro: httpx.AsyncClient,
    other: Node,
    database: Database,
    times: list[datetime],
    travel: Travel,
) -> None:
    demo = (await client.post("/v1/demo/publish", json={"content": "Version 0."})).json()["url"]
    _, paid = await published(pro, hide_badge=True)

    def end_the_plan(transaction: Transaction) -> None:
        account = find_account_by_email(transaction, EMAIL)
        assert account
        set_plan(transaction, account.id, "pro", until=times[-1] + timedelta(hours=71))

    await database.write(end_the_plan)
    await other.remember(demo)
    await other.remember(paid)
    travel(timedelta(hours=71) - MICROSECOND)
    assert "Published with" not in (await other.visitor.get(paid)).text
    travel(MICROSECOND)
    assert "Published with" in (await other.visitor.get(paid)).text
    await other.remember(demo)
    travel(timedelta(hours=1) - MICROSECOND)
    assert version_of(await other.visitor.get(demo)) == 0
    travel(MICROSECOND)
    assert (await other.visitor.get(demo)).status_code == 410


@pytest.mark.corpora
async def test_no_view_shows_less_than_what_was_acknowledged_before_it(pro: httpx.AsyncClient, other: Node) -> None:
    document, url = await published(pro)
    await other.remember(url)
    acknowledged, versions = 0, 25
    seen = []

    async def visit() -> None:
        while acknowledged < versions:
            before = acknowledged
            version = version_of(await other.visitor.get(url))
            assert version >= before
            seen.append(version)
            await asyncio.sleep(0)  # as a socket would

    visitors = [asyncio.create_task(visit()) for _ in range(8)]
    for version in range(1, versions + 1):
        changed = await pro.patch(f"/v1/documents/{document}", json={"content": f"Version {version}."})
        assert changed.status_code == 200, changed.text
        acknowledged = version
        assert version_of(await other.visitor.get(url)) == version
    await asyncio.gather(*visitors)
    assert len(set(seen)) > versions // 2
