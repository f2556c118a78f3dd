"""How Alembic runs a revision: on the connection, and in the transaction, that its caller opened."""

from alembic import context

from mdpublish_server.storage.tables import METADATA

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=METADATA,
    render_as_batch=True,  # SQLite changes a table by copying it
    transactional_ddl=True,  # `database._engine` begins transactions that hold DDL too
)
context.run_migrations()
