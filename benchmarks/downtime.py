"""The downtime of an upgrade: stop, migrate, start until the first page.

    python benchmarks/downtime.py [--documents N] [--rounds N]

The database is the oldest that can be upgraded (`tests/server/upgrades`), with copies of a published document, so that
all migrations run. The service that is stopped is today's.
"""

import argparse
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from urllib.error import URLError
from urllib.request import urlopen

sys.path.insert(0, str(Path(__file__).parents[1]))

import psycopg
from psycopg import sql
from sqlalchemy import inspect, text
from sqlalchemy.engine import make_url

from benchmarks.service import postgresql
from mdpublish_server.storage.database import _engine, known_revisions
from tests.server.test_storage_migrations import load_dump

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
        print(
            f"| {given.documents:,} published documents, medians of {given.rounds} rounds | SQLite, s | PostgreSQL, s |"
        )
        print("|---|--:|--:|")
        rounds: dict[str, list[dict[str, float]]] = {"SQLite": [], "PostgreSQL": []}
        for number in range(given.rounds):
            sqlite_url = f"sqlite:///{name}/{number}.db"
            fill(sqlite_url, given.documents)
            rounds["SQLite"].append(measure(sqlite_url))
            with new_database(server) as url:
                fill(url, given.documents)
                rounds["PostgreSQL"].append(measure(url))
        for part in ("stop", "migrate", "start until the first page"):
            sqlite, postgres = (median(one[part] for one in rounds[name]) for name in ("SQLite", "PostgreSQL"))
            print(f"| {part} | {sqlite:.1f} | {postgres:.1f} |")
        sqlite, postgres = (median(sum(one.values()) for one in rounds[name]) for name in ("SQLite", "PostgreSQL"))
        print(f"| downtime | {sqlite:.1f} | {postgres:.1f} |")


def fill(database_url: str, documents: int) -> None:
    load_dump(known_revisions()[-1], database_url)
    copies = f"WITH RECURSIVE copies (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < {documents}) "
    engine = _engine(database_url)
    with engine.begin() as connection:
        for table, key in (("documents", "id"), *((each, "document_id") for each in ("pages", "document_words"))):
            columns = {each["name"] for each in inspect(connection).get_columns(table)} - {key, "number"}
            names = ", ".join(sorted(columns))
            copied = f"SELECT 'copy-' || n, {names} FROM {table}, copies WHERE {key} = '{_COPIED}'"
            connection.execute(text(f"{copies} INSERT INTO {table} ({key}, {names}) {copied}"))
        added = "SELECT 'd', 'copy-' || n, 0, 'copy-' || n, 1 FROM copies"
        connection.execute(text(f"{copies} INSERT INTO addresses (space, slug, since, document_id, number) {added}"))
    engine.dispose()


@contextmanager
def new_database(server: str) -> Iterator[str]:
    """Yield the URL of an empty PostgreSQL database."""
    name = sql.Identifier("downtime")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        yield make_url(server).set(database="downtime").render_as_string(hide_password=False)
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
