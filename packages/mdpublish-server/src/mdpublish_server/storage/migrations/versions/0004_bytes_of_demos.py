"""The bytes that demos hold."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    op.add_column("demo_pages", sa.Column("bytes", sa.BigInteger, nullable=False, server_default="0"))
    is_held = sa.text("bytes > 0")
    op.create_index("ix_demo_pages_held", "demo_pages", ["expires_at"], sqlite_where=is_held, postgresql_where=is_held)
    op.create_table(
        "demo_usage",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("bytes", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_demo_usage"),
    )
    size = "octet_length(content)" if op.get_bind().dialect.name == "postgresql" else "length(CAST(content AS BLOB))"
    op.execute(
        f"""
        UPDATE demo_pages SET bytes = COALESCE((
            SELECT {size} + COALESCE(length(body), 0)
            FROM documents LEFT JOIN pages ON pages.document_id = documents.id
            WHERE documents.id = demo_pages.document_id AND documents.account_id IS NULL
        ), 0) WHERE claimed_at IS NULL
        """  # noqa: S608  (both are constants)
    )
    op.execute("INSERT INTO demo_usage SELECT 1, COALESCE(SUM(bytes), 0) FROM demo_pages")


def downgrade() -> None:
    op.drop_table("demo_usage")
    op.drop_index("ix_demo_pages_held", "demo_pages")
    op.drop_column("demo_pages", "bytes")
