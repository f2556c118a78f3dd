"""Hits of throttles in Redis, shared by several processes."""

from collections.abc import Sequence
from datetime import timedelta

from mdpublish_server.clock import Clock
from mdpublish_server.ratelimit.redis_scripts import RedisScripts
from mdpublish_server.ratelimit.sliding_window import microseconds_of
from mdpublish_server.ratelimit.throttles import Bucket, Derive, MemoryHits

_MICROSECOND = timedelta(microseconds=1)


class RedisHits:
    """Counts in Redis, and in memory while Redis is down. Keys are hashed: they name email addresses and networks."""

    def __init__(self, redis: RedisScripts, clock: Clock, derive: Derive) -> None:
        self._redis = redis
        self._clock = clock
        self._derive = derive
        self._take = redis.script("take")
        self._forget = redis.script("forget")
        self._local = MemoryHits(clock)

    async def take(self, *buckets: Bucket) -> timedelta:
        keys = [await self._key(bucket) for bucket in buckets]
        bounds = [number for bucket in buckets for number in (bucket.limit, bucket.span // _MICROSECOND)]
        reply = await self._redis.run(self._take, keys, [microseconds_of(self._clock().timestamp()), *bounds])
        return await self._local.take(*buckets) if reply is None else timedelta(microseconds=int(reply))

    async def forget(self, bucket: Bucket, *, also_of: Sequence[Bucket]) -> None:
        await self._local.forget(bucket, also_of=also_of)
        await self._redis.run(self._forget, [await self._key(each) for each in (bucket, *also_of)], [])

    async def _key(self, bucket: Bucket) -> str:
        # Forms may contain lone surrogates.
        parts = (part.encode("utf-8", "surrogatepass") for part in bucket.key)
        return f"mdpublish:hits:{bucket.kind}:{(await self._derive(f'hits of {bucket.kind}', *parts)).hex()}"
