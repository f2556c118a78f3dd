"""Chart.js's own fixtures, as JSON and as JavaScript, from Debian's source package."""

from dataclasses import dataclass
from functools import cache

from tests.corpora.debian import SourceFile, fetch_folder

COUNTS = {"json": 137, "js": 473}

_PACKAGE = SourceFile(
    suite="bookworm",
    package="node-chart.js",
    archive="node-chart.js_3.9.1+~0.2.1.orig.tar.xz",
    archive_sha256="ca14a32cc19e29a046ae17d537bc92100b544e2fcb5b6fb1e2dfa6a32d9ec4c6",
    path="test/fixtures/",
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
    read = [Fixture(name, content.decode()) for name, content in fetch_folder(_PACKAGE, ".json", ".js")]
    numbers = {language: sum(each.language == language for each in read) for language in COUNTS}
    assert numbers == COUNTS
    return tuple(sorted(read, key=lambda fixture: fixture.name))
