"""Sessions have what their account's owner tells them by: browser, network and last use."""

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    op.add_column("sessions", sa.Column("browser", sa.String(40), nullable=False, server_default=""))
    op.add_column("sessions", sa.Column("network", sa.String(50), nullable=False, server_default=""))
    op.add_column("sessions", sa.Column("used_at", sa.BigInteger, nullable=True))
