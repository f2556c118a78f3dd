"""`/documents/new`, `/documents/{id}`: a document on the workbench."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from mdpublish_core import list_templates
from mdpublish_core.hosting import PAGE_WIDTHS, THEME_MODES
from mdpublish_server.api.documents import path_document_id
from mdpublish_server.api.responses import error_response, json_response
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.auth.plans import Plan, is_free_template
from mdpublish_server.errors import NotFound, ServiceError, ValidationError
from mdpublish_server.models import ErrorDetail
from mdpublish_server.services.documents import RevisionConflict, Update, document_limit, is_read_only, read_only
from mdpublish_server.services.editing import changed_fields, normalized
from mdpublish_server.services.publishing import page_limit
from mdpublish_server.services.revision_history import UpdateKind
from mdpublish_server.services.workbench import PLACES
from mdpublish_server.storage import DocumentRecord
from mdpublish_server.validation.validators import CONTENT_BYTES, VISIBILITIES
from mdpublish_server.web.account.document_form import (
    AUTOSAVE,
    EDITED_FIELDS,
    PUBLISH,
    SAVE,
    START,
    UNPUBLISH,
    DocumentForm,
    completed,
    edit_of,
    form_of,
    new_document_of,
    new_form,
    rest_of,
)
from mdpublish_server.web.account.documents import PATH, published_url
from mdpublish_server.web.account.notices import notice_of, redirect_with_notice
from mdpublish_server.web.account.resumption import is_from_script
from mdpublish_server.web.nonces import new_nonce, usable_nonce
from mdpublish_server.web.page_context import Pages
from mdpublish_server.web.public.workbench import DOWNLOADS, shown_place

NEW_ID = "new"
"""In place of an id, in paths of a document that is not stored yet."""

NEW = f"{PATH}/{NEW_ID}"

_DONE = {SAVE: "saved", PUBLISH: "published", UNPUBLISH: "unpublished"}


class DocumentPage(Pages):
    """Creates, shows and saves a document."""

    async def show_new(self, request: Request, auth: AuthenticatedRequest) -> Response:
        return self._page(auth, replace(new_form(new_nonce()), **_chosen(request.query_params, auth.plan)))

    async def show(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document = await self._state.documents.get(auth, path_document_id(request))
        return await self._stored_page(auth, form_of(document), document, notice=notice_of(request))

    async def create(self, request: Request, auth: AuthenticatedRequest, form: DocumentForm) -> Response:
        """Create a document and redirect to it; whatever is refused, the text stays in the form."""
        if form.do == START and not form.content:
            chosen = {"template_id": form.template_id, "theme_mode": form.theme_mode}
            return RedirectResponse(f"{NEW}?{urlencode(chosen)}", 303)
        form = replace(form, nonce=usable_nonce(form.nonce))
        document_id = None
        try:
            await self._state.authenticator.require_rate(auth)
            saved = await self._state.editor.create(auth, new_document_of(form), nonce=form.nonce)
            document_id = saved.document.id
            saved = await self._state.editor.save(auth, document_id, rest_of(form), seen=saved.document.revision)
        except ServiceError as error:
            if document_id is not None:
                stored = saved.document
                form = replace(
                    form,
                    revision=str(stored.revision),
                    template_id=stored.template_id,
                    theme_mode=stored.theme_mode,
                )
            return await self._refused(request, auth, form, error, document_id=document_id)
        return self._done(request, form, saved)

    async def save(self, request: Request, auth: AuthenticatedRequest, form: DocumentForm) -> Response:
        """Save, publish or unpublish; whatever is refused, the text stays in the form."""
        document_id = None
        try:
            document_id = path_document_id(request)
            await self._state.authenticator.require_rate(auth)
            kind: UpdateKind = "autosave" if form.do == AUTOSAVE else "save"
            saved = await self._state.editor.save(auth, document_id, edit_of(form), seen=form.seen, kind=kind)
            if form.do == UNPUBLISH:
                await self._state.publisher.unpublish(auth, document_id)
        except ServiceError as error:
            return await self._refused(request, auth, form, error, document_id=document_id)
        return self._done(request, form, saved)

    async def refuse(
        self, request: Request, auth: AuthenticatedRequest, form: DocumentForm, error: ServiceError
    ) -> Response:
        """Show the form of the document in the request's path with an error."""
        document_id = None if request.path_params["id"] == NEW_ID else path_document_id(request)
        return await self._refused(request, auth, form, error, document_id=document_id)

    def _done(self, request: Request, form: DocumentForm, saved: Update) -> Response:
        if is_from_script(request):
            return json_response(_shown(saved.document))
        return redirect_with_notice(f"{PATH}/{saved.document.id}", _DONE.get(form.do, "saved"))

    async def _refused(
        self,
        request: Request,
        auth: AuthenticatedRequest,
        form: DocumentForm,
        error: ServiceError,
        *,
        document_id: str | None,
    ) -> Response:
        if is_from_script(request):
            return _refusal(error)
        conflict = error.stored if isinstance(error, RevisionConflict) else None
        stored = conflict
        if stored is None and document_id is not None and not isinstance(error, NotFound):
            stored = await self._state.documents.get(auth, document_id)
        if stored is None:
            lost = "This document no longer exists; save the text as a new one"
            error = NotFound(lost) if isinstance(error, NotFound) else error
            refilled = completed(form, new_form(usable_nonce(form.nonce)))
            return self._page(auth, refilled, error=error)
        current = form_of(stored)
        refilled = completed(form, current)
        # The person will choose between both texts, or an option was refused after the text was saved.
        if conflict is not None or _is_saved(form, stored):
            refilled = replace(refilled, revision=current.revision)
        return await self._stored_page(auth, refilled, stored, error=error, conflict=conflict)

    async def _stored_page(
        self,
        auth: AuthenticatedRequest,
        form: DocumentForm,
        document: DocumentRecord,
        **values: Any,
    ) -> Response:
        since = await self._state.documents.editable_since(auth)
        refusal = read_only().message if is_read_only(document, since) else None
        return self._page(auth, form, document=document, read_only=refusal, **values)

    def _page(
        self,
        auth: AuthenticatedRequest,
        form: DocumentForm,
        *,
        document: DocumentRecord | None = None,
        error: ServiceError | None = None,
        notice: str | None = None,
        conflict: DocumentRecord | None = None,
        read_only: str | None = None,
    ) -> Response:
        action = NEW if document is None else f"{PATH}/{document.id}"
        place, public_url = shown_place(form.place), self._state.settings.public_url
        return self._site.page(
            "account/document.html",
            error=error,
            runs_scripts=True,
            account=auth.account,
            action=action,
            base=action,
            frame=f"{action}/preview?place={place}",
            form=form,
            document=document,
            url=document and published_url(auth.account, document, public_url=public_url),
            host=public_url.partition("://")[2],
            conflict=conflict,
            read_only=read_only,
            notice=notice,
            limit=_limit(auth, document),
            has_pro_options=auth.plan.has_pro_options,
            is_sample=False,
            has_sample=False,
            max_bytes=CONTENT_BYTES,
            is_stored=error is None,
            places=PLACES.values(),
            place_shown=place,
            downloads=DOWNLOADS,
            templates=list_templates(),
            locked=_locked(auth.plan, document),
            theme_modes=THEME_MODES,
            page_widths=PAGE_WIDTHS,
            visibilities=VISIBILITIES,
        )


def _chosen(values: Mapping[str, str], plan: Plan) -> dict[str, str]:
    """Return the template and the mode of `values`, where the form offers them."""
    templates = {each.id for each in list_templates()} - _locked(plan, None)
    offered = {"template_id": templates, "theme_mode": THEME_MODES}
    return {name: values[name] for name, choices in offered.items() if values.get(name) in choices}


def _locked(plan: Plan, document: DocumentRecord | None) -> set[str]:
    """Return the templates that the plan does not allow; a stored one stays allowed after a downgrade."""
    if plan.has_pro_options:
        return set()
    allowed = document and document.template_id
    return {each.id for each in list_templates() if each.id != allowed and not is_free_template(each.id)}


def _is_saved(form: DocumentForm, stored: DocumentRecord) -> bool:
    try:
        return not changed_fields(edit_of(form).changes, stored)
    except ValidationError:
        return False


def _limit(auth: AuthenticatedRequest, document: DocumentRecord | None) -> str | None:
    """Return which of the plan's limits stands in the way of storing or publishing the document."""
    if document is None and auth.account.documents >= auth.plan.documents:
        return document_limit(auth.plan)
    if (document is None or document.published_at is None) and auth.account.pages >= auth.plan.pages:
        return page_limit(auth.plan)
    return None


def _refusal(error: ServiceError) -> Response:
    if not isinstance(error, RevisionConflict):
        return error_response(error)
    detail = ErrorDetail(code=error.code, message=error.message, status=error.status)
    # Nothing was saved.
    return json_response({"error": detail, "stored": _shown(error.stored)}, status=error.status)


def _shown(document: DocumentRecord) -> dict[str, object]:
    """Return what a script learns of a document: after saving, or of the one that it conflicts with."""
    form = form_of(document)
    return {
        "path": f"{PATH}/{document.id}",
        "revision": document.revision,
        **{name: getattr(form, name) for name in EDITED_FIELDS},
        "content": normalized(document.content),
    }
