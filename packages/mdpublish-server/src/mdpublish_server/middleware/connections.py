"""Bounds on open connections and on requests at a time, in all and per network.

A proxy's connections stand for many clients, so behind one each request counts for the client it names.
"""

from collections import Counter

from mdpublish_server.middleware.trusted_proxies import TrustedProxies
from mdpublish_server.validation.ip_addresses import network_of

REFUSED_CONNECTIONS = 100
"""Connections that may stay open for a moment to read why they are refused; further ones are closed at once."""


class NetworkLimit:
    """Counts what each network has open: an IPv4 address or a /64 of IPv6, but this computer and trusted proxies."""

    def __init__(self, limit: int, proxies: TrustedProxies) -> None:
        self.limit = limit
        self._proxies = proxies
        self._open: Counter[str] = Counter()

    def take(self, host: str | None) -> bool:
        """Count one more, unless the network has `limit`."""
        if (network := self._network(host)) is None:
            return True
        if self._open[network] >= self.limit:
            return False
        self._open[network] += 1
        return True

    def release(self, host: str | None) -> None:
        if (network := self._network(host)) is not None:
            self._open[network] -= 1
            if not self._open[network]:
                del self._open[network]

    def _network(self, host: str | None) -> str | None:
        return None if self._proxies.stands_for_many(host) else network_of(host or "")


class Connections:
    """Counts the open connections of one server process."""

    def __init__(self, limit: int, networks: NetworkLimit) -> None:
        self.limit = limit
        self._networks = networks
        self._open = 0
        self._refused = 0

    def admit(self, host: str | None) -> bool:
        if self._open >= self.limit or not self._networks.take(host):
            return False
        self._open += 1
        return True

    def release(self, host: str | None) -> None:
        self._open -= 1
        self._networks.release(host)

    def refuse(self) -> bool:
        """Count a refused connection; tell whether it may stay open to read why."""
        self._refused += 1
        return self._refused <= REFUSED_CONNECTIONS

    def release_refused(self) -> None:
        self._refused -= 1
