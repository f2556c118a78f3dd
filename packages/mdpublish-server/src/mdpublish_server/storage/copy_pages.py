"""Queries of copy pages."""

from datetime import datetime

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import CopyPage
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import COPY_PAGES
from mdpublish_server.storage.transactions import Transaction

COPY_PAGE = RecordColumns(CopyPage, COPY_PAGES)
_SQL = read_statements(__name__, copy_page=COPY_PAGE.sql)


def find_copy_page(transaction: Transaction, token_hash: str, *, now: datetime) -> CopyPage | None:
    return COPY_PAGE.first(transaction, _SQL["find"], hash=token_hash, now=now)


def find_download(transaction: Transaction, token_hash: str, *, now: datetime) -> CopyPage | None:
    return COPY_PAGE.first(transaction, _SQL["find_download"], hash=token_hash, now=now)


def take_download(transaction: Transaction, token_hash: str) -> bool:
    """Return whether it was there; of concurrent requests, one takes it."""
    return transaction.change(_SQL["take"], hash=token_hash) == 1


def fill_upload(transaction: Transaction, token_hash: str, content: str, *, now: datetime) -> bool:
    """Return whether it was empty; of concurrent texts, one is stored."""
    return transaction.change(_SQL["fill"], hash=token_hash, text=content, now=now) == 1


def find_upload(transaction: Transaction, token_hash: str, account_id: str, *, now: datetime) -> str | None:
    return transaction.value(_SQL["uploaded"], hash=token_hash, account=account_id, now=now)


def count_copy_pages(transaction: Transaction, account_id: str, *, now: datetime) -> int:
    return transaction.value(_SQL["count"], account=account_id, now=now) or 0
