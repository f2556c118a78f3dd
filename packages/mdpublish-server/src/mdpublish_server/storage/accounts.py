"""Account queries."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from functools import wraps
from typing import Concatenate

from sqlalchemy.dialects.postgresql import insert  # both dialects compile ON CONFLICT alike

from mdpublish_server.storage.audit import record, record_change
from mdpublish_server.storage.record_columns import RecordColumns
from mdpublish_server.storage.records import Account
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.tables import ACCOUNTS
from mdpublish_server.storage.transactions import P, Result, Statement, Transaction, query

UNLIMITED = 2**31 - 1
"""A limit that no counter reaches."""

MAX_FORMER_USERNAMES = 10
"""Per account, and per username; beyond that, paths below the oldest no longer redirect."""

ACCOUNT = RecordColumns(Account, ACCOUNTS)
_SQL = read_statements(__name__, account=ACCOUNT.sql, max_former_usernames=MAX_FORMER_USERNAMES)
MISCOUNTED = _SQL["miscounted"]
COUNT_DOCUMENT = _SQL["count_document"]

find_account = query(ACCOUNT.first, _SQL["of_id"], "account_id")
find_account_by_email = query(ACCOUNT.first, _SQL["of_email"], "email_address")
find_account_by_subject = query(ACCOUNT.first, _SQL["of_subject"], "issuer", "subject")
list_accounts = query(ACCOUNT.all, _SQL["all"])
retired_account = query(Transaction.value, _SQL["retired"])
lock_account = query(Transaction.row, _SQL["lock"], "account_id")
take_image_bytes = query(Transaction.changes_one, _SQL["take_image_bytes"], "account_id", "number")
give_image_bytes = query(Transaction.change, _SQL["give_image_bytes"], "account_id", "number")
advance_edit_time = query(Transaction.time, _SQL["edit"], "account_id")
increment_documents = query(Transaction.time, _SQL["add_document"], "account_id")
count_document = query(Transaction.time, COUNT_DOCUMENT, "account_id")
renamed_at = query(Transaction.time, _SQL["left_at"], "account_id")
use_totp = query(Transaction.changes_one, _SQL["use_totp"], "account_id")
downgrade_expired_plans = query(Transaction.change, _SQL["downgrade"])
replace_password_hash = query(Transaction.changes_one, _SQL["replace_password"], "account_id", "to")
_ADD = Statement(insert(ACCOUNTS).on_conflict_do_nothing().returning(ACCOUNTS.c.id))


def add_account(transaction: Transaction, account: Account) -> bool:
    """Return False if the email is taken."""
    added = transaction.row(_ADD, edited_at=0, deleted_at=None, **ACCOUNT.written(account))
    return added is not None


def _recorded(
    change: Callable[Concatenate[Transaction, str, P], Result],
) -> Callable[Concatenate[Transaction, str, P], Result]:
    """Record in the audit log what a change does to the account of an id."""

    @wraps(change)
    def run(transaction: Transaction, account_id: str, /, *args: P.args, **named: P.kwargs) -> Result:
        before = find_account(transaction, account_id)
        result = change(transaction, account_id, *args, **named)
        after = find_account(transaction, account_id)
        if before is None or after is None:
            return result
        record_change(transaction, "account.changed", account_id, asdict(before), asdict(after))
        if before.password_hash != after.password_hash:
            record(transaction, "password.changed", account_id, after={"is_set": after.password_hash is not None})
        if before.totp_secret != after.totp_secret:
            record(transaction, "second_factor.changed", account_id, after={"is_on": after.totp_secret is not None})
        return result

    return run


set_subject = _recorded(query(Transaction.change, _SQL["set_subject"], "account_id", "issuer", "subject"))
set_external_id = _recorded(query(Transaction.change, _SQL["set_external_id"], "account_id", "to"))
set_plan = _recorded(query(Transaction.change, _SQL["set_plan"], "account_id", "to"))
set_suspended = _recorded(query(Transaction.change, _SQL["suspend"], "account_id"))
set_deactivated = _recorded(query(Transaction.change, _SQL["deactivate"], "account_id"))
set_operator = _recorded(query(Transaction.change, _SQL["set_operator"], "account_id"))
set_password_hash = _recorded(query(Transaction.change, _SQL["set_password"], "account_id", "to"))
set_default_language = _recorded(query(Transaction.change, _SQL["set_default_language"], "account_id", "to"))
_set_username = _recorded(query(Transaction.change, _SQL["set_username"], "account_id", "to"))


@_recorded
def set_second_factor(
    transaction: Transaction, account_id: str, secret: str | None, *, step: int = 0, recovery_hashes: str = ""
) -> None:
    values = {"secret": secret, "step": step, "hashes": recovery_hashes}
    transaction.change(_SQL["set_second_factor"], account_id=account_id, **values)


def use_recovery_code(transaction: Transaction, account_id: str, code_hash: str) -> bool:
    """Return False if the account has no such code, or no longer."""
    pattern = f"%{code_hash}%"
    return transaction.change(_SQL["use_recovery_code"], account_id=account_id, hash=code_hash, pattern=pattern) == 1


def list_directory(
    transaction: Transaction, name: str, value: str, *, offset: int, limit: int
) -> tuple[int, Sequence[Account]]:
    """Return how many accounts have a value of SCIM's `username`, `externalid` or `id`, "" for all, and some of them."""
    of = {"name": name, "value": value}
    listed = ACCOUNT.all(transaction, _SQL["listed"], **of, offset=offset, limit=limit)
    return transaction.count(_SQL["count_listed"], **of), listed


def retire_account(transaction: Transaction, account_id: str, *, now: datetime) -> None:
    """Make an account nonexistent to everybody, in constant time; reserve its username, free its email address.

    What it owns stays until `delete_account`; as if it were suspended, its pages and keys are refused.
    """
    transaction.change(_SQL["retire_usernames"], leaving=account_id)
    transaction.change(_SQL["retire"], account_id=account_id, email_address=f"deleted:{account_id}", now=now)


def delete_account(transaction: Transaction, account_id: str) -> None:
    """Delete an account and everything it owns, but reserve its username."""
    transaction.change(_SQL["retire_usernames"], leaving=account_id)
    transaction.change(_SQL["delete"], account_id=account_id)


def increment_counter(transaction: Transaction, account_id: str, counter: str, *, limit: int) -> bool:
    """Increment `documents`, `pages` or `active_keys`; return False at the limit."""
    return transaction.change(_SQL[f"increment_{counter}"], account_id=account_id, limit=limit) == 1


def decrement_counter(transaction: Transaction, account_id: str, counter: str) -> None:
    transaction.change(_SQL[f"decrement_{counter}"], account_id=account_id)


def is_username_taken(transaction: Transaction, username: str) -> bool:
    """Return whether any account, even a deleted one, has the username."""
    return transaction.row(_SQL["username"], name=username) is not None


def claim_username(transaction: Transaction, account: Account, username: str, *, now: datetime) -> bool:
    """Give an account a username; return False if taken. Its pages move in constant time, and old paths redirect."""
    if transaction.row(_SQL["claim_username"], username=username, account_id=account.id) is None:
        return False
    if account.username is not None:
        transaction.change(_SQL["release_username"], name=account.username, account_id=account.id)
        former = {"number": account.renames, "username": account.username, "left_at": now}
        transaction.change(_SQL["add_former_username"], account_id=account.id, **former)
        oldest = [
            *transaction.rows(_SQL["oldest_of_account"], account_id=account.id),
            *transaction.rows(_SQL["oldest_of_username"], name=account.username),
        ]
        for account_id, number in oldest:
            transaction.change(_SQL["delete_former_username"], account_id=account_id, former=number)
    _set_username(transaction, account.id, username)
    return True
