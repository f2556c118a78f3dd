"""The service behind PgBouncer in transaction mode, and during a failover to a standby."""

import asyncio
import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from random import Random

import psycopg
import pytest

from mdpublish_server.storage import migrate
from mdpublish_server.storage.postgresql import PostgresqlDatabase
from tests.remarks import remark
from tests.stress.clients import Load
from tests.stress.postgresql_process import PostgresqlProcess, postgresql_process
from tests.stress.processes import PATIENCE
from tests.stress.service import KillableService

pytestmark = pytest.mark.stress

SECONDS = 15

_CONFIGURATION = """\
[databases]
* = host={folder} user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir =
auth_type = any
pool_mode = transaction
default_pool_size = 5
"""
"""No other settings: what it does not pass on by itself is not to be needed."""


@contextmanager
def pgbouncer(server: PostgresqlProcess) -> Iterator[str]:
    """Yield the URL of a PgBouncer before a server."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        port = listener.getsockname()[1]
    file = server.folder / "pgbouncer.ini"
    file.write_text(_CONFIGURATION.format(folder=server.folder, port=port))
    file.chmod(0o644)
    with (server.folder / "pgbouncer.log").open("wb") as log:
        process = subprocess.Popen(
            ["pgbouncer", str(file)], user=server.user, cwd=server.folder, stdout=log, stderr=log
        )
    url = f"postgresql://postgres@127.0.0.1:{port}/postgres"
    try:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                psycopg.connect(url, connect_timeout=5).close()
                break
            except psycopg.OperationalError:
                assert process.poll() is None, (server.folder / "pgbouncer.log").read_text()
                assert time.monotonic() < end
                time.sleep(0.05)
        yield f"{url}?pgbouncer=true"
    finally:
        process.kill()
        process.wait()


@contextmanager
def standby(primary: PostgresqlProcess) -> Iterator[PostgresqlProcess]:
    """Yield a server that follows another, which acknowledges what this one has."""

    def copy(folder: Path) -> None:
        shutil.rmtree(folder)
        backup = [
            str(primary.programs / "pg_basebackup"),
            "-h",
            str(primary.folder),
            "-U",
            "postgres",
            "-D",
            str(folder),
            "-R",
            "--checkpoint=fast",
        ]
        subprocess.run(backup, check=True, timeout=PATIENCE)
        for name in (".s.PGSQL.5432.lock", "log"):
            (folder / name).unlink(missing_ok=True)
        folder.chmod(0o700)

    with postgresql_process(copy) as server, closing(psycopg.connect(primary.url, autocommit=True)) as connection:
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        connection.execute("SELECT pg_reload_conf()")
        yield server


def test_service_works_behind_pgbouncer(
    tmp_path: Path, killable_postgresql: PostgresqlProcess, pytestconfig: pytest.Config
) -> None:
    with pgbouncer(killable_postgresql) as url:
        migrate(url)
        service = KillableService(tmp_path, url)
        load = Load(service=service, random=Random(1))
        load.open_accounts()
        with service.running():
            asyncio.run(load.work_until(lambda: asyncio.sleep(SECONDS)))
            load.verify()
            asyncio.run(read_stamp(url))
    assert service.errors() == ""
    assert set(load.statuses()) <= {200, 201}, load.statuses()
    remark(pytestconfig, f"behind PgBouncer, {SECONDS} s: {dict(load.statuses())}, 0 lost")


async def read_stamp(url: str) -> None:
    """Wait until pages are kept in memory."""
    with closing(PostgresqlDatabase(url)) as database:
        end = time.monotonic() + PATIENCE
        while await database.stamp() is None:
            assert time.monotonic() < end
            await asyncio.sleep(0.05)


def test_failover_loses_nothing(
    tmp_path: Path, killable_postgresql: PostgresqlProcess, pytestconfig: pytest.Config
) -> None:
    migrate(killable_postgresql.url)
    with standby(killable_postgresql) as second:
        url = (
            f"postgresql://postgres@/postgres?host={killable_postgresql.folder}&host={second.folder}"
            "&target_session_attrs=read-write"
        )
        service = KillableService(tmp_path, url)
        load = Load(service=service, random=Random(1))
        load.open_accounts()
        service.start()

        async def fail_over() -> None:
            await asyncio.to_thread(killable_postgresql.kill)
            await asyncio.to_thread(promote, second)
            await asyncio.to_thread(service.wait_until_ready)
            await asyncio.sleep(1)

        try:
            asyncio.run(load.work_until(fail_over))
            load.verify()
        finally:
            service.stop()
    remark(pytestconfig, f"failover to a standby: {dict(load.statuses())}, 0 lost")


def promote(server: PostgresqlProcess) -> None:
    with psycopg.connect(server.url, autocommit=True) as connection:
        assert connection.execute("SELECT pg_promote()").fetchone() == (True,)
        # It follows nobody and is followed by nobody.
        connection.execute("ALTER SYSTEM SET synchronous_standby_names = ''")
        connection.execute("SELECT pg_reload_conf()")
