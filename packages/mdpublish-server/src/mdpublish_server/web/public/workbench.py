"""What the workbench's form asks for while a text is written: previews, clipboards and files.

Only the site's own pages may ask, and a network has only so much CPU time a minute.
"""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from functools import partial
from typing import NamedTuple

from anyio import to_thread
from msgspec import json, structs
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_core import Output
from mdpublish_core.hosting.outputs import SAVED
from mdpublish_server.attachments import attachment
from mdpublish_server.auth.csrf import require_browser
from mdpublish_server.auth.plans import is_free_template
from mdpublish_server.conversion.converter import Share
from mdpublish_server.conversion.protocol import Placed
from mdpublish_server.errors import NotFound, ServiceError, ValidationError
from mdpublish_server.services import copy_pages
from mdpublish_server.services.workbench import COPIED, PAGE, PLACES
from mdpublish_server.storage.copy_pages import take_download
from mdpublish_server.validation.ip_addresses import client_network
from mdpublish_server.validation.validators import validate_markdown
from mdpublish_server.web.endpoints import Endpoint
from mdpublish_server.web.page_context import PageContext, Pages
from mdpublish_server.web.public.blocks import blocks_of
from mdpublish_server.web.public.draft_form import DraftForm, EmptyText, draft_of, read_draft_form
from mdpublish_server.web.public.sample import SAMPLE

Refuse = Callable[[Request, DraftForm, ServiceError], Awaitable[Response]]
"""Shows the form with an error."""

EMPTY = "empty"
"""The place of a text that there is none of."""

_EXPECTED = "<h1>The preview appears here while you write.</h1><p>Choose above where you will take the text.</p>"

NOTHING = Placed(title="Preview", html=_EXPECTED, plain_text=None, notices=())

DOWNLOADS: Mapping[str, Output | None] = {".md": None, **SAVED}
"""What files to download hold, by their suffix: None is the text itself."""

EXAMPLES = (
    (PLACES["google-docs"], None),
    (PLACES["slack"], ("Anna", "10:24")),
    (PLACES["email"], ("Mobile checkout", "to the team")),
)
"""The places that the landing page shows an excerpt in, as it is and as it is copied, with what is above it there."""

PRIVATE = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}

UNLISTED = PRIVATE | {"X-Robots-Tag": "noindex"}


class PlacedDraft(NamedTuple):
    """A text in its place."""

    content: str
    place: str
    placed: Placed
    known: str = ""
    """What the preview shows of an earlier version, as `blocks_of` takes it; empty if it takes whole pages."""


class WorkbenchTargets(Pages, ABC):
    """What the buttons of a workbench's form lead to; `of` is whose requests are counted."""

    def __init__(self, context: PageContext, *, of: str) -> None:
        super().__init__(context)
        self._throttle = self._state.site_throttle(of=of)

    @abstractmethod
    async def placed(self, request: Request, *, is_preview: bool = False) -> PlacedDraft:
        """Return the request's text in the place that its form chose; raise `ServiceError`.

        A preview may try any template.
        """

    @abstractmethod
    async def download(self, request: Request, *, suffix: str) -> Response:
        """Return the text as a file; if that is refused, the form with the text."""

    async def preview(self, request: Request) -> Response:
        """Show the text as it looks in its place: a document of its own, for a frame."""
        shown, container, known = NOTHING, "body", ""
        try:
            draft = await self.placed(request, is_preview=True)
        except EmptyText:
            frame = self._site.frame(EMPTY, NOTHING)
        except ServiceError as error:
            frame = self._site.frame(PAGE, None, error=error)
        else:
            frame, shown, known = self._site.frame(draft.place, draft.placed), draft.placed, draft.known
            container = "main" if draft.place == PAGE else "body"
        if request.headers.get("accept") != "application/json":
            return frame
        # For the script, which shows the notices beside the text, and how it arrives beside the button that copies it.
        html = bytes(frame.body).decode()
        page: Mapping[str, object] = {"html": html}
        if known:
            page = structs.asdict(await to_thread.run_sync(blocks_of, html, container, known))
        content = json.encode({**page, "notices": shown.notices, "delivery": shown.delivery, "words": shown.word_count})
        return Response(content, frame.status_code, PRIVATE, media_type="application/json")

    async def copy(self, request: Request) -> Response:
        """Return what the place's clipboard holds, for a script."""
        try:
            draft = await self.placed(request)
        except ServiceError as error:
            return refusal(error)
        return Response(json.encode(draft.placed), headers=PRIVATE, media_type="application/json")

    async def repair(self, request: Request) -> Response:
        """Return a text that was pasted, without what a chat window or a terminal spoiled, for a script."""
        require_browser(request)
        network = client_network(request)
        try:
            form = await read_draft_form(request)
            markdown = validate_markdown("the text", form.content)
            with self._throttle.hit(network):
                repaired = await self._state.converter.repair(markdown, share=Share.DEMO, client_id=network)
        except ServiceError as error:
            return refusal(error)
        return Response(json.encode(repaired), headers=PRIVATE, media_type="application/json")

    def downloads(self, base: str = "") -> dict[str, dict[str, Endpoint]]:
        """Return a route for each kind of file."""
        return {f"{base}/download{suffix}": {"POST": partial(self.download, suffix=suffix)} for suffix in DOWNLOADS}


class WorkbenchPages(WorkbenchTargets):
    """The targets of the landing page's form."""

    def __init__(self, context: PageContext, *, refuse: Refuse) -> None:
        super().__init__(context, of="network")
        self._refuse = refuse
        self._samples: dict[DraftForm, Placed] = {}

    async def preview_sample(self, request: Request, *, content: str) -> Response:
        """Show the sample, which the form has at first, or another text of the site."""
        query = request.query_params
        chosen = {name: query[name] for name in ("place", "template_id", "theme_mode") if name in query}
        try:
            placed = await self._sample(request, DraftForm(content=content, **chosen))
        except ServiceError as error:
            return self._site.frame(PAGE, None, error=error)
        return self._site.frame(chosen.get("place", PAGE), placed)

    async def _sample(self, request: Request, form: DraftForm) -> Placed:
        if form not in self._samples:
            # At most one for each text, place, free template and mode.
            draft, output = draft_of(form), checked_place(form.place)
            placed = await self._state.workbench.place(draft, output, client_id=client_network(request))
            self._samples[form] = placed
        return self._samples[form]

    async def download(self, request: Request, *, suffix: str) -> Response:
        require_browser(request)
        form = DraftForm()
        try:
            form = await read_draft_form(request)
            placed = await self._place(request, form, DOWNLOADS[suffix])
        except ServiceError as error:
            return await self._refuse(request, form, error)
        return file_response(form.content, placed, suffix)

    async def hand_over(self, request: Request) -> Response:
        """Return a file that an assistant made, once; what fails, or a HEAD request, leaves it there."""
        token, database, now = request.path_params["token"], self._state.database, self._state.clock()
        file = await database.read(copy_pages.find_file, token, now=now)
        if request.method == "HEAD":
            return Response(headers=UNLISTED, media_type="application/octet-stream")
        form = DraftForm(content=file.content, template_id=file.template_id, theme_mode=file.theme_mode)
        draft, output = draft_of(form, tries_template=True), DOWNLOADS[file.destination]
        network = client_network(request)
        with self._throttle.hit(network):
            placed = await self._state.workbench.place(draft, output, client_id=network)
        if not await database.write(take_download, file.token_hash):
            raise NotFound("This file was downloaded; ask your assistant for a new link")
        response = file_response(file.content, placed, file.destination)
        response.headers.update(UNLISTED)
        return response

    async def preview_page(self, request: Request, form: DraftForm) -> Placed:
        """Return a text as a page in any template, for another page of the site; raise `ServiceError`."""
        require_browser(request)
        return await self._place(request, form, COPIED[PAGE], tries_template=True)

    async def placed(self, request: Request, *, is_preview: bool = False) -> PlacedDraft:
        require_browser(request)
        form = await read_draft_form(request)
        output = checked_place(form.place)
        if is_preview and not form.content:
            # The sample shows what a text will become.
            template_id = form.template_id if is_free_template(form.template_id) else DraftForm().template_id
            shown = replace(form, content=SAMPLE, template_id=template_id, nonce="", known="")
            sample = await self._sample(request, shown)
            return PlacedDraft(
                "", output.name, structs.replace(sample, notices=(), delivery="", word_count=0), form.known
            )
        placed = await self._place(request, form, output, tries_template=is_preview and output.is_page)
        return PlacedDraft(form.content, output.name, placed, form.known)

    async def _place(
        self, request: Request, form: DraftForm, output: Output | None, *, tries_template: bool = False
    ) -> Placed:
        network = client_network(request)
        # Checked first, for any plan: a template may not exist.
        draft = draft_of(form, tries_template=True)
        auth = None if is_free_template(form.template_id) else await self._sessions.request_of(request)
        plan = auth.plan if auth and auth.plan.has_pro_options else None
        if plan is None and not tries_template:
            draft = draft_of(form)
        with self._throttle.hit(network):
            return await self._state.workbench.place(draft, output, client_id=network, plan=plan)


def refusal(error: ServiceError) -> Response:
    """Return what a script shows."""
    content = json.encode({"error": error.message})
    return Response(content, error.status, {**PRIVATE, **error.headers}, media_type="application/json")


def file_response(content: str, placed: Placed, suffix: str) -> Response:
    """Return a text, as it is placed in such files, as a file that is named after its title."""
    headers = PRIVATE | attachment(placed.title, suffix)
    output = DOWNLOADS[suffix]
    shown = placed.html or placed.plain_text or "" if output else content
    media_type = output.media_type if output and output.is_binary else "application/octet-stream"
    return Response(placed.file or shown.encode(), headers=headers, media_type=media_type)


def shown_place(name: str) -> str:
    """Return the place that a form names, the first instead of an unknown one."""
    return name if name in PLACES else PAGE


def checked_place(name: str) -> Output:
    """Raise `ValidationError`."""
    if name not in COPIED:
        raise ValidationError(f"place must be one of {', '.join(COPIED)} (got {name[:20]!r})")
    return COPIED[name]
