"""Former contents are stored as they were, bounded, and deleted with their document, on SQLite and PostgreSQL."""

from dataclasses import fields, replace
from datetime import timedelta

import pytest

from mdpublish_server.storage import Database, DocumentRecord, Revision, RevisionSummary
from mdpublish_server.storage.accounts import add_account, delete_account
from mdpublish_server.storage.document_revisions import (
    account_revisions,
    add_revision,
    find_revision,
    list_revisions,
    name_revision,
    newest_revision,
    trim_revisions,
)
from mdpublish_server.storage.documents import add_document, delete_document
from tests.server.test_storage import ANNA, DRAFT, NOW

FIRST = Revision(
    document_id=DRAFT.id,
    number=1,
    title="Títle",
    word_count=3,
    saved_at=NOW,
    replaced_at=NOW + timedelta(microseconds=1),
    is_before_restore=False,
    bytes=4,
    content=b"\x00\xff12",
)


@pytest.fixture
def document(database: Database) -> DocumentRecord:
    with database.write_transaction() as transaction:
        add_account(transaction, ANNA)
        add_document(transaction, DRAFT, words="")
    return DRAFT


def summary(revision: Revision) -> RevisionSummary:
    return RevisionSummary(**{field.name: getattr(revision, field.name) for field in fields(RevisionSummary)})


def store(database: Database, *revisions: Revision) -> None:
    with database.write_transaction() as transaction:
        for revision in revisions:
            add_revision(transaction, revision)


def numbers(database: Database, document: DocumentRecord) -> list[int]:
    with database.read_transaction() as transaction:
        return [each.number for each in list_revisions(transaction, document.id)]


def numbered(*numbers: int, size: int = 4) -> list[Revision]:
    """Return revisions whose contents differ."""
    return [replace(FIRST, number=number, content=number.to_bytes(size), bytes=size) for number in numbers]


def test_revision_is_read_as_it_was_stored(database: Database, document: DocumentRecord) -> None:
    before_restore = replace(FIRST, number=2, is_before_restore=True, content=b"other")
    store(database, FIRST, before_restore)
    with database.read_transaction() as transaction:
        assert find_revision(transaction, document.id, 1) == FIRST
        assert find_revision(transaction, document.id, 2) == before_restore
        assert newest_revision(transaction, document.id) == summary(before_restore)
        assert list_revisions(transaction, document.id) == (summary(before_restore), summary(FIRST))


@pytest.mark.usefixtures("document")
def test_revision_of_another_document_is_missing(database: Database) -> None:
    store(database, FIRST)
    with database.read_transaction() as transaction:
        assert find_revision(transaction, "another", 1) is None
        assert find_revision(transaction, FIRST.document_id, 2) is None
        assert newest_revision(transaction, "another") is None
        assert list_revisions(transaction, "another") == ()


def test_equal_content_is_stored_once_under_its_last_number(database: Database, document: DocumentRecord) -> None:
    store(database, *numbered(1, 2), replace(numbered(1)[0], number=3))
    assert numbers(database, document) == [3, 2]


@pytest.mark.parametrize(("number", "remaining"), [(3, [3, 2, 1]), (2, [3, 2]), (1, [3]), (0, [])])
def test_oldest_are_dropped_past_the_number(
    database: Database, document: DocumentRecord, number: int, remaining: list[int]
) -> None:
    store(database, *numbered(1, 2, 3))
    with database.write_transaction() as transaction:
        trim_revisions(transaction, document.id, number=number, max_bytes=1_000)
    assert numbers(database, document) == remaining


@pytest.mark.parametrize(("max_bytes", "remaining"), [(12, [3, 2, 1]), (11, [3, 2]), (8, [3, 2]), (7, [3])])
def test_oldest_are_dropped_past_the_bytes(
    database: Database, document: DocumentRecord, max_bytes: int, remaining: list[int]
) -> None:
    store(database, *numbered(1, 2, 3))
    with database.write_transaction() as transaction:
        trim_revisions(transaction, document.id, number=20, max_bytes=max_bytes)
    assert numbers(database, document) == remaining


def test_named_revisions_stay_and_count_for_no_other(database: Database, document: DocumentRecord) -> None:
    store(database, *numbered(1, 2, 3, 4, 5))
    with database.write_transaction() as transaction:
        name_revision(transaction, document.id, 2, "Sent to Berta ✓")
        name_revision(transaction, document.id, 9, "None")
        trim_revisions(transaction, document.id, number=2, max_bytes=8)
    assert numbers(database, document) == [5, 4, 2]
    # The same content again is another revision, without the name.
    store(database, replace(numbered(2)[0], number=6))
    with database.write_transaction() as transaction:
        names = {each.number: each.name for each in list_revisions(transaction, document.id)}
        assert names == {6: "", 5: "", 4: "", 2: "Sent to Berta ✓"}
        name_revision(transaction, document.id, 2, "")
        trim_revisions(transaction, document.id, number=2, max_bytes=1_000)
    assert numbers(database, document) == [6, 5]


def test_other_documents_are_not_trimmed(database: Database, document: DocumentRecord) -> None:
    other = replace(DRAFT, id="document-other")
    with database.write_transaction() as transaction:
        add_document(transaction, other, words="")
    store(database, *numbered(1, 2), replace(FIRST, document_id=other.id))
    with database.write_transaction() as transaction:
        trim_revisions(transaction, document.id, number=0, max_bytes=0)
    assert (numbers(database, document), numbers(database, other)) == ([], [1])


def test_numbers_of_an_account_are_by_document(database: Database, document: DocumentRecord) -> None:
    other = replace(DRAFT, id="document-other")
    with database.write_transaction() as transaction:
        add_document(transaction, other, words="")
    store(database, *numbered(1, 2), replace(FIRST, document_id=other.id))
    with database.read_transaction() as transaction:
        assert account_revisions(transaction, ANNA.id) == {document.id: [2, 1], other.id: [1]}
        assert account_revisions(transaction, "another") == {}


def test_revisions_are_deleted_with_their_document(database: Database, document: DocumentRecord) -> None:
    store(database, *numbered(1, 2))
    with database.write_transaction() as transaction:
        assert delete_document(transaction, ANNA.id, document.id) is False
    assert numbers(database, document) == []


def test_revisions_are_deleted_with_their_account(database: Database, document: DocumentRecord) -> None:
    store(database, *numbered(1, 2))
    with database.write_transaction() as transaction:
        delete_account(transaction, ANNA.id)
    assert numbers(database, document) == []
