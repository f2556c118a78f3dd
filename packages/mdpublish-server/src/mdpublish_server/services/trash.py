"""Deleting on the site, which can be undone for some time; the API deletes at once."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import timedelta

from mdpublish_server.auth.authentication import AuthenticatedRequest, Authenticator
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.errors import Forbidden, ServiceError
from mdpublish_server.models import PublishOptions
from mdpublish_server.services.documents import document_limit, find_seen, no_document
from mdpublish_server.services.page_access import restrict_images_of
from mdpublish_server.services.publishing import Publisher
from mdpublish_server.storage import Database, Transaction, TrashedDocument
from mdpublish_server.storage.accounts import decrement_counter, increment_documents
from mdpublish_server.storage.audit import record
from mdpublish_server.storage.documents import find_account_document
from mdpublish_server.storage.permalinks import delete_page
from mdpublish_server.storage.search_index import index_document
from mdpublish_server.storage.trash import erase, list_trash, move_to_trash, take_from_trash, trashed_content

RETENTION = timedelta(days=30)

_LISTED = 200


@dataclass(frozen=True, slots=True)
class Trash:
    """Deletes, restores and erases documents of accounts."""

    database: Database
    authenticator: Authenticator
    converter: Converter
    publisher: Publisher

    async def list(self, auth: AuthenticatedRequest) -> Sequence[TrashedDocument]:
        """Return the documents that can be restored, the one deleted last first."""
        return await self.database.read(list_trash, auth.account.id, limit=_LISTED)

    async def delete(self, auth: AuthenticatedRequest, document_id: str) -> None:
        """Raise `NotFound`."""

        def work(transaction: Transaction) -> None:
            document = find_seen(transaction, auth, document_id)
            move_to_trash(transaction, auth.account.id, document, now=auth.now)
            before = {"slug": document.slug, "was_published": document.published_at is not None, "is_final": False}
            record(transaction, "document.deleted", auth.account.id, document_id, before=before)
            decrement_counter(transaction, auth.account.id, "documents")
            if document.published_at is not None:
                decrement_counter(transaction, auth.account.id, "pages")
                restrict_images_of(transaction, document)
                delete_page(transaction, document_id)

        await self.authenticator.run_counted(auth, work, uses_reserve=True)

    async def erase(self, auth: AuthenticatedRequest, document_id: str) -> None:
        """Delete a document of the trash, with its revisions, permanently; raise `NotFound`."""

        def work(transaction: Transaction) -> None:
            if trashed_content(transaction, auth.account.id, document_id) is None:
                raise no_document()
            erase(transaction, document_id)
            record(transaction, "document.deleted", auth.account.id, document_id, before={"is_final": True})

        await self.authenticator.run_counted(auth, work, uses_reserve=True)

    async def restore(self, auth: AuthenticatedRequest, document_id: str) -> None:
        """Restore a document, published again if it was and the plan allows it; raise `NotFound` or `Forbidden`."""
        content = await self.database.read(trashed_content, auth.account.id, document_id)
        if content is None:
            raise no_document()
        words = (await self.converter.read_words(content, client_id=auth.account.id)).indexed if content else ""

        def work(transaction: Transaction) -> bool:
            edited_at = increment_documents(transaction, auth.account.id, limit=auth.plan.documents, now=auth.now)
            if edited_at is None:
                raise Forbidden(document_limit(auth.plan))
            was_published = take_from_trash(transaction, auth.account.id, document_id, edited_at=edited_at)
            document = find_account_document(transaction, auth.account.id, document_id)
            if was_published is None or document is None:
                raise no_document()
            index_document(transaction, document, words)
            record(transaction, "document.restored", auth.account.id, document_id)
            return was_published

        if await self.authenticator.run_counted(auth, work):
            with suppress(ServiceError):
                await self.publisher.publish(auth, document_id, PublishOptions())
