"""`/documents/several`: move, publish, unpublish or delete documents that were chosen in the list.

Each is done by itself, under the plan's limits: what is refused is named, and the rest stays done.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.documents import DOCUMENT_ID
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.errors import ServiceError, ValidationError
from mdpublish_server.models import DocumentUpdate, checked
from mdpublish_server.services.documents import no_document
from mdpublish_server.storage import DocumentSummary
from mdpublish_server.storage.documents import CHOSEN
from mdpublish_server.web.account.documents import DocumentPages, Part
from mdpublish_server.web.account.notices import redirect_with_notice
from mdpublish_server.web.forms import read_form_lists
from mdpublish_server.web.page_context import PageContext, Pages

_DONE = {"move": "moved", "publish": "published", "unpublish": "unpublished", "delete": "deleted"}

# More than a page of the list has, so that the message is about documents.
_MAX_FIELDS = 1000


class SeveralPages(Pages):
    """Asks about chosen documents, and changes them."""

    def __init__(self, context: PageContext, documents: DocumentPages) -> None:
        super().__init__(context)
        self._documents = documents

    async def ask(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Ask which folder the documents go to, or name what is deleted."""
        values = request.query_params
        _, chosen = await self._chosen(auth, values.getlist("document"))
        return self._site.page(
            "account/several.html",
            account=auth.account,
            is_move=values.get("do") != "delete",
            folders=await self._state.documents.folders(auth),
            chosen=chosen,
            part=Part.named(values, is_form=True),
        )

    async def change(self, request: Request, auth: AuthenticatedRequest) -> Response:
        form = await read_form_lists(request, max_fields=_MAX_FIELDS)
        values = {name: each[-1] for name, each in form.items()}
        part, do = Part.named(values, is_form=True), values.get("do", "")
        work = self._work(do, values)
        await self._state.authenticator.require_rate(auth)
        document_ids, chosen = await self._chosen(auth, form.get("document", ()))
        titles = {each.id: each.title for each in chosen}
        refusals = []
        # Moving is an edit: the first of the list stays the first.
        for document_id in reversed(document_ids) if do == "move" else document_ids:
            try:
                await work(auth, document_id)
            except ServiceError as error:
                refusals.append((titles.get(document_id, "A document"), _DONE[do], error))
        count = len(document_ids)
        if not refusals:
            return redirect_with_notice(part.path, f"{'several-' if count > 1 else ''}{_DONE[do]}")
        notice = f"{count - len(refusals)} of {count} documents {_DONE[do]}." if count > 1 else None
        return await self._documents.list(auth, part, refusals=refusals, notice=notice)

    def _work(self, do: str, values: dict[str, str]) -> Callable[[AuthenticatedRequest, str], Awaitable[Any]]:
        if do not in _DONE:
            raise ValidationError(f"do must be {', '.join(_DONE)} (got {do[:20]!r})")
        if do != "move":
            editor = self._state.editor
            return {"publish": editor.publish, "unpublish": editor.unpublish, "delete": self._state.trash.delete}[do]
        if (folder := values.get("new", "").strip() or values.get("to")) is None:
            raise ValidationError("Choose a folder, or name a new one")
        changes = checked(DocumentUpdate(folder=folder))
        return lambda auth, document_id: self._state.documents.update(auth, document_id, changes)

    async def _chosen(
        self, auth: AuthenticatedRequest, given: Sequence[str]
    ) -> tuple[Sequence[str], Sequence[DocumentSummary]]:
        """Return the ids, and the documents that there are; raise `ValidationError`, or `NotFound` if there are none."""
        # Malformed ones are as missing ones.
        document_ids = list(dict.fromkeys(each.lower() if DOCUMENT_ID.fullmatch(each) else "" for each in given))
        if not 0 < len(document_ids) <= CHOSEN:
            raise ValidationError(f"Choose 1 to {CHOSEN} documents (got {len(document_ids)})")
        if not (chosen := await self._state.documents.chosen(auth, document_ids)):
            raise no_document()
        return document_ids, chosen
