"""Chart.js's own fixtures, as JSON and as JavaScript, from Debian's source package."""

import tarfile
from dataclasses import dataclass
from functools import cache

from tests.corpora.debian import SourceFile, archive

COUNTS = {"json": 137, "js": 473}

_FOLDER = "test/fixtures/"

_PACKAGE = SourceFile(
    suite="bookworm",
    package="node-chart.js",
    archive="node-chart.js_3.9.1+~0.2.1.orig.tar.xz",
    archive_sha256="ca14a32cc19e29a046ae17d537bc92100b544e2fcb5b6fb1e2dfa6a32d9ec4c6",
    path=_FOLDER,
    sha256="",
)


@dataclass(frozen=True, slots=True)
class Fixture:
    name: str
    source: str

    @property
    def language(self) -> str:
        return self.name.rpartition(".")[2]


@cache
def fixtures() -> tuple[Fixture, ...]:
    """Raises `FetchFailure`."""
    read: list[Fixture] = []
    with tarfile.open(archive(_PACKAGE)) as members:
        for member in members:
            path = member.name.partition("/")[2]
            if member.isfile() and path.startswith(_FOLDER) and path.endswith((".json", ".js")):
                reader = members.extractfile(member)
                assert reader is not None, "a regular file can be read"
                read.append(Fixture(path.removeprefix(_FOLDER), reader.read().decode()))
    numbers = {language: sum(each.language == language for each in read) for language in COUNTS}
    assert numbers == COUNTS
    return tuple(sorted(read, key=lambda fixture: fixture.name))
