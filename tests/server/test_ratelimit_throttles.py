"""Throttled sign-ins slow down guessing without locking the owner out."""

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from datetime import datetime, timedelta
from hashlib import sha256
from html import unescape
from itertools import count

import httpx
import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis import Redis

from mdpublish_server.errors import RateLimited
from mdpublish_server.ratelimit import throttles
from mdpublish_server.ratelimit.guesses import (
    FAILURE_SPAN,
    MAX_FAILURES,
    MAX_NETWORK_FAILURES,
    MAX_TARGET_FAILURES,
    Guesser,
    GuessThrottle,
    email_target,
    sign_in_throttle,
)
from mdpublish_server.ratelimit.redis_hits import RedisHits
from mdpublish_server.ratelimit.redis_scripts import RedisScripts
from mdpublish_server.ratelimit.throttles import (
    MAX_EMAILS,
    MAX_NETWORK_REQUESTS,
    Hits,
    MemoryHits,
    RequestThrottle,
    SiteThrottle,
    Throttle,
)
from tests.server.browsers import Connect
from tests.server.conftest import NOW, Travel
from tests.server.members import PERSON, join
from tests.server.redis_server import RedisServer

pytestmark = pytest.mark.anyio

MICROSECOND = timedelta(microseconds=1)
WRONG = {**PERSON, "password": "wrong password"}


@pytest.fixture
def environment() -> dict[str, str]:
    # Behind a proxy, so that tests choose client IPs.
    return {"MDPUBLISH_PUBLIC_URL": "https://pages.example.org", "MDPUBLISH_TRUSTED_PROXIES": "127.0.0.1"}


@pytest.fixture
def from_(client_from: Connect) -> Connect:
    """Creates a browser with this IP address, behind the proxy."""

    def connect(email: str) -> httpx.AsyncClient:
        client = client_from("127.0.0.1")
        client.base_url = httpx.URL("https://pages.example.org")
        client.headers.update({"X-Forwarded-For": email, "X-Forwarded-Proto": "https"})
        return client

    return connect


@pytest.fixture
async def guesser(from_: Connect) -> httpx.AsyncClient:
    """A browser at another IP address than Anna's, who has an account."""
    async with from_("203.0.113.1") as anna:
        await join(anna)
    return from_("198.51.100.7")


async def test_sixth_guess_is_refused_though_it_is_right(guesser: httpx.AsyncClient) -> None:
    for _ in range(MAX_FAILURES):
        assert (await guesser.post("/signin", data=WRONG)).status_code == 401
    for form in (WRONG, PERSON):
        page = await guesser.post("/signin", data=form)
        assert page.status_code == 429
        assert page.headers["retry-after"] == "900"
        assert "Too many failed sign-ins from your network; retry in 15 minutes." in unescape(page.text)
        assert 'role="alert"' in page.text
        assert 'value="anna@example.org"' in page.text
        assert "set-cookie" not in page.headers
        assert page.headers["cache-control"] == "no-store"


async def test_owner_signs_in_from_elsewhere(guesser: httpx.AsyncClient, from_: Connect) -> None:
    for _ in range(MAX_FAILURES + 5):
        await guesser.post("/signin", data=WRONG)
    async with from_("203.0.113.1") as anna:
        assert (await anna.post("/signin", data=PERSON)).status_code == 303
    # Other accounts are not throttled, even from the guesser's IP address.
    await join(guesser, email="bea@example.org")


async def test_refusal_ends_with_the_time(guesser: httpx.AsyncClient, travel: Travel) -> None:
    for _ in range(MAX_FAILURES):
        await guesser.post("/signin", data=WRONG)
        travel(timedelta(seconds=60))
    travel(FAILURE_SPAN - MAX_FAILURES * timedelta(seconds=60) - MICROSECOND)
    page = await guesser.post("/signin", data=PERSON)
    assert (page.status_code, page.headers["retry-after"]) == (429, "1")
    travel(MICROSECOND)
    assert (await guesser.post("/signin", data=PERSON)).status_code == 303


async def test_success_forgets_the_failures(guesser: httpx.AsyncClient) -> None:
    for _ in range(3):
        for _ in range(MAX_FAILURES - 1):
            assert (await guesser.post("/signin", data=WRONG)).status_code == 401
        assert (await guesser.post("/signin", data=PERSON)).status_code == 303


async def test_email_is_the_same_however_it_is_written(guesser: httpx.AsyncClient) -> None:
    for email in ("anna@example.org", "ANNA@example.org", "anna@EXAMPLE.org", "Anna@Example.Org", "aNNa@example.org"):
        assert (await guesser.post("/signin", data={**WRONG, "email": email})).status_code == 401
    assert (await guesser.post("/signin", data=PERSON)).status_code == 429


async def test_nothing_reveals_whether_there_is_an_account(guesser: httpx.AsyncClient) -> None:
    responses = []
    for email in (
        "anna@example.org",
        "nobody@example.org",
        "no address",
        "",
        "\ud800".encode("utf-8", "replace").decode(),
    ):
        pages = [await guesser.post("/signin", data={**WRONG, "email": email}) for _ in range(MAX_FAILURES + 1)]
        headers = {page.headers.get("retry-after") for page in pages}
        responses.append(
            ([page.status_code for page in pages], headers, pages[-1].text.replace(f'"{email}"', '"EMAIL"'))
        )
    assert all(response == responses[0] for response in responses)
    assert responses[0][0] == [401] * MAX_FAILURES + [429]


async def test_guesses_at_once_are_counted_like_guesses_one_by_one(guesser: httpx.AsyncClient) -> None:
    responses = await asyncio.gather(*(guesser.post("/signin", data=WRONG) for _ in range(20)))
    assert sorted(response.status_code for response in responses) == [401] * MAX_FAILURES + [429] * (20 - MAX_FAILURES)


async def test_network_that_guesses_at_many_emails_is_refused(
    guesser: httpx.AsyncClient, from_: Connect, travel: Travel
) -> None:
    for number in range(MAX_NETWORK_FAILURES):
        page = await guesser.post("/signin", data={**WRONG, "email": f"a{number}@example.org"})
        assert page.status_code == 401
    assert (await guesser.post("/signin", data=PERSON)).status_code == 429
    async with from_("198.51.101.8") as neighbour:
        assert (await neighbour.post("/signin", data=PERSON)).status_code == 303
    travel(FAILURE_SPAN)
    assert (await guesser.post("/signin", data=PERSON)).status_code == 303


async def test_sixty_four_bits_of_an_ipv6_address_are_one_network(guesser: httpx.AsyncClient, from_: Connect) -> None:
    del guesser
    async with AsyncExitStack() as stack:
        near = [await stack.enter_async_context(from_(f"2001:db8:0:1::{number}")) for number in range(MAX_FAILURES + 1)]
        statuses = [(await client.post("/signin", data=WRONG)).status_code for client in near]
        assert statuses == [401] * MAX_FAILURES + [429]
        far = await stack.enter_async_context(from_("2001:db8:0:2::1"))
        assert (await far.post("/signin", data=PERSON)).status_code == 303


async def test_forty_eight_bits_are_a_wider_network_with_four_times_the_limit(
    guesser: httpx.AsyncClient, from_: Connect
) -> None:
    del guesser
    statuses = []
    for number in range(4 * MAX_NETWORK_FAILURES + 1):
        async with from_(f"2001:db8:0:{number:x}::1") as client:
            response = await client.post("/signin", data={**WRONG, "email": f"a{number}@example.org"})
            statuses.append(response.status_code)
    assert statuses == [401] * 4 * MAX_NETWORK_FAILURES + [429]
    async with from_("2001:db8:1::1") as elsewhere:
        assert (await elsewhere.post("/signin", data=PERSON)).status_code == 303


async def test_accounts_that_a_network_requests_are_bounded(
    guesser: httpx.AsyncClient, from_: Connect, travel: Travel
) -> None:
    for number in range(MAX_NETWORK_REQUESTS):
        page = await guesser.post("/signup", data={**PERSON, "email": f"a{number}@example.org"})
        assert page.status_code == 303
    page = await guesser.post("/signup", data={**PERSON, "email": "b@example.org"})
    assert (page.status_code, page.headers["retry-after"]) == (429, "3600")
    assert "Too many requests for accounts and emails from your network" in page.text
    async with from_("198.51.101.8") as neighbour:
        assert (await neighbour.post("/signup", data={**PERSON, "email": "b@example.org"})).status_code == 303
    travel(timedelta(hours=1))
    assert (await guesser.post("/signup", data={**PERSON, "email": "c@example.org"})).status_code == 303


# Throttles


class Clock:
    """Shows what it is set to."""

    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


async def derive(purpose: str, *parts: bytes) -> bytes:
    return sha256(b"\0".join((purpose.encode(), *parts))).digest()


@pytest.fixture(params=["memory", "redis"])
def hits(request: pytest.FixtureRequest, clock: Clock) -> Iterator[Hits]:
    if request.param == "memory":
        yield MemoryHits(clock)
        return
    server: RedisServer = request.getfixturevalue("redis_server")
    with Redis.from_url(server.url) as client:
        client.flushall()
    redis = RedisScripts(server.url, timeout_seconds=60)
    yield RedisHits(redis, clock, derive)
    assert not redis.outage.is_down
    redis.close()


async def admit(throttle: GuessThrottle, network: str, email: str, device: str | None = None) -> None:
    guesser = Guesser(networks=(network,), device=device)
    await throttle.admit(guesser, email.lower(), email_target(email))


async def clear(throttle: GuessThrottle, network: str, email: str) -> None:
    await throttle.clear(Guesser(networks=(network,)), email, email_target(email))


async def is_refused(throttle: GuessThrottle, network: str, email: str, device: str | None = None) -> bool:
    try:
        await admit(throttle, network, email, device)
    except RateLimited:
        return True
    return False


async def test_attempts_up_to_the_limit_are_admitted_and_the_wait_is_said(hits: Hits, clock: Clock) -> None:
    throttle = sign_in_throttle(hits)
    for _ in range(MAX_FAILURES):
        clock.now += timedelta(minutes=1)
        await admit(throttle, "192.0.2.1", "anna@example.org")
    # The first is forgotten 15 minutes after it.
    with pytest.raises(RateLimited) as refusal:
        await admit(throttle, "192.0.2.1", "Anna@example.org")
    assert refusal.value.headers["Retry-After"] == str(11 * 60)
    clock.now += timedelta(minutes=11) - MICROSECOND
    assert await is_refused(throttle, "192.0.2.1", "anna@example.org")
    clock.now += MICROSECOND
    assert not await is_refused(throttle, "192.0.2.1", "anna@example.org")
    assert await is_refused(throttle, "192.0.2.1", "anna@example.org")


async def test_success_takes_its_failures_from_the_network(hits: Hits) -> None:
    throttle = sign_in_throttle(hits)
    # An office: everyone mistypes, then signs in.
    for number in range(200):
        for _ in range(2):
            await admit(throttle, "192.0.2.1", f"a{number}@example.org")
        await clear(throttle, "192.0.2.1", f"a{number}@example.org")
    assert not await is_refused(throttle, "192.0.2.1", "b@example.org")


async def test_who_knows_one_password_gets_no_more_guesses_at_others(hits: Hits) -> None:
    throttle = sign_in_throttle(hits)
    guesses = 0
    for number in range(100):
        if await is_refused(throttle, "192.0.2.1", f"a{number}@example.org"):
            break
        guesses += 1
        await clear(throttle, "192.0.2.1", "mine@example.org")
    assert guesses == MAX_NETWORK_FAILURES


async def test_past_a_targets_budget_each_network_has_one_try_an_hour_and_a_device_its_own(
    hits: Hits, clock: Clock
) -> None:
    throttle = sign_in_throttle(hits)
    for number in range(MAX_TARGET_FAILURES):
        clock.now += MICROSECOND
        await admit(throttle, f"192.0.{number}.0/24", "anna@example.org")
    clock.now += MICROSECOND
    # What succeeds takes its own failures back, and no others.
    await clear(throttle, "192.0.0.0/24", "anna@example.org")
    for expected in (False, False, True):
        assert await is_refused(throttle, "198.51.100.0/24", "anna@example.org") is expected
    for _ in range(2):
        assert not await is_refused(throttle, "203.0.113.0/24", "anna@example.org")
        assert await is_refused(throttle, "203.0.113.0/24", "anna@example.org")
        clock.now += timedelta(hours=1)
    # A device has tries of its own before, and all devices together have some.
    devices = [
        f"device {number}" for number in range(MAX_TARGET_FAILURES // MAX_FAILURES + 1) for _ in range(MAX_FAILURES)
    ]
    tries = [await is_refused(throttle, "198.51.101.0/24", "anna@example.org", device) for device in devices]
    assert tries == [False] * (MAX_TARGET_FAILURES + 1) + [True] * (MAX_FAILURES - 1)


async def test_addresses_that_strangers_choose_take_a_bounded_number_of_rows() -> None:
    keys = {email_target(f"a{number}@example.org").key for number in range(300_000)}
    assert len(keys) <= 65_536


async def test_failures_are_refunded_by_a_clock_that_goes_on() -> None:
    seconds = count()
    hits = MemoryHits(lambda: NOW + timedelta(seconds=next(seconds)))
    throttle = sign_in_throttle(hits)
    for number in range(2 * MAX_NETWORK_FAILURES):
        await admit(throttle, "192.0.2.1", f"a{number}@example.org")
        await clear(throttle, "192.0.2.1", f"a{number}@example.org")


async def test_processes_with_redis_count_together(redis_server: RedisServer, clock: Clock) -> None:
    processes = [RedisScripts(redis_server.url, timeout_seconds=60) for _ in range(3)]
    throttles = [sign_in_throttle(RedisHits(redis, clock, derive)) for redis in processes]
    attempts = [is_refused(throttle, "203.0.113.9", "together@example.org") for throttle in throttles * 4]
    assert (await asyncio.gather(*attempts)).count(False) == MAX_FAILURES
    for redis in processes:
        redis.close()


async def test_process_counts_alone_while_redis_is_down(private_redis_server: RedisServer, clock: Clock) -> None:
    redis = RedisScripts(private_redis_server.url)
    throttle = sign_in_throttle(RedisHits(redis, clock, derive))
    private_redis_server.stop()
    refusals = [await is_refused(throttle, "192.0.2.1", "anna@example.org") for _ in range(MAX_FAILURES + 1)]
    assert refusals == [False] * MAX_FAILURES + [True]
    redis.close()


def test_memory_is_bounded_and_the_oldest_is_forgotten_first() -> None:
    throttle = Throttle(1, FAILURE_SPAN, lambda: NOW, capacity=3)
    for key in "abc":
        throttle.count(key)
    throttle.count("a")
    throttle.count("d")
    assert [throttle.wait(key) > timedelta(0) for key in "abcd"] == [True, False, True, True]
    for number in range(10_000):
        throttle.count(str(number))
    assert len(throttle._times) == 3
    assert all(len(times) == 1 for times in throttle._times.values())


async def test_emails_are_not_stored(redis_server: RedisServer, clock: Clock) -> None:
    hits, other = MemoryHits(clock), MemoryHits(clock)
    for each in (hits, other):
        await admit(sign_in_throttle(each), "192.0.2.1", "anna@example.org")
    stored = repr([vars(throttle) for throttle in hits._throttles.values()])
    assert "anna" not in stored
    assert "192.0.2" not in stored
    # Each process hashes keys with its own secret.
    kinds = hits._throttles.keys()
    assert all(set(hits._throttles[kind]._times) != set(other._throttles[kind]._times) for kind in kinds)

    redis = RedisScripts(redis_server.url, timeout_seconds=60)
    await admit(sign_in_throttle(RedisHits(redis, clock, derive)), "192.0.2.77", "anna-carla@example.org")
    redis.close()
    with Redis.from_url(redis_server.url) as client:
        keys = b" ".join(client.keys("mdpublish:hits:*"))
    assert keys
    assert b"anna" not in keys
    assert b"192.0.2" not in keys


def test_key_is_not_derived_from_the_parts_of_another() -> None:
    throttle = Throttle(1, FAILURE_SPAN, lambda: NOW)
    throttle.count("a", "bc")
    assert throttle.wait("ab", "c") == timedelta(0)


async def test_clock_that_is_set_back_locks_nobody_out(hits: Hits, clock: Clock) -> None:
    throttle = sign_in_throttle(hits)
    for _ in range(MAX_FAILURES):
        await admit(throttle, "192.0.2.1", "anna@example.org")
    assert await is_refused(throttle, "192.0.2.1", "anna@example.org")
    clock.now -= timedelta(days=1)
    assert not await is_refused(throttle, "192.0.2.1", "anna@example.org")


async def test_mails_are_counted_for_an_email_from_wherever_they_are_requested(hits: Hits) -> None:
    throttle = RequestThrottle(hits)
    allowed = [await throttle.allows_email(email, "signup") for email in ("a@b", "A@b", "a@B", "a@b", "c@b")]
    assert allowed == [True] * MAX_EMAILS + [False, True]


@given(
    limit=st.integers(1, 5),
    steps=st.lists(st.tuples(st.sampled_from("abc"), st.integers(0, 40)), max_size=60),
)
def test_no_more_than_so_many_are_ever_allowed_within_a_span(limit: int, steps: list[tuple[str, int]]) -> None:
    """For any sequence: at most `limit` per key in any span, and no unnecessary rejections."""
    now = [NOW]
    span = timedelta(seconds=60)
    throttle = Throttle(limit, span, lambda: now[-1])
    allowed: dict[str, list[datetime]] = {"a": [], "b": [], "c": []}
    for key, seconds in steps:
        now.append(now[-1] + timedelta(seconds=seconds))
        recent = [time for time in allowed[key] if time > now[-1] - span]
        wait = throttle.wait(key)
        assert (wait == timedelta(0)) == (len(recent) < limit)
        if wait:
            assert wait == recent[0] + span - now[-1]
        else:
            throttle.count(key)
            allowed[key].append(now[-1])


def test_site_throttle_counts_cpu_time_and_gives_it_back_within_a_minute(clock: Clock) -> None:
    spent = [0.0]
    throttle = SiteThrottle(30, clock, of="network", spent=lambda: sum(spent))
    for _ in range(3):
        with throttle.hit("here"):
            spent.append(10.0)

    with pytest.raises(RateLimited, match="limit 30 s per minute") as refused:
        throttle.hit("here")
    assert refused.value.headers["Retry-After"] == "1"
    with throttle.hit("elsewhere"):
        pass
    clock.now += timedelta(seconds=20)
    with throttle.hit("here"):
        spent.append(20.0)
    with pytest.raises(RateLimited) as refused:
        throttle.hit("here")
    assert refused.value.headers["Retry-After"] == "20"


def test_site_throttle_counts_what_failed(clock: Clock) -> None:
    spent = [0.0]
    throttle = SiteThrottle(1, clock, of="network", spent=lambda: sum(spent))
    with suppress(RuntimeError), throttle.hit("here"):
        spent.append(5.0)
        raise RuntimeError

    with pytest.raises(RateLimited):
        throttle.hit("here")


def test_site_throttle_forgets_who_came_first(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(throttles, "_CAPACITY", 2)
    throttle = SiteThrottle(1, clock, of="network", spent=lambda: 0.0)
    for client in "abac":
        with throttle.hit(client):
            pass

    assert list(throttle._levels) == ["a", "c"]
