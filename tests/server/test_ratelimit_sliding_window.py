import asyncio
import logging
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from hypothesis import HealthCheck, given, settings
from redis import Redis

from mdpublish_server.clock import utc_now
from mdpublish_server.ratelimit.redis_hits import RedisHits
from mdpublish_server.ratelimit.redis_scripts import RedisScripts
from mdpublish_server.ratelimit.redis_window import RedisRateLimiter
from mdpublish_server.ratelimit.shared import make_rate_limits
from mdpublish_server.ratelimit.sliding_window import MemoryRateLimiter, RateLimiter, RateLimitResult, unused_limit
from mdpublish_server.ratelimit.throttles import MemoryHits
from tests.properties.test_rate_window import REQUESTS, Requests, check_window
from tests.server.redis_server import RedisServer
from tests.server.test_ratelimit_throttles import derive

NOW = 1_800_000_000.25

LOG = "mdpublish_server.ratelimit.redis_scripts"

THREADS = 8


@pytest.fixture
def redis_window(redis_server: RedisServer) -> Iterator[RedisRateLimiter]:
    with Redis.from_url(redis_server.url) as client:
        client.flushall()
    window = RedisRateLimiter(RedisScripts(redis_server.url, timeout_seconds=60))
    yield window
    window.close()


@pytest.fixture(params=["memory", "redis"])
def window(request: pytest.FixtureRequest) -> RateLimiter:
    if request.param == "memory":
        return MemoryRateLimiter()
    window: RateLimiter = request.getfixturevalue("redis_window")
    return window


@pytest.fixture
def ticks() -> list[float]:
    """The monotonic clock shows the last entry."""
    return [1_000.0]


@pytest.fixture
def private_limiter(private_redis_server: RedisServer, ticks: list[float]) -> Iterator[RedisRateLimiter]:
    """A limiter whose server the test may stop."""
    window = RedisRateLimiter(RedisScripts(private_redis_server.url, ticks=lambda: ticks[-1]), ticks=lambda: ticks[-1])
    yield window
    window.close()


def allowed(window: RateLimiter, *, requests: int, limit: int, now: float = NOW, account: str = "a") -> int:
    """Return how many of the requests are allowed."""
    return sum(window.hit(account, limit=limit, now=now).allowed for _ in range(requests))


def test_request_learns_what_is_left_and_when_more_is(window: RateLimiter) -> None:
    first = window.hit("a", limit=2, now=NOW)
    second = window.hit("a", limit=2, now=NOW + 0.5)
    third = window.hit("a", limit=2, now=NOW + 0.6)

    assert first == RateLimitResult(limit=2, remaining=1, reset=1_800_000_002, retry_after=1, allowed=True)
    assert second == RateLimitResult(limit=2, remaining=0, reset=1_800_000_002, retry_after=1, allowed=True)
    assert third == RateLimitResult(limit=2, remaining=0, reset=1_800_000_002, retry_after=1, allowed=False)


def test_request_leaves_the_window_after_exactly_a_second(window: RateLimiter) -> None:
    assert window.hit("a", limit=1, now=NOW).allowed
    assert not window.hit("a", limit=1, now=NOW + 0.999999).allowed
    assert window.hit("a", limit=1, now=NOW + 1).allowed


def test_refused_request_is_not_counted(window: RateLimiter) -> None:
    allowed(window, requests=10, limit=3)
    allowed(window, requests=10, limit=3, now=NOW + 0.9)
    assert allowed(window, requests=10, limit=3, now=NOW + 1) == 3


def test_accounts_are_counted_apart(window: RateLimiter) -> None:
    assert allowed(window, requests=5, limit=3, account="a") == 3
    assert allowed(window, requests=5, limit=3, account="b") == 3


def test_raised_limit_counts_the_requests_before_it(window: RateLimiter) -> None:
    allowed(window, requests=3, limit=3)
    assert allowed(window, requests=9, limit=5) == 2


def test_lowered_limit_reports_when_the_next_request_is_let_in(window: RateLimiter) -> None:
    for tenth in range(5):
        window.hit("a", limit=5, now=NOW + tenth / 10)

    rate = window.hit("a", limit=2, now=NOW + 0.9)

    # The fourth request has to leave the window, at NOW + 1.3.
    assert rate == RateLimitResult(limit=2, remaining=0, reset=1_800_000_002, retry_after=1, allowed=False)
    assert not window.hit("a", limit=2, now=NOW + 1.299).allowed
    assert window.hit("a", limit=2, now=NOW + 1.3).allowed


def test_late_request_does_not_make_the_earlier_ones_forgotten(window: RateLimiter) -> None:
    allowed(window, requests=3, limit=3)
    assert allowed(window, requests=3, limit=3, now=NOW - 0.002) == 0


@pytest.mark.parametrize("back", [1.5, 3_600, 86_400 * 365])
def test_clock_that_is_set_back_locks_nobody_out(window: RateLimiter, back: float) -> None:
    allowed(window, requests=3, limit=3)
    assert allowed(window, requests=9, limit=3, now=NOW - back) == 3


def test_clock_that_is_set_back_a_little_makes_nobody_wait_longer_than_two_seconds(window: RateLimiter) -> None:
    allowed(window, requests=3, limit=3)
    rate = window.hit("a", limit=3, now=NOW - 0.9)
    assert (rate.allowed, rate.retry_after) == (False, 2)
    assert allowed(window, requests=9, limit=3, now=NOW - 0.9 + 2) == 3


@given(requests=REQUESTS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_redis_agrees_with_the_model(redis_window: RedisRateLimiter, requests: Requests) -> None:
    check_window(redis_window, requests)
    assert not redis_window.redis.outage.is_down


def race(windows: list[RateLimiter], *, requests: int, limit: int, late: float) -> int:
    """Return how many requests are allowed when threads race at each window, with times up to `late` seconds late."""
    barrier = Barrier(THREADS * len(windows))

    def hit(window: RateLimiter, seed: int) -> int:
        lates = random.Random(seed)
        barrier.wait(timeout=60)
        return sum(window.hit("a", limit=limit, now=NOW - lates.random() * late).allowed for _ in range(requests))

    with ThreadPoolExecutor(THREADS * len(windows)) as threads:
        racing = [threads.submit(hit, window, seed) for seed in range(THREADS) for window in windows]
        return sum(future.result() for future in racing)


@pytest.mark.parametrize("late", [0, 0.05])
@pytest.mark.parametrize("limit", [1, 10, 500])
def test_racing_threads_get_no_more_than_the_limit(limit: int, late: float) -> None:
    assert race([MemoryRateLimiter()], requests=200, limit=limit, late=late) == limit


@pytest.mark.parametrize("late", [0, 0.05])
@pytest.mark.parametrize("limit", [1, 10, 500])
def test_racing_processes_get_no_more_than_the_limit(
    redis_server: RedisServer, redis_window: RedisRateLimiter, limit: int, late: float
) -> None:
    other = RedisRateLimiter(RedisScripts(redis_server.url, timeout_seconds=60))
    try:
        assert race([redis_window, other], requests=200, limit=limit, late=late) == limit
    finally:
        other.close()
    assert not redis_window.redis.outage.is_down
    assert not other.redis.outage.is_down


def test_idle_accounts_are_forgotten(ticks: list[float]) -> None:
    window = MemoryRateLimiter(ticks=lambda: ticks[-1])
    for number in range(1_000):
        window.hit(str(number), limit=3, now=NOW)
    assert len(window._accounts) == 1_000

    ticks.append(ticks[-1] + 61)
    for _ in range(500):
        window.hit("a", limit=3, now=NOW)

    assert list(window._accounts) == ["a"]


def test_active_account_is_stored_among_idle_ones(ticks: list[float]) -> None:
    window = MemoryRateLimiter(ticks=lambda: ticks[-1])
    for number in range(100):
        ticks.append(ticks[-1] + 1)
        window.hit(str(number), limit=3, now=NOW)
        window.hit("a", limit=3, now=NOW)
    # All its requests are remembered: their time does not advance.
    assert window.hit("a", limit=4, now=NOW).remaining == 0
    assert len(window._accounts) <= 62


def test_idle_accounts_are_forgotten_by_redis(redis_server: RedisServer, redis_window: RedisRateLimiter) -> None:
    allowed(redis_window, requests=9, limit=3)
    with Redis.from_url(redis_server.url) as client:
        keys = client.keys("*")
        assert keys == [b"mdpublish:rate:a"]
        assert 0 < client.ttl(keys[0]) <= 60
        assert client.llen(keys[0]) == 3


def test_request_queries_redis_once(redis_server: RedisServer, redis_window: RedisRateLimiter) -> None:
    redis_window.hit("a", limit=3, now=NOW)
    with Redis.from_url(redis_server.url, protocol=2) as client:
        client.config_resetstat()
        allowed(redis_window, requests=20, limit=3)
        requests = {name: stats["calls"] for name, stats in client.info("commandstats").items()}
    # Redis also counts commands of the script.
    inside = {"cmdstat_lindex", "cmdstat_llen", "cmdstat_rpush", "cmdstat_expire"}
    mine = {"cmdstat_config", "cmdstat_config|resetstat", "cmdstat_info", "cmdstat_client", "cmdstat_client|setinfo"}
    assert {name: count for name, count in requests.items() if name not in inside | mine} == {"cmdstat_evalsha": 20}


def test_redis_that_forgot_the_script_is_sent_it(redis_server: RedisServer, redis_window: RedisRateLimiter) -> None:
    allowed(redis_window, requests=2, limit=3)
    with Redis.from_url(redis_server.url) as client:
        client.script_flush()
    assert allowed(redis_window, requests=9, limit=3) == 1


def test_process_counts_alone_while_redis_is_down(
    private_redis_server: RedisServer,
    private_limiter: RedisRateLimiter,
    ticks: list[float],
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, logger=LOG)
    assert allowed(private_limiter, requests=2, limit=3) == 2

    private_redis_server.stop()
    assert allowed(private_limiter, requests=9, limit=3) == 3
    assert [record.getMessage().split(":")[0] for record in caplog.records] == [
        "Redis is unavailable; each process counts requests on its own"
    ]

    # Redis is back, but retried only after a pause.
    private_redis_server.start()
    allowed(private_limiter, requests=9, limit=3, account="b")
    with Redis.from_url(private_redis_server.url) as client:
        assert client.keys("*") == []
        ticks.append(ticks[-1] + 1)
        assert allowed(private_limiter, requests=9, limit=3, account="b") == 3
        assert client.keys("*") == [b"mdpublish:rate:b"]
    assert caplog.records[-1].getMessage() == "Redis is available again; requests are counted across processes"


def test_outage_is_logged_once_a_minute(
    private_redis_server: RedisServer,
    private_limiter: RedisRateLimiter,
    ticks: list[float],
    caplog: pytest.LogCaptureFixture,
) -> None:
    private_redis_server.stop()
    for _ in range(150):
        ticks.append(ticks[-1] + 1)
        private_limiter.hit("a", limit=3, now=NOW)
    assert len(caplog.records) == 3


def test_redis_that_hangs_is_waited_for_once(
    private_redis_server: RedisServer,
    private_limiter: RedisRateLimiter,
    ticks: list[float],
    caplog: pytest.LogCaptureFixture,
) -> None:
    private_limiter.hit("a", limit=3, now=NOW)
    with private_redis_server.hanging():
        assert allowed(private_limiter, requests=100, limit=3) == 3
    assert caplog.text.count("TimeoutError") == 1

    ticks.append(ticks[-1] + 1)
    assert private_limiter.hit("b", limit=3, now=NOW).allowed
    with Redis.from_url(private_redis_server.url) as client:
        assert b"mdpublish:rate:b" in client.keys("*")


class SilentRedis:
    """Accepts connections and never responds."""

    def __init__(self) -> None:
        self.connections: list[asyncio.StreamWriter] = []
        self.requested = asyncio.Event()

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections.append(writer)
        await reader.read(1)
        self.requested.set()

    def drop(self) -> None:
        self.requested.clear()
        for writer in self.connections:
            writer.close()


@pytest.mark.anyio
async def test_redis_that_never_responds_holds_no_other_work_and_is_asked_no_more(
    ticks: list[float], caplog: pytest.LogCaptureFixture
) -> None:
    redis = SilentRedis()
    async with await asyncio.start_server(redis.accept, "127.0.0.1", 0) as server:
        port = server.sockets[0].getsockname()[1]
        limiter = RedisRateLimiter(
            RedisScripts(f"redis://127.0.0.1:{port}", ticks=lambda: ticks[-1], timeout_seconds=60)
        )
        first = asyncio.create_task(limiter.admit("a", limit=3, now=NOW))
        # The event loop accepts, since no request blocks it.
        await redis.requested.wait()
        assert not first.done()
        redis.drop()
        assert (await first).allowed

        rates = [await limiter.admit("a", limit=3, now=NOW) for _ in range(100)]
        assert sum(rate.allowed for rate in rates) == 2
        assert len(redis.connections) == 1

        # After a second it is looked for, for which no request waits.
        ticks.append(ticks[-1] + 1)
        assert not (await limiter.admit("a", limit=3, now=NOW)).allowed
        await redis.requested.wait()
        assert len(redis.connections) == 2
        redis.drop()
        await asyncio.to_thread(limiter.close)
    assert len(caplog.records) == 1


@pytest.mark.anyio
async def test_redis_is_used_again_once_it_responds(
    private_redis_server: RedisServer, private_limiter: RedisRateLimiter, ticks: list[float]
) -> None:
    private_redis_server.stop()
    assert (await private_limiter.admit("a", limit=3, now=NOW)).allowed
    private_redis_server.start()
    ticks.append(ticks[-1] + 1)
    await private_limiter.admit("b", limit=3, now=NOW)
    async with asyncio.timeout(60):
        while private_limiter.redis.outage.is_down:  # noqa: ASYNC110  (no event signals it)
            await asyncio.sleep(0.01)
    await private_limiter.admit("c", limit=3, now=NOW)
    with Redis.from_url(private_redis_server.url) as client:
        assert client.keys("*") == [b"mdpublish:rate:c"]


def test_redis_that_refuses_the_command_does_not_stop_the_service(
    private_redis_server: RedisServer, private_limiter: RedisRateLimiter, caplog: pytest.LogCaptureFixture
) -> None:
    with Redis.from_url(private_redis_server.url) as client:
        client.set("mdpublish:rate:a", "no list")
    assert allowed(private_limiter, requests=9, limit=3) == 3
    assert "Redis is unavailable" in caplog.text


def test_url_chooses_the_window(redis_server: RedisServer) -> None:
    assert [type(one) for one in make_rate_limits(None, utc_now, derive)] == [MemoryRateLimiter, MemoryHits]
    window, hits = make_rate_limits(redis_server.url, utc_now, derive)
    assert (type(window), type(hits)) == (RedisRateLimiter, RedisHits)
    window.close()
    with pytest.raises(ValueError, match="scheme"):
        make_rate_limits("http://example.org", utc_now, derive)


def test_client_without_account_gets_an_unused_limit() -> None:
    assert unused_limit(10, now=NOW) == RateLimitResult(
        limit=10, remaining=10, reset=1_800_000_001, retry_after=1, allowed=True
    )
