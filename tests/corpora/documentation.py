"""Folders of documentation that nobody here wrote, each with the program that it was written for; one of ours is marked."""

import io
import re
import tarfile
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import NamedTuple

from tests.corpora import debian, npm, pypi

MAX_BYTES = 200_000
"""Longer files are changelogs, and count as much as all others."""

_SUFFIXES = (".md", ".mdx")


class Folder(NamedTuple):
    """The Markdown files below a folder, and which of `tests.dialects.PROGRAMS` shows them."""

    program: str
    path: str
    """Of the folder, in the archive's first one."""
    archive: Callable[[], bytes] | None
    """None for a folder beside this module."""
    flavor: str = "standard"
    """What rumdl calls such files."""

    def files(self, number: int) -> Iterator[tuple[str, str]]:
        """Yield names and texts of as many files at the utmost, spread over the folder. Raises `FetchFailure`."""
        files = sorted(self._all_files())
        step = max(1, -(-len(files) // number))
        yield from files[::step]

    def _all_files(self) -> Iterator[tuple[str, str]]:
        if self.archive is None:
            for file in (Path(__file__).parent / self.path).rglob("*.md"):
                yield file.name, file.read_text("utf-8")
            return
        with tarfile.open(fileobj=io.BytesIO(self.archive())) as members:
            for member in members:
                name = member.name.partition("/")[2]
                is_listed = re.match(self.path, name) and name.endswith(_SUFFIXES) and member.size <= MAX_BYTES
                if is_listed and member.isfile() and (reader := members.extractfile(member)):
                    yield name, reader.read().decode("utf-8", "replace")


def _npm(program: str, path: str, package: str, version: str, sha256: str, flavor: str = "standard") -> Folder:
    return Folder(program, path, partial(npm.fetch_archive, package, version, sha256), flavor)


def _pypi(program: str, path: str, package: str, version: str, sha256: str, flavor: str = "mkdocs") -> Folder:
    return Folder(program, path, partial(pypi.fetch_archive, package, version, sha256), flavor)


def _debian(program: str, path: str, archive: str, sha256: str, flavor: str, suite: str = "trixie") -> Folder:
    file = debian.SourceFile(
        suite=suite,
        package=archive.partition("_")[0],
        archive=archive,
        archive_sha256=sha256,
        path=path,
        sha256="",
    )
    return Folder(program, path, lambda: debian.archive(file).read_bytes(), flavor)


FOLDERS: Mapping[str, Folder] = {
    "fastify": _npm(
        "remark", "docs/", "fastify", "5.12.8", "459048aabd9311309f4f95b36e8ca065e3a4613ded292bcf50442926931e4748"
    ),
    "undici": _npm(
        "remark", "docs/", "undici", "8.13.1", "33cceb321835a0754c60a9ac681df71dddc2ee8aafd890f763414b51574182b5"
    ),
    "pino": _npm(
        "remark", "docs/", "pino", "10.4.0", "f745d3dee0bddd39f11226335ee6dbbe3d49cc037168f2b31a8cdbe78f0e6216"
    ),
    "npm": _npm(
        "remark", "docs/content/", "npm", "12.2.2", "07fecbf753e2c3bc10ebeb3e9ed8738f6a0cc1292998b79e2e9f1dd2a5525e0c"
    ),
    "ai": _npm(
        "MDX", "docs/", "ai", "7.0.173", "9bb39977ac3471c0dfd2a541f3d03390eefd8a68140f07020d169d9d72667a2e", "mdx"
    ),
    "Docusaurus (templates)": _npm(
        "MDX",
        "templates/",
        "create-docusaurus",
        "3.10.2",
        "49c322e8e0a2763948d3390d8074ebb93542baf3d3f39db922dc1050459687c2",
        "mdx",
    ),
    "Redux (Docusaurus)": _debian(
        "MDX",
        "docs/",
        "node-redux_4.2.1.orig.tar.gz",
        "51532860dc444990387b682814c8f425779ae5a632f923eb2a5ae14da56d83d7",
        "mdx",
        "bookworm",
    ),
    "Starlette": _pypi(
        "Python-Markdown",
        "docs/",
        "starlette",
        "1.10.0",
        "b8399098d4c1e3522734f7235dc79b1fc967f96cf139c81e0fa30479e0685f9b",
    ),
    "PyMdown Extensions": _pypi(
        "Python-Markdown",
        "docs/",
        "pymdown-extensions",
        "13.1.2",
        "724701395585d027fb18a6ad3377636570bac4f2917ed809f06cbc811d7e60bb",
    ),
    "Python-Markdown": _pypi(
        "Python-Markdown",
        "docs/",
        "markdown",
        "3.11.3",
        "81eb91631dc97ad1efbc76019ef0f80fe90ca49ddf81546752d79989c3bfff3e",
    ),
    "Hatch": _pypi(
        "Python-Markdown",
        "docs/",
        "hatch",
        "1.18.2",
        "7f365f1a5b8f1a8162813daed9bf9fce83f15dc933fc99c6d04cbb942e64f4d0",
    ),
    "mkdocstrings": _pypi(
        "Python-Markdown",
        "docs/",
        "mkdocstrings",
        "1.0.8",
        "b50fc326230906425c82ee9ec59b80e5db00892b2b593d4d0b841a0d4acf537b",
    ),
    "MkDocs": _debian(
        "Python-Markdown",
        "docs/",
        "python-mkdocs_1.6.1+dfsg1.orig.tar.gz",
        "5a094187cb7ac5c70375d564a8dbf0f127bfe1598adfd7b74e60953531d060e2",
        "mkdocs",
    ),
    "Material for MkDocs": _debian(
        "Python-Markdown",
        "docs/",
        "mkdocs-material_9.6.4.orig.tar.gz",
        "b2a238aff906b1dca0430fe48d19ecbc45d08510fd5b7b84ef1e7082ac709ac6",
        "mkdocs",
    ),
    "Black": _pypi(
        "MyST", "docs/", "black", "26.10.1", "5f9f83beae62437e060dafd53d7f1fc327e3d3494f74d72ee5c2b73eb90fc4e7", "myst"
    ),
    "structlog": _pypi(
        "MyST",
        "docs/",
        "structlog",
        "26.1.0",
        "f63a716cbd1b1291cf7661de7794b455acfa4c43c5bcf1630e6ad5ddc1adb3b7",
        "myst",
    ),
    "attrs": _pypi(
        "MyST", "docs/", "attrs", "26.1.0", "d03ceb89cb322a8fd706d4fb91940737b6642aa36998fe130a9bc96c985eff32", "myst"
    ),
    "Hugo": _debian(
        "goldmark",
        "docs/content/",
        "hugo_0.131.0.orig.tar.gz",
        "e72d8a4a90e2be8a73bb178a4e0135a1a2e2cd5c018d19fd886499715214143a",
        "hugo",
    ),
    "Chart.js (VuePress)": _debian(
        "markdown-it",
        "docs/",
        "node-chart.js_3.9.1+~cs3.1.2.orig.tar.xz",
        "eb9708112ca3b485b9a2cd3cde280a6e12ccb36f54560a47d57b71194c28db61",
        "standard",
    ),
    "pandoc": _debian(
        "pandoc",
        r"doc/|MANUAL|README|CONTRIBUTING",
        "pandoc_2.17.1.1.orig.tar.gz",
        "df7c6c605d084252fc28687dffe63ca57dd04a463698d323924d3be2f1f5df32",
        "pandoc",
        "bookworm",
    ),
    "Obsidian (ours)": Folder("Obsidian", "obsidian_vault", None, "obsidian"),
}
"""By project. Those of Obsidian are written after its help, since its own are on no registry."""
