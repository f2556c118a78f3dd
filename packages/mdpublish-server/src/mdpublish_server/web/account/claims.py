"""`/claim/<token>`: a demo's owner link, to share, copy, keep or delete it. The token is the only authorization."""

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.errors import Expired, NotFound, ServiceError, Unauthorized
from mdpublish_server.services.email_tokens import SIGN_UP
from mdpublish_server.services.registration import OPEN
from mdpublish_server.services.workbench import PLACES
from mdpublish_server.storage import Account
from mdpublish_server.validation.browsers import place_of
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.web.account.notices import path_of_claimed
from mdpublish_server.web.account.sessions import HOME
from mdpublish_server.web.forms import FORM_BYTES, read_form
from mdpublish_server.web.page_context import Pages
from mdpublish_server.web.public.sharing import sharing_of
from mdpublish_server.web.public.workbench import DOWNLOADS
from mdpublish_server.web.redirects import redirect

_TOKEN_CHARACTERS = 200  # tokens have 36; longer ones are not looked up


class ClaimPages(Pages):
    """The owner link's page and its forms."""

    async def show(self, request: Request) -> Response:
        return await self._page(_token_of(request), await self._sessions.account_of(request))

    async def claim(self, request: Request) -> Response:
        """Keep the demo: for the signed-in account, or for the one that the form signs in to or opens."""
        token = _token_of(request)
        account = await self._sessions.account_of(request)
        form: dict[str, str] = {}
        if account is not None:
            return await self._keep(request, token, account, None)
        try:
            form = await read_form(request, ("email", "password"), max_bytes=FORM_BYTES)
            # Before an account is opened.
            await self._state.demos.owned(token)
            entered = await self._enter(request, token, form)
        except (NotFound, Expired) as error:
            return self._gone(error, form)
        except ServiceError as error:
            return await self._page(token, None, error=error, email=form.get("email", ""))
        return entered if isinstance(entered, Response) else await self._keep(request, token, *entered)

    async def _enter(self, request: Request, token: str, form: dict[str, str]) -> tuple[Account, str] | Response:
        """Begin a session, maybe of a new account; where its email address needs confirming, send a link instead."""
        if "email" not in form:
            # Sent by a page that was signed in when it was shown.
            raise Unauthorized("You are signed out; enter your email address and password to keep the page")
        try:
            account = await self._context.sign_in.authenticate(request, form["email"], form.get("password", ""))
        except Unauthorized:
            if self._state.settings.registration != OPEN:
                raise
        else:
            return account, await self._sessions.new_token(request, account)
        applicant = await self._context.applications.check(form, None, network=client_network(request))
        if self._context.applications.mailer is not None:
            path, query = f"{claim_path(token)}/sent", {"claim": await self._state.page_keeper.seal(token)}
            return await self._context.applications.send_confirmation(request, applicant, path, query)
        entry = await self._state.page_keeper.open_account(
            applicant, place=place_of(request), replaces=self._sessions.token_of(request)
        )
        await self._context.sign_in.forgive(request, applicant.email)
        return entry

    async def _keep(self, request: Request, token: str, account: Account, session_token: str | None) -> Response:
        try:
            publication = await self._state.page_keeper.keep(account, token)
        except (NotFound, Expired) as error:
            response = self._site.error(error, account=account)
        except ServiceError as error:
            response = await self._page(token, account, error=error)
        else:
            response = redirect(path_of_claimed(publication.document.id))
        if session_token is not None:
            await self._sessions.set_token(request, response, session_token, account.email)
        return response

    def _gone(self, error: ServiceError, form: dict[str, str]) -> Response:
        """Say that the page cannot be kept; an account can still be opened with what was typed."""
        if not form.get("email") or self._state.settings.registration != OPEN:
            return self._site.error(error, account=None)
        return self._site.page(
            "account/signup.html", error=error, email=form["email"], username="", action="/signup", next_path=HOME
        )

    async def show_sent(self, request: Request) -> Response:
        """Say that a link was sent, whose page keeps the demo."""
        demo = await self._state.demos.owned(_token_of(request))
        return await self._sent(request, SIGN_UP, demo=demo)

    async def confirm_deletion(self, request: Request) -> Response:
        token = _token_of(request)
        demo = await self._state.demos.owned(token)
        account = await self._sessions.account_if_known(request)
        return self._site.page("account/demo_deletion.html", account=account, demo=demo, claim_path=claim_path(token))

    async def delete(self, request: Request) -> Response:
        await self._state.demos.delete(_token_of(request))
        return redirect("/?done=deleted")

    async def _page(
        self, token: str, account: Account | None, *, error: ServiceError | None = None, email: str = ""
    ) -> Response:
        demo = await self._state.demos.owned(token)
        return self._site.page(
            "account/claim.html",
            error=error,
            sharing=sharing_of(demo.url, title=demo.document.title),
            demo=demo,
            places=PLACES.values(),
            downloads=DOWNLOADS,
            claim_path=claim_path(token),
            account=account,
            email=email,
            is_open=self._state.settings.registration == OPEN,
        )


def claim_path(token: str) -> str:
    return f"/claim/{token}"


def _token_of(request: Request) -> str:
    token: str = request.path_params["token"]
    if len(token) > _TOKEN_CHARACTERS:
        raise NotFound("No page at this URL")
    return token
