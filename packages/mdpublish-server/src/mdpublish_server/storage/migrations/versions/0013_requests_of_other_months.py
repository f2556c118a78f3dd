"""Requests that accounts made in other months than their last."""

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    op.add_column("accounts", sa.Column("other_months", sa.Text, nullable=True))


def downgrade() -> None:
    op.drop_column("accounts", "other_months")
