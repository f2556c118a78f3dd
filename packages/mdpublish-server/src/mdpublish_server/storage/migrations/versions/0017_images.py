"""Uploaded images."""

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    op.add_column("accounts", sa.Column("image_bytes", sa.BigInteger, nullable=False, server_default=sa.text("0")))
    op.create_table(
        "images",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("account_id", sa.String(36), nullable=False),
        sa.Column("suffix", sa.String(4), nullable=False),
        sa.Column("width", sa.Integer, nullable=False),
        sa.Column("height", sa.Integer, nullable=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger, nullable=False),
        sa.Column("removable_at", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_images"),
    )
    op.create_index("ix_images_account_id_created_at_id", "images", ["account_id", "created_at", "id"])
    op.create_index("ix_images_used_at", "images", ["used_at"])
    removable = sa.text("removable_at IS NOT NULL")
    op.create_index(
        "ix_images_removable_at", "images", ["removable_at"], sqlite_where=removable, postgresql_where=removable
    )
