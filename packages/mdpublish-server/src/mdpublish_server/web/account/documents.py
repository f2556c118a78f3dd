"""`/documents`: list, search, publish, unpublish, duplicate and delete documents.

The API's services do the work, under the plan's limits, without counting against the monthly quota.
"""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
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
from mdpublish_server.storage.documents import CREATED, TITLE, UPDATED
from mdpublish_server.storage.paths import path_of
from mdpublish_server.storage.records import folder_key, title_key
from mdpublish_server.validation.validators import FOLDER_CHARACTERS, UNTITLED, validate_folder
from mdpublish_server.web.account.notices import notice_of, redirect_with_notice
from mdpublish_server.web.page_context import Pages

PATH = "/documents"

SORTS = {UPDATED: "Last change", TITLE: "Title", CREATED: "Created"}

_TITLE_CURSOR = re.compile(r"(?:([0-9a-f-]{36})([^\0]{0,200}))?", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A page of the list: of all documents, those of a folder ("" for none), or those that a search finds."""

    query: str = ""
    folder: str | None = None
    sort: str = UPDATED
    cursor: str | None = None

    @classmethod
    def named(cls, values: Mapping[str, str], *, is_form: bool = False) -> "Part":
        """Return the part that parameters name: of a form with an invalid cursor, which is no error, the first."""
        query = values.get("q", "").strip()
        part = cls(query=query[:QUERY_CHARACTERS] if is_form else query, cursor=values.get("cursor") or None)
        # A search is of all folders, and has an order of its own.
        if not part.query:
            folder = values.get("folder")
            folder = None if folder is None else validate_folder(folder[:FOLDER_CHARACTERS]) or ""
            part = replace(part, folder=folder, sort=values["sort"] if values.get("sort") in SORTS else UPDATED)
        return part.at() if is_form and not part.is_valid else part

    @property
    def is_valid(self) -> bool:
        """Whether there is such a cursor."""
        try:
            return bool(read_search_cursor(self.cursor) if self.query else self.position)
        except ValidationError:
            return False

    @property
    def path(self) -> str:
        """The path, to which forms lead back."""
        return f"{PATH}{self.parameters}"

    @property
    def parameters(self) -> str:
        return f"?{urlencode(self.fields)}" if self.fields else ""

    @property
    def fields(self) -> dict[str, str]:
        sort = None if self.sort == UPDATED else self.sort
        named = {"q": self.query or None, "folder": self.folder, "sort": sort, "cursor": self.cursor}
        return {name: value for name, value in named.items() if value is not None}

    @property
    def position(self) -> tuple[datetime | str, str]:
        """The key and id that the part's documents come after; raises `ValidationError`."""
        if self.sort != TITLE:
            return read_cursor(self.cursor)
        if (match := _TITLE_CURSOR.fullmatch(self.cursor or "")) is None:
            raise ValidationError("cursor must be that of a link to more documents")
        return match[2] or "", match[1] or ""

    def at(self, **changes: Any) -> "Part":
        """Return the first part of another list."""
        return replace(self, **{"cursor": None, **changes})

    def after(self, document: DocumentSummary) -> str:
        """Return the cursor of the part that follows a document."""
        if self.sort == TITLE:
            return f"{document.id}{title_key(document.title)}"
        return cursor_after(document.created_at if self.sort == CREATED else document.updated_at, document.id)


Refusals = Sequence[tuple[str, str, ServiceError]]
"""Titles of a form's documents, what was not done, such as published, and why."""


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
        return await self.list(auth, Part.named(request.query_params), notice=notice_of(request))

    async def publish(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Publish a document with its previous or default options."""
        return await self._tried(request, auth, "published", self._state.editor.publish)

    async def duplicate(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Add a copy of a document as it is edited, and lead to it."""
        return await self._tried(request, auth, "duplicated", self._state.editor.duplicate)

    async def _tried(
        self,
        request: Request,
        auth: AuthenticatedRequest,
        done: str,
        work: Callable[[AuthenticatedRequest, str], Awaitable[DocumentSummary | None]],
    ) -> Response:
        document_id, part = path_document_id(request), Part.named(request.query_params, is_form=True)
        try:
            await self._state.authenticator.require_rate(auth)
            copy = await work(auth, document_id)
        except NotFound:
            raise
        except ServiceError as error:
            document = await self._state.documents.get(auth, document_id)
            return await self.list(auth, part, refusals=[(document.title, done, error)])
        return redirect_with_notice(f"{PATH}/{copy.id}" if copy else part.path, done)

    async def unpublish(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id, part = path_document_id(request), Part.named(request.query_params, is_form=True)
        await self._state.authenticator.require_rate(auth)
        await self._state.editor.unpublish(auth, document_id)
        return redirect_with_notice(part.path, "unpublished")

    async def confirm_deletion(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id, part = path_document_id(request), Part.named(request.query_params, is_form=True)
        document = await self._state.documents.get(auth, document_id)
        return self._site.page(
            "account/document_deletion.html",
            account=auth.account,
            document=document,
            url=self._url(auth.account, document),
            part=part,
        )

    async def delete(self, request: Request, auth: AuthenticatedRequest) -> Response:
        document_id, part = path_document_id(request), Part.named(request.query_params, is_form=True)
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

    async def _deleted(self, auth: AuthenticatedRequest, **values: Any) -> Response:
        return self._site.page(
            "account/deleted_documents.html",
            account=auth.account,
            documents=await self._state.trash.list(auth),
            retention=RETENTION,
            now=auth.now,
            **values,
        )

    async def list(
        self, auth: AuthenticatedRequest, part: Part, *, notice: str | None = None, refusals: Refusals = ()
    ) -> Response:
        """Show a part of the list, and what a form could not do."""
        folders = await self._state.documents.folders(auth)
        # The last document of a folder may just have left it.
        is_gone = part.folder is not None and folder_key(part.folder) not in map(folder_key, folders)
        matches = Matches(hits=(), next_cursor=None) if is_gone else await self._matches(auth, part)
        since = await self._state.documents.editable_since(auth)
        changed = await self._state.working_copies.changed_among([hit.document.id for hit in matches.hits])
        return self._site.page(
            "account/documents.html",
            error=refusals[0][-1] if refusals else None,
            refusals=refusals,
            account=auth.account,
            folders=folders,
            sorts=SORTS,
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
        )

    async def _matches(self, auth: AuthenticatedRequest, part: Part) -> Matches:
        """Return a page of all documents, or of those that a search finds."""
        if part.query:
            return await self._state.documents.search(auth, part.query, cursor=part.cursor, limit=DEFAULT_PAGE_SIZE)
        before, before_id = part.position
        documents, has_more = await self._state.documents.list(
            auth,
            before=before,
            before_id=before_id,
            limit=DEFAULT_PAGE_SIZE,
            folder=part.folder,
            sort=part.sort,
            untitled=UNTITLED,
        )
        hits = [Hit(document=each, title=[Marked(each.title, is_hit=False)], excerpt=()) for each in documents]
        return Matches(hits=hits, next_cursor=part.after(documents[-1]) if has_more else None)

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
