"""`did you mean`: the nearest of the known names, files and headings."""

import os
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from pathlib import Path

from mdpublish_core.errors import nearest
from mdpublish_core.resources.file_names import squeezed
from mdpublish_core.strings.lazy_patterns import compile_lazily

_MAX_COMPARED = 2_000
"""Names of a folder or document; comparing takes about 20 µs each."""

_MIN_LIKENESS = 0.8
"""Likeness, by difflib, of a name that an author may have meant: one slip in a short word."""

_MIN_WORD_LIKENESS = 0.7
"""Likeness of the words in which such a name differs from the other."""

_WORD = compile_lazily(r"[^\W_]+")


def similar_name(name: str, known: Collection[str]) -> str | None:
    """Return the one known name of another spelling, else the nearest."""
    squeezed_name = squeezed(name)
    alike = [each for each in known if squeezed(each) == squeezed_name]
    if alike or len(known) > _MAX_COMPARED:
        return alike[0] if len(alike) == 1 else None
    suggestion = nearest(name, known, _MIN_LIKENESS)
    return suggestion if suggestion and _is_slip(name.lower(), suggestion.lower()) else None


def _is_slip(name: str, suggestion: str) -> bool:
    """Whether the differing words are alike, too: equal words say nothing about them."""
    words, others = _WORD.findall(name), _WORD.findall(suggestion)
    changed = [word for word in words if word not in others]
    meant = [word for word in others if word not in words]
    return not (changed and meant) or nearest(" ".join(changed), [" ".join(meant)], _MIN_WORD_LIKENESS) is not None


def similar_path(folder: Path, path: str, suffixes: Iterable[str] = ()) -> str | None:
    """Return the path of a file that a missing one was meant to be.

    Its folders may have another spelling, the file a slip, or none of the `suffixes`.
    """
    *folders, name = path.split("/")
    written = ""
    for part in folders:
        match = part if part in {"", ".", ".."} else _similar_in(folder / written, part, is_folder=True)
        if match is None:
            return None
        written += f"{match}/"
    match = _similar_in(folder / written, name, suffixes) if name else ""
    return None if match is None else written + match


def _similar_in(folder: Path, name: str, suffixes: Iterable[str] = (), *, is_folder: bool = False) -> str | None:
    try:
        changed = folder.stat().st_mtime_ns
        return _similar_in_unchanged(folder, changed, name, tuple(suffixes), is_folder=is_folder)
    except (OSError, ValueError):
        return None


@lru_cache(_MAX_COMPARED)
def _similar_in_unchanged(
    folder: Path, _changed: int, name: str, suffixes: Sequence[str], *, is_folder: bool
) -> str | None:
    """Return the answer for a folder as it is: many documents have the same broken links."""
    with os.scandir(folder) as entries:
        names = [each.name for each in entries if not each.name.startswith(".") and (each.is_dir() or not is_folder)]
    if name in names:
        return name
    completed = {name + suffix for suffix in suffixes}
    return next((each for each in names if each in completed), None) or similar_name(name, names)
