"""Account exports: a zip file with a Markdown file per document, and folders of former contents and images."""

import re
import tempfile
from asyncio import Semaphore
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from typing import IO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from anyio import to_thread
from msgspec import json

from mdpublish_core.hosting.documents import OPENINGS, FrontMatterBlock, double_quoted, find_front_matter, normalize
from mdpublish_server.clock import iso
from mdpublish_server.errors import RateLimited, ServiceUnavailable
from mdpublish_server.services.images import Images
from mdpublish_server.services.rebasing import over
from mdpublish_server.services.revision_history import content_of
from mdpublish_server.storage import Account, Database, DocumentRecord, ImageRecord, Transaction
from mdpublish_server.storage.audit import events_of_account
from mdpublish_server.storage.document_revisions import account_revisions, find_revision
from mdpublish_server.storage.documents import document_ids, find_account_document
from mdpublish_server.storage.images import account_images
from mdpublish_server.storage.paths import path_of
from mdpublish_server.storage.working_copies import find_working_copy
from mdpublish_server.validation.slugs import file_name_of, slug_of_title

_MAX_CONCURRENT = 2
"""Each keeps a CPU core busy."""

_BATCH_DOCUMENTS = 20
_BATCH_BYTES = 128 * 1024
"""Per transaction: about a millisecond, possibly in the event loop."""

_MAX_EVENTS = 100_000
"""Of the audit log, the newest: some 30 MB."""

_MODE = 0o100644 << 16

_UNNAMED = "untitled"

IMAGES = "images"
"""The folder of uploaded images, by the names that their URLs end in."""

EVENTS = "audit.jsonl"
"""What the audit log has of the account, oldest first."""

DRAFTS = "drafts"
"""The folder of documents with changes that are not published."""

REVISIONS = "revisions"
"""The folder of former contents, which are as they were, without front matter that was not theirs."""

# As the parser reads them, with their ends.
_LINE = re.compile(r"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+")


class Exports:
    """Writes exports, one at a time per account."""

    def __init__(self, database: Database, images: Images, *, public_url: str) -> None:
        self._database = database
        self._images = images
        self._public_url = public_url
        self._slots = Semaphore(_MAX_CONCURRENT)
        self._accounts: set[str] = set()

    @contextmanager
    def exclusive(self, account: Account) -> Iterator[None]:
        """Raise `RateLimited` if another export is running."""
        if account.id in self._accounts:
            raise RateLimited(
                "An export of this account is already running; retry when it has finished", retry_after=10
            )
        self._accounts.add(account.id)
        try:
            yield
        finally:
            self._accounts.discard(account.id)

    async def write(self, account: Account, file: IO[bytes], *, is_connected: Callable[[], Awaitable[bool]]) -> bool:
        """Write an export; return False if the client disconnected. Each document is read when its turn comes."""
        async with self._slots:
            ids = await self._database.scan(document_ids, account.id)
            archive = ZipFile(file, "w", ZIP_DEFLATED)
            try:
                is_whole = await self._fill(archive, account, ids, is_connected)
                await to_thread.run_sync(archive.close)
            finally:
                # On errors; otherwise it would be closed after its file.
                with suppress(OSError):
                    archive.close()
        return is_whole

    async def _fill(
        self, archive: ZipFile, account: Account, ids: Sequence[str], is_connected: Callable[[], Awaitable[bool]]
    ) -> bool:
        names = FileNames()
        revisions = await self._database.scan(account_revisions, account.id)
        done = 0
        while done < len(ids):
            if not await is_connected():
                return False
            documents, seen = await self._batch(account, ids[done : done + _BATCH_DOCUMENTS])
            files = await to_thread.run_sync(self._add, archive, names, account, documents)
            for document, file in zip(documents, files, strict=True):
                await self._add_copy(archive, file, account, document)
                for number in revisions.get(document.id, ()):
                    if not await is_connected():
                        return False
                    await self._add_revision(archive, file, document.id, number)
            done += seen
        await self._add_events(archive, account)
        for image in await self._database.scan(account_images, account.id):
            if not await is_connected():
                return False
            await self._add_image(archive, image)
        return True

    async def _add_events(self, archive: ZipFile, account: Account) -> None:
        events = await self._database.scan(events_of_account, account.id, limit=_MAX_EVENTS)
        content = b"".join(json.encode(event) + b"\n" for event in reversed(events))
        await to_thread.run_sync(archive.writestr, _entry(EVENTS, datetime.now(UTC)), content)

    async def _add_image(self, archive: ZipFile, image: ImageRecord) -> None:
        # An export without a file that is lost or was deleted meanwhile is better than none.
        with suppress(ServiceUnavailable):
            content = await self._images.content_of(image)
            entry = _entry(f"{IMAGES}/{image.name}", image.created_at)
            entry.compress_type = ZIP_STORED
            await to_thread.run_sync(archive.writestr, entry, content)

    async def _add_copy(self, archive: ZipFile, file: str, account: Account, document: DocumentRecord) -> None:
        copy = await self._database.read(find_working_copy, document.id)
        edited = over(document, copy)
        if edited is not document:
            name, username = f"{DRAFTS}/{file}", account.username
            content = await to_thread.run_sync(lambda: file_of(edited, username=username, public_url=self._public_url))
            await to_thread.run_sync(archive.writestr, _entry(name, edited.updated_at), content)

    async def _add_revision(self, archive: ZipFile, file: str, document_id: str, number: int) -> None:
        revision = await self._database.read(find_revision, document_id, number)
        if revision is None:
            # Dropped meanwhile.
            return
        named = f"-{slug_of_title(revision.name)}" if revision.name else ""
        name = f"{REVISIONS}/{file.removesuffix('.md')}/{revision.saved_at:%Y-%m-%d-%H%M%S}-{number}{named}.md"
        await to_thread.run_sync(
            lambda: archive.writestr(_entry(name, revision.saved_at), content_of(revision).encode())
        )

    async def _batch(self, account: Account, ids: Sequence[str]) -> tuple[list[DocumentRecord], int]:
        def read(transaction: Transaction) -> tuple[list[DocumentRecord], int]:
            documents: list[DocumentRecord] = []
            size = 0
            for seen, document_id in enumerate(ids, start=1):
                document = find_account_document(transaction, account.id, document_id)
                if document is not None:
                    documents.append(document)
                    size += len(document.content)
                if size >= _BATCH_BYTES:
                    return documents, seen
            return documents, len(ids)

        return await self._database.read(read)

    def _add(
        self, archive: ZipFile, names: "FileNames", account: Account, documents: Sequence[DocumentRecord]
    ) -> Sequence[str]:
        """Return the names of the files."""
        files = [names.name_of(document) for document in documents]
        for name, document in zip(files, documents, strict=True):
            content = file_of(document, username=account.username, public_url=self._public_url)
            archive.writestr(_entry(name, document.updated_at), content)
        return files


def _entry(name: str, edited: datetime) -> ZipInfo:
    # Zip times start in 1980.
    entry = ZipInfo(name, (max(edited.year, 1980), *edited.timetuple()[1:6]))
    entry.compress_type = ZIP_DEFLATED
    entry.external_attr = _MODE
    return entry


def new_file() -> IO[bytes]:
    return tempfile.TemporaryFile()


class FileNames:
    """Assigns unique file names, valid on every system."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def name_of(self, document: DocumentRecord) -> str:
        """Return a unique name: `[a-z0-9-]` and `.md`, at most 80 characters."""
        base_name = file_name_of(document.slug or slug_of_title(document.title) or _UNNAMED)
        name, number = base_name, self._numbers.get(base_name, 1)
        while name in self._taken:
            number += 1
            name = f"{base_name}-{number}"
        self._numbers[base_name] = number
        self._taken.add(name)
        return f"{name}.md"


def file_of(document: DocumentRecord, *, username: str | None, public_url: str) -> bytes:
    """Return a document as a file that converts, or is created, to the same document."""
    url = None
    if document.published_at is not None and document.slug is not None:
        url = f"{public_url}{path_of(username, document.slug)}"
    values = {
        "title": document.title,
        "slug": document.slug,
        "url": url,
        "published": _time(document.published_at),
        "created": _time(document.created_at),
        "updated": _time(document.updated_at),
        "template": document.template_id,
        "theme_mode": document.theme_mode,
        "page_width": document.page_width,
        "description": document.description,
        "visibility": document.visibility,
        # Of a text in none, a key of this name is the author's.
        **({"folder": document.folder} if document.folder else {}),
    }
    return _with_front_matter(document.content, values).encode()


def _with_front_matter(content: str, values: Mapping[str, str | None]) -> str:
    """Put values into a text's front matter, in place of those with the same keys; its other lines stay as they are.

    A text whose front matter would pass its limits, or could no longer be read, stays as it is.
    """
    mark = "\ufeff" if content.startswith("\ufeff") else ""
    body = content.removeprefix(mark)
    lines = _LINE.findall(body) if body.startswith(OPENINGS) else []
    block = find_front_matter([line.rstrip("\r\n") for line in lines])
    if not isinstance(block, FrontMatterBlock):
        return f"{mark}---\n{_written(values, ':')}---\n{body}"
    fence = body[:3]
    remaining = "".join(
        line for entry in block.entries for line in _remaining(lines[entry.start : entry.end], entry.key, values)
    )
    ours = _written(values, " =" if fence == "+++" else ":")
    front_matter = f"{fence}\n{ours}{remaining}{fence}\n"
    # A line of a longer value in TOML may look like a key.
    read = find_front_matter(normalize(front_matter).split("\n"))
    if not isinstance(read, FrontMatterBlock) or _others(read, values) != _others(block, values):
        return content
    return f"{mark}{front_matter}{''.join(lines[block.end :])}"


def _written(values: Mapping[str, str | None], sign: str) -> str:
    return "".join(f"{name}{sign} {double_quoted(value)}\n" for name, value in values.items() if value is not None)


def _others(block: FrontMatterBlock, values: Mapping[str, str | None]) -> Mapping[str, object]:
    return {key: value for key, value in block.values.items() if not _is_ours(key, values)}


def _is_ours(key: str, values: Mapping[str, str | None]) -> bool:
    return key in values or key == "template_id"


def _remaining(lines: Sequence[str], key: str, values: Mapping[str, str | None]) -> Sequence[str]:
    # Without its blank lines: between two, a comment is a heading.
    return [line for line in lines if line.startswith("#")] if _is_ours(key, values) else lines


def _time(time: datetime | None) -> str | None:
    return None if time is None else iso(time)
