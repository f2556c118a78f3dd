"""`backup`, `restore` and `doctor` on damaged, killed or busy databases: no bad copy looks like a good one."""

import os
import random
import shutil
import sqlite3
import stat
import subprocess
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from sqlalchemy.engine import make_url

from mdpublish_server import __version__
from mdpublish_server.services.health import check_storage_and_settings
from mdpublish_server.settings import read_settings
from mdpublish_server.storage.database import known_revisions
from mdpublish_server.storage.integrity import file_problem, sqlite_problems
from tests.running import BIN
from tests.server.command import Run, refusal, runner
from tests.server.damaged_databases import (
    ADD,
    DEEP,
    NO_DATABASE,
    QUICK,
    fill,
    ids,
    leave_log,
    page,
    start_writer,
    truncate,
)
from tests.server.test_services_health import wrong

NEWEST_SCHEMA, OLDEST_SCHEMA = known_revisions()[0], known_revisions()[-1]

NEWER = f"newer than {NEWEST_SCHEMA}, the newest that mdpublish {__version__} knows; use the version that wrote it"
OLDER = (
    f"older than {OLDEST_SCHEMA}, the oldest that mdpublish {__version__} upgrades; migrate it with a version in "
    "between first, or use the version that wrote it"
)

KILLS = pytest.mark.parametrize("kills", [3, pytest.param(200, marks=pytest.mark.stress)])


@pytest.fixture
def file(tmp_path: Path, migrated_sqlite: Path) -> Path:
    folder = tmp_path / "data"
    folder.mkdir()
    file = Path(shutil.copy(migrated_sqlite, folder / "live.db"))
    fill(file)
    return file


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Of backups."""
    folder = tmp_path / "backups"
    folder.mkdir()
    return folder


@pytest.fixture
def run(file: Path) -> Run:
    return runner(environment(file))


def environment(file: Path) -> dict[str, str]:
    return {"MDPUBLISH_DATABASE_URL": f"sqlite:///{file}"}


def files_beside(file: Path) -> list[str]:
    """Reading a database leaves an empty log."""
    return sorted(each.name for each in file.parent.iterdir() if each.name not in ("live.db-wal", "live.db-shm"))


def start(file: Path, *arguments: str) -> "subprocess.Popen[bytes]":
    return subprocess.Popen([str(BIN / "mdpublish-server"), *arguments], env={**os.environ, **environment(file)})


def kill_at_some_moment(process: "subprocess.Popen[bytes]", folder: Path) -> None:
    """Kill a command after it has begun to write into `folder`."""
    while process.poll() is None and not list(folder.glob("*.unfinished")):
        time.sleep(0.002)
    time.sleep(0.6 * random.random())
    process.kill()
    process.wait()


def good_backup(run: Run, folder: Path, name: str = "good.db") -> Path:
    assert run("backup", str(folder / name)).exit_code == 0
    return folder / name


@pytest.mark.parametrize("damage", QUICK.values(), ids=QUICK)
def test_doctor_notices_damaged_pages(file: Path, damage: Callable[[Path], None]) -> None:
    damage(file)
    problems = wrong(**environment(file))
    assert problems
    assert all(problem.startswith(f"database sqlite:///{file}: ") and problem.isprintable() for problem in problems)


@pytest.mark.parametrize("damage", DEEP.values(), ids=DEEP)
def test_deep_check_notices_damaged_contents(file: Path, damage: Callable[[Path], None]) -> None:
    assert sqlite_problems(file, is_deep=True) == []
    damage(file)
    assert len(sqlite_problems(file, is_deep=True)) > 0


def test_deep_check_notices_rows_that_name_no_row(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE documents SET account_id = 'nobody' WHERE id < 'document-003'")
    assert wrong(**environment(file)) == []
    problem = "3 rows of documents name no row of accounts; restore a backup, which keeps this file"
    results = check_storage_and_settings(read_settings(environment(file)), is_deep=True)
    assert [each.message for each in results if not each.is_ok] == [f"database sqlite:///{file}: {problem}"]


@pytest.mark.parametrize(
    "damage", [*QUICK.values(), *DEEP.values(), *NO_DATABASE.values()], ids=[*QUICK, *DEEP, *NO_DATABASE]
)
def test_corrupt_database_gets_no_backup(run: Run, file: Path, folder: Path, damage: Callable[[Path], None]) -> None:
    good_backup(run, folder, "live-20200101T000000.000000Z.db")
    damage(file)
    before = file.read_bytes()
    for arguments in ([str(folder / "new.db")], [str(folder), "--keep", "1"]):
        message = refusal(run("backup", *arguments))
        assert message.startswith(f"the database {file} is ")
    assert [each.name for each in folder.iterdir()] == ["live-20200101T000000.000000Z.db"]
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "damage", [*QUICK.values(), *DEEP.values(), *NO_DATABASE.values()], ids=[*QUICK, *DEEP, *NO_DATABASE]
)
def test_corrupt_backup_is_neither_verified_nor_restored(
    run: Run, file: Path, folder: Path, damage: Callable[[Path], None]
) -> None:
    backup = good_backup(run, folder)
    damage(backup)
    assert refusal(run("backup", "--verify", str(backup))).startswith(f"{backup} is ")
    assert refusal(run("restore", str(backup))).startswith(f"{backup} is ")
    assert len(ids(file)) == 40
    assert files_beside(file) == ["live.db"]


@pytest.mark.parametrize("offset", [0, 20, 32 + 8, 32 + 24 + 100], ids=["magic", "salt", "frame header", "page"])
def test_damaged_log_is_noticed_and_left_as_it_is(run: Run, file: Path, folder: Path, offset: int) -> None:
    """SQLite would drop the transactions, and the last connection that may write delete the log."""
    good = good_backup(run, folder)
    log = leave_log(file, 5)
    with log.open("r+b") as opened:
        opened.seek(offset)
        opened.write(b"\xa5\xa5\xa5\xa5")
    before = (file.read_bytes(), log.read_bytes())

    assert "its log" in wrong(**environment(file))[0]
    assert "its log" in refusal(run("backup", str(folder / "new.db")))
    assert (file.read_bytes(), log.read_bytes()) == before

    assert run("restore", str(good)).exit_code == 0
    (old_log,) = file.parent.glob("live.db.replaced-*-wal")
    assert old_log.read_bytes() == before[1]
    assert len(ids(file)) == 40


def test_log_of_a_killed_process_is_whole(run: Run, file: Path, folder: Path) -> None:
    leave_log(file, 5)
    assert wrong(**environment(file)) == []
    leave_log(file, 4)
    assert len(ids(good_backup(run, folder))) == 49


def test_verify_says_what_a_backup_holds(run: Run, folder: Path) -> None:
    backup = good_backup(run, folder)
    os.utime(backup, (1_767_225_600, 1_767_225_600))
    done = run("backup", "--verify", str(backup))
    assert done.stdout.splitlines() == [
        "database  SQLite",
        f"schema    {NEWEST_SCHEMA}",
        "written   2026-01-01 00:00:00 UTC",
        "rows      41",
        "documents 40",
        "images    0",
    ]
    assert done.stderr == f"{backup} is a good backup\n"
    assert [each.name for each in folder.iterdir()] == ["good.db"]


def test_verify_of_other_files_is_reported(run: Run, folder: Path) -> None:
    assert refusal(run("backup", "--verify", str(folder / "none"))) == f"no file at {folder}/none"
    with closing(sqlite3.connect(folder / "other.db")) as database, database:
        database.execute("CREATE TABLE notes (text)")
    message = f"{folder}/other.db is no database of mdpublish: it has no schema version"
    assert refusal(run("backup", "--verify", str(folder / "other.db"))) == message
    assert run("backup", "--verify", "--keep", "3", str(folder)).exit_code == 2
    assert run("backup", str(folder)).exit_code == 2
    assert run("backup", str(folder / "none"), "--keep", "3").exit_code == 2


def test_backup_in_a_read_only_folder_is_verified(run: Run, file: Path) -> None:
    """Earlier versions left the mark of a log in it, for which SQLite creates two files."""
    with read_only_copy(file) as copy:
        assert run("backup", "--verify", str(copy)).exit_code == 0
        assert "cannot write" in refusal(run("backup", str(copy.with_name("new.db"))))
        assert len(list(copy.parent.iterdir())) == 1


class read_only_copy:  # noqa: N801  (a context manager)
    """A file in a folder that this process cannot write to; root can write to any."""

    def __init__(self, file: Path) -> None:
        self._folder = Path(tempfile.mkdtemp())
        self._copy = Path(shutil.copy(file, self._folder / "copy.db"))

    def __enter__(self) -> Path:
        self._copy.chmod(0o444)
        self._folder.chmod(0o555)
        if os.getuid() == 0:
            os.seteuid(65534)
        return self._copy

    def __exit__(self, *_: object) -> None:
        if os.getuid() == 0:
            os.seteuid(0)
        self._folder.chmod(0o700)
        shutil.rmtree(self._folder)


def test_links_and_existing_files_are_not_overwritten(run: Run, folder: Path) -> None:
    (folder / "dangling").symlink_to(folder / "nosuch")
    message = f"{folder}/dangling already exists; backups never overwrite files"
    assert refusal(run("backup", str(folder / "dangling"))) == message
    assert [each.name for each in folder.iterdir()] == ["dangling"]


def test_full_disk_leaves_no_file(file: Path, folder: Path) -> None:
    limited = f"ulimit -f 64; exec {BIN}/mdpublish-server backup {folder}/new.db"
    done = subprocess.run(
        ["sh", "-c", limited], env={**os.environ, **environment(file)}, capture_output=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.startswith(f"Error: cannot write {folder}/new.db: ".encode())
    assert done.stderr.count(b"\n") == 1
    assert list(folder.iterdir()) == []


def test_full_disk_leaves_the_old_database(run: Run, file: Path, folder: Path) -> None:
    backup = good_backup(run, folder)
    limited = f"ulimit -f 64; exec {BIN}/mdpublish-server restore {backup}"
    done = subprocess.run(
        ["sh", "-c", limited], env={**os.environ, **environment(file)}, capture_output=True, check=False
    )
    assert done.stderr.startswith(f"Error: cannot write {file}: ".encode())
    assert done.stderr.count(b"\n") == 1
    assert files_beside(file) == ["live.db"]
    assert len(ids(file)) == 40


def test_backup_during_writes_is_a_snapshot(run: Run, file: Path, folder: Path) -> None:
    writer = start_writer(file)
    try:
        backups = [good_backup(run, folder, f"{number}.db") for number in range(3)]
        assert wrong(**environment(file)) == []
        # A commit under way is no damage.
        assert [file_problem(file) for _ in range(30)] == [None] * 30
        assert writer.poll() is None
    finally:
        writer.kill()
        writer.communicate()
    for backup in backups:
        pairs = [identifier for identifier in ids(backup) if identifier.startswith("pair-")]
        assert pairs
        assert len(pairs) % 2 == 0


def test_keep_deletes_the_oldest_of_its_own_backups(run: Run, folder: Path) -> None:
    others = ["2020-01-01.db", "other-20200101T000000.000000Z.db", "live-20200101T000000.000000Z.db.txt"]
    for name in others:
        (folder / name).write_text("another's")
    (folder / "live-20200101T000000.000000Z.db").symlink_to(folder / others[0])
    written = []
    for _ in range(4):
        done = run("backup", str(folder), "--keep", "2")
        assert done.exit_code == 0
        written.append(done.stderr.splitlines()[0].removeprefix(f"wrote {folder}/"))
    assert done.stderr.splitlines()[1:] == [f"deleted {folder}/{written[1]}"]
    left = {*others, "live-20200101T000000.000000Z.db", *written[2:]}
    assert {each.name for each in folder.iterdir()} == left
    assert all(stat.S_IMODE((folder / name).stat().st_mode) == 0o600 for name in written[2:])


def test_keep_counts_only_good_backups(run: Run, folder: Path) -> None:
    names = [f"live-2020010{day}T000000.000000Z.db" for day in range(1, 6)]
    for name in names:
        good_backup(run, folder, name)
    for name in names[3:]:
        (folder / name).write_bytes(b"rotten")

    done = run("backup", str(folder), "--keep", "2")

    new = done.stderr.splitlines()[0].removeprefix("wrote ")
    assert sorted(each.name for each in folder.iterdir()) == [*names[2:], Path(new).name]
    assert f"kept {folder}/{names[4]}, which is no good backup" in done.stderr


def test_keep_counts_the_new_backup_whatever_the_clock_said(run: Run, folder: Path) -> None:
    good_backup(run, folder, "live-29990101T000000.000000Z.db")
    done = run("backup", str(folder), "--keep", "1")
    assert [str(each) for each in folder.iterdir()] == [done.stderr.splitlines()[0].removeprefix("wrote ")]


@KILLS
def test_killed_backup_leaves_no_bad_one(file: Path, folder: Path, kills: int) -> None:
    fill_more(file)
    for _ in range(kills):
        kill_at_some_moment(start(file, "backup", str(folder), "--keep", "2"), folder)
        for each in folder.iterdir():
            if each.suffix == ".db":
                assert len(ids(each)) == 340
            else:
                assert each.suffix == ".unfinished" or each.name.endswith((".unfinished-wal", ".unfinished-shm"))
                each.unlink()
    assert len(ids(file)) == 340


def fill_more(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.executemany(ADD, [(f"more-{number}", "word " * 2_000) for number in range(300)])


def test_restore_keeps_the_old_database_with_its_log(run: Run, file: Path, folder: Path) -> None:
    backup = good_backup(run, folder)
    leave_log(file, 5)

    done = run("restore", str(backup))

    assert done.exit_code == 0
    (old,) = file.parent.glob("live.db.replaced-*")
    assert done.stderr.splitlines() == [f"restored 40 documents to sqlite:///{file}", f"the old database is {old}"]
    assert sorted(each.name for each in file.parent.iterdir()) == ["live.db", old.name]
    assert len(ids(old)) == 45
    assert len(ids(file)) == 40
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert wrong(**environment(file)) == []


@pytest.mark.parametrize("damage", [*QUICK.values(), *NO_DATABASE.values()], ids=[*QUICK, *NO_DATABASE])
def test_restore_keeps_a_corrupt_database(run: Run, file: Path, folder: Path, damage: Callable[[Path], None]) -> None:
    backup = good_backup(run, folder)
    damage(file)
    before = file.read_bytes()
    log = leave_log_beside(file)

    assert run("restore", str(backup)).exit_code == 0

    assert len(ids(file)) == 40
    names = sorted(each.name for each in file.parent.iterdir())
    old = file.with_name(names[1])
    assert names[2:] == [f"{old.name}-wal"]
    assert old.with_name(names[2]).read_bytes() == log
    assert len(old.read_bytes()) >= len(before)


def leave_log_beside(file: Path) -> bytes:
    """A log that SQLite cannot read."""
    content = b"a log" * 1_000
    Path(f"{file}-wal").write_bytes(content)
    return content


def test_restore_where_there_is_no_database(run: Run, folder: Path) -> None:
    backup = good_backup(run, folder)
    target = folder / "new" / "live.db"
    target.parent.mkdir()
    done = run("restore", str(backup), **environment(target))
    assert done.stderr == f"restored 40 documents to sqlite:///{target}\n"
    assert [each.name for each in target.parent.iterdir()] == ["live.db"]
    assert "cannot write" in refusal(run("restore", str(backup), **environment(folder / "none" / "live.db")))


def test_restore_through_a_link_keeps_the_link(run: Run, file: Path, folder: Path) -> None:
    backup = good_backup(run, folder)
    link = folder / "link.db"
    link.symlink_to(file)
    assert run("restore", str(backup), **environment(link)).exit_code == 0
    assert link.is_symlink()
    assert len(list(file.parent.iterdir())) == 2
    assert refusal(run("restore", str(file), **environment(link))) == f"{file} is the database itself; name a backup"


@pytest.mark.parametrize(("revision", "reason"), [("0999", NEWER), ("0001", OLDER)])
def test_restore_refuses_an_unknown_schema(run: Run, file: Path, folder: Path, revision: str, reason: str) -> None:
    backup = good_backup(run, folder)
    with closing(sqlite3.connect(backup)) as database, database:
        database.execute("UPDATE alembic_version SET version_num = ?", (revision,))
    assert refusal(run("restore", str(backup))) == f"{backup} has the schema {revision}, {reason}"
    assert f"schema    {revision} ({reason})\n" in run("backup", "--verify", str(backup)).stdout
    assert files_beside(file) == ["live.db"]


def test_restore_migrates_an_older_schema(run: Run, file: Path, folder: Path, next_revision: str) -> None:
    backup = good_backup(run, folder)
    before = backup.read_bytes()
    assert run("restore", str(backup)).exit_code == 0
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("SELECT version_num FROM alembic_version").fetchone() == (next_revision,)
    assert backup.read_bytes() == before


def test_restore_is_refused_while_the_database_is_open(run: Run, file: Path, folder: Path) -> None:
    backup = good_backup(run, folder)
    writer = start_writer(file)
    try:
        assert refusal(run("restore", str(backup))) == f"{file} is in use; stop the service first"
    finally:
        writer.kill()
        writer.communicate()
    assert not list(file.parent.glob("*.replaced-*"))
    assert not list(file.parent.glob("*.unfinished"))
    assert len(ids(file)) > 40


@KILLS
def test_killed_restore_leaves_the_old_or_the_new_database(run: Run, file: Path, folder: Path, kills: int) -> None:
    backup = good_backup(run, folder)
    fill_more(file)
    old = len(ids(file))
    leave_log(file, 3)
    seen = set()
    for _ in range(kills):
        kill_at_some_moment(start(file, "restore", str(backup)), file.parent)
        seen.add(len(ids(file)))
        for each in file.parent.glob("*.unfinished*"):
            each.unlink()
    assert seen <= {old + 3, 40}
    assert run("restore", str(backup)).exit_code == 0
    assert len(ids(file)) == 40
    assert old + 3 in {len(ids(each)) for each in file.parent.glob("live.db.replaced-*Z")}


def test_move_refuses_a_corrupt_database(file: Path) -> None:
    page("documents", "leaf")(file)
    run = runner({"MDPUBLISH_DATABASE_URL": "postgresql://127.0.0.1:1/x?connect_timeout=5"})
    message = refusal(run("move", str(file)))
    assert message.startswith(f"{file} is corrupt: ")
    assert message.endswith("; restore a backup first")


def test_archive_of_postgresql_is_verified_and_not_restored(
    empty_postgresql: str, postgresql_programs: Path, file: Path, folder: Path
) -> None:
    assert postgresql_programs.is_dir()
    run = runner({"MDPUBLISH_DATABASE_URL": empty_postgresql})
    run("account", "add", "anna@example.org")
    archive = good_backup(run, folder, "copy.dump")

    shown = run("backup", "--verify", str(archive)).stdout.splitlines()

    assert shown[:2] == ["database  PostgreSQL", f"schema    {NEWEST_SCHEMA}"]
    assert shown[4] == "documents 0"
    for variables in ({"MDPUBLISH_DATABASE_URL": empty_postgresql}, environment(file)):
        message = refusal(run("restore", str(archive), **variables))
        assert message.startswith("cannot restore a backup of PostgreSQL into ")
        assert "pg_restore" in message
    for _ in range(2):
        assert run("backup", str(folder), "--keep", "1").exit_code == 0
    assert len(list(folder.iterdir())) == 2
    # Behind the rows is a second table of contents.
    truncate(archive, archive.stat().st_size // 3)
    assert refusal(run("backup", "--verify", str(archive))).startswith(f"{archive} is corrupt: pg_restore: ")


def test_doctor_reads_all_rows_of_postgresql(postgresql_server: str) -> None:
    """A table without its file, and a stand-in for amcheck, whose functions raise or list what they find."""
    url = make_url(postgresql_server).set(database="damaged").render_as_string(hide_password=False)
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE damaged")
    try:
        runner({"MDPUBLISH_DATABASE_URL": url})("migrate")
        assert wrong(MDPUBLISH_DATABASE_URL=url) == []
        with psycopg.connect(url) as connection:
            connection.execute("UPDATE pg_class SET relfilenode = 999999 WHERE relname = 'invitations'")
        (problem,) = wrong(MDPUBLISH_DATABASE_URL=url)
        assert "invitations: could not open file" in problem
        assert "\n" not in problem
        with psycopg.connect(url) as connection:
            connection.execute(
                "CREATE FUNCTION bt_index_check(index regclass, heapallindexed boolean) RETURNS void LANGUAGE plpgsql "
                "AS $$ BEGIN IF index::text = 'pk_accounts' THEN RAISE 'lacks %', heapallindexed; END IF; END $$"
            )
            connection.execute(
                "CREATE FUNCTION verify_heapam(relation regclass, OUT msg text) RETURNS SETOF text LANGUAGE sql AS "
                "$$ SELECT 'damaged' WHERE relation = 'keys'::regclass $$"
            )
        assert "pk_accounts: lacks f" in "".join(wrong(MDPUBLISH_DATABASE_URL=url))
        done = runner({"MDPUBLISH_DATABASE_URL": url})("doctor", "--deep").stdout
        assert "keys: damaged; restore" in done
        assert "pk_accounts: lacks t" in done
    finally:
        with psycopg.connect(postgresql_server, autocommit=True) as connection:
            connection.execute("DROP DATABASE damaged WITH (FORCE)")
