"""What counts requests: memory, or Redis for several processes."""

from mdpublish_server.clock import Clock
from mdpublish_server.ratelimit.sliding_window import MemoryRateLimiter, RateLimiter
from mdpublish_server.ratelimit.throttles import Derive, Hits, MemoryHits


def make_rate_limits(redis_url: str | None, clock: Clock, derive: Derive) -> tuple[RateLimiter, Hits]:
    if redis_url is None:
        return MemoryRateLimiter(), MemoryHits(clock)
    # Loaded in a third of a second.
    from mdpublish_server.ratelimit.redis_hits import RedisHits
    from mdpublish_server.ratelimit.redis_scripts import RedisScripts
    from mdpublish_server.ratelimit.redis_window import RedisRateLimiter

    redis = RedisScripts(redis_url)
    return RedisRateLimiter(redis), RedisHits(redis, clock, derive)
