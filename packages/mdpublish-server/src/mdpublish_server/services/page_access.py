"""Who may see a page: the one place that decides.

`find_visible_page` and `image_audience` ask it for everything that shows anything of a page; without the right visitor
they raise `Locked`, which is a `NotFound` for all routes but the page's own, where a form asks for what is missing.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from uuid import UUID

from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.auth.page_protection import is_reader
from mdpublish_server.errors import Expired, NotFound
from mdpublish_server.services.image_removal import IMAGE_NAME
from mdpublish_server.storage import DocumentRecord, ImageRecord, ReaderSession, ReaderView, ResolvedPage, Transaction
from mdpublish_server.storage.audit import FIELDS
from mdpublish_server.storage.images import restrict_images
from mdpublish_server.storage.keys import find_account_by_session
from mdpublish_server.storage.permalinks import find_page_of
from mdpublish_server.storage.readers import documents_with_image, find_view, is_shown_elsewhere, reader_sessions

_VIEW_INTERVAL = timedelta(hours=1)

Question = Literal["address", "password"]

Audience = Literal["everybody", "visitor"]
"""For whom a response is; one that is for the visitor is stored nowhere."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Visitor:
    """The tokens that a browser sent: of an account's session, and of a reader's."""

    account_token: str | None = None
    reader_token: str | None = None


ANYBODY = Visitor()


class Locked(NotFound):
    """The visitor may not see the page yet; `asks` is what would show it."""

    def __init__(self, asks: Question) -> None:
        super().__init__("No page at this URL")
        self.asks = asks


def require_access(
    transaction: Transaction, page: ResolvedPage, visitor: Visitor, *, now: datetime
) -> Sequence[ReaderView]:
    """Raise `Locked` unless the visitor may see a page; return the views to note, one an hour for each reader."""
    if not page.is_private or _is_account(transaction, page.account_id, visitor, now=now):
        return ()
    sessions: Sequence[ReaderSession] = ()
    if visitor.reader_token is not None and page.account_id is not None:
        token_hash = secret_hash(visitor.reader_token)
        sessions = reader_sessions(transaction, token_hash, page.account_id, now=now)
    emails = [each.email for each in sessions if each.email is not None and is_reader(page.readers, each.email)]
    if page.visibility == "specific" and not emails:
        raise Locked("address")
    if page.password_hash is not None and all(each.proof != proof_of(page.password_hash) for each in sessions):
        raise Locked("password")
    if page.visibility != "specific":
        return ()
    former = {email: find_view(transaction, page.document_id, email) for email in emails}
    return [
        ReaderView(document_id=page.document_id, email=email, seen_at=now)
        for email, view in former.items()
        if view is None or now - view.seen_at >= _VIEW_INTERVAL
    ]


def require_live(page: ResolvedPage | None, *, now: datetime) -> ResolvedPage:
    """Raise `NotFound` or `Expired`, for any visitor."""
    if page is None or page.published_at is None or page.is_suspended:
        raise NotFound("No page at this URL")
    if page.expires_at is not None and now >= page.expires_at:
        raise expired(page)
    return page


def image_audience(transaction: Transaction, image: ImageRecord, visitor: Visitor, *, now: datetime) -> Audience | None:
    """Return for whom an image is that stood in a page that is not for everybody; None if the visitor may not see it.

    It is for its owner, for who may see a page that shows it, and for everybody while a live page shows it that is. The
    last is asked last: it reads the account's documents.
    """
    if _is_account(transaction, image.account_id, visitor, now=now):
        return "visitor"
    for document_id in documents_with_image(transaction, image.id):
        with suppress(NotFound, Expired):
            page = require_live(find_page_of(transaction, document_id), now=now)
            require_access(transaction, page, visitor, now=now)
            return "visitor"
    return "everybody" if is_shown_elsewhere(transaction, image, now=now) else None


def restrict_images_of(transaction: Transaction, document: DocumentRecord) -> None:
    """Restrict the images that a document shows: its page is not, or no longer, for everybody."""
    if document.account_id is not None:
        restrict_images(transaction, document.account_id, list(image_ids(document.content)))


def access_of(document: DocumentRecord) -> Mapping[str, object]:
    """Return who may read a document, for the audit log."""
    # Another password is another access; its hash would help who guesses.
    password = {"password": document.password_hash and secret_hash(document.password_hash)[:8]}
    return {name: getattr(document, name) for name in FIELDS["document.published"] - {"password"}} | password


def image_ids(content: str) -> AbstractSet[str]:
    """Return the ids of the images of the store that a text may show."""
    return {str(UUID(name["id"])) for name in IMAGE_NAME.finditer(content)}


def proof_of(password_hash: str) -> str:
    """Return what the session of who knew a page's password has; another password, even an equal one, ends it."""
    return secret_hash(password_hash)


def expired(page: ResolvedPage | None) -> Expired:
    if page is None or page.account_id is None:
        return Expired("This page has expired; pages published without an account are deleted after 72 hours")
    return Expired("Its owner let this page end; ask who sent you the link for another one")


def _is_account(transaction: Transaction, account_id: str | None, visitor: Visitor, *, now: datetime) -> bool:
    if visitor.account_token is None:
        return False
    account = find_account_by_session(transaction, secret_hash(visitor.account_token), now=now)
    return account is not None and not account.is_barred and account.id == account_id
