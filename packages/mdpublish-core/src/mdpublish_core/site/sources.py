"""The Markdown files of a folder, and the page of each."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePosixPath

from mdpublish_core.errors import InvalidSite
from mdpublish_core.resources.source_files import SUFFIXES, is_inside

MAX_DEPTH = 32
"""Folders within folders: a page shows one level of the menu for each."""

NOT_FOUND = PurePosixPath("404.html")
SITEMAP = PurePosixPath("sitemap.xml")
FEED = PurePosixPath("feed.xml")
ICON = PurePosixPath("assets/icon.svg")
SCRIPT = PurePosixPath("assets/site.js")
SEARCH_INDEX = PurePosixPath("assets/search-index.js")

HOME = PurePosixPath("index.html")

ICONS = tuple(map(PurePosixPath, ("favicon.svg", "favicon.png", "favicon.ico")))
"""An author's icon, at the top of the folder; the first counts."""

_GENERATED = frozenset({SITEMAP, FEED, ICON, SCRIPT, SEARCH_INDEX})


def find_sources(folder: Path, out: Path) -> Mapping[PurePosixPath, PurePosixPath]:
    """Return the page of each source, relative to `out` and `folder`; hidden files and `out` itself are left out.

    Raises `InvalidSite` if two sources have one page, and for a folder without sources.
    """
    sources = sorted(_walk(folder, out.resolve()))
    if not sources:
        raise InvalidSite(f"no Markdown files (.md, .markdown) found in {folder}")
    names = set(sources)
    pages: dict[PurePosixPath, PurePosixPath] = {}
    # Some file systems ignore case, and some normalize.
    by_page: dict[str, PurePosixPath] = {}
    for source in sources:
        page = _page(source, names)
        other = by_page.setdefault(str(page).casefold(), source)
        if other != source:
            raise InvalidSite(f"{other} and {source} are both {page}; rename one of them")
        pages[source] = page
    return pages


def require_free(path: PurePosixPath) -> None:
    """Raise `InvalidSite` if a file that is copied has the name of a generated one."""
    if path in _GENERATED or path == NOT_FOUND:
        raise InvalidSite(f"{path} is the name of a generated file; rename yours")


def _walk(folder: Path, out: Path) -> Iterator[PurePosixPath]:
    def fail(error: OSError) -> None:
        raise InvalidSite(f"cannot read {error.filename}: {error.strerror}")

    # Links to folders are not followed, so there are no loops.
    for name, folders, files in os.walk(folder, onerror=fail):
        here = Path(name)
        path = PurePosixPath(here.relative_to(folder).as_posix())
        if len(path.parts) > MAX_DEPTH:
            raise InvalidSite(f"folders must be at most {MAX_DEPTH} deep (got {'/'.join(path.parts[:3])}/…)")
        folders[:] = [each for each in folders if not each.startswith(".") and (here / each).resolve() != out]
        for file in files:
            if PurePosixPath(file).suffix.lower() in SUFFIXES and is_inside(folder, path / file):
                yield path / file


def _page(source: PurePosixPath, sources: set[PurePosixPath]) -> PurePosixPath:
    """Return the page's path: for a README, the first page of its folder unless there is an index."""
    if source.stem.lower() == "readme" and not any(
        source.with_name(f"index{suffix}") in sources for suffix in SUFFIXES
    ):
        source = source.with_stem("index")
    return source.with_suffix(".html")
