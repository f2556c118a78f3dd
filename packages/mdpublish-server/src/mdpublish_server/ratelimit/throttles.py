"""How often passwords may be tried, and mails and accounts be asked for, without locking anybody out.

Failures are counted for a network and an e-mail address together, and for the network: who guesses a password is stopped,
while its owner, who comes from elsewhere, signs in as ever. Nothing here depends on whether the address has an account.

Each serving process counts on its own, in memory that is bounded: where too many keys are counted, the one that was
left alone longest is forgotten. Addresses are not kept, only hashes that mean nothing outside the process.
"""

import secrets
from collections import OrderedDict, deque
from datetime import datetime, timedelta
from hashlib import blake2b
from ipaddress import IPv6Network
from math import ceil

from mdpublish_server.clock import Clock
from mdpublish_server.errors import RateLimited
from mdpublish_server.validation.ip_addresses import parse_ip_address

MAX_FAILURES = 5
"""Wrong passwords for one e-mail address, from one network, within `FAILURE_SPAN`."""

MAX_NETWORK_FAILURES = 50
"""Wrong passwords from one network within `FAILURE_SPAN`: an office behind one address mistypes less than that."""

FAILURE_SPAN = timedelta(minutes=15)

MAX_NETWORK_REQUESTS = 20
"""Accounts and letters that one network asks for within `REQUEST_SPAN`."""

MAX_EMAILS = 3
"""Mails to one e-mail address within `REQUEST_SPAN`."""

REQUEST_SPAN = timedelta(hours=1)

# Keys of one throttle; with the times of each it comes to some megabytes at most.
_CAPACITY = 10_000

# What one customer of an IPv6 provider has at least.
_IPV6_PREFIX = 64


class Throttle:
    """Counts what is done by a key, of which `limit` is allowed within `span`."""

    def __init__(self, limit: int, span: timedelta, clock: Clock, *, capacity: int = _CAPACITY) -> None:
        self._limit = limit
        self._span = span
        self._clock = clock
        self._capacity = capacity
        self._secret = secrets.token_bytes(16)
        # The key that was left alone longest comes first.
        self._times: OrderedDict[bytes, deque[datetime]] = OrderedDict()

    def wait(self, *key: str) -> timedelta:
        """Return how long it takes until once more is allowed; nothing where it is allowed now."""
        now = self._clock()
        times = self._current(self._hash(key), now)
        if times is None or len(times) < self._limit:
            return timedelta(0)
        return times[len(times) - self._limit] + self._span - now

    def count(self, *key: str) -> None:
        """Count once more."""
        now = self._clock()
        hashed = self._hash(key)
        times = self._current(hashed, now)
        if times is None:
            # Those beyond `limit` change nothing.
            times = self._times[hashed] = deque(maxlen=self._limit)
        times.append(now)
        self._times.move_to_end(hashed)
        if len(self._times) > self._capacity:
            self._times.popitem(last=False)

    def reset(self, *key: str) -> list[datetime]:
        """Forget all that was counted for a key, and return when that was."""
        now = self._clock()
        hashed = self._hash(key)
        times = self._current(hashed, now)
        if times is None:
            return []
        del self._times[hashed]
        return list(times)

    def refund(self, times: list[datetime], *key: str) -> None:
        """Count less: what was counted for a key at these times."""
        counted = self._times.get(self._hash(key))
        for time in times:
            if counted is not None and time in counted:
                counted.remove(time)

    def _current(self, hashed: bytes, now: datetime) -> "deque[datetime] | None":
        """Return the times of a key that count; those of a clock that has been set back since do not."""
        times = self._times.get(hashed)
        if times is None:
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
        # A text of a form may hold half a character.
        joined = "\0".join(key).encode("utf-8", "surrogatepass")
        return blake2b(joined, key=self._secret, digest_size=16).digest()


class SignInThrottle:
    """Bounds how often a password is tried; the forms that ask for one share it.

    Count a failure before looking at the password, since others are looked at meanwhile, and clear it if it was right:

        throttle.check(client, email)
        throttle.count_failure(client, email)
        … look at the password …
        throttle.clear(client, email)
    """

    def __init__(self, clock: Clock) -> None:
        self._pairs = Throttle(MAX_FAILURES, FAILURE_SPAN, clock)
        self._networks = Throttle(MAX_NETWORK_FAILURES, FAILURE_SPAN, clock)

    def check(self, client: str, email: str) -> None:
        """Let a client's address try a password for an e-mail address; raises `RateLimited`, be it right or wrong."""
        network = network_of(client)
        wait = max(self._pairs.wait(network, email.lower()), self._networks.wait(network))
        if wait > timedelta(0):
            raise _too_many("wrong passwords", wait)

    def count_failure(self, client: str, email: str) -> None:
        """Count a failure."""
        network = network_of(client)
        self._pairs.count(network, email.lower())
        self._networks.count(network)

    def clear(self, client: str, email: str) -> None:
        """Forget the failures of who knows the password after all; the network's count is less by them."""
        network = network_of(client)
        self._networks.refund(self._pairs.reset(network, email.lower()), network)


class RequestThrottle:
    """Bounds how often accounts and mails are asked for."""

    def __init__(self, clock: Clock) -> None:
        self._networks = Throttle(MAX_NETWORK_REQUESTS, REQUEST_SPAN, clock)
        self._emails = Throttle(MAX_EMAILS, REQUEST_SPAN, clock)

    def hit(self, client: str) -> None:
        """Count one more request of a client's network; raises `RateLimited`."""
        network = network_of(client)
        wait = self._networks.wait(network)
        if wait > timedelta(0):
            raise _too_many("requests for accounts and links", wait)
        self._networks.count(network)

    def allows_email(self, email: str) -> bool:
        """Tell whether one more mail may go to an e-mail address, and count it."""
        if self._emails.wait(email.lower()) > timedelta(0):
            return False
        self._emails.count(email.lower())
        return True


def network_of(client: str) -> str:
    """Return whose an address is: an IPv4 address by itself, of an IPv6 address the first 64 bits."""
    ip = parse_ip_address(client)
    if ip is None or ip.version == 4:
        return client if ip is None else str(ip)
    return str(IPv6Network((int(ip), _IPV6_PREFIX), strict=False))


def _too_many(what: str, wait: timedelta) -> RateLimited:
    seconds = ceil(wait.total_seconds())
    minutes = ceil(seconds / 60)
    return RateLimited(
        f"too many {what} came from your network; try again in {minutes} minute{'' if minutes == 1 else 's'}",
        headers={"Retry-After": str(seconds)},
    )
