"""Hourly limit per network and process."""

from collections import Counter
from datetime import timedelta
from math import ceil

from mdpublish_server.clock import Clock
from mdpublish_server.errors import RateLimited

# Some megabytes.
_CAPACITY = 100_000


class HourlyLimit:
    """Limits requests per network and clock hour; 0 is unlimited."""

    def __init__(self, limit: int, label: str, clock: Clock) -> None:
        self._limit = limit
        self._label = label
        self._clock = clock
        self._hour = ""
        self._counts: Counter[str] = Counter()

    def hit(self, network: str) -> None:
        if not self._limit:
            return
        now = self._clock()
        hour = f"{now:%Y-%m-%dT%H}"
        if hour != self._hour:
            self._hour = hour
            self._counts.clear()
        if self._counts[network] >= self._limit:
            wait = timedelta(seconds=3600 - now.minute * 60 - now.second)
            raise too_many(f"{self._label} from your network (limit {self._limit} per hour)", wait)
        self._counts[network] += 1
        if len(self._counts) > _CAPACITY:
            del self._counts[next(iter(self._counts))]


def too_many(what: str, wait: timedelta) -> RateLimited:
    """Return the error for a client that may go on after a while."""
    seconds = ceil(wait.total_seconds())
    number, unit = (ceil(seconds / 60), "minute") if seconds <= 2 * 3600 else (ceil(seconds / 3600), "hour")
    return RateLimited(f"Too many {what}; retry in {number} {unit}{'' if number == 1 else 's'}", retry_after=seconds)
