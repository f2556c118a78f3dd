"""A private page for who may not see it: forms for an address, a mail's code or a password; `/read` takes them."""

import re
from functools import partial
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.errors import NotFound, ServiceError
from mdpublish_server.services.mailer import Email, written_mail
from mdpublish_server.services.page_access import Question
from mdpublish_server.services.reading import LINK_LIFETIME, Client, Opened
from mdpublish_server.settings import Settings
from mdpublish_server.validation.ip_addresses import guesser_networks
from mdpublish_server.web.forms import FORM_BYTES, path_token, read_form
from mdpublish_server.web.page_context import Pages
from mdpublish_server.web.redirects import redirect
from mdpublish_server.web.site import Site
from mdpublish_server.web.visitors import PRIVATE_HEADERS, set_reader_token, visitor_of

PATH = "/read"

SENT = f"{PATH}/sent"

# The page is linked: no other site.
_PATH = re.compile(r"/(u/[a-z0-9-]{1,30}|d)/[a-z0-9-]{1,60}")

_MINUTES = int(LINK_LIFETIME.total_seconds()) // 60


def locked_page(
    site: Site, settings: Settings, path: str, asks: str, *, error: ServiceError | None = None, action: str = PATH
) -> Response:
    """Return the same for everybody who may not see the page, whatever is at `path`."""
    response = site.page(
        "public/locked.html",
        runs_scripts=False,
        error=error,
        path=path,
        asks=asks,
        action=action,
        minutes=_MINUTES,
        has_mail=settings.smtp_url is not None,
        domain_mails=settings.domain_code_mails,
    )
    response.headers.update(PRIVATE_HEADERS)
    return response


class ReaderPages(Pages):
    """The forms' targets, and the links of mails and owners."""

    async def submit(self, request: Request) -> Response:
        """Ask for a mail, enter its code or unlock a page by its password."""
        form = await read_form(request, ("page", "address", "code", "password"), max_bytes=FORM_BYTES)
        path, reading = form.get("page", ""), self._state.reading
        by = await self._client(request)
        asks: Question = "password" if "password" in form else "address"
        try:
            if "address" in form:
                compose = partial(_mail, site=self._site, service_name=self._state.settings.service_name)
                browser = await reading.ask(path, form["address"].strip(), by=by, compose=compose)
                response = redirect(f"{SENT}?page={path}")
                set_reader_token(response, browser, self._state.settings)
                return response
            if asks == "password":
                return await self._opened(request, await reading.unlock(path, form["password"], by=by))
            return await self._opened(request, await reading.enter_code(path, form.get("code", ""), by=by))
        except ServiceError as error:
            if error.status in (404, 410):
                raise
            missing = "code" if "code" in form and asks == "address" else asks
            return self._locked(path, missing, error=error)

    async def show_sent(self, request: Request) -> Response:
        path = request.query_params.get("page", "")
        if not _PATH.fullmatch(path):
            raise NotFound("No page at this URL")
        return self._locked(path, "code")

    async def show_link(self, request: Request) -> Response:
        """Open the page in the browser that asked; elsewhere, ask for the code or a press of the owner's button."""
        opened = await self._state.reading.follow(path_token(request), browser=(await self._client(request)).token)
        return await self._link_form(request) if opened is None else await self._opened(request, opened)

    async def use_link(self, request: Request) -> Response:
        form = await read_form(request, ("code",), max_bytes=FORM_BYTES)
        try:
            opened = await self._state.reading.enter(
                path_token(request), form.get("code", ""), by=await self._client(request)
            )
        except ServiceError as error:
            if error.status in (404, 410):
                raise
            return await self._link_form(request, error=error)
        return await self._opened(request, opened)

    async def _link_form(self, request: Request, *, error: ServiceError | None = None) -> Response:
        token = path_token(request)
        asks = "link code" if await self._state.reading.needs_code(token) else "link"
        return self._locked("", asks, error=error, action=f"{PATH}/{token}")

    def _locked(self, path: str, asks: str, *, error: ServiceError | None = None, action: str = PATH) -> Response:
        return locked_page(self._site, self._state.settings, path, asks, error=error, action=action)

    async def _opened(self, request: Request, opened: Opened) -> Response:
        response = redirect(opened.path)
        if opened.target is not None:
            await self._context.devices.remember(request, response, opened.target)
        set_reader_token(response, opened.token, self._state.settings)
        return response

    async def _client(self, request: Request) -> Client:
        token = visitor_of(request, self._state.settings).reader_token
        device = await self._context.devices.read(request)
        return Client(token=token, networks=guesser_networks(request), device=device)


def _mail(email: str, url: str, code: str, page: str, *, site: Site, service_name: str) -> Email:
    values: dict[str, Any] = {"url": url, "code": f"{code[:4]}-{code[4:]}", "page": page, "minutes": _MINUTES}
    return written_mail(
        "reading", email, html=site.render_text("mail/reading.html", **values), service=service_name, **values
    )
