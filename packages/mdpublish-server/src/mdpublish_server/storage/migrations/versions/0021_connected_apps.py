"""Connected apps."""

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    op.create_table(
        "app_clients",
        sa.Column("id", sa.String(500), nullable=False),
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("redirect_uris", sa.Text, nullable=False),
        sa.Column("secret_hash", sa.String(64), nullable=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_app_clients"),
    )
    op.create_index("ix_app_clients_expires_at", "app_clients", ["expires_at"])
    op.create_table(
        "app_grants",
        sa.Column("id", sa.String(36), nullable=False),
        sa.Column("account_id", sa.String(36), nullable=False),
        sa.Column("client_id", sa.String(500), nullable=False),
        sa.Column("client_name", sa.String(100), nullable=False),
        sa.Column("redirect_uri", sa.String(500), nullable=False),
        sa.Column("scopes", sa.String(100), nullable=False),
        sa.Column("resource", sa.String(300), nullable=False),
        sa.Column("code_hash", sa.String(64), nullable=False),
        sa.Column("code_challenge", sa.String(43), nullable=False),
        sa.Column("code_used_at", sa.BigInteger, nullable=True),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("used_at", sa.BigInteger, nullable=True),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_app_grants"),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name="fk_app_grants_account_id", ondelete="CASCADE"),
        sa.UniqueConstraint("code_hash", name="uq_app_grants_code_hash"),
    )
    op.create_index("ix_app_grants_account_id", "app_grants", ["account_id"])
    op.create_index("ix_app_grants_expires_at", "app_grants", ["expires_at"])
    op.create_table(
        "app_tokens",
        sa.Column("token_hash", sa.String(64), nullable=False),
        sa.Column("grant_id", sa.String(36), nullable=False),
        sa.Column("scopes", sa.String(100), nullable=False),
        sa.Column("expires_at", sa.BigInteger, nullable=False),
        sa.Column("replaced_at", sa.BigInteger, nullable=True),
        sa.PrimaryKeyConstraint("token_hash", name="pk_app_tokens"),
        sa.ForeignKeyConstraint(["grant_id"], ["app_grants.id"], name="fk_app_tokens_grant_id", ondelete="CASCADE"),
    )
    op.create_index("ix_app_tokens_grant_id_expires_at", "app_tokens", ["grant_id", "expires_at"])
    op.create_index("ix_app_tokens_expires_at", "app_tokens", ["expires_at"])
