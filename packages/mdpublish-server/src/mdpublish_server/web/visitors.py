"""Visitors: a browser's sessions, of an account and as a reader."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.services.page_access import Visitor
from mdpublish_server.services.reading import READER_LIFETIME
from mdpublish_server.settings import Settings
from mdpublish_server.validation.cookies import read_cookie
from mdpublish_server.web.cookies import set_cookie

PRIVATE_HEADERS = {
    "Cache-Control": "private, no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
}
"""Headers of responses that not everybody may see."""


def visitor_of(request: Request, settings: Settings) -> Visitor:
    return Visitor(
        account_token=read_cookie(request, settings.session_cookie), reader_token=read_cookie(request, _name(settings))
    )


def moved(url: str, *, is_private: bool) -> Response:
    """Return the redirect of what a page had at a former address."""
    headers = {"Location": url, "Cache-Control": "no-cache", **(PRIVATE_HEADERS if is_private else {})}
    return Response(status_code=301, headers=headers)


def set_reader_token(response: Response, token: str, settings: Settings) -> None:
    set_cookie(response, settings, _name(settings), token, seconds=int(READER_LIFETIME.total_seconds()))


def _name(settings: Settings) -> str:
    return f"{settings.cookie_prefix}reader"
