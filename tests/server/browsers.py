"""Signed-in browsers, and parsers for the site's pages."""

import re
from collections.abc import Callable
from datetime import datetime
from html import unescape

import httpx

from mdpublish_server.services.accounts import add_key, create_account, sign_in
from mdpublish_server.storage import Account, Database
from mdpublish_server.storage.accounts import find_account, set_password_hash, set_plan
from tests.server.members import CHEAP_HASHER, PASSWORD

_HASH = CHEAP_HASHER.hash(PASSWORD)

Connect = Callable[[str], httpx.AsyncClient]


class Member:
    """An account with a signed-in browser and an API client with a key."""

    def __init__(self, account: Account, browser: httpx.AsyncClient, program: httpx.AsyncClient, token: str) -> None:
        self.account = account
        self.browser = browser
        self.program = program
        self.token = token


def make_member(
    database: Database, connect: Connect, name: str, *, now: datetime, plan: str = "free", username: str | None = None
) -> Member:
    """Create an account and sign in."""
    with database.write_transaction() as transaction:
        account = create_account(
            transaction, email=f"{name}@example.org", password_hash=_HASH, username=username, plan=plan, now=now
        )
        key = add_key(transaction, account, name=f"{name}s key", now=now)
        token = sign_in(transaction, account, now=now)
    browser, program = connect("127.0.0.1"), connect("127.0.0.1")
    browser.cookies.set("session", token)
    program.headers["Authorization"] = f"Bearer {key.raw}"
    return Member(account, browser, program, token)


def account_now(database: Database, member: Member) -> Account:
    """Return the member's stored account."""
    with database.read_transaction() as transaction:
        account = find_account(transaction, member.account.id)
    assert account
    return account


def put_on(database: Database, member: Member, plan: str) -> None:
    """Set the plan, as the operator's command does."""
    with database.write_transaction() as transaction:
        set_plan(transaction, member.account.id, plan, until=None)


def take_password(database: Database, member: Member) -> None:
    """Remove the password, as in accounts that operators create."""
    with database.write_transaction() as transaction:
        set_password_hash(transaction, member.account.id, None)


def alerts(page: httpx.Response) -> list[str]:
    """Return the messages with `role="alert"`."""
    return [
        unescape(markdown) for markdown in re.findall(r'<p class="error"[^>]* role="alert"[^>]*>(.*?)</p>', page.text)
    ]


def notices(page: httpx.Response) -> list[str]:
    """Return the messages with `role="status"`."""
    return [unescape(markdown) for markdown in re.findall(r'<p class="notice" role="status">(.*?)</p>', page.text)]


def whole(page: httpx.Response) -> tuple[object, ...]:
    """Return everything a client sees except the request id."""
    headers = tuple(sorted((name, value) for name, value in page.headers.items() if name != "x-request-id"))
    return page.status_code, headers, page.content
