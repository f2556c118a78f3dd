"""Indexes that find plans that end, and the usernames of an account."""

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"

_ENDS = sa.text("plan_until IS NOT NULL")


def upgrade() -> None:
    op.create_index("ix_accounts_plan_until", "accounts", ["plan_until"], sqlite_where=_ENDS, postgresql_where=_ENDS)
    op.create_index("ix_usernames_account_id", "usernames", ["account_id"])


def downgrade() -> None:
    op.drop_index("ix_usernames_account_id", "usernames")
    op.drop_index("ix_accounts_plan_until", "accounts")
