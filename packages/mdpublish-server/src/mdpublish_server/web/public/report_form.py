"""`/report`: the form to report a page to the operator."""

from collections.abc import Mapping

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from mdpublish_server.errors import ServiceError
from mdpublish_server.ratelimit.hourly_limit import HourlyLimit
from mdpublish_server.services.page_serving import find_visible_page
from mdpublish_server.services.reports import DETAILS_CHARACTERS, REASONS, report_page
from mdpublish_server.storage import ResolvedPage
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.web.forms import read_form
from mdpublish_server.web.page_context import PageContext, Pages
from mdpublish_server.web.visitors import visitor_of

_FORM_BYTES = 50_000

_REPORTS_PER_HOUR = 20  # per network


class ReportForm(Pages):
    """The form and its submission."""

    def __init__(self, context: PageContext) -> None:
        super().__init__(context)
        self._limit = HourlyLimit(_REPORTS_PER_HOUR, "reports", self._state.clock)

    async def show(self, request: Request) -> Response:
        """Show the form for the page at the path `page`; raise `NotFound` or `Expired`."""
        page = await self._page(request, request.query_params.get("page", ""))
        return await self._form(request, page, {})

    async def submit(self, request: Request) -> Response:
        form = await read_form(request, ("page", "reason", "details", "email"), max_bytes=_FORM_BYTES)
        # Browsers send CR LF.
        form["details"] = form.get("details", "").replace("\r\n", "\n")
        page = await self._page(request, form.get("page", ""))
        reason, details, email = form.get("reason", ""), form["details"], form.get("email", "").strip()
        now = self._state.clock()
        try:
            self._limit.hit(client_network(request))
            await self._state.database.write(report_page, page, reason=reason, details=details, email=email, now=now)
        except ServiceError as error:
            return await self._form(request, page, form, error=error)
        return RedirectResponse("/report/thanks", status_code=303, headers={"Cache-Control": "no-store"})

    async def thank(self, request: Request) -> Response:
        return self._site.page("public/reported.html", account=await self._sessions.account_if_known(request))

    async def _page(self, request: Request, path: str) -> ResolvedPage:
        now, visitor = self._state.clock(), visitor_of(request, self._state.settings)
        return await self._state.database.read(find_visible_page, path, now, visitor)

    async def _form(
        self, request: Request, page: ResolvedPage, form: Mapping[str, str], *, error: ServiceError | None = None
    ) -> Response:
        return self._site.page(
            "public/report.html",
            account=await self._sessions.account_if_known(request),
            page=page,
            reasons=REASONS,
            reason=form.get("reason", ""),
            details=form.get("details", ""),
            email=form.get("email", ""),
            limit=DETAILS_CHARACTERS,
            error=error,
        )
