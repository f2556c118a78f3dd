"""Requests counted by the month.

An account counts for one month, its current one. What was counted for others is kept: when a wrong clock is right
again, the month goes on.
"""

from json import dumps, loads

from sqlalchemy import and_, bindparam, select, update

from mdpublish_server.storage.records import Account
from mdpublish_server.storage.tables import ACCOUNTS
from mdpublish_server.storage.transactions import Statement, Transaction

MAX_OTHER_MONTHS = 24
"""Per account; those left first are forgotten."""

_this = ACCOUNTS.c.id == bindparam("account_id")
_is_current = ACCOUNTS.c.month == bindparam("this_month")
CAN_SPEND = and_(_is_current, ACCOUNTS.c.used < bindparam("limit"))

_SPEND = Statement(update(ACCOUNTS).where(_this, CAN_SPEND).values(used=ACCOUNTS.c.used + 1).returning(ACCOUNTS.c.used))
_GIVE_BACK = Statement(update(ACCOUNTS).where(_this, _is_current, ACCOUNTS.c.used > 0).values(used=ACCOUNTS.c.used - 1))
_MONTHS = Statement(select(ACCOUNTS.c.month, ACCOUNTS.c.used, ACCOUNTS.c.other_months).where(_this).with_for_update())
_SET_MONTHS = Statement(
    update(ACCOUNTS)
    .where(_this)
    .values(month=bindparam("to"), used=bindparam("spent"), other_months=bindparam("others"))
)


def requests_of_month(account: Account, month: str) -> int:
    """Return how many requests were counted in `month`, `YYYY-MM`."""
    return account.used if account.month == month else _counts(account.other_months).get(month, 0)


def count_request(transaction: Transaction, account_id: str, *, month: str, limit: int) -> bool:
    """Return False at the limit; `month` is `YYYY-MM`."""
    values = {"account_id": account_id, "this_month": month, "limit": limit}
    if transaction.row(_SPEND, **values) is not None:
        return True
    _enter_month(transaction, account_id, month)
    return transaction.row(_SPEND, **values) is not None


def refund_request(transaction: Transaction, account_id: str, *, month: str) -> None:
    """Give a request back that was counted in `month`, which may have ended."""
    if not transaction.change(_GIVE_BACK, account_id=account_id, this_month=month):
        row = transaction.row(_MONTHS, account_id=account_id)
        if row is not None and (counts := _counts(row[2])).get(month):
            counts[month] -= 1
            _write(transaction, account_id, row[0], row[1], counts)


def _enter_month(transaction: Transaction, account_id: str, month: str) -> None:
    row = transaction.row(_MONTHS, account_id=account_id)
    if row is not None and row[0] != month:
        counts = {**_counts(row[2]), row[0]: row[1]}
        used = counts.pop(month, 0)
        _write(transaction, account_id, month, used, counts)


def _counts(written: str | None) -> dict[str, int]:
    return loads(written) if written else {}


def _write(transaction: Transaction, account_id: str, month: str, used: int, counts: dict[str, int]) -> None:
    others = dumps(dict([each for each in counts.items() if each[1]][-MAX_OTHER_MONTHS:]))
    transaction.change(_SET_MONTHS, account_id=account_id, to=month, spent=used, others=others)
