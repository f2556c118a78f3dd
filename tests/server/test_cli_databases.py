"""`migrate`, `cleanup`, `backup` and `doctor`, also on broken databases."""

import asyncio
import sqlite3
import subprocess
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Thread

import httpx
import psycopg
import pytest
from sqlalchemy.engine import make_url

from mdpublish_server.storage import open_database
from mdpublish_server.storage.accounts import MISCOUNTED
from tests.server.command import Run, refusal, runner
from tests.stress.service import KillableService

pytestmark = pytest.mark.anyio


@pytest.fixture
def run(database_url: str) -> Run:
    return runner({"MDPUBLISH_DATABASE_URL": database_url})


@pytest.fixture
def run_sqlite(tmp_path: Path) -> Run:
    """The command with a database that does not exist yet."""
    return runner({"MDPUBLISH_DATABASE_URL": f"sqlite:///{tmp_path}/new.db"})


def test_migrate_states_that_the_database_is_up_to_date(run: Run, database_url: str) -> None:
    for _ in range(2):
        done = run("migrate")
        assert (done.exit_code, done.stderr) == (0, "")
        assert done.stdout.endswith(" is up to date\n")
        assert database_url.partition(":")[0] in done.stdout


def test_migrate_makes_a_file_of_sqlite(run_sqlite: Run, tmp_path: Path) -> None:
    assert run_sqlite("migrate").stdout == f"sqlite:///{tmp_path}/new.db is up to date\n"
    assert (tmp_path / "new.db").is_file()


async def test_expire_clears_away_what_has_ended(run: Run, client: httpx.AsyncClient, times: list[datetime]) -> None:
    times.append(datetime.now(UTC) - timedelta(hours=73))
    old = (await client.post("/v1/demo/publish", json={"content": "old"})).json()
    times.append(datetime.now(UTC))
    new = (await client.post("/v1/demo/publish", json={"content": "new"})).json()
    run("account", "add", "anna@example.org", "--plan", "pro")
    run("account", "plan", "anna@example.org", "pro", "--until", "2020-01-01")

    result = [(await asyncio.to_thread(run, "cleanup")).stdout for _ in range(2)]
    assert result == [
        "deleted 1 demos, 0 sessions and 0 images, ended 1 plans\n",
        "deleted 0 demos, 0 sessions and 0 images, ended 0 plans\n",
    ]

    assert (await client.get(old["url"])).status_code == 410
    assert (await client.get(new["url"])).status_code == 200
    assert "\tfree\t" in run("account", "list").stdout


@pytest.mark.parametrize(
    "arguments",
    [["migrate"], ["cleanup"], ["account", "list"], ["account", "add", "a@example.org"], ["key", "list", "a@b.c"]],
)
def test_file_that_is_no_database_is_reported(run_sqlite: Run, tmp_path: Path, arguments: list[str]) -> None:
    (tmp_path / "new.db").write_bytes(b"no database, but long enough to be taken for one " * 100)
    assert "file is not a database" in refusal(run_sqlite(*arguments))


@pytest.mark.parametrize("arguments", [["cleanup"], ["account", "list"], ["account", "add", "a@example.org"]])
def test_damaged_database_is_reported(run_sqlite: Run, tmp_path: Path, arguments: list[str]) -> None:
    run_sqlite("account", "add", "anna@example.org")
    file = tmp_path / "new.db"
    size = file.stat().st_size
    # Overwrite all but the first pages, which hold the schema.
    with file.open("r+b") as opened:
        opened.seek(8_192)
        opened.write(b"\xff" * (size - 8_192))
    output = refusal(run_sqlite(*arguments))
    assert "database" in output


def test_database_in_no_folder_is_reported(tmp_path: Path) -> None:
    run = runner({"MDPUBLISH_DATABASE_URL": f"sqlite:///{tmp_path}/nosuch/x.db"})
    for arguments in (["migrate"], ["account", "list"], ["cleanup"]):
        assert "unable to open database file" in refusal(run(*arguments))
    assert "no database at" in refusal(run("backup", str(tmp_path / "copy.db")))


def test_server_that_does_not_respond_is_reported_without_its_password(tmp_path: Path) -> None:
    run = runner({"MDPUBLISH_DATABASE_URL": "postgresql://anna:secret@127.0.0.1:1/test?connect_timeout=5"})
    for arguments in (["migrate"], ["account", "list"], ["backup", str(tmp_path / "copy")]):
        output = run(*arguments)
        assert output.exit_code == 1
        assert "secret" not in output.output
        assert output.stderr.startswith("Error: ")
        assert "Traceback" not in output.output


def test_backup_never_replaces_a_file(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "there"
    file.write_text("kept")
    assert refusal(run("backup", str(file))) == f"{file} already exists; backups never overwrite files"
    assert file.read_text() == "kept"


def test_backup_into_no_folder_is_reported(run_sqlite: Run, tmp_path: Path) -> None:
    run_sqlite("migrate")
    assert "cannot write" in refusal(run_sqlite("backup", str(tmp_path / "nosuch" / "copy.db")))


def test_backup_of_a_file_that_is_no_database_is_reported(run_sqlite: Run, tmp_path: Path) -> None:
    (tmp_path / "new.db").write_bytes(b"no database, but long enough to be taken for one " * 100)
    assert "file is not a database" in refusal(run_sqlite("backup", str(tmp_path / "copy.db")))
    assert not list(tmp_path.glob("copy*"))


@pytest.mark.nightly
@pytest.mark.short
def test_backup_taken_while_the_service_writes_is_whole(tmp_path: Path) -> None:
    service = KillableService(tmp_path, f"sqlite:///{tmp_path}/live.db")
    key = service.key_of("anna@example.org")
    service.start()
    stop = Event()
    written: list[int] = []

    def write() -> None:
        with httpx.Client(base_url=service.url, headers={"Authorization": f"Bearer {key}"}, timeout=60) as client:
            while not stop.is_set():
                written.append(client.post("/v1/documents/publish", json={"content": "word " * 2_000}).status_code)

    writers = [Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    try:
        files = [tmp_path / f"copy{number}.db" for number in range(3)]
        before = []
        for file in files:
            before.append(len(written))
            service.run("backup", str(file))
    finally:
        stop.set()
        for writer in writers:
            writer.join()
        service.stop()

    assert set(written) == {201}
    for file, minimum in zip(files, before, strict=True):
        with closing(sqlite3.connect(file)) as copy:
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)
            assert copy.execute("SELECT count(*) FROM documents").fetchone()[0] >= minimum
        with closing(open_database(f"sqlite:///{file}")) as database, database.read_transaction() as transaction:
            assert transaction.rows(MISCOUNTED) == []


def test_backup_of_postgresql_can_be_restored(empty_postgresql: str, tmp_path: Path, postgresql_programs: Path) -> None:
    run = runner({"MDPUBLISH_DATABASE_URL": empty_postgresql})
    run("account", "add", "anna@example.org")
    file = tmp_path / "copy.dump"
    assert run("backup", str(file)).stderr == f"wrote {file}\n"
    restored = make_url(empty_postgresql).set(database="restored").render_as_string(hide_password=False)
    with psycopg.connect(empty_postgresql, autocommit=True) as connection:
        connection.execute("CREATE DATABASE restored")
        restore = [str(postgresql_programs / "pg_restore"), f"--dbname={restored}", str(file)]
        subprocess.run(restore, check=True)
        assert "anna@example.org" in runner({"MDPUBLISH_DATABASE_URL": restored})("account", "list").stdout
        connection.execute("DROP DATABASE restored WITH (FORCE)")


def test_backup_without_pg_dump_is_reported(
    empty_postgresql: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    run = runner({"MDPUBLISH_DATABASE_URL": empty_postgresql})
    assert "pg_dump is not installed" in refusal(run("backup", str(tmp_path / "copy")))


@pytest.mark.parametrize(
    ("arguments", "variables", "output"),
    [
        (["migrate"], {"MDPUBLISH_DATABASE_URL": "mysql://x"}, "MDPUBLISH_DATABASE_URL must be sqlite:///"),
        (
            ["account", "list"],
            {"MDPUBLISH_PORT": "x"},
            "MDPUBLISH_PORT must be a whole number from 0 to 65535 (got 'x')",
        ),
        (
            ["cleanup"],
            {"MDPUBLISH_PROCESSES": "2"},
            "MDPUBLISH_PROCESSES must be 1 unless MDPUBLISH_REDIS_URL is set (got '2')",
        ),
        (
            ["doctor"],
            {"MDPUBLISH_REDIS_URL": "http://x"},
            "MDPUBLISH_REDIS_URL must be a URL that begins with redis://",
        ),
        (["serve"], {"MDPUBLISH_WORKERS": "0"}, "MDPUBLISH_WORKERS must be a whole number from 1 to 64 (got '0')"),
        (
            ["backup", "x"],
            {"MDPUBLISH_FREE_DOCUMENTS": "-1"},
            "MDPUBLISH_FREE_DOCUMENTS must be a whole number from 0 to 1000000000 (got '-1')",
        ),
    ],
)
def test_wrong_setting_is_reported_by_every_command(
    run_sqlite: Run, tmp_path: Path, arguments: list[str], variables: dict[str, str], output: str
) -> None:
    assert refusal(run_sqlite(*arguments, **variables)).startswith(output)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    "arguments", [["nosuch"], ["account"], ["account", "nosuch"], ["key", "add"], ["backup"], ["serve", "--nosuch"]]
)
def test_wrong_command_exits_2(run_sqlite: Run, arguments: list[str]) -> None:
    assert run_sqlite(*arguments).exit_code == 2
