"""Previews, clipboards and files of a document in its editor, in the size and templates that it may have."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core import Output
from mdpublish_server.api.documents import path_document_id
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.auth.csrf import require_browser
from mdpublish_server.auth.plans import require_template
from mdpublish_server.conversion.protocol import Compared, Placed
from mdpublish_server.errors import ServiceError
from mdpublish_server.services.workbench import PAGE
from mdpublish_server.services.working_copies import Working
from mdpublish_server.web.account.document import NEW_ID, DocumentPage
from mdpublish_server.web.account.document_form import DocumentForm, draft_of, form_of, read_document_form
from mdpublish_server.web.account.resumption import Resumption, signed_out
from mdpublish_server.web.page_context import PageContext
from mdpublish_server.web.public import workbench


class DocumentWorkbench(workbench.WorkbenchTargets):
    """The targets of a document's form."""

    def __init__(self, context: PageContext, *, resumption: Resumption, page: DocumentPage) -> None:
        super().__init__(context, of="account")
        self._page = page
        self._resumption = resumption

    async def preview_stored(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Show the stored text, which the form has at first, or the one that readers see."""
        try:
            place = workbench.checked_place(request.query_params.get("place", PAGE))
            working = await self._working(auth, request)
            if working is None or not working.shown.content:
                return self._site.frame(workbench.EMPTY, workbench.NOTHING)
            changed, published, compared = working.shown, working.document, None
            if "published" in request.query_params:
                working, compared = Working(document=published, copy=None), Compared(changed.content, "del")
            elif "changes" in request.query_params:
                compared = Compared(published.content, "ins")
            placed = await self._place(auth, form_of(working), working, place, compared)
        except ServiceError as error:
            return self._site.frame(PAGE, None, error=error)
        return self._site.frame(place.name, placed)

    async def download(self, request: Request, *, suffix: str) -> Response:
        require_browser(request)
        form = await read_document_form(request)
        auth = await self._sessions.request_of(request)
        if auth is None:
            path: str = request.scope["path"]
            return self._resumption.page(path.rpartition("/")[0], form, error=signed_out())
        try:
            placed = await self._placed(request, auth, form, workbench.DOWNLOADS[suffix])
        except ServiceError as error:
            return await self._page.refuse(request, auth, form, error)
        return workbench.file_response(form.content, placed, suffix)

    async def placed(self, request: Request, *, is_preview: bool = False) -> workbench.PlacedDraft:  # noqa: ARG002  (no other templates)
        require_browser(request)
        form = await read_document_form(request)
        auth = await self._sessions.request_of(request)
        if auth is None:
            raise signed_out()
        place = workbench.checked_place(form.place)
        return workbench.PlacedDraft(
            form.content, place.name, await self._placed(request, auth, form, place), form.known
        )

    async def _placed(
        self, request: Request, auth: AuthenticatedRequest, form: DocumentForm, output: Output | None
    ) -> Placed:
        return await self._place(auth, form, await self._working(auth, request), output)

    async def _working(self, auth: AuthenticatedRequest, request: Request) -> Working | None:
        """Return the stored document, None of a new one; raise `NotFound`."""
        if request.path_params["id"] == NEW_ID:
            return None
        return await self._state.working_copies.get(auth, path_document_id(request))

    async def _place(
        self,
        auth: AuthenticatedRequest,
        form: DocumentForm,
        working: Working | None,
        output: Output | None,
        compared: Compared | None = None,
    ) -> Placed:
        draft = draft_of(form, working.document if working else None)
        if working is None or form.template_id not in (working.shown.template_id, working.document.template_id):
            require_template(auth.plan, form.template_id)
        with self._throttle.hit(auth.account.id):
            return await self._state.workbench.place(
                draft,
                output,
                client_id=auth.account.id,
                plan=auth.plan,
                default_language=auth.account.default_language,
                compared=compared,
            )
