"""`/documents/several`: move, publish, unpublish or delete documents that were chosen in the list.

Each is done by itself, under the plan's limits: what is refused is named, and the rest stays done.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.documents import is_document_id
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.errors import ServiceError, ValidationError
from mdpublish_server.models import DocumentUpdate, checked
from mdpublish_server.services.document_search import Hit
from mdpublish_server.services.documents import no_document
from mdpublish_server.storage.document_lists import CHOSEN
from mdpublish_server.web.account.documents import DocumentPages, Part, Refusal, published_url
from mdpublish_server.web.account.notices import redirect_with_notice
from mdpublish_server.web.forms import read_form_lists
from mdpublish_server.web.page_context import PageContext, Pages

MOVE, PUBLISH, UNPUBLISH, DELETE = "move", "publish", "unpublish", "delete"

_DONE = {MOVE: "moved", PUBLISH: "published", UNPUBLISH: "unpublished", DELETE: "deleted"}

# More than a page of the list has, so that the message is about documents.
_MAX_FIELDS = 1000


class SeveralPages(Pages):
    """Asks about chosen documents, and changes them."""

    def __init__(self, context: PageContext, documents: DocumentPages) -> None:
        super().__init__(context)
        self._documents = documents
        self._works: dict[str, Callable[[AuthenticatedRequest, str], Awaitable[Any]]] = {
            PUBLISH: self._state.editor.publish,
            UNPUBLISH: self._state.editor.unpublish,
            DELETE: self._state.trash.delete,
        }

    async def ask(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Ask which folder the documents go to, or name what is deleted."""
        values = request.query_params
        _, chosen = await self._chosen(auth, values.getlist("document"))
        return self._site.page(
            "account/several.html",
            account=auth.account,
            is_move=values.get("do") != DELETE,
            folders=await self._state.document_lists.folders(auth),
            chosen=chosen,
            urls={hit.document.id: self._url(auth, hit) for hit in chosen},
            part=Part.checked(values),
        )

    async def change(self, request: Request, auth: AuthenticatedRequest) -> Response:
        form = await read_form_lists(request, max_fields=_MAX_FIELDS)
        values = {name: each[-1] for name, each in form.items()}
        part, do = Part.checked(values), values.get("do", "")
        if do not in _DONE:
            raise ValidationError(f"do must be {', '.join(_DONE)} (got {do[:20]!r})")
        folder = values.get("new", "").strip() or values.get("to", "")
        move = checked(DocumentUpdate(folder=folder))
        work = self._works.get(do, lambda auth, each: self._state.documents.update(auth, each, move))
        await self._state.authenticator.require_rate(auth)
        document_ids, chosen = await self._chosen(auth, form.get("document", ()))
        titles = {hit.document.id: hit.document.title for hit in chosen}
        refusals = []
        for document_id in document_ids:
            try:
                await work(auth, document_id)
            except ServiceError as error:
                title = titles.get(document_id, "A document")
                refusals.append(Refusal(title=title, done=_DONE[do], error=error))
        if not refusals:
            prefix = "several-" if len(document_ids) > 1 and do != MOVE else ""
            return redirect_with_notice(part.path, f"{prefix}{_DONE[do]}")
        done = len(document_ids) - len(refusals)
        notice = f"{done} of {len(document_ids)} documents {'was' if done == 1 else 'were'} {_DONE[do]}."
        return await self._documents.list(
            auth, part, refusals=refusals, notice=notice if len(document_ids) > 1 else None
        )

    async def _chosen(self, auth: AuthenticatedRequest, given: Sequence[str]) -> tuple[Sequence[str], Sequence[Hit]]:
        """Return the ids, and the documents that there are; raise `ValidationError`, or `NotFound` if there are none."""
        # Malformed ones are as missing ones.
        document_ids = list(dict.fromkeys(each.lower() if is_document_id(each) else "" for each in given))
        if not document_ids:
            raise ValidationError("Choose at least one document")
        if len(document_ids) > CHOSEN:
            raise ValidationError(f"At most {CHOSEN} documents can be chosen at once (got {len(document_ids)})")
        if not (chosen := await self._state.document_lists.chosen(auth, document_ids)):
            raise no_document()
        return document_ids, chosen

    def _url(self, auth: AuthenticatedRequest, hit: Hit) -> str | None:
        return published_url(auth.account, hit.document, public_url=self._state.settings.public_url)
