"""Redirects after a form: reload and the Back button repeat a GET, not the POST."""

from starlette.responses import RedirectResponse, Response


def redirect(path: str) -> Response:
    """Return an uncacheable redirect."""
    return RedirectResponse(path, status_code=303, headers={"Cache-Control": "no-store"})
