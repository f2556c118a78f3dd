"""Pins READMEs of npm packages: `python -m tests.corpora.pin [--trades] [PACKAGE[@VERSION][:PATH]…]`.

Writes `readmes.txt`, or with `--trades` `readmes_of_trades.txt`; without packages, updates all.
"""

import re
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath

from tests.corpora import cache, npm
from tests.corpora.cache import FetchFailure
from tests.corpora.npm import PackagedFile
from tests.corpora.readmes import LIST, TRADES, listed, written

MIN_BYTES, MAX_BYTES = 500, 110_000
"""Shorter READMEs test nothing, longer ones dominate."""

_REQUIRED = re.compile(r"(?P<package>@?[^@:]+)(?:@(?P<version>[^:]+))?(?::(?P<path>.+))?")


def main() -> None:
    arguments = sys.argv[1:]
    path = LIST
    if arguments[:1] == ["--trades"]:
        path = TRADES
        del arguments[0]
    files = {(file.package, file.path): file for file in listed(path)}
    names = arguments or [f"{file.package}:{file.path}" for file in files.values()]
    with ThreadPoolExecutor(4) as threads:
        for file, remark in threads.map(pinned, names):
            sys.stdout.write(f"{file or '-'}: {remark}\n")
            if file is not None:
                files[file.package, file.path] = file
    path.write_text(written(files.values()), "utf-8")


def pinned(name: str) -> tuple[PackagedFile | None, str]:
    try:
        with tempfile.TemporaryDirectory() as folder:
            file, size = _pinned(name, Path(folder))
    except FetchFailure as failure:
        return None, str(failure)
    return file, f"{size:,} bytes"


def _pinned(name: str, folder: Path) -> tuple[PackagedFile, int]:
    match = _REQUIRED.fullmatch(name)
    assert match is not None, name
    npm.pack([f"{match['package']}@{match['version'] or 'latest'}"], str(folder), name)
    (archive,) = folder.iterdir()
    version = archive.stem[len(match["package"].removeprefix("@")) + 1 :]
    files = dict(_readmes(archive))
    path = match["path"] or next(iter(sorted(files, key=lambda path: (len(path), path))), None)
    if path not in files:
        raise FetchFailure(f"{name}: no README there; has {sorted(files)}")
    if not MIN_BYTES <= len(files[path]) <= MAX_BYTES:
        raise FetchFailure(f"{name}: the README has {len(files[path]):,} bytes")
    sha256 = cache.digest(files[path])
    cache.admitted(sha256, name, files[path])
    return PackagedFile(package=match["package"], version=version, path=path, sha256=sha256), len(files[path])


def _readmes(archive: Path) -> Iterator[tuple[str, bytes]]:
    with tarfile.open(archive, "r:gz") as members:
        for member in members:
            path = PurePosixPath(member.name.partition("/")[2])
            if not member.isfile() or path.suffix.lower() not in {".md", ".markdown"} or len(path.parts) > 2:
                continue
            if path.name.lower().startswith("readme") and (reader := members.extractfile(member)):
                yield str(path), reader.read()


if __name__ == "__main__":
    main()
