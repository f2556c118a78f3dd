"""Documents of accounts. A published one is rendered before it and its page are saved in one transaction."""

import asyncio
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from typing import Any
from uuid import uuid4

from msgspec import UNSET

from mdpublish_core import Notice
from mdpublish_core.errors import choose_from
from mdpublish_server.auth.authentication import AuthenticatedRequest, Authenticator, month_of
from mdpublish_server.auth.page_protection import is_reader, scopes_to_change, stored_fields, takes_away
from mdpublish_server.auth.password_hashing import PasswordHashing
from mdpublish_server.auth.plans import EDITABLE_DOCUMENTS, Plan, require_options
from mdpublish_server.auth.scopes import require_scopes
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.conversion.protocol import Words
from mdpublish_server.errors import Conflict, Forbidden, NotFound, ValidationError
from mdpublish_server.models import DocumentCreate, DocumentUpdate, fields_set
from mdpublish_server.services.concurrency import OptimisticUpdates, RetryConflict
from mdpublish_server.services.document_search import Matches, search_documents
from mdpublish_server.services.front_matter import FrontMatterDefaults
from mdpublish_server.services.page_access import access_of, image_ids, restrict_images_of
from mdpublish_server.services.pages import PageMaker, RenderedPage
from mdpublish_server.services.rebasing import Rebasing, published
from mdpublish_server.services.revision_history import RevisionHistory, UpdateKind
from mdpublish_server.storage import Account, Database, DocumentRecord, DocumentSummary, Page, Transaction
from mdpublish_server.storage import documents as table
from mdpublish_server.storage.accounts import advance_edit_time, decrement_counter, find_account, increment_documents
from mdpublish_server.storage.audit import record, record_change
from mdpublish_server.storage.paths import path_of
from mdpublish_server.storage.permalinks import save_page
from mdpublish_server.storage.readers import delete_reader_links, end_sessions_of_readers, mark_private_images
from mdpublish_server.storage.records import folder_key
from mdpublish_server.storage.request_counts import refund_request
from mdpublish_server.storage.slug_claims import claim_permalink
from mdpublish_server.storage.transactions import Work
from mdpublish_server.validation.validators import TITLE_CHARACTERS, UNTITLED

_NAMED_FOLDERS = 10
"""In a message."""

_COPY = " (copy)"


@dataclass(frozen=True, slots=True)
class Update:
    """An updated document, and the notices of its page."""

    document: DocumentRecord
    notices: tuple[Notice, ...] = ()


class RevisionConflict(Conflict):
    """The document has another revision than the one that was edited; `stored` is the document as it is."""

    def __init__(self, stored: DocumentRecord) -> None:
        super().__init__("The document was changed after you opened it")
        self.stored = stored


@dataclass(frozen=True, slots=True)
class Documents:
    """Manages documents."""

    database: Database
    authenticator: Authenticator
    updates: OptimisticUpdates
    converter: Converter
    pages: PageMaker
    front_matter: FrontMatterDefaults
    history: RevisionHistory
    rebasing: Rebasing
    hashing: PasswordHashing
    # Several at once would not find more in a second, and delay others' requests more.
    searching: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def create(
        self, auth: AuthenticatedRequest, new: DocumentCreate, *, document_id: str | None = None
    ) -> tuple[DocumentRecord, tuple[Notice, ...]]:
        """Return the document, and notices about its front matter; raise `Forbidden` at the plan's limit.

        With a `document_id` that the account already has, that document is returned as it is.
        """
        require_options(auth.plan, fields_set(new))
        complete = await self.front_matter.complete(new, auth.plan, client_id=auth.account.id)
        words = await self._words(auth, new.content)
        document = build_document(auth, complete.fields, word_count=words.count)
        if document_id is not None:
            document = replace(document, id=document_id)

        if document_id is None and auth.is_counted and auth.counted_month is None:
            added = await self.authenticator.count_by(
                auth,
                lambda transaction, month: table.add_counted_document(
                    transaction,
                    document,
                    words=words.indexed,
                    month=month,
                    quota=auth.plan.monthly_quota,
                    limit=auth.plan.documents,
                ),
            )
            if added is not None:
                return added, complete.notices

        def add(transaction: Transaction) -> DocumentRecord:
            existing = table.find_account_document(transaction, auth.account.id, document.id)
            if existing is not None:
                if document_id is None:
                    # By the statement above, whose connection was lost: it has counted the request too.
                    refund_request(transaction, auth.account.id, month=month_of(auth.now))
                return existing
            return _added(transaction, auth, document, words)

        return await self.authenticator.run_counted(auth, add), complete.notices

    async def duplicate(self, auth: AuthenticatedRequest, document: DocumentRecord) -> DocumentRecord:
        """Add an unpublished copy, in the same folder and with the same settings, protection and end.

        Raises `Forbidden` at the plan's limit, for Pro values that the plan no longer has, and for a page taken down.
        """
        if document.is_taken_down:
            raise Forbidden("This document was taken down by the operator and cannot be duplicated")
        # Each copy gets its own.
        require_options(auth.plan, {name: value for name, value in asdict(document).items() if name != "slug"})
        copy = replace(
            document,
            id=str(uuid4()),
            slug=None,
            published_at=None,
            title=UNTITLED if document.title == UNTITLED else document.title[: TITLE_CHARACTERS - len(_COPY)] + _COPY,
            created_at=auth.now,
            revision=1,
            is_autosaved=False,
        )
        words = await self._words(auth, copy.content)
        return await self.authenticator.run_counted(auth, lambda transaction: _added(transaction, auth, copy, words))

    async def list(
        self,
        auth: AuthenticatedRequest,
        *,
        before: datetime | str,
        before_id: str,
        limit: int,
        folder: str | None = None,
        sort: str = table.UPDATED,
        untitled: str = "",
    ) -> tuple[Sequence[DocumentSummary], bool]:
        """As `list_documents`, and whether there are more; raise `ValidationError` if there is no such folder."""

        def read(transaction: Transaction) -> Sequence[DocumentSummary]:
            documents = table.list_documents(
                transaction,
                auth.account.id,
                before=before,
                before_id=before_id,
                limit=limit + 1,
                folder=folder,
                sort=sort,
                untitled=untitled,
            )
            if folder and not documents:
                _require_folder(folder, [name for name in table.count_by_folder(transaction, auth.account.id) if name])
            return documents

        documents = await self.database.read(read)
        return documents[:limit], len(documents) > limit

    async def chosen(self, auth: AuthenticatedRequest, document_ids: Sequence[str]) -> Sequence[DocumentSummary]:
        return await self.database.read(table.chosen_documents, auth.account.id, document_ids, untitled=UNTITLED)

    async def folders(self, auth: AuthenticatedRequest) -> Mapping[str, int]:
        return await self.database.read(table.count_by_folder, auth.account.id)

    async def search(self, auth: AuthenticatedRequest, query: str, *, cursor: str | None, limit: int) -> Matches:
        """Return documents with all words of `query` in title or text. Raises `ValidationError`, `RateLimited`."""
        await self.authenticator.require_rate(auth)
        async with self.searching:
            return await self.database.scan(search_documents, auth.account.id, query, cursor=cursor, limit=limit)

    async def editable_since(self, auth: AuthenticatedRequest) -> datetime | None:
        def find(transaction: Transaction) -> datetime | None:
            account = find_account(transaction, auth.account.id)
            return None if account is None else editable_since(transaction, account, auth.plan)

        return await self.database.read(find)

    async def get(self, auth: AuthenticatedRequest, document_id: str) -> DocumentRecord:
        return await self.database.read(find_seen, auth, document_id)

    async def update(
        self,
        auth: AuthenticatedRequest,
        document_id: str,
        changes: DocumentUpdate,
        *,
        seen: Collection[int] | None = None,
        kind: UpdateKind = "save",
        copy: int | None = None,
    ) -> Update:
        """Update a document and its page, and store the content that is replaced as a revision.

        `seen` are the revisions that the changes may be made to. With the number of the working copy that they publish,
        0 for none, it is gone; otherwise it is rebased.

        Raises `NotFound`, `RevisionConflict`, `Forbidden` for Pro values or a read-only document, `Conflict` (slug),
        `RenderError`.
        """
        words: Words | None = None
        fields = await stored_fields(fields_set(changes), self.hashing, now=auth.now)

        async def prepare() -> Work[Update]:
            nonlocal words
            owner, document = await self.database.read(read_for_edit, auth, document_id, seen=seen)
            require_options(auth.plan, fields, document)
            changed = replace(document, **fields)
            saves_text = changes.content is not UNSET and document.is_autosaved
            if changed == document and copy is None and not saves_text:
                rendered = await self._page(auth, owner, document)
                return lambda transaction: _unchanged(transaction, auth, document, rendered)
            require_scopes(auth.scopes, scopes_to_change(document, changed))
            is_autosaved = document.is_autosaved or changed.content != document.content
            changed = replace(changed, is_autosaved=kind == "autosave" and is_autosaved)
            if changes.content is not UNSET and words is None:
                words = await self._words(auth, changed.content)
            if words is not None:
                changed = replace(changed, word_count=words.count)
            rendered = await self._page(auth, owner, changed)
            store_former: Work[None] | None = None
            if changes.content is not UNSET:
                store_former = await self.history.replacement(document, changed.content, now=auth.now, kind=kind)
            carry = published(document, copy) if copy is not None else await self.rebasing.carried(document, changed)
            return lambda transaction: _replaced(
                transaction,
                auth,
                owner,
                changed,
                rendered,
                former=document,
                words=words.indexed if words is not None and changed.content != document.content else None,
                store_former=store_former,
                carry=carry,
            )

        return await self.updates.run(auth, document_id, prepare, uses_reserve=takes_away(fields))

    async def mark_saved(self, document: DocumentRecord) -> None:
        """Store an autosaved content as a revision once it is replaced, whenever that is."""
        await self.database.write(table.mark_saved, document)

    async def delete(
        self, auth: AuthenticatedRequest, document_id: str, *, seen: Collection[int] | None = None
    ) -> None:
        """Raise `NotFound` or `RevisionConflict`."""

        def delete(transaction: Transaction) -> None:
            document = find_seen(transaction, auth, document_id, seen=seen)
            if table.delete_document(transaction, auth.account.id, document_id) is None:
                raise no_document()
            before = {"slug": document.slug, "was_published": document.published_at is not None, "is_final": True}
            record(transaction, "document.deleted", auth.account.id, document_id, before=before)
            decrement_counter(transaction, auth.account.id, "documents")
            if document.published_at is not None:
                restrict_images_of(transaction, document)
                decrement_counter(transaction, auth.account.id, "pages")

        await self.authenticator.run_counted(auth, delete, uses_reserve=True)

    async def _words(self, auth: AuthenticatedRequest, content: str) -> Words:
        if not content:
            return Words(count=0, indexed="")
        return await self.converter.read_words(content, client_id=auth.account.id)

    async def _page(self, auth: AuthenticatedRequest, owner: Account, document: DocumentRecord) -> RenderedPage | None:
        if document.published_at is None or document.slug is None:
            return None
        return await self.pages.make_next(document, owner=owner, is_pro=auth.plan.has_pro_options)


def _added(
    transaction: Transaction, auth: AuthenticatedRequest, document: DocumentRecord, words: Words
) -> DocumentRecord:
    """Return the document as it is added; raise `Forbidden` at the plan's limit."""
    edited_at = increment_documents(transaction, auth.account.id, limit=auth.plan.documents, now=auth.now)
    if edited_at is None:
        raise Forbidden(document_limit(auth.plan))
    edited = replace(document, updated_at=edited_at)
    table.add_document(transaction, edited, words=words.indexed)
    return edited


def build_document(
    auth: AuthenticatedRequest, values: Mapping[str, Any], *, word_count: int, revision: int = 1
) -> DocumentRecord:
    return DocumentRecord(
        id=str(uuid4()),
        account_id=auth.account.id,
        word_count=word_count,
        created_at=auth.now,
        updated_at=auth.now,
        revision=revision,
        **values,
    )


def read_for_edit(
    transaction: Transaction, auth: AuthenticatedRequest, document_id: str, *, seen: Collection[int] | None = None
) -> tuple[Account, DocumentRecord]:
    """Raise `NotFound`, `Forbidden` if read-only, or `RevisionConflict` if the revision is not `seen`."""
    document, account = find_seen(transaction, auth, document_id), owner_of(transaction, auth)
    if is_read_only(document, editable_since(transaction, account, auth.plan)):
        raise read_only()
    return account, _require_seen(document, seen)


def find_seen(
    transaction: Transaction, auth: AuthenticatedRequest, document_id: str, *, seen: Collection[int] | None = None
) -> DocumentRecord:
    """Return a document, read-only or not; raise `NotFound` or `RevisionConflict`."""
    document = table.find_account_document(transaction, auth.account.id, document_id)
    if document is None:
        raise no_document()
    return _require_seen(document, seen)


def owner_of(transaction: Transaction, auth: AuthenticatedRequest) -> Account:
    if (account := find_account(transaction, auth.account.id)) is None:
        raise no_document()
    return account


def _require_seen(document: DocumentRecord, seen: Collection[int] | None) -> DocumentRecord:
    if seen is not None and document.revision not in seen:
        raise RevisionConflict(document)
    return document


def read_only() -> Forbidden:
    return Forbidden(
        f"This document is read-only: on the Free plan, only the {EDITABLE_DOCUMENTS} most recently edited documents "
        "can be changed; delete others or ask the operator for another plan"
    )


def is_read_only(document: DocumentSummary, since: datetime | None) -> bool:
    """Return whether a document was last edited before `editable_since`."""
    return since is not None and document.updated_at < since


def editable_since(transaction: Transaction, account: Account, plan: Plan) -> datetime | None:
    if plan.has_pro_options or account.documents <= EDITABLE_DOCUMENTS:
        return None
    return table.edited_at_rank(transaction, account.id, EDITABLE_DOCUMENTS - 1)


def require_same_owner(transaction: Transaction, owner: Account) -> None:
    """Raise `RetryConflict` if the username or default language changed since rendering."""
    now = find_account(transaction, owner.id)
    if now is None or (now.username, now.default_language) != (owner.username, owner.default_language):
        raise RetryConflict


def edit_time(transaction: Transaction, auth: AuthenticatedRequest) -> datetime:
    if (time := advance_edit_time(transaction, auth.account.id, now=auth.now)) is None:
        raise no_document()
    return time


def document_limit(plan: Plan) -> str:
    name = plan.name.capitalize()
    return f"The {name} plan allows {plan.documents} documents; delete one or ask the operator for another plan"


def _require_folder(name: str, known: Sequence[str]) -> None:
    if folder_key(name) not in map(folder_key, known):
        raise ValidationError(
            f"folder must be one that a document is in (got {name!r})"
            f"{choose_from(known[:_NAMED_FOLDERS], name) if known else ''}"
        )


def slug_taken(slug: str | None) -> Conflict:
    return Conflict(f"slug {slug!r} is taken; choose another")


def no_document() -> NotFound:
    """Return the same error for missing and foreign documents."""
    return NotFound("No document has this id")


def _replaced(
    transaction: Transaction,
    auth: AuthenticatedRequest,
    owner: Account,
    changed: DocumentRecord,
    rendered: RenderedPage | None,
    *,
    former: DocumentRecord,
    words: str | None,
    store_former: Work[None] | None,
    carry: Work[None],
) -> Update:
    document = replace(changed, updated_at=edit_time(transaction, auth))
    if not table.replace_document(transaction, document, words=words):
        raise RetryConflict
    carry(transaction)
    if store_former is not None:
        store_former(transaction)
    end_removed_readers(transaction, former, document)
    record_change(transaction, "document.access", owner.id, access_of(former), access_of(document), about=document.id)
    if document.slug not in (None, former.slug):
        if not claim_permalink(transaction, path_of(owner.username, document.slug), document.id):
            raise slug_taken(document.slug)
        require_same_owner(transaction, owner)
    stored = replace(document, revision=document.revision + 1)
    if rendered is None:
        return Update(stored)
    require_same_owner(transaction, owner)
    store_page(transaction, document, rendered.page)
    return Update(stored, rendered.notices)


def _unchanged(
    transaction: Transaction, auth: AuthenticatedRequest, document: DocumentRecord, rendered: RenderedPage | None
) -> Update:
    """Return a document that stays as it is; images that its page makes private are so after each update."""
    if find_seen(transaction, auth, document.id).revision != document.revision:
        raise RetryConflict
    if rendered is None:
        return Update(document)
    _note_images(transaction, document)
    return Update(document, rendered.notices)


def store_page(transaction: Transaction, document: DocumentRecord, page: Page) -> None:
    """Raise `RetryConflict` if the document changed."""
    if not save_page(transaction, document.id, page):
        raise RetryConflict
    _note_images(transaction, document)


def _note_images(transaction: Transaction, document: DocumentRecord) -> None:
    mark_private_images(transaction, document, image_ids(document.content) if document.is_private else ())
    if document.is_private or document.expires_at is not None:
        restrict_images_of(transaction, document)


def end_removed_readers(transaction: Transaction, former: DocumentRecord, document: DocumentRecord) -> None:
    """End sessions and links of who is no longer on the list of readers."""
    if former.readers == document.readers or document.account_id is None:
        return

    def is_removed(email: str) -> bool:
        return is_reader(former.readers, email) and not is_reader(document.readers, email)

    end_sessions_of_readers(transaction, document.account_id, is_removed)
    for email in filter(is_removed, former.readers):
        delete_reader_links(transaction, document.id, email)
