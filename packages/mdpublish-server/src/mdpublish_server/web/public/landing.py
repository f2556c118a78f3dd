"""The workbench for everybody.

`/` has its form, which publishes, for guests, and a new document for members; `/workbench` has a form with a text from
another page; `/published/<identifier>` the result.
"""

from collections.abc import Mapping
from dataclasses import asdict, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from msgspec import json
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core import list_templates
from mdpublish_core.hosting.outputs import THEME_MODES
from mdpublish_server.errors import ServiceError
from mdpublish_server.services import copy_pages
from mdpublish_server.services.workbench import PLACES
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.validation.validators import MARKDOWN_BYTES
from mdpublish_server.web.account.document import DocumentPage
from mdpublish_server.web.account.document_form import PUBLISH, DocumentForm
from mdpublish_server.web.forms import path_token
from mdpublish_server.web.nonces import new_nonce, usable_nonce
from mdpublish_server.web.page_context import PageContext, Pages
from mdpublish_server.web.public.draft_form import DraftForm, draft_of, locked_templates, read_draft_form
from mdpublish_server.web.public.receipts import read_receipt, receipt_of
from mdpublish_server.web.public.sample import EXCERPT, SAMPLE, sample_words
from mdpublish_server.web.public.sharing import sharing_of
from mdpublish_server.web.public.workbench import DOWNLOADS, EXAMPLES, shown_place
from mdpublish_server.web.redirects import redirect

# Notices by their code in the query.
_NOTICES = {
    "deleted": "The page and its text have been deleted.",
    "goodbye": "Your account and all its data have been deleted.",
}


class Landing(Pages):
    """The form, and the page after publishing; members have `documents`."""

    def __init__(self, context: PageContext, *, documents: DocumentPage) -> None:
        super().__init__(context)
        self._documents = documents

    async def show(self, request: Request) -> Response:
        notice = _NOTICES.get(request.query_params.get("done", ""))
        if (account := await self._sessions.account_if_known(request)) is not None:
            auth = self._state.authenticator.session_request(account)
            return await self._documents.show_new(request, auth, notice=notice)
        form = DraftForm(content=SAMPLE, nonce=new_nonce(), **_chosen(request.query_params))
        return await self._page(request, form, notice=notice)

    async def resume(self, request: Request) -> Response:
        """Show a text that another page's form carries, with the template that was chosen there."""
        form = await read_draft_form(request)
        return await self._page(request, replace(form, nonce=new_nonce(), content=form.content or SAMPLE))

    async def show_copy_page(self, request: Request) -> Response:
        """Show a text that an assistant hands over, for the destination that it named."""
        token: str = request.path_params["token"]
        page = await self._state.database.read(copy_pages.find, token, now=self._state.clock())
        style = _chosen({"template_id": page.template_id, "theme_mode": page.theme_mode})
        form = DraftForm(content=page.content, place=page.destination, nonce=new_nonce(), **style)
        response = await self._page(request, form, notice="Your assistant wrote this. The link works for an hour.")
        response.headers["X-Robots-Tag"] = "noindex"
        return response

    async def publish(self, request: Request) -> Response:
        """Publish, as a document of a member's account, and redirect; if it is refused, the text stays in the form."""
        form = DraftForm()
        network = client_network(request)
        try:
            form = await read_draft_form(request)
            if (auth := await self._sessions.request_of(request)) is not None:
                return await self._documents.create(request, auth, DocumentForm(**asdict(form), do=PUBLISH))
            names, notices = await self._state.demos.publish_once(
                draft_of(form),
                nonce=usable_nonce(form.nonce),
                client_id=network,
                admit=partial(self._state.demo_limit.hit, network),
            )
        except ServiceError as error:
            return await self._page(request, form, error=error)
        receipt = json.encode(receipt_of(names.claim_token, notices)).decode()
        return await self._one_time_secrets.redirect(f"/published/{names.identifier}", receipt)

    async def show_demo(self, request: Request) -> Response:
        """Show a demo's text to who has its owner link, to edit it in place."""
        document = (await self._state.demos.owned(path_token(request))).document
        style = {"template_id": document.template_id, "theme_mode": document.theme_mode}
        return await self._page(request, DraftForm(content=document.content, **style), demo_id=document.id)

    async def edit_demo(self, request: Request) -> Response:
        """Replace what a demo shows; whatever is refused, the text stays in the form."""
        form, token, network = DraftForm(), path_token(request), client_network(request)
        demo = await self._state.demos.owned(token)
        try:
            form = await read_draft_form(request)
            draft = draft_of(form)
            self._state.demo_limit.hit(network)
            await self._state.demos.edit(token, draft, client_id=network)
        except ServiceError as error:
            return await self._page(request, form, error=error, demo_id=demo.document.id)
        return redirect(request.scope["path"].removesuffix("/edit"))

    async def refuse(self, request: Request, form: DraftForm, error: ServiceError) -> Response:
        """Show the form with its text and the error."""
        return await self._page(request, form, error=error)

    async def show_published(self, request: Request) -> Response:
        """Show how to share a new demo; to the browser that published it, also what its owner can do."""
        identifier: str = request.path_params["identifier"]
        receipt = read_receipt(await self._one_time_secrets.read(request))
        account = await self._sessions.account_if_known(request)
        if receipt is None:
            sharing = sharing_of(await self._state.demos.url_of(identifier), title=None)
            return self._site.page("public/published.html", account=account, demo=None, sharing=sharing)
        demo = await self._state.demos.owned(receipt.claim_token)
        claim_path = f"/claim/{receipt.claim_token}"
        return self._site.page(
            "public/published.html",
            account=account,
            demo=demo,
            sharing=sharing_of(demo.url, title=demo.document.title),
            receipt=receipt,
            places=PLACES.values(),
            downloads=DOWNLOADS,
            claim_path=claim_path,
            claim_url=f"{self._state.settings.dashboard_url}{claim_path}",
        )

    async def _page(self, request: Request, form: DraftForm, *, demo_id: str | None = None, **values: Any) -> Response:
        place = shown_place(form.place)
        account = await self._sessions.account_if_known(request)
        plan = self._state.authenticator.session_request(account).plan if account else None
        templates = list_templates() if plan else list_templates("free")
        is_sample = form.content == SAMPLE
        return self._site.page(
            "public/landing.html",
            account=account,
            base="",
            action=request.scope["path"] if demo_id else "/",
            demo_id=demo_id,
            frame=_sample_url(place, form),
            form=form,
            is_sample=is_sample,
            words=sample_words() if is_sample else "",
            has_sample=True,
            max_bytes=MARKDOWN_BYTES,
            read_only=None,
            places=PLACES.values(),
            place_shown=place,
            downloads=DOWNLOADS,
            templates=templates,
            locked=locked_templates(plan) if plan else (),
            theme_modes=THEME_MODES,
            examples=EXAMPLES,
            excerpt=EXCERPT,
            **values,
        )


def _chosen(values: Mapping[str, str]) -> dict[str, str]:
    """Return the template and the mode of `values`, where the form offers them."""
    offered = {"template_id": [each.id for each in list_templates("free")], "theme_mode": THEME_MODES}
    return {name: values[name] for name, choices in offered.items() if values.get(name) in choices}


def _sample_url(place: str, form: DraftForm) -> str:
    first = asdict(DraftForm())
    changed = {name: value for name, value in _chosen(asdict(form)).items() if value != first[name]}
    return f"/preview/sample?{urlencode({'place': place, **changed})}"
