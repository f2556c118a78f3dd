"""Storage: what the service keeps, behind the protocol `Storage`.

`tables` says how it lies in the database, `migrations` how a database gets there, `sql` reads and writes it. Every call
blocks until the database has answered, so it is made in a thread, never in the event loop.
"""

from mdpublish_server.storage.database import MigrationFailure, migrate
from mdpublish_server.storage.records import DemoPage, Document, Page, StoredDemo
from mdpublish_server.storage.sql import SqlStorage, Storage

__all__ = [
    "DemoPage",
    "Document",
    "MigrationFailure",
    "Page",
    "SqlStorage",
    "Storage",
    "StoredDemo",
    "migrate",
]
