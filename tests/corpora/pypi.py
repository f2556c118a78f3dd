"""Source distributions of PyPI, pinned by version and SHA-256, and fetched with pip."""

import sys
import tempfile
from pathlib import Path

from tests.corpora import cache
from tests.corpora.cache import FetchFailure

_SECONDS = 180
"""pip also fetches what the distribution is built with, to read its metadata."""


def fetch_archive(package: str, version: str, sha256: str) -> bytes:
    """Return a `.tar.gz`. Raises `FetchFailure`."""
    return cache.fetched(sha256, f"PyPI's {package}=={version}", lambda: _download(package, version, sha256))


def _download(package: str, version: str, sha256: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        # With its hash, as pip runs code of what it downloads.
        requirement = Path(folder) / "requirements.txt"
        requirement.write_text(f"{package}=={version} --hash=sha256:{sha256}\n", "utf-8")
        options = ["--quiet", "--no-deps", "--no-binary=:all:", "--require-hashes", "--dest", folder]
        command = [sys.executable, "-m", "pip", "download", *options, "--requirement", str(requirement)]
        cache.run(command, f"PyPI's {package}=={version}", folder, seconds=_SECONDS, environment={})
        archives = list(Path(folder).glob("*.tar.gz"))
        if len(archives) != 1:
            raise FetchFailure(f"{package}=={version}: pip left {[path.name for path in archives]}")
        return archives[0].read_bytes()
