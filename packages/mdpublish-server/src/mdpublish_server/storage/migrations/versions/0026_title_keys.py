"""Documents are sorted by their titles, without case and accents, or by their creation."""

import sqlalchemy as sa
from alembic import op

from mdpublish_server.search_words import fold

revision = "0026"
down_revision = "0025"


def upgrade() -> None:
    connection = op.get_bind()
    kind = sa.String(200, collation="C" if connection.dialect.name == "postgresql" else None)
    op.add_column("documents", sa.Column("title_key", kind, nullable=False, server_default=""))
    titles = connection.execute(sa.text("SELECT id, title FROM documents")).all()
    if titles:
        keys = [{"id": document_id, "key": fold(title)[:200]} for document_id, title in titles]
        connection.execute(sa.text("UPDATE documents SET title_key = :key WHERE id = :id"), keys)
    for columns in (("account_id", "title_key", "id"), ("account_id", "created_at", "id")):
        op.create_index(f"ix_documents_{'_'.join(columns)}", "documents", columns)
