"""Documents, demo pages and addresses."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "documents",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("title", sa.String(200), nullable=False),
        sa.Column("content", sa.Text, nullable=False),
        sa.Column("template_id", sa.String(60), nullable=False),
        sa.Column("theme_mode", sa.String(10), nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_documents"),
    )
    op.create_table(
        "demo_pages",
        sa.Column("identifier", sa.String(20), nullable=False),
        sa.Column("document_id", sa.String(36), nullable=False),
        sa.Column("claim_token_hash", sa.String(64), nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("identifier", name="pk_demo_pages"),
        sa.UniqueConstraint("claim_token_hash", name="uq_demo_pages_claim_token_hash"),
    )
    op.create_index("ix_demo_pages_expires_at", "demo_pages", ["expires_at"])
    op.create_table(
        "addresses",
        sa.Column("path", sa.String(200), nullable=False),
        sa.Column("document_id", sa.String(36), nullable=True),
        sa.Column("body", sa.LargeBinary, nullable=True),
        sa.Column("etag", sa.String(64), nullable=True),
        sa.Column("style_hash", sa.String(64), nullable=True),
        sa.Column("render_version", sa.Integer, nullable=True),
        sa.PrimaryKeyConstraint("path", name="pk_addresses"),
        sa.ForeignKeyConstraint(["document_id"], ["documents.id"], name="fk_addresses_document_id", ondelete="CASCADE"),
    )
    op.create_index("ix_addresses_document_id", "addresses", ["document_id"])


def downgrade() -> None:
    op.drop_table("addresses")
    op.drop_table("demo_pages")
    op.drop_table("documents")
