"""Notebooks that nbconvert and nbformat are tested with: each figure is a picture, each word is there or hidden by a tag."""

import io
import json
import re
import tarfile
from collections.abc import Iterator
from typing import Any

import pytest

from mdpublish_core import convert, read_file
from mdpublish_core.cli.imported import as_markdown
from mdpublish_core.errors import InvalidFile
from tests.corpora import pypi

pytestmark = pytest.mark.interop

ARCHIVES = (
    ("nbconvert", "7.17.2", "344a218e8595117ce37396ed025d994f146d076226ebac59255a2fa085ab24d8"),
    ("nbformat", "5.11.1", "32d4521c68c6e7d5b29c76defaeed9f42ea733142b9b19f88277ce10390b9c4d"),
)


def notebooks() -> Iterator[tuple[str, bytes]]:
    for package, version, sha256 in ARCHIVES:
        with tarfile.open(fileobj=io.BytesIO(pypi.fetch_archive(package, version, sha256))) as members:
            for member in members:
                if member.name.endswith(".ipynb") and (reader := members.extractfile(member)):
                    yield member.name, reader.read()


def outputs(notebook: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for cell in notebook["cells"]:
        yield from cell.get("outputs", ())


def words(cell: dict[str, Any]) -> set[str]:
    return set(re.findall(r"[A-Za-z]{3,}", "".join(cell.get("source", ""))))


def test_each_is_read_whole_or_refused_with_a_way() -> None:
    read, refused = 0, 0
    for name, content in notebooks():
        notebook = json.loads(content)
        if notebook.get("nbformat") != 4:
            with pytest.raises(InvalidFile, match="save it"):
                read_file(content, ".ipynb")
            refused += 1
            continue
        if "invalid" in name:
            continue
        imported = read_file(content, ".ipynb")
        figures = [
            each
            for each in outputs(notebook)
            if {"image/png", "image/jpeg", "image/svg+xml"} & each.get("data", {}).keys()
        ]
        # That one has scripts in place of images.
        assert len(imported.document.images) >= len(figures) or "inject" in name, name
        markdown, _ = as_markdown(imported)
        assert len(convert(markdown, to="email").media) >= len(imported.media), name
        shown = set(re.findall(r"[A-Za-z]{3,}", markdown))
        for cell in notebook["cells"]:
            missing = words(cell) - shown
            assert not missing or cell["metadata"].get("tags") or cell["cell_type"] == "markdown", (name, missing)
        read += 1
    assert read > 25
    assert refused > 5
