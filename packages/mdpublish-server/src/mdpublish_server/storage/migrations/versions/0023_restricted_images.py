"""Images that were in a page not for everybody stay private; those that a private page shows now are marked."""

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    op.add_column("images", sa.Column("is_restricted", sa.Boolean, nullable=False, server_default=sa.false()))
    op.execute("UPDATE images SET is_restricted = true WHERE id IN (SELECT image_id FROM private_images)")
