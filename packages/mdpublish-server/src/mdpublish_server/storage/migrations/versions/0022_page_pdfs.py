"""Pages that readers may download as PDFs; none does yet."""

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    op.add_column("documents", sa.Column("offers_pdf", sa.Boolean, nullable=False, server_default=sa.false()))
