"""Apps that connect to accounts by OAuth 2.1: clients, consent, and tokens, of which only hashes are stored.

A grant is what one consent allows. Its tokens are a family: a code that is used twice ends it, and so does a refresh
token that is used again later than `GRACE` after it was replaced. Within that time each use gets a pair of its own,
since hosted assistants refresh from several processes at a time.
"""

import re
import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple
from urllib.parse import urlencode, urlsplit
from uuid import uuid4

import msgspec

from mdpublish_server.auth.authentication import ACCESS_PREFIX, secret_hash
from mdpublish_server.auth.scopes import SCOPES, known_scopes
from mdpublish_server.clock import Clock
from mdpublish_server.errors import NotFound, ValidationError
from mdpublish_server.services.client_documents import ClientDocuments, is_document_url
from mdpublish_server.settings import LOOPBACK, Settings
from mdpublish_server.storage import Account, AppClient, AppGrant, AppToken, Database, Transaction
from mdpublish_server.storage import apps as table
from mdpublish_server.storage.accounts import lock_account
from mdpublish_server.storage.audit import record

ACCESS_LIFETIME = timedelta(hours=1)
REFRESH_LIFETIME = timedelta(days=90)
CODE_LIFETIME = timedelta(minutes=10)
GRACE = timedelta(seconds=60)

MAX_REQUEST_CHARACTERS = 4_000
"""Length of an authorization request's query."""

MAX_REDIRECT_URIS = 20
MAX_REDIRECT_CHARACTERS = 500
NAME_CHARACTERS = 100

UNUSED_CLIENTS = 5_000
"""Registered clients that nobody has allowed anything; each is kept for a day, and a newer one replaces the oldest."""

MAX_GRANTS = 100
"""Per account; a newer one replaces the one that was used longest ago."""

MAX_TOKENS = 500
"""Per grant; replaced refresh tokens are among them."""

_UNUSED_LIFETIME = timedelta(days=1)

REPLACED_LIFETIME = timedelta(days=7)
"""For which the use of a replaced refresh token is noticed."""

REFRESH_PREFIX = "svcr_"
_CODE_PREFIX = "svcc_"
_SECRET_BYTES = 32

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")

_NO_APP_SCHEMES = frozenset(
    {"", "about", "blob", "data", "file", "filesystem", "http", "https", "intent", "javascript", "ms-msdt", "vbscript"}
)
"""What a browser opens itself, or hands to more than one program; any other scheme may be an app's."""


class Client(NamedTuple):
    """An app; `secret_hash` is None if it has no secret."""

    id: str
    name: str
    redirect_uris: Sequence[str]
    secret_hash: str | None = None


class TokenPair(NamedTuple):
    """New tokens; they are available only here."""

    access: str
    refresh: str
    scopes: str


class RefusedAuthorization(Exception):  # noqa: N818  (an answer)
    """A wrong request of a known app, which learns of it at `url`."""

    def __init__(self, error: ValidationError, url: str) -> None:
        super().__init__(url)
        self.error = error
        self.url = url


@dataclass(frozen=True, slots=True, kw_only=True)
class AuthorizationRequest:
    """What an app asks a person for."""

    client: Client
    redirect_uri: str
    state: str | None
    scopes: tuple[str, ...]
    code_challenge: str
    issuer: str

    @property
    def redirect_host(self) -> str | None:
        """The host that gets the code; None if that is a program on the person's computer."""
        parts = urlsplit(self.redirect_uri)
        is_remote = parts.scheme == "https" and parts.hostname not in LOOPBACK
        return parts.hostname if is_remote else None

    def response(self, **parameters: str) -> str:
        """Return the URL that answers the request."""
        state = {} if self.state is None else {"state": self.state}
        parts = urlsplit(self.redirect_uri)
        added = urlencode({**parameters, **state, "iss": self.issuer})
        return parts._replace(query=f"{parts.query}&{added}" if parts.query else added).geturl()


def resource_of(settings: Settings) -> str:
    """Return the URL that tokens are for: `/mcp` names the whole service."""
    return f"{settings.public_url}/mcp"


class Apps:
    """Clients, grants and tokens."""

    def __init__(self, database: Database, settings: Settings, clock: Clock, documents: ClientDocuments) -> None:
        self._database = database
        self._clock = clock
        self._documents = documents
        self._issuer = settings.public_url
        self.resource = resource_of(settings)
        self._resources = {self.resource, settings.base_url, settings.public_url}

    def is_ours(self, resource: str) -> bool:
        """Tell whether a token for `resource` (RFC 8707) is one for this service."""
        try:
            parts = urlsplit(resource)
        except ValueError:
            return False
        # Only of scheme and host does case not matter (RFC 3986, 6.2.2.1).
        same = parts._replace(netloc=parts.netloc.lower(), path=parts.path.removesuffix("/"), query="")
        return same.geturl() in self._resources

    async def client(self, client_id: str) -> Client | None:
        """Return a client that is registered, or whose document somebody has accepted."""
        row = await self._database.read(table.find_client, client_id[:501])
        if row is None:
            return None
        return Client(row.id, row.name, msgspec.json.decode(row.redirect_uris, type=list[str]), row.secret_hash)

    async def register(self, client_id: str, name: str, redirect_uris: Sequence[str], secret: str | None) -> Client:
        """Store a client for a day, until somebody allows it something; raise `ValidationError`."""
        client = _checked(client_id, name, redirect_uris)
        row = self._row(client, secret)

        def work(transaction: Transaction) -> None:
            table.drop_unused_client(transaction, limit=UNUSED_CLIENTS - 1)
            table.put_client(transaction, row)

        await self._database.write(work)
        return client

    def _row(self, client: Client, secret: str | None) -> AppClient:
        now = self._clock()
        return AppClient(
            id=client.id,
            name=client.name,
            redirect_uris=msgspec.json.encode(client.redirect_uris).decode(),
            secret_hash=None if secret is None else secret_hash(secret),
            created_at=now,
            expires_at=now + _UNUSED_LIFETIME,
        )

    async def read_request(self, parameters: Sequence[tuple[str, str]], *, network: str) -> AuthorizationRequest:
        """Return a checked request; raise `RefusedAuthorization`, or a `ServiceError` if the app is not known."""
        given = dict(parameters)
        client = await self._asking(given.get("client_id", ""), network)
        redirect_uri = given.get("redirect_uri", "")
        is_free = _is_loopback(redirect_uri) and any(map(_is_loopback, client.redirect_uris))
        if not is_free and redirect_uri not in client.redirect_uris:
            raise ValidationError(f"{client.name} must name one of its own redirect_uri (got {redirect_uri[:200]!r})")
        request = AuthorizationRequest(
            client=client,
            redirect_uri=redirect_uri,
            state=given.get("state"),
            # Nothing that we know: the person chooses among all.
            scopes=known_scopes(given.get("scope", "")) or tuple(SCOPES),
            code_challenge=given.get("code_challenge", ""),
            issuer=self._issuer,
        )
        fault = self._fault(parameters, given)
        if fault is not None:
            error, description = fault
            url = request.response(error=error, error_description=description)
            raise RefusedAuthorization(ValidationError(f"{client.name} asked in a wrong way: {description}"), url)
        return request

    async def _asking(self, client_id: str, network: str) -> Client:
        if is_document_url(client_id):
            document = await self._documents.fetch(client_id, network=network)
            return _checked(client_id, document.name, document.redirect_uris)
        client = await self.client(client_id)
        if client is None:
            raise NotFound("This app is not registered here any more; remove it in your assistant, and add it again")
        return client

    def _fault(self, parameters: Sequence[tuple[str, str]], given: dict[str, str]) -> tuple[str, str] | None:
        names = [name for name, _ in parameters if name != "resource"]
        if len(names) != len(set(names)):
            return "invalid_request", "A parameter is repeated"
        if given.get("response_type") != "code":
            return "unsupported_response_type", "response_type must be code"
        if given.get("code_challenge_method") != "S256" or not _CHALLENGE.fullmatch(given.get("code_challenge", "")):
            return "invalid_request", "code_challenge of 43 characters and code_challenge_method S256 are required"
        if not all(self.is_ours(value) for name, value in parameters if name == "resource"):
            return "invalid_target", f"resource must be {self.resource}"
        return None

    async def allow(self, account: Account, request: AuthorizationRequest, scopes: Iterable[str]) -> str:
        """Return the URL that hands the app a code for `scopes`, of those that it asked for."""
        allowed = [name for name in request.scopes if name in set(scopes)]
        if not allowed:
            raise ValidationError("Choose at least one thing to allow, or cancel")
        now, code = self._clock(), _CODE_PREFIX + secrets.token_urlsafe(_SECRET_BYTES)
        client = request.client
        grant = AppGrant(
            id=str(uuid4()),
            account_id=account.id,
            client_id=client.id,
            client_name=client.name,
            redirect_uri=request.redirect_uri,
            scopes=" ".join(allowed),
            resource=self.resource,
            code_hash=secret_hash(code),
            code_challenge=request.code_challenge,
            created_at=now,
            expires_at=now + CODE_LIFETIME,
        )

        def work(transaction: Transaction) -> None:
            lock_account(transaction, account.id)
            if is_document_url(client.id):
                table.put_client(transaction, self._row(client, None))
            table.keep_client(transaction, client.id)
            others = sorted(
                table.list_grants(transaction, account.id, now=now), key=lambda each: each.used_at or each.created_at
            )
            for other in others[: max(len(others) - MAX_GRANTS + 1, 0)]:
                end_grant(transaction, other)
            table.GRANT.add(transaction, grant)
            after = {"client_id": client.id, "client_name": client.name, "scopes": grant.scopes}
            record(transaction, "app.connected", account.id, grant.id, after=after)

        await self._database.write(work)
        return request.response(code=code)

    async def grant_of_code(self, client_id: str, code: str) -> AppGrant | None:
        """Return the grant of an unused code; the second use of one ends its grant."""
        grant = await self._database.read(table.find_grant_by_code, secret_hash(code))
        if grant is None or grant.client_id != client_id:
            return None
        if grant.code_used_at is not None:
            await self.disconnect(grant)
            return None
        return grant if self._clock() < grant.created_at + CODE_LIFETIME else None

    async def exchange_code(self, grant: AppGrant) -> TokenPair | None:
        """Return tokens, once; None for the later one of two uses at a time, which ends the grant."""
        now = self._clock()

        def work(transaction: Transaction) -> TokenPair | None:
            if not table.use_code(transaction, grant.id, now=now):
                end_grant(transaction, grant)
                return None
            return self._new_pair(transaction, grant, grant.scopes)

        return await self._database.write(work)

    async def grant_of_token(self, token: str) -> AppGrant | None:
        """Return what a valid token belongs to; a replaced refresh token is valid here."""
        holder = await self._database.read(table.find_token, secret_hash(token), now=self._clock())
        return None if holder is None else holder.grant

    async def refresh(self, token: str, scopes: str) -> TokenPair | None:
        """Return new tokens; None if the token is invalid, or was replaced some time ago, which ends the grant."""
        now = self._clock()

        def work(transaction: Transaction) -> TokenPair | None:
            hashed = secret_hash(token)
            holder = table.find_token(transaction, hashed, now=now)
            if holder is None or holder.account.is_barred or holder.grant.resource != self.resource:
                return None
            replaced_at = holder.token.replaced_at
            if replaced_at is None:
                table.replace_token(transaction, hashed, now=now, until=now + REPLACED_LIFETIME)
            elif now - replaced_at > GRACE:
                end_grant(transaction, holder.grant)
                return None
            return self._new_pair(transaction, holder.grant, scopes)

        return await self._database.write(work)

    def _new_pair(self, transaction: Transaction, grant: AppGrant, scopes: str) -> TokenPair:
        now = self._clock()
        access, refresh = (prefix + secrets.token_urlsafe(_SECRET_BYTES) for prefix in (ACCESS_PREFIX, REFRESH_PREFIX))
        for token, of, lifetime in ((access, scopes, ACCESS_LIFETIME), (refresh, grant.scopes, REFRESH_LIFETIME)):
            row = AppToken(token_hash=secret_hash(token), grant_id=grant.id, scopes=of, expires_at=now + lifetime)
            table.TOKEN.add(transaction, row)
        table.drop_surplus_tokens(transaction, grant.id, limit=MAX_TOKENS)
        table.extend_grant(transaction, grant.id, until=now + REFRESH_LIFETIME)
        return TokenPair(access, refresh, scopes)

    async def list(self, account: Account) -> Sequence[AppGrant]:
        return await self._database.read(table.list_grants, account.id, now=self._clock())

    async def disconnect(self, grant: AppGrant) -> None:
        """End a grant: its tokens are refused from now on."""
        await self._database.write_reserved(end_grant, grant)


def end_grant(transaction: Transaction, grant: AppGrant) -> None:
    if table.delete_grant(transaction, grant.id):
        before = {"client_id": grant.client_id, "client_name": grant.client_name}
        record(transaction, "app.disconnected", grant.account_id, grant.id, before=before)


def _checked(client_id: str, name: str, redirect_uris: Sequence[str]) -> Client:
    """Return a client with a name to show and its good redirects; raise `ValidationError` if there is none."""
    if not 1 <= len(redirect_uris) <= MAX_REDIRECT_URIS:
        raise ValidationError(f"redirect_uris must have 1 to {MAX_REDIRECT_URIS} entries (got {len(redirect_uris)})")
    good = [uri for uri in redirect_uris if _is_redirect_uri(uri)]
    if not good:
        raise ValidationError(
            "redirect_uris must be https URLs, http URLs of localhost, or URLs with an app's own scheme, "
            f"at most {MAX_REDIRECT_CHARACTERS} characters, without user or fragment (got {redirect_uris[0][:100]!r})"
        )
    # Characters that turn the text around, too, are not printable.
    shown = "".join(mark for mark in name if mark.isprintable())[:NAME_CHARACTERS].strip()
    return Client(client_id, shown or "An app without a name", good)


def _is_redirect_uri(uri: str) -> bool:
    try:
        parts = urlsplit(uri)
        host, has_user, _ = parts.hostname, parts.username is not None, parts.port
    except ValueError:
        return False
    is_web = host and (parts.scheme == "https" or (parts.scheme == "http" and host in LOOPBACK))
    is_text = uri.isascii() and uri.isprintable() and len(uri) <= MAX_REDIRECT_CHARACTERS
    has_marks = has_user or any(mark in uri for mark in "# \\")
    return bool(is_text and not has_marks and (is_web or parts.scheme not in _NO_APP_SCHEMES))


def _is_loopback(uri: str) -> bool:
    """Tell whether a program on the person's computer is redirected to (RFC 8252, 7.3).

    Any such program can listen at any port, path and name of the computer, so none of them tells it from another.
    """
    return uri.startswith("http://") and _is_redirect_uri(uri)
