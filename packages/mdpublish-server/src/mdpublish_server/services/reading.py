"""How readers of private pages get a session: by a mail's link or code, an owner's link, or a password.

A mail's link starts a session in the browser that asked for it, which a cookie tells; elsewhere it asks for the code of
the same mail, since scanners of mails follow links and submit forms. Everybody gets the same response from the same
work, on the list or not: an unlisted address has a link too, which nobody gets. The mail is sent from a queue.
"""

import re
import secrets
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from unicodedata import normalize
from uuid import uuid4

from mdpublish_server.auth.authentication import AuthenticatedRequest, secret_hash
from mdpublish_server.auth.devices import Device, page_target, reader_target
from mdpublish_server.auth.page_protection import is_reader
from mdpublish_server.auth.password_hashing import PasswordHashing
from mdpublish_server.auth.passwords import validate_email
from mdpublish_server.auth.server_key import ServerKey
from mdpublish_server.clock import Clock
from mdpublish_server.errors import Conflict, NotFound, Unauthorized
from mdpublish_server.ratelimit import guesses
from mdpublish_server.ratelimit.hourly_limit import too_many
from mdpublish_server.ratelimit.throttles import Bucket, Hits
from mdpublish_server.services.documents import end_removed_readers, find_seen
from mdpublish_server.services.mailer import Email, Mailer
from mdpublish_server.services.page_access import proof_of, require_live
from mdpublish_server.services.page_serving import find_live_page
from mdpublish_server.settings import Settings
from mdpublish_server.storage import Database, ReaderLink, ReaderSession, ReaderView, ResolvedPage, Transaction
from mdpublish_server.storage import readers as table
from mdpublish_server.storage.audit import record
from mdpublish_server.storage.permalinks import find_page_of

READER_LIFETIME = timedelta(days=30)

LINK_LIFETIME = timedelta(minutes=10)
"""ASVS 5.0, 6.5.5."""

OWNERS_LINK_LIFETIME = timedelta(days=365)

CODE_CHARACTERS = 8

CODE_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's Base32: 40 bits."""

CODE_TRIES = 5
"""Per mail."""

MAX_DEVICE_CODES = 15
"""Of a browser that read a page of the account with the address, within `REQUEST_SPAN`: of three mails."""

LISTED_VIEWS = 500

MAX_REQUESTS = 20
"""Mails that a network may ask for, and codes that it may try, within `REQUEST_SPAN`; three times as many codes."""

MAX_MAILS = 3
"""Per address and account that it asks, listed or not."""

REQUEST_SPAN = timedelta(hours=1)

MAX_PASSWORDS = 10
"""Mails per page and network in a quarter of an hour; twenty times as many per network, and per page for a day."""

_ACCOUNT_FACTOR = 4
"""How many pages' failures an account bears."""

_TOKEN_BYTES = 32

# As Crockford reads what people type.
_CODE_SLIPS = str.maketrans("OIL", "011")
_CODE_SEPARATORS = re.compile(r"[\s\u2010-\u2015-]+")


Compose = Callable[[str, str, str, str], Email]
"""Writes the mail to an address, with a link, a code and the page's URL."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Client:
    """Who asks: a browser's reader token, if it has one, its networks, and what it succeeded with before."""

    token: str | None
    networks: tuple[str, ...]
    device: Device


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A page whose reader's session began: the browser's next token, and what its device is remembered for."""

    path: str
    token: str
    target: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class PageReaders:
    """Who may read a page, who has, and whose link the owner made."""

    readers: Sequence[str]
    views: Sequence[ReaderView]
    linked: Sequence[str]


@dataclass(frozen=True, slots=True)
class Reading:
    """Starts and ends readers' sessions."""

    database: Database
    hits: Hits
    hashing: PasswordHashing
    server_key: ServerKey
    mailer: Mailer | None
    clock: Clock
    settings: Settings

    async def ask(self, path: str, typed: str, *, by: Client, compose: Compose) -> str:
        """Mail a link and a code to an address if it is on the page's list; return the browser's token.

        Raises `ValidationError`, `RateLimited`, `NotFound` and `Expired`, none of which depends on the list.
        """
        await self._limit("reader-requests", MAX_REQUESTS, "requests for emails", by)
        email = validate_email(typed)
        page, now = await self._page(path), self.clock()
        assert page.account_id is not None
        may_mail = await self._may_mail(page, email, by)
        is_sent = may_mail and page.visibility == "specific" and is_reader(page.readers, email)
        token = secrets.token_hex(_TOKEN_BYTES)
        code = "".join(secrets.choice(CODE_ALPHABET) for _ in range(CODE_CHARACTERS))
        browser = by.token or secrets.token_hex(_TOKEN_BYTES)
        link = ReaderLink(
            token_hash=secret_hash(token),
            document_id=page.document_id,
            email=email,
            browser_hash=secret_hash(browser),
            code_hash=await self._code_hash(secret_hash(token), code),
            expires_at=now + LINK_LIFETIME,
        )
        await self.database.write(table.READER_LINK.add, link)
        mail = compose(
            email, f"{self.settings.public_url}/read/{token}", code, f"{self.settings.public_url}{page.path}"
        )
        if is_sent and self.mailer is not None:
            self.mailer.enqueue(mail)
        return browser

    async def follow(self, token: str, *, browser: str | None) -> Opened | None:
        """Open the page of a mail's link in the browser that asked for it; return None elsewhere.

        A link of the owner's opens by its form alone. Raises `NotFound` if the link is none or was used.
        """
        link = await self._link(token)
        if browser is None or link.browser_hash != secret_hash(browser):
            return None
        return await self._open(link, browser)

    async def needs_code(self, token: str) -> bool:
        return (await self._link(token)).code_hash is not None

    async def enter(self, token: str, code: str, *, by: Client) -> Opened:
        """Open a link's page by its mail's code; an owner's link needs none. Raises `Unauthorized` for a wrong code."""
        link = await self._link(token)
        if link.code_hash is None:
            return await self._open(link, by.token)
        return await self._by_code([link], code, by=by, page=None)

    async def enter_code(self, path: str, code: str, *, by: Client) -> Opened:
        """Open a page by the code of a mail that this browser asked for."""
        page, now = await self._page(path), self.clock()
        links: Sequence[ReaderLink] = ()
        if by.token is not None:
            of_browser = secret_hash(by.token)
            links = await self.database.read(
                table.links_of_browser, of_browser, page.document_id, now=now, limit=MAX_MAILS
            )
        return await self._by_code(links, code, by=by, page=page)

    async def unlock(self, path: str, password: str, *, by: Client) -> Opened:
        """Open a page by its password, limited before the password is hashed; raise `Unauthorized` for a wrong one."""
        page = await self._page(path)
        target = page_target(page.document_id)
        if page.password_hash is None:
            return Opened(path=page.path, token=by.token or secrets.token_hex(_TOKEN_BYTES), target=None)
        limits = {"tries": MAX_PASSWORDS, "network_tries": 20 * MAX_PASSWORDS}
        throttle = guesses.GuessThrottle(self.hits, "page-passwords", "passwords", of="for this page", **limits)
        guesser = guesses.Guesser(networks=by.networks, device=by.device.id_for(target))
        targets = _targets_of(page, 20 * MAX_PASSWORDS)
        await throttle.admit(guesser, page.document_id, *targets)
        if not await self.hashing.matches(password, page.password_hash):
            raise Unauthorized("The password is incorrect")
        await throttle.clear(guesser, page.document_id, *targets)
        assert page.account_id is not None
        session = self._session(page.account_id, proof=proof_of(page.password_hash))
        token = await self.database.write(_begin, session, by.token)
        return Opened(path=page.path, token=token, target=target)

    async def list(self, auth: AuthenticatedRequest, document_id: str) -> PageReaders:
        now = self.clock()

        def find(transaction: Transaction) -> PageReaders:
            document = find_seen(transaction, auth, document_id)
            return PageReaders(
                readers=document.readers,
                views=table.reader_views(transaction, document_id, limit=LISTED_VIEWS),
                linked=table.linked_readers(transaction, document_id, now=now),
            )

        return await self.database.read(find)

    async def revoke(self, auth: AuthenticatedRequest, document_id: str, email: str | None) -> None:
        """Take one reader from the list, or all, and end their sessions and links; of a domain, all its readers'."""

        def revoke(transaction: Transaction) -> None:
            document = find_seen(transaction, auth, document_id)
            left = () if email is None else tuple(each for each in document.readers if each != email)
            table.set_readers(transaction, document_id, left)
            end_removed_readers(transaction, document, replace(document, readers=left))
            before = {"readers": document.readers, **({"reader_link": email} if email else {})}
            record(transaction, "document.access", auth.account.id, document_id, before=before, after={"readers": left})
            if email is not None:
                table.end_sessions_of_readers(transaction, auth.account.id, email.__eq__)
                table.delete_reader_links(transaction, document_id, email)

        await self.database.write_reserved(revoke)

    async def make_link(self, auth: AuthenticatedRequest, document_id: str, email: str) -> str:
        """Return the URL of a reader's new link, replacing the former one; raise `NotFound` for an unlisted address."""
        token, now = secrets.token_hex(_TOKEN_BYTES), self.clock()
        link = ReaderLink(
            token_hash=secret_hash(token),
            document_id=document_id,
            email=email,
            browser_hash=None,
            code_hash=None,
            expires_at=now + OWNERS_LINK_LIFETIME,
        )

        def make(transaction: Transaction) -> None:
            document = find_seen(transaction, auth, document_id)
            if document.published_at is None:
                raise Conflict("The document is not published; publish it before you make links to its page")
            if email.startswith("@") or email not in document.readers:
                raise NotFound("No reader has this address")
            table.delete_reader_links(transaction, document_id, email)
            table.READER_LINK.add(transaction, link)
            record(transaction, "document.access", auth.account.id, document_id, after={"reader_link": email})

        await self.database.write(make)
        return f"{self.settings.public_url}/read/{token}"

    async def _page(self, path: str) -> ResolvedPage:
        """Return a live page of an account, for any visitor."""
        page = await self.database.read(find_live_page, path, self.clock())
        if page.account_id is None:
            raise NotFound("No page at this URL")
        return page

    async def _link(self, token: str) -> ReaderLink:
        link = await self.database.read(table.find_reader_link, secret_hash(token), now=self.clock())
        if link is None:
            raise _no_link()
        return link

    async def _may_mail(self, page: ResolvedPage, email: str, by: Client) -> bool:
        """Count a mail, for a listed address or not; raise `RateLimited` when the page or its account has no more."""
        assert page.account_id is not None
        key, span, limits = (email, page.account_id), REQUEST_SPAN, self.settings
        if device := by.device.id_for(reader_target(page.account_id, email)):
            return not await self.hits.take(Bucket("mails-to-device", MAX_MAILS, span, (device, *key)))
        if await self.hits.take(Bucket("reader-mails", MAX_MAILS, span, key)):
            return False
        if wait := await self.hits.take(
            Bucket("mails-of-page", limits.page_code_mails, span, (page.document_id,)),
            Bucket("mails-of-account", limits.account_code_mails, span, (page.account_id,)),
        ):
            raise too_many("requests for emails about this page from new browsers", wait)
        domain = email.partition("@")[2]
        is_full = await self.hits.take(
            Bucket("mails-to-domain", limits.domain_code_mails, span, (domain, page.account_id))
        )
        return not is_full or email in page.readers

    async def _by_code(
        self, links: Sequence[ReaderLink], code: str, *, by: Client, page: ResolvedPage | None
    ) -> Opened:
        """Open the page of the link with the code; without a link's token, the code of `page` is all that is needed."""
        await self._limit("reader-codes", 3 * MAX_REQUESTS, "codes", by)
        live = [link for link in links if await self._count_try(link)]
        if page is not None and live:
            await self._admit_code(page, live, by)
        for link in live:
            entered = await self._code_hash(link.token_hash, _canonical(code))
            if secrets.compare_digest(entered, link.code_hash or ""):
                return await self._open(link, by.token)
        raise Unauthorized("The code is not right; take the one of the latest email, or ask for another")

    async def _count_try(self, link: ReaderLink) -> bool:
        return await self.database.write(table.count_try, link.token_hash, limit=CODE_TRIES)

    async def _admit_code(self, page: ResolvedPage, links: Sequence[ReaderLink], by: Client) -> None:
        """Count a failure, which `_open` takes back; raise `RateLimited` after too many, for unlisted addresses too."""
        assert page.account_id is not None
        emails = dict.fromkeys(link.email for link in links)
        if all(by.device.id_for(reader_target(page.account_id, email)) for email in emails):
            buckets = [Bucket("codes-of-device", MAX_DEVICE_CODES, REQUEST_SPAN, (by.device.id, page.account_id))]
        else:
            targets = (*_targets_of(page, guesses.MAX_TARGET_FAILURES), *map(guesses.email_target, emails))
            buckets = list(dict.fromkeys(target.bucket("codes") for target in targets))
        if wait := await self.hits.take(*buckets):
            raise too_many("wrong codes; the link in the email still works", wait)

    async def _open(self, link: ReaderLink, browser: str | None) -> Opened:
        """Begin a session, and use up a mail's link; raise `NotFound` if the reader is no longer on the list."""
        now = self.clock()

        def start(transaction: Transaction) -> tuple[ResolvedPage, Opened]:
            page = require_live(find_page_of(transaction, link.document_id), now=now)
            assert page.account_id is not None
            is_unused = link.browser_hash is None or table.use_link(transaction, link.token_hash)
            if not is_unused or page.visibility != "specific" or not is_reader(page.readers, link.email):
                raise _no_link()
            session = self._session(page.account_id, email=link.email)
            target = reader_target(page.account_id, link.email)
            return page, Opened(path=page.path, token=_begin(transaction, session, browser), target=target)

        page, opened = await self.database.write(start)
        if link.browser_hash is not None:
            also_of = [target.bucket("codes") for target in _targets_of(page, guesses.MAX_TARGET_FAILURES)]
            await self.hits.forget(guesses.email_target(link.email).bucket("codes"), also_of=also_of)
        return opened

    def _session(self, account_id: str, *, email: str | None = None, proof: str | None = None) -> ReaderSession:
        return ReaderSession(
            id=str(uuid4()),
            token_hash=secret_hash(secrets.token_hex(_TOKEN_BYTES)),
            account_id=account_id,
            email=email,
            proof=proof,
            expires_at=self.clock() + READER_LIFETIME,
        )

    async def _code_hash(self, token_hash: str, code: str) -> str:
        # 40 bits are no secret from who has the database, but not its key.
        return (await self.server_key.derive("reader code", token_hash.encode(), code.encode())).hex()

    async def _limit(self, kind: str, limit: int, what: str, by: Client) -> None:
        if wait := await self.hits.take(*guesses.network_buckets(kind, limit, REQUEST_SPAN, by.networks)):
            raise too_many(f"{what} from your network", wait)


def _targets_of(page: ResolvedPage, limit: int) -> tuple[guesses.Target, guesses.Target]:
    assert page.account_id is not None
    return guesses.Target("page", limit, page.document_id), guesses.Target(
        "account", _ACCOUNT_FACTOR * limit, page.account_id
    )


def _canonical(code: str) -> str:
    """Return a code as it was mailed: typed in any case, with or without separators."""
    return _CODE_SEPARATORS.sub("", normalize("NFKC", code)).upper().translate(_CODE_SLIPS)


def _no_link() -> NotFound:
    return NotFound("This link was used, has expired or was revoked; open the page and ask for another one")


def _begin(transaction: Transaction, session: ReaderSession, browser: str | None) -> str:
    """Store a session under a new token of the browser, which its other sessions get too; return the token."""
    token = secrets.token_hex(_TOKEN_BYTES)
    if browser is not None:
        table.renew_browser(transaction, secret_hash(browser), secret_hash(token))
    table.READER_SESSION.add(transaction, replace(session, token_hash=secret_hash(token)))
    return token
