"""Counters of what changes published pages, and the triggers that raise them.

`changes` counts what may change a page that was seen: its document, its addresses, its account. `additions` counts new
pages, and new parts of the sitemap. Whatever else is written leaves both as they are. On PostgreSQL, the counters are
sums over rows, one for some connections each, and raised at the end of a transaction, so that none waits.
"""

from collections.abc import Iterator

from sqlalchemy import func, select

from mdpublish_server.storage.tables import PAGE_CHANGES
from mdpublish_server.storage.transactions import SQLITE, Stamp, Statement, Transaction

_COUNTERS = Statement(
    select(func.coalesce(func.sum(PAGE_CHANGES.c.changes), 0), func.coalesce(func.sum(PAGE_CHANGES.c.additions), 0))
)

_SHOWN = (
    "account_id, title, template_id, theme_mode, description, page_width, visibility, hides_badge, slug, published_at, "
    "is_taken_down, expires_at, updated_at, revision, content, shows_source"
)
_OF_ACCOUNT = "username, plan, plan_until, is_suspended, renames, default_language"

# A new slug ends a redirect only where the username was another account's. PostgreSQL's conditions cannot ask for it.
_ENDS_REDIRECT = (
    "EXISTS (SELECT 1 FROM accounts JOIN former_usernames ON former_usernames.username = accounts.username "
    "WHERE accounts.id = NEW.space)"
)
_IS_NEW = "OLD.published_at IS NULL AND NEW.published_at IS NOT NULL"
_IS_MOVED = "OLD.document_id <> NEW.document_id OR coalesce(OLD.until, -1) <> coalesce(NEW.until, -1)"

# Name, event, condition, counter.
_TRIGGERS = (
    ("documents_updated", f"UPDATE OF {_SHOWN} ON documents", "OLD.published_at IS NOT NULL", "changes"),
    ("documents_deleted", "DELETE ON documents", "OLD.published_at IS NOT NULL", "changes"),
    ("documents_added", "INSERT ON documents", "NEW.published_at IS NOT NULL", "additions"),
    ("documents_published", "UPDATE OF published_at ON documents", _IS_NEW, "additions"),
    ("addresses_updated", "UPDATE ON addresses", _IS_MOVED, "changes"),
    ("addresses_added", "INSERT ON addresses", _ENDS_REDIRECT, "changes"),
    ("addresses_deleted", "DELETE ON addresses", "true", "changes"),
    (
        "accounts_updated",
        f"UPDATE OF {_OF_ACCOUNT} ON accounts",
        "OLD.pages > 0 OR OLD.is_suspended <> NEW.is_suspended",
        "changes",
    ),
    ("parts_added", "INSERT ON sitemap_parts", "true", "additions"),
    ("former_usernames_deleted", "DELETE ON former_usernames", "true", "changes"),
)

_SQLITE_RAISE = {
    "changes": "INSERT INTO page_changes VALUES (1, 1, 0) ON CONFLICT (id) DO UPDATE SET changes = changes + 1",
    "additions": "INSERT INTO page_changes VALUES (1, 0, 1) ON CONFLICT (id) DO UPDATE SET additions = additions + 1",
}

_FUNCTION = f"""
CREATE FUNCTION mdpublish_raise() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE counter text := TG_ARGV[0];
BEGIN
    IF TG_TABLE_NAME = 'addresses' AND TG_OP = 'INSERT' THEN
        IF NOT {_ENDS_REDIRECT} THEN RETURN NULL; END IF;
    END IF;
    -- Once in a transaction: this setting ends with it.
    IF current_setting('mdpublish.raised_' || counter, true) IS DISTINCT FROM 'yes' THEN
        INSERT INTO page_changes (id, changes, additions)
        VALUES (pg_backend_pid() % 16, (counter = 'changes')::int, (counter = 'additions')::int)
        ON CONFLICT (id) DO UPDATE SET
            changes = page_changes.changes + excluded.changes, additions = page_changes.additions + excluded.additions;
        PERFORM set_config('mdpublish.raised_' || counter, 'yes', true);
    END IF;
    RETURN NULL;
END $$
"""  # noqa: S608  (our own)


def page_changes(transaction: Transaction) -> Stamp:
    ((changes, additions),) = transaction.rows(_COUNTERS)
    return Stamp(changes=str(changes), additions=str(additions))


def trigger_statements(dialect: str) -> Iterator[str]:
    """Yield the statements that create the triggers."""
    if dialect != SQLITE:
        yield _FUNCTION
    for name, event, condition, counter in _TRIGGERS:
        if dialect == SQLITE:
            yield f"CREATE TRIGGER page_{name} AFTER {event} WHEN {condition} BEGIN {_SQLITE_RAISE[counter]}; END"
        else:
            when = "true" if condition == _ENDS_REDIRECT else condition  # the function asks
            yield (
                f"CREATE CONSTRAINT TRIGGER page_{name} AFTER {event} DEFERRABLE INITIALLY DEFERRED "
                f"FOR EACH ROW WHEN ({when}) EXECUTE FUNCTION mdpublish_raise('{counter}')"
            )
