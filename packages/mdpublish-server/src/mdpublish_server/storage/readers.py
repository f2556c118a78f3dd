"""Queries of readers: their links, sessions and views, and the images of private pages."""

from collections.abc import Callable, Collection, Sequence
from datetime import datetime

from sqlalchemy import bindparam, delete, insert, or_, select, update
from sqlalchemy.dialects.postgresql import insert as upsert  # both dialects compile ON CONFLICT alike

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import DocumentRecord, ImageRecord, ReaderLink, ReaderSession, ReaderView
from mdpublish_server.storage.tables import (
    DOCUMENTS,
    IMAGES,
    PRIVATE_IMAGES,
    READER_LINKS,
    READER_SESSIONS,
    READER_VIEWS,
)
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction

READER_LINK = RecordColumns(ReaderLink, READER_LINKS)
READER_SESSION = RecordColumns(ReaderSession, READER_SESSIONS)
READER_VIEW = RecordColumns(ReaderView, READER_VIEWS)

_of_account = READER_SESSIONS.c.account_id == bindparam("account")
_is_alive = READER_SESSIONS.c.expires_at > bindparam("now")
_of_document = READER_LINKS.c.document_id == bindparam("document")
_is_valid = READER_LINKS.c.expires_at > bindparam("now")

_SESSIONS = Statement(
    select(*READER_SESSION.columns).where(READER_SESSIONS.c.token_hash == bindparam("hash"), _of_account, _is_alive)
)
_EMAILS = Statement(select(READER_SESSIONS.c.email).where(_of_account, READER_SESSIONS.c.email.is_not(None)).distinct())
_END = Statement(delete(READER_SESSIONS).where(_of_account, READER_SESSIONS.c.email == bindparam("address")))
_RENEW = Statement(
    update(READER_SESSIONS)
    .where(READER_SESSIONS.c.token_hash == bindparam("hash"))
    .values(token_hash=bindparam("new_hash"))
)
_RENEW_LINKS = Statement(
    update(READER_LINKS)
    .where(READER_LINKS.c.browser_hash == bindparam("hash"))
    .values(browser_hash=bindparam("new_hash"))
)
_LINK = Statement(select(*READER_LINK.columns).where(READER_LINKS.c.token_hash == bindparam("hash"), _is_valid))
_LINKS_OF_BROWSER = Statement(
    select(*READER_LINK.columns)
    .where(READER_LINKS.c.browser_hash == bindparam("hash"), _of_document, _is_valid)
    .order_by(READER_LINKS.c.expires_at.desc())
    .limit(bindparam("limit"))
)
# The lock makes tries exact: of two requests, the second counts after the first.
_COUNT_TRY = Statement(
    update(READER_LINKS)
    .where(READER_LINKS.c.token_hash == bindparam("hash"), READER_LINKS.c.tries < bindparam("limit"))
    .values(tries=READER_LINKS.c.tries + 1)
)
_USE_LINK = Statement(delete(READER_LINKS).where(READER_LINKS.c.token_hash == bindparam("hash")))
_DELETE_LINKS = Statement(delete(READER_LINKS).where(_of_document, READER_LINKS.c.email == bindparam("address")))
_OF_ACCOUNT = select(DOCUMENTS.c.id).where(DOCUMENTS.c.account_id == bindparam("account"))
_DELETE_LINKS_OF_ACCOUNT = Statement(delete(READER_LINKS).where(READER_LINKS.c.document_id.in_(_OF_ACCOUNT)))
_LINKED = Statement(select(READER_LINKS.c.email).where(_of_document, READER_LINKS.c.browser_hash.is_(None), _is_valid))
_VIEWS = Statement(
    select(*READER_VIEW.columns)
    .where(READER_VIEWS.c.document_id == bindparam("document"))
    .order_by(READER_VIEWS.c.seen_at.desc())
    .limit(bindparam("limit"))
)
_VIEW = Statement(
    select(*READER_VIEW.columns).where(
        READER_VIEWS.c.document_id == bindparam("document"), READER_VIEWS.c.email == bindparam("address")
    )
)
_new_view = upsert(READER_VIEWS)
_SAW = Statement(
    _new_view.on_conflict_do_update(
        index_elements=["document_id", "email"], set_={"seen_at": _new_view.excluded["seen_at"]}
    )
)
_SET_READERS = Statement(
    update(DOCUMENTS)
    .where(DOCUMENTS.c.id == bindparam("document_id"))
    .values(readers=bindparam("listed"), revision=DOCUMENTS.c.revision + 1)
)
_UNMARK = Statement(delete(PRIVATE_IMAGES).where(PRIVATE_IMAGES.c.document_id == bindparam("document")))
_MARK = Statement(insert(PRIVATE_IMAGES))
_IMAGE_IDS = Statement(select(IMAGES.c.id).where(IMAGES.c.account_id == bindparam("account")))
_SHOWING = Statement(select(PRIVATE_IMAGES.c.document_id).where(PRIVATE_IMAGES.c.image_id == bindparam("image")))
_is_private = or_(DOCUMENTS.c.visibility == "specific", DOCUMENTS.c.password_hash.is_not(None))
_ELSEWHERE = Statement(
    select(DOCUMENTS.c.id)
    .where(
        DOCUMENTS.c.account_id == bindparam("account"),
        DOCUMENTS.c.published_at.is_not(None),
        ~_is_private,
        or_(DOCUMENTS.c.expires_at.is_(None), DOCUMENTS.c.expires_at > bindparam("now")),
        DOCUMENTS.c.content.like(bindparam("pattern")),
    )
    .limit(1)
)


def reader_sessions(
    transaction: Transaction, token_hash: str, account_id: str, *, now: datetime
) -> Sequence[ReaderSession]:
    """Return what a browser proved to an account's pages."""
    return READER_SESSION.all(transaction, _SESSIONS, hash=token_hash, account=account_id, now=to_microseconds(now))


def end_sessions_of_readers(transaction: Transaction, account_id: str, has_ended: Callable[[str], bool]) -> None:
    """End the sessions of the addresses that `has_ended` names."""
    for (email,) in transaction.rows(_EMAILS, account=account_id):
        if has_ended(email):
            transaction.change(_END, account=account_id, address=email)


def renew_browser(transaction: Transaction, token_hash: str, new_hash: str) -> None:
    """Give a browser's sessions and links to its next token."""
    transaction.change(_RENEW, hash=token_hash, new_hash=new_hash)
    transaction.change(_RENEW_LINKS, hash=token_hash, new_hash=new_hash)


def find_reader_link(transaction: Transaction, token_hash: str, *, now: datetime) -> ReaderLink | None:
    return READER_LINK.first(transaction, _LINK, hash=token_hash, now=to_microseconds(now))


def links_of_browser(
    transaction: Transaction, browser_hash: str, document_id: str, *, now: datetime, limit: int
) -> Sequence[ReaderLink]:
    """Return the links for a document that a browser asked for, latest first."""
    return READER_LINK.all(
        transaction, _LINKS_OF_BROWSER, hash=browser_hash, document=document_id, now=to_microseconds(now), limit=limit
    )


def count_try(transaction: Transaction, token_hash: str, *, limit: int) -> bool:
    """Return False if a link's code was tried `limit` times."""
    return transaction.change(_COUNT_TRY, hash=token_hash, limit=limit) == 1


def use_link(transaction: Transaction, token_hash: str) -> bool:
    """Delete a link; return False if another request has."""
    return transaction.change(_USE_LINK, hash=token_hash) == 1


def delete_reader_links(transaction: Transaction, document_id: str, email: str) -> None:
    transaction.change(_DELETE_LINKS, document=document_id, address=email)


def delete_links_of_account(transaction: Transaction, account_id: str) -> None:
    transaction.change(_DELETE_LINKS_OF_ACCOUNT, account=account_id)


def linked_readers(transaction: Transaction, document_id: str, *, now: datetime) -> Sequence[str]:
    """Return the addresses that have a link of the owner's."""
    return [row[0] for row in transaction.rows(_LINKED, document=document_id, now=to_microseconds(now))]


def reader_views(transaction: Transaction, document_id: str, *, limit: int) -> Sequence[ReaderView]:
    """Return who has seen a page, latest first."""
    return READER_VIEW.all(transaction, _VIEWS, document=document_id, limit=limit)


def find_view(transaction: Transaction, document_id: str, email: str) -> ReaderView | None:
    return READER_VIEW.first(transaction, _VIEW, document=document_id, address=email)


def note_views(transaction: Transaction, views: Sequence[ReaderView]) -> None:
    for view in views:
        transaction.change(_SAW, **READER_VIEW.written(view))


def set_readers(transaction: Transaction, document_id: str, readers: Sequence[str]) -> None:
    """Replace a document's list of readers, whatever its plan allows."""
    transaction.change(_SET_READERS, document_id=document_id, listed="\n".join(readers))


def mark_private_images(transaction: Transaction, document: DocumentRecord, ids: Collection[str]) -> None:
    """Store which of these images, if they are its account's, a private page shows; none if it is not private."""
    transaction.change(_UNMARK, document=document.id)
    if ids:
        for (image_id,) in transaction.rows(_IMAGE_IDS, account=document.account_id):
            if image_id in ids:
                transaction.change(_MARK, document_id=document.id, image_id=image_id)


def documents_with_image(transaction: Transaction, image_id: str) -> Sequence[str]:
    """Return the private documents that show an image."""
    return [row[0] for row in transaction.rows(_SHOWING, image=image_id)]


def is_shown_elsewhere(transaction: Transaction, image: ImageRecord, *, now: datetime) -> bool:
    """Return whether a page that everybody may see shows an image."""
    pattern = f"%{image.name}%"
    values = {"account": image.account_id, "pattern": pattern, "now": to_microseconds(now)}
    return transaction.row(_ELSEWHERE, **values) is not None
