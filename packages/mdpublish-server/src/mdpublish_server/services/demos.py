"""Demos: pages published without an account, which expire or are claimed."""

import secrets
import string
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import uuid4

from mdpublish_server.auth.authentication import AuthenticatedRequest, secret_hash
from mdpublish_server.clock import Clock
from mdpublish_server.conversion import Preview
from mdpublish_server.errors import Expired, NotFound, ServiceUnavailable
from mdpublish_server.models import DemoCreate, fields_set
from mdpublish_server.services.concurrency import OptimisticUpdates, RetryConflict
from mdpublish_server.services.documents import store_page
from mdpublish_server.services.pages import PageMaker
from mdpublish_server.services.publishing import (
    Publication,
    Publisher,
    PublishPlan,
    count_new_document,
    count_page,
    owner_of,
    require_quota,
)
from mdpublish_server.storage import Account, Database, DemoPage, Document, Transaction
from mdpublish_server.storage.demo_usage import demo_bytes, free_demo, take_demo_bytes
from mdpublish_server.storage.documents import add_document, delete_demo, find_document, replace_document
from mdpublish_server.storage.permalinks import (
    add_demo,
    claim_demo,
    delete_unclaimed_demo,
    find_demo_by_token,
)
from mdpublish_server.storage.slug_claims import claim_permalink
from mdpublish_server.storage.transactions import Work

DEMO_LIFETIME = timedelta(hours=72)

# The cleanup, which frees what expired demos held, runs as often.
_FULL_SECONDS = 600

# 103 bits: not guessable.
_IDENTIFIER_ALPHABET = string.ascii_lowercase + string.digits
_IDENTIFIER_CHARACTERS = 20


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """A new demo; `claim_token` is available only here, `claim_url` is a page for claiming or deleting it."""

    document: Document
    url: str
    claim_token: str
    claim_url: str
    expires_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedDemo:
    """A demo as its owner sees it."""

    title: str
    url: str
    expires_at: datetime


class Demos:
    """Publishes, deletes and claims demos."""

    def __init__(
        self,
        database: Database,
        updates: OptimisticUpdates,
        pages: PageMaker,
        publisher: Publisher,
        *,
        clock: Clock,
        dashboard_url: str,
        max_bytes: int | None = None,
    ) -> None:
        self._max_bytes = max_bytes
        self._dashboard_url = dashboard_url
        self._database = database
        self._updates = updates
        self._pages = pages
        self._publisher = publisher
        self._clock = clock

    async def preview(self, draft: DemoCreate, *, client_id: str) -> Preview:
        return await self._pages.preview(draft, client_id=client_id)

    async def publish(self, draft: DemoCreate, *, client_id: str) -> Demo:
        await self._require_storage()
        now = self._clock()
        claim_token = str(uuid4())
        identifier = "".join(secrets.choice(_IDENTIFIER_ALPHABET) for _ in range(_IDENTIFIER_CHARACTERS))
        demo = DemoPage(
            identifier=identifier,
            document_id=str(uuid4()),
            claim_token_hash=secret_hash(claim_token),
            expires_at=now + DEMO_LIFETIME,
        )
        document = Document(
            id=demo.document_id,
            account_id=None,
            published_at=now,
            expires_at=demo.expires_at,
            word_count=0,
            created_at=now,
            updated_at=now,
            **fields_set(draft),
        )
        document, page = await self._pages.make(document, path=demo.path, badge=True, scanned=True, client_id=client_id)
        demo = replace(demo, bytes=len(document.content.encode()) + len(page.body))

        def keep(transaction: Transaction) -> None:
            add_document(transaction, document)
            claim_permalink(transaction, demo.path, document.id)
            store_page(transaction, document.id, page)
            add_demo(transaction, demo)
            if not take_demo_bytes(transaction, demo.bytes, limit=self._max_bytes):
                raise _full()

        await self._database.write(keep)
        return Demo(
            document=document,
            url=self._pages.url(demo.path),
            claim_token=claim_token,
            claim_url=f"{self._dashboard_url}/claim/{claim_token}",
            expires_at=demo.expires_at,
        )

    async def _require_storage(self) -> None:
        """Refuse before rendering; `take_demo_bytes` decides."""
        if self._max_bytes is not None and await self._database.read(demo_bytes) >= self._max_bytes:
            raise _full()

    async def owned(self, claim_token: str) -> OwnedDemo:
        token_hash, now = secret_hash(claim_token), self._clock()
        demo, document = await self._database.read(lambda transaction: _unclaimed(transaction, token_hash, now))
        return OwnedDemo(title=document.title, url=self._pages.url(demo.path), expires_at=demo.expires_at)

    async def delete(self, claim_token: str) -> None:
        token_hash, now = secret_hash(claim_token), self._clock()

        def work(transaction: Transaction) -> None:
            demo, document = _unclaimed(transaction, token_hash, now)
            # A concurrent claim waits for this row.
            free_demo(transaction, demo.identifier)
            if not delete_unclaimed_demo(transaction, demo.identifier):
                raise _no_demo()
            delete_demo(transaction, document.id)

        await self._database.write(work)

    async def claim(self, auth: AuthenticatedRequest, claim_token: str) -> Publication:
        """Raise `NotFound`, `Expired` or `QuotaExceeded`."""
        token_hash = secret_hash(claim_token)

        async def prepare() -> Work[Publication]:
            owner, demo, document = await self._database.read(
                lambda transaction: _claimable(transaction, auth, token_hash)
            )
            require_quota(auth.plan, owner)
            claimed = replace(document, account_id=owner.id, expires_at=None)
            planned = await self._publisher.plan(auth, owner, claimed)
            return lambda transaction: self._hand_over(transaction, demo, planned)

        return await self._updates.run(auth, token_hash, prepare)

    def _hand_over(self, transaction: Transaction, demo: DemoPage, planned: PublishPlan) -> Publication:
        if not claim_demo(transaction, demo.identifier, now=planned.auth.now):
            raise _no_demo()
        edited_at = count_new_document(transaction, planned.auth)
        count_page(transaction, planned.auth)
        if not replace_document(transaction, replace(planned.document, updated_at=edited_at)):
            raise RetryConflict
        publication = self._publisher.assign_permalink(transaction, planned)
        free_demo(transaction, demo.identifier)
        return publication


def _claimable(
    transaction: Transaction, auth: AuthenticatedRequest, token_hash: str
) -> tuple[Account, DemoPage, Document]:
    demo, document = _unclaimed(transaction, token_hash, auth.now)
    return owner_of(transaction, auth), demo, document


def _unclaimed(transaction: Transaction, token_hash: str, now: datetime) -> tuple[DemoPage, Document]:
    demo = find_demo_by_token(transaction, token_hash)
    if demo is None or demo.claimed_at is not None:
        raise _no_demo()
    if now >= demo.expires_at:
        raise Expired("The demo page has expired; demo pages are deleted after 72 hours")
    document = find_document(transaction, demo.document_id)
    if document is None:
        raise _no_demo()
    return demo, document


def _full() -> ServiceUnavailable:
    return ServiceUnavailable(
        "The storage for demo pages is full; retry later, or publish from an account",
        headers={"Retry-After": str(_FULL_SECONDS)},
    )


def _no_demo() -> NotFound:
    return NotFound("No demo page has this claim token, or it was already claimed")
