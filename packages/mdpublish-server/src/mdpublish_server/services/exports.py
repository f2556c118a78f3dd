"""Exports: everything that an account keeps here, as files that any program reads.

A zip file with one Markdown file a document: front matter in YAML, then the text as it is kept, byte for byte. It is made in
a file without a name, so that nothing is left of it once it is closed, whatever happens.
"""

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
from mdpublish_server.services.pages import path_of
from mdpublish_server.storage import Account, Database, Document, Transaction
from mdpublish_server.storage.documents import document_ids, find_account_document
from mdpublish_server.validation.slugs import slug_of_title

_MAX_CONCURRENT = 2
"""Exports that are made at a time: each takes most of a processor."""

_BATCH_DOCUMENTS = 50
_BATCH_BYTES = 256 * 1024
"""What is read at once, in the event loop where the database is a file: a millisecond's worth."""

# A plain file that its owner may change and everybody read, as zip files keep it from Unix.
_MODE = 0o100644 << 16

_UNNAMED = "untitled"

# Windows takes these for devices, whatever follows after a dot.
_DEVICES = frozenset(
    {"con", "prn", "aux", "nul"} | {f"{port}{number}" for port in ("com", "lpt") for number in range(10)}
)

# What a reader of YAML refuses or changes within double quotes; JSON leaves it as it is. YAML 1.2.2, section 5.1.
_UNPRINTABLE = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]")


class Exports:
    """Makes exports, of each account one at a time; pages lie under `public_url`."""

    def __init__(self, database: Database, *, public_url: str) -> None:
        self._database = database
        self._public_url = public_url
        self._slots = Semaphore(_MAX_CONCURRENT)
        self._accounts: set[str] = set()

    @contextmanager
    def exclusive(self, account: Account) -> Iterator[None]:
        """Return a context in which no other export of an account can begin; raises `RateLimited`."""
        if account.id in self._accounts:
            raise RateLimited(
                "an export of this account is on its way already; wait until it has arrived",
                headers={"Retry-After": "10"},
            )
        self._accounts.add(account.id)
        try:
            yield
        finally:
            self._accounts.discard(account.id)

    async def write(self, account: Account, file: IO[bytes], *, is_connected: Callable[[], Awaitable[bool]]) -> bool:
        """Write an account's export into an empty file.

        False where it was given up, since nobody wants it any more. Each document is as it is when its turn comes; one
        that is deleted before is left out.
        """
        async with self._slots:
            ids = await self._database.read(lambda transaction: document_ids(transaction, account.id))
            archive = ZipFile(file, "w", ZIP_DEFLATED)
            try:
                is_whole = await self._fill(archive, account, ids, is_connected)
                await to_thread.run_sync(archive.close)
            finally:
                # Where something failed: without this, it would be closed later, after its file.
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
        """Return the first of these documents, as many as are not too much at once, and how many ids that answers."""

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
            # The times of a zip file are to two seconds, of nowhere in particular, and begin in 1980.
            entry = ZipInfo(names.name_of(document), (max(edited.year, 1980), *edited.timetuple()[1:6]))
            entry.compress_type = ZIP_DEFLATED
            entry.external_attr = _MODE
            archive.writestr(entry, file_of(document, username=account.username, public_url=self._public_url))


def new_file() -> IO[bytes]:
    """Return an empty file that is gone when it is closed."""
    return tempfile.TemporaryFile()


class FileNames:
    """Names for the files of one export, each of which every system takes, and no two of which any takes for one."""

    def __init__(self) -> None:
        self._taken: set[str] = set()
        self._numbers: dict[str, int] = {}

    def name_of(self, document: Document) -> str:
        """Return a new name, by the document's slug, or its title: `[a-z0-9-]` and the ending, at most 80 characters."""
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
    """Return a document as a file."""
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
    """Return a text as YAML takes it, in every version: JSON's quotes, with what YAML would not print escaped too."""
    quoted = json.dumps(value, ensure_ascii=False)
    return _UNPRINTABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", quoted)
