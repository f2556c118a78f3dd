"""Former contents of documents: listed, shown, compared with the current one, and restored."""

from collections.abc import Sequence
from dataclasses import dataclass

from anyio import to_thread

from mdpublish_server.auth.authentication import AuthenticatedRequest, Authenticator
from mdpublish_server.conversion.converter import Converter, Share
from mdpublish_server.conversion.protocol import CompareJob, Comparison, Placed, RenderJob
from mdpublish_server.errors import Conflict, Forbidden, NotFound
from mdpublish_server.models import DocumentUpdate
from mdpublish_server.services.documents import Documents, read_for_edit
from mdpublish_server.services.pages import PageMaker
from mdpublish_server.services.revision_history import content_of
from mdpublish_server.services.working_copies import WorkingCopies, find_working
from mdpublish_server.storage import Database, DocumentRecord, Revision, RevisionSummary, Transaction
from mdpublish_server.storage.document_revisions import find_revision, list_revisions, name_revision
from mdpublish_server.validation.validators import validate_printable, validate_theme_mode

NAME_CHARACTERS = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class History:
    """A document, its former contents, newest first, and why none can be restored, if so."""

    document: DocumentRecord
    revisions: Sequence[RevisionSummary]
    refusal: Forbidden | None


@dataclass(frozen=True, slots=True, kw_only=True)
class FormerContent:
    """One of a document's former contents, and why it cannot be restored, if so."""

    document: DocumentRecord
    revision: RevisionSummary
    content: str
    refusal: Forbidden | None


@dataclass(frozen=True, slots=True)
class Revisions:
    """Reads and restores former contents; all raise `NotFound` for other accounts' documents."""

    database: Database
    authenticator: Authenticator
    documents: Documents
    copies: WorkingCopies
    converter: Converter
    pages: PageMaker

    async def list(self, auth: AuthenticatedRequest, document_id: str) -> History:
        def read(transaction: Transaction) -> History:
            return History(
                document=find_working(transaction, auth, document_id).shown,
                revisions=list_revisions(transaction, document_id),
                refusal=_refusal(transaction, auth, document_id),
            )

        return await self.database.read(read)

    async def get(self, auth: AuthenticatedRequest, document_id: str, number: int) -> FormerContent:
        document, revision, content = await self._read(auth, document_id, number)
        refusal = await self.database.read(_refusal, auth, document_id)
        return FormerContent(document=document, revision=revision, content=content, refusal=refusal)

    async def preview(self, auth: AuthenticatedRequest, document_id: str, number: int) -> Placed:
        """Return the page as it would be with the former content.

        Also raises `RateLimited`, `ConversionError` and `ServiceUnavailable`.
        """
        document, revision, content = await self._read(auth, document_id, number)
        await self.authenticator.require_rate(auth)
        fields = {"title": revision.title}
        optional = {"description": document.description, "page_width": document.page_width}
        job = RenderJob(
            markdown=content,
            template_id=document.template_id,
            theme_mode=validate_theme_mode(document.theme_mode),
            options=self.pages.draft_options(
                fields | {name: value for name, value in optional.items() if value},
                default_language=auth.account.default_language,
            ),
        )
        return await self.converter.place(job, share=Share.ACCOUNTS, client_id=auth.account.id)

    async def compare(
        self, auth: AuthenticatedRequest, document_id: str, number: int
    ) -> tuple[FormerContent, Comparison]:
        """Compare a former content with the current one, in a worker.

        Also raises `RateLimited`, `ConversionError` and `ServiceUnavailable`.
        """
        former = await self.get(auth, document_id, number)
        await self.authenticator.require_rate(auth)
        job = CompareJob(before=former.content, after=former.document.content)
        return former, await self.converter.compare(job, client_id=auth.account.id)

    async def restore(self, auth: AuthenticatedRequest, document_id: str, number: int) -> None:
        """Replace the content by a former one; the current one becomes a revision. Also raises what updates raise."""
        _, _, content = await self._read(auth, document_id, number)
        await self.authenticator.require_rate(auth)
        if (await self.copies.get(auth, document_id)).is_apart:
            await self.copies.save(auth, document_id, {"content": content}, kind="restore")
        else:
            await self.documents.update(auth, document_id, DocumentUpdate(content=content), kind="restore")

    async def name(self, auth: AuthenticatedRequest, document_id: str, number: int, name: str, *, limit: int) -> None:
        """Name a former content, so that it stays, or take its name away; `limit` contents may have one.

        Also raises `ValidationError`, `Conflict` at the limit, and `RateLimited`.
        """
        await self._read(auth, document_id, number)
        given = validate_printable("name", name, max_characters=NAME_CHARACTERS)
        await self.authenticator.require_rate(auth)

        def write(transaction: Transaction) -> None:
            named = [each for each in list_revisions(transaction, document_id) if each.name and each.number != number]
            if given and len(named) >= limit:
                raise Conflict(f"A document has at most {limit} named revisions; take a name away first")
            name_revision(transaction, document_id, number, given)

        await self.database.write(write)

    async def _read(
        self, auth: AuthenticatedRequest, document_id: str, number: int
    ) -> tuple[DocumentRecord, RevisionSummary, str]:
        """Return the document, the revision, and its content."""

        def read(transaction: Transaction) -> tuple[DocumentRecord, Revision]:
            document = find_working(transaction, auth, document_id).shown
            if (revision := find_revision(transaction, document_id, number)) is None:
                raise NotFound(f"This document has no revision {number}; only the last ones are stored")
            return document, revision

        document, revision = await self.database.read(read)
        return document, revision, await to_thread.run_sync(content_of, revision)


def _refusal(transaction: Transaction, auth: AuthenticatedRequest, document_id: str) -> Forbidden | None:
    try:
        read_for_edit(transaction, auth, document_id)
    except Forbidden as error:
        return error
    return None
