"""What was done is recorded from now on, and accounts can be deactivated; none is."""

import tomllib
from pathlib import Path

import sqlalchemy as sa
from alembic import op

revision = "0029"
down_revision = "0028"


def upgrade() -> None:
    op.add_column("accounts", sa.Column("is_deactivated", sa.Boolean(), nullable=False, server_default=sa.false()))
    op.add_column("accounts", sa.Column("external_id", sa.String(255), nullable=True))
    for statement in tomllib.loads(Path(__file__).with_suffix(".toml").read_text("utf-8"))[op.get_bind().dialect.name]:
        op.execute(statement)
