"""Which contents of a document are stored when others replace them."""

from collections.abc import Awaitable, Callable
from datetime import timedelta

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mdpublish_server.models import DocumentUpdate
from mdpublish_server.services.revision_history import PASSAGE_CHARACTERS, content_of, loses_passage
from mdpublish_server.state import AppState
from mdpublish_server.storage import Database
from mdpublish_server.storage.accounts import find_account
from mdpublish_server.storage.document_revisions import find_revision, list_revisions
from mdpublish_server.storage.documents import find_document
from tests.server.api_requests import create, get, publish, update
from tests.server.conftest import NOW, Travel

pytestmark = pytest.mark.anyio

MINUTE = timedelta(minutes=1)

INTERVAL = 10 * MINUTE


def stored(database: Database, document_id: str) -> list[str]:
    """Return the former contents, newest first."""
    contents = []
    with database.read_transaction() as transaction:
        for summary in list_revisions(transaction, document_id):
            revision = find_revision(transaction, document_id, summary.number)
            assert revision
            assert len(revision.content) == summary.bytes
            contents.append(content_of(revision))
    return contents


def limit(state: AppState, **limits: object) -> None:
    """Change the limits that the settings gave."""
    for name, value in limits.items():
        setattr(state.documents.history, f"_{name}", value)


Autosave = Callable[[str, str], Awaitable[None]]


@pytest.fixture
def autosave(state: AppState, database: Database) -> Autosave:
    async def save(document_id: str, content: str) -> None:
        with database.read_transaction() as transaction:
            document = find_document(transaction, document_id)
            assert document
            assert document.account_id
            account = find_account(transaction, document.account_id)
            assert account
        auth = state.authenticator.session_request(account)
        await state.documents.update(auth, document_id, DocumentUpdate(content=content), kind="autosave")

    return save


async def test_each_content_that_is_saved_over_is_stored(free: httpx.AsyncClient, database: Database) -> None:
    document = await create(free, content="one")
    await update(free, document, content="two")
    await update(free, document, content="three")
    assert stored(database, document) == ["two", "one"]


async def test_content_of_autosave_is_stored_when_it_is_saved_over(
    free: httpx.AsyncClient, database: Database, autosave: Autosave
) -> None:
    document = await create(free, content="one")
    await autosave(document, "two")
    await autosave(document, "three")
    await update(free, document, content="four")
    assert stored(database, document) == ["three", "one"]


async def test_content_that_was_saved_is_stored_when_autosave_replaces_it(
    free: httpx.AsyncClient, database: Database, autosave: Autosave
) -> None:
    document = await create(free, content="one")
    await autosave(document, "two")
    await update(free, document, content="three")
    await autosave(document, "four")
    await autosave(document, "five")
    assert stored(database, document) == ["three", "two", "one"]


async def test_replaced_content_is_stored_with_its_title_words_and_times(
    free: httpx.AsyncClient, database: Database, travel: Travel
) -> None:
    document = await create(free, title="Garden day", content="# Grüezi 🎉\r\n\ttwo words")
    travel(MINUTE)
    await update(free, document, content="x", title="Another")
    with database.read_transaction() as transaction:
        (revision,) = list_revisions(transaction, document)
    assert stored(database, document) == ["# Grüezi 🎉\r\n\ttwo words"]
    assert (revision.number, revision.title, revision.word_count) == (1, "Garden day", 3)
    assert (revision.saved_at, revision.replaced_at) == (NOW, NOW + MINUTE)
    assert not revision.is_before_restore


@pytest.mark.parametrize(
    "changes", [{"title": "Another"}, {"content": "same"}, {"theme_mode": "dark", "description": "d"}]
)
async def test_update_that_keeps_the_content_stores_nothing(
    free: httpx.AsyncClient, database: Database, changes: dict[str, str]
) -> None:
    document = await create(free, content="same")
    await update(free, document, **changes)
    await publish(free, document)
    assert stored(database, document) == []


async def test_empty_content_is_not_stored(free: httpx.AsyncClient, database: Database) -> None:
    document = await create(free, title="Empty")
    await update(free, document, content="x")
    assert stored(database, document) == []


async def test_run_of_autosaves_counts_as_one(
    free: httpx.AsyncClient, database: Database, travel: Travel, autosave: Autosave
) -> None:
    document = await create(free, content="before")
    for number in range(5):
        await autosave(document, f"typing {number}")
        travel(MINUTE)
    assert stored(database, document) == ["before"]


async def test_content_that_stood_for_the_interval_is_always_stored(
    free: httpx.AsyncClient, database: Database, travel: Travel, autosave: Autosave
) -> None:
    document = await create(free, content="one")
    await autosave(document, "two")
    travel(INTERVAL - MINUTE)
    await autosave(document, "three")
    travel(INTERVAL)
    await autosave(document, "four")
    travel(INTERVAL)
    await autosave(document, "five")
    assert stored(database, document) == ["four", "three", "one"]


async def test_long_session_stores_a_content_each_interval(
    free: httpx.AsyncClient, database: Database, travel: Travel, autosave: Autosave
) -> None:
    document = await create(free, content="start")
    for number in range(60):
        await autosave(document, f"minute {number}")
        travel(MINUTE)
    assert stored(database, document) == [*(f"minute {number}" for number in (49, 39, 29, 19, 9)), "start"]


async def test_content_that_loses_a_passage_is_stored_within_a_run(
    free: httpx.AsyncClient, database: Database, autosave: Autosave
) -> None:
    document = await create(free, content="start")
    long = f"typed {'word ' * 100}"
    await autosave(document, long)
    await autosave(document, "")
    await autosave(document, f"{long}, restored by undo")
    await autosave(document, f"pasted over {'other ' * 100}")
    assert stored(database, document) == [f"{long}, restored by undo", long, "start"]


async def test_published_document_stores_what_it_showed(free: httpx.AsyncClient, database: Database) -> None:
    document = await create(free, content="shown before")
    await publish(free, document)
    await update(free, document, content="shown now")
    assert stored(database, document) == ["shown before"]
    assert (await get(free, document))["content"] == "shown now"


async def test_last_twenty_are_stored(free: httpx.AsyncClient, database: Database, travel: Travel) -> None:
    document = await create(free, content="0")
    for number in range(1, 25):
        travel(INTERVAL)
        await update(free, document, content=str(number))
    assert stored(database, document) == [str(number) for number in range(23, 3, -1)]


async def test_bytes_of_a_document_are_bounded(
    free: httpx.AsyncClient, database: Database, state: AppState, travel: Travel
) -> None:
    limit(state, max_bytes=30)
    document = await create(free, content="0" * 10)
    for number in range(1, 5):
        travel(INTERVAL)
        await update(free, document, content=f"{number}" * 10)
    assert stored(database, document) == ["3" * 10, "2" * 10]


async def test_limit_of_none_drops_those_that_are_stored(
    free: httpx.AsyncClient, database: Database, state: AppState
) -> None:
    document = await create(free, content="one")
    await update(free, document, content="two")
    limit(state, number=0)
    await update(free, document, title="Only a title")
    assert stored(database, document) == ["one"]
    await update(free, document, content="three")
    assert stored(database, document) == []


def test_passage_is_more_than_200_characters_replaced_at_once() -> None:
    passage = "x" * PASSAGE_CHARACTERS
    assert not loses_passage(f"a{passage}b", "ab")
    assert loses_passage(f"a{passage}xb", "ab")
    assert loses_passage(f"a{passage}xb", f"a{'y' * 300}b")
    assert not loses_passage(passage, f"{passage}{'y' * 300}")
    assert not loses_passage("", passage)
    # Long ends that are the same, and that overlap.
    assert not loses_passage("ab" * 500_000, "ab" * 500_001)
    assert not loses_passage("ab" * 500_001, "ab" * 500_000)
    assert loses_passage("ab" * 500_101, "ab" * 500_000)


@given(
    st.text("ab", max_size=30), st.text("abc", max_size=400), st.text("abc", max_size=400), st.text("ab", max_size=30)
)
def test_passage_is_between_what_both_contents_begin_and_end_with(
    start: str, removed: str, added: str, end: str
) -> None:
    before, after = f"{start}{removed}{end}", f"{start}{added}{end}"
    first = next((index for index, pair in enumerate(zip(before, after, strict=False)) if pair[0] != pair[1]), None)
    if first is None:
        first = min(len(before), len(after))
    last = 0
    while last < min(len(before), len(after)) - first and before[-1 - last] == after[-1 - last]:
        last += 1
    assert loses_passage(before, after) == (len(before) - first - last > PASSAGE_CHARACTERS)
