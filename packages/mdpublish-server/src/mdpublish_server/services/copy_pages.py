"""What an assistant hands to a person within the hour: a text to copy for a program, or to download once as a file."""

import secrets
from datetime import datetime, timedelta

from mdpublish_server.auth.authentication import secret_hash
from mdpublish_server.errors import NotFound, QuotaExceeded
from mdpublish_server.storage import CopyPage, Transaction
from mdpublish_server.storage.accounts import lock_account
from mdpublish_server.storage.copy_pages import COPY_PAGE, count_copy_pages, find_copy_page, find_download

LIFETIME = timedelta(hours=1)

UPLOAD_LIFETIME = timedelta(minutes=10)

MAX_PAGES = 100
"""Per account, at a time."""

_TOKEN_BYTES = 16

_UNSTYLED = {"destination": "", "template_id": "", "theme_mode": ""}


def add(
    transaction: Transaction,
    account_id: str,
    *,
    content: str,
    destination: str,
    template_id: str,
    theme_mode: str,
    now: datetime,
    lifetime: timedelta = LIFETIME,
) -> str:
    """Store a text and return its page's token, or a file's for a suffix as destination; raises `QuotaExceeded`."""
    lock_account(transaction, account_id)
    if count_copy_pages(transaction, account_id, now=now) >= MAX_PAGES:
        raise QuotaExceeded(
            f"An account has at most {MAX_PAGES} copy pages and files at a time; each lasts for an hour"
        )
    token = secrets.token_urlsafe(_TOKEN_BYTES)
    page = CopyPage(
        token_hash=secret_hash(token),
        account_id=account_id,
        content=content,
        destination=destination,
        template_id=template_id,
        theme_mode=theme_mode,
        expires_at=now + lifetime,
    )
    COPY_PAGE.add(transaction, page)
    return token


def add_result(transaction: Transaction, account_id: str, content: str, *, now: datetime) -> str:
    """Store a tool's result; return its id, by which its account and other tools may read it for an hour."""
    return secret_hash(add(transaction, account_id, content=content, **_UNSTYLED, now=now, lifetime=LIFETIME))


def add_upload(transaction: Transaction, account_id: str, *, now: datetime) -> str:
    """Return the token by which a text can be sent, once, within `UPLOAD_LIFETIME`; its hash is the upload's id."""
    return add(transaction, account_id, content="", **_UNSTYLED, now=now, lifetime=UPLOAD_LIFETIME)


def find(transaction: Transaction, token: str, *, now: datetime) -> CopyPage:
    """Raise `NotFound` also for an expired one."""
    page = find_copy_page(transaction, secret_hash(token), now=now)
    if page is None:
        raise NotFound("This page does not exist, or its hour is over; ask your assistant for a new link")
    return page


def find_file(transaction: Transaction, token: str, *, now: datetime) -> CopyPage:
    """Raise `NotFound` also for one that was downloaded."""
    page = find_download(transaction, secret_hash(token), now=now)
    if page is None:
        raise NotFound("This file was downloaded, or its hour is over; ask your assistant for a new link")
    return page
