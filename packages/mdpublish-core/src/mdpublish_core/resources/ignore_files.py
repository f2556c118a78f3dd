"""Files that commands leave out: those of `.gitignore` files, and of patterns in their syntax."""

import os
from collections.abc import Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from mdpublish_core.notices import shorten
from mdpublish_core.resources.folder_files import read_within

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

_MAX_BYTES = 200_000
"""Size of a `.gitignore`, which may come with a stranger's documents."""

MAX_WILDCARDS = 4
"""Wildcards of a pattern. Each multiplies the time to match by the name's length; a line with more is not used."""


class IgnoredFiles:
    """The files that `patterns`, below `root`, and a repository's `.gitignore` leave out. Raises `ValueError`."""

    def __init__(self, patterns: Iterable[str], root: Path, *, respects_gitignore: bool = True) -> None:
        self._patterns = tuple(patterns)
        for pattern in self._patterns:
            if not _is_bounded(pattern):
                raise ValueError(f"a pattern must have at most {MAX_WILDCARDS} wildcards (got {shorten(pattern)!r})")
        self._root = Path(os.path.abspath(root))  # noqa: PTH100  (links stay)
        self._respects_gitignore = respects_gitignore
        self._specs: dict[Path, Sequence[tuple[Path, GitIgnoreSpec]]] = {}

    @cached_property
    def _excluded(self) -> "GitIgnoreSpec":
        return _spec_of(self._patterns)

    def leaves_out(self, path: Path, *, is_folder: bool = False) -> bool:
        absolute = Path(os.path.abspath(path))  # noqa: PTH100
        suffix = "/" * is_folder
        if self._is_excluded(absolute, suffix):
            return True
        for folder, spec in self._specs_above(absolute) if self._respects_gitignore else ():
            decision = spec.check_file(f"{absolute.relative_to(folder).as_posix()}{suffix}").include
            if decision is not None:
                return decision
        return False

    def _is_excluded(self, path: Path, suffix: str) -> bool:
        if not self._patterns or not path.is_relative_to(self._root):
            return False
        return self._excluded.match_file(f"{path.relative_to(self._root).as_posix()}{suffix}")

    def _specs_above(self, path: Path) -> "Sequence[tuple[Path, GitIgnoreSpec]]":
        """Return the ignore files of a path's repository that apply to it, nearest first; each folder is read once."""
        folder = path.parent
        if folder not in self._specs:
            spec = _read(folder / ".gitignore")
            is_top = folder == folder.parent or (folder / ".git").exists()
            above = () if is_top else self._specs_above(folder)
            self._specs[folder] = above if spec is None else ((folder, spec), *above)
        return self._specs[folder]


def _read(file: Path) -> "GitIgnoreSpec | None":
    try:
        # As git, which does not follow links of this name, either.
        lines = read_within(file.parent.resolve(), file, _MAX_BYTES).decode("utf-8", "replace").splitlines()
    except OSError:
        return None
    return _spec_of(filter(_is_bounded, lines))


def _spec_of(lines: Iterable[str]) -> "GitIgnoreSpec":
    from pathspec import GitIgnoreSpec  # only where there are patterns

    return GitIgnoreSpec.from_lines(lines)


def _is_bounded(pattern: str) -> bool:
    return pattern.replace("**/", "*").replace("/**", "*").count("*") <= MAX_WILDCARDS
