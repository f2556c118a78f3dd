"""Per-second rate limit of an account: an exact sliding window, in memory or, for several processes, in Redis.

A request up to a second older than the newest hit (threads, clock skew) counts at that hit's time. Hits more than a second
in the future come from a clock that was set back, and are dropped.

Why not the `limits` library: it reads the clock itself, needs a second round trip for the remaining count, starts a new
window when a limit changes, and excludes redis-py 8.
"""

import asyncio
import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from math import inf
from threading import Lock
from time import monotonic
from typing import Protocol

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from mdpublish_server.throttled_log import ThrottledLog

# Microseconds: exact in Python and Lua.
_SECOND = 1_000_000

_WINDOW = _SECOND

_IDLE_SECONDS = 60
"""Idle accounts are forgotten, by a monotonic clock: request timestamps may jump."""

TIMEOUT_SECONDS = 0.1
"""Counting locally beats waiting longer for Redis."""

_RETRY_SECONDS = 1.0
"""After a failure; meanwhile, no request waits for Redis."""

_THREADS = 8
"""Requests that wait for Redis at once."""

_KEY_PREFIX = "mdpublish:rate:"

# One list per account, oldest hit first; O(1) amortized.
_SCRIPT = """
local key, now, limit, window = KEYS[1], tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
local function call_at(index) return tonumber(redis.call('LINDEX', key, index)) end
local newest = call_at(-1)
while newest and newest > now + window do redis.call('RPOP', key); newest = call_at(-1) end
local moment = math.max(now, newest or now)
local oldest = call_at(0)
while oldest and oldest <= moment - window do redis.call('LPOP', key); oldest = call_at(0) end
local count = redis.call('LLEN', key)
local allowed = count < limit
if allowed then
  count = redis.call('RPUSH', key, string.format('%.0f', moment))
  redis.call('EXPIRE', key, ARGV[4])
end
return {allowed and 1 or 0, count, redis.call('LINDEX', key, math.max(0, count - limit))}
"""

_log = logging.getLogger(__name__)


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
        instant = _microseconds(now)
        with self._lock:
            hits = self._hits_of(account_id)
            while hits and hits[-1] > instant + _WINDOW:
                hits.pop()
            moment = max(instant, hits[-1]) if hits else instant
            while hits and hits[0] <= moment - _WINDOW:
                hits.popleft()
            allowed = len(hits) < limit
            if allowed:
                hits.append(moment)
            count = len(hits)
            expiring_hit = hits[max(0, count - limit)]
        return _result(allowed=allowed, limit=limit, count=count, expiring_hit=expiring_hit, instant=instant)

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
            if oldest is None or self._accounts[oldest].last_tick > tick - _IDLE_SECONDS:
                break
            del self._accounts[oldest]
        account = self._accounts.setdefault(account_id, _AccountHits(hits=deque(), last_tick=tick))
        account.last_tick = tick
        self._accounts.move_to_end(account_id)
        return account.hits


class RedisRateLimiter:
    """A window shared through Redis, in one round trip.

    While Redis is down or slow, processes count alone. Server clocks must agree within a second, or nothing is limited.
    """

    def __init__(
        self, url: str, *, ticks: Callable[[], float] = monotonic, timeout_seconds: float = TIMEOUT_SECONDS
    ) -> None:
        self._client = Redis.from_url(
            url,
            # RESP2 needs no handshake.
            protocol=2,
            socket_timeout=timeout_seconds,
            socket_connect_timeout=timeout_seconds,
            # A retry could count twice.
            retry=Retry(NoBackoff(), 0),
        )
        self._script = self._client.register_script(_SCRIPT)
        self._local = MemoryRateLimiter(ticks=ticks)
        self._outage = _Outage(ticks)
        # A timeout of the event loop would be taken for one of Redis whenever the loop is late.
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="mdpublish-redis")

    def hit(self, account_id: str, *, limit: int, now: float) -> RateLimitResult:
        assert limit >= 1
        instant = _microseconds(now)
        if self._outage.may_retry():
            try:
                reply = self._script([_KEY_PREFIX + account_id], [instant, limit, _WINDOW, _IDLE_SECONDS])
            except RedisError as error:
                self._outage.begin(error)
            else:
                self._outage.end()
                allowed, count, expiring_hit = (int(number) for number in reply)
                return _result(
                    allowed=allowed == 1, limit=limit, count=count, expiring_hit=expiring_hit, instant=instant
                )
        return self._local.hit(account_id, limit=limit, now=now)

    async def admit(self, account_id: str, *, limit: int, now: float) -> RateLimitResult:
        """Do as `hit`, in a thread; while Redis is down, count alone and look for it in the background."""
        if not self._outage.is_down:
            hit = partial(self.hit, account_id, limit=limit, now=now)
            return await asyncio.get_running_loop().run_in_executor(self._threads, hit)
        if self._outage.may_retry():
            self._threads.submit(self._ping)
        return self._local.hit(account_id, limit=limit, now=now)

    def _ping(self) -> None:
        try:
            self._client.ping()
        except RedisError as error:
            self._outage.begin(error)
        else:
            self._outage.end()

    def close(self) -> None:
        self._threads.shutdown()
        self._client.close()
        self._local.close()


def make_rate_limiter(redis_url: str | None) -> RateLimiter:
    return MemoryRateLimiter() if redis_url is None else RedisRateLimiter(redis_url)


def unused_limit(limit: int, *, now: float) -> RateLimitResult:
    return RateLimitResult(
        limit=limit, remaining=limit, reset=_seconds(_microseconds(now)), retry_after=1, allowed=True
    )


@dataclass(slots=True, kw_only=True)
class _AccountHits:
    hits: deque[int]
    last_tick: float


class _Outage:
    """An outage of Redis, retried every second and logged once a minute."""

    def __init__(self, ticks: Callable[[], float]) -> None:
        self._ticks = ticks
        self._lock = Lock()
        self.is_down = False
        self._retry_tick = -inf
        self._log = ThrottledLog(_log, ticks=ticks)
        self._is_logged = False

    def may_retry(self) -> bool:
        with self._lock:
            if not self.is_down:
                return True
            tick = self._ticks()
            if tick < self._retry_tick:
                return False
            self._retry_tick = tick + _RETRY_SECONDS
            return True

    def begin(self, error: RedisError) -> None:
        with self._lock:
            self.is_down = True
            self._retry_tick = self._ticks() + _RETRY_SECONDS
            message = "Redis is unavailable; each process counts requests on its own: %s: %s"
            self._is_logged |= self._log.warning(message, type(error).__name__, error)

    def end(self) -> None:
        if not self.is_down:
            return
        with self._lock:
            self.is_down = False
            was_logged, self._is_logged = self._is_logged, False
        if was_logged:
            _log.warning("Redis is available again; requests are counted across processes")


def _result(*, allowed: bool, limit: int, count: int, expiring_hit: int, instant: int) -> RateLimitResult:
    """Build the result; `expiring_hit` leaving the window allows the next request."""
    reset = expiring_hit + _WINDOW
    return RateLimitResult(
        limit=limit,
        remaining=max(0, limit - count),
        reset=_seconds(reset),
        retry_after=max(1, _seconds(reset - instant)),
        allowed=allowed,
    )


def _microseconds(seconds: float) -> int:
    return round(seconds * _SECOND)


def _seconds(microseconds: int) -> int:
    """Round up."""
    return -(-microseconds // _SECOND)
