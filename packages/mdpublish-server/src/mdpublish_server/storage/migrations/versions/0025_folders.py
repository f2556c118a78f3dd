"""Documents have a folder; none is in one yet."""

import sqlalchemy as sa
from alembic import op

revision = "0025"
down_revision = "0024"


def upgrade() -> None:
    op.add_column("documents", sa.Column("folder", sa.String(60), nullable=True))
    op.add_column("documents", sa.Column("folder_key", sa.String(180), nullable=False, server_default=""))
    columns = ("account_id", "folder_key", "updated_at", "id")
    op.create_index(f"ix_documents_{'_'.join(columns)}", "documents", columns)
