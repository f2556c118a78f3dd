"""Creates the schema of an empty database."""

from sqlalchemy import Connection, insert, text

from mdpublish_server.storage.audit import TRIGGERS
from mdpublish_server.storage.page_changes import trigger_statements
from mdpublish_server.storage.search_index import index_statements
from mdpublish_server.storage.tables import DEMO_USAGE, METADATA


def create_schema(connection: Connection) -> None:
    """Create all tables, then what SQLAlchemy has no words for."""
    METADATA.create_all(connection, checkfirst=False)
    dialect = connection.dialect.name
    for statement in (*trigger_statements(dialect), *TRIGGERS[dialect], *index_statements(dialect)):
        connection.execute(text(statement))
    connection.execute(insert(DEMO_USAGE).values(id=1, bytes=0))
