"""Whether a document's content was autosaved and not saved since."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    op.add_column("documents", sa.Column("is_autosaved", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    op.drop_column("documents", "is_autosaved")
