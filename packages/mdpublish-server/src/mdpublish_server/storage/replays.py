"""Queries for responses to requests with an `Idempotency-Key`."""

from dataclasses import dataclass
from datetime import datetime

from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.transactions import Transaction, query

_SQL = read_statements(__name__)

finish_request = query(Transaction.change, _SQL["finish"], "replay_id")
release_request = query(Transaction.change, _SQL["release"], "replay_id")


@dataclass(frozen=True, slots=True)
class Replay:
    """`response` is None while the request runs."""

    body_hash: str
    response: bytes | None


def start_request(
    transaction: Transaction, replay_id: str, *, body_hash: str, now: datetime, expired: datetime, abandoned: datetime
) -> Replay | None:
    """Record that a request runs, and return None; return what is recorded if it ran, or runs, already.

    A record from `expired` or before counts no longer, nor does one of a request that has run since `abandoned`.
    """
    new = {"id": replay_id, "body_hash": body_hash, "started_at": now, "response": None}
    if transaction.row(_SQL["start"], **new, expired=expired, abandoned=abandoned) is not None:
        return None
    row = transaction.row(_SQL["find"], replay_id=replay_id)
    assert row is not None
    return Replay(row[0], None if row[1] is None else bytes(row[1]))
