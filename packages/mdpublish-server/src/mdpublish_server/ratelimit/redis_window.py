"""The sliding window in Redis, shared by several processes."""

from collections.abc import Callable, Sequence
from time import monotonic
from typing import Any

from mdpublish_server.ratelimit import sliding_window
from mdpublish_server.ratelimit.redis_scripts import RedisScripts

_KEY_PREFIX = "mdpublish:rate:"


class RedisRateLimiter:
    """A window shared through Redis, in one round trip.

    While Redis is down or slow, processes count alone. Server clocks must agree within a second, or nothing is limited.
    """

    def __init__(self, redis: RedisScripts, *, ticks: Callable[[], float] = monotonic) -> None:
        self.redis = redis
        self._script = redis.script("hit")
        self._local = sliding_window.MemoryRateLimiter(ticks=ticks)

    def hit(self, account_id: str, *, limit: int, now: float) -> sliding_window.RateLimitResult:
        assert limit >= 1
        reply = self.redis.run_now(self._script, [_KEY_PREFIX + account_id], _arguments(limit, now))
        return self._result(reply, account_id, limit=limit, now=now)

    async def admit(self, account_id: str, *, limit: int, now: float) -> sliding_window.RateLimitResult:
        reply = await self.redis.run(self._script, [_KEY_PREFIX + account_id], _arguments(limit, now))
        return self._result(reply, account_id, limit=limit, now=now)

    def _result(self, reply: Any | None, account_id: str, *, limit: int, now: float) -> sliding_window.RateLimitResult:
        if reply is None:
            return self._local.hit(account_id, limit=limit, now=now)
        allowed, count, expiring_hit = (int(number) for number in reply)
        return sliding_window.result_of(
            allowed=allowed == 1,
            limit=limit,
            count=count,
            expiring_hit=expiring_hit,
            instant=sliding_window.microseconds_of(now),
        )

    def close(self) -> None:
        self.redis.close()
        self._local.close()


def _arguments(limit: int, now: float) -> Sequence[int]:
    return [sliding_window.microseconds_of(now), limit, sliding_window.WINDOW, sliding_window.IDLE_SECONDS]
