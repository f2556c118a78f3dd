"""Throttles for sign-up, email and previews, and the hits they count. A network is a `client_network`."""

import secrets
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from hashlib import blake2b
from math import ceil
from typing import NamedTuple, Protocol

from mdpublish_server.clock import Clock
from mdpublish_server.errors import RateLimited
from mdpublish_server.ratelimit.hourly_limit import too_many

MAX_NETWORK_REQUESTS = 20
"""Sign-ups and emails within `REQUEST_SPAN`."""

MAX_EMAILS = 3
"""Per email address and purpose."""

REQUEST_SPAN = timedelta(hours=1)

SITE_SPAN = timedelta(minutes=1)

SITE_SECONDS = 0.01
"""Seconds that a request counts at least."""

Derive = Callable[..., Awaitable[bytes]]
"""Hashes a purpose and parts with a key that all processes share."""

# Some megabytes at most.
_CAPACITY = 10_000


class Throttle:
    """Allows `limit` hits per key within `span`, in bounded memory."""

    def __init__(self, limit: int, span: timedelta, clock: Clock, *, capacity: int = _CAPACITY) -> None:
        self._limit = limit
        self._span = span
        self._clock = clock
        self._capacity = capacity
        self._secret = secrets.token_bytes(16)
        self._times: OrderedDict[bytes, deque[datetime]] = OrderedDict()

    def wait(self, *key: str) -> timedelta:
        now = self._clock()
        times = self._current(self._hash(key), now)
        if times is None or len(times) < self._limit:
            return timedelta(0)
        return times[len(times) - self._limit] + self._span - now

    def count(self, *key: str, now: datetime | None = None) -> None:
        now = now or self._clock()
        hashed = self._hash(key)
        times = self._current(hashed, now)
        if times is None:
            times = self._times[hashed] = deque(maxlen=self._limit)
        times.append(now)
        self._times.move_to_end(hashed)
        if len(self._times) > self._capacity:
            self._times.popitem(last=False)

    def reset(self, *key: str) -> list[datetime]:
        now = self._clock()
        hashed = self._hash(key)
        if (times := self._current(hashed, now)) is None:
            return []
        del self._times[hashed]
        return list(times)

    def refund(self, times: list[datetime], *key: str) -> None:
        counted = self._times.get(self._hash(key))
        for time in times:
            if counted is not None and time in counted:
                counted.remove(time)

    def _current(self, hashed: bytes, now: datetime) -> "deque[datetime] | None":
        """Drop expired hits, and future ones (the clock was set back)."""
        if (times := self._times.get(hashed)) is None:
            return None
        while times and times[-1] > now:
            times.pop()
        while times and times[0] <= now - self._span:
            times.popleft()
        if not times:
            del self._times[hashed]
            return None
        return times

    def _hash(self, key: tuple[str, ...]) -> bytes:
        # Forms may contain lone surrogates.
        joined = "\0".join(key).encode("utf-8", "surrogatepass")
        return blake2b(joined, key=self._secret, digest_size=16).digest()


class Bucket(NamedTuple):
    """At most `limit` hits of a key within a span."""

    kind: str
    limit: int
    span: timedelta
    key: tuple[str, ...]


class Hits(Protocol):
    """Counted hits."""

    async def take(self, *buckets: Bucket) -> timedelta:
        """Count a hit in each bucket and return 0, or return the time until none is full."""

    async def forget(self, bucket: Bucket, *, also_of: Sequence[Bucket]) -> None:
        """Empty a bucket, and take its hits from others."""


class MemoryHits:
    """Hits of one process."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._throttles: dict[str, Throttle] = {}

    async def take(self, *buckets: Bucket) -> timedelta:
        wait = max(self._throttle(bucket).wait(*bucket.key) for bucket in buckets)
        if not wait:
            # One time for all, by which `forget` finds them.
            now = self._clock()
            for bucket in buckets:
                self._throttle(bucket).count(*bucket.key, now=now)
        return wait

    async def forget(self, bucket: Bucket, *, also_of: Sequence[Bucket]) -> None:
        times = self._throttle(bucket).reset(*bucket.key)
        for other in also_of:
            self._throttle(other).refund(times, *other.key)

    def _throttle(self, bucket: Bucket) -> Throttle:
        if bucket.kind not in self._throttles:
            self._throttles[bucket.kind] = Throttle(bucket.limit, bucket.span, self._clock)
        return self._throttles[bucket.kind]


class RequestThrottle:
    """Limits sign-ups and emails."""

    def __init__(self, hits: Hits) -> None:
        self._hits = hits

    async def hit(self, network: str) -> None:
        wait = await self._hits.take(Bucket("requests", MAX_NETWORK_REQUESTS, REQUEST_SPAN, (network,)))
        if wait:
            raise too_many("requests for accounts and emails from your network", wait)

    async def allows_email(self, email: str, purpose: str, *, device: str | None = None) -> bool:
        """Count an email for a purpose; a device that signed in with the address once has a budget of its own."""
        return not await self._hits.take(
            Bucket("emails", MAX_EMAILS, REQUEST_SPAN, (email.lower(), purpose, device or ""))
        )


class SiteThrottle:
    """Limits the CPU time that a network's or account's browsers ask for while a text is written; 0 is unlimited.

    `limit` seconds at once, and as many again within a minute. `spent` returns those of the current request so far.
    """

    def __init__(self, limit: float, clock: Clock, *, of: str, spent: Callable[[], float]) -> None:
        self._limit = limit
        self._clock = clock
        self._of = of
        self._spent = spent
        self._levels: OrderedDict[str, tuple[float, datetime]] = OrderedDict()

    def hit(self, client_id: str) -> AbstractContextManager[None]:
        """Count what the block takes; raise `RateLimited` if too much was taken before."""
        missing = self._level(client_id) - self._limit
        if self._limit and missing >= 0:
            seconds = max(1, ceil(missing * SITE_SPAN.total_seconds() / self._limit))
            raise RateLimited(
                f"Previews, copies and imports of your {self._of} have used the CPU time that they may (limit "
                f"{self._limit:g} s per minute); retry in {seconds} s",
                retry_after=seconds,
            )
        return self._counted(client_id)

    @contextmanager
    def _counted(self, client_id: str) -> Iterator[None]:
        before = self._spent()
        try:
            yield
        finally:
            level = self._level(client_id) + max(self._spent() - before, SITE_SECONDS)
            self._levels[client_id] = (level, self._clock())
            self._levels.move_to_end(client_id)
            if len(self._levels) > _CAPACITY:
                self._levels.popitem(last=False)

    def _level(self, client_id: str) -> float:
        level, time = self._levels.get(client_id, (0.0, self._clock()))
        return max(0.0, level - max(timedelta(0), self._clock() - time) / SITE_SPAN * self._limit)
