from pathlib import Path

import pytest

from tests.corpora import cache, pypi

CONTENT = b"archive"


def test_cached_archive_is_read_without_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CACHE", tmp_path)
    monkeypatch.setattr(pypi, "sys", None)
    cache.keep(tmp_path / cache.digest(CONTENT), CONTENT)

    assert pypi.fetch_archive("no-such-package-of-ours", "1.2.3", cache.digest(CONTENT)) == CONTENT
