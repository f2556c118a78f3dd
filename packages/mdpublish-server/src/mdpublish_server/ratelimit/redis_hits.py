"""Hits of throttles in Redis, shared by several processes."""

from collections.abc import Sequence
from datetime import timedelta

from mdpublish_server.clock import Clock
from mdpublish_server.ratelimit.redis_scripts import RedisScripts
from mdpublish_server.ratelimit.sliding_window import microseconds_of
from mdpublish_server.ratelimit.throttles import Bucket, Derive, MemoryHits

# A list for each bucket, oldest hit first. Those of a clock up to a minute ahead stay; later ones count then.
_TAKE = """
local now, wait, newest_of = tonumber(ARGV[1]), 0, {}
for number, key in ipairs(KEYS) do
  local limit, span = tonumber(ARGV[2 * number]), tonumber(ARGV[2 * number + 1])
  local function hit_at(index) return tonumber(redis.call('LINDEX', key, index)) end
  while (hit_at(-1) or now) > now + 60000000 do redis.call('RPOP', key) end
  while (hit_at(0) or now) <= now - span do redis.call('LPOP', key) end
  local count = redis.call('LLEN', key)
  newest_of[number] = hit_at(-1) or now
  if count >= limit then wait = math.max(wait, hit_at(count - limit) + span - now) end
end
if wait > 0 then return string.format('%.0f', wait) end
for number, key in ipairs(KEYS) do
  redis.call('RPUSH', key, string.format('%.0f', math.max(now, newest_of[number])))
  redis.call('PEXPIRE', key, math.ceil(tonumber(ARGV[2 * number + 1]) / 1000))
end
return '0'
"""

_FORGET = """
for _, hit in ipairs(redis.call('LRANGE', KEYS[1], 0, -1)) do
  for number = 2, #KEYS do redis.call('LREM', KEYS[number], 1, hit) end
end
return redis.call('DEL', KEYS[1])
"""

_MICROSECOND = timedelta(microseconds=1)


class RedisHits:
    """Counts in Redis, and in memory while Redis is down. Keys are hashed: they name email addresses and networks."""

    def __init__(self, redis: RedisScripts, clock: Clock, derive: Derive) -> None:
        self._redis = redis
        self._clock = clock
        self._derive = derive
        self._take = redis.script(_TAKE)
        self._forget = redis.script(_FORGET)
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
