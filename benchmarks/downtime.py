"""The downtime of an upgrade: stop, migrate, start until the first page.

    python benchmarks/downtime.py [--documents N] [--rounds N]

The database is that of the first version with accounts (`tests/server/upgrades`), with copies of a published document,
so that all migrations but the first run, which rebuild the largest tables. The service that is stopped is today's.
"""

import argparse
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from urllib.error import URLError
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).parents[1]))

import psycopg
from psycopg import sql
from sqlalchemy.engine import make_url

from benchmarks.service import postgresql
from mdpublish_server.storage.database import _engine
from tests.server.test_upgrades import UPGRADES, copy_rows

_PAGE = "/d/ben-s-8a51kh"
_COPIED = "946b3353-b11b-4a12-ba36-48e5d2431ec6"
_COMMAND = str(Path(sys.executable).with_name("mdpublish-server"))
_MAX_SECONDS = 60


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the downtime of an upgrade.")
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    with TemporaryDirectory() as name, postgresql(Path(name)) as server:
        folder = Path(name)
        old = folder / "old.db"
        make_old_database(old, given.documents)
        print(
            f"| {given.documents:,} published documents, medians of {given.rounds} rounds | SQLite, s | PostgreSQL, s |"
        )
        print("|---|--:|--:|")
        rounds: dict[str, list[dict[str, float]]] = {"SQLite": [], "PostgreSQL": []}
        for _ in range(given.rounds):
            rounds["SQLite"].append(measure(f"sqlite:///{shutil.copy(old, folder / 'copy.db')}"))
            with copied(old, server) as url:
                rounds["PostgreSQL"].append(measure(url))
        for part in ("stop", "migrate", "start until the first page"):
            sqlite, postgres = (median(one[part] for one in rounds[name]) for name in ("SQLite", "PostgreSQL"))
            print(f"| {part} | {sqlite:.1f} | {postgres:.1f} |")
        sqlite, postgres = (median(sum(one.values()) for one in rounds[name]) for name in ("SQLite", "PostgreSQL"))
        print(f"| downtime | {sqlite:.1f} | {postgres:.1f} |")


def make_old_database(file: Path, documents: int) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.executescript((UPGRADES / "rest-api.sql").read_text("utf-8"))
        numbers = [(f"copy-{number}",) for number in range(documents)]
        for table, key in (("documents", "id"), ("pages", "document_id")):
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})") if row[1] != key]
            names = ", ".join(columns)
            copying = f"INSERT INTO {table} ({key}, {names}) SELECT ?, {names} FROM {table} WHERE {key} = '{_COPIED}'"
            connection.executemany(copying, numbers)
        connection.executemany(
            "INSERT INTO addresses (path, document_id, is_current) VALUES (?, ?, 1)",
            ((f"/d/{name}", name) for (name,) in numbers),
        )


@contextmanager
def copied(old: Path, server: str) -> Iterator[str]:
    """Yield the URL of a PostgreSQL database with the same rows."""
    name = sql.Identifier("downtime")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        url = make_url(server).set(database="downtime").render_as_string(hide_password=False)
        source, target = _engine(f"sqlite:///{old}"), _engine(url)
        copy_rows(source, target)
        source.dispose()
        target.dispose()
        yield url
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def measure(database_url: str) -> dict[str, float]:
    """Return the seconds of each part. The service that is stopped is the one that was started."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    settings = {"MDPUBLISH_DATABASE_URL": database_url, "MDPUBLISH_WORKERS": "2", "MDPUBLISH_DEMO_WORKERS": "1"}
    environment = {**os.environ, **settings, "MDPUBLISH_PORT": str(port)}
    begin = perf_counter()
    subprocess.run([_COMMAND, "migrate"], env=environment, stdout=subprocess.DEVNULL, check=True)
    migrated = perf_counter()
    with subprocess.Popen([_COMMAND, "serve"], env=environment, stdout=subprocess.DEVNULL) as process:
        wait_for_page(f"http://127.0.0.1:{port}{_PAGE}")
        started = perf_counter()
        process.terminate()
        process.wait()
    return {
        "stop": perf_counter() - started,
        "migrate": migrated - begin,
        "start until the first page": started - migrated,
    }


def wait_for_page(url: str) -> None:
    end = perf_counter() + _MAX_SECONDS
    while perf_counter() < end:
        try:
            with urlopen(url, timeout=_MAX_SECONDS):
                return
        except URLError:
            sleep(0.02)
    raise TimeoutError(f"the service did not start within {_MAX_SECONDS} s")


if __name__ == "__main__":
    main()
