"""`/documents`: list, search, publish, unpublish, duplicate and delete documents.

The API's services do the work, under the plan's limits, without counting against the monthly quota.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response

from mdpublish_server.api.documents import path_document_id
from mdpublish_server.api.pagination import DEFAULT_PAGE_SIZE, cursor_after, read_cursor
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.errors import Forbidden, NotFound, ServiceError, ValidationError
from mdpublish_server.services.document_search import QUERY_CHARACTERS, Marked, Matches, read_search_cursor
from mdpublish_server.services.documents import is_read_only
from mdpublish_server.services.trash import RETENTION
from mdpublish_server.storage import Account, DocumentSummary
from mdpublish_server.storage.document_lists import CREATED, TITLE, UPDATED
from mdpublish_server.storage.paths import path_of
from mdpublish_server.storage.records import title_key
from mdpublish_server.validation.validators import FOLDER_CHARACTERS, validate_folder
from mdpublish_server.web.account.notices import notice_of, redirect_with_notice
from mdpublish_server.web.page_context import Pages

PATH = "/documents"

ORDERS = {UPDATED: "Last change", TITLE: "Title", CREATED: "Created"}

_TITLE_CURSOR = re.compile(r"([0-9a-f-]{36})([^\0]{0,200})", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """A page of the list: of all documents, those of a folder ("" for none), or those that a search finds."""

    query: str = ""
    folder: str | None = None
    order: str = UPDATED
    cursor: str | None = None

    @classmethod
    def named(cls, values: Mapping[str, str]) -> "Part":
        """Return the part that parameters name; a search is of all folders, and has an order of its own."""
        query, cursor = values.get("q", "").strip(), values.get("cursor")
        if query:
            return cls(query=query, cursor=cursor)
        folder = values.get("folder")
        return cls(
            folder=None if folder is None else validate_folder(folder[:FOLDER_CHARACTERS]) or "",
            order=values["sort"] if values.get("sort") in ORDERS else UPDATED,
            cursor=cursor,
        )

    @classmethod
    def checked(cls, values: Mapping[str, str]) -> "Part":
        """Return the part that a form names, or the first if it is invalid, which is no reason to fail."""
        part = cls.named(values)
        try:
            read_search_cursor(part.cursor) if part.query else part.position
        except ValidationError:
            part = part.first
        return replace(part, query=part.query[:QUERY_CHARACTERS], cursor=part.cursor or None)

    @property
    def path(self) -> str:
        """The path, to which forms lead back."""
        return f"{PATH}{self.parameters}"

    @property
    def parameters(self) -> str:
        return f"?{urlencode(self.fields)}" if self.fields else ""

    @property
    def fields(self) -> dict[str, str]:
        """The parameters by their names."""
        order = None if self.order == UPDATED else self.order
        named = {"q": self.query or None, "folder": self.folder, "sort": order, "cursor": self.cursor or None}
        return {name: value for name, value in named.items() if value is not None}

    @property
    def position(self) -> tuple[str | datetime, str]:
        """The key and id that the part's documents come after; raises `ValidationError`."""
        if self.order != TITLE:
            return read_cursor(self.cursor)
        if not self.cursor:
            return "", ""
        if (match := _TITLE_CURSOR.fullmatch(self.cursor)) is None:
            raise ValidationError("cursor must be that of a link to more documents")
        return match[2], match[1]

    def after(self, document: DocumentSummary) -> "Part":
        """Return the part that follows a document."""
        if self.order == TITLE:
            return replace(self, cursor=f"{document.id}{title_key(document.title)}")
        time = document.created_at if self.order == CREATED else document.updated_at
        return replace(self, cursor=cursor_after(time, document.id))

    def of_folder(self, folder: str | None) -> "Part":
        return replace(self.first, folder=folder)

    def ordered(self, order: str) -> "Part":
        return replace(self.first, order=order)

    @property
    def first(self) -> "Part":
        return replace(self, cursor=None)


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a document of a form was not `done`, such as published."""

    title: str
    done: str
    error: ServiceError


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
        document_id, part = path_document_id(request), _checked_part(request)
        try:
            await self._state.authenticator.require_rate(auth)
            await self._state.editor.publish(auth, document_id)
        except NotFound:
            raise
        except ServiceError as error:
            return await self._refused(auth, part, document_id, "published", error)
        return redirect_with_notice(part.path, "published")

    async def duplicate(self, request: Request, auth: AuthenticatedRequest) -> Response:
        """Add a copy of a document as it is edited, and lead to it."""
        document_id, part = path_document_id(request), _checked_part(request)
        try:
            await self._state.authenticator.require_rate(auth)
            copy = await self._state.editor.duplicate(auth, document_id)
        except NotFound:
            raise
        except ServiceError as error:
            return await self._refused(auth, part, document_id, "duplicated", error)
        return redirect_with_notice(f"{PATH}/{copy.id}", "duplicated")

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

    async def _refused(
        self, auth: AuthenticatedRequest, part: Part, document_id: str, done: str, error: ServiceError
    ) -> Response:
        document = await self._state.documents.get(auth, document_id)
        return await self.list(auth, part, refusals=[Refusal(title=document.title, done=done, error=error)])

    async def list(
        self,
        auth: AuthenticatedRequest,
        part: Part,
        *,
        notice: str | None = None,
        refusals: Sequence[Refusal] = (),
    ) -> Response:
        """Show a part of the list, and what a form could not do."""
        matches = await self._matches(auth, part)
        since = await self._state.documents.editable_since(auth)
        changed = await self._state.working_copies.changed_among([hit.document.id for hit in matches.hits])
        return self._site.page(
            "account/documents.html",
            runs_scripts=True,
            error=refusals[0].error if refusals else None,
            refusals=refusals,
            account=auth.account,
            folders=await self._state.document_lists.folders(auth),
            orders=ORDERS,
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
        hits, has_more = await self._state.document_lists.ordered(
            auth, part.order, after=part.position, limit=DEFAULT_PAGE_SIZE, folder=part.folder
        )
        return Matches(hits=hits, next_cursor=part.after(hits[-1].document).cursor if has_more else None)

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
    return Part.checked(request.query_params)
