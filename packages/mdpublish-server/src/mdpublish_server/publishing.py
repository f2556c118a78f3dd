"""Publishing: how a document gets a page with an address, keeps it, and loses it.

    read the document ──▶ choose its address ──▶ render the page ──▶ one transaction: address, document, page, counters

Whatever changed between the first and the last is read anew, so that a page is never of another document than its own.
Demos, which have no account, are published in `demos`, and come here when they are claimed.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from mdpublish_server.documents import (
    document_limit,
    keep_page,
    made,
    no_document,
    read_own,
    require_same_owner,
)
from mdpublish_server.edits import Again, Edits
from mdpublish_server.errors import Conflict, Forbidden, QuotaExceeded
from mdpublish_server.models import DocumentCreateAndPublish, PublishOptions, fields_set
from mdpublish_server.pages import PageMaker, path_of
from mdpublish_server.policies.admission import Admission, Call
from mdpublish_server.policies.plans import Plan, require_pro, require_template
from mdpublish_server.policies.slugs import random_slug, random_suffix, slug_of_title, suffixed
from mdpublish_server.storage import Account, Database, Document, Page, Transaction
from mdpublish_server.storage.accounts import count_document, find_account, lower_counter, raise_counter
from mdpublish_server.storage.addresses import drop_page, holder_of, take_address
from mdpublish_server.storage.documents import add_document, find_own_document, replace_document, unpublish_document
from mdpublish_server.storage.transactions import Work

# Numbers that are tried behind a slug that is taken; past them a random suffix is as good.
_MOST_NUMBERS = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class Publication:
    """A published document and its address."""

    document: Document
    url: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Planned:
    """What is to be published: a document with its slug, its finished page, and whether the caller chose the slug."""

    call: Call
    owner: Account
    document: Document
    page: Page
    slug_is_asked: bool

    @property
    def path(self) -> str:
        """Where the page is to lie."""
        assert self.document.slug is not None
        return path_of(self.owner.username, self.document.slug)


class Publisher:
    """Publishes documents; `has_suffixes` says whether pages that only a link leads to have addresses nobody guesses."""

    def __init__(
        self,
        database: Database,
        admission: Admission,
        edits: Edits,
        pages: PageMaker,
        *,
        has_suffixes: bool = True,
    ) -> None:
        self._database = database
        self._admission = admission
        self._edits = edits
        self._pages = pages
        self._has_suffixes = has_suffixes

    async def publish(self, call: Call, document_id: str, options: PublishOptions) -> Publication:
        """Publish an account's document, or publish it anew.

        Raises `NotFound`, `Forbidden`, `QuotaExceeded`, `Conflict` and `RenderError`.
        """

        async def prepare() -> Work[Publication]:
            owner, document = await self._database.read(lambda transaction: read_own(transaction, call, document_id))
            changes = fields_set(options)
            _require_options(call.plan, changes)
            if document.is_taken_down:
                raise Forbidden("this document was taken down by the operator, and cannot be published")
            is_new = document.published_at is None
            if is_new and owner.pages >= call.plan.pages:
                raise _page_limit(call.plan)
            planned = await self.plan(call, owner, replace(document, **changes), slug_is_asked="slug" in changes)
            return lambda transaction: self._replace(transaction, planned, is_new=is_new)

        return await self._edits.make(call, document_id, prepare)

    async def create_and_publish(self, call: Call, new: DocumentCreateAndPublish) -> Publication:
        """Keep a new document and publish it; raises `Forbidden`, `QuotaExceeded`, `Conflict` and `RenderError`."""
        require_template(call.plan, new.template_id)
        asked = fields_set(new)
        _require_options(call.plan, asked)
        # Its first revision is the next one, and its words are counted while its page is rendered.
        document = made(call, new, word_count=0, revision=0)

        async def prepare() -> Work[Publication]:
            owner = await self._database.read(lambda transaction: owner_of(transaction, call))
            require_room(call.plan, owner)
            planned = await self.plan(call, owner, document, slug_is_asked="slug" in asked)
            return lambda transaction: self._add(transaction, planned)

        return await self._edits.make(call, document.id, prepare)

    async def unpublish(self, call: Call, document_id: str) -> None:
        """Take a document's page away; its slug stays its own. Raises `NotFound`."""

        def unpublish(transaction: Transaction) -> None:
            if find_own_document(transaction, call.account.id, document_id) is None:
                raise no_document()
            if unpublish_document(transaction, document_id):
                lower_counter(transaction, call.account.id, "pages")
                drop_page(transaction, document_id)

        await self._admission.counted(call, unpublish)

    async def plan(self, call: Call, owner: Account, document: Document, *, slug_is_asked: bool = False) -> Planned:
        """Choose a document's address and render its page, as of its next revision."""
        wanted = replace(
            document,
            slug=document.slug or await self._free_slug(owner, document),
            visibility=document.visibility or "link",
            page_width=document.page_width or "standard",
            published_at=document.published_at or call.now,
        )
        rendered, page = await self._pages.make_next(wanted, username=owner.username, is_pro=call.plan.has_pro_options)
        return Planned(call=call, owner=owner, document=rendered, page=page, slug_is_asked=slug_is_asked)

    def place(self, transaction: Transaction, planned: Planned) -> Publication:
        """Give a document that was just kept its address and its page; raises `Conflict`, and `Again`."""
        document = planned.document
        if not take_address(transaction, planned.path, document.id):
            if not planned.slug_is_asked:
                raise Again
            raise Conflict(f"the slug {document.slug!r} is taken; choose another")
        require_same_owner(transaction, planned.owner)
        keep_page(transaction, document.id, planned.page)
        return Publication(document=document, url=self._pages.url(planned.path))

    async def _free_slug(self, owner: Account, document: Document) -> str:
        """Return a slug of a document's title that is free just now."""
        slug = slug_of_title(document.title)
        if slug is None:
            return random_slug()
        if document.visibility == "public":
            return await self._database.read(lambda transaction: _first_free(transaction, owner, slug))
        if self._has_suffixes:
            return suffixed(slug, random_suffix())
        path = path_of(owner.username, slug)
        holder = await self._database.read(lambda transaction: holder_of(transaction, path))
        return slug if holder is None else suffixed(slug, random_suffix())

    def _replace(self, transaction: Transaction, planned: Planned, *, is_new: bool) -> Publication:
        if is_new:
            count_page(transaction, planned.call)
        if not replace_document(transaction, planned.document):
            raise Again
        return self.place(transaction, planned)

    def _add(self, transaction: Transaction, planned: Planned) -> Publication:
        edited_at = count_new_document(transaction, planned.call)
        count_page(transaction, planned.call)
        add_document(transaction, replace(planned.document, updated_at=edited_at, revision=1))
        return self.place(transaction, planned)


def owner_of(transaction: Transaction, call: Call) -> Account:
    """Return the caller's account as it is now."""
    account = find_account(transaction, call.account.id)
    if account is None:
        raise no_document()
    return account


def require_room(plan: Plan, owner: Account) -> None:
    """Refuse what a limit will refuse before its page is rendered; exact is the counter. Raises `QuotaExceeded`."""
    if owner.documents >= plan.documents:
        raise QuotaExceeded(document_limit(plan))
    if owner.pages >= plan.pages:
        raise _page_limit(plan)


def count_new_document(transaction: Transaction, call: Call) -> datetime:
    """Count one more document of the caller, and return the time of its edit; raises `QuotaExceeded`."""
    edited_at = count_document(transaction, call.account.id, most=call.plan.documents, now=call.now)
    if edited_at is None:
        raise QuotaExceeded(document_limit(call.plan))
    return edited_at


def count_page(transaction: Transaction, call: Call) -> None:
    """Count one more published page of the caller; raises `QuotaExceeded`."""
    if not raise_counter(transaction, call.account.id, "pages", most=call.plan.pages):
        raise _page_limit(call.plan)


def _require_options(plan: Plan, options: Mapping[str, Any]) -> None:
    """Refuse on Free what only Pro has, where the call itself sets it; raises `Forbidden`."""
    if "slug" in options:
        require_pro(plan, "slug")
    if options.get("hide_badge"):
        require_pro(plan, "hide_badge")
    if options.get("visibility") == "public":
        require_pro(plan, "visibility 'public'")


def _first_free(transaction: Transaction, owner: Account, slug: str) -> str:
    """Return a slug, or the first of `-2`, `-3` … behind it that is free."""
    candidate = slug
    for number in range(2, _MOST_NUMBERS):
        if holder_of(transaction, path_of(owner.username, candidate)) is None:
            return candidate
        candidate = suffixed(slug, str(number))
    return suffixed(slug, random_suffix())


def _page_limit(plan: Plan) -> QuotaExceeded:
    return QuotaExceeded(
        f"the {plan.name} plan allows {plan.pages} published pages at once, and this account has them; "
        "unpublish one, or upgrade"
    )
