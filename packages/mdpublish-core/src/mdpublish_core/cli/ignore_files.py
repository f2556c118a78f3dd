"""Files that commands leave out: those of `.gitignore` files, and of patterns in their syntax."""

import os
from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

from pathspec import GitIgnoreSpec

_MAX_BYTES = 200_000
"""Of a `.gitignore`, which may come with documents of strangers."""


class IgnoredFiles:
    """What `patterns`, relative to `root`, and the `.gitignore` files of a repository leave out.

    Patterns are matched in time linear in their length, except that each `*` in a name may start a search.
    """

    def __init__(self, patterns: Iterable[str], root: Path, *, respects_gitignore: bool = True) -> None:
        self._patterns = tuple(patterns)
        self._root = Path(os.path.abspath(root))  # noqa: PTH100  (links stay)
        self._respects_gitignore = respects_gitignore
        self._specs: dict[Path, GitIgnoreSpec | None] = {}

    @cached_property
    def _excluded(self) -> GitIgnoreSpec:
        return GitIgnoreSpec.from_lines(self._patterns)

    def leaves_out(self, path: Path, *, is_folder: bool = False) -> bool:
        absolute = Path(os.path.abspath(path))  # noqa: PTH100
        suffix = "/" * is_folder
        if self._is_excluded(absolute, suffix):
            return True
        if not self._respects_gitignore:
            return False
        for folder in absolute.parents:
            spec = self._spec_of(folder)
            if spec is not None:
                decision = spec.check_file(f"{absolute.relative_to(folder).as_posix()}{suffix}").include
                if decision is not None:
                    return decision
            if (folder / ".git").exists():
                break
        return False

    def _is_excluded(self, path: Path, suffix: str) -> bool:
        if not self._patterns or not path.is_relative_to(self._root):
            return False
        return self._excluded.match_file(f"{path.relative_to(self._root).as_posix()}{suffix}")

    def _spec_of(self, folder: Path) -> GitIgnoreSpec | None:
        if folder not in self._specs:
            self._specs[folder] = _read(folder / ".gitignore")
        return self._specs[folder]


def _read(file: Path) -> GitIgnoreSpec | None:
    try:
        with file.open("rb") as opened:
            return GitIgnoreSpec.from_lines(opened.read(_MAX_BYTES).decode("utf-8", "replace").splitlines())
    except OSError:
        return None
