"""Former contents of documents."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    op.create_table(
        "document_revisions",
        sa.Column("document_id", sa.String(36), nullable=False),
        sa.Column("number", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("word_count", sa.Integer, nullable=False),
        sa.Column("saved_at", sa.BigInteger, nullable=False),
        sa.Column("replaced_at", sa.BigInteger, nullable=False),
        sa.Column("is_before_restore", sa.Boolean, nullable=False),
        sa.Column("bytes", sa.Integer, nullable=False),
        sa.Column("content", sa.LargeBinary, nullable=False),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name="fk_document_revisions_document_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("document_id", "number", name="pk_document_revisions"),
    )


def downgrade() -> None:
    op.drop_table("document_revisions")
