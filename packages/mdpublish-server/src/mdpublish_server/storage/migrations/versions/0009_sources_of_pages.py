"""Whether a page shows its source: of pages that exist, none does any more."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    op.add_column("documents", sa.Column("shows_source", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("documents", "shows_source")
