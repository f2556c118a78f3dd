"""Which document a slug leads to, and which it led to.

Slugs of an account are stored below its id, with the range of its usernames under which they were addresses:

    renames of the account    0 (anna)   1 (anna-b)   2 (anna-c)
    garden  ──▶ document 1    ├──────────────────┤                 former: its slug was changed to kitchen
    kitchen ──▶ document 1               ├───────────────────▶     current
    garden  ──▶ document 2                            ├──────▶     current

So `/u/anna/garden` and `/u/anna-b/garden` lead to document 1, and `/u/anna-c/garden` to document 2. An account without
a username claims its slugs in the space of all accounts, too.
"""

from collections.abc import Mapping
from typing import Any

from sqlalchemy import and_, bindparam, delete, exists, func, literal_column, null, or_, select, update
from sqlalchemy.dialects.postgresql import insert  # both dialects compile ON CONFLICT alike

from mdpublish_server.storage.paths import DEMOS, SHARED, slug_of, username_of
from mdpublish_server.storage.tables import ACCOUNTS, DOCUMENTS, PERMALINKS, USERNAMES
from mdpublish_server.storage.transactions import Statement, Transaction

FORMER_SLUGS = 50
"""Per document; beyond that, the oldest no longer redirects."""

_of_document = PERMALINKS.c.document_id == bindparam("document")
_is_current = PERMALINKS.c.until.is_(None)
_this = and_(
    PERMALINKS.c.space == bindparam("in_space"),
    PERMALINKS.c.slug == bindparam("named"),
    PERMALINKS.c.since == bindparam("from_rename"),
)
# Renaming an account leaves its rows in the shared space as they are. A literal: inside ON CONFLICT, SQLAlchemy doesn't
# correlate, and the column would be one of all addresses.
_has_moved = exists(
    select(DOCUMENTS.c.id)
    .select_from(DOCUMENTS.join(ACCOUNTS, ACCOUNTS.c.id == DOCUMENTS.c.account_id))
    .where(DOCUMENTS.c.id == literal_column("addresses.document_id"), ACCOUNTS.c.username.is_not(None))
)

_OWNER = Statement(
    select(ACCOUNTS.c.id, ACCOUNTS.c.username, ACCOUNTS.c.renames)
    .select_from(DOCUMENTS.join(ACCOUNTS, ACCOUNTS.c.id == DOCUMENTS.c.account_id))
    .where(DOCUMENTS.c.id == bindparam("document"))
)
_NEXT_NUMBER = Statement(select(func.coalesce(func.max(PERMALINKS.c.number), 0) + 1).where(_of_document))
_new = insert(PERMALINKS)
_CLAIM_SHARED = Statement(
    _new.on_conflict_do_update(
        index_elements=["space", "slug", "since"],
        set_={"document_id": _new.excluded.document_id, "until": null(), "number": _new.excluded.number},
        where=or_(PERMALINKS.c.document_id == _new.excluded.document_id, PERMALINKS.c.until.is_not(None), _has_moved),
    ).returning(PERMALINKS.c.slug)
)
_HELD = Statement(
    select(PERMALINKS.c.since, PERMALINKS.c.until, PERMALINKS.c.document_id).where(
        PERMALINKS.c.space == bindparam("in_space"),
        PERMALINKS.c.slug == bindparam("named"),
        PERMALINKS.c.since <= bindparam("renames"),
        or_(_is_current, PERMALINKS.c.until >= bindparam("renames")),
    )
)
_ADD = Statement(insert(PERMALINKS))
_DELETE = Statement(delete(PERMALINKS).where(_this))
_REOPEN = Statement(update(PERMALINKS).where(_this).values(until=None, number=bindparam("next_number")))
_END = Statement(update(PERMALINKS).where(_this).values(until=bindparam("to_rename")))
_RETIRE_OTHERS = Statement(
    update(PERMALINKS)
    .where(_of_document, PERMALINKS.c.slug != bindparam("named"), _is_current)
    .values(until=bindparam("renames"))
)
# No username, no address: without one, slugs in the account's own space are only reserved.
_DELETE_UNUSED = Statement(
    delete(PERMALINKS).where(_of_document, PERMALINKS.c.space == bindparam("in_space"), PERMALINKS.c.until.is_not(None))
)
_TOO_OLD = Statement(
    select(PERMALINKS.c.space, PERMALINKS.c.slug, PERMALINKS.c.since)
    .where(_of_document, PERMALINKS.c.until.is_not(None), PERMALINKS.c.space != DEMOS)
    .order_by(PERMALINKS.c.number.desc(), PERMALINKS.c.since.desc())
    .limit(1_000)
    .offset(FORMER_SLUGS)
)
_holder = select(PERMALINKS.c.document_id).where(PERMALINKS.c.slug == bindparam("named"), _is_current)
_SHARED_HOLDER = Statement(_holder.where(PERMALINKS.c.space == SHARED, ~_has_moved))
_HOLDER = Statement(
    _holder.where(
        PERMALINKS.c.space
        == select(USERNAMES.c.account_id).where(USERNAMES.c.username == bindparam("name")).scalar_subquery()
    )
)


def claim_permalink(transaction: Transaction, path: str, document_id: str) -> bool:
    """Make `path` a document's only current one; return False if taken. Lock the account before, below `/u/`."""
    slug = slug_of(path)
    number = transaction.rows(_NEXT_NUMBER, document=document_id)[0][0]
    new = {"slug": slug, "until": None, "document_id": document_id, "number": number}
    if (owner := transaction.row(_OWNER, document=document_id)) is None:
        transaction.change(_ADD, space=DEMOS, since=0, **new)
        return True
    account_id, username, renames = owner
    if username is None and transaction.row(_CLAIM_SHARED, space=SHARED, since=0, **new) is None:
        return False
    if not _claim_in_account(transaction, account_id, renames, new):
        return False
    transaction.change(_RETIRE_OTHERS, document=document_id, named=slug, renames=renames)
    if username is None:
        transaction.change(_DELETE_UNUSED, document=document_id, in_space=account_id)
    for space, former, since in transaction.rows(_TOO_OLD, document=document_id):
        transaction.change(_DELETE, in_space=space, named=former, from_rename=since)
    return True


def document_at(transaction: Transaction, path: str) -> str | None:
    """Return the document whose current path it is, published or not."""
    username, slug = username_of(path), slug_of(path)
    if username is None:
        row = transaction.row(_SHARED_HOLDER, named=slug)
    else:
        row = transaction.row(_HOLDER, named=slug, name=username)
    return None if row is None else row[0]


def _claim_in_account(transaction: Transaction, account_id: str, renames: int, new: Mapping[str, Any]) -> bool:
    held = transaction.row(_HELD, in_space=account_id, named=new["slug"], renames=renames)
    if held is None:
        transaction.change(_ADD, space=account_id, since=renames, **new)
        return True
    since, until, holder = held
    this = {"in_space": account_id, "named": new["slug"], "from_rename": since}
    if holder == new["document_id"]:
        transaction.change(_REOPEN, next_number=new["number"], **this)
        return True
    if until is None:
        return False
    # It keeps the address under earlier usernames.
    if since == renames:
        transaction.change(_DELETE, **this)
    else:
        transaction.change(_END, to_rename=renames - 1, **this)
    transaction.change(_ADD, space=account_id, since=renames, **new)
    return True
