"""The client's address and scheme, from forwarding headers of trusted proxies."""

from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network

from starlette.types import Scope

from mdpublish_server.storage.audit import act_as
from mdpublish_server.validation.ip_addresses import FORWARDING_HEADERS, IpAddress, is_loopback, parse_ip_address

Network = IPv4Network | IPv6Network

# A Unix socket has no address.
_UNIX_SOCKET_HOST = "127.0.0.1"


class TrustedProxies:
    """Networks whose forwarding headers are believed."""

    def __init__(self, networks: Iterable[Network] = ()) -> None:
        self._networks = tuple(networks)

    def identify(self, scope: Scope) -> bool:
        """Tell whether a request comes from this computer; set client and scheme from a trusted proxy.

        A forwarded request is never local, since a proxy on this computer makes every client look local. The audit log
        names the client.
        """
        is_local = self._is_local(scope)
        act_as(address=scope["client"][0] if scope.get("client") else None)
        return is_local

    def _is_local(self, scope: Scope) -> bool:
        peer = scope.get("client")
        host = peer[0] if peer else _UNIX_SOCKET_HOST
        if (ip := parse_ip_address(host)) is None:
            return False
        forwarded = not FORWARDING_HEADERS.isdisjoint(dict(scope["headers"]))
        if self._networks and self._trusts(ip):
            forwarded = self._apply_forwarded(scope) or forwarded
        return not forwarded and is_loopback(host)

    def stands_for_many(self, host: str | None) -> bool:
        """Tell whether `host` is this computer or a trusted proxy, which connect for others."""
        host = host or _UNIX_SOCKET_HOST
        if is_loopback(host):
            return True
        ip = parse_ip_address(host)
        return ip is not None and self._trusts(ip)

    def _apply_forwarded(self, scope: Scope) -> bool:
        """Set client and scheme; tell whether a header names a scheme."""
        chain = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        if chain and (client := self._client_of(b",".join(chain))):
            scope["client"] = (str(client), 0)
        schemes = [value for name, value in scope["headers"] if name == b"x-forwarded-proto"]
        if schemes:
            # Behind several proxies, every hop must have used HTTPS.
            forwarded_schemes = b",".join(schemes).lower().split(b",")
            scope["scheme"] = "https" if all(scheme.strip() == b"https" for scheme in forwarded_schemes) else "http"
        return bool(schemes)

    def _client_of(self, chain: bytes) -> IpAddress | None:
        """Return the last address that is not a trusted proxy: clients control all earlier ones."""
        client = None
        for entry in reversed(chain.split(b",")):
            ip = parse_ip_address(_without_port(entry.strip().decode("latin-1")))
            if ip is None:
                break
            client = ip
            if not self._trusts(ip):
                break
        return client

    def _trusts(self, ip: IpAddress) -> bool:
        return any(ip in network for network in self._networks)


def _without_port(entry: str) -> str:
    """Strip the port that some proxies add: `192.0.2.1:80`, `[2001:db8::1]:80`."""
    if entry.startswith("["):
        return entry[1:].partition("]")[0]
    return entry.partition(":")[0] if entry.count(":") == 1 else entry
