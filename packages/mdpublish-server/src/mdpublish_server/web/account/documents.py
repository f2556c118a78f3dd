"""`/account/documents`: list, publish, unpublish and delete documents.

The API's services do the work, under the plan's limits, without counting against the monthly quota.
"""

from dataclasses import dataclass
from urllib.parse import urlencode

from starlette.requests import Request
from starlette.responses import Response

from mdpublish_server.api.documents import DEFAULT_PAGE_SIZE, cursor_of, path_document_id, read_cursor
from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.errors import NotFound, ServiceError, ValidationError
from mdpublish_server.models import PublishOptions
from mdpublish_server.state import AppState
from mdpublish_server.storage import Account, Document, DocumentSummary
from mdpublish_server.storage.paths import path_of
from mdpublish_server.web.account.notices import notice_of, redirect_with_notice
from mdpublish_server.web.site import Site

PATH = "/account/documents"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A document in the list."""

    document: DocumentSummary
    url: str | None
    is_read_only: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """A failed action, and the document's title."""

    action: str
    title: str
    error: ServiceError


class DocumentPages:
    """The list and its forms."""

    def __init__(self, state: AppState, site: Site) -> None:
        self._state = state
        self._site = site

    async def show(self, request: Request, account: Account) -> Response:
        return await self._list(account, request.query_params.get("cursor"), notice=notice_of(request))

    async def publish(self, request: Request, account: Account) -> Response:
        """Publish a document with its previous or default options."""
        auth, document_id, cursor = self._parse_request(request, account)
        try:
            await self._state.authenticator.require_rate(auth)
            await self._state.publisher.publish(auth, document_id, PublishOptions())
        except NotFound:
            raise
        except ServiceError as error:
            document = await self._state.documents.get(auth, document_id)
            refusal = Refusal(action="published", title=document.title, error=error)
            return await self._list(account, cursor, refusal=refusal)
        return redirect_with_notice(_list_path(cursor), "published")

    async def unpublish(self, request: Request, account: Account) -> Response:
        auth, document_id, cursor = self._parse_request(request, account)
        await self._state.authenticator.require_rate(auth)
        await self._state.publisher.unpublish(auth, document_id)
        return redirect_with_notice(_list_path(cursor), "unpublished")

    async def confirm_deletion(self, request: Request, account: Account) -> Response:
        auth, document_id, cursor = self._parse_request(request, account)
        document = await self._state.documents.get(auth, document_id)
        return self._site.page(
            "account/document_deletion.html",
            account=account,
            document=document,
            url=self._url(account, document),
            cursor=cursor,
        )

    async def delete(self, request: Request, account: Account) -> Response:
        auth, document_id, cursor = self._parse_request(request, account)
        await self._state.authenticator.require_rate(auth)
        await self._state.documents.delete(auth, document_id)
        return redirect_with_notice(_list_path(cursor), "deleted")

    def _parse_request(self, request: Request, account: Account) -> tuple[AuthenticatedRequest, str, str | None]:
        """Return authentication, document id and the cursor of the list."""
        cursor = _checked_cursor(request.query_params.get("cursor"))
        return self._state.authenticator.session_request(account), path_document_id(request), cursor

    async def _list(
        self, account: Account, cursor: str | None, *, notice: str | None = None, refusal: Refusal | None = None
    ) -> Response:
        auth = self._state.authenticator.session_request(account)
        before, before_id = read_cursor(cursor)
        documents, has_more = await self._state.documents.list(
            auth, before=before, before_id=before_id, limit=DEFAULT_PAGE_SIZE
        )
        since = await self._state.documents.editable_since(auth)
        return self._site.page(
            "account/documents.html",
            error=refusal.error if refusal else None,
            account=account,
            rows=[
                Row(
                    document=document,
                    url=self._url(account, document),
                    is_read_only=since is not None and document.updated_at < since,
                )
                for document in documents
            ],
            cursor=cursor,
            next_cursor=cursor_of(documents[-1]) if has_more else None,
            notice=notice,
            refusal=refusal,
        )

    def _url(self, account: Account, document: Document | DocumentSummary) -> str | None:
        if document.published_at is None or document.slug is None:
            return None
        return f"{self._state.settings.public_url}{path_of(account.username, document.slug)}"


def _list_path(cursor: str | None) -> str:
    return PATH if cursor is None else f"{PATH}?{urlencode({'cursor': cursor})}"


def _checked_cursor(cursor: str | None) -> str | None:
    """Return a valid cursor or None, since a form need not fail for it."""
    try:
        read_cursor(cursor or None)
    except ValidationError:
        return None
    return cursor or None
