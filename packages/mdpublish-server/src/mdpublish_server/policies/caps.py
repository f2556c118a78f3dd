"""How often one address may do what takes no account: as often as it likes, unless there is a bound.

Counted by each process on its own, in memory, by the hour of the clock: it is there to slow down a flood, not to be exact.
"""

from collections import Counter

from mdpublish_server.clock import Clock
from mdpublish_server.errors import RateLimited


class HourlyCap:
    """Counts `things` by client address; `most` an hour, 0 for any number."""

    def __init__(self, most: int, things: str, clock: Clock) -> None:
        self._most = most
        self._things = things
        self._clock = clock
        self._hour = ""
        self._counts: Counter[str] = Counter()

    def require_room(self, address: str) -> None:
        """Count one more of an address; raises `RateLimited`."""
        if not self._most:
            return
        now = self._clock()
        hour = f"{now:%Y-%m-%dT%H}"
        if hour != self._hour:
            self._hour = hour
            self._counts.clear()
        if self._counts[address] >= self._most:
            seconds = 3600 - now.minute * 60 - now.second
            raise RateLimited(
                f"more than {self._most} {self._things} in an hour from this address, which is what this service allows",
                headers={"Retry-After": str(seconds)},
            )
        self._counts[address] += 1
