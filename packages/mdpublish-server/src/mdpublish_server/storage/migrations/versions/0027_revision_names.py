"""Revisions may have a name; none has one yet."""

import sqlalchemy as sa
from alembic import op

revision = "0027"
down_revision = "0026"


def upgrade() -> None:
    op.add_column("document_revisions", sa.Column("name", sa.String(100), nullable=False, server_default=""))
