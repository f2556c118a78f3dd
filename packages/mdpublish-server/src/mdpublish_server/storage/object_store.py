"""Where the files of images are: a folder, or a bucket of S3, Google Cloud Storage, Azure or what is compatible.

Names are random and written once. All methods raise `ServiceUnavailable` if the store cannot do it now.
"""

import asyncio
import logging
import os
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol
from urllib.parse import parse_qsl

from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.storage.private_files import UNFINISHED, sync, unfinished_file

if TYPE_CHECKING:
    from obstore.store import ObjectStore as Bucket

PUT_SECONDS = 60.0
"""After which a write has either happened or never will."""

_STALE_SECONDS = 3_600.0
"""Age of files that a write has left behind, whose process ended."""

_TIMEOUTS = {"timeout": "30s", "connect_timeout": "5s"}
_RETRIES: Any = {"max_retries": 2, "retry_timeout": timedelta(seconds=20)}

_log = logging.getLogger(__name__)


class ObjectStore(Protocol):
    """Files by name."""

    async def put(self, name: str, content: bytes) -> None:
        """Write a file; return once durable."""

    async def get(self, name: str) -> bytes | None:
        """Return a file, None if there is none."""

    async def sizes(self) -> dict[str, int]:
        """Return all files' sizes in bytes by name."""

    async def delete(self, name: str) -> None:
        """Delete a file, if there is one."""

    async def clean_up(self) -> None:
        """Delete what writes that were killed have left behind."""


def open_store(location: str) -> ObjectStore:
    """Open the store at a folder or a URL; neither is made or asked before it is used."""
    return BucketStore(location) if is_bucket(location) else FolderStore(Path(location))


def file_sizes(folder: Path) -> dict[str, int]:
    """Return the sizes of a folder's finished files by name; none if there is no folder."""
    sizes: dict[str, int] = {}
    with suppress(FileNotFoundError), os.scandir(folder) as entries:
        for entry in entries:
            with suppress(FileNotFoundError):
                if entry.is_file(follow_symlinks=False) and not entry.name.endswith(UNFINISHED):
                    sizes[entry.name] = entry.stat().st_size
    return sizes


def is_bucket(location: str) -> bool:
    return "://" in location


def redacted_store(location: str) -> str:
    """Return where a store is, without its query, which may have secrets."""
    return location.partition("?")[0] if is_bucket(location) else location


class FolderStore:
    """Files of a folder, written and synced here: obstore's folders do not sync, and leave parts unlisted."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    async def put(self, name: str, content: bytes) -> None:
        async with _reachable():
            await asyncio.to_thread(self._write, name, content)

    async def get(self, name: str) -> bytes | None:
        async with _reachable():
            with suppress(FileNotFoundError):
                return await asyncio.to_thread((self._folder / name).read_bytes)
            return None

    async def sizes(self) -> dict[str, int]:
        async with _reachable():
            return await asyncio.to_thread(file_sizes, self._folder)

    async def delete(self, name: str) -> None:
        async with _reachable():
            await asyncio.to_thread((self._folder / name).unlink, missing_ok=True)

    async def clean_up(self) -> None:
        async with _reachable():
            await asyncio.to_thread(self._delete_unfinished)

    def _write(self, name: str, content: bytes) -> None:
        if not self._folder.is_dir():
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            sync(self._folder.parent)
        with unfinished_file(self._folder / name) as temporary:
            temporary.write_bytes(content)

    def _delete_unfinished(self) -> None:
        oldest = time.time() - _STALE_SECONDS
        if not self._folder.is_dir():
            return
        with os.scandir(self._folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    if entry.name.endswith(UNFINISHED) and entry.stat().st_mtime < oldest:
                        Path(entry.path).unlink()


class BucketStore:
    """Objects of a bucket, by obstore, which only this class imports."""

    def __init__(self, url: str) -> None:
        self._url = url
        self._opened: Bucket | None = None

    async def put(self, name: str, content: bytes) -> None:
        async with _reachable():
            await asyncio.wait_for(self._bucket().put_async(name, content), PUT_SECONDS)

    async def get(self, name: str) -> bytes | None:
        async with _reachable():
            try:
                response = await self._bucket().get_async(name)
            except FileNotFoundError:
                return None
            return bytes(await response.bytes_async())

    async def sizes(self) -> dict[str, int]:
        async with _reachable():
            batches = [batch async for batch in self._bucket().list()]
        return {each["path"].rpartition("/")[2]: each["size"] for batch in batches for each in batch}

    async def delete(self, name: str) -> None:
        async with _reachable():
            with suppress(FileNotFoundError):
                await self._bucket().delete_async(name)

    async def clean_up(self) -> None:
        """Do nothing: a bucket shows only whole objects."""

    def _bucket(self) -> "Bucket":
        if self._opened is None:
            # Late: it takes a tenth of a second, and most services have a folder.
            from obstore.store import from_url

            bucket_url, _, query = self._url.partition("?")
            options: Any = dict(parse_qsl(query))
            client: Any = {**_TIMEOUTS, "allow_http": options.get("endpoint", "").startswith("http://")}
            self._opened = from_url(bucket_url, config=options, client_options=client, retry_config=_RETRIES)
        return self._opened


@asynccontextmanager
async def _reachable() -> AsyncIterator[None]:
    try:
        yield
    except Exception as error:
        # Only its type: obstore's messages quote URLs and responses.
        _log.error("The image store failed: %s", type(error).__name__)
        raise ServiceUnavailable("Images cannot be stored or read now; retry later", retry_after=10) from error
