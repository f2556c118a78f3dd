"""Documents as their owner left them, and the table of the security model: who may see which representation of a page.

Nothing here knows of the service's code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from tests.server.private_pages import READER

MINUTE = timedelta(minutes=1)
"""So short that no session ends meanwhile."""

DEMO_TIME = timedelta(hours=72)

APPS: Mapping[str, tuple[str, ...]] = {
    "key": ("convert", "documents.read", "documents.write", "publish"),
    **{scope: (scope,) for scope in ("convert", "documents.read", "documents.write", "publish")},
    "reads and writes": ("documents.read", "documents.write"),
    "reads and publishes": ("documents.read", "publish"),
    "writes and publishes": ("documents.write", "publish"),
}
"""What is allowed to who calls the API: the owner's key, and apps."""

VISITORS = ("stranger", "account", "reader", "friend", "owner")

WIDENING = ("visibility", "readers", "password", "expires_at", "slug", "show_source", "offer_pdf")
"""Fields of a page by which somebody may come to read it."""


def may(by: str, *needed: str) -> bool:
    return set(needed) <= set(APPS[by])


@dataclass(slots=True)
class Document:
    """A document; `marker` is in its title and its text, and in no other's."""

    marker: str = ""
    id: str = ""
    path: str = ""
    """Of its page, once it has or had one."""
    former: set[str] = field(default_factory=set)
    claim_token: str = ""
    """Of a demo that nobody has claimed."""
    images: tuple[int, ...] = ()
    is_published: bool = False
    is_trashed: bool = False
    was_published: bool = False
    visibility: str | None = None
    readers: list[str] = field(default_factory=list)
    password: int = 0
    """Counts the passwords that were set; 0 for none."""
    expires_at: datetime | None = None
    show_source: bool = False
    offer_pdf: bool = False

    @property
    def is_owned(self) -> bool:
        """Whether its owner's requests find it."""
        return bool(self.id) and not self.is_trashed and not self.claim_token

    @property
    def is_private(self) -> bool:
        return self.visibility == "specific" or self.password > 0

    @property
    def lists_reader(self) -> bool:
        return READER in self.readers or "@example.com" in self.readers

    @property
    def is_listed(self) -> bool:
        return self.visibility == "public" and not self.is_private and self.expires_at is None and not self.claim_token

    def move(self, path: str) -> None:
        if self.path and self.path != path:
            self.former.add(self.path)
        self.former.discard(path)
        self.path = path


@dataclass(slots=True)
class Model:
    """Two documents of an account, and what visitors proved."""

    now: datetime
    username: str
    documents: list[Document] = field(default_factory=lambda: [Document(), Document()])
    deleted: list[Document] = field(default_factory=list)
    restricted: set[int] = field(default_factory=set)
    """Numbers of images."""
    passwords: int = 0
    is_reader: bool = False
    proofs: dict[tuple[str, str], int] = field(default_factory=dict)
    """Passwords by visitor and document."""

    # Changes

    def widens(self, document: Document, values: Mapping[str, Any], *, publishes: bool) -> bool:
        """Return whether somebody else may come to read the document by this change."""
        if publishes and not document.is_published:
            return True
        for name in set(values) & set(WIDENING):
            value = values[name]
            if name == "password":
                is_changed = value is not None or document.password > 0
            elif name == "slug":
                is_changed = True
            else:
                is_changed = value != getattr(document, name)
            if is_changed:
                return True
        return False

    def apply(self, document: Document, values: Mapping[str, Any]) -> None:
        """Note new options of a page."""
        self.set_readers(document, values.get("readers", document.readers))
        for name in ("visibility", "expires_at", "show_source", "offer_pdf"):
            setattr(document, name, values.get(name, getattr(document, name)))
        if "password" in values:
            self.passwords += 1
            document.password = self.passwords if values["password"] else 0
        if "slug" in values:
            document.move(f"/u/{self.username}/{values['slug']}")
        self.note_page(document)

    def set_readers(self, document: Document, readers: list[str]) -> None:
        listed, document.readers = document.lists_reader, readers
        if listed and not document.lists_reader:
            self.is_reader = False

    def publish(self, document: Document, path: str) -> None:
        document.move(path)
        document.is_published = True
        document.visibility = document.visibility or "link"
        self.note_page(document)

    def rename(self, username: str) -> None:
        former, self.username = self.username, username
        for document in self.documents:
            if document.path.startswith(f"/u/{former}/"):
                document.move(document.path.replace(f"/u/{former}/", f"/u/{username}/"))

    def note_page(self, document: Document) -> None:
        if document.is_published and (document.is_private or document.expires_at is not None):
            self.restrict(document)

    def end_page(self, document: Document) -> None:
        if document.is_published:
            self.restrict(document)
        document.is_published = False

    def restrict(self, document: Document) -> None:
        if not document.claim_token:
            self.restricted |= set(document.images)

    # The table

    def has_ended(self, document: Document) -> bool:
        return document.expires_at is not None and self.now >= document.expires_at

    def is_live(self, document: Document) -> bool:
        return document.is_published and not self.has_ended(document)

    def sees(self, visitor: str, document: Document) -> bool:
        if not self.is_live(document):
            return False
        if visitor == "owner":
            return True
        is_listed = visitor == "reader" and self.is_reader and document.lists_reader
        if document.visibility == "specific" and not is_listed:
            return False
        return not document.password or self.proofs.get((visitor, document.id)) == document.password

    def gone(self, document: Document) -> int:
        """Return the status of a page that nobody sees."""
        return 410 if document.is_published and self.has_ended(document) else 404

    def shows_image(self, visitor: str, number: int) -> bool:
        showing = self._showing(number)
        return self.is_open(number) or visitor == "owner" or any(self.sees(visitor, each) for each in showing)

    def is_shared(self, visitor: str, number: int) -> bool:
        """Return whether caches may keep an image: not if it is shown for what the visitor proved."""
        is_proved = any(each.is_private and self.sees(visitor, each) for each in self._showing(number))
        return number not in self.restricted or not (visitor == "owner" or is_proved)

    def is_open(self, number: int) -> bool:
        return number not in self.restricted or any(not each.is_private for each in self._showing(number))

    def _showing(self, number: int) -> list[Document]:
        """Return the account's live pages that show an image."""
        return [
            each for each in self.documents if number in each.images and self.is_live(each) and not each.claim_token
        ]
