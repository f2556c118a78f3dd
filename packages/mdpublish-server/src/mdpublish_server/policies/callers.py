"""Who may call: what is known of a request's sender, and what is refused because of it."""

from ipaddress import ip_address

from starlette.requests import Request

from mdpublish_server.errors import Forbidden, Unauthorized

# A proxy on this computer makes every client look like a local one; these headers give it away.
_PROXY_HEADERS = ("forwarded", "via", "x-forwarded-for", "x-real-ip")


def require_loopback(request: Request) -> None:
    """Refuse a caller on another computer; raises `Unauthorized`."""
    if not _is_on_loopback(request):
        message = "this call is open to clients on the service's own computer (loopback) only"
        raise Unauthorized(message, headers={"WWW-Authenticate": "Bearer"})


def refuse_cross_site(request: Request) -> None:
    """Refuse a form that another site sent, as the browser tells; raises `Forbidden`."""
    if request.headers.get("sec-fetch-site") == "cross-site":
        raise Forbidden("this form was sent from another site; open this page itself and send it from there")


def _is_on_loopback(request: Request) -> bool:
    if request.client is None or any(name in request.headers for name in _PROXY_HEADERS):
        return False
    try:
        address = ip_address(request.client.host)
    except ValueError:
        return False
    mapped = getattr(address, "ipv4_mapped", None)
    return (mapped or address).is_loopback
