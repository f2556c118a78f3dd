"""Queries of readers: their links, sessions and views, and the images of private pages."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import DocumentRecord, ImageRecord, ReaderLink, ReaderSession, ReaderView
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import READER_LINKS, READER_SESSIONS, READER_VIEWS
from mdpublish_server.storage.transactions import Transaction, query

READER_LINK = RecordColumns(ReaderLink, READER_LINKS)
READER_SESSION = RecordColumns(ReaderSession, READER_SESSIONS)
READER_VIEW = RecordColumns(ReaderView, READER_VIEWS)
_SQL = read_statements(
    __name__, reader_link=READER_LINK.sql, reader_session=READER_SESSION.sql, reader_view=READER_VIEW.sql
)

reader_sessions = query(READER_SESSION.all, _SQL["sessions"], "hash", "account")
find_reader_link = query(READER_LINK.first, _SQL["link"], "hash")
links_of_browser = query(READER_LINK.all, _SQL["links_of_browser"], "hash", "document")
count_try = query(Transaction.changes_one, _SQL["count_try"], "hash")
use_link = query(Transaction.changes_one, _SQL["use_link"], "hash")
delete_reader_links = query(Transaction.change, _SQL["delete_links"], "document", "address")
delete_links_of_account = query(Transaction.change, _SQL["delete_links_of_account"], "account")
linked_readers = query(Transaction.column, _SQL["linked"], "document")
reader_views = query(READER_VIEW.all, _SQL["views"], "document")
find_view = query(READER_VIEW.first, _SQL["view"], "document", "address")
documents_with_image = query(Transaction.column, _SQL["showing"], "image")


def end_sessions_of_readers(transaction: Transaction, account_id: str, has_ended: Callable[[str], bool]) -> None:
    """End the sessions of the addresses that `has_ended` names."""
    for (email,) in transaction.rows(_SQL["emails"], account=account_id):
        if has_ended(email):
            transaction.change(_SQL["end"], account=account_id, address=email)


def renew_browser(transaction: Transaction, token_hash: str, new_hash: str) -> None:
    """Give a browser's sessions and links to its next token."""
    transaction.change(_SQL["renew"], hash=token_hash, new_hash=new_hash)
    transaction.change(_SQL["renew_links"], hash=token_hash, new_hash=new_hash)


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


def is_shown_elsewhere(transaction: Transaction, image: ImageRecord, *, now: datetime) -> bool:
    """Return whether a page that everybody may see shows an image."""
    pattern = f"%{image.name}%"
    values = {"account": image.account_id, "pattern": pattern, "now": now}
    return transaction.row(_SQL["elsewhere"], **values) is not None
