"""`/operator/invitations`: list, create and revoke invitations."""

from datetime import timedelta
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.errors import ServiceError, ValidationError
from mdpublish_server.services import invitations
from mdpublish_server.storage import Account
from mdpublish_server.web.forms import read_form
from mdpublish_server.web.page_context import Pages
from mdpublish_server.web.redirects import redirect

_FORM_BYTES = 5_000

_PATH = "/operator/invitations"


class Invitations(Pages):
    """The list and its forms."""

    async def show(self, request: Request, auth: AuthenticatedRequest) -> Response:
        token = await self._one_time_secrets.read(request)
        link = None if token is None else f"{self._state.settings.dashboard_url}{invitations.invitation_path(token)}"
        return await self._page(auth.account, link=link, was_revoked=request.query_params.get("done") == "revoked")

    async def create(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Create an invitation and show its link, once."""
        form = await read_form(request, ("note", "days"), max_bytes=_FORM_BYTES)
        now = self._state.clock()
        try:
            lifetime = _checked_days(form.get("days", ""))
            token = await self._state.database.write(
                invitations.invite, note=form.get("note", ""), now=now, lifetime=lifetime
            )
        except ServiceError as error:
            return await self._page(auth.account, error=error, form=form)
        return await self._one_time_secrets.redirect(_PATH, token)

    async def revoke(self, request: Request, _auth: AuthenticatedRequest) -> Response:
        invitation_id: str = request.path_params["id"]
        await self._state.database.write(invitations.revoke, invitation_id)
        return redirect(f"{_PATH}?done=revoked")

    async def _page(self, account: Account, *, form: dict[str, str] | None = None, **values: Any) -> Response:
        pending = await self._state.database.read(invitations.list_invitations, now=self._state.clock())
        sent = form or {}
        return self._site.page(
            "operator/invitations.html",
            account=account,
            registration=self._state.settings.registration,
            invitations=[(invitations.id_of(each), each) for each in pending],
            note=sent.get("note", ""),
            days=sent.get("days", str(invitations.INVITATION_LIFETIME.days)),
            max_days=invitations.INVITATION_DAYS[-1],
            max_note_characters=invitations.NOTE_CHARACTERS,
            **{"link": None, "was_revoked": False, **values},
        )


def _checked_days(days: str) -> timedelta:
    number = int(days) if days.isascii() and days.isdigit() and len(days) <= 4 else 0
    allowed = invitations.INVITATION_DAYS
    if number not in allowed:
        raise ValidationError(f"days must be a whole number from {allowed[0]} to {allowed[-1]} (got {days[:20]!r})")
    return timedelta(days=number)
