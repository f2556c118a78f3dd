"""Queries of copy pages."""

from datetime import datetime

from sqlalchemy import bindparam, func, select

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import CopyPage
from mdpublish_server.storage.tables import COPY_PAGES
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction

COPY_PAGE = RecordColumns(CopyPage, COPY_PAGES)

_is_valid = COPY_PAGES.c.expires_at > bindparam("now")

_FIND = Statement(select(*COPY_PAGE.columns).where(COPY_PAGES.c.token_hash == bindparam("hash"), _is_valid))
_COUNT = Statement(
    select(func.count()).select_from(COPY_PAGES).where(COPY_PAGES.c.account_id == bindparam("account"), _is_valid)
)


def find_copy_page(transaction: Transaction, token_hash: str, *, now: datetime) -> CopyPage | None:
    return COPY_PAGE.first(transaction, _FIND, hash=token_hash, now=to_microseconds(now))


def count_copy_pages(transaction: Transaction, account_id: str, *, now: datetime) -> int:
    row = transaction.row(_COUNT, account=account_id, now=to_microseconds(now))
    return int(row[0]) if row else 0
