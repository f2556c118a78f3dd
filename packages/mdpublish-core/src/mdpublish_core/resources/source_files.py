"""Markdown files of a folder, as links name them. Paths are relative to the folder."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path, PurePosixPath

SUFFIXES = frozenset({".md", ".markdown"})
"""Of Markdown files, in lower case."""


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
        folders = [part.lower() for part in PurePosixPath(path).parts[:-1]]
        for source in self.of_name(PurePosixPath(path)):
            parts = [part.lower() for part in source.parts[:-1]]
            if parts[len(parts) - len(folders) :] == folders:
                return source
        return None


def _name_of(path: PurePosixPath) -> str:
    return (path.stem if path.suffix.lower() in SUFFIXES else path.name).lower()


def is_inside(folder: Path, path: PurePosixPath) -> bool:
    """Tell whether a file of the folder exists and is neither hidden nor a link out of it."""
    if any(part.startswith(".") for part in path.parts):
        return False
    # os.path returns False for invalid names; pathlib raises.
    file = folder / path
    return os.path.isfile(file) and Path(os.path.realpath(file)).is_relative_to(os.path.realpath(folder))  # noqa: PTH113
