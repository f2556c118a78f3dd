"""Operators, reports, invitations, email tokens (`letters`), and an index of public pages."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"

_IS_PUBLIC = sa.text("visibility = 'public' AND published_at IS NOT NULL")


def upgrade() -> None:
    op.add_column("accounts", sa.Column("is_operator", sa.Boolean, nullable=False, server_default=sa.false()))
    op.create_table(
        "reports",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("document_id", sa.String(36), nullable=False),
        sa.Column("path", sa.String(200), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("reason", sa.String(20), nullable=False),
        sa.Column("details", sa.String(2000), nullable=False),
        sa.Column("email", sa.String(254), nullable=True),
        sa.Column("reported_at", sa.BigInteger, nullable=False),
        sa.Column("closed_at", sa.BigInteger, nullable=True),
        sa.Column("outcome", sa.String(20), nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_reports"),
    )
    op.create_index("ix_reports_closed_at_reported_at", "reports", ["closed_at", "reported_at"])
    op.create_index("ix_reports_document_id", "reports", ["document_id"])
    op.create_table(
        "invitations",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("note", sa.String(100), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_invitations"),
    )
    op.create_index("ix_invitations_expires_at", "invitations", ["expires_at"])
    op.create_table(
        "letters",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("purpose", sa.String(10), nullable=False),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("account_id", sa.String(36), nullable=True),
        sa.Column("password_hash", sa.String(200), nullable=True),
        sa.Column("username", sa.String(30), nullable=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_letters"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_letters_account_id", ondelete="CASCADE"),
    )
    op.create_index("ix_letters_account_id", "letters", ["account_id"])
    op.create_index("ix_letters_email", "letters", ["email"])
    op.create_index("ix_letters_expires_at", "letters", ["expires_at"])
    op.create_index(
        "ix_documents_public",
        "documents",
        ["account_id", "published_at", "id"],
        sqlite_where=_IS_PUBLIC,
        postgresql_where=_IS_PUBLIC,
    )


def downgrade() -> None:
    op.drop_index("ix_documents_public", "documents")
    for table in ("letters", "invitations", "reports"):
        op.drop_table(table)
    op.drop_column("accounts", "is_operator")
