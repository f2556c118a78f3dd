"""`/documents/{id}/access`: who may read a document's page, until when, and who has."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from msgspec import UNSET
from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.documents import path_document_id
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.auth.page_protection import validate_page_password
from mdpublish_server.errors import ServiceError
from mdpublish_server.models import DocumentUpdate, checked
from mdpublish_server.services.editing import changed_fields
from mdpublish_server.services.publishing import stored_option
from mdpublish_server.services.workbench import PLACES
from mdpublish_server.storage import DocumentRecord
from mdpublish_server.web.account.documents import PATH, published_url
from mdpublish_server.web.account.notices import notice_of, redirect_with_notice
from mdpublish_server.web.forms import read_form
from mdpublish_server.web.page_context import Pages
from mdpublish_server.web.public.sharing import sharing_of
from mdpublish_server.web.public.workbench import DOWNLOADS

_FLAGS = ("show_source", "offer_pdf", "hide_badge")

_FIELDS = ("visibility", "slug", *_FLAGS, "readers", "password", "no_password", "expires_at")

_FORM_BYTES = 100_000  # a hundred addresses, escaped

_SEPARATOR = re.compile(r"[\s,;]+")


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderAccess:
    """A reader's new link, shown once."""

    reader: str
    url: str


class AccessPages(Pages):
    """The form, and the list of readers."""

    async def show(self, request: Request, auth: AuthenticatedRequest) -> Response:
        secret = await self._one_time_secrets.read(request)
        link = ReaderAccess(reader=secret.partition(" ")[0], url=secret.partition(" ")[2]) if secret else None
        return await self._page(request, auth, notice=notice_of(request), link=link)

    async def save(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id, form = path_document_id(request), {}
        try:
            form = await read_form(request, _FIELDS, max_bytes=_FORM_BYTES)
            await self._state.authenticator.require_rate(auth)
            stored = await self._state.documents.get(auth, document_id)
            if changes := _changes(form, stored):
                await self._state.documents.update(auth, document_id, DocumentUpdate(**changes))
        except ServiceError as error:
            return await self._page(request, auth, form=form, error=error)
        return redirect_with_notice(_path(document_id), "saved")

    async def make_link(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id, form = path_document_id(request), await read_form(request, ("reader",))
        reader = form.get("reader", "")
        try:
            url = await self._state.reading.make_link(auth, document_id, reader)
        except ServiceError as error:
            return await self._page(request, auth, error=error)
        return await self._one_time_secrets.redirect(_path(document_id), f"{reader} {url}")

    async def revoke(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Revoke the form's reader, or all without one."""
        document_id, form = path_document_id(request), await read_form(request, ("reader",))
        await self._state.reading.revoke(auth, document_id, form.get("reader"))
        return redirect_with_notice(_path(document_id), "readers")

    async def _page(
        self,
        request: Request,
        auth: AuthenticatedRequest,
        *,
        form: Mapping[str, str] | None = None,
        **values: Any,
    ) -> Response:
        document_id = path_document_id(request)
        document = await self._state.documents.get(auth, document_id)
        readers = await self._state.reading.list(auth, document_id)
        seen = {view.email: view.seen_at for view in readers.views}
        url = published_url(auth.account, document, public_url=self._state.settings.public_url)
        return self._site.page(
            "account/access.html",
            account=auth.account,
            document=document,
            url=url,
            sharing=sharing_of(url, title=document.title) if url else None,
            places=PLACES.values(),
            downloads=DOWNLOADS,
            form={**_form_of(document), **(form or {}), "password": ""},
            # Readers of a listed domain are shown once they have read it.
            readers=[(each, seen.get(each)) for each in dict.fromkeys((*readers.readers, *seen))],
            listed=readers.readers,
            linked=readers.linked,
            has_pro_options=auth.plan.has_pro_options,
            has_mail=self._state.mailer is not None,
            has_ended=document.expires_at is not None and document.expires_at <= self._state.clock(),
            **{"link": None, **values},
        )


def _path(document_id: str) -> str:
    return f"{PATH}/{document_id}/access"


def _form_of(document: DocumentRecord) -> dict[str, str]:
    return {
        "visibility": str(stored_option(document, "visibility")),
        "slug": document.slug or "",
        **{name: "yes" if stored_option(document, name) else "no" for name in _FLAGS},
        "readers": "\n".join(document.readers),
        "expires_at": document.expires_at.strftime("%Y-%m-%dT%H:%M") if document.expires_at else "",
    }


def _changes(form: Mapping[str, str], stored: DocumentRecord) -> dict[str, Any]:
    """Return what a form changes, or a field of it; raise `ValidationError`. Its times are in UTC, to the minute."""
    shown = _form_of(stored)
    expires_at = form.get("expires_at", shown["expires_at"]).strip()
    flags: dict[str, Any] = {name: form[name] == "yes" for name in _FLAGS if name in form}
    password: Any = form.get("password") or (None if "no_password" in form and stored.has_password else UNSET)
    update = checked(
        DocumentUpdate(
            visibility=form.get("visibility", UNSET),
            slug=form.get("slug") or UNSET,
            **flags,
            readers=tuple(filter(None, _SEPARATOR.split(form["readers"]))) if "readers" in form else UNSET,
            expires_at=UNSET if expires_at == shown["expires_at"] else expires_at or None,
        )
    )
    changes = changed_fields(update, stored)
    return changes if password is UNSET else {**changes, "password": validate_page_password(password)}
