"""The audit log: what was done, by whom, recorded in the transaction that does it. It has no secrets and no texts."""

import tomllib
from collections.abc import Iterable, Mapping, Sequence
from contextvars import ContextVar
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from msgspec import json

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import AUDIT
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import Row, Transaction

COMMAND, DIRECTORY, PROVIDER = "command", "scim", "provider"
"""Who acts, but for accounts."""

LAST = 2**63 - 1
"""No event has this number."""

Fields = Mapping[str, object]
_NOTHING: Fields = {}

_PURGE_INTERVAL = timedelta(days=1)
_MAX_CHARACTERS = 100

_DESCRIBED: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("audit.toml").read_text("utf-8"))

SENTENCES: Mapping[str, str] = {kind: sentence for kind, (sentence, *_) in _DESCRIBED["kinds"].items()}
"""What owners of accounts read, by the kind of an event."""

FIELDS: Mapping[str, frozenset[str]] = {kind: frozenset(fields) for kind, (_, *fields) in _DESCRIBED["kinds"].items()}
"""What may change, by the kind of an event."""

TRIGGERS: Mapping[str, Sequence[str]] = _DESCRIBED["triggers"]


@dataclass(frozen=True, slots=True)
class Actor:
    """Who acts: an account by `means` of a session, a key or an app, which `app` names; or `COMMAND` and the like."""

    address: str | None = None
    actor_id: str | None = None
    means: str = ""
    app: str | None = None


_ACTOR: ContextVar[Actor] = ContextVar("actor", default=Actor())  # noqa: B039  (frozen)


def act_from(address: str | None) -> None:
    """Say where what this task does from now on is done from, by nobody known."""
    _ACTOR.set(Actor(address))


def act_as(means: str, account_id: str | None = None, *, app: str | None = None) -> None:
    _ACTOR.set(Actor(_ACTOR.get().address, account_id, means, app))


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditEvent(Actor):
    """A row of the log; `before` and `after` are JSON objects."""

    number: int
    at: datetime
    kind: str
    account_id: str | None
    object: str | None
    before: str | None
    after: str | None

    def shown(self, email: str | None) -> bytes:
        """Return the event as a line of JSON; `email` is the account's, if that is not deleted."""
        changes = {name: json.decode(text) for name in ("before", "after") if (text := getattr(self, name))}
        return json.encode({**asdict(self), "email": email, **changes})


_EVENT = RecordColumns(AuditEvent, AUDIT)
_SQL = read_statements(__name__, event=_EVENT.sql)

Recorded = Sequence[tuple[AuditEvent, str | None]]
"""Events, each with the address of its account."""


def record(
    transaction: Transaction,
    kind: str,
    account_id: str | None,
    about: str = "",
    *,
    before: Fields = _NOTHING,
    after: Fields = _NOTHING,
) -> None:
    """Record an event about an account's object, by its id, with fields of the kind."""
    assert FIELDS[kind] >= {*before, *after}, kind
    event = {"at": datetime.now(UTC), "kind": kind, "account_id": account_id, "object": about[:_MAX_CHARACTERS] or None}
    changes = {"before": _written(before), "after": _written(after)}
    transaction.change(_SQL["add"], **asdict(_ACTOR.get()), **event, **changes)


def record_change(
    transaction: Transaction, kind: str, account_id: str | None, before: Fields, after: Fields, *, about: str = ""
) -> None:
    """Record which of the fields of a kind differ, if any do."""
    changed = {name for name in FIELDS[kind] & after.keys() if before.get(name) != after[name]}
    if changed:
        was, is_now = ({name: values.get(name) for name in sorted(changed)} for values in (before, after))
        record(transaction, kind, account_id, about, before=was, after=is_now)


def _written(fields: Fields) -> str | None:
    return json.encode(fields).decode() if fields else None


def events_since(
    transaction: Transaction, number: int, *, since: datetime, account_id: str = "", kind: str = "", limit: int
) -> Recorded:
    """Return events after a number and a time, oldest first: about or by an account, of a kind or a group of kinds."""
    values = {"number": number, "since": since, "account": account_id, "kind": kind, "kinds": f"{kind}.%"}
    return _recorded(transaction.rows(_SQL["since"], **values, limit=limit))


def events_of_account(transaction: Transaction, account_id: str, *, before: int = LAST, limit: int) -> Recorded:
    """Return what happened to an account, newest first; where others acted, neither who nor from where."""
    rows = transaction.rows(_SQL["of_account"], account=account_id, number=before, limit=limit)
    return [
        (event if event.actor_id in (account_id, None) else replace(event, address=None, actor_id=None), email)
        for event, email in _recorded(rows)
    ]


def purge(transaction: Transaction, *, until: datetime, limit: int) -> int:
    """Delete events older than `until`, at most `limit`; each day's first purge is recorded. Return how many."""
    purged_until = from_microseconds(transaction.value(_SQL["purged_until"]))
    if purged_until is None or until - purged_until >= _PURGE_INTERVAL:
        if transaction.row(_SQL["is_older"], until=until) is None:
            return 0
        record(transaction, "audit.purged", None, str(to_microseconds(until)), after={"until": until})
        purged_until = until
    return transaction.change(_SQL["purge"], until=purged_until, limit=limit)


def _recorded(rows: Iterable[Row]) -> Recorded:
    return [
        (_EVENT.read(row[:-1]), None if (row[-1] or "deleted:").startswith("deleted:") else row[-1]) for row in rows
    ]
