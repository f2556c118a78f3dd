"""Migrations: the schema of a new database, and upgrades of others. `upgrades/README.md` says what these hold."""

import shutil
import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from datetime import timedelta
from pathlib import Path

import httpx
import psycopg
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from psycopg import sql
from sqlalchemy import text
from sqlalchemy.engine import make_url

from mdpublish_server.services.document_search import search_documents
from mdpublish_server.storage import Database, MigrationFailure, migrate, open_database, revisions
from mdpublish_server.storage.database import _engine, known_revisions
from mdpublish_server.storage.private_files import create_private_file
from mdpublish_server.storage.tables import METADATA
from tests.server.api_requests import claim, publish_new, redirect_from, update
from tests.server.command import runner
from tests.server.conftest import MakeOwner, Travel
from tests.server.test_services_health import wrong

UPGRADES = Path(__file__).parent / "upgrades"

# Of the dumps.
GARDEN = "/u/anna-b/garden-day-re43wt"
DEMO = "/p/duqyzq644uab36joelkn"
CLAIM_TOKEN = "ae9771c3-6feb-437b-88ca-0d2571b1c730"
KEY = "svc_ffff07db3600747de5467f2de3771ce7f4f4648bda7c687df003f8bcd91f9868"

CREATED = {
    "sqlite": "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND (type <> 'table' OR name LIKE 'document_index%')",
    "postgresql": """
        SELECT pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
        UNION ALL SELECT pg_get_functiondef(oid) FROM pg_proc WHERE pronamespace = 'public'::regnamespace
        UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = 'public'
        UNION ALL SELECT conname || pg_get_constraintdef(oid) FROM pg_constraint
            WHERE connamespace = 'public'::regnamespace
        UNION ALL SELECT relname || reloptions::text FROM pg_class
            WHERE relnamespace = 'public'::regnamespace AND reloptions IS NOT NULL
    """,
}
"""What `compare_metadata` does not compare."""


@pytest.fixture(params=["sqlite", "postgresql"])
def bare_url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """The URL of a database without tables."""
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path}/bare.db"
        return
    server: str = request.getfixturevalue("postgresql_server")
    name = sql.Identifier("bare")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
        yield make_url(server).set(database="bare").render_as_string(hide_password=False)
        connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


@pytest.fixture
def old_url(bare_url: str) -> str:
    """The URL of a database at the oldest revision that can be upgraded, with rows."""
    load_dump(known_revisions()[-1], bare_url)
    return bare_url


def load_dump(revision: str, database_url: str) -> None:
    """Fill an empty database."""
    kind, _, path = database_url.partition(":///")
    if kind == "sqlite":
        create_private_file(Path(path))
        with closing(sqlite3.connect(path)) as connection:
            connection.executescript((UPGRADES / f"{revision}-sqlite.sql").read_text("utf-8"))
    else:
        with psycopg.connect(database_url) as session:
            session.execute((UPGRADES / f"{revision}-postgresql.sql").read_bytes())


def rows(database_url: str, query: str) -> list[tuple[object, ...]]:
    engine = _engine(database_url)
    with engine.connect() as connection:
        fetched = [tuple(row) for row in connection.execute(text(query))]
    engine.dispose()
    return fetched


def execute(database_url: str, statement: str) -> None:
    engine = _engine(database_url)
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()


def is_compared(name: str | None, *_: object) -> bool:
    return name is None or not name.startswith(("document_index", "ix_document_words_vector"))


def differences(database_url: str) -> list[object]:
    """Compare the tables with those of a database, but for the index of words, which only one of the two has."""
    engine = _engine(database_url)
    with engine.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True, "include_name": is_compared}
        matches: list[object] = compare_metadata(MigrationContext.configure(connection, opts=options), METADATA)
    engine.dispose()
    return matches


def created(database_url: str) -> list[tuple[object, ...]]:
    return sorted(rows(database_url, CREATED["sqlite" if database_url.startswith("sqlite") else "postgresql"]))


def test_empty_database_gets_the_tables(bare_url: str) -> None:
    migrate(bare_url)
    assert differences(bare_url) == []
    assert len(set(revisions(bare_url))) == 1


def test_upgraded_database_has_the_schema_of_a_new_one(old_url: str, request: pytest.FixtureRequest) -> None:
    migrate(old_url)
    assert differences(old_url) == []
    if old_url.startswith("sqlite"):
        new_url = f"sqlite:///{request.getfixturevalue('migrated_sqlite')}"
    else:
        new_url = request.getfixturevalue("postgresql_server")
    assert created(old_url) == created(new_url)


def test_next_migration_upgrades_a_database_with_rows(old_url: str, next_revision: str) -> None:
    before = rows(old_url, "SELECT id, email FROM accounts ORDER BY id")
    for _ in range(2):
        assert runner({"MDPUBLISH_DATABASE_URL": old_url})("migrate").exit_code == 0
    assert revisions(old_url) == (next_revision, next_revision)
    assert rows(old_url, "SELECT id, email FROM accounts WHERE motto = 'none' ORDER BY id") == before
    assert len(before) == 3


def test_migrations_at_once_wait_for_each_other(old_url: str, next_revision: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(migrate, [old_url] * 4))
    assert revisions(old_url) == (next_revision, next_revision)
    assert rows(old_url, "SELECT count(*) FROM mottos") == [(1,)]


def test_empty_databases_are_filled_once(bare_url: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(migrate, [bare_url] * 4))
    assert differences(bare_url) == []
    assert rows(bare_url, "SELECT count(*) FROM demo_usage") == [(1,)]


@pytest.mark.usefixtures("next_revision")
def test_migration_that_fails_leaves_the_database_as_it_was(old_url: str) -> None:
    # Conflicts with the last table that the migration creates.
    execute(old_url, "CREATE TABLE mottos (id INTEGER)")
    before = revisions(old_url)[0], rows(old_url, "SELECT * FROM accounts ORDER BY id")
    with pytest.raises(MigrationFailure, match="mottos"):
        migrate(old_url)
    assert (revisions(old_url)[0], rows(old_url, "SELECT * FROM accounts ORDER BY id")) == before


def test_database_of_something_else_is_left_as_it_was(bare_url: str, request: pytest.FixtureRequest) -> None:
    if bare_url.startswith("sqlite"):
        request.getfixturevalue("tmp_path").joinpath("bare.db").touch()
    execute(bare_url, "CREATE TABLE letters (id INTEGER)")
    with pytest.raises(MigrationFailure, match="letters"):
        migrate(bare_url)
    assert revisions(bare_url)[0] is None
    assert rows(bare_url, "SELECT * FROM letters") == []


@pytest.mark.parametrize(
    ("revision", "reason"),
    [
        ("9999", r"9999, is newer than \d+, the newest that mdpublish .* knows; use the version that wrote it$"),
        (
            "0001",
            r"0001, is older than \d+, the oldest that mdpublish .* upgrades; migrate it with a version in between",
        ),
    ],
)
def test_unknown_revision_is_refused_and_left_alone(bare_url: str, revision: str, reason: str) -> None:
    migrate(bare_url)
    execute(bare_url, f"UPDATE alembic_version SET version_num = '{revision}'")
    with pytest.raises(MigrationFailure, match=reason):
        migrate(bare_url)
    assert rows(bare_url, "SELECT version_num FROM alembic_version") == [(revision,)]


def test_database_with_two_revisions_is_refused(bare_url: str) -> None:
    migrate(bare_url)
    execute(bare_url, "INSERT INTO alembic_version VALUES ('9999')")
    with pytest.raises(MigrationFailure, match="more than one head"):
        migrate(bare_url)


@pytest.fixture
def database_url(old_url: str) -> str:
    """From here on, the application runs on the upgraded database."""
    migrate(old_url)
    return old_url


@pytest.mark.anyio
async def test_pages_of_an_upgraded_database_are_served(client: httpx.AsyncClient) -> None:
    # Only the second is stored; the others are rendered.
    for path, content in {GARDEN: "Saturday", "/d/ben-s-8a51kh": "äöü, 漢字", DEMO: "which is live"}.items():
        page = await client.get(path)
        assert page.status_code == 200, path
        assert content in page.text
        assert f'href="http://127.0.0.1:8000{path}"' in page.text
    assert httpx.URL(await redirect_from(client, "/u/anna/garden-day-re43wt")).path == GARDEN
    assert (await client.get("/u/anna/taken-down-nw3n5z")).status_code == 404
    assert (await client.get("/p/i1yfqs29khian8ekorln")).status_code == 410


@pytest.mark.anyio
async def test_demos_of_an_upgraded_database_are_claimed_until_they_expire(
    client: httpx.AsyncClient, make_owner: MakeOwner, travel: Travel, database_url: str
) -> None:
    client.headers.update(make_owner("eve", username="eve").headers)
    target = (await claim(client, CLAIM_TOKEN)).json()["published_url"]
    assert await redirect_from(client, DEMO) == target
    assert "which is live" in (await client.get(target)).text
    travel(timedelta(hours=48, minutes=4))
    assert (await client.get("/p/j3l08qwru9xrc7t6dzqm")).status_code == 410
    assert wrong(MDPUBLISH_DATABASE_URL=database_url) == []


@pytest.mark.anyio
async def test_documents_of_an_upgraded_database_are_found_and_changed(
    client: httpx.AsyncClient, database: Database, database_url: str
) -> None:
    client.headers["Authorization"] = f"Bearer {KEY}"
    titles = [each["title"] for each in (await client.get("/v1/documents")).json()["data"]]
    assert titles == ["Untitled", "Taken down", "Unpublished", "Code", "Garden day", "Draft"]
    ((garden, account),) = rows(database_url, "SELECT id, account_id FROM documents WHERE title = 'Garden day'")
    with database.read_transaction() as transaction:
        matches = search_documents(transaction, str(account), "garden spade", cursor=None, limit=20)
    assert [hit.document.id for hit in matches.hits] == [garden]
    await update(client, str(garden), content="We meet on **Sunday**.")
    assert "<strong>Sunday</strong>" in (await client.get(GARDEN)).text
    await publish_new(client, "new")
    assert wrong(MDPUBLISH_DATABASE_URL=database_url) == []


def test_revisions_of_a_missing_file_make_none(tmp_path: Path) -> None:
    with pytest.raises(MigrationFailure, match="unable to open database file"):
        revisions(f"sqlite:///{tmp_path}/none.db")
    assert list(tmp_path.iterdir()) == []


def test_database_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    with pytest.raises(MigrationFailure, match=r"no-such-folder.*unable to open database file"):
        migrate(f"sqlite:///{tmp_path}/no-such-folder/test.db")


def test_server_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(MigrationFailure, match=r"127\.0\.0\.1:1/") as raised:
        migrate("postgresql://anna:secret@127.0.0.1:1/test?connect_timeout=5")
    assert "secret" not in str(raised.value)


def test_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "test.db").write_text("not a database, but some text that is long enough to look like one" * 50)
    with pytest.raises(MigrationFailure, match="not a database"):
        migrate(f"sqlite:///{tmp_path}/test.db")


def test_file_whose_name_has_marks_of_a_url_is_used_as_it_is(tmp_path: Path, migrated_sqlite: Path) -> None:
    path = tmp_path / "a b%20c#d.db"
    shutil.copy(migrated_sqlite, path)
    migrate(f"sqlite:///{path}")
    database = open_database(f"sqlite:///{path}")
    with database.write_transaction() as transaction:
        assert transaction.dialect == "sqlite"
    database.close()
    assert {file.name for file in tmp_path.iterdir()} == {path.name}
