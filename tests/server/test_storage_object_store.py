"""Image stores: a folder, and a bucket of moto's S3."""

import errno
import os
import stat
from pathlib import Path

import pytest

from mdpublish_server.errors import ServiceUnavailable
from mdpublish_server.storage import object_store, private_files
from mdpublish_server.storage.object_store import BucketStore, FolderStore, ObjectStore, open_store

pytestmark = pytest.mark.anyio


@pytest.fixture(params=["folder", "bucket"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> ObjectStore:
    if request.param == "folder":
        return open_store(str(tmp_path / "new" / "images"))
    return open_store(request.getfixturevalue("bucket_url"))


async def test_file_is_there_until_it_is_deleted(store: ObjectStore) -> None:
    assert await store.get("a.png") is None
    assert await store.sizes() == {}
    await store.put("a.png", b"\0\xff")
    await store.put("b.png", b"b")
    assert await store.get("a.png") == b"\0\xff"
    for _ in range(2):
        await store.delete("a.png")
        assert await store.get("a.png") is None
    await store.clean_up()
    assert await store.get("b.png") == b"b"
    assert await store.sizes() == {"b.png": 1}


async def test_store_that_is_away_is_unavailable(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    for store in (FolderStore(tmp_path / "file"), BucketStore("s3://b?endpoint=http://127.0.0.1:1&access_key_id=a")):
        for work in (store.put("a.png", b"x"), store.get("a.png"), store.delete("a.png")):
            with pytest.raises(ServiceUnavailable) as refused:
                await work
            assert "127.0.0.1" not in refused.value.message


async def test_folder_and_its_files_are_the_owner_s_alone(tmp_path: Path) -> None:
    await FolderStore(tmp_path / "images").put("a.png", b"x")
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (tmp_path / "images", tmp_path / "images" / "a.png")]
    assert modes == [0o700, 0o600]


async def test_file_is_synced_before_it_has_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A power cut leaves the whole file or none; then the folder is synced, with its name."""
    synced: list[tuple[bool, bool]] = []
    sync = private_files.sync

    def record(path: Path) -> None:
        synced.append((path.is_dir(), (tmp_path / "a.png").exists()))
        sync(path)

    monkeypatch.setattr(private_files, "sync", record)
    await FolderStore(tmp_path).put("a.png", b"x")
    assert synced == [(False, False), (True, True)]


async def test_full_disk_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def write(_path: Path, _content: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(Path, "write_bytes", write)
    with pytest.raises(ServiceUnavailable):
        await FolderStore(tmp_path).put("a.png", b"x")
    assert list(tmp_path.iterdir()) == []


async def test_cleanup_deletes_what_killed_writes_left_an_hour_ago(tmp_path: Path) -> None:
    for name, age in (("a.png.x.unfinished", 7_200), ("b.png.x.unfinished", 60), ("c.png", 7_200)):
        (tmp_path / name).write_bytes(b"x")
        written = (tmp_path / name).stat().st_mtime - age
        os.utime(tmp_path / name, (written, written))
    await FolderStore(tmp_path).clean_up()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["b.png.x.unfinished", "c.png"]


async def test_write_to_a_bucket_ends_before_its_upload_is_given_up() -> None:
    """Else it could appear after `image_removal` has deleted it."""
    assert object_store.PUT_SECONDS < 3_600 / 2
