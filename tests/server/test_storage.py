import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import delete, func, select, text
from sqlalchemy.exc import IntegrityError

from mdpublish_server.settings import Settings
from mdpublish_server.storage import DemoPage, Document, MigrationFailure, Page, SqlStorage, StoredDemo, migrate
from mdpublish_server.storage.database import open_engine
from mdpublish_server.storage.tables import ADDRESSES, DOCUMENTS, METADATA

NOW = datetime(2026, 3, 1, 12, 0, 0, 123456, tzinfo=UTC)

PAGE = Page(body=b"\x1f\x8b\x00", etag="e", style_hash="sha256-x", render_version=1)


def make_document(number: int = 0) -> Document:
    return Document(
        id=f"document-{number}",
        title="Títle",
        content="# Ünïcode \U0001f600",
        template_id="swiss",
        theme_mode="light",
        created_at=NOW,
        updated_at=NOW + timedelta(microseconds=1),
    )


def make_demo(number: int = 0) -> DemoPage:
    return DemoPage(
        identifier=f"{number:020}",
        document_id=f"document-{number}",
        claim_token_hash=f"{number:064}",
        expires_at=NOW + timedelta(hours=72),
    )


def test_demo_is_found_as_it_was_kept(storage: SqlStorage) -> None:
    storage.add_demo(make_document(), make_demo(), PAGE)

    assert storage.find_demo(make_demo().identifier) == StoredDemo(demo=make_demo(), page=PAGE)
    assert storage.find_document("document-0") == make_document()


def test_what_was_never_kept_is_not_found(storage: SqlStorage) -> None:
    assert storage.find_demo("x" * 20) is None
    assert storage.find_document("x") is None


def test_saved_page_takes_the_place_of_the_old(storage: SqlStorage) -> None:
    storage.add_demo(make_document(), make_demo(), PAGE)
    newer = Page(body=b"newer", etag="f", style_hash="sha256-y", render_version=2)

    storage.save_page(make_demo().path, newer)

    assert storage.find_demo(make_demo().identifier) == StoredDemo(demo=make_demo(), page=newer)


def test_demo_outlives_its_swept_document(storage: SqlStorage, settings: Settings) -> None:
    storage.add_demo(make_document(), make_demo(), PAGE)

    engine = open_engine(settings.database_url)
    with engine.execution_options(writes=True).begin() as connection:
        connection.execute(delete(DOCUMENTS))
        addresses = connection.scalar(select(func.count()).select_from(ADDRESSES))
    engine.dispose()

    assert addresses == 0
    assert storage.find_demo(make_demo().identifier) == StoredDemo(demo=make_demo(), page=None)


def test_demo_is_kept_whole_or_not_at_all(storage: SqlStorage) -> None:
    storage.add_demo(make_document(0), make_demo(0), PAGE)

    with pytest.raises(IntegrityError):
        storage.add_demo(make_document(1), make_demo(0), PAGE)

    assert storage.find_document("document-1") is None


def test_writers_side_by_side_never_meet_a_lock(storage: SqlStorage) -> None:
    def publish(number: int) -> StoredDemo | None:
        storage.add_demo(make_document(number), make_demo(number), PAGE)
        return storage.find_demo(make_demo(number).identifier)

    with ThreadPoolExecutor(16) as threads:
        found = list(threads.map(publish, range(160)))

    assert [stored and stored.demo for stored in found] == [make_demo(number) for number in range(160)]


def test_connection_is_safe_and_durable(storage: SqlStorage) -> None:
    with storage._reader.connect() as connection:
        pragmas = ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
        values = [connection.scalar(text(f"PRAGMA {name}")) for name in pragmas]
    assert values == ["wal", 2, 1, 10_000]


def test_writing_transaction_takes_the_lock_at_its_beginning(storage: SqlStorage, settings: Settings) -> None:
    engine = open_engine(settings.database_url)
    written = threading.Event()

    def write() -> None:
        storage.add_demo(make_document(), make_demo(), PAGE)
        written.set()

    with engine.execution_options(writes=True).begin():
        writer = threading.Thread(target=write)
        writer.start()
        waited = not written.wait(0.2)
    writer.join()
    engine.dispose()

    assert waited
    assert written.is_set()


def test_reader_sees_one_state_while_another_writes(storage: SqlStorage) -> None:
    with storage._reader.connect() as connection:
        before = connection.scalar(select(func.count()).select_from(DOCUMENTS))
        storage.add_demo(make_document(), make_demo(), PAGE)
        after = connection.scalar(select(func.count()).select_from(DOCUMENTS))
    assert (before, after) == (0, 0)


def test_migrations_make_the_tables_of_the_metadata(storage: SqlStorage) -> None:
    with storage._reader.connect() as connection:
        options = {"compare_type": True, "compare_server_default": True}
        differences = compare_metadata(MigrationContext.configure(connection, opts=options), METADATA)
    assert differences == []


def test_migrating_twice_keeps_what_is_there(storage: SqlStorage, settings: Settings) -> None:
    storage.add_demo(make_document(), make_demo(), PAGE)

    migrate(settings.database_url)

    assert storage.find_document("document-0") == make_document()


def test_database_that_cannot_be_opened_is_named(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/no-such-folder/test.db"
    with pytest.raises(MigrationFailure, match=r"no-such-folder.*unable to open database file"):
        migrate(url)


def test_database_of_a_later_version_is_refused(storage: SqlStorage, settings: Settings) -> None:
    with storage._writer.begin() as connection:
        connection.execute(text("UPDATE alembic_version SET version_num = '9999'"))
    with pytest.raises(MigrationFailure, match="9999"):
        migrate(settings.database_url)


def test_file_that_is_no_database_is_refused(tmp_path: Path) -> None:
    (tmp_path / "test.db").write_text("not a database, but some text that is long enough to look like one" * 50)
    with pytest.raises(MigrationFailure, match="not a database"):
        migrate(f"sqlite:///{tmp_path}/test.db")


def test_check_fails_without_tables(settings: Settings) -> None:
    storage = SqlStorage(settings.database_url)
    with pytest.raises(Exception, match="no such table"):
        storage.check()
    storage.close()
