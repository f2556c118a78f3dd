"""Requests counted by the month.

An account counts for one month, its current one. What was counted for others is kept: when a wrong clock is right
again, the month goes on.
"""

from json import dumps, loads

from sqlalchemy import and_, bindparam

from mdpublish_server.storage.records import Account
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import ACCOUNTS
from mdpublish_server.storage.transactions import Transaction

_SQL = read_statements(__name__)


MAX_OTHER_MONTHS = 24
"""Per account; those left first are forgotten."""

_is_current = ACCOUNTS.c.month == bindparam("this_month")
CAN_SPEND = and_(_is_current, ACCOUNTS.c.used < bindparam("limit"))


def requests_of_month(account: Account, month: str) -> int:
    """Return how many requests were counted in `month`, `YYYY-MM`."""
    return account.used if account.month == month else _counts(account.other_months).get(month, 0)


def count_request(transaction: Transaction, account_id: str, *, month: str, limit: int) -> bool:
    """Return False at the limit; `month` is `YYYY-MM`."""
    values = {"account_id": account_id, "this_month": month, "limit": limit}
    if transaction.row(_SQL["spend"], **values) is not None:
        return True
    _enter_month(transaction, account_id, month)
    return transaction.row(_SQL["spend"], **values) is not None


def refund_request(transaction: Transaction, account_id: str, *, month: str) -> None:
    """Give a request back that was counted in `month`, which may have ended."""
    if not transaction.change(_SQL["give_back"], account_id=account_id, this_month=month):
        row = transaction.row(_SQL["months"], account_id=account_id)
        if row is not None and (counts := _counts(row[2])).get(month):
            counts[month] -= 1
            _write(transaction, account_id, row[0], row[1], counts)


def _enter_month(transaction: Transaction, account_id: str, month: str) -> None:
    row = transaction.row(_SQL["months"], account_id=account_id)
    if row is not None and row[0] != month:
        counts = {**_counts(row[2]), row[0]: row[1]}
        used = counts.pop(month, 0)
        _write(transaction, account_id, month, used, counts)


def _counts(written: str | None) -> dict[str, int]:
    return loads(written) if written else {}


def _write(transaction: Transaction, account_id: str, month: str, used: int, counts: dict[str, int]) -> None:
    others = dumps(dict([each for each in counts.items() if each[1]][-MAX_OTHER_MONTHS:]))
    transaction.change(_SQL["set_months"], account_id=account_id, to=month, spent=used, others=others)
