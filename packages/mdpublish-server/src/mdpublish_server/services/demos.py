"""Demos: pages published without an account, which expire or are claimed."""

import shutil
import string
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from pathlib import Path
from secrets import randbits
from uuid import UUID, uuid4

from msgspec import json

from mdpublish_core import Notice
from mdpublish_server.auth.authentication import AuthenticatedRequest, secret_hash
from mdpublish_server.auth.server_key import ServerKey
from mdpublish_server.clock import Clock
from mdpublish_server.errors import Conflict, Expired, NotFound, ServiceUnavailable
from mdpublish_server.models import DemoCreate
from mdpublish_server.services import publishing
from mdpublish_server.services.concurrency import OptimisticUpdates, RetryConflict
from mdpublish_server.services.documents import owner_of, store_page
from mdpublish_server.services.front_matter import FrontMatterDefaults, joined_notices
from mdpublish_server.services.pages import PageMaker
from mdpublish_server.storage import Account, Database, DemoPage, DocumentRecord, Transaction, permalinks
from mdpublish_server.storage.database import sqlite_path
from mdpublish_server.storage.demo_usage import demo_bytes, free_demo, resize_demo, take_demo_bytes
from mdpublish_server.storage.documents import add_document, delete_demo, find_document, replace_document
from mdpublish_server.storage.slug_claims import claim_permalink
from mdpublish_server.storage.transactions import Work

DEMO_LIFETIME = timedelta(hours=72)

# The cleanup, which frees what expired demos held, runs as often.
_FULL_SECONDS = 600

_MEGABYTE = 1_000_000
_UNSEEN_MEGABYTES = 1_000
"""On a database server, whose disk is not seen."""

# 103 bits: not guessable.
_IDENTIFIER_ALPHABET = string.ascii_lowercase + string.digits
_IDENTIFIER_CHARACTERS = 20


def demo_limit(database_url: str, megabytes: int | None) -> int:
    """Return the bytes that demos may hold; without a number, a tenth of the free space on SQLite's disk."""
    if megabytes is None:
        path = sqlite_path(database_url)
        if path is not None:
            folder = next(each for each in Path(path).absolute().parents if each.is_dir())
            return max(shutil.disk_usage(folder).free // 10, _MEGABYTE)
        megabytes = _UNSEEN_MEGABYTES
    return megabytes * _MEGABYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class DemoNames:
    """What a demo is known by; the database has only a hash of the claim token."""

    identifier: str
    document_id: str
    claim_token: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Demo:
    """A new demo; `claim_token` is available only here, `claim_url` is a page for claiming or deleting it."""

    document: DocumentRecord
    url: str
    claim_token: str
    claim_url: str
    expires_at: datetime
    notices: tuple[Notice, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class OwnedDemo:
    """A demo as its owner sees it."""

    document: DocumentRecord
    url: str


@dataclass(frozen=True, slots=True)
class Demos:
    """Publishes, deletes and claims demos."""

    database: Database
    updates: OptimisticUpdates
    pages: PageMaker
    publisher: publishing.Publisher
    front_matter: FrontMatterDefaults
    server_key: ServerKey
    clock: Clock
    dashboard_url: str
    max_bytes: int

    async def publish(self, draft: DemoCreate, *, client_id: str) -> Demo:
        return await self._publish(draft, _new_names(), client_id=client_id)

    async def publish_once(
        self, draft: DemoCreate, *, nonce: str, client_id: str, admit: Callable[[], None]
    ) -> tuple[DemoNames, tuple[Notice, ...]]:
        """Publish a form's draft; the same draft sent again with the form's nonce is the same demo, without notices.

        Its names are derived from both, unless that demo is no longer one. `admit` is called before, and may raise.
        """
        names = await self._names(nonce, draft)
        demo_page = await self.database.read(permalinks.find_demo, names.identifier)
        if demo_page is not None:
            if demo_page.claimed_at is None and self.clock() < demo_page.expires_at:
                return names, ()
            names = _new_names()
        admit()
        demo = await self._publish(draft, names, client_id=client_id)
        return names, demo.notices

    async def _names(self, nonce: str, draft: DemoCreate) -> DemoNames:
        encoded = json.encode(draft)
        seeds = [
            await self.server_key.derive(purpose, nonce.encode(), encoded)
            for purpose in ("identifier", "document", "claim")
        ]
        return DemoNames(
            identifier=_identifier(int.from_bytes(seeds[0])),
            document_id=str(UUID(bytes=seeds[1][:16], version=4)),
            claim_token=str(UUID(bytes=seeds[2][:16], version=4)),
        )

    async def _publish(self, draft: DemoCreate, names: DemoNames, *, client_id: str) -> Demo:
        """Render and store a demo, unless one of these names was published meanwhile."""
        # Before rendering; `take_demo_bytes` decides.
        if await self.database.read(demo_bytes) >= self.max_bytes:
            raise self._full()
        complete = await self.front_matter.complete(draft, None, client_id=client_id)
        now = self.clock()
        demo = DemoPage(
            identifier=names.identifier,
            document_id=names.document_id,
            claim_token_hash=secret_hash(names.claim_token),
            expires_at=now + DEMO_LIFETIME,
        )
        document = DocumentRecord(
            id=demo.document_id,
            account_id=None,
            published_at=now,
            expires_at=demo.expires_at,
            word_count=0,
            created_at=now,
            updated_at=now,
            **complete.fields,
        )
        rendered = await self.pages.make(document, path=demo.path, badge=True, scanned=True, client_id=client_id)
        document, page = rendered.document, rendered.page
        demo = replace(demo, bytes=len(document.content.encode()) + len(page.body))

        def keep(transaction: Transaction) -> None:
            if not permalinks.add_demo(transaction, demo):
                return
            add_document(transaction, document, words="")
            claim_permalink(transaction, demo.path, document.id)
            store_page(transaction, document, page)
            if not take_demo_bytes(transaction, demo.bytes, limit=self.max_bytes):
                raise self._full()

        await self.database.write(keep)
        return Demo(
            document=document,
            url=self.pages.url(demo.path),
            claim_token=names.claim_token,
            claim_url=f"{self.dashboard_url}/claim/{names.claim_token}",
            expires_at=demo.expires_at,
            notices=joined_notices(complete.notices, rendered.notices),
        )

    def _full(self) -> ServiceUnavailable:
        return ServiceUnavailable(
            f"The storage for demo pages is full (at most {self.max_bytes // 1_000_000:,} MB); retry later, or publish from an account",
            retry_after=_FULL_SECONDS,
        )

    async def owned(self, claim_token: str) -> OwnedDemo:
        token_hash, now = _token_hash(claim_token), self.clock()
        demo, document = await self.database.read(_unclaimed, token_hash, now)
        return OwnedDemo(document=document, url=self.pages.url(demo.path))

    async def url_of(self, identifier: str) -> str:
        """Return the URL of a demo, for readers without the owner link; raise `NotFound` or `Expired`."""
        now = self.clock()
        demo = await self.database.read(permalinks.find_demo, identifier)
        if demo is None:
            raise _no_demo()
        if now >= demo.expires_at:
            raise _expired()
        return self.pages.url(demo.path)

    async def edit(self, claim_token: str, draft: DemoCreate, *, client_id: str) -> tuple[Notice, ...]:
        """Replace a demo's content, not its URL and expiry. Raises what `publish` raises, `NotFound` and `Expired`."""
        token_hash, now = _token_hash(claim_token), self.clock()
        demo, stored = await self.database.read(_unclaimed, token_hash, now)
        complete = await self.front_matter.complete(draft, None, client_id=client_id)
        edited = replace(stored, **complete.fields, updated_at=now)
        rendered = await self.pages.make(
            edited, path=demo.path, badge=True, scanned=True, client_id=client_id, revision=stored.revision + 1
        )
        document, page = rendered.document, rendered.page

        def keep(transaction: Transaction) -> None:
            if not replace_document(transaction, document):
                raise Conflict("The page was changed, claimed or deleted meanwhile; reload the page")
            store_page(transaction, document, page)
            size = len(document.content.encode()) + len(page.body)
            if not resize_demo(transaction, demo, size, limit=self.max_bytes):
                raise self._full()

        await self.database.write(keep)
        return joined_notices(complete.notices, rendered.notices)

    async def delete(self, claim_token: str) -> None:
        token_hash, now = _token_hash(claim_token), self.clock()

        def work(transaction: Transaction) -> None:
            demo, document = _unclaimed(transaction, token_hash, now)
            # A concurrent claim waits for this row.
            free_demo(transaction, demo.identifier)
            if not permalinks.delete_unclaimed_demo(transaction, demo.identifier):
                raise _no_demo()
            delete_demo(transaction, document.id)

        await self.database.write_reserved(work)

    async def claim(self, auth: AuthenticatedRequest, claim_token: str) -> publishing.Publication:
        """Raise `NotFound`, `Expired` or `QuotaExceeded`."""
        token_hash = _token_hash(claim_token)

        async def prepare() -> Work[publishing.Publication]:
            owner, demo, document = await self.database.read(_claimable, auth, token_hash)
            publishing.require_quota(auth.plan, owner)
            claimed = replace(document, account_id=owner.id, expires_at=None)
            planned = await self.publisher.plan(auth, owner, claimed, is_new_text=True)
            return lambda transaction: self._hand_over(transaction, demo, planned)

        return await self.updates.run(auth, token_hash, prepare)

    def _hand_over(
        self, transaction: Transaction, demo: DemoPage, planned: publishing.PublishPlan
    ) -> publishing.Publication:
        if not permalinks.claim_demo(transaction, demo.identifier, now=planned.auth.now):
            raise _no_demo()
        edited_at = publishing.count_new_document(transaction, planned.auth)
        publishing.count_page(transaction, planned.auth)
        document = replace(planned.document, updated_at=edited_at)
        if not replace_document(transaction, document, words=planned.words):
            raise RetryConflict
        publication = self.publisher.assign_permalink(transaction, planned)
        free_demo(transaction, demo.identifier)
        return publication


def _claimable(
    transaction: Transaction, auth: AuthenticatedRequest, token_hash: str
) -> tuple[Account, DemoPage, DocumentRecord]:
    demo, document = _unclaimed(transaction, token_hash, auth.now)
    return owner_of(transaction, auth), demo, document


def _unclaimed(transaction: Transaction, token_hash: str, now: datetime) -> tuple[DemoPage, DocumentRecord]:
    demo = permalinks.find_demo_by_token(transaction, token_hash)
    if demo is None or demo.claimed_at is not None:
        raise _no_demo()
    if now >= demo.expires_at:
        raise _expired()
    if (document := find_document(transaction, demo.document_id)) is None:
        raise _no_demo()
    return demo, document


def _token_hash(claim_token: str) -> str:
    """Return the hash of a token, which clients may write in either case."""
    return secret_hash(claim_token.lower())


def _new_names() -> DemoNames:
    return DemoNames(identifier=_identifier(randbits(256)), document_id=str(uuid4()), claim_token=str(uuid4()))


def _identifier(number: int) -> str:
    """Return the identifier of a random number of 256 bits."""
    characters = []
    for _ in range(_IDENTIFIER_CHARACTERS):
        number, index = divmod(number, len(_IDENTIFIER_ALPHABET))
        characters.append(_IDENTIFIER_ALPHABET[index])
    return "".join(characters)


def _expired() -> Expired:
    return Expired("The demo page has expired; demo pages are deleted after 72 hours")


def _no_demo() -> NotFound:
    return NotFound("No demo page has this claim token, or it was already claimed")
