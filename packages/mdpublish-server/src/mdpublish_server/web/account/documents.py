"""`/documents`: list, search, publish, unpublish and delete documents.

The API's services do the work, under the plan's limits, without counting against the monthly quota.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from mdpublish_server.api.documents import path_document_id
from mdpublish_server.api.pagination import DEFAULT_PAGE_SIZE, cursor_after, read_cursor
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.errors import Forbidden, NotFound, ServiceError, ValidationError
from mdpublish_server.services.document_search import QUERY_CHARACTERS, Hit, Marked, Matches, read_search_cursor
from mdpublish_server.services.documents import is_read_only
from mdpublish_server.services.trash import RETENTION
from mdpublish_server.storage import Account, DocumentSummary
from mdpublish_server.storage.paths import path_of
from mdpublish_server.web.account.notices import notice_of, redirect_with_notice
from mdpublish_server.web.page_context import Pages

PATH = "/documents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A page of the list."""

    query: str = ""
    cursor: str | None = None

    @property
    def path(self) -> str:
        """The path, to which forms lead back."""
        return f"{PATH}{self.parameters}"

    @property
    def parameters(self) -> str:
        named = {"q": self.query, "cursor": self.cursor}
        given = {name: value for name, value in named.items() if value}
        return f"?{urlencode(given)}" if given else ""

    @property
    def first(self) -> "Part":
        return replace(self, cursor=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A document in the list, with what a search marks in its title and text."""

    document: DocumentSummary
    title: Sequence[Marked]
    excerpt: Sequence[Marked]
    url: str | None
    is_read_only: bool
    is_changed: bool


class DocumentPages(Pages):
    """The list and its forms."""

    async def show(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """List the documents, or those that a search finds."""
        part = Part(query=request.query_params.get("q", "").strip(), cursor=request.query_params.get("cursor"))
        return await self._list(auth, part, notice=notice_of(request))

    async def publish(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Publish a document with its previous or default options."""
        document_id, part = path_document_id(request), _checked_part(request)
        try:
            await self._state.authenticator.require_rate(auth)
            await self._state.editor.publish(auth, document_id)
        except NotFound:
            raise
        except ServiceError as error:
            document = await self._state.documents.get(auth, document_id)
            return await self._list(auth, part, error=error, unpublished=document.title)
        return redirect_with_notice(part.path, "published")

    async def unpublish(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id, part = path_document_id(request), _checked_part(request)
        await self._state.authenticator.require_rate(auth)
        await self._state.editor.unpublish(auth, document_id)
        return redirect_with_notice(part.path, "unpublished")

    async def confirm_deletion(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id, part = path_document_id(request), _checked_part(request)
        document = await self._state.documents.get(auth, document_id)
        return self._site.page(
            "account/document_deletion.html",
            account=auth.account,
            document=document,
            url=self._url(auth.account, document),
            part=part,
        )

    async def delete(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id, part = path_document_id(request), _checked_part(request)
        await self._state.authenticator.require_rate(auth)
        await self._state.trash.delete(auth, document_id)
        return redirect_with_notice(part.path, "deleted")

    async def show_deleted(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """List what can be restored."""
        return await self._deleted(auth, notice=notice_of(request))

    async def restore(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id = path_document_id(request)
        await self._state.authenticator.require_rate(auth)
        try:
            await self._state.trash.restore(auth, document_id)
        except Forbidden as error:
            return await self._deleted(auth, error=error)
        return redirect_with_notice(f"{PATH}/{document_id}", "undeleted")

    async def erase(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Delete a document of the trash permanently."""
        document_id = path_document_id(request)
        await self._state.authenticator.require_rate(auth)
        await self._state.trash.erase(auth, document_id)
        return redirect_with_notice(f"{PATH}/deleted", "erased")

    async def _deleted(
        self, auth: AuthenticatedRequest, *, notice: str | None = None, error: ServiceError | None = None
    ) -> Response:
        return self._site.page(
            "account/deleted_documents.html",
            runs_scripts=True,
            error=error,
            account=auth.account,
            documents=await self._state.trash.list(auth),
            retention=RETENTION,
            now=auth.now,
            notice=notice,
        )

    async def _list(
        self,
        auth: AuthenticatedRequest,
        part: Part,
        *,
        notice: str | None = None,
        error: ServiceError | None = None,
        unpublished: str = "",
    ) -> Response:
        matches = await self._matches(auth, part)
        since = await self._state.documents.editable_since(auth)
        changed = await self._state.working_copies.changed_among([hit.document.id for hit in matches.hits])
        return self._site.page(
            "account/documents.html",
            runs_scripts=True,
            error=error,
            account=auth.account,
            rows=[
                Row(
                    document=hit.document,
                    title=hit.title,
                    excerpt=hit.excerpt,
                    url=self._url(auth.account, hit.document),
                    is_read_only=is_read_only(hit.document, since),
                    is_changed=hit.document.id in changed,
                )
                for hit in matches.hits
            ],
            part=part,
            next_part=replace(part, cursor=matches.next_cursor) if matches.next_cursor else None,
            notice=notice,
            unpublished=unpublished,
        )

    async def _matches(self, auth: AuthenticatedRequest, part: Part) -> Matches:
        """Return a page of all documents, or of those that a search finds."""
        if part.query:
            return await self._state.documents.search(auth, part.query, cursor=part.cursor, limit=DEFAULT_PAGE_SIZE)
        before, before_id = read_cursor(part.cursor)
        documents, has_more = await self._state.documents.list(
            auth, before=before, before_id=before_id, limit=DEFAULT_PAGE_SIZE
        )
        hits = [Hit(document=each, title=[Marked(each.title, is_hit=False)], excerpt=()) for each in documents]
        return Matches(
            hits=hits, next_cursor=cursor_after(documents[-1].updated_at, documents[-1].id) if has_more else None
        )

    def _url(self, account: Account, document: DocumentSummary) -> str | None:
        return published_url(account, document, public_url=self._state.settings.public_url)


def published_url(account: Account, document: DocumentSummary, *, public_url: str) -> str | None:
    """Return the URL of a document's page, None if it is not published."""
    if document.published_at is None or document.slug is None:
        return None
    return f"{public_url}{path_of(account.username, document.slug)}"


async def show_former_path(request: Request) -> Response:
    """Redirect from the path that the list had."""
    query = request.scope["query_string"].decode("latin-1")
    return RedirectResponse(f"{PATH}?{query}" if query else PATH, status_code=308)


def _checked_part(request: Request) -> Part:
    """Return the page of the list that a form names, or the first if it is invalid, which is no reason to fail."""
    query, cursor = (request.query_params.get(name, "") for name in ("q", "cursor"))
    try:
        (read_search_cursor if query else read_cursor)(cursor or None)
    except ValidationError:
        cursor = ""
    return Part(query=query[:QUERY_CHARACTERS], cursor=cursor or None)
