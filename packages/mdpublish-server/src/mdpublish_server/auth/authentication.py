"""Authentication: who calls, how often, and how many calls are left (specification, "Authentication" and "Limits").

    admit        who it is, the rate of this second, whether the month's quota has anything left
    spend        counts the call, in the transaction that does its work, or alone
    give back    counts it less, where the service failed

What somebody does on the site itself is a call too, under the same limits, but the month's quota does not count it.

The quota is checked twice: when a call is admitted, so that nothing is done for one that has none left, and exactly, in the
transaction that counts.
"""

from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from hashlib import sha256
from math import ceil
from typing import TypeVar

from mdpublish_server.auth.plans import Plan, Plans
from mdpublish_server.clock import Clock
from mdpublish_server.errors import QuotaExceeded, RateLimited, ServiceUnavailable, Unauthorized
from mdpublish_server.ratelimit.sliding_window import RateLimiter, RateLimitResult, unused_limit
from mdpublish_server.storage import Account, Database, Transaction
from mdpublish_server.storage.accounts import count_request, lock_account, refund_request
from mdpublish_server.storage.keys import find_account_by_key, find_account_by_session, mark_key_used
from mdpublish_server.storage.transactions import Work

# How exactly a key's last use is kept; to write it each time would make every reading call a writing one.
_USE_RESOLUTION = timedelta(minutes=1)

_Result = TypeVar("_Result")


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """What a request proves itself with: a key, or, where that is allowed, a session's token."""

    key: str | None = None
    session_token: str | None = None


@dataclass(slots=True, kw_only=True)
class AuthenticatedRequest:
    """A call that was admitted: whose it is, by which plan, and whether it was counted yet."""

    account: Account
    plan: Plan
    now: datetime
    is_counted: bool
    """Whether this endpoint counts against the month's quota."""
    counted_month: str | None = None
    """The month that the call was counted in, once it was."""


@dataclass(slots=True, kw_only=True)
class RateLimitState:
    """What the rate-limit headers of a request's answer are made of, and whose it is; filled in when that is known."""

    rate: RateLimitResult
    account_id: str | None = None


class Authenticator:
    """Admits calls and counts them."""

    def __init__(self, database: Database, rate_limiter: RateLimiter, plans: Plans, clock: Clock) -> None:
        self._database = database
        self._rate_limiter = rate_limiter
        self._plans = plans
        self._clock = clock

    def anonymous_limit(self) -> RateLimitState:
        """Return the meter of a request whose caller is not known: the Free plan's limit, with nothing taken of it."""
        return RateLimitState(rate=unused_limit(self._plans.free.rate_limit, now=self._clock().timestamp()))

    async def authenticate(
        self, credentials: Credentials, limit_state: RateLimitState, *, is_counted: bool
    ) -> AuthenticatedRequest:
        """Return the call of whoever these credentials are of.

        Raises `Unauthorized`, `RateLimited` and `QuotaExceeded`.
        """
        now = self._clock()
        identity = await self._database.read(lambda transaction: self._identify(transaction, credentials, now))
        if identity is None:
            raise _unauthorized(credentials)
        account, plan, limit_state.account_id, limit_state.rate = (
            identity.account,
            identity.plan,
            identity.account.id,
            identity.rate,
        )
        _require_allowed(limit_state.rate, plan)
        if identity.used_key is not None:
            key_id = identity.used_key
            # Who reads is not sent away because nothing can be written just now.
            with suppress(ServiceUnavailable):
                await self._database.write(lambda transaction: mark_key_used(transaction, key_id, now=now))
        if is_counted and requests_used(account, now=now) >= plan.monthly_quota:
            raise _quota_exceeded(plan, now)
        return AuthenticatedRequest(account=account, plan=plan, now=now, is_counted=is_counted)

    def session_request(self, account: Account) -> AuthenticatedRequest:
        """Return the call of somebody who is signed in to the site; it costs nothing of the month's quota."""
        now = self._clock()
        return AuthenticatedRequest(account=account, plan=self._plans.of(account, now=now), now=now, is_counted=False)

    async def require_rate(self, auth: AuthenticatedRequest) -> None:
        """Count a call of `session_request` for the rate, as `authenticate` does; raises `RateLimited`."""
        hit = partial(self._rate_limiter.hit, auth.account.id, limit=auth.plan.rate_limit, now=auth.now.timestamp())
        # Where reading waits for the database it is in a thread, and may wait for Redis too.
        _require_allowed(await self._database.read(lambda _transaction: hit()), auth.plan)

    async def run_counted(self, auth: AuthenticatedRequest, work: Work[_Result]) -> _Result:
        """Do a call's work and count it, in one transaction; raises what the work raises, and `QuotaExceeded`.

        One that the quota does not count has its account locked, as counting does.
        """
        if not auth.is_counted:

            def lock_and_work(transaction: Transaction) -> _Result:
                lock_account(transaction, auth.account.id)
                return work(transaction)

            return await self._database.write(lock_and_work)
        month = month_of(auth.now)

        def spend_and_work(transaction: Transaction) -> _Result:
            if auth.counted_month is None and not count_request(
                transaction, auth.account.id, month=month, limit=auth.plan.monthly_quota
            ):
                raise _quota_exceeded(auth.plan, auth.now)
            return work(transaction)

        result = await self._database.write(spend_and_work)
        auth.counted_month = auth.counted_month or month
        return result

    async def count(self, auth: AuthenticatedRequest) -> None:
        """Count a call, unless it was counted, or need not be; raises `QuotaExceeded`."""
        if auth.is_counted and auth.counted_month is None:
            await self.run_counted(auth, lambda _transaction: None)

    async def refund(self, auth: AuthenticatedRequest) -> None:
        """Count a call less, if it was counted: the service failed, or could not take it."""
        if auth.counted_month is not None:
            month, auth.counted_month = auth.counted_month, None
            await self._database.write(lambda transaction: refund_request(transaction, auth.account.id, month=month))

    def _identify(self, transaction: Transaction, credentials: Credentials, now: datetime) -> "_Identity | None":
        """Return whose credentials these are, and count the call for the rate."""
        used_key = None
        if credentials.key is not None:
            account, used_key = _key_holder(transaction, credentials.key, now)
        elif credentials.session_token is not None:
            account = find_account_by_session(transaction, secret_hash(credentials.session_token), now=now)
        else:
            account = None
        if account is None or account.is_suspended:
            return None
        plan = self._plans.of(account, now=now)
        rate = self._rate_limiter.hit(account.id, limit=plan.rate_limit, now=now.timestamp())
        return _Identity(account=account, plan=plan, rate=rate, used_key=used_key)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Identity:
    """`used_key` is the key whose last use is to be kept anew."""

    account: Account
    plan: Plan
    rate: RateLimitResult
    used_key: str | None


def _key_holder(transaction: Transaction, key: str, now: datetime) -> tuple[Account | None, str | None]:
    holder = find_account_by_key(transaction, secret_hash(key))
    if holder is None:
        return None, None
    account, key_id, used_at = holder
    return account, key_id if used_at is None or now - used_at >= _USE_RESOLUTION else None


def secret_hash(secret: str) -> str:
    """Return what is kept of a key, a session's token or a claim token: the SHA-256, in hexadecimal, since it is random."""
    return sha256(secret.encode()).hexdigest()


def requests_used(account: Account, *, now: datetime) -> int:
    """Return how many calls of an account were counted in the month of a time."""
    return account.used if account.month == month_of(now) else 0


def month_of(now: datetime) -> str:
    """Return the month that a call is counted in, `YYYY-MM`."""
    utc = now.astimezone(UTC)
    return f"{utc.year:04}-{utc.month:02}"


def next_month(now: datetime) -> datetime:
    """Return when the month's quota begins anew: the 1st at 00:00 UTC."""
    begin = now.astimezone(UTC).replace(day=1, hour=0, minute=0, second=0, microsecond=0)
    return (begin + timedelta(days=32)).replace(day=1)


def _require_allowed(rate: RateLimitResult, plan: Plan) -> None:
    if not rate.allowed:
        raise RateLimited(
            f"more than {plan.rate_limit} requests in one second, which is what the {plan.name} plan allows",
            headers={"Retry-After": str(rate.retry_after)},
        )


def _unauthorized(credentials: Credentials) -> Unauthorized:
    what = "this API key is not valid" if credentials.key is not None else "this call takes an API key"
    message = f"{what}; send one in the header Authorization: Bearer <API_KEY>"
    return Unauthorized(message, headers={"WWW-Authenticate": "Bearer"})


def _quota_exceeded(plan: Plan, now: datetime) -> QuotaExceeded:
    reset = next_month(now)
    message = (
        f"the {plan.monthly_quota:,} calls of this month are used up; the next month begins at "
        f"{reset:%Y-%m-%dT%H:%M:%SZ}"
    )
    seconds = ceil((reset - now).total_seconds())
    return QuotaExceeded(message, status=429, headers={"Retry-After": str(seconds)})
