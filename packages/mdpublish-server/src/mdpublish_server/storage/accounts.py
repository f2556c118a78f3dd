"""Account queries."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import BindParameter, bindparam, case, delete, select, update
from sqlalchemy.dialects.postgresql import insert  # both dialects compile ON CONFLICT alike

from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Account
from mdpublish_server.storage.request_counts import CAN_SPEND
from mdpublish_server.storage.tables import ACCOUNTS, FORMER_USERNAMES, USERNAMES
from mdpublish_server.storage.timestamps import from_microseconds, to_microseconds
from mdpublish_server.storage.transactions import Statement, Transaction

UNLIMITED = 2**31 - 1
"""A limit that no counter reaches."""

MAX_FORMER_USERNAMES = 10
"""Per account, and per username; beyond that, paths below the oldest no longer redirect."""

ACCOUNT = RecordColumns(Account, ACCOUNTS)

_COUNTERS = {"documents": ACCOUNTS.c.documents, "pages": ACCOUNTS.c.pages, "active_keys": ACCOUNTS.c.active_keys}

_this = ACCOUNTS.c.id == bindparam("account_id")
_exists = ACCOUNTS.c.deleted_at.is_(None)
_now: BindParameter[int] = bindparam("now")
# Strictly increasing: no two documents of an account have the same edit time.
_edit = {"edited_at": case((ACCOUNTS.c.edited_at >= _now, ACCOUNTS.c.edited_at + 1), else_=_now)}

_ADD = Statement(insert(ACCOUNTS).on_conflict_do_nothing().returning(ACCOUNTS.c.id))
_OF_ID = Statement(select(*ACCOUNT.columns).where(_this, _exists))
_LOCK = Statement(select(ACCOUNTS.c.id).where(_this).with_for_update())
_OF_EMAIL = Statement(select(*ACCOUNT.columns).where(ACCOUNTS.c.email == bindparam("email_address"), _exists))
_ALL = Statement(select(*ACCOUNT.columns).where(_exists).order_by(ACCOUNTS.c.email))
_DELETE = Statement(delete(ACCOUNTS).where(_this))
_RETIRE = Statement(
    update(ACCOUNTS)
    .where(_this)
    .values(email=bindparam("email_address"), password_hash=None, is_suspended=True, is_operator=False, deleted_at=_now)
)
_RETIRED = Statement(
    select(ACCOUNTS.c.id).where(ACCOUNTS.c.deleted_at.is_not(None)).order_by(ACCOUNTS.c.deleted_at).limit(1)
)
_INCREMENT = {
    name: Statement(update(ACCOUNTS).where(_this, counter < bindparam("limit")).values({name: counter + 1}))
    for name, counter in _COUNTERS.items()
}
_DECREMENT = {
    name: Statement(update(ACCOUNTS).where(_this).values({name: counter - 1})) for name, counter in _COUNTERS.items()
}
_TAKE_IMAGE_BYTES = Statement(
    update(ACCOUNTS)
    .where(_this, ACCOUNTS.c.image_bytes + bindparam("number") <= bindparam("limit"))
    .values(image_bytes=ACCOUNTS.c.image_bytes + bindparam("number"))
)
_GIVE_IMAGE_BYTES = Statement(
    update(ACCOUNTS).where(_this).values(image_bytes=ACCOUNTS.c.image_bytes - bindparam("number"))
)
_EDIT = Statement(update(ACCOUNTS).where(_this).values(**_edit).returning(ACCOUNTS.c.edited_at))
_ADD_DOCUMENT = Statement(
    update(ACCOUNTS)
    .where(_this, ACCOUNTS.c.documents < bindparam("limit"))
    .values(documents=ACCOUNTS.c.documents + 1, **_edit)
    .returning(ACCOUNTS.c.edited_at)
)
_counted_documents = (
    update(ACCOUNTS)
    .where(_this, CAN_SPEND, ACCOUNTS.c.documents < bindparam("max_documents"))
    .values(used=ACCOUNTS.c.used + 1, documents=ACCOUNTS.c.documents + 1, **_edit)
    .returning(ACCOUNTS.c.edited_at)
)
COUNTED_DOCUMENT = _counted_documents.cte("counted")
"""Counts a request of the current month and a document, if below both limits; for PostgreSQL, part of an insert."""

_COUNT_DOCUMENT = Statement(_counted_documents)
_SET_PLAN = Statement(update(ACCOUNTS).where(_this).values(plan=bindparam("to"), plan_until=bindparam("until")))
_DOWNGRADE = Statement(update(ACCOUNTS).where(ACCOUNTS.c.plan_until <= _now).values(plan="free", plan_until=None))
_SUSPEND = Statement(update(ACCOUNTS).where(_this).values(is_suspended=bindparam("to")))
_SET_OPERATOR = Statement(update(ACCOUNTS).where(_this).values(is_operator=bindparam("to")))
_set_password = update(ACCOUNTS).where(_this).values(password_hash=bindparam("to"))
_SET_PASSWORD = Statement(_set_password)
_REPLACE_PASSWORD = Statement(_set_password.where(ACCOUNTS.c.password_hash == bindparam("seen")))
_SET_DEFAULT_LANGUAGE = Statement(update(ACCOUNTS).where(_this).values(default_language=bindparam("to")))
_SET_USERNAME = Statement(
    update(ACCOUNTS).where(_this).values(username=bindparam("to"), renames=ACCOUNTS.c.renames + 1)
)
_of_account = FORMER_USERNAMES.c.account_id == bindparam("account_id")
_ADD_FORMER_USERNAME = Statement(insert(FORMER_USERNAMES))
_LEFT_AT = Statement(
    select(FORMER_USERNAMES.c.left_at)
    .where(_of_account)
    .order_by(FORMER_USERNAMES.c.left_at.desc())
    .offset(bindparam("rank"))
    .limit(1)
)
_former = select(FORMER_USERNAMES.c.account_id, FORMER_USERNAMES.c.number).offset(MAX_FORMER_USERNAMES).limit(1_000)
_OLDEST_OF_ACCOUNT = Statement(_former.where(_of_account).order_by(FORMER_USERNAMES.c.number.desc()))
_OLDEST_OF_USERNAME = Statement(
    _former.where(FORMER_USERNAMES.c.username == bindparam("name")).order_by(
        FORMER_USERNAMES.c.left_at.desc(), FORMER_USERNAMES.c.number.desc()
    )
)
_DELETE_FORMER_USERNAME = Statement(
    delete(FORMER_USERNAMES).where(_of_account, FORMER_USERNAMES.c.number == bindparam("former"))
)
_CLAIM_USERNAME = Statement(insert(USERNAMES).on_conflict_do_nothing().returning(USERNAMES.c.username))
_USERNAME = Statement(select(USERNAMES.c.username).where(USERNAMES.c.username == bindparam("name")))
_RELEASE_USERNAME = Statement(
    delete(USERNAMES).where(
        USERNAMES.c.username == bindparam("name"), USERNAMES.c.account_id == bindparam("account_id")
    )
)
_RETIRE_USERNAMES = Statement(
    update(USERNAMES).where(USERNAMES.c.account_id == bindparam("leaving")).values(account_id=None)
)


def add_account(transaction: Transaction, account: Account) -> bool:
    """Return False if the email is taken."""
    added = transaction.row(_ADD, edited_at=0, deleted_at=None, **ACCOUNT.written(account))
    return added is not None


def find_account(transaction: Transaction, account_id: str) -> Account | None:
    return ACCOUNT.first(transaction, _OF_ID, account_id=account_id)


def lock_account(transaction: Transaction, account_id: str) -> None:
    """Lock an account; call before changing its documents, to keep one lock order."""
    transaction.row(_LOCK, account_id=account_id)


def find_account_by_email(transaction: Transaction, email: str) -> Account | None:
    return ACCOUNT.first(transaction, _OF_EMAIL, email_address=email)


def list_accounts(transaction: Transaction) -> Sequence[Account]:
    return ACCOUNT.all(transaction, _ALL)


def retire_account(transaction: Transaction, account_id: str, *, now: datetime) -> None:
    """Make an account nonexistent to everybody, in constant time; reserve its username, free its email address.

    What it owns stays until `delete_account`; as if it were suspended, its pages and keys are refused.
    """
    transaction.change(_RETIRE_USERNAMES, leaving=account_id)
    transaction.change(_RETIRE, account_id=account_id, email_address=f"deleted:{account_id}", now=to_microseconds(now))


def retired_account(transaction: Transaction) -> str | None:
    """Return an account that is to be deleted."""
    row = transaction.row(_RETIRED)
    return None if row is None else row[0]


def delete_account(transaction: Transaction, account_id: str) -> None:
    """Delete an account and everything it owns, but reserve its username."""
    transaction.change(_RETIRE_USERNAMES, leaving=account_id)
    transaction.change(_DELETE, account_id=account_id)


def increment_counter(transaction: Transaction, account_id: str, counter: str, *, limit: int) -> bool:
    """Increment `documents`, `pages` or `active_keys`; return False at the limit."""
    return transaction.change(_INCREMENT[counter], account_id=account_id, limit=limit) == 1


def decrement_counter(transaction: Transaction, account_id: str, counter: str) -> None:
    transaction.change(_DECREMENT[counter], account_id=account_id)


def take_image_bytes(transaction: Transaction, account_id: str, number: int, *, limit: int) -> bool:
    """Return False, and take nothing, past the limit."""
    return transaction.change(_TAKE_IMAGE_BYTES, account_id=account_id, number=number, limit=limit) == 1


def give_image_bytes(transaction: Transaction, account_id: str, number: int) -> None:
    transaction.change(_GIVE_IMAGE_BYTES, account_id=account_id, number=number)


def advance_edit_time(transaction: Transaction, account_id: str, *, now: datetime) -> datetime | None:
    """Return a new edit time, later than the account's last."""
    row = transaction.row(_EDIT, account_id=account_id, now=to_microseconds(now))
    return None if row is None else from_microseconds(int(row[0]))


def increment_documents(transaction: Transaction, account_id: str, *, limit: int, now: datetime) -> datetime | None:
    """As `advance_edit_time`, but None at the limit."""
    row = transaction.row(_ADD_DOCUMENT, account_id=account_id, limit=limit, now=to_microseconds(now))
    return None if row is None else from_microseconds(int(row[0]))


def count_document(
    transaction: Transaction, account_id: str, *, month: str, quota: int, limit: int, now: datetime
) -> datetime | None:
    """Count a request and a document; return None, and change nothing, at the limit of either or in a new month."""
    row = transaction.row(
        _COUNT_DOCUMENT,
        account_id=account_id,
        this_month=month,
        limit=quota,
        max_documents=limit,
        now=to_microseconds(now),
    )
    return None if row is None else from_microseconds(int(row[0]))


def set_plan(transaction: Transaction, account_id: str, plan: str, *, until: datetime | None) -> None:
    transaction.change(_SET_PLAN, account_id=account_id, to=plan, until=to_microseconds(until))


def downgrade_expired_plans(transaction: Transaction, *, now: datetime) -> int:
    return transaction.change(_DOWNGRADE, now=to_microseconds(now))


def set_suspended(transaction: Transaction, account_id: str, *, suspended: bool) -> None:
    transaction.change(_SUSPEND, account_id=account_id, to=suspended)


def set_operator(transaction: Transaction, account_id: str, *, operator: bool) -> None:
    transaction.change(_SET_OPERATOR, account_id=account_id, to=operator)


def set_password_hash(transaction: Transaction, account_id: str, password_hash: str) -> None:
    transaction.change(_SET_PASSWORD, account_id=account_id, to=password_hash)


def replace_password_hash(transaction: Transaction, account_id: str, password_hash: str, *, seen: str) -> bool:
    """Return False if another password was set meanwhile."""
    return transaction.change(_REPLACE_PASSWORD, account_id=account_id, to=password_hash, seen=seen) == 1


def set_default_language(transaction: Transaction, account_id: str, language: str | None) -> None:
    transaction.change(_SET_DEFAULT_LANGUAGE, account_id=account_id, to=language)


def is_username_taken(transaction: Transaction, username: str) -> bool:
    """Return whether any account, even a deleted one, has the username."""
    return transaction.row(_USERNAME, name=username) is not None


def claim_username(transaction: Transaction, account: Account, username: str, *, now: datetime) -> bool:
    """Give an account a username; return False if taken. Its pages move in constant time, and old paths redirect."""
    if transaction.row(_CLAIM_USERNAME, username=username, account_id=account.id) is None:
        return False
    if account.username is not None:
        transaction.change(_RELEASE_USERNAME, name=account.username, account_id=account.id)
        transaction.change(
            _ADD_FORMER_USERNAME,
            account_id=account.id,
            number=account.renames,
            username=account.username,
            left_at=to_microseconds(now),
        )
        oldest = [
            *transaction.rows(_OLDEST_OF_ACCOUNT, account_id=account.id),
            *transaction.rows(_OLDEST_OF_USERNAME, name=account.username),
        ]
        for account_id, number in oldest:
            transaction.change(_DELETE_FORMER_USERNAME, account_id=account_id, former=number)
    transaction.change(_SET_USERNAME, account_id=account.id, to=username)
    return True


def renamed_at(transaction: Transaction, account_id: str, *, rank: int) -> datetime | None:
    """Return when the username was changed, `rank` (from 0) changes ago."""
    row = transaction.row(_LEFT_AT, account_id=account_id, rank=rank)
    return None if row is None else from_microseconds(int(row[0]))
