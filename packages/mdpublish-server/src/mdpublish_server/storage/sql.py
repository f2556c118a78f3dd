"""Storage in SQL: the protocol, and its one implementation, on SQLAlchemy Core."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta
from typing import Any, Protocol

from sqlalchemy import Row, literal, select, update

from mdpublish_server.storage.database import open_engine
from mdpublish_server.storage.records import DemoPage, Document, Page, StoredDemo
from mdpublish_server.storage.tables import ADDRESSES, DEMO_PAGES, DOCUMENTS

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


class Storage(Protocol):
    """What the service asks of its storage. Each call is one transaction."""

    def check(self) -> None:
        """Return if the storage answers; raise whatever it raises if it does not."""

    def add_demo(self, document: Document, demo: DemoPage, page: Page) -> None:
        """Keep a new demo page: its document, its claim, and its finished page under its path."""

    def find_demo(self, identifier: str) -> StoredDemo | None:
        """Return the demo page of this identifier, expired or not; None where there never was one."""

    def find_document(self, document_id: str) -> Document | None:
        """Return the document of this id."""

    def save_page(self, path: str, page: Page) -> None:
        """Keep a page that was rendered anew in place of the one under `path`."""

    def close(self) -> None:
        """Give back what the storage holds; no call may follow."""


class SqlStorage:
    """Storage in the database at `database_url`, which `migrate` has prepared."""

    def __init__(self, database_url: str) -> None:
        self._reader = open_engine(database_url)
        self._writer = self._reader.execution_options(writes=True)

    def check(self) -> None:
        """Return if the database answers and has its tables."""
        with self._reader.connect() as connection:
            connection.execute(select(DOCUMENTS.c.id).limit(1))

    def add_demo(self, document: Document, demo: DemoPage, page: Page) -> None:
        """Keep a new demo page: its document, its claim, and its finished page under its path."""
        with self._writer.begin() as connection:
            connection.execute(DOCUMENTS.insert(), _document_values(document))
            connection.execute(DEMO_PAGES.insert(), {**asdict(demo), "expires_at": _microseconds(demo.expires_at)})
            connection.execute(ADDRESSES.insert(), {"path": demo.path, "document_id": document.id, **asdict(page)})

    def find_demo(self, identifier: str) -> StoredDemo | None:
        """Return the demo page of this identifier, expired or not; None where there never was one."""
        path = literal("/p/") + DEMO_PAGES.c.identifier
        found = (
            select(DEMO_PAGES, ADDRESSES)
            .select_from(DEMO_PAGES.outerjoin(ADDRESSES, ADDRESSES.c.path == path))
            .where(DEMO_PAGES.c.identifier == identifier)
        )
        with self._reader.connect() as connection:
            row = connection.execute(found).one_or_none()
        return None if row is None else StoredDemo(demo=_demo(row), page=_page(row))

    def find_document(self, document_id: str) -> Document | None:
        """Return the document of this id."""
        with self._reader.connect() as connection:
            row = connection.execute(select(DOCUMENTS).where(DOCUMENTS.c.id == document_id)).one_or_none()
        return None if row is None else _document(row)

    def save_page(self, path: str, page: Page) -> None:
        """Keep a page that was rendered anew in place of the one under `path`."""
        with self._writer.begin() as connection:
            connection.execute(update(ADDRESSES).where(ADDRESSES.c.path == path).values(**asdict(page)))

    def close(self) -> None:
        """Close every connection."""
        self._reader.dispose()


def _document_values(document: Document) -> dict[str, Any]:
    times = {"created_at": _microseconds(document.created_at), "updated_at": _microseconds(document.updated_at)}
    return {**asdict(document), **times}


def _document(row: Row[Any]) -> Document:
    values = row._mapping  # noqa: SLF001  (the documented way to read a row by name)
    columns = {column.name: values[column] for column in DOCUMENTS.c}
    times = {name: _datetime(columns[name]) for name in ("created_at", "updated_at")}
    return Document(**{**columns, **times})


def _demo(row: Row[Any]) -> DemoPage:
    values = row._mapping  # noqa: SLF001
    columns = {column.name: values[column] for column in DEMO_PAGES.c}
    return DemoPage(**{**columns, "expires_at": _datetime(columns["expires_at"])})


def _page(row: Row[Any]) -> Page | None:
    values = row._mapping  # noqa: SLF001
    if values[ADDRESSES.c.body] is None:
        return None
    return Page(
        body=values[ADDRESSES.c.body],
        etag=values[ADDRESSES.c.etag],
        style_hash=values[ADDRESSES.c.style_hash],
        render_version=values[ADDRESSES.c.render_version],
    )


def _microseconds(time: datetime) -> int:
    return (time - _EPOCH) // _MICROSECOND


def _datetime(microseconds: int) -> datetime:
    return _EPOCH + timedelta(microseconds=microseconds)
