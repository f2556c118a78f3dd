"""Counters of what changes published pages, and the triggers that raise them.

`changes` counts what may change a page that was seen: its document, its addresses, its account. `additions` counts new
pages, and new parts of the sitemap. Whatever else is written leaves both as they are. On PostgreSQL, the counters are
sums over rows, one for some connections each, and raised at the end of a transaction, so that none waits.
"""

import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from sqlalchemy import func, select

from mdpublish_server.storage.tables import PAGE_CHANGES
from mdpublish_server.storage.transactions import SQLITE, Stamp, Statement, Transaction

_COUNTERS = Statement(
    select(func.coalesce(func.sum(PAGE_CHANGES.c.changes), 0), func.coalesce(func.sum(PAGE_CHANGES.c.additions), 0))
)

_DESCRIBED: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_name("page_changes.toml").read_text("utf-8"))
_PARTS = _DESCRIBED["parts"]


def page_changes(transaction: Transaction) -> Stamp:
    ((changes, additions),) = transaction.rows(_COUNTERS)
    return Stamp(changes=str(changes), additions=str(additions))


def trigger_statements(dialect: str) -> Iterator[str]:
    """Yield the statements that create the triggers."""
    if dialect != SQLITE:
        yield _DESCRIBED["postgresql"]["function"].format(**_PARTS)
    for name, (event, condition, counter) in _DESCRIBED["triggers"].items():
        trigger = f"TRIGGER page_{name} AFTER {event.format(**_PARTS)}"
        if dialect == SQLITE:
            raises = _DESCRIBED["sqlite"][counter]
            yield f"CREATE {trigger} WHEN {condition.format(**_PARTS)} BEGIN {raises}; END"
        else:
            when = "true" if condition == "{ends_redirect}" else condition  # the function asks
            yield (
                f"CREATE CONSTRAINT {trigger} DEFERRABLE INITIALLY DEFERRED "
                f"FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION mdpublish_raise('{counter}')"
            )
