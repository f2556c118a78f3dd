"""Notices after a redirect, by a code in the query, so that links cannot inject text."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.web.account.sessions import redirect

_NOTICES = {
    "published": "The document is published.",
    "unpublished": "The document is not published any more. Publishing it again gives it the same address.",
    "claimed": "The page is yours. It has a new address, to which the old one redirects, and stays for good.",
    "deleted": "The document is deleted.",
    "revoked": "The key is revoked. Nothing can use it any more.",
    "username": "The username is set. Pages that had another address redirect to their new one.",
    "password": "The password is changed. All other sessions of this account have ended.",
}


def notice_of(request: Request) -> str | None:
    return _NOTICES.get(request.query_params.get("done", ""))


def redirect_with_notice(path: str, code: str) -> Response:
    assert code in _NOTICES
    separator = "&" if "?" in path else "?"
    return redirect(f"{path}{separator}done={code}")
