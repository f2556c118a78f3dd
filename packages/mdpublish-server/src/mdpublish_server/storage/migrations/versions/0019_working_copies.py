"""Changes of published documents that are not published, and deleted documents that can be restored."""

import sqlalchemy as sa
from alembic import op

revision = "0019"
down_revision = "0018"


def upgrade() -> None:
    op.create_table(
        "working_copies",
        sa.Column("document_id", sa.String(36), nullable=False),
        sa.Column("number", sa.Integer, nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("template_id", sa.String(60), nullable=False),
        sa.Column("theme_mode", sa.String(10), nullable=False),
        sa.Column("description", sa.String(500), nullable=True),
        sa.Column("page_width", sa.String(10), nullable=True),
        sa.Column("word_count", sa.Integer, nullable=False),
        sa.Column("saved_at", sa.BigInteger, nullable=False),
        sa.Column("is_autosaved", sa.Boolean, nullable=False),
        sa.Column("is_conflicting", sa.Boolean, nullable=False),
        sa.Column("discarded_at", sa.BigInteger, nullable=True),
        sa.Column("content", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("document_id", name="pk_working_copies"),
        sa.ForeignKeyConstraint(
            ["document_id"], ["documents.id"], name="fk_working_copies_document_id", ondelete="CASCADE"
        ),
    )
    op.create_index("ix_working_copies_discarded_at", "working_copies", ["discarded_at"])
    op.create_table(
        "trash",
        sa.Column("document_id", sa.String(36), nullable=False),
        sa.Column("account_id", sa.String(36), nullable=False),
        sa.Column("deleted_at", sa.BigInteger, nullable=False),
        sa.Column("was_published", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("document_id", name="pk_trash"),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], name="fk_trash_document_id", ondelete="CASCADE"),
    )
    op.create_index("ix_trash_account_id_deleted_at", "trash", ["account_id", "deleted_at"])
    op.create_index("ix_trash_deleted_at", "trash", ["deleted_at"])
