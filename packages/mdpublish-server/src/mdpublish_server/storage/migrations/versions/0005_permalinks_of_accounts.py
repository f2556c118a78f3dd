"""Permalinks below accounts instead of usernames, former usernames, accounts that are deleted in batches.

`addresses` is rebuilt: a path becomes a slug in the space of an account. Usernames that only its addresses remember get
numbers below 0, in any order.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"

_ROWS = 1_000

_PERMALINKS = sa.table("addresses", *map(sa.column, ("space", "slug", "since", "until", "document_id", "number")))
_FORMER_USERNAMES = sa.table("former_usernames", *map(sa.column, ("account_id", "number", "username", "left_at")))


def upgrade() -> None:
    op.add_column("accounts", sa.Column("renames", sa.Integer, nullable=False, server_default=sa.text("0")))
    op.add_column("accounts", sa.Column("deleted_at", sa.BigInteger, nullable=True))
    op.create_index("ix_accounts_deleted_at", "accounts", ["deleted_at"])
    op.add_column("pages", sa.Column("path", sa.String(200), nullable=True))
    op.create_table(
        "former_usernames",
        sa.Column("account_id", sa.String(36), nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("username", sa.String(30), nullable=False),
        sa.Column("left_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("account_id", "number", name="pk_former_usernames"),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_former_usernames_account_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_former_usernames_username_left_at", "former_usernames", ["username", "left_at"])
    op.execute(
        "CREATE TABLE old_addresses AS SELECT a.path, a.document_id, a.is_current, d.account_id, c.username "
        "FROM addresses a JOIN documents d ON d.id = a.document_id LEFT JOIN accounts c ON c.id = d.account_id"
    )
    op.drop_table("addresses")
    _create_permalinks()
    _move()
    op.drop_table("old_addresses")


def _create_permalinks() -> None:
    op.create_table(
        "addresses",
        sa.Column("space", sa.String(36), nullable=False),
        sa.Column("slug", sa.String(60), nullable=False),
        sa.Column("since", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("until", sa.Integer, nullable=True),
        sa.Column("document_id", sa.String(36), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("space", "slug", "since", name="pk_addresses"),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], name="fk_addresses_document_id", ondelete="CASCADE"),
    )
    op.create_index("ix_addresses_document_id", "addresses", ["document_id"])


def _move() -> None:
    # Of one account at a time, former permalinks before current ones.
    old = sa.text(
        "SELECT account_id, username, path, document_id, is_current FROM old_addresses "
        "ORDER BY account_id, is_current, path"
    )
    connection = op.get_bind()
    rows = connection.execute(old, execution_options={"yield_per": _ROWS})
    for account_id, of_account in groupby(rows, key=itemgetter(0)):
        moved = tuple(of_account)
        names = {} if account_id is None else _numbers(moved)
        former = [
            {"account_id": account_id, "number": number, "username": name, "left_at": 0}
            for name, number in names.items()
            if number < 0
        ]
        if former:
            connection.execute(sa.insert(_FORMER_USERNAMES), former)
        connection.execute(sa.insert(_PERMALINKS), list(_permalinks(moved, names)))


def _numbers(rows: Sequence[Any]) -> dict[str, int]:
    """Return the number of each username of an account: the current one's is 0."""
    current = rows[0][1]
    names = {row[2].split("/")[2] for row in rows if row[2].startswith("/u/")} - {current}
    return {name: -number for number, name in enumerate(sorted(names), start=1)} | {current: 0}


def _permalinks(rows: Sequence[Any], names: dict[str, int]) -> Iterator[dict[str, Any]]:
    numbers: Counter[str] = Counter()
    for account_id, username, path, document_id, is_current in rows:
        _, space, *name, slug = path.split("/")
        numbers[document_id] += 1
        since = names[name[0]] if name else 0
        permalink = {
            "space": account_id if name else space,
            "slug": slug,
            "since": since,
            "until": None if is_current else since,
            "document_id": document_id,
            "number": numbers[document_id],
        }
        yield permalink
        if space == "d" and is_current and username is None:
            yield {**permalink, "space": account_id}


def downgrade() -> None:
    """Not supported: former usernames cannot be written as paths."""
    raise NotImplementedError("revision 0005 cannot be downgraded; restore a backup")
