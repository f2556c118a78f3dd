"""Publishing documents of accounts.

    read ──▶ choose a slug ──▶ render ──▶ one transaction: permalink, document, page, counters

If anything changes meanwhile, all is repeated.
"""

from collections.abc import Collection
from dataclasses import dataclass, replace
from datetime import datetime

from mdpublish_core import Notice
from mdpublish_server.auth.authentication import AuthenticatedRequest, Authenticator
from mdpublish_server.auth.page_protection import scopes_to_change, stored_fields, takes_away
from mdpublish_server.auth.password_hashing import PasswordHashing
from mdpublish_server.auth.plans import Plan, require_options
from mdpublish_server.auth.scopes import require_scopes
from mdpublish_server.errors import Forbidden, QuotaExceeded, ValidationError
from mdpublish_server.models import DocumentCreateAndPublish, PublishOptions, fields_set
from mdpublish_server.services import documents
from mdpublish_server.services.concurrency import OptimisticUpdates, RetryConflict
from mdpublish_server.services.front_matter import FrontMatterDefaults, joined_notices
from mdpublish_server.services.page_access import access_of, restrict_images_of
from mdpublish_server.services.pages import PageMaker
from mdpublish_server.services.rebasing import Rebasing
from mdpublish_server.services.slug_choice import ChosenSlug, SlugChooser
from mdpublish_server.storage import Account, Database, DocumentRecord, Page, Transaction
from mdpublish_server.storage.accounts import decrement_counter, increment_counter, increment_documents
from mdpublish_server.storage.audit import record
from mdpublish_server.storage.documents import add_document, replace_document, unpublish_document
from mdpublish_server.storage.paths import path_of
from mdpublish_server.storage.permalinks import delete_page
from mdpublish_server.storage.slug_claims import claim_permalink, document_at
from mdpublish_server.storage.transactions import Work

DEFAULTS = {"page_width": "standard", "visibility": "link"}
"""What a document without a value has when it is published."""

# Options whose change is an edit: other fields of a document that PATCH sets are.
_EDITED_OPTIONS = frozenset({"description", "page_width", "visibility"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """A published document."""

    document: DocumentRecord
    url: str
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishPlan:
    """A rendered document, ready to save."""

    auth: AuthenticatedRequest
    owner: Account
    document: DocumentRecord
    page: Page
    notices: tuple[Notice, ...]
    words: str | None
    """Words of a new text."""
    is_slug_requested: bool
    chosen: ChosenSlug | None
    """Held until the document is saved."""

    @property
    def path(self) -> str:
        assert self.document.slug is not None
        return path_of(self.owner.username, self.document.slug)


@dataclass(frozen=True, slots=True)
class Publisher:
    """Publishes documents."""

    database: Database
    authenticator: Authenticator
    updates: OptimisticUpdates
    pages: PageMaker
    front_matter: FrontMatterDefaults
    slugs: SlugChooser
    rebasing: Rebasing
    hashing: PasswordHashing

    async def publish(
        self,
        auth: AuthenticatedRequest,
        document_id: str,
        options: PublishOptions,
        *,
        seen: Collection[int] | None = None,
    ) -> Publication:
        """Publish the document, which has one of the revisions `seen`.

        Raises `NotFound`, `RevisionConflict`, `Forbidden`, `QuotaExceeded`, `Conflict` or `RenderError`.
        """
        changes = await stored_fields(fields_set(options), self.hashing, now=auth.now)

        async def prepare() -> Work[Publication]:
            owner, document = await self.database.read(documents.read_for_edit, auth, document_id, seen=seen)
            require_options(auth.plan, changes, document)
            if document.is_taken_down:
                raise Forbidden("This document was taken down by the operator and cannot be published")
            is_new = document.published_at is None
            if is_new and owner.pages >= auth.plan.pages:
                raise QuotaExceeded(page_limit(auth.plan))
            changed = replace(document, **changes)
            require_scopes(auth.scopes, scopes_to_change(document, replace(changed, published_at=auth.now)))
            if has_ended(changed, auth.now):
                raise ValidationError("expires_at has passed; send a new one to publish the page again")
            planned = await self.plan(auth, owner, changed, is_slug_requested="slug" in changes)
            is_edit = any(changes[name] != stored_option(document, name) for name in _EDITED_OPTIONS & changes.keys())
            carry = await self.rebasing.carried(document, planned.document)

            def store(transaction: Transaction) -> Publication:
                publication = self._replace(transaction, planned, former=document, is_edit=is_edit)
                carry(transaction)
                return publication

            return store

        return await self.updates.run(auth, document_id, prepare, uses_reserve=takes_away(changes))

    async def create_and_publish(self, auth: AuthenticatedRequest, new: DocumentCreateAndPublish) -> Publication:
        requested = fields_set(new)
        require_options(auth.plan, requested)
        complete = await self.front_matter.complete(new, auth.plan, client_id=auth.account.id, takes_slug=True)
        # Rendering increments the revision and counts words.
        fields = await stored_fields(complete.fields, self.hashing, now=auth.now)
        document = documents.build_document(auth, fields, word_count=0, revision=0)
        is_slug_requested = "slug" in requested

        async def prepare() -> Work[Publication]:
            owner = await self.database.read(documents.owner_of, auth)
            require_quota(auth.plan, owner)
            unnamed = document
            notices = complete.notices
            if not is_slug_requested and document.slug is not None and await self._is_taken(owner, document.slug):
                unnamed = replace(document, slug=None)
                notices = (*notices, complete.ignored("slug", f"{document.slug!r} is taken"))
            planned = await self.plan(auth, owner, unnamed, is_slug_requested=is_slug_requested, is_new_text=True)
            planned = replace(planned, notices=joined_notices(notices, planned.notices))
            return lambda transaction: self._add(transaction, planned)

        return await self.updates.run(auth, document.id, prepare)

    async def _is_taken(self, owner: Account, slug: str) -> bool:
        return await self.database.read(document_at, path_of(owner.username, slug)) is not None

    async def unpublish(
        self, auth: AuthenticatedRequest, document_id: str, *, seen: Collection[int] | None = None
    ) -> None:
        """Keep the slug; raises `NotFound` or `RevisionConflict`."""

        def unpublish(transaction: Transaction) -> None:
            document = documents.find_seen(transaction, auth, document_id, seen=seen)
            if unpublish_document(transaction, document_id):
                restrict_images_of(transaction, document)
                decrement_counter(transaction, auth.account.id, "pages")
                delete_page(transaction, document_id)
                before = {"slug": document.slug}
                record(transaction, "document.unpublished", auth.account.id, document_id, before=before)

        await self.authenticator.run_counted(auth, unpublish, uses_reserve=True)

    async def plan(
        self,
        auth: AuthenticatedRequest,
        owner: Account,
        document: DocumentRecord,
        *,
        is_slug_requested: bool = False,
        is_new_text: bool = False,
    ) -> PublishPlan:
        chosen = None if document.slug else await self.slugs.choose(owner, document)
        target = replace(
            document,
            slug=document.slug if chosen is None else chosen.slug,
            visibility=document.visibility or DEFAULTS["visibility"],
            page_width=document.page_width or DEFAULTS["page_width"],
            published_at=document.published_at or auth.now,
        )
        try:
            rendered = await self.pages.make_next(
                target, owner=owner, is_pro=auth.plan.has_pro_options, is_new_text=is_new_text
            )
        except BaseException:
            # The error holds this frame, and the frame the slug, for which the client may send the request again.
            del chosen
            raise
        return PublishPlan(
            auth=auth, owner=owner, is_slug_requested=is_slug_requested, chosen=chosen, **rendered._asdict()
        )

    def assign_permalink(
        self, transaction: Transaction, planned: PublishPlan, *, former: DocumentRecord | None = None
    ) -> Publication:
        """Raise `Conflict` or `RetryConflict`."""
        document = planned.document
        if not claim_permalink(transaction, planned.path, document.id):
            if not planned.is_slug_requested:
                raise RetryConflict
            raise documents.slug_taken(document.slug)
        documents.require_same_owner(transaction, planned.owner)
        documents.store_page(transaction, document, planned.page)
        before, after = access_of(former) if former and former.published_at else {}, access_of(document)
        record(transaction, "document.published", document.account_id, document.id, before=before, after=after)
        stored = replace(document, revision=document.revision + 1)
        return Publication(document=stored, url=self.pages.url(planned.path), notices=planned.notices)

    def _replace(
        self, transaction: Transaction, planned: PublishPlan, *, former: DocumentRecord, is_edit: bool
    ) -> Publication:
        if former.published_at is None:
            count_page(transaction, planned.auth)
        if is_edit:
            planned = replace(
                planned, document=replace(planned.document, updated_at=documents.edit_time(transaction, planned.auth))
            )
        if not replace_document(transaction, planned.document):
            raise RetryConflict
        documents.end_removed_readers(transaction, former, planned.document)
        return self.assign_permalink(transaction, planned, former=former)

    def _add(self, transaction: Transaction, planned: PublishPlan) -> Publication:
        edited_at = count_new_document(transaction, planned.auth)
        count_page(transaction, planned.auth)
        document = replace(planned.document, updated_at=edited_at, revision=1)
        add_document(transaction, document, words=planned.words or "")
        return self.assign_permalink(transaction, planned)


def stored_option(document: DocumentRecord, name: str) -> object:
    """Return an option's value, if it has none that of its first publishing."""
    value: object = getattr(document, name)
    return DEFAULTS.get(name) if value is None else value


def require_quota(plan: Plan, owner: Account) -> None:
    """Fail before rendering; the counters enforce limits exactly."""
    if owner.documents >= plan.documents:
        raise QuotaExceeded(documents.document_limit(plan))
    if owner.pages >= plan.pages:
        raise QuotaExceeded(page_limit(plan))


def count_new_document(transaction: Transaction, auth: AuthenticatedRequest) -> datetime:
    edited_at = increment_documents(transaction, auth.account.id, limit=auth.plan.documents, now=auth.now)
    if edited_at is None:
        raise QuotaExceeded(documents.document_limit(auth.plan))
    return edited_at


def has_ended(document: DocumentRecord, now: datetime) -> bool:
    return document.expires_at is not None and document.expires_at <= now


def count_page(transaction: Transaction, auth: AuthenticatedRequest) -> None:
    if not increment_counter(transaction, auth.account.id, "pages", limit=auth.plan.pages):
        raise QuotaExceeded(page_limit(auth.plan))


def page_limit(plan: Plan) -> str:
    name = plan.name.capitalize()
    return f"The {name} plan allows {plan.pages} published pages; unpublish one or ask the operator for another plan"
