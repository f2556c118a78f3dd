"""Alembic environment."""

from alembic import context

from mdpublish_server.storage.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite alters a table by copying it
    transactional_ddl=True,  # see `database._engine`
)
context.run_migrations()
