"""Accounts may be known to an OpenID Connect provider, or have a second factor; none is, or has, yet."""

import sqlalchemy as sa
from alembic import op

revision = "0028"
down_revision = "0027"


def upgrade() -> None:
    op.add_column("accounts", sa.Column("issuer", sa.String(500), nullable=True))
    op.add_column("accounts", sa.Column("subject", sa.String(255), nullable=True))
    op.add_column("accounts", sa.Column("totp_secret", sa.String(200), nullable=True))
    op.add_column("accounts", sa.Column("totp_step", sa.BigInteger(), nullable=False, server_default="0"))
    op.add_column("accounts", sa.Column("recovery_hashes", sa.Text(), nullable=False, server_default=""))
    op.create_index("ix_accounts_issuer_subject", "accounts", ["issuer", "subject"])
    op.add_column("sessions", sa.Column("id_token", sa.Text(), nullable=True))
