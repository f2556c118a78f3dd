"""Saving what a person edits: text and style of a document in one form.

A form carries the revision that it was opened at, of the document and of its working copy. If there is another one
meanwhile, nothing is saved and `RevisionConflict` is raised, so that the person can choose. What is saved of a
published document is its working copy, until it is published. A form with what is stored already changes nothing, so
that it may be sent twice, and fields that the plan does not allow may be sent as they are. A text without a title is
called as its front matter or its first heading says. What is published has the options that are stored.
"""

from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

from msgspec import UNSET, Struct, structs

from mdpublish_server.auth.authentication import AuthenticatedRequest
from mdpublish_server.auth.server_key import ServerKey
from mdpublish_server.conversion.converter import Converter, Share
from mdpublish_server.models import DocumentCreate, DocumentUpdate, PublishOptions, fields_set
from mdpublish_server.services.documents import Documents, RevisionConflict, Update
from mdpublish_server.services.publishing import Publisher, stored_option
from mdpublish_server.services.rebasing import copied
from mdpublish_server.services.revision_history import UpdateKind
from mdpublish_server.services.working_copies import Seen, Working, WorkingCopies
from mdpublish_server.storage import DocumentRecord
from mdpublish_server.validation.validators import title_from_heading


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """What a form changes."""

    changes: DocumentUpdate
    filing: DocumentUpdate = field(default_factory=DocumentUpdate)
    """The folder, which readers do not see: saved at once."""
    is_published: bool = False
    """Whether the document is published with it, or its changes are."""


@dataclass(frozen=True, slots=True)
class Editor:
    """Creates and saves documents."""

    documents: Documents
    copies: WorkingCopies
    publisher: Publisher
    converter: Converter
    server_key: ServerKey

    async def create(self, auth: AuthenticatedRequest, new: DocumentCreate, *, nonce: str) -> Update:
        """Create a document; a form's nonce makes one, however often it is sent.

        Raises `Forbidden`, and `RevisionConflict` if the form was sent before with another text.
        """
        document_id = await self._document_id(auth, nonce)
        if new.title is UNSET:
            new = structs.replace(new, title=await self._title(auth, new.content))
        document, notices = await self.documents.create(auth, new, document_id=document_id)
        if document.content != new.content:
            raise RevisionConflict(document)
        return Update(document, notices)

    async def save(
        self, auth: AuthenticatedRequest, document_id: str, edit: Edit, *, seen: Seen, kind: UpdateKind = "save"
    ) -> Update:
        """Save an edit of what was `seen`.

        The text is saved first: it stays if publishing is refused. Raises `NotFound`, `RevisionConflict`, `Forbidden`,
        `QuotaExceeded`, `Conflict` or `RenderError`.
        """
        working = await self.copies.get(auth, document_id)
        stored, changes, copy = working.document, dict[str, Any](), None
        if working.is_apart:
            working = await self._save_copy(auth, edit, working, seen=seen, kind=kind)
            copy = working.seen.copy
            if edit.is_published:
                changes = _unpublished(working)
        else:
            changes = await self._changes(auth, edit, stored)
            if stored.is_autosaved and kind == "save" and not changes:
                await self.documents.mark_saved(stored)
        saved, revision = Update(stored), seen.revision
        if changes:
            update = DocumentUpdate(**changes)
            saved = await self.documents.update(auth, document_id, update, seen={revision}, kind=kind, copy=copy)
            revision = saved.document.revision
        if edit.is_published and stored.published_at is None:
            published = await self.publisher.publish(auth, document_id, PublishOptions(), seen={revision})
            saved = Update(published.document, published.notices)
            revision = published.document.revision
        if filing := changed_fields(edit.filing, stored):
            saved = await self.documents.update(auth, document_id, DocumentUpdate(**filing), seen={revision})
        return saved

    async def publish(self, auth: AuthenticatedRequest, document_id: str) -> None:
        """Publish a document as it is edited; raises what `save` raises."""
        working = await self.copies.get(auth, document_id)
        edit = Edit(changes=DocumentUpdate(), is_published=True)
        await self.save(auth, document_id, edit, seen=working.seen)

    async def duplicate(self, auth: AuthenticatedRequest, document_id: str) -> DocumentRecord:
        """Add an unpublished copy of a document as it is edited; raises what `Documents.duplicate` raises."""
        working = await self.copies.get(auth, document_id)
        return await self.documents.duplicate(auth, working.shown)

    async def unpublish(self, auth: AuthenticatedRequest, document_id: str) -> None:
        """Unpublish a document; what was not published is its text from then on."""
        await self.publisher.unpublish(auth, document_id)
        working = await self.copies.get(auth, document_id)
        if working.is_changed:
            update = DocumentUpdate(**_unpublished(working))
            revision, copy = working.seen
            await self.documents.update(auth, document_id, update, seen={revision}, copy=copy)

    async def _save_copy(
        self, auth: AuthenticatedRequest, edit: Edit, working: Working, *, seen: Seen, kind: UpdateKind
    ) -> Working:
        changes = await self._changes(auth, edit, working.shown)
        if changes or (working.is_changed and working.shown.is_autosaved and kind == "save"):
            return await self.copies.save(auth, working.document.id, changes, seen=seen, kind=kind)
        return working

    async def _changes(self, auth: AuthenticatedRequest, edit: Edit, stored: DocumentRecord) -> dict[str, Any]:
        changes = changed_fields(edit.changes, stored)
        if "content" in changes and edit.changes.title is UNSET:
            changes["title"] = await self._title(auth, changes["content"])
        return changes

    async def _title(self, auth: AuthenticatedRequest, content: str) -> str:
        """Return the title of a text that was given none: that of its front matter, else its first heading."""
        client_id = auth.account.id
        read = await self.converter.read_front_matter(content, share=Share.ACCOUNTS, client_id=client_id)
        if "title" in read.values:
            return title_from_heading(read.values["title"])
        return await self.converter.read_title(content, client_id=client_id)

    async def _document_id(self, auth: AuthenticatedRequest, nonce: str) -> str:
        seed = await self.server_key.derive("new document", auth.account.id.encode(), nonce.encode())
        return str(UUID(bytes=seed[:16], version=4))


def _unpublished(working: Working) -> dict[str, Any]:
    """Return what the working copy changes."""
    return {name: value for name, value in copied(working.shown).items() if value != getattr(working.document, name)}


def changed_fields(fields: Struct, stored: DocumentRecord) -> dict[str, Any]:
    """Return the fields that are not as stored."""
    return {name: value for name, value in fields_set(fields).items() if value != _stored(stored, name)}


def _stored(document: DocumentRecord, name: str) -> object:
    return normalized(document.content) if name == "content" else stored_option(document, name)


def normalized(content: str) -> str:
    """Return a text with the line ends that browsers send, which alone are no change."""
    return content.replace("\r\n", "\n").replace("\r", "\n")
