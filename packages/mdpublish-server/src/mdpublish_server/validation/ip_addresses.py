"""IP addresses."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.requests import Request

IpAddress = IPv4Address | IPv6Address

FORWARDING_HEADERS = frozenset({b"forwarded", b"via", b"x-forwarded-for", b"x-real-ip"})
"""Added by proxies; a local one makes clients look local."""

# 45 characters for IPv6 with embedded IPv4, plus a zone.
_MAX_IP_ADDRESS_CHARACTERS = 64


def parse_ip_address(value: str) -> IpAddress | None:
    """Return None if invalid; IPv4-mapped IPv6 becomes IPv4."""
    return _parsed_ip_address(value) if len(value) <= _MAX_IP_ADDRESS_CHARACTERS else None


def client_ip(request: Request) -> str:
    return request.client.host if request.client else ""


@lru_cache(maxsize=4096)
def _parsed_ip_address(value: str) -> IpAddress | None:
    try:
        ip = ip_address(value)
    except ValueError:
        return None
    return getattr(ip, "ipv4_mapped", None) or ip
