"""Queries of readers: their links, sessions and views, and the images of private pages."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import DocumentRecord, ImageRecord, ReaderLink, ReaderSession, ReaderView
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import (
    READER_LINKS,
    READER_SESSIONS,
    READER_VIEWS,
)
from mdpublish_server.storage.transactions import Transaction

READER_LINK = RecordColumns(ReaderLink, READER_LINKS)
READER_SESSION = RecordColumns(ReaderSession, READER_SESSIONS)
READER_VIEW = RecordColumns(ReaderView, READER_VIEWS)
_SQL = read_statements(
    __name__, reader_link=READER_LINK.sql, reader_session=READER_SESSION.sql, reader_view=READER_VIEW.sql
)


def reader_sessions(
    transaction: Transaction, token_hash: str, account_id: str, *, now: datetime
) -> Sequence[ReaderSession]:
    """Return what a browser proved to an account's pages."""
    return READER_SESSION.all(transaction, _SQL["sessions"], hash=token_hash, account=account_id, now=now)


def end_sessions_of_readers(transaction: Transaction, account_id: str, has_ended: Callable[[str], bool]) -> None:
    """End the sessions of the addresses that `has_ended` names."""
    for (email,) in transaction.rows(_SQL["emails"], account=account_id):
        if has_ended(email):
            transaction.change(_SQL["end"], account=account_id, address=email)


def renew_browser(transaction: Transaction, token_hash: str, new_hash: str) -> None:
    """Give a browser's sessions and links to its next token."""
    transaction.change(_SQL["renew"], hash=token_hash, new_hash=new_hash)
    transaction.change(_SQL["renew_links"], hash=token_hash, new_hash=new_hash)


def find_reader_link(transaction: Transaction, token_hash: str, *, now: datetime) -> ReaderLink | None:
    return READER_LINK.first(transaction, _SQL["link"], hash=token_hash, now=now)


def links_of_browser(
    transaction: Transaction, browser_hash: str, document_id: str, *, now: datetime, limit: int
) -> Sequence[ReaderLink]:
    """Return the links for a document that a browser asked for, latest first."""
    return READER_LINK.all(
        transaction,
        _SQL["links_of_browser"],
        hash=browser_hash,
        document=document_id,
        now=now,
        limit=limit,
    )


def count_try(transaction: Transaction, token_hash: str, *, limit: int) -> bool:
    """Return False if a link's code was tried `limit` times."""
    return transaction.change(_SQL["count_try"], hash=token_hash, limit=limit) == 1


def use_link(transaction: Transaction, token_hash: str) -> bool:
    """Delete a link; return False if another request has."""
    return transaction.change(_SQL["use_link"], hash=token_hash) == 1


def delete_reader_links(transaction: Transaction, document_id: str, email: str) -> None:
    transaction.change(_SQL["delete_links"], document=document_id, address=email)


def delete_links_of_account(transaction: Transaction, account_id: str) -> None:
    transaction.change(_SQL["delete_links_of_account"], account=account_id)


def linked_readers(transaction: Transaction, document_id: str, *, now: datetime) -> Sequence[str]:
    """Return the addresses that have a link of the owner's."""
    return [row[0] for row in transaction.rows(_SQL["linked"], document=document_id, now=now)]


def reader_views(transaction: Transaction, document_id: str, *, limit: int) -> Sequence[ReaderView]:
    """Return who has seen a page, latest first."""
    return READER_VIEW.all(transaction, _SQL["views"], document=document_id, limit=limit)


def find_view(transaction: Transaction, document_id: str, email: str) -> ReaderView | None:
    return READER_VIEW.first(transaction, _SQL["view"], document=document_id, address=email)


def note_views(transaction: Transaction, views: Sequence[ReaderView]) -> None:
    for view in views:
        transaction.change(_SQL["saw"], **READER_VIEW.written(view))


def set_readers(transaction: Transaction, document_id: str, readers: Sequence[str]) -> None:
    """Replace a document's list of readers, whatever its plan allows."""
    transaction.change(_SQL["set_readers"], document_id=document_id, listed="\n".join(readers))


def mark_private_images(transaction: Transaction, document: DocumentRecord, ids: Collection[str]) -> None:
    """Store which of these images, if they are its account's, a private page shows; none if it is not private."""
    transaction.change(_SQL["unmark"], document=document.id)
    if ids:
        for (image_id,) in transaction.rows(_SQL["image_ids"], account=document.account_id):
            if image_id in ids:
                transaction.change(_SQL["mark"], document_id=document.id, image_id=image_id)


def documents_with_image(transaction: Transaction, image_id: str) -> Sequence[str]:
    """Return the private documents that show an image."""
    return [row[0] for row in transaction.rows(_SQL["showing"], image=image_id)]


def is_shown_elsewhere(transaction: Transaction, image: ImageRecord, *, now: datetime) -> bool:
    """Return whether a page that everybody may see shows an image."""
    pattern = f"%{image.name}%"
    values = {"account": image.account_id, "pattern": pattern, "now": now}
    return transaction.row(_SQL["elsewhere"], **values) is not None
