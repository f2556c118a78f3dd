"""Downloaded files in `.cache/corpora`, named by SHA-256."""

import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path

CACHE = Path(__file__).parents[2] / ".cache" / "corpora"

MAX_BYTES = 6_000_000
"""Per archive member; Mermaid, the longest, has 5,537,838."""


class FetchFailure(Exception):  # noqa: N818  (as in mdpublish_core)
    pass


def cached(sha256: str) -> bytes | None:
    """Return None if it is missing or damaged."""
    try:
        content = (CACHE / sha256).read_bytes()
    except FileNotFoundError:
        return None
    return content if digest(content) == sha256 else None


def fetched(sha256: str, name: object, download: Callable[[], bytes]) -> bytes:
    """Return the content. Raises `FetchFailure` if its hash differs."""
    content = cached(sha256)
    return admitted(sha256, name, download()) if content is None else content


def admitted(sha256: str, name: object, content: bytes) -> bytes:
    """Cache the content. Raises `FetchFailure` if its hash differs."""
    if digest(content) != sha256:
        raise FetchFailure(f"{name} has SHA-256 {digest(content)}, not the pinned {sha256}")
    # Named by hash: parallel runs write the same bytes.
    keep(CACHE / sha256, content)
    return content


def keep(path: Path, content: bytes) -> None:
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
    return hashlib.sha256(content).hexdigest()
