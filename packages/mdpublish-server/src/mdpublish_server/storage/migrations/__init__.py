"""Alembic revisions, one file each in `versions`."""
