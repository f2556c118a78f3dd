"""Account exports: a zip file with one Markdown file per document."""

import json
import re
import tempfile
from asyncio import Semaphore
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from anyio import to_thread

from mdpublish_server.clock import iso
from mdpublish_server.errors import RateLimited
from mdpublish_server.storage import Account, Database, Document, Transaction
from mdpublish_server.storage.documents import document_ids, find_account_document
from mdpublish_server.storage.paths import path_of
from mdpublish_server.validation.slugs import slug_of_title

_MAX_CONCURRENT = 2
"""Each keeps a CPU core busy."""

_BATCH_DOCUMENTS = 20
_BATCH_BYTES = 128 * 1024
"""Per transaction: about a millisecond, possibly in the event loop."""

_MODE = 0o100644 << 16

_UNNAMED = "untitled"

# Reserved on Windows, with any extension.
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
)

# YAML 1.2.2, section 5.1.
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


class Exports:
    """Writes exports, one at a time per account."""

    def __init__(self, database: Database, *, public_url: str) -> None:
        self._database = database
        self._public_url = public_url
        self._slots = Semaphore(_MAX_CONCURRENT)
        self._accounts: set[str] = set()

    @contextmanager
    def exclusive(self, account: Account) -> Iterator[None]:
        """Raise `RateLimited` if another export is running."""
        if account.id in self._accounts:
            raise RateLimited(
                "An export of this account is already running; retry when it has finished",
                headers={"Retry-After": "10"},
            )
        self._accounts.add(account.id)
        try:
            yield
        finally:
            self._accounts.discard(account.id)

    async def write(self, account: Account, file: IO[bytes], *, is_connected: Callable[[], Awaitable[bool]]) -> bool:
        """Write an export; return False if the client disconnected.

        Each document is read when its turn comes.
        """
        async with self._slots:
            ids = await self._database.scan(lambda transaction: document_ids(transaction, account.id))
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
        done = 0
        while done < len(ids):
            if not await is_connected():
                return False
            documents, seen = await self._batch(account, ids[done : done + _BATCH_DOCUMENTS])
            await to_thread.run_sync(self._add, archive, names, account, documents)
            done += seen
        return True

    async def _batch(self, account: Account, ids: Sequence[str]) -> tuple[list[Document], int]:
        def read(transaction: Transaction) -> tuple[list[Document], int]:
            documents: list[Document] = []
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

    def _add(self, archive: ZipFile, names: "FileNames", account: Account, documents: Sequence[Document]) -> None:
        for document in documents:
            edited = document.updated_at
            # Zip times start in 1980.
            entry = ZipInfo(names.name_of(document), (max(edited.year, 1980), *edited.timetuple()[1:6]))
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = _MODE
            archive.writestr(entry, file_of(document, username=account.username, public_url=self._public_url))


def new_file() -> IO[bytes]:
    return tempfile.TemporaryFile()


class FileNames:
    """Assigns unique file names, valid on every system."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def name_of(self, document: Document) -> str:
        """Return a unique name: `[a-z0-9-]` and `.md`, at most 80 characters."""
        base_name = document.slug or slug_of_title(document.title) or _UNNAMED
        if base_name in _DEVICES:
            base_name = f"{base_name}-document"
        name, number = base_name, self._numbers.get(base_name, 1)
        while name in self._taken:
            number += 1
            name = f"{base_name}-{number}"
        self._numbers[base_name] = number
        self._taken.add(name)
        return f"{name}.md"


def file_of(document: Document, *, username: str | None, public_url: str) -> bytes:
    url = None
    if document.published_at is not None and document.slug is not None:
        url = f"{public_url}{path_of(username, document.slug)}"
    lines = {
        "title": document.title,
        "slug": document.slug,
        "url": url,
        "published": _time(document.published_at),
        "created": _time(document.created_at),
        "updated": _time(document.updated_at),
        "template_id": document.template_id,
        "theme_mode": document.theme_mode,
        "page_width": document.page_width,
        "description": document.description,
        "visibility": document.visibility,
    }
    front_matter = "".join(f"{name}: {_scalar(value)}\n" for name, value in lines.items())
    return f"---\n{front_matter}---\n{document.content}".encode()


def _time(time: datetime | None) -> str | None:
    return None if time is None else iso(time)


def _scalar(value: str | None) -> str:
    """Quote for YAML 1.1 and 1.2."""
    quoted = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)
