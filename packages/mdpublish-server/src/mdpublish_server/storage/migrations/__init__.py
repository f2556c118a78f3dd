"""The database's revisions, one file each under `versions`, which Alembic applies in order."""
