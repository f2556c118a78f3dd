"""CSRF protection."""

from starlette.requests import Request

from mdpublish_server.errors import Forbidden


def refuse_cross_site(request: Request) -> None:
    if request.headers.get("sec-fetch-site") == "cross-site":
        raise Forbidden("Cross-site request rejected; open this page directly and submit the form again")


def require_same_origin(request: Request, public_url: str) -> None:
    """Raise `Forbidden` for cross-site changes.

    Old browsers send only `Origin`, programs neither header.
    """
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    trusted = site in ("same-origin", "none") if site is not None else origin in (None, public_url)
    if not trusted:
        raise Forbidden("Cross-site request rejected; open this page directly and submit the form again")


def require_browser(request: Request, *site_urls: str) -> None:
    """Raise `Forbidden` unless a browser says that a page of this site sent the request."""
    site = request.headers.get("sec-fetch-site")
    if site != "same-origin" and (site is not None or request.headers.get("origin") not in site_urls):
        raise Forbidden("This address is for the site's own pages; programs use the API")
