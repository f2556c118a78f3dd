"""Documents of accounts: create, list, get, update, delete (specification, "Endpoints").

A published document's page changes with it: the page is rendered first, and kept in the transaction that changes the
document, so that neither is ever without the other. What changed between reading and writing is read anew.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from uuid import uuid4

from msgspec import UNSET

from mdpublish_server.conversion import Converter
from mdpublish_server.edits import Again, Edits
from mdpublish_server.errors import Forbidden, NotFound
from mdpublish_server.models import DocumentCreate, DocumentCreateAndPublish, DocumentUpdate, fields_set
from mdpublish_server.pages import PageMaker
from mdpublish_server.policies.admission import Admission, Call
from mdpublish_server.policies.plans import EDITABLE_DOCUMENTS, Plan, require_template
from mdpublish_server.storage import Account, Database, Document, DocumentSummary, Page, Transaction
from mdpublish_server.storage.accounts import count_document, find_account, lower_counter, next_edit
from mdpublish_server.storage.addresses import save_page
from mdpublish_server.storage.documents import (
    add_document,
    delete_document,
    edit_of_rank,
    find_own_document,
    list_documents,
    replace_document,
)
from mdpublish_server.storage.transactions import Work


class Documents:
    """The documents of accounts."""

    def __init__(
        self, database: Database, admission: Admission, edits: Edits, converter: Converter, pages: PageMaker
    ) -> None:
        self._database = database
        self._admission = admission
        self._edits = edits
        self._converter = converter
        self._pages = pages

    async def create(self, call: Call, new: DocumentCreate) -> Document:
        """Keep a new document, unpublished; raises `Forbidden` where the account has as many as it may."""
        require_template(call.plan, new.template_id)
        words = await self._converter.count_words(new.content, caller=call.account.id) if new.content else 0
        document = made(call, new, word_count=words)

        def add(transaction: Transaction) -> Document:
            edited_at = count_document(transaction, call.account.id, most=call.plan.documents, now=call.now)
            if edited_at is None:
                raise Forbidden(document_limit(call.plan))
            edited = replace(document, updated_at=edited_at)
            add_document(transaction, edited)
            return edited

        return await self._admission.counted(call, add)

    async def list(
        self, call: Call, *, before: datetime, before_id: str, most: int
    ) -> tuple[Sequence[DocumentSummary], bool]:
        """Return documents that were edited before a time, the newest first, and whether there are more."""
        found = await self._database.read(
            lambda transaction: list_documents(
                transaction, call.account.id, before=before, before_id=before_id, most=most + 1
            )
        )
        return found[:most], len(found) > most

    async def editable_since(self, call: Call) -> datetime | None:
        """Return the time of the edit from which on the caller's documents can be changed; None where all can."""

        def find(transaction: Transaction) -> datetime | None:
            account = find_account(transaction, call.account.id)
            return None if account is None else editable_since(transaction, account, call.plan)

        return await self._database.read(find)

    async def get(self, call: Call, document_id: str) -> Document:
        """Return a document; raises `NotFound`."""
        document = await self._database.read(
            lambda transaction: find_own_document(transaction, call.account.id, document_id)
        )
        if document is None:
            raise no_document()
        return document

    async def update(self, call: Call, document_id: str, changes: DocumentUpdate) -> Document:
        """Change a document, and its page if it is published.

        Raises `NotFound`, `Forbidden` for a Pro template or a document that is read-only, and `RenderError`.
        """
        words: int | None = None

        async def prepare() -> Work[Document]:
            nonlocal words
            owner, document = await self._database.read(lambda transaction: read_own(transaction, call, document_id))
            if changes.template_id is not UNSET:
                require_template(call.plan, changes.template_id)
            changed = replace(document, **fields_set(changes))
            if changes.content is not UNSET and words is None:
                words = await self._converter.count_words(changed.content, caller=call.account.id)
            if words is not None:
                changed = replace(changed, word_count=words)
            page = await self._page(call, owner, changed)
            return lambda transaction: _replaced(transaction, call, owner, changed, page)

        return await self._edits.make(call, document_id, prepare)

    async def delete(self, call: Call, document_id: str) -> None:
        """Delete a document with its page and its addresses; raises `NotFound`."""

        def delete(transaction: Transaction) -> None:
            was_published = delete_document(transaction, call.account.id, document_id)
            if was_published is None:
                raise no_document()
            lower_counter(transaction, call.account.id, "documents")
            if was_published:
                lower_counter(transaction, call.account.id, "pages")

        await self._admission.counted(call, delete)

    async def _page(self, call: Call, owner: Account, document: Document) -> Page | None:
        if document.published_at is None or document.slug is None:
            return None
        _, page = await self._pages.make_next(document, username=owner.username, is_pro=call.plan.has_pro_options)
        return page


def made(call: Call, new: DocumentCreate | DocumentCreateAndPublish, *, word_count: int, revision: int = 1) -> Document:
    """Return a new document of the caller, which is not kept yet."""
    return Document(
        id=str(uuid4()),
        account_id=call.account.id,
        word_count=word_count,
        created_at=call.now,
        updated_at=call.now,
        revision=revision,
        **fields_set(new),
    )


def read_own(transaction: Transaction, call: Call, document_id: str) -> tuple[Account, Document]:
    """Return the caller's account as it is now, and its document, which it may edit; raises `NotFound` and `Forbidden`."""
    document = find_own_document(transaction, call.account.id, document_id)
    account = find_account(transaction, call.account.id)
    if document is None or account is None:
        raise no_document()
    since = editable_since(transaction, account, call.plan)
    if since is not None and document.updated_at < since:
        raise Forbidden(
            f"this document is read-only: of the documents of a Free account, the {EDITABLE_DOCUMENTS} edited last "
            "can be changed; upgrade, or delete others"
        )
    return account, document


def editable_since(transaction: Transaction, account: Account, plan: Plan) -> datetime | None:
    """Return the time of the edit from which on an account's documents can be changed; None where all can."""
    if plan.has_pro_options or account.documents <= EDITABLE_DOCUMENTS:
        return None
    return edit_of_rank(transaction, account.id, EDITABLE_DOCUMENTS - 1)


def require_same_owner(transaction: Transaction, owner: Account) -> None:
    """See that an account still has the username that a page was rendered for; raises `Again`."""
    now = find_account(transaction, owner.id)
    if now is None or now.username != owner.username:
        raise Again


def edit_time(transaction: Transaction, call: Call) -> datetime:
    """Return the time of an edit, later than any before of this account."""
    time = next_edit(transaction, call.account.id, now=call.now)
    if time is None:
        raise no_document()
    return time


def document_limit(plan: Plan) -> str:
    """Say that there are as many documents as a plan allows."""
    return f"the {plan.name} plan allows {plan.documents} documents, and this account has them; delete one, or upgrade"


def no_document() -> NotFound:
    """Return what is answered where there is no such document: the same, whyever there is none."""
    return NotFound("there is no document of this id")


def _replaced(transaction: Transaction, call: Call, owner: Account, changed: Document, page: Page | None) -> Document:
    document = replace(changed, updated_at=edit_time(transaction, call))
    if not replace_document(transaction, document):
        raise Again
    if page is not None:
        require_same_owner(transaction, owner)
        keep_page(transaction, document.id, page)
    return document


def keep_page(transaction: Transaction, document_id: str, page: Page) -> None:
    """Keep the page that was rendered for this change; raises `Again` where another change came between."""
    if not save_page(transaction, document_id, page):
        raise Again
