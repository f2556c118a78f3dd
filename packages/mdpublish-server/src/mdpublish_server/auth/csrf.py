"""CSRF protection."""

from starlette.requests import Request

from mdpublish_server.errors import Forbidden


def require_same_origin(request: Request, *site_urls: str) -> None:
    """Raise `Forbidden` for changes from origins but `site_urls`. Old browsers send only `Origin`, programs neither."""
    site = request.headers.get("sec-fetch-site")
    origin = request.headers.get("origin")
    trusted = site in ("same-origin", "none") if site is not None else origin in (None, *site_urls)
    if not trusted:
        raise Forbidden(f"Cross-site request rejected; open the page at {site_urls[0]} and submit the form again")


def require_browser(request: Request) -> None:
    """Raise `Forbidden` unless a browser says that a page sent the request; `require_same_origin` tells whose."""
    site = request.headers.get("sec-fetch-site")
    if site != "same-origin" and (site is not None or "origin" not in request.headers):
        raise Forbidden("This address is for the site's own pages; programs use the API")
