"""Health checks report problems with remedies and change nothing."""

import re
import shutil
import socket
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from threading import Thread

import psycopg
import pytest
from sqlalchemy import make_url, text
from starlette.types import ASGIApp

from mdpublish_core.confinement.protections import PROTECTIONS, Protection
from mdpublish_core.workers import Worker
from mdpublish_server.services.health import CheckResult, check_storage_and_settings, run_checks
from mdpublish_server.settings import read_settings
from mdpublish_server.storage import revisions
from mdpublish_server.storage.database import _engine
from tests.server.command import images_of, runner
from tests.server.conftest import MakeOwner
from tests.server.raw_server import serving
from tests.server.redis_server import RedisServer


def wrong(**variables: str) -> list[str]:
    """Return the problems found with these settings, without starting workers."""
    settings = read_settings({**images_of(variables.get("MDPUBLISH_DATABASE_URL", "")), **variables})
    return [result.message for result in check_storage_and_settings(settings) if not result.is_ok]


def first_checks(*, is_deep: bool, **variables: str) -> list[CheckResult]:
    """Return the results before workers start, which take a second each: the last is that of the image store."""
    results = []
    for result in run_checks(read_settings(variables), is_deep=is_deep):
        results.append(result)
        if result.message.startswith("the image store "):
            break
    return results


@pytest.fixture
def refusing_port() -> Iterator[int]:
    """A port that nobody else gets, and where nothing listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


def port_check(port: int, tmp_path: Path) -> CheckResult:
    variables = {"MDPUBLISH_DATABASE_URL": f"sqlite:///{tmp_path}/new.db", "MDPUBLISH_PORT": str(port)}
    results = run_checks(read_settings({**images_of(variables["MDPUBLISH_DATABASE_URL"]), **variables}))
    return next(result for result in results if f" port {port}" in result.message)


def test_port_is_free_or_the_services_or_another_programs(refusing_port: int, app: ASGIApp, tmp_path: Path) -> None:
    assert port_check(refusing_port, tmp_path) == CheckResult(
        message=f"127.0.0.1 port {refusing_port} is free", is_ok=True
    )

    with serving(app) as (_, port):
        assert port_check(port, tmp_path) == CheckResult(
            message=f"the service runs at 127.0.0.1 port {port}", is_ok=True
        )

    with HTTPServer(("127.0.0.1", 0), SimpleHTTPRequestHandler) as other:
        Thread(target=other.handle_request, daemon=True).start()
        result = port_check(other.server_port, tmp_path)
    assert not result.is_ok
    assert f"127.0.0.1 port {other.server_port} is used by another program" in result.message


def test_fresh_database_is_well(database_url: str, refusing_port: int) -> None:
    done = runner({"MDPUBLISH_DATABASE_URL": database_url, "MDPUBLISH_PORT": str(refusing_port)})("doctor")
    assert (done.exit_code, done.stderr) == (0, "")
    checks = [line for line in done.stdout.splitlines() if not re.match("ok     (figures|workers|PDFs), ", line)]
    confinement = re.findall("^ok     workers, (.+?): ", done.stdout, re.MULTILINE)
    figures = [line.split()[2].rstrip(":") for line in done.stdout.splitlines() if "figures, " in line]
    assert len(checks) == (9 if database_url.startswith("sqlite") else 8)
    assert confinement == list(PROTECTIONS)
    assert figures == ["mermaid", "dot", "chart", "math"]
    assert len(re.findall("^ok     PDFs, fonts: (?:none )?for ", done.stdout, re.MULTILINE)) == 1
    assert all(line.startswith("ok     ") for line in done.stdout.splitlines())


MISCOUNTED = "usage counters differ from the rows of ben@example.org; restore a backup or report this as a bug"


@pytest.mark.parametrize("counter", ["documents", "pages", "active_keys"])
def test_counter_that_differs_from_its_rows_is_detected(database_url: str, make_owner: MakeOwner, counter: str) -> None:
    make_owner("anna")
    make_owner("ben")
    miscount(database_url, counter)

    assert wrong(MDPUBLISH_DATABASE_URL=database_url) == [MISCOUNTED]


def test_problem_is_an_error_of_the_command(database_url: str, make_owner: MakeOwner) -> None:
    make_owner("ben")
    miscount(database_url, "documents")

    done = runner({"MDPUBLISH_DATABASE_URL": database_url})("doctor")

    assert done.exit_code == 1
    assert [line for line in done.stdout.splitlines() if line.startswith("ERROR")] == [f"ERROR  {MISCOUNTED}"]


def miscount(database_url: str, counter: str) -> None:
    engine = _engine(database_url)
    with engine.begin() as connection:
        connection.execute(text(f"UPDATE accounts SET {counter} = {counter} + 1 WHERE email = 'ben@example.org'"))
    engine.dispose()


def test_checks_do_not_wait_for_a_writer(migrated_sqlite: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(migrated_sqlite, tmp_path / "test.db"))
    with closing(sqlite3.connect(file, isolation_level=None)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        assert wrong(MDPUBLISH_DATABASE_URL=f"sqlite:///{file}") == []


def test_old_database_is_reported_and_left_alone(database_url: str, next_revision: str) -> None:
    before = revisions(database_url)[0]
    (match,) = wrong(MDPUBLISH_DATABASE_URL=database_url)
    assert match.endswith(f" is at revision {before}, the newest is {next_revision}; run mdpublish-server migrate")
    assert revisions(database_url)[0] == before


def test_database_of_another_version_is_not_to_be_migrated(migrated_sqlite: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(migrated_sqlite, tmp_path / "test.db"))
    for revision, reason in (("0001", "older than"), ("9999", "newer than")):
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("UPDATE alembic_version SET version_num = ?", (revision,))
        (match,) = wrong(MDPUBLISH_DATABASE_URL=f"sqlite:///{file}")
        assert f"is at revision {revision}, {reason}" in match
        assert match.endswith("use the version that wrote it")


def test_database_that_other_users_can_open_is_detected(migrated_sqlite: Path, tmp_path: Path) -> None:
    file = Path(shutil.copy(migrated_sqlite, tmp_path / "test.db"))
    file.chmod(0o640)

    (match,) = wrong(MDPUBLISH_DATABASE_URL=f"sqlite:///{file}")

    assert match == f"other users can open the database ({file} has mode 0640); run chmod 600 {file}"


@pytest.mark.parametrize("is_deep", [False, True])
def test_database_before_the_first_serve_is_no_error_and_not_created(tmp_path: Path, is_deep: bool) -> None:
    url = f"sqlite:///{tmp_path}/new.db"

    results = first_checks(is_deep=is_deep, MDPUBLISH_DATABASE_URL=url)

    assert results[0].message == f"database {url} does not exist yet; mdpublish-server serve creates it"
    assert all(each.is_ok for each in results)
    assert [path.name for path in tmp_path.iterdir()] == ["new.db.images"]


def test_other_faults_before_the_first_serve_are_errors(tmp_path: Path) -> None:
    (match,) = wrong(MDPUBLISH_DATABASE_URL=f"sqlite:///{tmp_path}/new.db", MDPUBLISH_HOST="0.0.0.0")

    assert "MDPUBLISH_PUBLIC_URL" in match


@pytest.fixture(params=["sqlite", "postgresql"])
def unmigrated_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database as its server, or `touch`, creates it."""
    if request.param == "sqlite":
        (tmp_path / "test.db").touch(0o600)
        yield f"sqlite:///{tmp_path}/test.db"
        return
    server: str = request.getfixturevalue("postgresql_server")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE unmigrated")
        yield make_url(server).set(database="unmigrated").render_as_string(hide_password=False)
        connection.execute("DROP DATABASE unmigrated WITH (FORCE)")


def test_empty_database_before_the_first_serve_is_no_error(unmigrated_url: str, tmp_path: Path) -> None:
    variables = {"MDPUBLISH_DATABASE_URL": unmigrated_url, "MDPUBLISH_IMAGE_STORE": str(tmp_path / "images")}

    results = first_checks(is_deep=True, **variables)

    assert results[0].message == "the database has no schema yet; mdpublish-server serve creates it"
    assert all(each.is_ok for each in results)
    assert "usage counters" not in "".join(each.message for each in results)


def test_folder_that_a_new_database_lacks_is_an_error(tmp_path: Path) -> None:
    (match,) = wrong(MDPUBLISH_DATABASE_URL=f"sqlite:///{tmp_path}/none/new.db")

    assert match.endswith(
        f"cannot be created: {tmp_path}/none is no folder that can be written; create it or change its mode"
    )
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("suffix", ["-wal", "-reserve"])
def test_database_that_was_lost_is_no_new_one(tmp_path: Path, suffix: str) -> None:
    (tmp_path / f"test.db{suffix}").touch(0o600)

    (match,) = wrong(MDPUBLISH_DATABASE_URL=f"sqlite:///{tmp_path}/test.db")

    assert "unable to open database file; restore a backup" in match
    assert [path.name for path in tmp_path.iterdir()] == [f"test.db{suffix}"]


def test_damaged_database_is_detected(tmp_path: Path) -> None:
    (tmp_path / "test.db").touch(0o600)
    (tmp_path / "test.db").write_bytes(b"no database, but long enough to be taken for one " * 100)
    matches = wrong(MDPUBLISH_DATABASE_URL=f"sqlite:///{tmp_path}/test.db")
    assert "file is not a database" in matches[0]
    assert len(matches) == 1


def test_server_that_does_not_respond_is_detected_without_its_password() -> None:
    matches = wrong(MDPUBLISH_DATABASE_URL="postgresql://anna:secret@127.0.0.1:1/x?connect_timeout=5")
    assert len(matches) == 1
    assert "secret" not in "".join(matches)
    assert all("\n" not in line for line in matches)


def test_redis_is_checked(database_url: str, redis_server: RedisServer, tmp_path: Path) -> None:
    assert wrong(MDPUBLISH_DATABASE_URL=database_url, MDPUBLISH_REDIS_URL=redis_server.url) == []
    matches = wrong(MDPUBLISH_DATABASE_URL=database_url, MDPUBLISH_REDIS_URL=f"unix://{tmp_path}/none")
    assert len(matches) == 1
    assert matches[0].startswith("cannot connect to Redis at MDPUBLISH_REDIS_URL")


def test_redis_that_hangs_is_not_waited_for(database_url: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as deaf:
        port = deaf.getsockname()[1]
        matches = wrong(MDPUBLISH_DATABASE_URL=database_url, MDPUBLISH_REDIS_URL=f"redis://127.0.0.1:{port}/0")
    assert len(matches) == 1


@pytest.mark.parametrize(
    ("variables", "output"),
    [
        ({"MDPUBLISH_PUBLIC_URL": "https://example.org"}, "MDPUBLISH_TRUSTED_PROXIES"),
        ({"MDPUBLISH_HOST": "0.0.0.0"}, "MDPUBLISH_PUBLIC_URL"),
    ],
)
def test_encryption_that_nobody_gives_is_detected(database_url: str, variables: dict[str, str], output: str) -> None:
    matches = wrong(MDPUBLISH_DATABASE_URL=database_url, **variables)
    assert len(matches) == 1
    assert output in matches[0]


def test_encryption_by_a_proxy_is_well(database_url: str) -> None:
    variables = {"MDPUBLISH_PUBLIC_URL": "https://example.org", "MDPUBLISH_TRUSTED_PROXIES": "127.0.0.1"}
    assert wrong(MDPUBLISH_DATABASE_URL=database_url, **variables) == []


def test_database_that_workers_can_read_is_detected(
    migrated_sqlite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder of modules is readable to workers, with all that is in it."""
    copied = shutil.copy(migrated_sqlite, tmp_path / "test.db")
    settings = read_settings({"MDPUBLISH_DATABASE_URL": f"sqlite:///{copied}"})
    monkeypatch.syspath_prepend(tmp_path)
    matches = [result.message for result in run_checks(settings) if not result.is_ok]
    if any(protection.name == "files" and protection.mechanism for protection in protections_here()):
        assert matches == [f"workers can read {copied}, which is among the files of Python; move it to another folder"]
    else:
        assert matches == []


def protections_here() -> tuple[Protection, ...]:
    worker = Worker("mdpublish_core.figures.worker", is_confined=True)
    worker.start()
    worker.close()
    return worker.protections
