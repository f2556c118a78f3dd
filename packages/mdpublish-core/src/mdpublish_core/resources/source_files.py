"""Markdown files of a folder, as links name them. Paths are relative to the folder."""

import errno
import os
from collections.abc import Callable, Container, Iterable, Sequence
from pathlib import Path, PurePosixPath

from mdpublish_core.resources.file_names import name_key
from mdpublish_core.resources.folder_files import locate, repository_root

SUFFIXES = frozenset({".md", ".markdown", ".mdx"})
"""Suffixes of Markdown files, in lower case."""


class SourceNames:
    """Sources by the names that wiki links use, which ignore letter case."""

    def __init__(self, sources: Iterable[PurePosixPath]) -> None:
        self._by_name: dict[str, list[PurePosixPath]] = {}
        for source in sorted(sources, key=lambda each: (len(each.parts), each)):
            self._by_name.setdefault(_name_of(source), []).append(source)

    def of_name(self, path: PurePosixPath) -> Sequence[PurePosixPath]:
        """Return the sources with the name of a path, in whatever folder; those nearest to the top first."""
        return self._by_name.get(_name_of(path), ())

    def named(self, path: str) -> PurePosixPath | None:
        """Return the source that a wiki link names, with or without its suffix and its folders."""
        folders = [*map(name_key, PurePosixPath(path).parts[:-1])]
        for source in self.of_name(PurePosixPath(path)):
            parts = [*map(name_key, source.parts[:-1])]
            if parts[len(parts) - len(folders) :] == folders:
                return source
        return None


def _name_of(path: PurePosixPath) -> str:
    return name_key(path.stem if path.suffix.lower() in SUFFIXES else path.name)


def page_of(source: PurePosixPath, sources: Container[PurePosixPath]) -> PurePosixPath:
    """Return the path of a document's page: for a README, the first page of its folder unless there is an index."""
    if source.stem.lower() == "readme" and not any(source.with_name(f"index{each}") in sources for each in SUFFIXES):
        source = source.with_stem("index")
    return source.with_suffix(".html")


def find_problem(root: Path, folder: Path, path: PurePosixPath) -> str | None:
    """Return what is wrong with a link to a file of the folder: it is missing or hidden, or leads out of `root`."""
    file = folder / path
    # os.path returns False for invalid names; pathlib raises.
    if any(part.startswith(".") for part in path.parts) or not os.path.isfile(file):  # noqa: PTH113
        return "points to a missing file"
    try:
        locate(root, file)
    except OSError as error:
        return f"points to a file that is left out: {error.strerror}"
    return None


def find_documents(
    folder: Path,
    report: Callable[[str], object],
    excluded: Path | None = None,
    leaves_out: Callable[..., bool] | None = None,
) -> list[PurePosixPath]:
    """Return the documents of a folder, even unreadable ones, without hidden ones and those in `excluded`.

    Links to folders are not followed, so there are no loops; others are reported. Raises `OSError`.
    """

    def fail(error: OSError) -> None:
        raise error

    def is_searched(path: Path, **kind: bool) -> bool:
        if path.name.startswith(".") or not (kind or path.suffix.lower() in SUFFIXES):
            return False
        return not (kind and excluded and path.resolve() == excluded) and not (leaves_out and leaves_out(path, **kind))

    documents = []
    root, excluded = repository_root(folder.resolve()), excluded and excluded.resolve()
    for name, folders, files in os.walk(folder, onerror=fail):
        here = Path(name)
        path = PurePosixPath(here.relative_to(folder).as_posix())
        if len(path.parts) > 200:  # os.walk of Python 3.11 is recursive
            raise OSError(errno.ENAMETOOLONG, "folders must be at most 200 deep", name)
        folders[:] = [each for each in folders if is_searched(here / each, is_folder=True)]
        for each in folders:
            try:
                locate(root, here / each)
            except OSError as error:
                report(f"{here / each} is left out: {error.strerror}")
        documents += [path / each for each in files if is_searched(here / each)]
    return sorted(documents)
