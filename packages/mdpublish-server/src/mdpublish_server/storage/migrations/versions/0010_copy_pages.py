"""Texts that an assistant hands to a person to copy."""

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    op.create_table(
        "copy_pages",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("account_id", sa.String(36), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("destination", sa.String(20), nullable=False),
        sa.Column("template_id", sa.String(40), nullable=False),
        sa.Column("theme_mode", sa.String(10), nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_copy_pages_account_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("token_hash", name="pk_copy_pages"),
    )
    op.create_index("ix_copy_pages_account_id", "copy_pages", ["account_id"])
    op.create_index("ix_copy_pages_expires_at", "copy_pages", ["expires_at"])


def downgrade() -> None:
    op.drop_table("copy_pages")
