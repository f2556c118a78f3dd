"""The per-second limit of an account: an exact moving window, kept in memory for one process or in Redis for several.

It owns the counting; what the limits are belongs to the plans, and refusing a call to those who count it.

A call is allowed when fewer than `limit` calls of its account were allowed in the second before it; a refused one is not
counted. An account's time never runs back by less than a second: a call that arrives late, since another thread or
another computer was faster or a clock was corrected, counts as made with the newest one. A call more than a second ahead
was told by a clock that has been set back since, and is dropped, so that nobody waits more than two seconds for a clock.

Why not the `limits` library, whose moving window is exact too: it reads the time itself, needs a second round trip for
what remains (and other calls pass between the two), begins a new window when a plan's limit changes, and its Redis part
excludes redis-py 8. The script below asks Redis once and answers all of it.
"""

import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from math import inf
from threading import Lock
from time import monotonic
from typing import Protocol

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

# Times are counted in whole microseconds of Unix time, which Python and Lua add and compare alike.
_SECOND = 1_000_000

_WINDOW = _SECOND

_IDLE_SECONDS = 60
"""After how many seconds without a call an account is forgotten. By real time, not by the clock that callers tell: that
one may jump, and an account must not be forgotten for another one's jump."""

_TIMEOUT_SECONDS = 0.5
"""How long a call waits for Redis; a caller would rather be counted by one process alone than wait longer."""

_RETRY_SECONDS = 1.0
"""How long Redis is left alone after it failed, so that one call in a second waits for it, and not each."""

_LOG_SECONDS = 60.0

_KEY_PREFIX = "mdpublish:rate:"

# One list for each account, the oldest call first. Both loops remove what was added once, so a call costs O(1) on average.
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
    """What a call is told of its account's limit."""

    limit: int
    """Calls a second."""

    remaining: int
    """Calls left in the current window, 0 or more."""

    reset: int
    """Unix time in whole seconds, rounded up, at which one call more is left: when the oldest counted call leaves the
    window, or, where a plan's limit was lowered below what is counted, the call whose leaving lets the next one in."""

    retry_after: int
    """Whole seconds, at least 1, after which a refused call is allowed if the account makes no other."""

    allowed: bool


class RateLimiter(Protocol):
    """Counts calls; every method may be called from any thread."""

    def hit(self, account_id: str, *, limit: int, now: float) -> RateLimitResult:
        """Count a call of the account at `now`, Unix time in seconds, unless that is more than `limit` a second.

        `limit` is 1 or more, and may differ from call to call.
        """

    def close(self) -> None:
        """Give back what the window holds; it is not used afterwards."""


class MemoryRateLimiter:
    """The window of one process, in memory; no call takes longer than some microseconds.

    It holds the accounts that called in the last minute, by `ticks` (seconds of a clock that never jumps), and at most
    `limit` times for each.
    """

    def __init__(self, *, ticks: Callable[[], float] = monotonic) -> None:
        self._ticks = ticks
        self._lock = Lock()
        # The account that has been idle longest is the first.
        self._accounts: OrderedDict[str, _AccountHits] = OrderedDict()

    def hit(self, account_id: str, *, limit: int, now: float) -> RateLimitResult:
        """Count a call, or refuse it."""
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

    def close(self) -> None:
        """Forget every account."""
        with self._lock:
            self._accounts.clear()

    def _hits_of(self, account_id: str) -> deque[int]:
        """Return the account's counted calls, oldest first, and forget accounts that are idle."""
        tick = self._ticks()
        # A call adds one account at most and looks at two, so the idle ones are gone sooner than others come.
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
    """The window of all processes that use the same Redis, which a script there moves on: one round trip for each call.

    While Redis does not answer, each process counts on its own, and says so in the log at most once a minute; Redis is
    asked again every second, and counts again as soon as it answers. The clocks of the computers that share it may
    differ by some milliseconds; they are held together within a second, or nothing is limited.
    """

    def __init__(self, url: str, *, ticks: Callable[[], float] = monotonic) -> None:
        """Take a URL that redis-py knows: `redis://`, `rediss://` or `unix://`; raises `ValueError` for another."""
        self._client = Redis.from_url(
            url,
            # The older protocol needs no greeting, and every version of Redis speaks it.
            protocol=2,
            socket_timeout=_TIMEOUT_SECONDS,
            socket_connect_timeout=_TIMEOUT_SECONDS,
            # A call that is sent again might be counted twice, and waits twice as long.
            retry=Retry(NoBackoff(), 0),
        )
        self._script = self._client.register_script(_SCRIPT)
        self._local = MemoryRateLimiter(ticks=ticks)
        self._outage = _Outage(ticks)

    def hit(self, account_id: str, *, limit: int, now: float) -> RateLimitResult:
        """Count a call, or refuse it; takes a second at most where Redis hangs."""
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

    def close(self) -> None:
        """Close the connections."""
        self._client.close()
        self._local.close()


def make_rate_limiter(redis_url: str | None) -> RateLimiter:
    """Return the window in the Redis at this URL, or one in memory; raises `ValueError` for no URL of a Redis."""
    return MemoryRateLimiter() if redis_url is None else RedisRateLimiter(redis_url)


def unused_limit(limit: int, *, now: float) -> RateLimitResult:
    """Return what a caller without an account is told: nothing is counted, and the window is empty `now`."""
    return RateLimitResult(
        limit=limit, remaining=limit, reset=_seconds(_microseconds(now)), retry_after=1, allowed=True
    )


@dataclass(slots=True, kw_only=True)
class _AccountHits:
    hits: deque[int]
    last_tick: float


class _Outage:
    """Whether Redis is left alone because it failed, and what the log is told of that."""

    def __init__(self, ticks: Callable[[], float]) -> None:
        self._ticks = ticks
        self._lock = Lock()
        self._is_down = False
        self._retry_tick = -inf
        self._log_tick = -inf
        self._is_logged = False

    def may_retry(self) -> bool:
        """Tell whether this call asks Redis; during an outage it is the first one after each pause."""
        with self._lock:
            if not self._is_down:
                return True
            tick = self._ticks()
            if tick < self._retry_tick:
                return False
            self._retry_tick = tick + _RETRY_SECONDS
            return True

    def begin(self, error: RedisError) -> None:
        with self._lock:
            tick = self._ticks()
            self._is_down = True
            self._retry_tick = tick + _RETRY_SECONDS
            if tick < self._log_tick:
                return
            self._log_tick = tick + _LOG_SECONDS
            self._is_logged = True
        # The class tells what happened; the message may name a host, and is for the operator.
        _log.warning("Redis fails, so each process limits calls on its own: %s: %s", type(error).__name__, error)

    def end(self) -> None:
        if not self._is_down:
            return
        with self._lock:
            self._is_down = False
            was_logged, self._is_logged = self._is_logged, False
        if was_logged:
            _log.warning("Redis answers again, and limits the calls of all processes")


def _result(*, allowed: bool, limit: int, count: int, expiring_hit: int, instant: int) -> RateLimitResult:
    """Say it for clients: `count` calls are in the window; the next is let in when the one at `expiring_hit` leaves."""
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
    """Return whole seconds, rounded up."""
    return -(-microseconds // _SECOND)
