"""`mdpublish-server move`, from a filled SQLite database to PostgreSQL."""

import asyncio
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from psycopg import sql
from sqlalchemy import Boolean, Integer, LargeBinary, Table
from sqlalchemy.engine import make_url

from mdpublish_server.app import make_app
from mdpublish_server.conversion.converter import Converter
from mdpublish_server.services.document_search import search_documents
from mdpublish_server.settings import read_settings
from mdpublish_server.state import AppState
from mdpublish_server.storage import open_database
from mdpublish_server.storage.database import known_revisions
from mdpublish_server.storage.tables import DEMO_USAGE, DOCUMENT_WORDS, METADATA, PAGE_CHANGES
from tests.server.api_requests import claim, create, publish, publish_demo, publish_new, update
from tests.server.command import Run, refusal, runner
from tests.server.conftest import MakeOwner
from tests.server.test_services_health import wrong
from tests.stress.service import KillableService

pytestmark = pytest.mark.anyio

# What PostgreSQL's COPY escapes, and what it reads as null.
CONTENT = "# Tabs\tand\\backslashes\n\n\\N\n\n```text\n\ttab\r\n```\n\näöü, 漢字, 👩‍👩‍👧, \"quotes\", 'too' and \\."


@pytest.fixture
def database_url(tmp_path: Path, migrated_sqlite: Path) -> str:
    return f"sqlite:///{shutil.copy(migrated_sqlite, tmp_path / 'test.db')}"


@pytest.fixture
def file(database_url: str) -> Path:
    return Path(database_url.removeprefix("sqlite:///"))


@pytest.fixture
def run(empty_postgresql: str) -> Iterator[Run]:
    yield runner({"MDPUBLISH_DATABASE_URL": empty_postgresql})
    # Migrations leave a sum of zero, which the fixture's deletions and a move take away.
    with psycopg.connect(empty_postgresql) as connection:
        connection.execute("DELETE FROM demo_usage")


@pytest.fixture
async def paths(client: httpx.AsyncClient, pro: httpx.AsyncClient, make_owner: MakeOwner) -> list[str]:
    """Pages of a service that has a row in each table."""
    private = await create(pro, content=CONTENT, title="Private")
    for number in range(3):
        await update(pro, private, content=f"{CONTENT}\n\nEdit {number}.")
    pages = [
        (await publish(pro, private))["published_url"],
        (await publish_new(pro, CONTENT, title="Public", visibility="public"))["published_url"],
        *[(await publish_demo(client, f"# Demo {number}"))["url"] for number in range(3)],
    ]
    claimed = await publish_demo(client, "# Claimed")
    assert (await claim(pro, claimed["claim_token"])).status_code == 200
    await pro.post("/v1/documents", json={"content": "once"}, headers={"Idempotency-Key": "once"})
    make_owner("ben", username="ben")
    return [httpx.URL(page).path for page in [*pages, claimed["url"]]]


def fill_empty_tables(file: Path) -> None:
    """Add a row to each table without any, with a value of each column's type."""
    with closing(sqlite3.connect(file)) as connection, connection:
        account, document = (
            connection.execute(f"SELECT id FROM {table} WHERE id IS NOT NULL").fetchone()[0]
            for table in ("accounts", "documents")
        )
        for table in METADATA.sorted_tables:
            if connection.execute(f'SELECT count(*) FROM "{table.name}"').fetchone()[0]:
                continue
            values = {
                column.name: {"account_id": account, "document_id": document}.get(column.name, value_for(column.type))
                for column in table.columns
            }
            names, marks = ", ".join(f'"{name}"' for name in values), ", ".join("?" * len(values))
            connection.execute(f'INSERT INTO "{table.name}" ({names}) VALUES ({marks})', list(values.values()))


def value_for(kind: Any) -> object:
    if isinstance(kind, LargeBinary):
        return bytes(range(256))
    if isinstance(kind, Boolean):
        return True
    return 7 if isinstance(kind, Integer) else "\\N\té"


def sqlite_rows(file: Path, table: Table) -> list[tuple[Any, ...]]:
    names = ", ".join(f'"{column.name}"' for column in table.columns)
    with closing(sqlite3.connect(file)) as connection:
        rows = connection.execute(f'SELECT {names} FROM "{table.name}"').fetchall()
    booleans = [isinstance(column.type, Boolean) for column in table.columns]
    return sorted(
        (tuple(bool(value) if flag else value for value, flag in zip(row, booleans, strict=True)) for row in rows),
        key=repr,
    )


def postgresql_rows(url: str, table: Table) -> list[tuple[Any, ...]]:
    names = sql.SQL(", ").join(sql.Identifier(column.name) for column in table.columns)
    query = sql.SQL("SELECT {} FROM {}").format(names, sql.Identifier(table.name))
    with psycopg.connect(url) as connection:
        return sorted(connection.execute(query).fetchall(), key=repr)


def total(url: str) -> int:
    return sum(len(postgresql_rows(url, table)) for table in METADATA.sorted_tables)


async def test_service_goes_on_where_it_was(
    run: Run,
    file: Path,
    paths: list[str],
    pro: httpx.AsyncClient,
    empty_postgresql: str,
    database: Any,
    converter: Converter,
    times: list[Any],
) -> None:
    before = [((response := await pro.get(path)).status_code, response.content) for path in paths]
    listed = (await pro.get("/v1/documents")).json()
    usage = (await pro.get("/v1/usage")).json()
    database.close()
    fill_empty_tables(file)

    moved = await asyncio.to_thread(run, "move", str(file))

    assert moved.exit_code == 0, moved.output
    counts = {name: int(count) for name, count in map(str.split, moved.stdout.splitlines())}
    assert counts == {table.name: len(sqlite_rows(file, table)) for table in METADATA.sorted_tables}
    assert min(counts.values()) > 0
    assert f"moved {sum(counts.values())} rows of {len(counts)} tables to postgresql" in moved.stderr
    for table in METADATA.sorted_tables:
        # PostgreSQL counts the pages that arrive, and the command is recorded there.
        if table is not PAGE_CHANGES:
            arrived = [row for row in postgresql_rows(empty_postgresql, table) if "command.ran" not in row]
            assert arrived == sqlite_rows(file, table), table.name

    with closing(open_database(empty_postgresql)) as target:
        settings = read_settings({"MDPUBLISH_DATABASE_URL": empty_postgresql})
        app = make_app(AppState(settings, database=target, converter=converter, clock=lambda: times[-1]))
        transport = httpx.ASGITransport(app, client=("127.0.0.1", 50000))
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1:8000") as client:
            client.headers.update(pro.headers)
            after = [((response := await client.get(path)).status_code, response.content) for path in paths]
            assert after == before
            assert {status for status, _ in after} == {200, 301}
            assert (await client.get("/v1/documents")).json() == listed
            assert (await client.get("/v1/usage")).json()["tier"] == usage["tier"]
            page = await publish_new(client, "# Published after the move")
            assert "after the move" in (await client.get(page["published_url"])).text
        with target.read_transaction() as transaction:
            newest = max(postgresql_rows(empty_postgresql, DOCUMENT_WORDS))
            matches = search_documents(transaction, newest[2], "published after", cursor=None, limit=20)
        assert matches.hits[0].document.id == newest[1]


async def test_counters_match_after_a_move(
    run: Run, file: Path, paths: list[str], database: Any, empty_postgresql: str
) -> None:
    assert paths
    database.close()
    assert (await asyncio.to_thread(run, "move", str(file))).exit_code == 0
    assert wrong(MDPUBLISH_DATABASE_URL=empty_postgresql) == []


async def test_database_that_is_open_is_refused(run: Run, file: Path, paths: list[str], empty_postgresql: str) -> None:
    """The fixture `database` has connections to it."""
    assert paths
    assert refusal(run("move", str(file))) == (
        f"{file} is in use; stop the service first, since what it writes during a move would be lost"
    )
    assert total(empty_postgresql) == 0


@pytest.mark.nightly
@pytest.mark.short
def test_idle_service_is_refused(tmp_path: Path, empty_postgresql: str) -> None:
    """It has answered no request."""
    file = tmp_path / "live.db"
    service = KillableService(tmp_path, f"sqlite:///{file}")
    with service.running():
        refused = runner({"MDPUBLISH_DATABASE_URL": empty_postgresql})("move", str(file))
    assert "is in use; stop the service first" in refusal(refused)


def test_second_move_is_refused(run: Run, file: Path, empty_postgresql: str) -> None:
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("INSERT INTO usernames (username) VALUES ('anna')")
    assert run("move", str(file)).exit_code == 0
    rows = total(empty_postgresql)
    assert "is not empty (1 rows in " in refusal(run("move", str(file)))
    assert total(empty_postgresql) == rows


def test_row_that_postgresql_refuses_undoes_the_move(run: Run, file: Path, empty_postgresql: str) -> None:
    """SQLite neither bounds strings nor refuses U+0000."""
    for value in ("x" * 31, "nul\0"):
        with closing(sqlite3.connect(file)) as connection, connection:
            connection.execute("DELETE FROM usernames")
            connection.execute("INSERT INTO usernames (username) VALUES ('anna'), (?)", (value,))
        message = refusal(run("move", str(file)))
        assert message.startswith("cannot write to postgresql")
        assert message.endswith("; nothing was moved")
        assert total(empty_postgresql) == 0


def test_old_database_is_refused(run: Run, file: Path, empty_postgresql: str, next_revision: str) -> None:
    newest, older = known_revisions()[:2]
    oldest = known_revisions()[-1]
    assert newest == next_revision
    message = f"is at revision {older}, the newest is {newest}; run mdpublish-server migrate"
    assert message in refusal(run("move", str(file)))
    with closing(sqlite3.connect(file)) as connection, connection:
        connection.execute("UPDATE alembic_version SET version_num = '0001'")
    assert f"is at revision 0001, older than {oldest}, the oldest" in refusal(run("move", str(file)))
    assert total(empty_postgresql) == 0


def test_wrong_source_or_target_is_reported(run: Run, file: Path, tmp_path: Path) -> None:
    assert refusal(run("move", str(tmp_path / "nosuch.db"))) == f"no database at {tmp_path}/nosuch.db"
    (tmp_path / "none.db").write_bytes(b"no database, but long enough to be taken for one " * 100)
    assert "file is not a database" in refusal(run("move", str(tmp_path / "none.db")))
    to_sqlite = refusal(run("move", str(file), MDPUBLISH_DATABASE_URL=f"sqlite:///{tmp_path}/other.db"))
    assert to_sqlite.startswith("MDPUBLISH_DATABASE_URL must name the PostgreSQL database to fill (got sqlite:")
    absent = "postgresql://anna:secret@127.0.0.1:1/test?connect_timeout=5"
    unreachable = refusal(run("move", str(file), MDPUBLISH_DATABASE_URL=absent))
    assert unreachable.startswith("cannot migrate the database postgresql")
    assert "secret" not in unreachable


def test_move_creates_the_tables(file: Path, postgresql_server: str) -> None:
    url = make_url(postgresql_server).set(database="bare_move").render_as_string(hide_password=False)
    with psycopg.connect(postgresql_server, autocommit=True) as connection:
        connection.execute("CREATE DATABASE bare_move")
        try:
            assert runner({"MDPUBLISH_DATABASE_URL": url})("move", str(file)).exit_code == 0
            assert postgresql_rows(url, DEMO_USAGE) == [(1, 0)]
        finally:
            connection.execute("DROP DATABASE bare_move WITH (FORCE)")


def test_only_tables_that_a_move_knows_of_count_by_themselves(empty_postgresql: str) -> None:
    with psycopg.connect(empty_postgresql) as connection:
        counting = connection.execute("SELECT sequence_name FROM information_schema.sequences").fetchall()
    known = {
        (f"{table.name}_{table.autoincrement_column.name}_seq",)
        for table in METADATA.tables.values()
        if table.autoincrement_column is not None
    }
    assert set(counting) == known
