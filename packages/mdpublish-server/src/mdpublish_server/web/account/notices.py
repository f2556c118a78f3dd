"""Notices after a redirect, by a code in the query, so that links cannot inject text."""

import tomllib
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.web.redirects import redirect

_NOTICES: dict[str, str] = tomllib.loads(Path(__file__).with_name("notices.toml").read_text("utf-8"))


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
