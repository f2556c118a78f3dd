"""The bytes that demos hold together: a counter, changed in the transaction that adds, deletes or claims a demo.

It is the sum of the demos' own numbers, which are negative once freed. Its row, for which others wait, is changed last.
"""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import bindparam, func, select, update
from sqlalchemy.dialects.postgresql import insert  # both dialects compile ON CONFLICT alike

from mdpublish_server.storage.records import DemoPage
from mdpublish_server.storage.tables import DEMO_PAGES, DEMO_USAGE
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Row, Statement, Transaction

_UNLIMITED = 1 << 62

_ONLY_ROW = 1

_BYTES = Statement(select(DEMO_USAGE.c.bytes))
_added = insert(DEMO_USAGE)
_total = DEMO_USAGE.c.bytes + _added.excluded.bytes
_ADD = Statement(
    _added.on_conflict_do_update(
        index_elements=["id"], set_={"bytes": _total}, where=_total <= bindparam("limit")
    ).returning(DEMO_USAGE.c.bytes)
)
_FREE = Statement(
    update(DEMO_PAGES)
    .where(DEMO_PAGES.c.identifier == bindparam("key"), DEMO_PAGES.c.bytes > 0)
    .values(bytes=-DEMO_PAGES.c.bytes)
    .returning(-DEMO_PAGES.c.bytes)
)
_RESIZE = Statement(
    update(DEMO_PAGES)
    .where(DEMO_PAGES.c.identifier == bindparam("key"), DEMO_PAGES.c.bytes == bindparam("former"))
    .values(bytes=bindparam("bytes"))
)
_is_expired = (DEMO_PAGES.c.bytes > 0) & (DEMO_PAGES.c.expires_at <= bindparam("now"))
_FREE_EXPIRED = Statement(
    update(DEMO_PAGES)
    .where(
        # Repeated: PostgreSQL rechecks it for a row claimed meanwhile.
        _is_expired,
        DEMO_PAGES.c.identifier.in_(select(DEMO_PAGES.c.identifier).where(_is_expired).limit(bindparam("limit"))),
    )
    .values(bytes=-DEMO_PAGES.c.bytes)
    .returning(-DEMO_PAGES.c.bytes)
)

MISCOUNTED = Statement(
    select(
        func.coalesce(select(DEMO_USAGE.c.bytes).scalar_subquery(), 0),
        func.coalesce(select(func.sum(DEMO_PAGES.c.bytes)).where(DEMO_PAGES.c.bytes > 0).scalar_subquery(), 0),
    )
)
"""The counter, and what it should be."""


def demo_bytes(transaction: Transaction) -> int:
    row = transaction.row(_BYTES)
    return 0 if row is None else int(row[0])


def take_demo_bytes(transaction: Transaction, number: int, *, limit: int | None) -> bool:
    """Count the bytes of a new demo; return False, and count nothing, past the limit."""
    allowed = _UNLIMITED if limit is None else limit
    return number <= allowed and transaction.row(_ADD, id=_ONLY_ROW, bytes=number, limit=allowed) is not None


def resize_demo(transaction: Transaction, demo: DemoPage, number: int, *, limit: int | None) -> bool:
    """Count a changed demo's bytes; return False past the limit unless it shrank, or if it was changed meanwhile."""
    if transaction.change(_RESIZE, key=demo.identifier, former=demo.bytes, bytes=number) != 1:
        return False
    more = number - demo.bytes
    return take_demo_bytes(transaction, more, limit=limit if more > 0 else None)


def free_demo(transaction: Transaction, identifier: str) -> None:
    """Stop counting a demo that is claimed or deleted."""
    _give_back(transaction, transaction.rows(_FREE, key=identifier))


def free_expired_demos(transaction: Transaction, *, now: datetime, limit: int) -> None:
    _give_back(transaction, transaction.rows(_FREE_EXPIRED, now=to_microseconds(now), limit=limit))


def _give_back(transaction: Transaction, freed: Sequence[Row]) -> None:
    if freed:
        transaction.row(_ADD, id=_ONLY_ROW, bytes=-sum(int(row[0]) for row in freed), limit=_UNLIMITED)
