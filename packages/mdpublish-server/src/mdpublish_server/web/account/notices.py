"""Notices after a redirect, by a code in the query, so that links cannot inject text."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.web.redirects import redirect

_NOTICES = {
    "saved": "Saved.",
    "merged": "Saved. Merged changes from another tab.",
    "held": "Saved, not published. Merged changes from another tab.",
    "published": "The document has been published.",
    "discarded": "The changes have been discarded. The text is among the revisions.",
    "restored": "The changes are back.",
    "several-published": "The documents have been published.",
    "several-unpublished": "The documents are no longer published. Publishing them again restores their URLs.",
    "several-deleted": "The documents have been deleted. For 30 days, they can be restored from the deleted documents.",
    "moved": "The document has been moved.",
    "several-moved": "The documents have been moved.",
    "duplicated": "This is the copy. It is not published.",
    "unpublished": "The document is no longer published. Publishing it again restores its URL.",
    "claimed": "The page is now in your account. It no longer expires, and its old URL redirects to the new one.",
    "deleted": "The document has been deleted. For 30 days, it can be restored from the deleted documents.",
    "undeleted": "The document has been restored.",
    "erased": "The document has been erased.",
    "readers": "Access has been revoked and the sessions have ended.",
    "revoked": "The key has been revoked and no longer works.",
    "disconnected": "The app has been disconnected. Its access has ended.",
    "session": "The browser has been signed out.",
    "username": "The username has been saved. The old URLs of your pages redirect to the new ones.",
    "language": "The default language has been saved. It applies to your pages at once.",
    "password": "The password has been changed. All other sessions have been signed out.",
}


def notice_of(request: Request) -> str | None:
    return _NOTICES.get(request.query_params.get("done", ""))


def status_of(code: str) -> str:
    """Return a notice as a script shows it beside the buttons."""
    return _NOTICES[code].removesuffix(".")


def path_with_notice(path: str, code: str) -> str:
    assert code in _NOTICES
    separator = "&" if "?" in path else "?"
    return f"{path}{separator}done={code}"


def path_of_claimed(document_id: str) -> str:
    return path_with_notice(f"/documents/{document_id}", "claimed")


def redirect_with_notice(path: str, code: str) -> Response:
    return redirect(path_with_notice(path, code))
