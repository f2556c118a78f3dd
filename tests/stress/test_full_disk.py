"""A disk that is full: documents can be deleted and unpublished, and afterwards created again; nothing is lost.

Mounts a small file system in memory, which takes the rights of root.
"""

import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from tests.stress.processes import PATIENCE
from tests.stress.service import KillableService

pytestmark = pytest.mark.stress

DISK_MB = 64
CONTENT = "word " * 40_000


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    folder = tmp_path / "disk"
    folder.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_MB}m", "tmpfs", folder], check=True)
    try:
        yield folder
    finally:
        subprocess.run(["umount", folder], check=True)


def fill(folder: Path) -> None:
    """Fill the disk as another program would, to its last byte."""
    with (folder / "other").open("ab", buffering=0) as file:
        for size in (65_536, 4_096, 1):
            try:
                while file.write(bytes(size)):
                    pass
            except OSError:
                continue


@pytest.mark.parametrize("is_by_service", [True, False], ids=["by the service", "by another program"])
def test_deletions_work_on_a_full_disk(tmp_path: Path, small_disk: Path, is_by_service: bool) -> None:
    service = KillableService(tmp_path, f"sqlite:///{small_disk}/test.db")
    key = service.key_of("anna@example.org")
    with (
        service.running(),
        httpx.Client(base_url=service.url, headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE) as client,
    ):
        documents = fill_with_documents(client, None if is_by_service else small_disk)

        assert client.post("/v1/documents", json={"content": CONTENT}).status_code == 503
        assert client.delete(f"/v1/documents/{documents[0]}/publish").status_code == 200
        deleted = [client.delete(f"/v1/documents/{each}").status_code for each in documents]
        assert set(deleted) == {200}
        assert client.get("/v1/documents").json()["data"] == []

        created = client.post("/v1/documents", json={"content": CONTENT})
        assert (created.status_code, len(documents)) == (201, len(deleted))
    assert "ERROR" not in service.run("doctor")
    print(f"{len(deleted)} documents deleted on a full disk of {DISK_MB} MB")  # noqa: T201  (a report)


def fill_with_documents(client: httpx.Client, small_disk: Path | None) -> list[str]:
    """Create documents until one is refused, or 40 and then fill the disk; the first is published."""
    documents: list[str] = []
    while small_disk is None or len(documents) < 40:
        response = client.post("/v1/documents", json={"content": CONTENT})
        if response.status_code == 503:
            break
        assert response.status_code == 201
        documents.append(response.json()["id"])
        if len(documents) == 1:
            assert client.post(f"/v1/documents/{documents[0]}/publish").status_code == 200
    if small_disk is not None:
        fill(small_disk)
    return documents
