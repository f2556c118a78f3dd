"""Authentication, rate limit and monthly quota (specification, "Authentication" and "Limits").

The quota is checked before any work in `authenticate`, and exactly in `run_counted`.
"""

import asyncio
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from typing import NamedTuple, TypeVar

from starlette.requests import Request

from mdpublish_server.auth.plans import Plan, Plans
from mdpublish_server.clock import Clock
from mdpublish_server.errors import QuotaExceeded, RateLimited, ServiceUnavailable, Unauthorized
from mdpublish_server.ratelimit.sliding_window import RateLimiter, RateLimitResult, unused_limit
from mdpublish_server.storage import Account, Database, Transaction
from mdpublish_server.storage.accounts import lock_account
from mdpublish_server.storage.apps import find_token, mark_grant_used
from mdpublish_server.storage.audit import act_as
from mdpublish_server.storage.keys import find_account_by_key, find_session, mark_key_used, mark_session_used
from mdpublish_server.storage.request_counts import count_request, refund_request, requests_of_month
from mdpublish_server.storage.transactions import Work

# Recording every use would turn every read into a write.
_USE_RESOLUTION = timedelta(minutes=1)
_SESSION_USE_RESOLUTION = timedelta(minutes=5)

ACCESS_PREFIX = "svca_"
"""Prefix of access tokens of connected apps."""

_API_KEY = re.compile("svc_[0-9a-f]{64}")

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """An API key or an app's access token, or a session token."""

    key: str | None = None
    session_token: str | None = None
    network: str = ""  # where the session is used


def bearer_credentials(authorization: str) -> Credentials:
    """Return what an Authorization header holds; another scheme is an invalid key."""
    scheme, _, key = authorization.partition(" ")
    return Credentials(key=key.strip() if scheme.lower() == "bearer" else "")


def has_bearer(request: Request) -> bool:
    """Tell whether a program sent the request; a proxy's Basic is of browsers, too."""
    return request.headers.get("authorization", "")[:7].lower() == "bearer "


@dataclass(slots=True, kw_only=True)
class AuthenticatedRequest:
    """A request that passed authentication."""

    account: Account
    plan: Plan
    now: datetime
    is_counted: bool
    """Whether the quota applies."""
    counted_month: str | None = None
    """`YYYY-MM`, once counted."""
    scopes: frozenset[str] | None = None
    """What the account allows the app; None is everything."""


@dataclass(slots=True, kw_only=True)
class RateLimitState:
    """Source of the rate-limit headers."""

    rate: RateLimitResult
    account_id: str | None = None


class Authenticator:
    """Authenticates and counts requests."""

    def __init__(
        self, database: Database, rate_limiter: RateLimiter, plans: Plans, clock: Clock, *, resource: str = ""
    ) -> None:
        """Accept access tokens for `resource`."""
        self._database = database
        self._rate_limiter = rate_limiter
        self._plans = plans
        self._clock = clock
        self._resource = resource

    def anonymous_limit(self) -> RateLimitState:
        return RateLimitState(rate=unused_limit(self._plans.free.rate_limit, now=self._clock().timestamp()))

    async def authenticate(
        self, credentials: Credentials, limit_state: RateLimitState, *, is_counted: bool
    ) -> AuthenticatedRequest:
        """Raise `Unauthorized`, `RateLimited` or `QuotaExceeded`."""
        now = self._clock()
        account, due, scopes, *_ = await self._identify(credentials, now)
        plan = self._plans.of(account, now=now)
        limit_state.rate = await self._rate_limiter.admit(account.id, limit=plan.rate_limit, now=now.timestamp())
        limit_state.account_id = account.id
        _require_allowed(limit_state.rate, plan)
        await self._record(due)
        auth = AuthenticatedRequest(account=account, plan=plan, now=now, is_counted=is_counted, scopes=scopes)
        require_quota(auth)
        return auth

    async def require(self, credentials: Credentials) -> frozenset[str] | None:
        """Return the scopes; raise `Unauthorized` if they are not valid. Nothing is counted."""
        identity = await self._identify(credentials, self._clock())
        await self._record(identity.due)
        return identity.scopes

    async def account_of_session(self, token: str, *, network: str) -> Account | None:
        """Return the account that is signed in, unless it is barred; record the use from time to time."""
        try:
            identity = await self._identify(Credentials(session_token=token, network=network), self._clock())
        except Unauthorized:
            return None
        await self._record(identity.due)
        return identity.account

    async def _record(self, due: Work[object] | None) -> None:
        if due is not None:
            # Reads must work while the database is read-only.
            with suppress(ServiceUnavailable):
                await self._database.write(due)

    async def _identify(self, credentials: Credentials, now: datetime) -> "_Identity":
        identity = await self._database.read(_identify, credentials, now, self._resource)
        if identity is None or identity.account.is_barred:
            raise _unauthorized(credentials)
        act_as(identity.means, identity.account.id, identity.app)
        return identity

    def session_request(self, account: Account) -> AuthenticatedRequest:
        now = self._clock()
        return AuthenticatedRequest(account=account, plan=self._plans.of(account, now=now), now=now, is_counted=False)

    async def require_rate(self, auth: AuthenticatedRequest) -> None:
        # Not the request's time: its form may have arrived slowly since, and an old time would drop newer hits.
        now = self._clock().timestamp()
        rate = await self._rate_limiter.admit(auth.account.id, limit=auth.plan.rate_limit, now=now)
        _require_allowed(rate, auth.plan)

    async def run_counted(
        self, auth: AuthenticatedRequest, work: Work[_Result], *, uses_reserve: bool = False
    ) -> _Result:
        """Run `work` and count the request in one transaction, or lock the account; raises `QuotaExceeded`."""
        run = self._database.write_reserved if uses_reserve else self._database.write
        if not auth.is_counted:

            def lock_and_work(transaction: Transaction) -> _Result:
                lock_account(transaction, auth.account.id)
                return work(transaction)

            return await run(lock_and_work)
        month = month_of(auth.now)

        def spend_and_work(transaction: Transaction) -> _Result:
            if auth.counted_month is None and not count_request(
                transaction, auth.account.id, month=month, limit=auth.plan.monthly_quota
            ):
                raise _quota_exceeded(auth.plan, auth.now)
            return work(transaction)

        result = await run(spend_and_work)
        auth.counted_month = auth.counted_month or month
        return result

    async def count_by(
        self, auth: AuthenticatedRequest, work: Callable[[Transaction, str], _Result | None]
    ) -> _Result | None:
        """Run `work`, which counts the request for a month and is one statement on PostgreSQL.

        Return None if it was refused, or if the outcome is unknown; `run_counted` then decides.
        """
        month = month_of(auth.now)
        result = await self._database.write_once(lambda transaction: work(transaction, month))
        if result is not None:
            auth.counted_month = month
        return result

    async def count(self, auth: AuthenticatedRequest) -> None:
        if auth.is_counted and auth.counted_month is None:
            await self.run_counted(auth, lambda _transaction: None)

    @asynccontextmanager
    async def counting(self, auth: AuthenticatedRequest) -> AsyncIterator[None]:
        """Count the request while the context runs; if counting fails, the request fails."""
        counted = asyncio.create_task(self.count(auth))
        try:
            yield
        finally:
            await counted

    async def refund(self, auth: AuthenticatedRequest) -> None:
        if auth.counted_month is not None:
            month, auth.counted_month = auth.counted_month, None
            await self._database.write(refund_request, auth.account.id, month=month)


class _Identity(NamedTuple):
    account: Account
    due: Work[object] | None = None
    """Records the last use of the key, the grant or the session, if that is due."""
    scopes: frozenset[str] | None = None
    means: str = "session"
    app: str | None = None
    """The app's name; of a key, its id."""


def _identify(transaction: Transaction, credentials: Credentials, now: datetime, resource: str) -> _Identity | None:
    if credentials.key is not None and credentials.key.startswith(ACCESS_PREFIX):
        holder = find_token(transaction, secret_hash(credentials.key), now=now)
        if holder is None or holder.grant.resource != resource:
            return None
        use = partial(mark_grant_used, grant_id=holder.grant.id, now=now)
        scopes = frozenset(holder.token.scopes.split())
        due = use if _is_due(holder.grant.used_at, now) else None
        return _Identity(holder.account, due, scopes, "app", holder.grant.client_name)
    if credentials.key is not None:
        owner = find_account_by_key(transaction, secret_hash(credentials.key))
        if owner is None:
            return None
        account, key_id, used_at = owner
        due = partial(mark_key_used, key_id=key_id, now=now) if _is_due(used_at, now) else None
        return _Identity(account, due, None, "key", key_id)
    hashed = secret_hash(credentials.session_token or "")
    signed_in = find_session(transaction, hashed, now=now) if credentials.session_token else None
    if signed_in is None:
        return None
    account, used_at = signed_in
    use = partial(mark_session_used, token_hash=hashed, network=credentials.network, now=now)
    return _Identity(account, use if _is_due(used_at, now, _SESSION_USE_RESOLUTION) else None)


def _is_due(used_at: datetime | None, now: datetime, resolution: timedelta = _USE_RESOLUTION) -> bool:
    return used_at is None or now - used_at >= resolution


def require_quota(auth: AuthenticatedRequest) -> None:
    """Raise `QuotaExceeded` before any work; `run_counted` is exact."""
    if auth.is_counted and requests_used(auth.account, now=auth.now) >= auth.plan.monthly_quota:
        raise _quota_exceeded(auth.plan, auth.now)


def secret_hash(secret: str) -> str:
    """Hash a random secret, which needs no salt."""
    return sha256(secret.encode()).hexdigest()


def requests_used(account: Account, *, now: datetime) -> int:
    return requests_of_month(account, month_of(now))


def month_of(now: datetime) -> str:
    utc = now.astimezone(UTC)
    return f"{utc.year:04}-{utc.month:02}"


def next_month(now: datetime) -> datetime:
    begin = now.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return (begin + timedelta(days=32)).replace(day=1)


def _require_allowed(rate: RateLimitResult, plan: Plan) -> None:
    if not rate.allowed:
        raise RateLimited(
            f"Rate limit exceeded: the {plan.name.capitalize()} plan allows {plan.rate_limit} requests per second",
            retry_after=rate.retry_after,
        )


def _unauthorized(credentials: Credentials) -> Unauthorized:
    key, message = credentials.key, "; send the header Authorization: Bearer <API_KEY>"
    if key is None:
        message = f"API key required{message}"
    elif key.startswith(ACCESS_PREFIX) or _API_KEY.fullmatch(key):
        # The same for all that a stranger may try.
        message = (
            "Invalid API key: it is mistyped, expired or revoked, or its account is suspended; make another one there"
        )
    else:
        form = f", which is svc_ and 64 hexadecimal digits (got {len(key):,} characters)" if key else ""
        message = f"Invalid API key{message}{form}"
    return Unauthorized(message, headers={"WWW-Authenticate": "Bearer"})


def _quota_exceeded(plan: Plan, now: datetime) -> QuotaExceeded:
    reset = next_month(now)
    message = f"Monthly quota of {plan.monthly_quota:,} requests exceeded; it resets at {reset:%Y-%m-%dT%H:%M:%SZ}"
    # Without Retry-After: clients that obey it would sleep for days.
    return QuotaExceeded(message, status=429)
