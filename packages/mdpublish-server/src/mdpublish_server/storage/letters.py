"""Letters in SQL: links that were mailed, and prove who opens them."""

from datetime import datetime

from sqlalchemy import bindparam, delete, insert, select

from mdpublish_server.storage.records import Letter
from mdpublish_server.storage.tables import LETTERS
from mdpublish_server.storage.times import microseconds, moment
from mdpublish_server.storage.transactions import Row, Statement, Transaction

_COLUMNS = (
    LETTERS.c.token_hash,
    LETTERS.c.purpose,
    LETTERS.c.email,
    LETTERS.c.account_id,
    LETTERS.c.password_hash,
    LETTERS.c.username,
    LETTERS.c.created_at,
    LETTERS.c.expires_at,
)

_ADD = Statement(insert(LETTERS))
_FIND = Statement(select(*_COLUMNS).where(LETTERS.c.token_hash == bindparam("hash")))
# One statement finds and deletes it, so that of two who use it at once only one finds it.
_TAKE = Statement(delete(LETTERS).where(LETTERS.c.token_hash == bindparam("hash")).returning(*_COLUMNS))
_DELETE_OF_EMAIL = Statement(
    delete(LETTERS).where(LETTERS.c.email == bindparam("address"), LETTERS.c.purpose == bindparam("wanted"))
)
_FORGET = Statement(delete(LETTERS).where(LETTERS.c.expires_at <= bindparam("now")))


def add_letter(transaction: Transaction, letter: Letter) -> None:
    """Keep a new letter."""
    transaction.change(
        _ADD,
        token_hash=letter.token_hash,
        purpose=letter.purpose,
        email=letter.email,
        account_id=letter.account_id,
        password_hash=letter.password_hash,
        username=letter.username,
        created_at=microseconds(letter.created_at),
        expires_at=microseconds(letter.expires_at),
    )


def find_letter(transaction: Transaction, token_hash: str) -> Letter | None:
    """Return the letter whose token has this hash, whether or not its time is over."""
    row = transaction.row(_FIND, hash=token_hash)
    return None if row is None else _letter_of(row)


def take_letter(transaction: Transaction, token_hash: str) -> Letter | None:
    """Delete a letter and return it, whether or not its time is over."""
    row = transaction.row(_TAKE, hash=token_hash)
    return None if row is None else _letter_of(row)


def delete_letters(transaction: Transaction, email: str, purpose: str) -> None:
    """Delete all letters of one purpose to an e-mail address."""
    transaction.change(_DELETE_OF_EMAIL, address=email, wanted=purpose)


def forget_letters(transaction: Transaction, *, now: datetime) -> int:
    """Delete letters whose time is over, and return how many."""
    return transaction.change(_FORGET, now=microseconds(now))


def _letter_of(row: Row) -> Letter:
    return Letter(
        token_hash=row[0],
        purpose=row[1],
        email=row[2],
        account_id=row[3],
        password_hash=row[4],
        username=row[5],
        created_at=moment(row[6]),
        expires_at=moment(row[7]),
    )
