"""The audit log: what was done, by whom, recorded in the transaction that does it. It has no secrets and no texts."""

import tomllib
from collections.abc import Mapping, Sequence
from contextvars import ContextVar
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import json

from mdpublish_server.clock import Clock, utc_now
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import Row, Transaction

LAST = 2**63 - 1
"""No event has this number."""

_PURGE_INTERVAL = timedelta(days=1)
_MAX_CHARACTERS = 100

_DESCRIBED: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("audit.toml").read_text("utf-8"))

SENTENCES: Mapping[str, str] = {kind: sentence for kind, (sentence, *_) in _DESCRIBED["kinds"].items()}
"""What owners of accounts read, by the kind of an event."""

FIELDS: Mapping[str, frozenset[str]] = {kind: frozenset(fields) for kind, (_, *fields) in _DESCRIBED["kinds"].items()}
"""What may change, by the kind of an event."""

TRIGGERS: Mapping[str, Sequence[str]] = _DESCRIBED["triggers"]

Event = dict[str, Any]
"""A row of the log with these columns, the `email` of its account unless that is deleted, and what changed."""

_COLUMNS = ("number", "at", "kind", "account_id", "actor_id", "means", "app", "address", "object", "before", "after")
_SQL = read_statements(__name__, event=", ".join(f"audit.{name}" for name in _COLUMNS))

_Fields = Mapping[str, object]

CLOCK: ContextVar[Clock] = ContextVar("clock", default=utc_now)
"""Which tells when events happen: the application's, in what it does."""

_ACTOR: ContextVar[_Fields] = ContextVar("actor", default={"address": None})  # noqa: B039  (nobody changes it)


def act_as(means: str = "", actor_id: str | None = None, app: str | None = None, **place: str | None) -> None:
    """Say who does what this task does from now on: by a `session`, a `key`, an `app`, a `command`, `scim`, a `provider`.

    `app` says which, and with an `address`, they do it from there.
    """
    _ACTOR.set({**_ACTOR.get(), "means": means, "actor_id": actor_id, "app": app, **place})


def record(transaction: Transaction, /, kind: str, account_id: str | None, about: str = "", **changes: _Fields) -> None:
    """Record an event about an account's object, by its id; `before` and `after` have fields of the kind."""
    before, after = changes.get("before", {}), changes.get("after", {})
    assert FIELDS[kind] >= {*before, *after}, kind
    event = {"at": CLOCK.get()(), "kind": kind, "account_id": account_id, "object": about[:_MAX_CHARACTERS] or None}
    written = {"before": json.encode(before).decode(), "after": json.encode(after).decode()}
    transaction.change(_SQL["add"], **{"means": "", "actor_id": None, "app": None, **_ACTOR.get()}, **event, **written)


def record_change(
    transaction: Transaction, kind: str, account_id: str | None, before: _Fields, after: _Fields, *, about: str = ""
) -> None:
    """Record which of the fields of a kind differ, if any do."""
    changed = sorted(name for name in FIELDS[kind] & after.keys() if before.get(name) != after[name])
    if changed:
        was, is_now = ({name: values.get(name) for name in changed} for values in (before, after))
        record(transaction, kind, account_id, about, before=was, after=is_now)


def events_since(
    transaction: Transaction, number: int, *, since: datetime, account_id: str = "", kind: str = "", limit: int
) -> Sequence[Event]:
    """Return events after a number and a time, oldest first: about or by an account, of a kind or a group of kinds."""
    values = {"number": number, "since": since, "account": account_id, "kind": kind, "kinds": f"{kind}.%"}
    return tuple(map(_event, transaction.rows(_SQL["since"], **values, limit=limit)))


def events_of_account(transaction: Transaction, account_id: str, *, before: int = LAST, limit: int) -> Sequence[Event]:
    """Return what happened to an account, newest first; where others acted, neither who nor from where."""
    events = map(_event, transaction.rows(_SQL["of_account"], account=account_id, number=before, limit=limit))
    unknown = {"address": None, "actor_id": None}
    return [event if event["actor_id"] in (account_id, None) else {**event, **unknown} for event in events]


def purge(transaction: Transaction, *, until: datetime, limit: int) -> int:
    """Delete events older than `until`, at most `limit`; each day's first purge is recorded. Return how many."""
    purged_until = transaction.time(_SQL["purged_until"])
    if purged_until is None or until - purged_until >= _PURGE_INTERVAL:
        if transaction.row(_SQL["is_older"], until=until) is None:
            return 0
        record(transaction, "audit.purged", None, str(to_microseconds(until)), after={"until": until})
        purged_until = until
    return transaction.change(_SQL["purge"], until=purged_until, limit=limit)


def _event(row: Row) -> Event:
    event = dict(zip((*_COLUMNS, "email"), row, strict=True))
    changes = {name: json.decode(event[name]) for name in ("before", "after")}
    return {**event, "at": from_microseconds(event["at"]), **changes}
