"""Searching an account's documents: what is found, its order and marks, and an index that follows the texts."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import update

from mdpublish_server.errors import ValidationError
from mdpublish_server.search_words import indexed_words
from mdpublish_server.services import document_search
from mdpublish_server.services.cleanup import delete_account_batch
from mdpublish_server.services.document_search import Matches, search_documents
from mdpublish_server.storage import Database, DocumentRecord, Transaction
from mdpublish_server.storage.accounts import retire_account
from mdpublish_server.storage.database import sqlite_path
from mdpublish_server.storage.documents import (
    add_document,
    delete_document,
    find_document,
    replace_document,
    unpublish_document,
)
from mdpublish_server.storage.tables import DOCUMENT_WORDS
from mdpublish_server.storage.transactions import Statement
from tests.server.conftest import NOW, MakeOwner

ADD = Callable[..., DocumentRecord]


@pytest.fixture
def account(make_owner: MakeOwner) -> str:
    return make_owner("anna").account.id


@pytest.fixture
def other_account(make_owner: MakeOwner) -> str:
    return make_owner("berta").account.id


@pytest.fixture
def add(database: Database, account: str) -> ADD:
    """Adds a document; each is newer than the one before."""
    count = 0

    def add(title: str, content: str = "", *, owner: str = account) -> DocumentRecord:
        nonlocal count
        count += 1
        document = DocumentRecord(
            id=f"00000000-0000-4000-8000-{count:012}",
            account_id=owner,
            title=title,
            template_id="swiss",
            theme_mode="light",
            word_count=0,
            created_at=NOW,
            updated_at=NOW + timedelta(seconds=count),
            content=content,
        )
        with database.write_transaction() as transaction:
            add_document(transaction, document, words=indexed_words(content))
        return document

    return add


@pytest.fixture
def search(database: Database, account: str) -> Callable[..., Matches]:
    def search(query: str, *, cursor: str | None = None, limit: int = 20) -> Matches:
        with database.read_transaction() as transaction:
            return search_documents(transaction, account, query, cursor=cursor, limit=limit)

    return search


@pytest.fixture(params=["looked at", "by the index"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways of finding documents."""
    if request.param == "by the index":
        monkeypatch.setattr(document_search, "LOOKED_AT", 0)
    way: str = request.param
    return way


def delete_rest(transaction: Transaction, account_id: str) -> None:
    retire_account(transaction, account_id, now=NOW)
    while delete_account_batch(transaction, ticks=lambda: 0.0):
        pass


BOTH_WAYS = pytest.mark.usefixtures("way")


def titles(matches: Matches) -> list[str]:
    return [hit.document.title for hit in matches.hits]


def shown(runs: object) -> str:
    return "".join(f"[{run.content}]" if run.is_hit else run.content for run in runs)  # type: ignore[attr-defined]


def all_titles(search: Callable[..., Matches], query: str, *, limit: int) -> list[str]:
    """Return what all pages show."""
    matches = search(query, limit=limit)
    listed = titles(matches)
    while matches.next_cursor:
        matches = search(query, cursor=matches.next_cursor, limit=limit)
        listed += titles(matches)
    return listed


@BOTH_WAYS
def test_titles_come_first_then_frequent_words_then_new_texts(search: Callable[..., Matches], add: ADD) -> None:
    add("Roses", "x")
    add("Often", "roses, roses and roses are better than tulips, tulips")
    add("Once", "tulips, tulips and one of the roses")
    add("Garden roses", "y")
    add("Other", "x")

    assert titles(search("roses")) == ["Garden roses", "Roses", "Often", "Once"]


@BOTH_WAYS
def test_all_words_must_match_in_any_order(search: Callable[..., Matches], add: ADD) -> None:
    add("Garden day", "The roses are out")
    add("Garden", "tulips")

    assert titles(search("roses garden")) == ["Garden day"]
    assert titles(search("tulips roses")) == []


@BOTH_WAYS
def test_only_the_last_word_may_be_the_beginning_of_one(search: Callable[..., Matches], add: ADD) -> None:
    add("Plans", "A conversion of documents")

    assert titles(search("conversion doc")) == ["Plans"]
    assert titles(search("conv documents")) == []
    assert titles(search("conversion o")) == []
    assert titles(search("conversion a")) == titles(search("c")) == ["Plans"]


@BOTH_WAYS
@pytest.mark.parametrize(
    ("content", "query"),
    [
        ("Größe", "GRÖSSE"),
        ("Сад", "сад"),
        ("STRASSE", "straße"),
        ("ΟΔΟΣ", "οδος"),
        ("résumé", "resume"),
        ("resume", "Résumé"),
        ("ﬁnal ＴＥＸＴ", "final text"),
        ("हिन्दी में", "हिन्दी"),
        ("مُحَمَّد", "محمد"),
        ("東京都庁の予算", "都庁"),
        ("東京都庁の予算", "算"),
        ("東京都庁の予算", "東 x"),
        ("서울에서 만나요", "서울"),
        ("ภาษาไทยง่ายมาก", "ไทย"),
        ("snake_case", "snake_case"),
        ("v1.2.3", "v1.2"),
    ],
)
def test_words_are_found_in_any_script(search: Callable[..., Matches], add: ADD, content: str, query: str) -> None:
    add("With it", f"x {content} y")
    add("Without it", "something else")

    assert titles(search(query)) == ["With it"]


@BOTH_WAYS
def test_letters_of_scripts_without_spaces_must_follow_each_other(search: Callable[..., Matches], add: ADD) -> None:
    add("Other order", "都庁は東京都")
    add("This order", "東京都庁")

    assert titles(search("京都庁")) == ["This order"]


@BOTH_WAYS
@pytest.mark.parametrize("query", ["100%", "a_b", "a\\b", "[a]", "c++", "NOT x", "a:b", "x*"])
def test_signs_beside_words_stand_for_themselves(search: Callable[..., Matches], add: ADD, query: str) -> None:
    add("With it", f"q {query} y")
    add("Without it", "1000 axb a b cc y")

    assert titles(search(query)) == ["With it"]


@pytest.mark.parametrize("query", ["'", '"', "*", "-", "(", "👍"])
def test_signs_alone_stand_for_themselves(search: Callable[..., Matches], add: ADD, query: str) -> None:
    add("With it", f"q {query} y")
    add("Without it", "q y")

    assert titles(search(query)) == ["With it"]


@BOTH_WAYS
def test_long_words_are_found(search: Callable[..., Matches], add: ADD) -> None:
    add("Long", f"{'a' * 50}b")
    add("Longer", f"{'a' * 50}c")

    assert titles(search(f"{'a' * 50}b")) == ["Long"]


@BOTH_WAYS
def test_documents_of_others_are_not_searched(search: Callable[..., Matches], add: ADD, other_account: str) -> None:
    add("Mine", "secret")
    add("Theirs", "secret", owner=other_account)

    assert titles(search("secret")) == ["Mine"]


@BOTH_WAYS
def test_accounts_whose_ids_begin_alike_are_apart(
    database: Database, search: Callable[..., Matches], add: ADD, account: str, other_account: str
) -> None:
    theirs = add("Theirs", "secret", owner=other_account)
    alike = Statement(
        update(DOCUMENT_WORDS)
        .where(DOCUMENT_WORDS.c.document_id == theirs.id)
        .values(account_id=f"{account[:6]}{other_account[6:]}")
    )
    with database.write_transaction() as transaction:
        assert transaction.change(alike) == 1
    add("Mine", "secret")

    assert titles(search("secret")) == ["Mine"]


@pytest.mark.parametrize("looked_at", [0, 5, 200])
@pytest.mark.parametrize("window", [3, 200])
def test_pages_show_each_document_once(
    search: Callable[..., Matches], add: ADD, monkeypatch: pytest.MonkeyPatch, looked_at: int, window: int
) -> None:
    monkeypatch.setattr(document_search, "LOOKED_AT", looked_at)
    monkeypatch.setattr(document_search, "WINDOW", window)
    for number in range(40):
        add(f"{'Odd' if number % 8 == 1 else 'Number'} {number}", "odd" if number % 2 else "even")

    listed = all_titles(search, "odd", limit=4)
    in_title = [f"Odd {number}" for number in (33, 25, 17, 9, 1)]
    assert listed == in_title + [f"Number {number}" for number in range(39, 0, -2) if number % 8 != 1]


def test_documents_of_many_words_are_found(search: Callable[..., Matches], add: ADD) -> None:
    add("Long", " ".join(f"word{number}" for number in range(5_000)))
    add("Short", "word4 and word4999x")

    assert titles(search("word4")) == ["Short", "Long"]
    assert titles(search("word4999")) == ["Short", "Long"]
    assert titles(search("word4998")) == ["Long"]


def test_search_stops_after_many_characters_and_goes_on(
    search: Callable[..., Matches], add: ADD, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(document_search, "READ_CHARACTERS", 3_500)
    add("The oldest", "a+b".ljust(1_000))
    for number in range(10):
        add(f"Number {number}", "a b".ljust(1_000))

    first = search("a+b")
    assert (titles(first), first.next_cursor is None) == ([], False)
    assert all_titles(search, "a+b", limit=20) == ["The oldest"]


@BOTH_WAYS
def test_index_follows_texts_and_titles(
    database: Database, search: Callable[..., Matches], add: ADD, account: str
) -> None:
    document = add("First", "apple")
    changed = replace(document, title="Second", content="pear")
    with database.write_transaction() as transaction:
        assert replace_document(transaction, changed, words=indexed_words("pear"))
    assert [titles(search(query)) for query in ("apple", "first", "pear", "second")] == [[], [], ["Second"], ["Second"]]

    with database.write_transaction() as transaction:
        assert replace_document(transaction, replace(changed, title="Third", revision=2))
    assert [titles(search(query)) for query in ("second", "pear", "third")] == [[], ["Third"], ["Third"]]

    with database.write_transaction() as transaction:
        unpublish_document(transaction, document.id)
        delete_document(transaction, account, document.id)
        assert find_document(transaction, document.id) is None
    assert titles(search("pear")) == []


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
def test_index_has_nothing_else_than_the_documents(
    database: Database, database_url: str, add: ADD, account: str
) -> None:
    documents = [add(f"Number {number}", f"apple {number}") for number in range(20)]
    with database.write_transaction() as transaction:
        for document in documents[:10]:
            assert replace_document(transaction, replace(document, content="pear", title="x"), words="pear")
        assert replace_document(transaction, replace(documents[10], title="Changed"))
        delete_document(transaction, account, documents[0].id)
        delete_document(transaction, account, documents[19].id)
        delete_rest(transaction, account)

    with closing(sqlite3.connect(str(sqlite_path(database_url)))) as connection:
        # Raises if the index and the table differ.
        connection.execute("INSERT INTO document_index (document_index, rank) VALUES ('integrity-check', 1)")
        assert connection.execute("SELECT count(*) FROM document_words").fetchone() == (0,)
        assert (
            connection.execute("SELECT rowid FROM document_index WHERE document_index MATCH 'a* OR b*'").fetchall()
            == []
        )


@BOTH_WAYS
def test_transaction_that_fails_changes_no_index(database: Database, search: Callable[..., Matches], add: ADD) -> None:
    document = add("First", "apple")

    with pytest.raises(ZeroDivisionError), database.write_transaction() as transaction:  # noqa: PT012  (one transaction)
        replace_document(transaction, replace(document, content="pear"), words=indexed_words("pear"))
        raise ZeroDivisionError
    assert [titles(search(query)) for query in ("apple", "pear")] == [["First"], []]


@pytest.mark.parametrize(
    ("content", "query", "excerpt"),
    [
        (
            "# Report\n\nSome **roses** and [more roses](https://roses.example).",
            "roses",
            "Some [roses] and more [roses] .",
        ),
        ("See [this](https://roses.example/)\n\nAll Roses.", "rose", "All [Roses]."),
        ("Größe und Grösse", "größe", "[Größe] und [Grösse]"),
        ("今日は東京都庁へ行く", "都庁", "今日は東京[都庁]へ行く"),
        ("| a | roses |\n|---|---|\n", "a ros", "[a] [roses]"),
        (f"{'much text ' * 50}and roses", "roses", None),
        ("no such word", "title", ""),
        ("# Title\n\nIts title again", "title", "Its [title] again"),
    ],
)
def test_hits_are_marked(
    search: Callable[..., Matches], add: ADD, content: str, query: str, excerpt: str | None
) -> None:
    add("Title", content)

    hit = search(query).hits[0]
    if excerpt is None:
        assert shown(hit.excerpt).endswith("[roses]")
        assert len(shown(hit.excerpt)) < 200
    else:
        assert shown(hit.excerpt) == excerpt
    assert shown(hit.title) == ("[Title]" if query == "title" else "Title")


def test_query_has_100_characters_at_most(search: Callable[..., Matches]) -> None:
    assert titles(search("x" * 100)) == []
    with pytest.raises(ValidationError, match="at most 100 characters"):
        search("x" * 101)


@pytest.mark.parametrize("cursor", ["x", "2-1-0", f"0-{2**63}-0", "0-1", "0-1-0-0", "0--1-0", "AAAA"])
def test_made_up_cursors_are_refused(search: Callable[..., Matches], cursor: str) -> None:
    with pytest.raises(ValidationError, match="cursor"):
        search("x", cursor=cursor)
