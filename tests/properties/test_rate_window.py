"""Law: a request is allowed if fewer than `limit` were allowed in the second before, whatever clock and plan do.

For Redis, see tests/server/test_ratelimit_sliding_window.py.
"""

from dataclasses import dataclass, field
from itertools import accumulate
from uuid import uuid4

from hypothesis import example, given
from hypothesis import strategies as st

from mdpublish_server.ratelimit.sliding_window import MemoryRateLimiter, RateLimiter, RateLimitResult

SECOND = 1_000_000

# Unix time in microseconds.
START = 1_800_000_000_123_456

# Simultaneous, in series, at the window's edges, and clock changes.
STEPS = st.one_of(
    st.just(0),
    st.integers(0, SECOND // 4),
    st.integers(SECOND - 2, SECOND + 2),
    st.integers(-SECOND, 2 * SECOND),
    st.integers(-SECOND - 2, -SECOND + 2),
    st.integers(-3_600 * SECOND, 3_600 * SECOND),
)

# Microseconds since the previous request, account, current limit.
Requests = list[tuple[int, int, int]]
REQUESTS: st.SearchStrategy[Requests] = st.lists(st.tuples(STEPS, st.integers(0, 2), st.integers(1, 5)), max_size=60)


@dataclass
class Model:
    times: list[int] = field(default_factory=list)

    def hit(self, now: int, limit: int) -> RateLimitResult:
        # Later times are dropped: the clock was set back. Else time is monotonic.
        times = [time for time in self.times if time <= now + SECOND]
        moment = max([now, *times])
        self.times = [time for time in times if time > moment - SECOND]
        allowed = len(self.times) < limit
        if allowed:
            self.times.append(moment)
        reset = self._more_are_left_at(limit)
        return RateLimitResult(
            limit=limit,
            remaining=max(0, limit - len(self.times)),
            reset=rounded_up(reset),
            retry_after=max(1, rounded_up(reset - now)),
            allowed=allowed,
        )

    def _more_are_left_at(self, limit: int) -> int:
        ends = [time + SECOND for time in self.times]
        counted = min(limit, len(ends))
        return min(moment for moment in ends if sum(end > moment for end in ends) < counted)


def rounded_up(microseconds: int) -> int:
    return microseconds // SECOND + (microseconds % SECOND > 0)


def check_window(window: RateLimiter, requests: Requests) -> None:
    prefix = uuid4().hex
    models: dict[int, Model] = {}
    now = START
    for step, account, limit in requests:
        now += step
        expected = models.setdefault(account, Model()).hit(now, limit)
        assert window.hit(f"{prefix}-{account}", limit=limit, now=now / SECOND) == expected


@given(REQUESTS)
@example([(0, 0, 1), (SECOND, 0, 1), (SECOND - 1, 0, 1)])
@example([(0, 0, 5), (0, 0, 5), (0, 0, 5), (0, 0, 1), (SECOND, 0, 1)])
@example([(0, 0, 1), (-SECOND, 0, 1), (-1, 0, 1)])
def test_window_agrees_with_the_model(requests: Requests) -> None:
    check_window(MemoryRateLimiter(), requests)


@given(st.lists(st.integers(0, SECOND), max_size=80), st.integers(1, 5))
def test_no_second_has_more_requests_than_its_limit_and_none_is_refused_without_need(
    steps: list[int], limit: int
) -> None:
    window = MemoryRateLimiter()
    allowed: list[int] = []
    for now in accumulate(steps, initial=START):
        rate = window.hit("a", limit=limit, now=now / SECOND)
        before = sum(time > now - SECOND for time in allowed)
        assert rate.allowed == (before < limit)
        assert rate.remaining == limit - before - rate.allowed
        if rate.allowed:
            allowed.append(now)


@given(REQUESTS, st.integers(1, 5))
def test_refused_request_is_allowed_after_retry_after(requests: Requests, limit: int) -> None:
    window = MemoryRateLimiter()
    now = START
    for step, _, earlier_limit in requests:
        now += step
        window.hit("a", limit=earlier_limit, now=now / SECOND)

    rate = window.hit("a", limit=limit, now=now / SECOND)

    later = now / SECOND + rate.retry_after
    assert rate.allowed or window.hit("a", limit=limit, now=later).allowed
    assert 1 <= rate.retry_after <= 2


@given(REQUESTS)
def test_window_stays_small(requests: Requests) -> None:
    ticks = [0.0]
    window = MemoryRateLimiter(ticks=lambda: ticks[-1])
    now = START
    for number, (step, _, limit) in enumerate(requests):
        now += step
        ticks.append(ticks[-1] + 20)
        # Only the last minute's accounts stay in memory.
        window.hit(str(number), limit=limit, now=now / SECOND)
        assert len(window._accounts) <= 4
