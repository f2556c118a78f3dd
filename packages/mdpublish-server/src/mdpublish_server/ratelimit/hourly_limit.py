"""Hourly limit per IP address and process."""

from collections import Counter

from mdpublish_server.clock import Clock
from mdpublish_server.errors import RateLimited


class HourlyLimit:
    """Limits requests per client and clock hour; 0 is unlimited."""

    def __init__(self, limit: int, label: str, clock: Clock) -> None:
        self._limit = limit
        self._label = label
        self._clock = clock
        self._hour = ""
        self._counts: Counter[str] = Counter()

    def hit(self, client: str) -> None:
        if not self._limit:
            return
        now = self._clock()
        hour = f"{now:%Y-%m-%dT%H}"
        if hour != self._hour:
            self._hour = hour
            self._counts.clear()
        if self._counts[client] >= self._limit:
            seconds = 3600 - now.minute * 60 - now.second
            raise RateLimited(
                f"Rate limit exceeded: {self._limit} {self._label} per hour and IP address",
                headers={"Retry-After": str(seconds)},
            )
        self._counts[client] += 1
