"""What the last build wrote, and from what; and files written so that a killed build leaves none half written.

A build names the files that it is about to write in the manifest before it writes the first. So after a build that was
killed, the next one knows which files are its own, and never touches others.
"""

import json
import os
import shutil
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any

from mdpublish_core.errors import InvalidSite
from mdpublish_core.notices import Notice
from mdpublish_core.resources.folder_files import atomic_write, locate, open_within, repository_root
from mdpublish_core.site.scan import PageUrl, ScannedPage, Section
from mdpublish_core.strings.positions import SourcePosition

FOLDER = ".mdpublish-site"
"""In the output: the manifest, and files before they are complete. It need not be published."""

_FILE = "manifest.json"


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file of the output. `key` stands for all it depends on; it is empty until the file is written."""

    key: str = ""
    digest: str = ""
    size: int = -1
    notices: tuple[Notice, ...] = ()


@dataclass(slots=True)
class Manifest:
    """Scanned pages by source and digest, and written files by path, relative to the folder and the output."""

    fingerprint: str
    scans: dict[str, tuple[str, ScannedPage]] = field(default_factory=dict)
    files: dict[str, WrittenFile] = field(default_factory=dict)


class Output:
    """The output of a site."""

    def __init__(self, out: Path, fingerprint: str) -> None:
        self.out = out
        self.staging = out / FOLDER
        locate(repository_root(out.resolve()), self.staging / "parts")
        self.manifest = _read(self.staging / _FILE, fingerprint)
        self.is_changed = False

    def remember(self, scans: dict[str, tuple[str, ScannedPage]]) -> None:
        """Keep the digest and scan of each source for the next build."""
        self.is_changed |= scans != self.manifest.scans
        self.manifest.scans = scans

    def claim(self, paths: Iterable[PurePosixPath], *, force: bool) -> None:
        """Reserve names for files to write. Raises `InvalidSite` for a file of another program, unless `force`."""
        files = self.manifest.files
        for path in paths:
            if str(path) in files:
                continue
            if not force and os.path.lexists(self.out / path):
                raise InvalidSite(
                    f"{self.out / path} exists and is not part of the site; remove it, or overwrite such files with --force"
                )
            files[str(path)] = WrittenFile()
            self.is_changed = True

    def begin(self, paths: Iterable[PurePosixPath]) -> None:
        """Record files before they are written, with all names that are new."""
        for path in paths:
            self.record(path, WrittenFile())
        if self.is_changed:
            self.save()

    def is_current(self, path: PurePosixPath, key: str) -> bool:
        written = self.manifest.files.get(str(path))
        if written is None or written.key != key:
            return False
        try:
            return (self.out / path).stat().st_size == written.size
        except OSError:
            return False

    def record(self, path: PurePosixPath, written: WrittenFile) -> None:
        self.manifest.files[str(path)] = written
        self.is_changed = True

    def write(self, path: PurePosixPath, content: bytes) -> None:
        """Write a generated file, unless it is as it was."""
        key = sha256(content).hexdigest()
        if not self.is_current(path, key):
            self.record(path, write_file(self.out, path, content, key))

    def copy(self, root: Path, source: Path, path: PurePosixPath) -> None:
        """Copy a file that must not lead out of `root`, unless it is as it was. Raises `OSError`."""
        with open_within(root, source) as opened:
            status = os.fstat(opened.fileno())
            key = f"{status.st_mtime_ns} {status.st_size}"
            if not self.is_current(path, key):
                self.record(path, write_file(self.out, path, opened.read(), key))

    def delete_others(self, expected: Iterable[PurePosixPath]) -> tuple[list[str], list[str]]:
        """Delete files of earlier builds; return them, and those that were kept since something changed them."""
        deleted, modified = [], []
        names = set(map(str, expected))
        for name in [each for each in self.manifest.files if each not in names]:
            written = self.manifest.files.pop(name)
            self.is_changed = True
            file = self.out / name
            with suppress(FileNotFoundError):
                locate(repository_root(self.out.resolve()), file)
                if written.digest and sha256(file.read_bytes()).hexdigest() != written.digest:
                    modified.append(name)
                    continue
                file.unlink()
                deleted.append(name)
                self._remove_empty_folders(file.parent)
        return deleted, modified

    def save(self) -> None:
        scans = {name: (digest, asdict(page)) for name, (digest, page) in sorted(self.manifest.scans.items())}
        files = {name: asdict(written) for name, written in sorted(self.manifest.files.items())}
        content = {"fingerprint": self.manifest.fingerprint, "files": files, "scans": scans}
        with atomic_write(self.staging / _FILE) as new:
            new.write(json.dumps(content).encode())

    def clear_staging(self) -> None:
        """Remove what a killed build left."""
        shutil.rmtree(self.staging / "parts", ignore_errors=True)

    def _remove_empty_folders(self, folder: Path) -> None:
        while folder != self.out and folder.is_relative_to(self.out):
            try:
                folder.rmdir()
            except OSError:
                return
            folder = folder.parent


def write_file(
    out: Path, path: PurePosixPath, content: bytes, key: str, notices: tuple[Notice, ...] = ()
) -> WrittenFile:
    """Write a file at once: readers see the old one or the new one."""
    digest = sha256(content).hexdigest()
    file = out / path
    locate(repository_root(out.resolve()), file.parent)
    file.parent.mkdir(parents=True, exist_ok=True)
    parts = out / FOLDER / "parts"
    parts.mkdir(parents=True, exist_ok=True)
    temporary = parts / f"{sha256(os.fsencode(str(path))).hexdigest()[:32]}.{os.getpid()}"
    try:
        temporary.write_bytes(content)
        temporary.replace(file)
    finally:
        temporary.unlink(missing_ok=True)
    return WrittenFile(key, digest, len(content), notices)


def _read(file: Path, fingerprint: str) -> Manifest:
    """Return the manifest; of one by other settings, which files it wrote."""
    try:
        content = json.loads(file.read_bytes())
        files = {str(_path(name)): _written(each) for name, each in content["files"].items()}
        if content["fingerprint"] != fingerprint:
            return Manifest(fingerprint, {}, {name: WrittenFile("", each.digest) for name, each in files.items()})
        scans = {name: (digest, _scanned(page)) for name, (digest, page) in content["scans"].items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return Manifest(fingerprint)
    return Manifest(fingerprint, scans, files)


def _path(name: str) -> PurePosixPath:
    path = PurePosixPath(name)
    if path.is_absolute() or ".." in path.parts:
        raise ValueError(name)
    return path


def _written(content: Mapping[str, Any]) -> WrittenFile:
    return WrittenFile(**{**content, "notices": tuple(Notice(**each) for each in content["notices"])})


def _scanned(content: Mapping[str, Any]) -> ScannedPage:
    urls = tuple(PageUrl(**{**each, "position": SourcePosition(*each["position"])}) for each in content["urls"])
    sections = tuple(Section(**each) for each in content["sections"])
    labels = tuple((url, label) for url, label in content["labels"])
    notices = tuple(Notice(**each) for each in content["notices"])
    return ScannedPage(**{**content, "urls": urls, "labels": labels, "sections": sections, "notices": notices})
