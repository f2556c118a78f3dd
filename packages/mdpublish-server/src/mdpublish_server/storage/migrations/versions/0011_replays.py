"""Responses to requests with an `Idempotency-Key`."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    op.create_table(
        "replays",
        sa.Column("id", sa.String(64), nullable=False),
        sa.Column("body_hash", sa.String(64), nullable=False),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("response", sa.LargeBinary, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_replays"),
    )
    op.create_index("ix_replays_started_at", "replays", ["started_at"])


def downgrade() -> None:
    op.drop_table("replays")
