"""`/documents/new` and `/`, `/documents/{id}`: a document on the workbench."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from anyio import to_thread
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from mdpublish_core import list_templates
from mdpublish_core.hosting.outputs import PAGE_WIDTHS, THEME_MODES
from mdpublish_server.api.documents import path_document_id
from mdpublish_server.api.responses import error_response, json_response
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.auth.plans import Plan
from mdpublish_server.errors import NotFound, ServiceError, ValidationError
from mdpublish_server.models import ErrorDetail
from mdpublish_server.services.documents import RevisionConflict, document_limit, is_read_only, read_only
from mdpublish_server.services.editing import changed_fields, normalized
from mdpublish_server.services.publishing import page_limit
from mdpublish_server.services.rebasing import Merge
from mdpublish_server.services.revision_history import UpdateKind
from mdpublish_server.services.workbench import PLACES
from mdpublish_server.services.working_copies import Seen, Working
from mdpublish_server.storage import DocumentRecord
from mdpublish_server.validation.validators import CONTENT_BYTES, FOLDER_CHARACTERS, UNTITLED
from mdpublish_server.web.account import document_form
from mdpublish_server.web.account.documents import PATH, Part, published_url
from mdpublish_server.web.account.notices import notice_of, redirect_with_notice, status_of
from mdpublish_server.web.account.resumption import is_from_script
from mdpublish_server.web.nonces import new_nonce, usable_nonce
from mdpublish_server.web.page_context import Pages
from mdpublish_server.web.public.draft_form import locked_templates
from mdpublish_server.web.public.workbench import DOWNLOADS, shown_place

NEW_ID = "new"
"""Stands for the id in paths of a document that is not stored yet."""

NEW = f"{PATH}/{NEW_ID}"

RECENT = 30
"""Documents in the list beside the editor."""

_DONE = {
    document_form.SAVE: "saved",
    document_form.PUBLISH: "published",
    document_form.UNPUBLISH: "unpublished",
    document_form.DISCARD: "discarded",
}


class DocumentPage(Pages):
    """Creates, shows and saves a document."""

    async def show_new(self, request: Request, auth: AuthenticatedRequest, *, notice: str | None = None) -> Response:
        form = document_form.new_form(new_nonce(), **_chosen(request.query_params, auth.plan))
        return await self._page(auth, form, notice=notice)

    async def show(self, request: Request, auth: AuthenticatedRequest) -> Response:
        working = await self._state.working_copies.get(auth, path_document_id(request))
        was_discarded = request.query_params.get("done") == "discarded" and working.copy and not working.is_changed
        return await self._stored_page(
            auth, document_form.form_of(working), working, notice=notice_of(request), was_discarded=bool(was_discarded)
        )

    async def create(self, request: Request, auth: AuthenticatedRequest, form: document_form.DocumentForm) -> Response:
        """Create a document and redirect to it; whatever is refused, the text stays in the form."""
        if form.do == document_form.START and not form.content:
            chosen = {"template_id": form.template_id, "theme_mode": form.theme_mode}
            return RedirectResponse(f"{NEW}?{urlencode(chosen)}", 303)
        form = replace(form, nonce=usable_nonce(form.nonce))
        document_id = None
        try:
            document_form.require_current(form)
            await self._state.authenticator.require_rate(auth)
            saved = await self._state.editor.create(auth, document_form.new_document_of(form), nonce=form.nonce)
            document_id = saved.document.id
            saved = await self._state.editor.save(
                auth, document_id, document_form.rest_of(form), seen=Seen(saved.document.revision)
            )
        except ServiceError as error:
            if document_id is not None:
                stored = saved.document
                form = replace(
                    form, revision=str(stored.revision), template_id=stored.template_id, theme_mode=stored.theme_mode
                )
            return await self._refused(request, auth, form, error, document_id=document_id)
        # Its front matter may say more than the form.
        return await self._done(request, auth, form, document_id, Merge({}, {}, []))

    async def save(self, request: Request, auth: AuthenticatedRequest, form: document_form.DocumentForm) -> Response:
        """Save, publish or unpublish; whatever is refused, the text stays in the form."""
        document_id, merge, mine = None, Merge({}, {}, []), form.content
        try:
            document_id = path_document_id(request)
            document_form.require_current(form)
            await self._state.authenticator.require_rate(auth)
            kind: UpdateKind = "autosave" if form.do == document_form.AUTOSAVE else "save"
            edit = document_form.edit_of(form)
            # A script sends it once it learns of another revision.
            if form.base or form.choices:
                working = await self._state.working_copies.get(auth, document_id)
                merge = await self._merge(auth, form, working)
                if merge.conflicts:
                    raise RevisionConflict(working.document)
                form = replace(form, revision=document_form.form_of(working).revision, **merge.values)
                # Readers see nothing that its author has not seen: what is merged is shown first.
                edit = replace(
                    document_form.edit_of(form), is_published=form.do == document_form.PUBLISH and not merge.values
                )
            await self._state.editor.save(auth, document_id, edit, seen=form.seen, kind=kind)
            if "theirs" in form.choices.values():
                await self._state.working_copies.keep(auth, document_id, mine)
            if form.do == document_form.UNPUBLISH:
                await self._state.editor.unpublish(auth, document_id)
            elif form.do == document_form.DISCARD:
                await self._state.working_copies.discard(auth, document_id)
            elif form.do == document_form.DUPLICATE:
                copy = await self._state.editor.duplicate(auth, document_id)
                return redirect_with_notice(f"{PATH}/{copy.id}", "duplicated")
        except ServiceError as error:
            return await self._refused(request, auth, form, error, document_id=document_id)
        return await self._done(request, auth, form, document_id, merge if merge.values else None)

    async def restore_changes(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Take up again what was discarded."""
        document_id = path_document_id(request)
        await self._state.authenticator.require_rate(auth)
        await self._state.working_copies.restore(auth, document_id)
        return redirect_with_notice(f"{PATH}/{document_id}", "restored")

    async def compare(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Show what "Publish changes" changes, as pages and as source."""
        document_id = path_document_id(request)
        await self._state.authenticator.require_rate(auth)
        working, comparison = await self._state.working_copies.compare(auth, document_id)
        return await to_thread.run_sync(
            lambda: self._site.page(
                "account/changes.html",
                account=auth.account,
                working=working,
                form=document_form.form_of(working),
                comparison=comparison,
                path=f"{PATH}/{document_id}",
            )
        )

    async def refuse(
        self, request: Request, auth: AuthenticatedRequest, form: document_form.DocumentForm, error: ServiceError
    ) -> Response:
        """Show the form of the document in the request's path with an error."""
        document_id = None if request.path_params["id"] == NEW_ID else path_document_id(request)
        return await self._refused(request, auth, form, error, document_id=document_id)

    async def _merge(self, auth: AuthenticatedRequest, form: document_form.DocumentForm, working: Working) -> Merge:
        """Merge what a form changes with what is stored."""
        stored = document_form.form_of(working)
        base, mine, theirs = document_form.base_of(form), *map(document_form.merged_fields, (form, stored))
        return await self._state.documents.rebasing.merge(auth.account.id, base, mine, theirs, form.choices)

    async def _done(
        self,
        request: Request,
        auth: AuthenticatedRequest,
        form: document_form.DocumentForm,
        document_id: str,
        merge: Merge | None = None,
    ) -> Response:
        is_merged = merge is not None and bool(merge.values)
        merged = "held" if form.do == document_form.PUBLISH else "merged"
        if is_from_script(request):
            stored = await self._state.working_copies.get(auth, document_id)
            says = status_of(merged if is_merged else "saved")
            shown = {**_shown(stored), "merged": merge.replacements if merge else None, "says": says}
            return json_response(shown, status=202 if is_merged else 200)
        is_noticed = is_merged and form.do in (document_form.SAVE, document_form.PUBLISH)
        return redirect_with_notice(f"{PATH}/{document_id}", merged if is_noticed else _DONE.get(form.do, "saved"))

    async def _refused(
        self,
        request: Request,
        auth: AuthenticatedRequest,
        form: document_form.DocumentForm,
        error: ServiceError,
        *,
        document_id: str | None,
    ) -> Response:
        stored, merge = None, None
        if isinstance(error, RevisionConflict):
            stored = await self._state.working_copies.get(auth, error.stored.id)
            if form.base or not is_from_script(request):
                # All at once: one that was chosen would be asked for again as soon as it is not sent with the others.
                merge = await self._merge(auth, replace(form, choices={}), stored)
        elif document_id is not None and not isinstance(error, NotFound):
            stored = await self._state.working_copies.get(auth, document_id)
        if is_from_script(request):
            if not isinstance(error, RevisionConflict) or stored is None:
                return error_response(error)
            is_contested = merge is not None and merge.conflicts
            page = self._site.page("account/conflict.html", merge=merge, form=form) if is_contested else None
            return _refusal(error, stored, bytes(page.body).decode() if page else "")
        if stored is None:
            lost = "This document no longer exists; save the text as a new one"
            error = NotFound(lost) if isinstance(error, NotFound) else error
            refilled = document_form.completed(form, document_form.new_form(usable_nonce(form.nonce)))
            return await self._page(auth, refilled, error=error)
        current = document_form.form_of(stored)
        refilled = document_form.completed(form, current)
        # Publishing was refused after the text was saved.
        if merge is None and _is_saved(form, stored.shown):
            refilled = replace(refilled, revision=current.revision, base=current.base)
        return await self._stored_page(auth, refilled, stored, error=error, merge=merge)

    async def _stored_page(
        self, auth: AuthenticatedRequest, form: document_form.DocumentForm, working: Working, **values: Any
    ) -> Response:
        since = await self._state.documents.editable_since(auth)
        refusal = read_only().message if is_read_only(working.document, since) else None
        return await self._page(auth, form, working=working, read_only=refusal, **values)

    async def _page(
        self,
        auth: AuthenticatedRequest,
        form: document_form.DocumentForm,
        *,
        working: Working | None = None,
        error: ServiceError | None = None,
        **values: Any,
    ) -> Response:
        document = working.shown if working else None
        action = NEW if document is None else f"{PATH}/{document.id}"
        place, public_url = shown_place(form.place), self._state.settings.public_url
        before, before_id = Part().position
        recent, _ = await self._state.documents.list(
            auth, before=before, before_id=before_id, limit=RECENT, untitled=UNTITLED
        )
        return self._site.page(
            "account/document.html",
            error=error,
            account=auth.account,
            action=action,
            base=action,
            frame=f"{action}/preview?place={place}",
            form=form,
            folders=await self._state.documents.folders(auth),
            recent=recent,
            document=document,
            working=working,
            url=document and published_url(auth.account, document, public_url=public_url),
            host=public_url.partition("://")[2],
            limit=_limit(auth, document),
            is_sample=False,
            has_sample=False,
            words=document.word_count if document and error is None else "",
            max_bytes=CONTENT_BYTES,
            is_stored=error is None,
            places=PLACES.values(),
            place_shown=place,
            downloads=DOWNLOADS,
            templates=list_templates(),
            locked=locked_templates(auth.plan, document.template_id if document else None),
            theme_modes=THEME_MODES,
            page_widths=PAGE_WIDTHS,
            **{"was_discarded": False, "merge": None, "read_only": None, **values},
        )


def _chosen(values: Mapping[str, str], plan: Plan) -> dict[str, Any]:
    """Return the folder, and the template and the mode of `values` where the form offers them."""
    templates = {each.id for each in list_templates()} - locked_templates(plan)
    offered = {"template_id": templates, "theme_mode": THEME_MODES}
    chosen = {name: values[name] for name, choices in offered.items() if values.get(name) in choices}
    return {**chosen, "folder": values.get("folder", "")[:FOLDER_CHARACTERS]}


def _is_saved(form: document_form.DocumentForm, stored: DocumentRecord) -> bool:
    try:
        return not changed_fields(document_form.edit_of(form).changes, stored)
    except ValidationError:
        return False


def _limit(auth: AuthenticatedRequest, document: DocumentRecord | None) -> str | None:
    """Return which of the plan's limits stands in the way of storing or publishing the document."""
    if document is None and auth.account.documents >= auth.plan.documents:
        return document_limit(auth.plan)
    if (document is None or document.published_at is None) and auth.account.pages >= auth.plan.pages:
        return page_limit(auth.plan)
    return None


def _refusal(error: ServiceError, stored: Working, conflict: str) -> Response:
    detail = ErrorDetail(code=error.code, message=error.message, status=error.status)
    # Nothing was saved.
    return json_response({"error": detail, "stored": _shown(stored), "conflict": conflict}, status=error.status)


def _shown(working: Working) -> dict[str, object]:
    """Return what a script learns of a document: after saving, or of the one that it conflicts with."""
    form, document = document_form.form_of(working), working.shown
    return {
        "path": f"{PATH}/{document.id}",
        "revision": form.revision,
        "is_changed": working.is_changed,
        **{name: getattr(form, name) for name in document_form.EDITED_FIELDS},
        "content": normalized(document.content),
    }
