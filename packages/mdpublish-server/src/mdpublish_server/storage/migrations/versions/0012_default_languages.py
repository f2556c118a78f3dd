"""Default languages of accounts, and those that stored pages were rendered with."""

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    for table in ("accounts", "pages"):
        op.add_column(table, sa.Column("default_language", sa.String(100), nullable=True))


def downgrade() -> None:
    for table in ("accounts", "pages"):
        op.drop_column(table, "default_language")
