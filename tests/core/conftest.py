"""Fixtures of several files."""

from collections.abc import Callable
from pathlib import Path

import pytest

Write = Callable[[str, str], Path]


@pytest.fixture
def write_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Write a file into the working directory, which is a repository."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / ".git").mkdir()

    def written(name: str, content: str) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, "utf-8")
        return path

    return written
