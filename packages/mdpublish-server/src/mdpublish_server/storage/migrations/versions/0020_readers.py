"""Readers, passwords and ends of pages."""

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    op.add_column("documents", sa.Column("readers", sa.Text, nullable=False, server_default=sa.text("''")))
    op.add_column("documents", sa.Column("password_hash", sa.String(200), nullable=True))
    op.create_table(
        "reader_links",
        sa.Column("token_hash", sa.String(64), nullable=False),
        _document(),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("browser_hash", sa.String(64), nullable=True),
        sa.Column("code_hash", sa.String(64), nullable=True),
        sa.Column("tries", sa.Integer, nullable=False, server_default=sa.text("0")),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("token_hash", name="pk_reader_links"),
        _of_document("reader_links"),
    )
    op.create_table(
        "reader_sessions",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("account_id", sa.String(36), nullable=False),
        sa.Column("email", sa.String(254), nullable=True),
        sa.Column("proof", sa.String(64), nullable=True),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_reader_sessions"),
        sa.ForeignKeyConstraint(
            ["account_id"], ["accounts.id"], name="fk_reader_sessions_account_id", ondelete="CASCADE"
        ),
    )
    op.create_table(
        "reader_views",
        _document(),
        sa.Column("email", sa.String(254), nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("document_id", "email", name="pk_reader_views"),
        _of_document("reader_views"),
    )
    op.create_table(
        "private_images",
        _document(),
        sa.Column("image_id", sa.String(36), nullable=False),
        sa.PrimaryKeyConstraint("document_id", "image_id", name="pk_private_images"),
        _of_document("private_images"),
    )
    for table, columns in (
        ("reader_links", ("document_id", "browser_hash", "expires_at")),
        ("reader_sessions", ("token_hash", "account_id", "expires_at")),
        ("private_images", ("image_id",)),
    ):
        for column in columns:
            op.create_index(f"ix_{table}_{column}", table, [column])


def _document() -> sa.Column[str]:
    return sa.Column("document_id", sa.String(36), nullable=False)


def _of_document(table: str) -> sa.ForeignKeyConstraint:
    return sa.ForeignKeyConstraint(
        ["document_id"], ["documents.id"], name=f"fk_{table}_document_id", ondelete="CASCADE"
    )
