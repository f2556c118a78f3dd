"""`/documents/<id>/revisions`: former contents of a document, to read, compare and restore.

The service does the work, under the plan's rate, without counting against the monthly quota.
"""

import re
from collections.abc import Awaitable
from typing import Any
from urllib.parse import urlencode

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.documents import path_document_id
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.errors import NotFound, ServiceError
from mdpublish_server.services.workbench import PAGE
from mdpublish_server.web.forms import FORM_BYTES, read_form
from mdpublish_server.web.page_context import Pages
from mdpublish_server.web.redirects import redirect

_NUMBER = re.compile("[1-9][0-9]{0,8}")


class RevisionPages(Pages):
    """The list, one revision with its preview, a comparison, and the form that restores."""

    async def show(self, request: Request, auth: AuthenticatedRequest) -> Response:
        return await self._list(auth, path_document_id(request), restored=request.query_params.get("restored"))

    async def show_one(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id, number = _path_revision(request)
        former = await self._state.revisions.get(auth, document_id, number)
        return await self._page("account/revision.html", account=auth.account, former=former, path=_path(document_id))

    async def preview(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Show the page as it would be: a document of its own, for a frame."""
        document_id, number = _path_revision(request)
        try:
            placed = await self._state.revisions.preview(auth, document_id, number)
        except NotFound:
            raise
        except ServiceError as error:
            return self._site.frame(PAGE, None, error=error)
        return self._site.frame(PAGE, placed)

    async def compare(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id, number = _path_revision(request)
        former, comparison = await self._state.revisions.compare(auth, document_id, number)
        return await self._page(
            "account/comparison.html",
            account=auth.account,
            former=former,
            comparison=comparison,
            path=_path(document_id),
        )

    async def restore(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id, number = _path_revision(request)
        restoring = self._state.revisions.restore(auth, document_id, number)
        restored = f"?{urlencode({'restored': number})}"
        return await self._changed(auth, document_id, restoring, done=restored, refused="The text was not restored")

    async def name(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id, number = _path_revision(request)
        form = await read_form(request, ["name"], max_bytes=FORM_BYTES)
        limit = self._state.settings.document_revisions
        naming = self._state.revisions.name(auth, document_id, number, form.get("name", ""), limit=limit)
        return await self._changed(auth, document_id, naming, refused="The revision was not named")

    async def _changed(
        self, auth: AuthenticatedRequest, document_id: str, change: Awaitable[None], *, refused: str, done: str = ""
    ) -> Response:
        try:
            await change
        except NotFound:
            raise
        except ServiceError as error:
            return await self._list(auth, document_id, error=error, refused=refused)
        return redirect(f"{_path(document_id)}{done}")

    async def _page(self, template: str, **values: Any) -> Response:
        """Render in a thread: it takes tens of milliseconds for long contents."""
        return await to_thread.run_sync(lambda: self._site.page(template, **values))

    async def _list(
        self, auth: AuthenticatedRequest, document_id: str, *, restored: str | None = None, **values: Any
    ) -> Response:
        settings = self._state.settings
        history = await self._state.revisions.list(auth, document_id)
        # By its number, so that links cannot inject text. The oldest of a full list has given way to the current one.
        revisions = {str(revision.number): revision for revision in history.revisions}
        return self._site.page(
            "account/revisions.html",
            account=auth.account,
            history=history,
            is_restored=restored is not None and _NUMBER.fullmatch(restored) is not None,
            restored=revisions.get(restored or ""),
            limit=settings.document_revisions,
            minutes=settings.revision_minutes,
            path=_path(document_id),
            **{"refused": "", **values},
        )


def _path(document_id: str) -> str:
    return f"/documents/{document_id}/revisions"


def _path_revision(request: Request) -> tuple[str, int]:
    """Return document id and number; raise `NotFound` if they are malformed."""
    document_id = path_document_id(request)
    number: str = request.path_params["number"]
    if not _NUMBER.fullmatch(number):
        raise NotFound("No page at this URL")
    return document_id, int(number)
