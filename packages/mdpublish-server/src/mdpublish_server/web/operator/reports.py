"""`/operator/reports`: reported pages, and decisions on them."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.errors import ValidationError
from mdpublish_server.services import reports
from mdpublish_server.services.reports import REASONS
from mdpublish_server.web.forms import read_form
from mdpublish_server.web.page_context import Pages
from mdpublish_server.web.public.sources import HEADERS
from mdpublish_server.web.redirects import redirect

_FORM_BYTES = 1_000

_DECISIONS = {"take_down": reports.take_down, "dismiss": reports.dismiss}

# Notices after a decision.
_DONE = {"take_down": "The page has been taken down.", "dismiss": "The reports have been closed."}


class Reports(Pages):
    """The list of reported pages, and the page of one."""

    async def list(self, request: Request, auth: AuthenticatedRequest) -> Response:
        pages = await self._state.database.read(reports.reported_pages)
        return self._site.page(
            "operator/reports.html",
            account=auth.account,
            pages=pages,
            reasons=REASONS,
            done=_DONE.get(request.query_params.get("done", "")),
        )

    async def show(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id: str = request.path_params["document_id"]
        page = await self._state.database.read(reports.reported_page, document_id)
        return self._site.page("operator/report.html", account=auth.account, page=page, reasons=REASONS)

    async def source(self, request: Request, _auth: AuthenticatedRequest) -> Response:
        """Return the Markdown of a reported page, which its owner may not show to others."""
        document_id: str = request.path_params["document_id"]
        source = await self._state.database.read(reports.reported_source, document_id)
        return Response(source, media_type="text/markdown", headers={**HEADERS, "Cache-Control": "no-store"})

    async def decide(self, request: Request, _auth: AuthenticatedRequest) -> Response:
        document_id: str = request.path_params["document_id"]
        form = await read_form(request, ("decision",), max_bytes=_FORM_BYTES)
        decision = form.get("decision", "")
        if decision not in _DECISIONS:
            raise ValidationError("Choose whether to take the page down")
        now, decide = self._state.clock(), _DECISIONS[decision]
        await self._state.database.write_reserved(decide, document_id, now=now)
        return redirect(f"/operator/reports?done={decision}")
