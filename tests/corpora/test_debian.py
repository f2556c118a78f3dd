import hashlib
import io
import tarfile
from pathlib import Path

import pytest

from tests.corpora import cache, debian

CONTENT = b"# Title\n"

DEB822 = """\
# The machine's own.
Types: deb
URIs: https://extras.example/apt
Suites: stable
Components: main

Types: deb
# A remark in between.
URIs: http://mirror.example/debian
Suites: bookworm bookworm-updates
Components: main
Signed-By: /usr/share/keyrings/some.gpg
"""


def pinned(path: str = "test/spec.txt") -> debian.SourceFile:
    return debian.SourceFile(
        suite="trixie",
        package="some-package",
        archive="some-package_1.orig.tar.gz",
        archive_sha256="0" * 64,
        path=path,
        sha256=hashlib.sha256(CONTENT).hexdigest(),
    )


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(debian, "SOURCES", tmp_path)
    (tmp_path / "sources.list.d").mkdir()
    return tmp_path


def test_archive_and_keyring_are_those_of_the_machine(sources: Path) -> None:
    (sources / "sources.list.d" / "debian.sources").write_text(DEB822)

    assert debian._source_list(pinned()) == (
        "Types: deb-src\nURIs: http://mirror.example/debian\nSuites: trixie\nComponents: main\n"
        "Signed-By: /usr/share/keyrings/some.gpg\n"
    )


def test_keyring_that_stands_in_the_entry_is_used(sources: Path) -> None:
    key = "\n -----BEGIN PGP PUBLIC KEY BLOCK-----\n .\n -----END PGP PUBLIC KEY BLOCK-----"
    entry = f"Types: deb\nURIs: http://mirror.example/debian/\nSigned-By:{key}\n"
    (sources / "sources.list.d" / "debian.sources").write_text(entry)

    assert f"Signed-By: {key}\n" in debian._source_list(pinned())


def test_list_of_the_older_form_is_read(sources: Path) -> None:
    lines = [
        "# deb http://off.example/debian sid main",
        "deb [arch=amd64 signed-by=/k.gpg] http://a.example/debian b c",
    ]
    (sources / "sources.list").write_text("\n".join(lines))

    assert "URIs: http://a.example/debian\n" in debian._source_list(pinned())
    assert "Signed-By: /k.gpg\n" in debian._source_list(pinned())


def test_entry_that_is_switched_off_is_passed_over(sources: Path) -> None:
    (sources / "sources.list.d" / "debian.sources").write_text("Enabled: no\nURIs: http://mirror.example/debian\n")

    with pytest.raises(cache.FetchFailure, match="no Debian archive"):
        debian._source_list(pinned())


def test_machine_that_is_no_debian_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")

    with pytest.raises(cache.FetchFailure, match="no apt-get; this corpus comes from Debian's source package"):
        debian._download(pinned())


def test_member_is_read_out_of_the_archive(tmp_path: Path) -> None:
    path = tmp_path / "archive.tar.gz"
    with tarfile.open(path, "w:gz") as written:
        member = tarfile.TarInfo("some-package-1/test/spec.txt")
        member.size = len(CONTENT)
        written.addfile(member, io.BytesIO(CONTENT))

    assert debian._member(pinned(), path) == CONTENT
    with pytest.raises(cache.FetchFailure, match="holds no such file"):
        debian._member(pinned("test/other.txt"), path)
