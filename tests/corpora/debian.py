"""Files of Debian source packages, pinned by SHA-256 and fetched with apt.

Uses the machine's mirror and keyring but its own lists and folders: no privileges, no changes to the system.
"""

import shutil
import tarfile
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from tests.corpora import cache
from tests.corpora.cache import FetchFailure, Unreachable

SOURCES = Path("/etc/apt")

_SECONDS = 180
"""The index of sources has 10 MB."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFile:
    suite: str
    package: str
    archive: str
    archive_sha256: str
    path: str
    sha256: str

    def __str__(self) -> str:
        return f"{self.path} of Debian's {self.archive}"


def fetch(file: SourceFile) -> bytes:
    """Raises `FetchFailure`."""
    return cache.fetched(file.sha256, file, lambda: _member(file, archive(file)))


def archive(file: SourceFile) -> Path:
    """Return the cached archive. Raises `FetchFailure`."""
    cache.fetched(file.archive_sha256, file.archive, lambda: _download(file))
    return cache.CACHE / file.archive_sha256


def fetch_folder(folder: SourceFile, *suffixes: str) -> Iterator[tuple[str, bytes]]:
    """Yield names and contents of the files below a folder of a source package. Raises `FetchFailure`."""
    with tarfile.open(archive(folder)) as members:
        for member in members:
            path = member.name.partition("/")[2]
            if member.isfile() and path.startswith(folder.path) and path.endswith(suffixes):
                reader = members.extractfile(member)
                assert reader is not None, "a regular file can be read"
                yield path.removeprefix(folder.path), reader.read()


def _download(file: SourceFile) -> bytes:
    if shutil.which("apt-get") is None:
        raise Unreachable(f"{file}: no apt-get; this corpus comes from Debian's source package {file.package}")
    with tempfile.TemporaryDirectory() as folder:
        sources = Path(folder) / "private.sources"
        sources.write_text(_source_list(file), "utf-8")
        _apt(file, folder, "update", "--error-on=any")
        _apt(file, folder, "source", "--download-only", "--tar-only", file.package)
        archive = Path(folder) / file.archive
        if not archive.is_file():
            left = sorted(path.name for path in Path(folder).glob("*.tar.*"))
            raise FetchFailure(f"{file}: apt-get brought {left}")
        return archive.read_bytes()


def _apt(file: SourceFile, folder: str, *arguments: str) -> None:
    for name in ("lists", "cache"):
        (Path(folder) / name / ("partial" if name == "lists" else "archives/partial")).mkdir(
            parents=True, exist_ok=True
        )
    configuration = {
        "Dir::Etc::SourceList": f"{folder}/private.sources",
        "Dir::Etc::SourceParts": "-",
        "Dir::State::Lists": f"{folder}/lists",
        "Dir::Cache": f"{folder}/cache",
        # apt's own user, which root switches to, cannot read the folder.
        "APT::Sandbox::User": "",
    }
    options = [word for name, value in configuration.items() for word in ("-o", f"{name}={value}")]
    command = ["apt-get", "-q", *options, *arguments]
    cache.run(command, file, folder, seconds=_SECONDS, environment={"LC_ALL": "C.UTF-8"})


def _source_list(file: SourceFile) -> str:
    for entry in _entries():
        uri = next((uri for uri in entry.get("uris", "").split() if uri.rstrip("/").endswith("/debian")), None)
        if uri is not None:
            fields = {"Types": "deb-src", "URIs": uri, "Suites": file.suite, "Components": "main"}
            if "signed-by" in entry:
                fields["Signed-By"] = entry["signed-by"]
            return "".join(f"{name}: {value}\n" for name, value in fields.items())
    raise Unreachable(f"{file}: no Debian archive among the sources in {SOURCES}; this corpus needs a Debian")


def _entries() -> Iterator[Mapping[str, str]]:
    parts = SOURCES / "sources.list.d"
    for path in sorted(parts.glob("*.sources")):
        for stanza in _without_remarks(path).split("\n\n"):
            yield _fields(stanza)
    for path in [SOURCES / "sources.list", *sorted(parts.glob("*.list"))]:
        if path.is_file():
            yield from (_one_line(line) for line in _without_remarks(path).splitlines() if line.startswith("deb"))


def _without_remarks(path: Path) -> str:
    lines = path.read_text("utf-8").splitlines()
    return "\n".join(line.rstrip() for line in lines if not line.startswith("#"))


def _fields(stanza: str) -> Mapping[str, str]:
    fields: dict[str, str] = {}
    name = ""
    for line in stanza.splitlines():
        if line.startswith((" ", "\t")):
            fields[name] = f"{fields.get(name, '')}\n{line}"
        else:
            name, _, value = line.partition(":")
            name = name.lower()
            fields[name] = value.strip()
    return {} if fields.get("enabled", "yes").lower() == "no" else fields


def _one_line(line: str) -> Mapping[str, str]:
    """Parse `deb [name=value …] uri suite component…`."""
    kind, rest = line.split(maxsplit=1)
    options, rest = rest[1:].split("]", 1) if rest.startswith("[") else ("", rest)
    named = dict(option.lower().split("=", 1) for option in options.split() if "=" in option)
    return {**named, "types": kind, "uris": rest.split(maxsplit=1)[0]}


def _member(file: SourceFile, archive: Path) -> bytes:
    """The archive's first folder may have any name."""
    with tarfile.open(archive) as members:
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
    raise FetchFailure(f"{file}: the archive holds no such file")
