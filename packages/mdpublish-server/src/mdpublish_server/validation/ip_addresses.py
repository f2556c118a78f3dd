"""IP addresses."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address, ip_network

from starlette.requests import Request

IpAddress = IPv4Address | IPv6Address

FORWARDING_HEADERS = frozenset({b"forwarded", b"via", b"x-forwarded-for", b"x-real-ip"})
"""Added by proxies; a local one makes clients look local."""

# 45 characters for IPv6 with embedded IPv4, plus a zone.
_MAX_IP_ADDRESS_CHARACTERS = 64

# A provider's smallest allocation.
_IPV6_PREFIX = 64


def parse_ip_address(value: str) -> IpAddress | None:
    """Return None if invalid; IPv4-mapped IPv6 becomes IPv4."""
    return _parsed_ip_address(value) if len(value) <= _MAX_IP_ADDRESS_CHARACTERS else None


def is_loopback(value: str) -> bool:
    """Tell whether it is an address of this computer. Asked several times for each request, and slow in `ipaddress`."""
    return len(value) <= _MAX_IP_ADDRESS_CHARACTERS and _is_loopback(value)


def client_network(request: Request) -> str:
    """Return the network of the client, by which anonymous requests are limited and take turns."""
    return network_of(request.client.host) if request.client else ""


def network_of(host: str) -> str:
    """Return an IPv4 address, or a /64 of IPv6, whose addresses one client has to itself."""
    if (ip := parse_ip_address(host)) is None or ip.version == 4:
        return host if ip is None else str(ip)
    return str(IPv6Network((int(ip), _IPV6_PREFIX), strict=False))


def guesser_networks(request: Request) -> tuple[str, ...]:
    """Return the networks that limit guesses at secrets, narrowest first: a /24 of IPv4, a /64 and a /48 of IPv6."""
    host = request.client.host if request.client else ""
    if (ip := parse_ip_address(host)) is None:
        return (host,)
    prefixes = (24,) if ip.version == 4 else (_IPV6_PREFIX, 48)
    return tuple(str(ip_network((int(ip), prefix), strict=False)) for prefix in prefixes)


def shown_network(request: Request) -> str:
    """Return a /24 of IPv4 or a /48 of IPv6, as the owner of an account sees it; "" if the client has no address."""
    host = request.client.host if request.client else ""
    return guesser_networks(request)[-1] if parse_ip_address(host) else ""


@lru_cache(maxsize=4096)
def _is_loopback(value: str) -> bool:
    ip = _parsed_ip_address(value)
    return ip is not None and ip.is_loopback


@lru_cache(maxsize=4096)
def _parsed_ip_address(value: str) -> IpAddress | None:
    try:
        ip = ip_address(value)
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip
