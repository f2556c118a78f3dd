"""Per-second rate limit of an account: an exact sliding window, in memory or, for several processes, in Redis.

A request up to a second older than the newest hit (threads, clock skew) counts at that hit's time. Hits more than a
second in the future come from a clock that was set back, and are dropped.

Why not the `limits` library: it reads the clock itself, needs a second round trip for the remaining count, starts a new
window when a limit changes, and excludes redis-py 8.
"""

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from time import monotonic
from typing import Protocol

# Microseconds: exact in Python and Lua.
_SECOND = 1_000_000

WINDOW = _SECOND

IDLE_SECONDS = 60
"""Idle accounts are forgotten, by a monotonic clock: request timestamps may jump."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RateLimitResult:
    """A request's outcome."""

    limit: int
    """Requests a second."""

    remaining: int
    reset: int
    """Unix time in whole seconds, rounded up, when another request becomes available."""

    retry_after: int
    """Whole seconds, at least 1."""

    allowed: bool


class RateLimiter(Protocol):
    """A thread-safe rate limiter."""

    def hit(self, account_id: str, *, limit: int, now: float) -> RateLimitResult:
        """Count a request at `now` (Unix seconds) unless over `limit` (1 or more)."""

    async def admit(self, account_id: str, *, limit: int, now: float) -> RateLimitResult:
        """Do as `hit` without blocking the event loop."""

    def close(self) -> None:
        """Release resources."""


class MemoryRateLimiter:
    """One process's window, of accounts seen in the last minute."""

    def __init__(self, *, ticks: Callable[[], float] = monotonic) -> None:
        self._ticks = ticks
        self._lock = Lock()
        self._accounts: OrderedDict[str, _AccountHits] = OrderedDict()

    def hit(self, account_id: str, *, limit: int, now: float) -> RateLimitResult:
        assert limit >= 1
        instant = microseconds_of(now)
        with self._lock:
            hits = self._hits_of(account_id)
            while hits and hits[-1] > instant + WINDOW:
                hits.pop()
            moment = max(instant, hits[-1]) if hits else instant
            while hits and hits[0] <= moment - WINDOW:
                hits.popleft()
            allowed = len(hits) < limit
            if allowed:
                hits.append(moment)
            count = len(hits)
            expiring_hit = hits[max(0, count - limit)]
        return result_of(allowed=allowed, limit=limit, count=count, expiring_hit=expiring_hit, instant=instant)

    async def admit(self, account_id: str, *, limit: int, now: float) -> RateLimitResult:
        return self.hit(account_id, limit=limit, now=now)

    def close(self) -> None:
        with self._lock:
            self._accounts.clear()

    def _hits_of(self, account_id: str) -> deque[int]:
        """Return the account's hits, and evict idle accounts."""
        tick = self._ticks()
        # Two evictions per request outpace insertions.
        for _ in range(2):
            oldest = next(iter(self._accounts), None)
            if oldest is None or self._accounts[oldest].last_tick > tick - IDLE_SECONDS:
                break
            del self._accounts[oldest]
        account = self._accounts.setdefault(account_id, _AccountHits(hits=deque(), last_tick=tick))
        account.last_tick = tick
        self._accounts.move_to_end(account_id)
        return account.hits


def unused_limit(limit: int, *, now: float) -> RateLimitResult:
    return RateLimitResult(
        limit=limit, remaining=limit, reset=_seconds(microseconds_of(now)), retry_after=1, allowed=True
    )


@dataclass(slots=True, kw_only=True)
class _AccountHits:
    hits: deque[int]
    last_tick: float


def result_of(*, allowed: bool, limit: int, count: int, expiring_hit: int, instant: int) -> RateLimitResult:
    """Build the result; `expiring_hit` leaving the window allows the next request."""
    reset = expiring_hit + WINDOW
    return RateLimitResult(
        limit=limit,
        remaining=max(0, limit - count),
        reset=_seconds(reset),
        retry_after=max(1, _seconds(reset - instant)),
        allowed=allowed,
    )


def microseconds_of(seconds: float) -> int:
    return round(seconds * _SECOND)


def _seconds(microseconds: int) -> int:
    """Round up."""
    return -(-microseconds // _SECOND)
