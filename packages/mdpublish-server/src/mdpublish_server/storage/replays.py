"""Queries for responses to requests with an `Idempotency-Key`."""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import and_, bindparam, delete, or_, select, update
from sqlalchemy.dialects.postgresql import insert  # both dialects compile ON CONFLICT alike

from mdpublish_server.storage.tables import REPLAYS
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction

_this = REPLAYS.c.id == bindparam("replay_id")
_is_mine = and_(_this, REPLAYS.c.started_at == bindparam("started"), REPLAYS.c.response.is_(None))
_new = insert(REPLAYS)
_START = Statement(
    _new.on_conflict_do_update(
        index_elements=["id"],
        set_={"body_hash": _new.excluded.body_hash, "started_at": _new.excluded.started_at, "response": None},
        where=or_(
            REPLAYS.c.started_at <= bindparam("expired"),
            and_(REPLAYS.c.response.is_(None), REPLAYS.c.started_at <= bindparam("abandoned")),
        ),
    ).returning(REPLAYS.c.id)
)
_FIND = Statement(select(REPLAYS.c.body_hash, REPLAYS.c.response).where(_this))
_FINISH = Statement(update(REPLAYS).where(_is_mine).values(response=bindparam("stored")))
_RELEASE = Statement(delete(REPLAYS).where(_is_mine))


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
    started = transaction.row(
        _START,
        id=replay_id,
        body_hash=body_hash,
        started_at=to_microseconds(now),
        response=None,
        expired=to_microseconds(expired),
        abandoned=to_microseconds(abandoned),
    )
    if started is not None:
        return None
    row = transaction.row(_FIND, replay_id=replay_id)
    assert row is not None
    return Replay(row[0], None if row[1] is None else bytes(row[1]))


def finish_request(transaction: Transaction, replay_id: str, *, started_at: datetime, response: bytes) -> None:
    transaction.change(_FINISH, replay_id=replay_id, started=to_microseconds(started_at), stored=response)


def release_request(transaction: Transaction, replay_id: str, *, started_at: datetime) -> None:
    """Forget a request, which may be sent again."""
    transaction.change(_RELEASE, replay_id=replay_id, started=to_microseconds(started_at))
