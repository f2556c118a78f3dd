"""Who may call: what is known of a request's sender, and what is refused because of it."""

from functools import lru_cache
from ipaddress import IPv4Address, IPv6Address, ip_address

from starlette.requests import Request

from mdpublish_server.errors import Forbidden

Address = IPv4Address | IPv6Address

FORWARDING_HEADERS = frozenset({b"forwarded", b"via", b"x-forwarded-for", b"x-real-ip"})
"""What a proxy adds. One on this computer makes every client look like a local one; these headers give it away."""

# The longest IPv6 address with an IPv4 one in it has 45 characters, and the name of an interface may follow.
_ADDRESS_CHARACTERS = 64


def parse_address(text: str) -> Address | None:
    """Return the IP address that a text is, or None; an IPv4 address mapped into IPv6 becomes the IPv4 address."""
    return _parsed(text) if len(text) <= _ADDRESS_CHARACTERS else None


def address_of(request: Request) -> str:
    """Return the client's address, which shares turns and caps with nobody else's; a Unix socket has none."""
    return request.client.host if request.client else ""


def refuse_cross_site(request: Request) -> None:
    """Refuse a form that another site sent, as the browser tells; raises `Forbidden`."""
    if request.headers.get("sec-fetch-site") == "cross-site":
        raise Forbidden("this form was sent from another site; open this page itself and send it from there")


def require_same_origin(request: Request, public_url: str) -> None:
    """Refuse a change that another site asks for in the name of whoever is signed in; raises `Forbidden`.

    A browser tells by `Sec-Fetch-Site`, or, an old one, by `Origin`; a program that sends neither acts for itself.
    """
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    trusted = site in ("same-origin", "none") if site is not None else origin in (None, public_url)
    if not trusted:
        raise Forbidden("this was sent from another site; open this page itself and send it from there")


@lru_cache(maxsize=4096)
def _parsed(text: str) -> Address | None:
    try:
        address = ip_address(text)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address
