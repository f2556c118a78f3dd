"""Queries of copy pages."""

from datetime import datetime

from sqlalchemy import bindparam, delete, func, select, update

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import CopyPage
from mdpublish_server.storage.tables import COPY_PAGES
from mdpublish_server.storage.timestamps import to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction

COPY_PAGE = RecordColumns(CopyPage, COPY_PAGES)

_this = COPY_PAGES.c.token_hash == bindparam("hash")
# Texts on their way in: they have no destination yet.
_is_upload = COPY_PAGES.c.destination == ""
# Texts to download once, with a suffix as the destination.
_is_download = COPY_PAGES.c.destination.startswith(".")
_is_valid = COPY_PAGES.c.expires_at > bindparam("now")

_FIND = Statement(select(*COPY_PAGE.columns).where(_this, _is_valid, ~_is_upload, ~_is_download))
_FIND_DOWNLOAD = Statement(select(*COPY_PAGE.columns).where(_this, _is_valid, _is_download))
_TAKE = Statement(delete(COPY_PAGES).where(_this, _is_download))
_FILL = Statement(
    update(COPY_PAGES).where(_this, _is_valid, _is_upload, COPY_PAGES.c.content == "").values(content=bindparam("text"))
)
_UPLOADED = Statement(
    select(COPY_PAGES.c.content).where(_this, _is_valid, _is_upload, COPY_PAGES.c.account_id == bindparam("account"))
)
_COUNT = Statement(
    select(func.count()).select_from(COPY_PAGES).where(COPY_PAGES.c.account_id == bindparam("account"), _is_valid)
)


def find_copy_page(transaction: Transaction, token_hash: str, *, now: datetime) -> CopyPage | None:
    return COPY_PAGE.first(transaction, _FIND, hash=token_hash, now=to_microseconds(now))


def find_download(transaction: Transaction, token_hash: str, *, now: datetime) -> CopyPage | None:
    return COPY_PAGE.first(transaction, _FIND_DOWNLOAD, hash=token_hash, now=to_microseconds(now))


def take_download(transaction: Transaction, token_hash: str) -> bool:
    """Return whether it was there; of concurrent requests, one takes it."""
    return transaction.change(_TAKE, hash=token_hash) == 1


def fill_upload(transaction: Transaction, token_hash: str, content: str, *, now: datetime) -> bool:
    """Return whether it was empty; of concurrent texts, one is stored."""
    return transaction.change(_FILL, hash=token_hash, text=content, now=to_microseconds(now)) == 1


def find_upload(transaction: Transaction, token_hash: str, account_id: str, *, now: datetime) -> str | None:
    row = transaction.row(_UPLOADED, hash=token_hash, account=account_id, now=to_microseconds(now))
    return row[0] if row else None


def count_copy_pages(transaction: Transaction, account_id: str, *, now: datetime) -> int:
    row = transaction.row(_COUNT, account=account_id, now=to_microseconds(now))
    return int(row[0]) if row else 0
