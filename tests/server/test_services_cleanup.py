"""Cleanup deletes expired rows without changing responses."""

import asyncio
import itertools
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import httpx
import pytest

from mdpublish_server.errors import Conflict
from mdpublish_server.services.accounts import SESSION_LIFETIME, delete_account, sign_in
from mdpublish_server.services.cleanup import CLEANUP_SECONDS, CleanupResult, delete_account_batch
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import find_account, list_accounts, set_plan
from mdpublish_server.storage.documents import add_document, find_document
from mdpublish_server.storage.tables import ACCOUNTS, DEMO_PAGES, DOCUMENTS, KEYS, METADATA, PAGES, PERMALINKS, SESSIONS
from mdpublish_server.storage.transactions import Statement
from tests.server.api_requests import claim, create, get, publish_demo, publish_new, redirect_from, refusal
from tests.server.browsers import Connect
from tests.server.conftest import MakeOwner, Owner, Travel

pytestmark = pytest.mark.anyio

LIFETIME = timedelta(hours=72)
YEAR = timedelta(days=365)
MICROSECOND = timedelta(microseconds=1)
NOTHING = CleanupResult(demos=0, plans=0, sessions=0)

Rows = Callable[[Any], list[tuple[Any, ...]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Big:
    """An account, its client, and the URLs of its pages."""

    owner: Owner
    client: httpx.AsyncClient
    urls: Sequence[str]


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
    make_owner: MakeOwner, database: Database, state: AppState, times: list[datetime], travel: Travel
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
    make_owner: MakeOwner, database: Database, state: AppState, times: list[datetime], travel: Travel, rows: Rows
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


@pytest.fixture
async def big(make_owner: MakeOwner, client_from: Connect) -> AsyncIterator[Big]:
    """An account with some documents and pages."""
    owner = make_owner("anna", plan="pro", username="anna")
    async with client_from("127.0.0.1") as client:
        client.headers.update(owner.headers)
        urls = [(await publish_new(client, slug=f"page-{number}"))["published_url"] for number in range(3)]
        await create(client)
        yield Big(owner=owner, urls=urls, client=client)


def delete(database: Database, owner: Owner, now: datetime) -> None:
    with database.write_transaction() as transaction:
        delete_account(transaction, owner.account, now=now)


async def test_account_is_gone_before_its_rows_are(
    big: Big, database: Database, rows: Rows, times: list[datetime], make_owner: MakeOwner
) -> None:
    delete(database, big.owner, times[-1])

    assert len(rows(DOCUMENTS)) == 4
    assert [(await big.client.get(url)).status_code for url in big.urls] == [404, 404, 404]
    assert refusal(await big.client.get("/v1/documents")) == (401, "unauthorized")
    with database.read_transaction() as transaction:
        assert list_accounts(transaction) == ()
        assert find_account(transaction, big.owner.account.id) is None
    # The email address is free, the username is not.
    with pytest.raises(Conflict, match="taken"):
        make_owner("anna", username="anna")
    make_owner("anna")


async def test_batch_of_a_deletion_ends_when_its_time_is_over(
    big: Big, database: Database, rows: Rows, times: list[datetime]
) -> None:
    delete(database, big.owner, times[-1])
    left = []
    for _ in range(5):
        slow = itertools.count(step=1.0)
        with database.write_transaction() as transaction:
            assert delete_account_batch(transaction, ticks=lambda slow=slow: next(slow))  # type: ignore[misc]
        left.append((len(rows(DOCUMENTS)), len(rows(ACCOUNTS))))
    assert left == [(3, 1), (2, 1), (1, 1), (0, 1), (0, 0)]
    with database.write_transaction() as transaction:
        assert not delete_account_batch(transaction)


async def test_deletion_that_was_interrupted_goes_on_at_the_next_start(
    big: Big, database: Database, state: AppState, rows: Rows, times: list[datetime]
) -> None:
    delete(database, big.owner, times[-1])
    with database.write_transaction() as transaction:
        slow = itertools.count(step=1.0)
        delete_account_batch(transaction, ticks=lambda: next(slow))
    assert len(rows(DOCUMENTS)) == 3

    state.cleanup.start()
    try:
        async with asyncio.timeout(60):
            while rows(ACCOUNTS):  # noqa: ASYNC110  (no event signals completion)
                await asyncio.sleep(0.01)
    finally:
        await state.cleanup.stop()
    assert [rows(table) for table in (DOCUMENTS, PAGES, PERMALINKS, KEYS)] == [[], [], [], []]


async def test_write_of_an_account_that_is_deleted_meanwhile_leaves_nothing(
    big: Big, database: Database, state: AppState, rows: Rows, times: list[datetime]
) -> None:
    with database.read_transaction() as transaction:
        (document,) = [each for each in [find_document(transaction, rows(DOCUMENTS)[0][0])] if each]
    delete(database, big.owner, times[-1])
    with database.write_transaction() as transaction:
        add_document(transaction, replace(document, id=str(UUID(int=1))), words="")
    await state.cleanup.run_once()
    assert rows(DOCUMENTS) == rows(ACCOUNTS) == []


async def test_deletion_wakes_the_cleanup(
    big: Big, database: Database, state: AppState, rows: Rows, times: list[datetime]
) -> None:
    state.cleanup.start()
    try:
        await asyncio.sleep(0)
        delete(database, big.owner, times[-1])
        state.cleanup.wake()
        async with asyncio.timeout(60):
            while rows(ACCOUNTS):  # noqa: ASYNC110  (no event signals completion)
                await asyncio.sleep(0.01)
    finally:
        await state.cleanup.stop()


async def test_cleanup_that_is_woken_can_be_stopped(state: AppState) -> None:
    state.cleanup.start()
    await state.cleanup.run_once()
    # How far it is when it is stopped.
    for steps in range(20):
        state.cleanup.wake()
        for _ in range(steps):
            await asyncio.sleep(0)
        async with asyncio.timeout(60):
            await state.cleanup.stop()
        state.cleanup.start()
        await asyncio.sleep(0.05)
    await state.cleanup.stop()


async def test_cleanup_task_runs_by_itself_and_within_the_hour(
    client: httpx.AsyncClient, state: AppState, travel: Travel, rows: Rows
) -> None:
    assert CLEANUP_SECONDS <= 3_600
    await publish_demo(client)
    travel(LIFETIME)

    state.cleanup.start()
    try:
        async with asyncio.timeout(60):
            while rows(DOCUMENTS):  # noqa: ASYNC110  (no event signals completion)
                await asyncio.sleep(0.01)
    finally:
        await state.cleanup.stop()
