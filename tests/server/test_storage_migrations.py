"""Migrations: the schema they create, and upgrades from other versions."""

import shutil
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from datetime import timedelta
from hashlib import sha256
from pathlib import Path

import httpx
import psycopg
import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from psycopg import sql
from sqlalchemy import text
from sqlalchemy.engine import make_url

from mdpublish_server.storage import MigrationFailure, migrate, open_database, revisions
from mdpublish_server.storage.database import _config, _engine
from mdpublish_server.storage.tables import METADATA
from mdpublish_server.storage.timestamps import to_microseconds
from tests.server.conftest import NOW, Owner

IDENTIFIER = "demo0000000000000000"
TOKEN = "0b7c2f1e-6a56-4f0e-9d1a-0a5a3c1b7e42"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Rows of a database of the first version."""

    document_id: str = "9f6c1b34-9a53-4c53-8a83-6c1a8f0f2b11"

    def keep(self, database_url: str) -> None:
        """Store a demo in the schema of revision 0001; its page was rendered by an old version."""
        engine = _engine(database_url)
        with engine.begin() as connection:
            times = {"now": to_microseconds(NOW), "end": to_microseconds(NOW + timedelta(hours=72))}
            connection.execute(
                text(
                    "INSERT INTO documents VALUES "
                    "(:id, 'Old demo', '# Old demo\n\nof the first version', 'swiss', 'dark', :now, :now)"
                ),
                {"id": self.document_id, **times},
            )
            connection.execute(
                text("INSERT INTO demo_pages VALUES (:identifier, :id, :hash, :end)"),
                {
                    "identifier": IDENTIFIER,
                    "id": self.document_id,
                    "hash": sha256(TOKEN.encode()).hexdigest(),
                    **times,
                },
            )
            connection.execute(
                text("INSERT INTO addresses VALUES (:path, :id, :body, 'e', 'sha256-x', 1)"),
                {"path": f"/p/{IDENTIFIER}", "id": self.document_id, "body": b"old bytes"},
            )
            # A demo that the first version cleaned up: only its row remains.
            connection.execute(
                text("INSERT INTO demo_pages VALUES (:identifier, 'gone', 'hash', :now)"),
                {"identifier": "swept000000000000000", **times},
            )
        engine.dispose()


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
    """The URL of a database of the first version with a demo."""
    engine = _engine(bare_url, creates=True)
    with engine.begin() as connection:
        command.upgrade(_config(connection), "0001")
    engine.dispose()
    Rows().keep(bare_url)
    return bare_url


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


def test_migrations_make_the_tables(bare_url: str) -> None:
    migrate(bare_url)
    assert differences(bare_url) == []


def test_migrations_of_an_old_database_make_the_same_tables(old_url: str) -> None:
    migrate(old_url)
    assert differences(old_url) == []


def test_second_migration_changes_nothing(old_url: str) -> None:
    migrate(old_url)
    engine = _engine(old_url)
    with engine.connect() as connection:
        before = connection.execute(text("SELECT * FROM documents")).all()
    migrate(old_url)
    with engine.connect() as connection:
        after = connection.execute(text("SELECT * FROM documents")).all()
    engine.dispose()
    assert before == after
    assert len(after) == 1


def test_migrations_at_once_wait_for_each_other(old_url: str) -> None:
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(migrate, [old_url] * 4))
    current, newest = revisions(old_url)
    assert current == newest
    assert differences(old_url) == []


def test_migration_that_fails_leaves_the_database_as_it_was(old_url: str) -> None:
    engine = _engine(old_url)
    with engine.begin() as connection:
        # Conflicts with the last table that the second revision creates.
        connection.execute(text("CREATE TABLE accounts (id INTEGER)"))
    with pytest.raises(MigrationFailure, match="accounts"):
        migrate(old_url)
    with engine.connect() as connection:
        stored = connection.execute(text("SELECT body FROM addresses")).all()
    engine.dispose()
    assert [bytes(row[0]) for row in stored] == [b"old bytes"]
    assert revisions(old_url)[0] == "0001"


@pytest.fixture
def database_url(old_url: str) -> str:
    """From here on, the application runs on the migrated database."""
    migrate(old_url)
    return old_url


@pytest.mark.anyio
async def test_page_of_an_old_database_is_served(client: httpx.AsyncClient) -> None:
    page = await client.get(f"/p/{IDENTIFIER}")
    assert page.status_code == 200
    assert "of the first version" in page.text
    assert page.headers["x-robots-tag"] == "noindex"
    assert (await client.get("/p/swept000000000000000")).status_code == 410


@pytest.mark.anyio
async def test_page_of_an_old_database_is_claimed(client: httpx.AsyncClient, make_owner: Callable[..., Owner]) -> None:
    owner = make_owner("anna", username="anna")
    claimed = await client.post("/v1/demo/claim", json={"claim_token": TOKEN}, headers=owner.headers)
    assert claimed.status_code == 200, claimed.text
    document = (await client.get(f"/v1/documents/{claimed.json()['id']}", headers=owner.headers)).json()
    assert document["id"] == Rows().document_id
    assert (document["title"], document["theme_mode"], document["word_count"]) == ("Old demo", "dark", 6)
    moved = await client.get(f"/p/{IDENTIFIER}")
    assert moved.status_code == 301
    assert "of the first version" in (await client.get(moved.headers["location"])).text


@pytest.mark.anyio
async def test_page_of_an_old_database_expires(client: httpx.AsyncClient, travel: Callable[[timedelta], None]) -> None:
    travel(timedelta(hours=72))
    assert (await client.get(f"/p/{IDENTIFIER}")).status_code == 410


def test_database_of_a_newer_version_is_refused_and_left_alone(bare_url: str) -> None:
    migrate(bare_url)
    engine = _engine(bare_url)
    with engine.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(MigrationFailure, match=r"9999.*newer version"):
        migrate(bare_url)
    with engine.connect() as connection:
        assert connection.scalar(text("SELECT version_num FROM alembic_version")) == "9999"
    engine.dispose()


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
