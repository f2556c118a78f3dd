"""Cleanup deletes expired rows without changing responses."""

import asyncio
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import httpx
import pytest

from mdpublish_server.services.accounts import SESSION_LIFETIME, sign_in
from mdpublish_server.services.cleanup import CLEANUP_SECONDS, CleanupResult
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import find_account, set_plan
from mdpublish_server.storage.tables import DEMO_PAGES, DOCUMENTS, METADATA, PAGES, PERMALINKS, SESSIONS
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import claim, create, get, publish_demo, publish_new, redirect_from, refusal
from tests.server.conftest import Owner

pytestmark = pytest.mark.anyio

LIFETIME = timedelta(hours=72)
YEAR = timedelta(days=365)
MICROSECOND = timedelta(microseconds=1)
NOTHING = CleanupResult(demos=0, plans=0, sessions=0)

Travel = Callable[[timedelta], None]
Rows = Callable[[Any], list[tuple[Any, ...]]]


@pytest.fixture
def rows(database: Database) -> Rows:
    """Returns all rows of a table."""

    def read(table: Any) -> list[tuple[Any, ...]]:
        with database.read_transaction() as transaction:
            return list(transaction.rows(Statement(table.select())))

    return read


async def test_expired_demo_loses_its_content_and_its_page_and_remains_expired(
    free: httpx.AsyncClient, state: AppState, travel: Travel, rows: Rows
) -> None:
    demo = await publish_demo(free, "a secret text", title="a secret title")
    travel(LIFETIME)
    before = await free.get(demo["url"])

    assert await state.cleanup.run_once() == CleanupResult(demos=1, plans=0, sessions=0)

    assert [rows(table) for table in (DOCUMENTS, PAGES, PERMALINKS)] == [[], [], []]
    assert "secret" not in repr([rows(table) for table in METADATA.sorted_tables])
    assert len(rows(DEMO_PAGES)) == 1
    after = await free.get(demo["url"])
    assert (before.status_code, after.status_code) == (410, 410)
    assert after.text == before.text
    assert refusal(await claim(free, demo["claim_token"])) == (410, "expired")


async def test_nothing_is_cleaned_up_a_microsecond_too_early(
    free: httpx.AsyncClient, state: AppState, travel: Travel
) -> None:
    demo = await publish_demo(free)
    travel(LIFETIME - MICROSECOND)
    assert await state.cleanup.run_once() == NOTHING
    assert (await free.get(demo["url"])).status_code == 200
    assert (await claim(free, demo["claim_token"])).status_code == 200


async def test_expired_demo_is_forgotten_after_a_year(
    free: httpx.AsyncClient, state: AppState, travel: Travel, rows: Rows
) -> None:
    demo = await publish_demo(free)
    travel(LIFETIME)
    await state.cleanup.run_once()

    travel(YEAR - MICROSECOND)
    await state.cleanup.run_once()
    assert (await free.get(demo["url"])).status_code == 410
    assert refusal(await claim(free, demo["claim_token"])) == (410, "expired")

    travel(MICROSECOND)
    await state.cleanup.run_once()
    assert rows(DEMO_PAGES) == []
    assert (await free.get(demo["url"])).status_code == 404
    assert refusal(await claim(free, demo["claim_token"])) == (404, "not_found")


async def test_claimed_page_and_its_redirect_outlive_every_cleanup(
    free: httpx.AsyncClient, state: AppState, travel: Travel
) -> None:
    demo = await publish_demo(free)
    url = (await claim(free, demo["claim_token"])).json()["published_url"]
    for span in (LIFETIME, YEAR, YEAR):
        travel(span)
        assert await state.cleanup.run_once() == NOTHING
    assert await redirect_from(free, demo["url"]) == url
    assert (await get(free, demo["id"]))["is_published"] is True
    assert refusal(await claim(free, demo["claim_token"])) == (404, "not_found")


async def test_documents_of_accounts_are_never_cleaned_up(
    free: httpx.AsyncClient, state: AppState, travel: Travel
) -> None:
    document_id, published = await create(free), await publish_new(free)
    travel(10 * YEAR)
    assert await state.cleanup.run_once() == NOTHING
    await get(free, document_id)
    assert (await free.get(published["published_url"])).status_code == 200


async def test_more_demos_than_one_transaction_takes_are_all_cleaned_up(
    client: httpx.AsyncClient, state: AppState, travel: Travel, rows: Rows
) -> None:
    for _ in range(11):
        await asyncio.gather(*(publish_demo(client) for _ in range(10)))
    travel(LIFETIME)
    stored = await publish_demo(client)
    assert await state.cleanup.run_once() == CleanupResult(demos=110, plans=0, sessions=0)
    assert [row[0] for row in rows(DOCUMENTS)] == [stored["id"]]
    assert await state.cleanup.run_once() == NOTHING


async def test_plan_that_has_ended_is_free_in_the_database_too(
    make_owner: Callable[..., Owner], database: Database, state: AppState, times: list[datetime], travel: Travel
) -> None:
    owner, lasting = make_owner("anna"), make_owner("lasting", plan="pro")
    until = times[-1] + timedelta(days=1)
    with database.write_transaction() as transaction:
        set_plan(transaction, owner.account.id, "pro", until=until)

    travel(timedelta(days=1) - MICROSECOND)
    assert await state.cleanup.run_once() == NOTHING
    travel(MICROSECOND)
    assert await state.cleanup.run_once() == CleanupResult(demos=0, plans=1, sessions=0)

    with database.read_transaction() as transaction:
        matches, other = (find_account(transaction, each.account.id) for each in (owner, lasting))
    assert matches
    assert (matches.plan, matches.plan_until) == ("free", None)
    assert other
    assert (other.plan, other.plan_until) == ("pro", None)


async def test_session_that_is_over_is_deleted(
    make_owner: Callable[..., Owner],
    database: Database,
    state: AppState,
    times: list[datetime],
    travel: Travel,
    rows: Rows,
) -> None:
    owner = make_owner()
    with database.write_transaction() as transaction:
        sign_in(transaction, owner.account, now=times[-1])
    travel(timedelta(days=1))
    with database.write_transaction() as transaction:
        sign_in(transaction, owner.account, now=times[-1])

    travel(SESSION_LIFETIME - timedelta(days=1))
    assert await state.cleanup.run_once() == CleanupResult(demos=0, plans=0, sessions=1)
    assert len(rows(SESSIONS)) == 1


async def test_cleanup_task_runs_by_itself_and_within_the_hour(
    client: httpx.AsyncClient, state: AppState, travel: Travel, rows: Rows
) -> None:
    assert CLEANUP_SECONDS <= 3_600
    await publish_demo(client)
    travel(LIFETIME)

    state.cleanup.start()
    try:
        async with asyncio.timeout(30):
            while rows(DOCUMENTS):  # noqa: ASYNC110  (no event signals completion)
                await asyncio.sleep(0.01)
    finally:
        await state.cleanup.stop()
