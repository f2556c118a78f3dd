"""Where downloaded files are kept: `.cache/corpora`, each under its own SHA-256; and the error of those not to be had."""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

CACHE = Path(__file__).parents[2] / ".cache" / "corpora"

MAX_BYTES = 6_000_000
"""Of one file read out of an archive; the longest we pin, Mermaid itself, has 5,537,838."""


class FetchFailure(Exception):  # noqa: N818  (as in mdpublish_core: the field's words name the fault)
    """A file that could not be had as it was pinned; the message names it and what the program that fetches said."""


def cached(sha256: str) -> bytes | None:
    """Return the content that has this SHA-256 in hexadecimal, or None where the cache has not got it undamaged."""
    try:
        content = (CACHE / sha256).read_bytes()
    except FileNotFoundError:
        return None
    return content if digest(content) == sha256 else None


def fetched(sha256: str, name: object, download: Callable[[], bytes]) -> bytes:
    """Return the content from the cache, or else from `download`; `FetchFailure` where that gives another."""
    content = cached(sha256)
    return admitted(sha256, name, download()) if content is None else content


def admitted(sha256: str, name: object, content: bytes) -> bytes:
    """Put downloaded content into the cache and return it; `FetchFailure` where it is not what was pinned."""
    if digest(content) != sha256:
        raise FetchFailure(f"{name} has SHA-256 {digest(content)}, not the pinned {sha256}")
    # Named by its content, so that a new pin is a new file and parallel runs can only write the same bytes.
    keep(CACHE / sha256, content)
    return content


def keep(path: Path, content: bytes) -> None:
    """Write a file in one step, so that no other run ever reads half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=".")
    try:
        with os.fdopen(descriptor, "wb") as stream:
            stream.write(content)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def digest(content: bytes) -> str:
    """Return the SHA-256 in hexadecimal."""
    return hashlib.sha256(content).hexdigest()
