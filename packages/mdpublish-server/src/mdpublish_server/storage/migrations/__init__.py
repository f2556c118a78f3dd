"""Alembic revisions, one file each in `versions`, named and numbered in order.

They upgrade databases that have a revision; an empty one gets today's tables, see `schema`. A new one defines
`revision`, `down_revision` and `upgrade`, and changes `tables` or the statements of `schema` alike: tests compare both.
Nothing is downgraded: backups are restored.
"""
