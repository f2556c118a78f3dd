"""Smaller variants of uploaded images; those uploaded before have none."""

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    op.add_column("images", sa.Column("variants", sa.String(40), nullable=False, server_default=sa.text("''")))
