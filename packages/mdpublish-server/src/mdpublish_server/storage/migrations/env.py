"""Alembic environment."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)  # see `database._engine`
context.run_migrations()
