"""The key that the service's processes share."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    op.create_table(
        "server_keys",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=False),
        sa.Column("key", sa.LargeBinary, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_server_keys"),
    )


def downgrade() -> None:
    op.drop_table("server_keys")
