"""Counters of what changes published pages, and triggers that raise them.

`changes` counts what may change a page that was seen: its document, its addresses, its account. `additions` counts new pages.
Whatever else is written leaves both as they are. On PostgreSQL, the counters are sums over rows, one for some connections
each, and raised at the end of a transaction, so that transactions do not wait for each other.

`sitemap_parts` says where the sitemap's parts begin; a new one counts as an addition.
"""

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"

_SHOWN = (
    "account_id title template_id theme_mode description page_width visibility hides_badge slug published_at is_taken_down "
    "expires_at updated_at revision content shows_source"
)
_OF_ACCOUNT = "username plan plan_until is_suspended renames default_language"

# A new slug ends a redirect only where the username was another account's. PostgreSQL's conditions cannot ask for it.
_ENDS_REDIRECT = (
    "EXISTS (SELECT 1 FROM accounts JOIN former_usernames ON former_usernames.username = accounts.username "
    "WHERE accounts.id = NEW.space)"
)

# Name, event, condition, counter.
_TRIGGERS = (
    (
        "documents_updated",
        f"UPDATE OF {', '.join(_SHOWN.split())} ON documents",
        "OLD.published_at IS NOT NULL",
        "changes",
    ),
    ("documents_deleted", "DELETE ON documents", "OLD.published_at IS NOT NULL", "changes"),
    ("documents_added", "INSERT ON documents", "NEW.published_at IS NOT NULL", "additions"),
    (
        "documents_published",
        "UPDATE OF published_at ON documents",
        "OLD.published_at IS NULL AND NEW.published_at IS NOT NULL",
        "additions",
    ),
    (
        "addresses_updated",
        "UPDATE ON addresses",
        "OLD.document_id <> NEW.document_id OR coalesce(OLD.until, -1) <> coalesce(NEW.until, -1)",
        "changes",
    ),
    ("addresses_added", "INSERT ON addresses", _ENDS_REDIRECT, "changes"),
    ("addresses_deleted", "DELETE ON addresses", "true", "changes"),
    (
        "accounts_updated",
        f"UPDATE OF {', '.join(_OF_ACCOUNT.split())} ON accounts",
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


def upgrade() -> None:
    op.create_table(
        "page_changes",
        sa.Column("id", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("changes", sa.BigInteger, nullable=False),
        sa.Column("additions", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_page_changes"),
    )
    op.create_table(
        "sitemap_parts",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("account_id", sa.String(36), nullable=False),
        sa.Column("published_at", sa.BigInteger, nullable=False),
        sa.Column("document_id", sa.String(36), nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_sitemap_parts"),
    )
    if not _is_sqlite():
        op.execute(_FUNCTION)
    for name, event, condition, counter in _TRIGGERS:
        op.execute(_trigger(f"page_{name}", event, condition, counter))


def downgrade() -> None:
    for name, event, *_ in _TRIGGERS:
        op.execute(f"DROP TRIGGER page_{name}" if _is_sqlite() else f"DROP TRIGGER page_{name} ON {event.split()[-1]}")
    if not _is_sqlite():
        op.execute("DROP FUNCTION mdpublish_raise")
    op.drop_table("sitemap_parts")
    op.drop_table("page_changes")


def _trigger(name: str, event: str, condition: str, counter: str) -> str:
    if _is_sqlite():
        return f"CREATE TRIGGER {name} AFTER {event} WHEN {condition} BEGIN {_SQLITE_RAISE[counter]}; END"
    if condition == _ENDS_REDIRECT:  # the function asks
        condition = "true"
    return (
        f"CREATE CONSTRAINT TRIGGER {name} AFTER {event} DEFERRABLE INITIALLY DEFERRED "
        f"FOR EACH ROW WHEN ({condition}) EXECUTE FUNCTION mdpublish_raise('{counter}')"
    )


def _is_sqlite() -> bool:
    return op.get_bind().dialect.name == "sqlite"
