"""Only their owner can open the service's files, whatever the umask."""

import os
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from mdpublish_server.services.exports import new_file
from mdpublish_server.storage import migrate, open_database
from mdpublish_server.storage.backups import back_up
from mdpublish_server.storage.private_files import shared_files, unfinished_file


@pytest.fixture(autouse=True)
def _open_umask() -> Iterator[None]:
    before = os.umask(0)
    yield
    os.umask(before)


def modes(folder: Path) -> dict[str, int]:
    return {file.name: stat.S_IMODE(file.stat().st_mode) for file in folder.iterdir()}


def test_database_and_its_log_are_private(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/test.db"
    migrate(url)
    database = open_database(url)
    with database.write_transaction() as transaction:
        transaction._cursor.execute("DELETE FROM pages")
        in_use = modes(tmp_path)
    database.close()

    assert in_use == {"test.db": 0o600, "test.db-wal": 0o600, "test.db-shm": 0o600}


def test_existing_database_keeps_its_mode(tmp_path: Path) -> None:
    (tmp_path / "test.db").touch(0o640)
    migrate(f"sqlite:///{tmp_path}/test.db")

    assert modes(tmp_path)["test.db"] == 0o640


def test_backup_is_private_though_the_database_is_not(tmp_path: Path) -> None:
    (tmp_path / "test.db").touch(0o644)
    migrate(f"sqlite:///{tmp_path}/test.db")
    copies = tmp_path / "copies"
    copies.mkdir()
    back_up(f"sqlite:///{tmp_path}/test.db", copies / "copy.db")

    assert modes(copies) == {"copy.db": 0o600}


def test_backup_of_postgresql_is_private(tmp_path: Path, empty_postgresql: str, postgresql_programs: Path) -> None:
    back_up(empty_postgresql, tmp_path / "copy.dump")

    assert postgresql_programs.is_dir()
    assert modes(tmp_path) == {"copy.dump": 0o600}


def test_file_is_private_before_it_has_content(tmp_path: Path) -> None:
    with unfinished_file(tmp_path / "a") as file:
        assert modes(tmp_path) == {file.name: 0o600}

    assert modes(tmp_path) == {"a": 0o600}


def test_unfinished_file_is_deleted(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="b"), unfinished_file(tmp_path / "a"):
        raise ValueError("b")

    assert modes(tmp_path) == {}


def test_files_that_other_users_can_open_are_listed(tmp_path: Path) -> None:
    database, log = tmp_path / "test.db", tmp_path / "test.db-wal"
    database.touch(0o600)
    (tmp_path / "test.db-shm").touch(0o600)
    log.touch(0o640)

    assert shared_files(database) == [(log, 0o640)]
    assert shared_files(tmp_path / "none.db") == []


def test_temporary_file_of_an_export_is_private() -> None:
    with new_file() as file:
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == 0o600
