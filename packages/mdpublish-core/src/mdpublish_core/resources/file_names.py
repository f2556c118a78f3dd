"""Names of files as links write them: in Unicode's other form, or in another letter case than the file's.

macOS and Windows find such files, and archives carry names in both forms from one system to another. What is found here
has the name that the folder lists.
"""

import os
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from unicodedata import normalize

from mdpublish_core.notices import Notice, shorten
from mdpublish_core.resources.url_rewriters import Url
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import MAX_SOURCE_CHARACTERS

_TELLS_CASES = sys.platform not in {"darwin", "win32", "cygwin"}
"""Whether a file that exists has exactly the name by which it was asked for."""

_MAX_FOLDERS = 500

_SEPARATORS = compile_lazily(r"[^\w./#]|_")


def name_key(name: str) -> str:
    """Return what the names of one file have in common: canonical caseless matching of Unicode, section 3.13."""
    return name.lower() if name.isascii() else normalize("NFC", normalize("NFD", name).casefold())


def actual_path(folder: Path, path: str) -> str:
    """Return a normalized path below a folder as its files are called; if there is none, or more than one, as it is."""
    exact = os.path.join(folder, path)  # noqa: PTH118  (called for each link)
    if _TELLS_CASES and os.path.lexists(exact):
        return path
    here, actual = str(folder), ""
    for part in path.split("/"):
        listed = part if part in {"", ".", ".."} else _listed_as(here, part)
        if listed is None:
            return path
        actual += f"/{listed}"
        here = os.path.join(here, listed)  # noqa: PTH118
    return actual[1:]


def _listed_as(folder: str, name: str) -> str | None:
    try:
        names = _names_in(folder, os.stat(folder).st_mtime_ns)  # noqa: PTH116
    except (OSError, ValueError):
        return None
    alike = names.get(name_key(name), ())
    for same in (name, *(normalize(form, name) for form in ("NFC", "NFD"))):
        if same in alike:
            return same
    return alike[0] if len(alike) == 1 else None


@lru_cache(_MAX_FOLDERS)
def _names_in(folder: str, _changed: int) -> Mapping[str, tuple[str, ...]]:
    """Return the names in a folder as it is by what they have in common: many documents have the same links."""
    names: dict[str, tuple[str, ...]] = {}
    for name in os.listdir(folder):  # noqa: PTH208
        names[name_key(name)] = (*names.get(name_key(name), ()), name)
    return names


def case_notices(url: Url, written: str, actual: str) -> list[Notice]:
    """Return a notice if the actual path of a URL's file has another letter case; Unicode's form does not count."""
    if written == actual or url.by_name or normalize("NFC", written) == normalize("NFC", actual):
        return []
    return [link_notice(url, "has another letter case than the file, which servers may not find", written, actual)]


def squeezed(name: str) -> str:
    """Return a name without what differs between spellings: letter case, hyphens and the like."""
    return _SEPARATORS.sub("", name).casefold()


def link_notice(url: Url, problem: str, written: str = "", suggestion: str | None = None) -> Notice:
    """Return the notice of a URL; `suggestion` is a name like the part of it that is `written` wrong."""
    source = url.position.source or ""
    question, fix = f"; did you mean {shorten(suggestion)!r}?" if suggestion else "", None
    if suggestion and source.count(written) == 1 and len(source) < MAX_SOURCE_CHARACTERS:
        fix = source.replace(written, suggestion)
    message = f"the {url.kind} {shorten(url.url)!r} {problem}{question}"
    if suggestion and squeezed(suggestion) == squeezed(written):
        return Notice("inexact-link", message, *url.position, fix)
    return Notice("missing-image" if url.kind == "image" else "broken-link", message, *url.position, fix)
