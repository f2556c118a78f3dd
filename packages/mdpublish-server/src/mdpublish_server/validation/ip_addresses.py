"""IP addresses: parsed, and taken from a request."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.requests import Request

IpAddress = IPv4Address | IPv6Address

FORWARDING_HEADERS = frozenset({b"forwarded", b"via", b"x-forwarded-for", b"x-real-ip"})
"""What a proxy adds. One on this computer makes every client look like a local one; these headers give it away."""

# The longest IPv6 address with an IPv4 one in it has 45 characters, and the name of an interface may follow.
_MAX_IP_ADDRESS_CHARACTERS = 64


def parse_ip_address(value: str) -> IpAddress | None:
    """Return the IP address that a text is, or None; an IPv4 address mapped into IPv6 becomes the IPv4 address."""
    return _parsed_ip_address(value) if len(value) <= _MAX_IP_ADDRESS_CHARACTERS else None


def client_ip(request: Request) -> str:
    """Return the client's address, which shares turns and caps with nobody else's; a Unix socket has none."""
    return request.client.host if request.client else ""


@lru_cache(maxsize=4096)
def _parsed_ip_address(value: str) -> IpAddress | None:
    try:
        ip = ip_address(value)
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip
