"""HTML and Word files of other programs' tests, which nobody here wrote."""

import io
import tarfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import NamedTuple

from tests.corpora import debian, npm, pypi

MAX_BYTES = 500_000
"""Longer pages would count more than all others."""


class Program(NamedTuple):
    """Files with a suffix, below a folder of an archive."""

    suffix: str
    folder: str
    archive: Callable[[], bytes]

    def files(self) -> Iterator[tuple[str, bytes]]:
        """Yield names and contents. Raises `FetchFailure`."""
        with tarfile.open(fileobj=io.BytesIO(self.archive())) as members:
            for member in members:
                path = member.name.partition("/")[2]
                is_listed = path.startswith(self.folder) and path.endswith(self.suffix) and member.size <= MAX_BYTES
                if is_listed and member.isfile() and (reader := members.extractfile(member)):
                    yield path, reader.read()


_PANDOC = debian.SourceFile(
    suite="bookworm",
    package="pandoc",
    archive="pandoc_2.17.1.1.orig.tar.gz",
    archive_sha256="df7c6c605d084252fc28687dffe63ca57dd04a463698d323924d3be2f1f5df32",
    path="test/docx/",
    sha256="",
)

_HTML2TEXT = ("html2text", "2025.4.15", "948a645f8f0bc3abe7fd587019a2197a12436cd73d0d4908af95bfc8da337588")
_INSCRIPTIS = ("inscriptis", "2.7.6", "b8fe23c5ae4db33c9d1c5e1b7d000dbfa1decbea7b605ac87e0f5d8f8abc3ce6")
_UPNDOWN = ("upndown", "2.1.0", "90c5706a5bd98aba9724be69a82f9d5a47c4a3236a97b48abb0e623cd8b486e2")
_MAMMOTH = ("mammoth", "1.13.0", "fe778792e43b06dbbff93d20e22951fe1bc55a05eb04ec823961e8639c62260b")
_PYTHON_DOCX = ("python-docx", "1.2.0", "7bc9d7b7d8a69c9c02ca09216118c86552704edc23bac179283f2e38f86220ce")

PROGRAMS: Mapping[str, Program] = {
    "html2text": Program(".html", "test/", partial(pypi.fetch_archive, *_HTML2TEXT)),
    "inscriptis": Program(".html", "tests/html/", partial(pypi.fetch_archive, *_INSCRIPTIS)),
    "upndown": Program(".html", "test/fixtures/", partial(npm.fetch_archive, *_UPNDOWN)),
    "mammoth": Program(".docx", "test/test-data/", partial(npm.fetch_archive, *_MAMMOTH)),
    "pandoc": Program(".docx", _PANDOC.path, lambda: debian.archive(_PANDOC).read_bytes()),
    "python-docx": Program(".docx", "features/steps/test_files/", partial(pypi.fetch_archive, *_PYTHON_DOCX)),
}
"""By the program whose tests they are."""
