"""CSRF protection: form posts and changes are accepted from the site itself only."""

from starlette.requests import Request

from mdpublish_server.errors import Forbidden


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
