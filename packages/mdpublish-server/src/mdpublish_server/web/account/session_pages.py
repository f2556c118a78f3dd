"""`/account/sessions`: the browsers that are signed in, until they are signed out; `/account/activity`: what was done."""

import re
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.auth.authentication import AuthenticatedRequest, secret_hash
from mdpublish_server.services.accounts import end_access, end_session
from mdpublish_server.services.security_mails import SIGNED_OUT
from mdpublish_server.storage.audit import LAST, SENTENCES, events_of_account
from mdpublish_server.storage.keys import list_sessions
from mdpublish_server.web.account.notices import notice_of, redirect_with_notice
from mdpublish_server.web.page_context import Pages

_PAGE_EVENTS = 50


class SessionPages(Pages):
    """The list, and its buttons."""

    PATH = "/account/sessions"
    ACTIVITY = "/account/activity"

    async def show(self, request: Request, auth: AuthenticatedRequest) -> Response:
        current = secret_hash(self._sessions.token_of(request) or "")
        sessions = await self._state.database.read(list_sessions, auth.account.id, now=auth.now)
        return self._site.page(
            "account/sessions.html",
            account=auth.account,
            sessions=sorted(sessions, key=lambda session: session.token_hash != current),
            current=current,
            notice=notice_of(request),
        )

    async def show_activity(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Show what the audit log has of the account, the newest first."""
        given, size = request.query_params.get("before", ""), _PAGE_EVENTS
        before = int(given) if re.fullmatch("[0-9]{1,18}", given) else LAST
        events = await self._state.database.read(events_of_account, auth.account.id, before=before, limit=size + 1)
        values: dict[str, Any] = {"events": events, "size": size, "sentences": SENTENCES}
        return self._site.page("account/activity.html", account=auth.account, **values)

    async def end(self, request: Request, auth: AuthenticatedRequest) -> Response:
        await self._state.database.write_reserved(end_session, auth.account, request.path_params["id"], now=auth.now)
        return redirect_with_notice(self.PATH, "session")

    async def end_all(self, request: Request, auth: AuthenticatedRequest) -> Response:
        await self._state.database.write_reserved(end_access, auth.account)
        await self._tell(SIGNED_OUT, auth.account, request)
        return await self._sessions.end(request, path="/signin")
