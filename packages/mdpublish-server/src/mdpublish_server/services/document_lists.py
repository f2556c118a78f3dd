"""The list of an account's documents on the site: in an order, of a folder, or those that were chosen in it."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.services.document_search import Hit, Marked, first_words
from mdpublish_server.storage import Database
from mdpublish_server.storage.document_lists import Folder, Listed, chosen_documents, folders, ordered_documents
from mdpublish_server.validation.validators import UNTITLED


@dataclass(frozen=True, slots=True)
class DocumentLists:
    """Lists documents, each with its first words if it has no title."""

    database: Database

    async def ordered(
        self,
        auth: AuthenticatedRequest,
        order: str,
        *,
        after: tuple[str | datetime, str],
        limit: int,
        folder: str | None = None,
    ) -> tuple[Sequence[Hit], bool]:
        """Return documents as `ordered_documents` does, and whether there are more."""
        listed = await self.database.read(
            lambda transaction: ordered_documents(
                transaction, auth.account.id, order, after=after, limit=limit + 1, untitled=UNTITLED, folder=folder
            )
        )
        return _hits(listed[:limit]), len(listed) > limit

    async def chosen(self, auth: AuthenticatedRequest, document_ids: Sequence[str]) -> Sequence[Hit]:
        """Return the documents of a few ids, in their order, but those that are not the account's."""
        listed = await self.database.read(
            lambda transaction: chosen_documents(transaction, auth.account.id, document_ids, untitled=UNTITLED)
        )
        return sorted(_hits(listed), key=lambda hit: document_ids.index(hit.document.id))

    async def folders(self, auth: AuthenticatedRequest) -> Sequence[Folder]:
        return await self.database.read(lambda transaction: folders(transaction, auth.account.id))


def _hits(listed: Sequence[Listed]) -> Sequence[Hit]:
    return [
        Hit(
            document=document,
            title=[Marked(document.title, is_hit=False)],
            excerpt=[Marked(first_words(beginning), is_hit=False)] if beginning else (),
        )
        for document, beginning in listed
    ]
