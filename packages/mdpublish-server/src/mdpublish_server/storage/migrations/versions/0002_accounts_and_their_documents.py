"""Accounts, keys and sessions; documents of accounts; pages separate from addresses.

Changed tables are rebuilt: SQLite cannot add constraints or reorder columns.
"""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"

_CHANGED = ("documents", "demo_pages", "addresses")


def upgrade() -> None:
    for name in _CHANGED:
        op.execute(f"CREATE TABLE old_{name} AS SELECT * FROM {name}")  # noqa: S608  (constant names)
    for name in reversed(_CHANGED):
        op.drop_table(name)
    _create_accounts()
    _create_documents()
    _move()
    for name in _CHANGED:
        op.drop_table(f"old_{name}")


def _create_accounts() -> None:
    op.create_table(
        "accounts",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("password_hash", sa.String(200), nullable=True),
        sa.Column("username", sa.String(30), nullable=True),
        sa.Column("plan", sa.String(10), nullable=False),
        sa.Column("plan_until", sa.BigInteger, nullable=True),
        sa.Column("is_suspended", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("documents", sa.Integer, nullable=False),
        sa.Column("pages", sa.Integer, nullable=False),
        sa.Column("active_keys", sa.Integer, nullable=False),
        sa.Column("month", sa.String(7), nullable=False),
        sa.Column("used", sa.Integer, nullable=False),
        sa.Column("edited_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_accounts"),
        sa.UniqueConstraint("email", name="uq_accounts_email"),
    )
    op.create_table(
        "usernames",
        sa.Column("username", sa.String(30), nullable=False),
        sa.Column("account_id", sa.String(36), nullable=True),
        sa.PrimaryKeyConstraint("username", name="pk_usernames"),
    )
    op.create_table(
        "keys",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("account_id", sa.String(36), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("key_hash", sa.String(64), nullable=False),
        sa.Column("last_four", sa.String(4), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger, nullable=True),
        sa.Column("revoked_at", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_keys"),
        sa.UniqueConstraint("key_hash", name="uq_keys_key_hash"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_keys_account_id", ondelete="CASCADE"),
    )
    op.create_index("ix_keys_account_id", "keys", ["account_id"])
    op.create_table(
        "sessions",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("account_id", sa.String(36), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_sessions"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_sessions_account_id", ondelete="CASCADE"),
    )
    op.create_index("ix_sessions_account_id", "sessions", ["account_id"])
    op.create_index("ix_sessions_expires_at", "sessions", ["expires_at"])


def _create_documents() -> None:
    op.create_table(
        "documents",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("account_id", sa.String(36), nullable=True),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("template_id", sa.String(60), nullable=False),
        sa.Column("theme_mode", sa.String(10), nullable=False),
        sa.Column("description", sa.String(500), nullable=True),
        sa.Column("page_width", sa.String(10), nullable=True),
        sa.Column("visibility", sa.String(10), nullable=True),
        sa.Column("hides_badge", sa.Boolean, nullable=False),
        sa.Column("slug", sa.String(60), nullable=True),
        sa.Column("published_at", sa.BigInteger, nullable=True),
        sa.Column("is_taken_down", sa.Boolean, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=True),
        sa.Column("word_count", sa.Integer, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_documents"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_documents_account_id", ondelete="CASCADE"),
    )
    op.create_index("ix_documents_account_id_updated_at_id", "documents", ["account_id", "updated_at", "id"])
    op.create_index("ix_documents_expires_at", "documents", ["expires_at"])
    op.create_table(
        "pages",
        sa.Column("document_id", sa.String(36), nullable=False),
        sa.Column("etag", sa.String(64), nullable=False),
        sa.Column("style_hash", sa.String(64), nullable=False),
        sa.Column("render_version", sa.Integer, nullable=False),
        sa.Column("revision", sa.Integer, nullable=False),
        sa.Column("has_badge", sa.Boolean, nullable=False),
        sa.Column("body", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("document_id", name="pk_pages"),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], name="fk_pages_document_id", ondelete="CASCADE"),
    )
    op.create_table(
        "addresses",
        sa.Column("path", sa.String(200), nullable=False),
        sa.Column("document_id", sa.String(36), nullable=False),
        sa.Column("is_current", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("path", name="pk_addresses"),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], name="fk_addresses_document_id", ondelete="CASCADE"),
    )
    op.create_index("ix_addresses_document_id", "addresses", ["document_id"])
    op.create_table(
        "demo_pages",
        sa.Column("identifier", sa.String(20), nullable=False),
        sa.Column("document_id", sa.String(36), nullable=False),
        sa.Column("claim_token_hash", sa.String(64), nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("claimed_at", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("identifier", name="pk_demo_pages"),
        sa.UniqueConstraint("claim_token_hash", name="uq_demo_pages_claim_token_hash"),
    )
    op.create_index("ix_demo_pages_expires_at", "demo_pages", ["expires_at"])


def _move() -> None:
    """Word counts and pages are computed on the next view."""
    op.execute(
        "INSERT INTO documents (id, title, template_id, theme_mode, hides_badge, published_at, is_taken_down, "
        "expires_at, word_count, created_at, updated_at, revision, content) "
        "SELECT d.id, d.title, d.template_id, d.theme_mode, false, d.created_at, false, "
        "p.expires_at, 0, d.created_at, d.updated_at, 1, d.content "
        "FROM old_documents d JOIN old_demo_pages p ON p.document_id = d.id"
    )
    op.execute(
        "INSERT INTO demo_pages (identifier, document_id, claim_token_hash, expires_at) "
        "SELECT identifier, document_id, claim_token_hash, expires_at FROM old_demo_pages"
    )
    op.execute(
        "INSERT INTO addresses (path, document_id, is_current) "
        "SELECT a.path, a.document_id, true FROM old_addresses a JOIN documents d ON d.id = a.document_id"
    )


def downgrade() -> None:
    """Not supported: it would delete accounts."""
    raise NotImplementedError("revision 0002 cannot be downgraded; restore a backup")
