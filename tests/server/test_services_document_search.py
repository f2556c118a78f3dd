"""Searching an account's documents: what matches, in which order, and how much is read."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from mdpublish_server.errors import ValidationError
from mdpublish_server.services import document_search
from mdpublish_server.services.document_search import Matches, search_documents, words_of
from mdpublish_server.storage import Database, Document, DocumentSummary
from mdpublish_server.storage.documents import add_document
from tests.server.conftest import NOW, Owner

LATEST = datetime.max.replace(tzinfo=UTC)


@pytest.fixture
def add(database: Database, make_owner: Callable[..., Owner]) -> Callable[..., None]:
    """Adds a document to an account; each is newer than the one before."""
    owners: dict[str, Owner] = {}
    document = Document(
        id="",
        account_id="",
        title="Untitled",
        template_id="swiss",
        theme_mode="light",
        word_count=0,
        created_at=NOW,
        updated_at=NOW,
        content="",
    )
    count = 0

    def add(title: str, content: str = "", *, owner: str = "anna") -> None:
        nonlocal count
        count += 1
        if owner not in owners:
            owners[owner] = make_owner(owner)
        number = f"00000000-0000-4000-8000-{count:012}"
        account_id = owners[owner].account.id
        time = NOW + timedelta(seconds=count)
        with database.write_transaction() as transaction:
            changed = replace(document, id=number, account_id=account_id, title=title, content=content, updated_at=time)
            add_document(transaction, changed)

    add.accounts = owners  # type: ignore[attr-defined]
    return add


def search(
    database: Database, add: Callable[..., None], query: str, *, after: DocumentSummary | None = None, limit: int = 20
) -> Matches:
    account_id: str = add.accounts["anna"].account.id  # type: ignore[attr-defined]
    before, before_id = (after.updated_at, after.id) if after else (LATEST, "")
    with database.read_transaction() as transaction:
        return search_documents(
            transaction, account_id, words_of(query), before=before, before_id=before_id, limit=limit
        )


def titles(matches: Matches) -> list[str]:
    return [document.title for document in matches.documents]


def test_title_and_content_are_searched_newest_first(database: Database, add: Callable[..., None]) -> None:
    add("Garden day", "roses")
    add("Roses", "x")
    add("Other", "x")

    assert titles(search(database, add, "roses")) == ["Roses", "Garden day"]


def test_all_words_must_match_in_any_order(database: Database, add: Callable[..., None]) -> None:
    add("Garden day", "The roses are out")
    add("Garden", "tulips")

    assert titles(search(database, add, "roses garden")) == ["Garden day"]


@pytest.mark.parametrize(
    (("content", "query")), [("Größe", "GRÖSSE"), ("Сад", "сад"), ("STRASSE", "straße"), ("ΟΔΟΣ", "οδος")]
)
def test_case_makes_no_difference_in_any_script(
    database: Database, add: Callable[..., None], content: str, query: str
) -> None:
    add("Found", content)

    assert titles(search(database, add, query)) == ["Found"]


@pytest.mark.parametrize("query", ["100%", "a_b", "a\\b", "'", '"', "[a]", "*"])
def test_signs_stand_for_themselves(database: Database, add: Callable[..., None], query: str) -> None:
    add("With it", f"x {query} y")
    add("Without it", "x 1000 axb ab y")

    assert titles(search(database, add, query)) == ["With it"]


def test_documents_of_others_are_not_searched(database: Database, add: Callable[..., None]) -> None:
    add("Mine", "secret")
    add("Theirs", "secret", owner="berta")

    assert titles(search(database, add, "secret")) == ["Mine"]


def test_next_page_goes_on_after_the_last(database: Database, add: Callable[..., None]) -> None:
    for number in range(25):
        add(f"Number {number}", "odd" if number % 2 else "even")

    first = search(database, add, "odd", limit=5)
    second = search(database, add, "odd", after=first.last, limit=20)

    assert titles(first) == [f"Number {number}" for number in (23, 21, 19, 17, 15)]
    assert titles(second) == [f"Number {number}" for number in (13, 11, 9, 7, 5, 3, 1)]
    assert second.last is None


@pytest.mark.parametrize(("name", "value"), [("SEARCHED_DOCUMENTS", 12), ("SEARCHED_CHARACTERS", 12_000)])
def test_search_stops_and_goes_on_from_there(
    database: Database, add: Callable[..., None], monkeypatch: pytest.MonkeyPatch, name: str, value: int
) -> None:
    monkeypatch.setattr(document_search, name, value)
    add("The oldest", "rare".ljust(1_000))
    for number in range(20):
        add(f"Number {number}", "x" * 1_000)

    first = search(database, add, "rare")
    assert (titles(first), first.last and first.last.title) == ([], "Number 8")
    assert titles(search(database, add, "rare", after=first.last)) == ["The oldest"]


def test_query_has_100_characters_at_most() -> None:
    assert words_of("Straße  x X") == ("strasse", "x")
    with pytest.raises(ValidationError, match="at most 100 characters"):
        words_of("x" * 101)
