"""Documents of accounts (specification, "Endpoints").

Updating a published document renders its page, then saves both in one transaction.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

from msgspec import UNSET

from mdpublish_server.auth.authentication import AuthenticatedRequest, Authenticator
from mdpublish_server.auth.plans import EDITABLE_DOCUMENTS, Plan, require_template
from mdpublish_server.conversion import Converter
from mdpublish_server.errors import Forbidden, NotFound
from mdpublish_server.models import DocumentCreate, DocumentCreateAndPublish, DocumentUpdate, fields_set
from mdpublish_server.services.concurrency import OptimisticUpdates, RetryConflict
from mdpublish_server.services.pages import PageMaker
from mdpublish_server.storage import Account, Database, Document, DocumentSummary, Page, Transaction
from mdpublish_server.storage.accounts import advance_edit_time, decrement_counter, find_account, increment_documents
from mdpublish_server.storage.documents import (
    add_document,
    delete_document,
    edited_at_rank,
    find_account_document,
    list_documents,
    replace_document,
)
from mdpublish_server.storage.permalinks import save_page
from mdpublish_server.storage.transactions import Work


class Documents:
    """Manages documents."""

    def __init__(
        self,
        database: Database,
        authenticator: Authenticator,
        updates: OptimisticUpdates,
        converter: Converter,
        pages: PageMaker,
    ) -> None:
        self._database = database
        self._authenticator = authenticator
        self._updates = updates
        self._converter = converter
        self._pages = pages

    async def create(self, auth: AuthenticatedRequest, new: DocumentCreate) -> Document:
        """Raise `Forbidden` at the plan's limit."""
        require_template(auth.plan, new.template_id)
        words = await self._converter.count_words(new.content, client_id=auth.account.id) if new.content else 0
        document = build_document(auth, new, word_count=words)

        def add(transaction: Transaction) -> Document:
            edited_at = increment_documents(transaction, auth.account.id, limit=auth.plan.documents, now=auth.now)
            if edited_at is None:
                raise Forbidden(document_limit(auth.plan))
            edited = replace(document, updated_at=edited_at)
            add_document(transaction, edited)
            return edited

        return await self._authenticator.run_counted(auth, add)

    async def list(
        self, auth: AuthenticatedRequest, *, before: datetime, before_id: str, limit: int
    ) -> tuple[Sequence[DocumentSummary], bool]:
        """Newest first, and whether there are more."""
        documents = await self._database.read(
            lambda transaction: list_documents(
                transaction, auth.account.id, before=before, before_id=before_id, limit=limit + 1
            )
        )
        return documents[:limit], len(documents) > limit

    async def editable_since(self, auth: AuthenticatedRequest) -> datetime | None:
        def find(transaction: Transaction) -> datetime | None:
            account = find_account(transaction, auth.account.id)
            return None if account is None else editable_since(transaction, account, auth.plan)

        return await self._database.read(find)

    async def get(self, auth: AuthenticatedRequest, document_id: str) -> Document:
        document = await self._database.read(
            lambda transaction: find_account_document(transaction, auth.account.id, document_id)
        )
        if document is None:
            raise no_document()
        return document

    async def update(self, auth: AuthenticatedRequest, document_id: str, changes: DocumentUpdate) -> Document:
        """Update a document and its page.

        Raises `NotFound`, `Forbidden` for a Pro template or a read-only document, and `RenderError`.
        """
        words: int | None = None

        async def prepare() -> Work[Document]:
            nonlocal words
            owner, document = await self._database.read(
                lambda transaction: read_for_edit(transaction, auth, document_id)
            )
            if changes.template_id is not UNSET:
                require_template(auth.plan, changes.template_id)
            changed = replace(document, **fields_set(changes))
            if changes.content is not UNSET and words is None:
                words = await self._converter.count_words(changed.content, client_id=auth.account.id)
            if words is not None:
                changed = replace(changed, word_count=words)
            page = await self._page(auth, owner, changed)
            return lambda transaction: _replaced(transaction, auth, owner, changed, page)

        return await self._updates.run(auth, document_id, prepare)

    async def delete(self, auth: AuthenticatedRequest, document_id: str) -> None:
        def delete(transaction: Transaction) -> None:
            was_published = delete_document(transaction, auth.account.id, document_id)
            if was_published is None:
                raise no_document()
            decrement_counter(transaction, auth.account.id, "documents")
            if was_published:
                decrement_counter(transaction, auth.account.id, "pages")

        await self._authenticator.run_counted(auth, delete)

    async def _page(self, auth: AuthenticatedRequest, owner: Account, document: Document) -> Page | None:
        if document.published_at is None or document.slug is None:
            return None
        _, page = await self._pages.make_next(document, username=owner.username, is_pro=auth.plan.has_pro_options)
        return page


def build_document(
    auth: AuthenticatedRequest, new: DocumentCreate | DocumentCreateAndPublish, *, word_count: int, revision: int = 1
) -> Document:
    return Document(
        id=str(uuid4()),
        account_id=auth.account.id,
        word_count=word_count,
        created_at=auth.now,
        updated_at=auth.now,
        revision=revision,
        **fields_set(new),
    )


def read_for_edit(transaction: Transaction, auth: AuthenticatedRequest, document_id: str) -> tuple[Account, Document]:
    """Raise `NotFound`, or `Forbidden` if read-only."""
    document = find_account_document(transaction, auth.account.id, document_id)
    account = find_account(transaction, auth.account.id)
    if document is None or account is None:
        raise no_document()
    since = editable_since(transaction, account, auth.plan)
    if since is not None and document.updated_at < since:
        raise Forbidden(
            f"This document is read-only: on the Free plan, only the {EDITABLE_DOCUMENTS} most recently edited documents "
            "can be changed; upgrade or delete others"
        )
    return account, document


def editable_since(transaction: Transaction, account: Account, plan: Plan) -> datetime | None:
    if plan.has_pro_options or account.documents <= EDITABLE_DOCUMENTS:
        return None
    return edited_at_rank(transaction, account.id, EDITABLE_DOCUMENTS - 1)


def require_same_owner(transaction: Transaction, owner: Account) -> None:
    """Raise `RetryConflict` if the username changed since rendering."""
    now = find_account(transaction, owner.id)
    if now is None or now.username != owner.username:
        raise RetryConflict


def edit_time(transaction: Transaction, auth: AuthenticatedRequest) -> datetime:
    time = advance_edit_time(transaction, auth.account.id, now=auth.now)
    if time is None:
        raise no_document()
    return time


def document_limit(plan: Plan) -> str:
    return f"The {plan.name.capitalize()} plan allows {plan.documents} documents; delete one or upgrade"


def no_document() -> NotFound:
    """Return the same error for missing and foreign documents."""
    return NotFound("No document has this id")


def _replaced(
    transaction: Transaction, auth: AuthenticatedRequest, owner: Account, changed: Document, page: Page | None
) -> Document:
    document = replace(changed, updated_at=edit_time(transaction, auth))
    if not replace_document(transaction, document):
        raise RetryConflict
    if page is not None:
        require_same_owner(transaction, owner)
        store_page(transaction, document.id, page)
    return document


def store_page(transaction: Transaction, document_id: str, page: Page) -> None:
    """Raise `RetryConflict` if the document changed."""
    if not save_page(transaction, document_id, page):
        raise RetryConflict
