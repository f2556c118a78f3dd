"""Documents are sorted by their titles, without case and accents, or by their creation."""

import sqlalchemy as sa
from alembic import op

from mdpublish_server.search_words import fold

revision = "0026"
down_revision = "0025"

_LENGTH = 200


def upgrade() -> None:
    connection = op.get_bind()
    collation = "C" if connection.dialect.name == "postgresql" else None
    kind = sa.String(_LENGTH, collation=collation)
    op.add_column("documents", sa.Column("title_key", kind, nullable=False, server_default=""))
    keys = [
        {"id": row[0], "key": fold(row[1])[:_LENGTH]}
        for row in connection.execute(sa.text("SELECT id, title FROM documents"))
    ]
    if keys:
        connection.execute(sa.text("UPDATE documents SET title_key = :key WHERE id = :id"), keys)
    for columns in (("account_id", "title_key", "id"), ("account_id", "created_at", "id")):
        op.create_index(f"ix_documents_{'_'.join(columns)}", "documents", columns)
