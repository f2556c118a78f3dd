"""Publishing documents of accounts.

    read ──▶ choose a slug ──▶ render ──▶ one transaction: permalink, document, page, counters

If anything changes meanwhile, all is repeated.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from mdpublish_server.auth.authentication import AuthenticatedRequest, Authenticator
from mdpublish_server.auth.plans import Plan, require_pro, require_template
from mdpublish_server.errors import Conflict, Forbidden, QuotaExceeded
from mdpublish_server.models import DocumentCreateAndPublish, PublishOptions, fields_set
from mdpublish_server.services.concurrency import OptimisticUpdates, RetryConflict
from mdpublish_server.services.documents import (
    build_document,
    document_limit,
    no_document,
    read_for_edit,
    require_same_owner,
    store_page,
)
from mdpublish_server.services.pages import PageMaker
from mdpublish_server.storage import Account, Database, Document, Page, Transaction
from mdpublish_server.storage.accounts import decrement_counter, find_account, increment_counter, increment_documents
from mdpublish_server.storage.documents import add_document, find_account_document, replace_document, unpublish_document
from mdpublish_server.storage.paths import path_of
from mdpublish_server.storage.permalinks import delete_page
from mdpublish_server.storage.slug_claims import claim_permalink, document_at
from mdpublish_server.storage.transactions import Work
from mdpublish_server.validation.slugs import random_slug, random_suffix, slug_of_title, with_suffix

# Numeric suffixes before a random one.
_MAX_NUMBERS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """A published document."""

    document: Document
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PublishPlan:
    """A rendered document, ready to save."""

    auth: AuthenticatedRequest
    owner: Account
    document: Document
    page: Page
    is_slug_requested: bool

    @property
    def path(self) -> str:
        assert self.document.slug is not None
        return path_of(self.owner.username, self.document.slug)


class Publisher:
    """`has_suffixes` adds random suffixes to slugs of unlisted pages."""

    def __init__(
        self,
        database: Database,
        authenticator: Authenticator,
        updates: OptimisticUpdates,
        pages: PageMaker,
        *,
        has_suffixes: bool = True,
    ) -> None:
        self._database = database
        self._authenticator = authenticator
        self._updates = updates
        self._pages = pages
        self._has_suffixes = has_suffixes

    async def publish(self, auth: AuthenticatedRequest, document_id: str, options: PublishOptions) -> Publication:
        """Raise `NotFound`, `Forbidden`, `QuotaExceeded`, `Conflict` or `RenderError`."""

        async def prepare() -> Work[Publication]:
            owner, document = await self._database.read(
                lambda transaction: read_for_edit(transaction, auth, document_id)
            )
            changes = fields_set(options)
            _require_options(auth.plan, changes)
            if document.is_taken_down:
                raise Forbidden("This document was taken down by the operator and cannot be published")
            is_new = document.published_at is None
            if is_new and owner.pages >= auth.plan.pages:
                raise _page_limit(auth.plan)
            planned = await self.plan(auth, owner, replace(document, **changes), is_slug_requested="slug" in changes)
            return lambda transaction: self._replace(transaction, planned, is_new=is_new)

        return await self._updates.run(auth, document_id, prepare)

    async def create_and_publish(self, auth: AuthenticatedRequest, new: DocumentCreateAndPublish) -> Publication:
        require_template(auth.plan, new.template_id)
        requested = fields_set(new)
        _require_options(auth.plan, requested)
        # Rendering increments the revision and counts words.
        document = build_document(auth, new, word_count=0, revision=0)

        async def prepare() -> Work[Publication]:
            owner = await self._database.read(lambda transaction: owner_of(transaction, auth))
            require_quota(auth.plan, owner)
            planned = await self.plan(auth, owner, document, is_slug_requested="slug" in requested)
            return lambda transaction: self._add(transaction, planned)

        return await self._updates.run(auth, document.id, prepare)

    async def unpublish(self, auth: AuthenticatedRequest, document_id: str) -> None:
        """Keep the slug; raises `NotFound`."""

        def unpublish(transaction: Transaction) -> None:
            if find_account_document(transaction, auth.account.id, document_id) is None:
                raise no_document()
            if unpublish_document(transaction, document_id):
                decrement_counter(transaction, auth.account.id, "pages")
                delete_page(transaction, document_id)

        await self._authenticator.run_counted(auth, unpublish)

    async def plan(
        self, auth: AuthenticatedRequest, owner: Account, document: Document, *, is_slug_requested: bool = False
    ) -> PublishPlan:
        target = replace(
            document,
            slug=document.slug or await self._free_slug(owner, document),
            visibility=document.visibility or "link",
            page_width=document.page_width or "standard",
            published_at=document.published_at or auth.now,
        )
        rendered, page = await self._pages.make_next(target, username=owner.username, is_pro=auth.plan.has_pro_options)
        return PublishPlan(auth=auth, owner=owner, document=rendered, page=page, is_slug_requested=is_slug_requested)

    def assign_permalink(self, transaction: Transaction, planned: PublishPlan) -> Publication:
        """Raise `Conflict` or `RetryConflict`."""
        document = planned.document
        if not claim_permalink(transaction, planned.path, document.id):
            if not planned.is_slug_requested:
                raise RetryConflict
            raise Conflict(f"slug {document.slug!r} is taken; choose another")
        require_same_owner(transaction, planned.owner)
        store_page(transaction, document.id, planned.page)
        return Publication(document=document, url=self._pages.url(planned.path))

    async def _free_slug(self, owner: Account, document: Document) -> str:
        slug = slug_of_title(document.title)
        if slug is None:
            return random_slug()
        if document.visibility == "public":
            return await self._database.read(lambda transaction: _first_free(transaction, owner, slug))
        if self._has_suffixes:
            return with_suffix(slug, random_suffix())
        path = path_of(owner.username, slug)
        holder = await self._database.read(lambda transaction: document_at(transaction, path))
        return slug if holder is None else with_suffix(slug, random_suffix())

    def _replace(self, transaction: Transaction, planned: PublishPlan, *, is_new: bool) -> Publication:
        if is_new:
            count_page(transaction, planned.auth)
        if not replace_document(transaction, planned.document):
            raise RetryConflict
        return self.assign_permalink(transaction, planned)

    def _add(self, transaction: Transaction, planned: PublishPlan) -> Publication:
        edited_at = count_new_document(transaction, planned.auth)
        count_page(transaction, planned.auth)
        add_document(transaction, replace(planned.document, updated_at=edited_at, revision=1))
        return self.assign_permalink(transaction, planned)


def owner_of(transaction: Transaction, auth: AuthenticatedRequest) -> Account:
    account = find_account(transaction, auth.account.id)
    if account is None:
        raise no_document()
    return account


def require_quota(plan: Plan, owner: Account) -> None:
    """Fail before rendering; the counters enforce limits exactly."""
    if owner.documents >= plan.documents:
        raise QuotaExceeded(document_limit(plan))
    if owner.pages >= plan.pages:
        raise _page_limit(plan)


def count_new_document(transaction: Transaction, auth: AuthenticatedRequest) -> datetime:
    edited_at = increment_documents(transaction, auth.account.id, limit=auth.plan.documents, now=auth.now)
    if edited_at is None:
        raise QuotaExceeded(document_limit(auth.plan))
    return edited_at


def count_page(transaction: Transaction, auth: AuthenticatedRequest) -> None:
    if not increment_counter(transaction, auth.account.id, "pages", limit=auth.plan.pages):
        raise _page_limit(auth.plan)


def _require_options(plan: Plan, options: Mapping[str, Any]) -> None:
    """Require Pro for options set by this request."""
    if "slug" in options:
        require_pro(plan, "slug")
    if options.get("hide_badge"):
        require_pro(plan, "hide_badge")
    if options.get("visibility") == "public":
        require_pro(plan, "visibility: public")


def _first_free(transaction: Transaction, owner: Account, slug: str) -> str:
    candidate = slug
    for number in range(2, _MAX_NUMBERS):
        if document_at(transaction, path_of(owner.username, candidate)) is None:
            return candidate
        candidate = with_suffix(slug, str(number))
    return with_suffix(slug, random_suffix())


def _page_limit(plan: Plan) -> QuotaExceeded:
    return QuotaExceeded(
        f"The {plan.name.capitalize()} plan allows {plan.pages} published pages; unpublish one or upgrade"
    )
