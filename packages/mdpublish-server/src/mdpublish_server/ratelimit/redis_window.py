"""The sliding window in Redis, shared by several processes."""

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from math import inf
from threading import Lock
from time import monotonic

from redis import Redis
from redis.backoff import NoBackoff
from redis.exceptions import RedisError
from redis.retry import Retry

from mdpublish_server.ratelimit.sliding_window import (
    IDLE_SECONDS,
    WINDOW,
    MemoryRateLimiter,
    RateLimitResult,
    microseconds_of,
    result_of,
)
from mdpublish_server.throttled_log import ThrottledLog

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
        instant = microseconds_of(now)
        if self._outage.may_retry():
            try:
                reply = self._script([_KEY_PREFIX + account_id], [instant, limit, WINDOW, IDLE_SECONDS])
            except RedisError as error:
                self._outage.begin(error)
            else:
                self._outage.end()
                allowed, count, expiring_hit = (int(number) for number in reply)
                return result_of(
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
