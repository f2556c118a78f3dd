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

from mdpublish_server.storage.paths import DEMOS, SHARED, slug_of, username_of
from mdpublish_server.storage.sql_files import read_statements
from mdpublish_server.storage.transactions import Transaction, query

FORMER_SLUGS = 50
"""Per document; beyond that, the oldest no longer redirects."""

_SQL = read_statements(__name__, demos=DEMOS, shared=SHARED, former_slugs=FORMER_SLUGS)

end_claims = query(Transaction.change, _SQL["end_claims"], "document")


def claim_permalink(transaction: Transaction, path: str, document_id: str) -> bool:
    """Make `path` a document's only current one; return False if taken. Lock the account before, below `/u/`."""
    slug = slug_of(path)
    number = transaction.rows(_SQL["next_number"], document=document_id)[0][0]
    new = {"slug": slug, "until": None, "document_id": document_id, "number": number}
    if (owner := transaction.row(_SQL["owner"], document=document_id)) is None:
        transaction.change(_SQL["add"], space=DEMOS, since=0, **new)
        return True
    account_id, username, renames = owner
    if username is None and transaction.row(_SQL["claim_shared"], space=SHARED, since=0, **new) is None:
        return False
    if not _claim_in_account(transaction, account_id, renames, new):
        return False
    transaction.change(_SQL["retire_others"], document=document_id, named=slug, renames=renames)
    if username is None:
        transaction.change(_SQL["delete_unused"], document=document_id, in_space=account_id)
    for space, former, since in transaction.rows(_SQL["too_old"], document=document_id):
        transaction.change(_SQL["delete"], in_space=space, named=former, from_rename=since)
    return True


def document_at(transaction: Transaction, path: str) -> str | None:
    """Return the document whose current path it is, published or not."""
    username, slug = username_of(path), slug_of(path)
    if username is None:
        return transaction.value(_SQL["shared_holder"], named=slug)
    return transaction.value(_SQL["holder"], named=slug, name=username)


def _claim_in_account(transaction: Transaction, account_id: str, renames: int, new: Mapping[str, Any]) -> bool:
    held = transaction.row(_SQL["held"], in_space=account_id, named=new["slug"], renames=renames)
    if held is None:
        transaction.change(_SQL["add"], space=account_id, since=renames, **new)
        return True
    since, until, holder = held
    this = {"in_space": account_id, "named": new["slug"], "from_rename": since}
    if holder == new["document_id"]:
        transaction.change(_SQL["reopen"], next_number=new["number"], **this)
        return True
    if until is None:
        return False
    # It keeps the address under earlier usernames.
    if since == renames:
        transaction.change(_SQL["delete"], **this)
    else:
        transaction.change(_SQL["end"], to_rename=renames - 1, **this)
    transaction.change(_SQL["add"], space=account_id, since=renames, **new)
    return True
