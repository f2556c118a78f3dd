"""The audit log's table: nothing changes it but the purge, which is recorded, and none of two writers' events is missed."""

from datetime import UTC, datetime, timedelta
from importlib import import_module
from itertools import islice
from typing import Any

import pytest
from sqlalchemy import text

from mdpublish_server.errors import ServiceError
from mdpublish_server.storage import Database
from mdpublish_server.storage.audit import SENTENCES, events_since, purge, record
from mdpublish_server.storage.transactions import Statement
from tests.server.command import runner

command = import_module("mdpublish_server.cli.audit")
"""The module, not the command of the same name."""

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)

CHANGES = (
    "UPDATE audit SET kind = 'x'",
    "UPDATE audit SET address = NULL WHERE kind = 'key.revoked'",
    "DELETE FROM audit",
    "DELETE FROM audit WHERE kind = 'audit.purged'",
)


def add(database: Database, *kinds: str) -> None:
    for kind in kinds:
        with database.write_transaction() as transaction:
            record(transaction, kind, None)


def change(database: Database, statement: str) -> None:
    with database.write_transaction() as transaction:
        transaction.change(Statement(text(statement)))


def numbers(database: Database) -> list[int]:
    with database.read_transaction() as transaction:
        return [event["number"] for event in events_since(transaction, 0, since=LONG_AGO, limit=100)]


@pytest.mark.parametrize("statement", CHANGES)
def test_recorded_events_cannot_be_changed(database: Database, statement: str) -> None:
    add(database, "key.created")
    with database.write_transaction() as transaction:
        assert purge(transaction, until=datetime.now(UTC), limit=10) == 1
    add(database, "key.created", "key.revoked")
    before = numbers(database)
    with pytest.raises(Exception, match="the audit log cannot be changed"):
        change(database, statement)
    assert numbers(database) == before


def test_table_cannot_be_emptied_on_postgresql(database: Database, database_url: str) -> None:
    if database_url.startswith("postgresql"):
        with pytest.raises(Exception, match="the audit log cannot be changed"):
            change(database, "TRUNCATE audit")


def test_purge_deletes_what_is_older_and_says_so(database: Database) -> None:
    add(database, "key.created", "key.created", "key.created")
    until = datetime.now(UTC) + timedelta(days=1)
    with database.write_transaction() as transaction:
        assert purge(transaction, until=until, limit=2) == 2
    with database.write_transaction() as transaction:
        # Of what it may delete, its own event is the last.
        assert purge(transaction, until=until, limit=2) == 2
    add(database, "key.revoked")
    assert len(numbers(database)) == 1


def test_purge_leaves_what_is_not_older(database: Database) -> None:
    add(database, "key.created")
    with database.write_transaction() as transaction:
        assert purge(transaction, until=LONG_AGO, limit=10) == 0
    assert len(numbers(database)) == 1


def test_each_days_first_purge_is_recorded(database: Database) -> None:
    add(database, "key.created")
    now = datetime.now(UTC)
    recorded = []
    for hours in (-48, 1, 12, 30):
        with database.write_transaction() as transaction:
            purge(transaction, until=now + timedelta(hours=hours), limit=0)
        recorded.append(len(numbers(database)) - 1)
    assert recorded == [0, 1, 1, 2]


@pytest.mark.parametrize("kind", sorted(SENTENCES))
def test_fields_that_no_kind_has_are_a_mistake_of_ours(database: Database, kind: str) -> None:
    with pytest.raises(AssertionError), database.write_transaction() as transaction:
        record(transaction, kind, None, after={"secret": "correct horse"})


def test_event_is_gone_with_the_change_that_failed(database: Database) -> None:
    with pytest.raises(ServiceError), database.write_transaction() as transaction:  # noqa: PT012
        record(transaction, "key.created", None)
        raise ServiceError("undone")
    assert numbers(database) == []


def test_event_that_is_committed_late_is_followed(database: Database, database_url: str, monkeypatch: Any) -> None:
    """On PostgreSQL, two changes at a time may be committed in another order than that of their numbers."""
    if database_url.startswith("sqlite"):
        add(database, "key.created", "key.revoked")
    else:
        with database.write_transaction() as slow:
            record(slow, "key.created", None)
            add(database, "key.revoked")
            assert numbers(database) == [max(numbers(database))]
            shown = command._events(database, {"since": LONG_AGO}, follow=True)
            assert next(shown)["kind"] == "key.revoked"
        monkeypatch.setattr(command, "_POLL_SECONDS", 0.0)
        assert next(shown)["kind"] == "key.created"
        add(database, "app.connected")
        assert next(shown)["kind"] == "app.connected"
        return
    monkeypatch.setattr(command, "_POLL_SECONDS", 0.0)
    shown = command._events(database, {"since": LONG_AGO}, follow=True)
    assert [event["kind"] for event in islice(shown, 2)] == ["key.created", "key.revoked"]
    add(database, "app.connected")
    assert next(shown)["kind"] == "app.connected"


@pytest.mark.parametrize("batch", [1, 2, 3, 100])
def test_each_event_is_shown_once_in_any_batches(
    database: Database, database_url: str, batch: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "_BATCH", batch)
    add(database, *["key.created"] * 5)
    shown = runner({"MDPUBLISH_DATABASE_URL": database_url})("audit")
    assert (shown.exit_code, len(shown.stdout.splitlines())) == (0, 5), shown.output
