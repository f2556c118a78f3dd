"""Downloaded files in `.cache/corpora`, named by SHA-256, and the programs that download."""

import hashlib
import os
import subprocess
import tempfile
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

CACHE = Path(__file__).parents[2] / ".cache" / "corpora"

MAX_BYTES = 6_000_000
"""Per archive member; Mermaid, the longest, has 5,537,838."""


_FAILURES: dict[tuple[Path, str], str] = {}
"""Messages of the programs that failed, which are not run again: offline, an attempt takes half a minute."""


class FetchFailure(Exception):  # noqa: N818  (as in mdpublish_core)
    pass


class Unreachable(FetchFailure):
    """Nothing was downloaded. `tests.corpora.fixtures` leaves out the test, but in CI."""


def run(
    command: Sequence[str], description: object, folder: str, *, seconds: float, environment: Mapping[str, str]
) -> None:
    """Run a program that downloads into `folder`. Raises `Unreachable` if it fails or takes too long."""
    key, program = (CACHE, command[0]), Path(command[0]).name
    if key not in _FAILURES:
        try:
            done = subprocess.run(
                command,
                cwd=folder,
                env={**os.environ, **environment},
                stdin=subprocess.DEVNULL,
                capture_output=True,
                encoding="utf-8",
                errors="replace",
                timeout=seconds,
                check=False,
            )
        except subprocess.TimeoutExpired:
            _FAILURES[key] = f"{description}: {program} took over {seconds} seconds"
        else:
            if not done.returncode:
                return
            said = "\n".join((" ".join(command), done.stdout, done.stderr)).rstrip()
            _FAILURES[key] = f"{description}: {program} ended with status {done.returncode}\n{said}"
    raise Unreachable(_FAILURES[key])


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
