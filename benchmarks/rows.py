"""Rows of large databases, inserted by SQL: accounts with documents, and pages of another account.

Numbers of documents and pages begin with the oldest, 0; accounts are numbered like their keys.
"""

import sqlite3
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from mdpublish_server.services.pages import stored_version

# Gzipped; real pages have some thousand bytes, which `capacity` measures.
PAGE_BYTES = 600

CONTENT = "Some *common* text."

_BODY = b"\x1f\x8b" + bytes(PAGE_BYTES)

_USERNAME = "writer"

Rows = Iterable[tuple[object, ...]]


def new_database(base: str, name: str) -> str:
    """Return the URL of a new database: in a folder for SQLite, on a server for PostgreSQL."""
    if base.startswith("sqlite"):
        return f"{base}/{name}.db"
    with psycopg.connect(base, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
    return base.replace("/postgres?", f"/{name}?")


def connect(database_url: str) -> Any:
    """Return a connection in autocommit mode."""
    if database_url.startswith("sqlite"):
        return sqlite3.connect(database_url.removeprefix("sqlite:///"), isolation_level=None)
    return psycopg.connect(database_url, autocommit=True)


def database_bytes(database_url: str) -> int:
    """Return the size of all tables and indexes."""
    question = (
        "SELECT page_count * page_size FROM pragma_page_count, pragma_page_size"
        if database_url.startswith("sqlite")
        else "SELECT pg_database_size(current_database())"
    )
    with closing(connect(database_url)) as database:
        return int(database.execute(question).fetchone()[0])


def fill(
    database_url: str, keys: Sequence[str], *, documents: Sequence[int], pages: int, prints_bytes: bool = False
) -> None:
    """Insert documents for the first accounts, with sessions whose tokens are the keys, and pages of another account."""
    sizes = [database_bytes(database_url)]
    with closing(connect(database_url)) as database:
        is_sqlite = isinstance(database, sqlite3.Connection)
        # The pages are nobody's cache yet, and what they refer to is known.
        database.execute("PRAGMA synchronous = OFF" if is_sqlite else "SET session_replication_role = replica")
        for tables in (_documents(database, keys, documents), _pages(pages)):
            database.execute("BEGIN")
            for table, columns, rows in tables:
                _insert(database, table, columns.split(), rows)
            database.execute("COMMIT")
            database.execute("ANALYZE" if is_sqlite else "VACUUM ANALYZE")
            sizes.append(database_bytes(database_url))
        if is_sqlite:
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    if prints_bytes:
        document, page = (sizes[1] - sizes[0]) / sum(documents), (sizes[2] - sizes[1]) / pages
        print(f"\n- a draft of {len(CONTENT)} characters takes {document:,.0f} bytes with its indexes, ", end="")
        print(f"a page of {PAGE_BYTES} bytes {page:,.0f}", flush=True)


def require_stored_page(database_url: str, number: int) -> None:
    """Raise RuntimeError if the service has rendered a page again, since views of others would measure that."""
    with closing(connect(database_url)) as database:
        question = f"SELECT length(body) FROM pages WHERE document_id = '{_page_id(number)}'"
        if database.execute(question).fetchone()[0] != len(_BODY):
            raise RuntimeError(f"page {number} was rendered again: its row must be what the service stores")


def document_id(account: int, number: int) -> str:
    return str(_document_uuid(account, number))


def page_path(number: object) -> str:
    return f"/u/{_USERNAME}/page-{number}"


def cursor(account: int, number: int) -> str:
    """Return a cursor for the documents of an account that are older than this one."""
    return urlsafe_b64encode(number.to_bytes(8) + _document_uuid(account, number).bytes).decode()


_DOCUMENT = (
    "id account_id title template_id theme_mode hides_badge slug published_at is_taken_down word_count created_at "
    "updated_at revision visibility page_width content"
)
_OTHER = str(UUID(int=1))


def _documents(database: Any, keys: Sequence[str], documents: Sequence[int]) -> Iterator[tuple[str, str, Rows]]:
    now = int(datetime.now(UTC).timestamp() * 1_000_000)
    for number, (key, count) in enumerate(zip(keys, documents, strict=False)):
        token = sha256(key.encode()).hexdigest()
        (account,) = database.execute(f"SELECT account_id FROM keys WHERE key_hash = '{token}'").fetchone()
        yield "sessions", "token_hash account_id created_at expires_at", [(token, account, now, now + 10**12)]
        yield "documents", _DOCUMENT, _drafts(number, account, count)
        yield "document_words", "document_id account_id size title words", _words(number, account, count)
        database.execute(f"UPDATE accounts SET documents = documents + {count} WHERE id = '{account}'")


def _drafts(number: int, account: str, count: int) -> Rows:
    fixed = ("Document", "swiss", "light", False, None, None, False, 3)
    for at in range(count):
        yield (document_id(number, at), account, *fixed, at, at, 1, "link", "standard", CONTENT)


def _words(number: int, account: str, count: int) -> Rows:
    for at in range(count):
        words = f"common number{at}{' rare' if at == count // 2 else ''}"
        yield (document_id(number, at), account, len(words), "document", words)


def _pages(count: int) -> Iterator[tuple[str, str, Rows]]:
    columns = "id email username plan is_suspended created_at documents pages active_keys month used edited_at"
    account = (_OTHER, "other@example.org", _USERNAME, "pro", False, 0, count, count, 0, "2026-01", 0, 0)
    yield "accounts", columns, [account]
    yield "usernames", "username account_id", [(_USERNAME, _OTHER)]
    yield "documents", _DOCUMENT, (_published(number) for number in range(count))
    page = ("sha256-x", stored_version(loads_fonts=True), 1, False, _BODY)
    rows = ((_page_id(number), f"etag{number}", *page, page_path(number)) for number in range(count))
    yield "pages", "document_id etag style_hash render_version revision has_badge body path", rows
    permalinks = ((_OTHER, f"page-{number}", 0, _page_id(number), 1) for number in range(count))
    yield "addresses", "space slug since document_id number", permalinks


def _published(number: int) -> tuple[object, ...]:
    style = ("Document", "swiss", "light", True)
    times = (number + 1, False, 2, number, number)
    return (_page_id(number), _OTHER, *style, f"page-{number}", *times, 1, "public", "standard", "Some *text*.")


def _insert(database: Any, table: str, columns: Sequence[str], rows: Rows) -> None:
    into = f"{table} ({', '.join(columns)})"
    if isinstance(database, sqlite3.Connection):
        database.executemany(f"INSERT INTO {into} VALUES ({', '.join('?' * len(columns))})", rows)
        return
    with database.cursor() as cursor, cursor.copy(f"COPY {into} FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _document_uuid(account: int, number: int) -> UUID:
    return UUID(int=number + 10**9 * (account + 1))


def _page_id(number: int) -> str:
    return str(UUID(int=number + 10**12))
