"""Service performance with many documents and pages, on both databases."""

import socket
import sqlite3
from base64 import urlsafe_b64encode
from collections.abc import Iterable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from statistics import median
from time import perf_counter
from typing import Any
from uuid import UUID

import psycopg
from psycopg import sql

from benchmarks.server import Server, exchange, serving
from mdpublish_server.services.pages import stored_version

# Gzipped; real pages have some thousand bytes.
PAGE_BYTES = 600

SEARCHES = {"a word of all": "common", "a word of one": "rare", "no word of any": "absent", "a beginning": "comm"}

_OTHER = str(UUID(int=1))

Rows = Iterable[tuple[object, ...]]


def print_scale(folder: Path, postgresql_url: str, *, sizes: Iterable[int], pages: int, rounds: int) -> None:
    """Compare accounts of some sizes, in a database with many pages, with a small account in an almost empty one."""
    for name, base in {"SQLite": f"sqlite:///{folder}", "PostgreSQL": postgresql_url}.items():
        for documents in sizes:
            with ExitStack() as stack:
                empty, full = (
                    stack.enter_context(_filled(base, f"s{documents}{kind}", documents=count, pages=total))
                    for kind, count, total in (("empty", 100, 100), ("full", documents, pages))
                )
                _print_times(name, empty, full, documents=documents, pages=pages, rounds=rounds)


def _filled(base: str, name: str, *, documents: int, pages: int) -> Any:
    """Return a service with a new database."""
    if base.startswith("sqlite"):
        url = f"{base}/{name}.db"
    else:
        with psycopg.connect(base, autocommit=True) as connection:
            connection.execute(sql.SQL("CREATE DATABASE {}").format(sql.Identifier(name)))
        url = base.replace("/postgres?", f"/{name}?")
    return serving(url, fill=lambda key: fill(url, key, documents=documents, pages=pages))


def fill(database_url: str, key: str, *, documents: int, pages: int) -> None:
    """Insert documents, words, pages and a session by SQL."""
    key_hash = sha256(key.encode()).hexdigest()
    with closing(_connect(database_url)) as database:
        (account,) = database.execute(f"SELECT account_id FROM keys WHERE key_hash = '{key_hash}'").fetchone()
        for table, columns, rows in _tables(account, key, documents, pages):
            _insert(database, table, columns, rows)
        database.execute(f"UPDATE accounts SET documents = documents + {documents} WHERE id = '{account}'")
        database.execute("COMMIT")
        database.execute("ANALYZE")
        if isinstance(database, sqlite3.Connection):
            database.execute("PRAGMA wal_checkpoint(TRUNCATE)")


def _connect(database_url: str) -> Any:
    if not database_url.startswith("sqlite"):
        connection = psycopg.connect(database_url, autocommit=True)
        connection.execute("SET synchronous_commit = off")
        connection.execute("BEGIN")
        return connection
    database = sqlite3.connect(database_url.removeprefix("sqlite:///"), isolation_level=None)
    database.execute("PRAGMA synchronous = OFF")
    database.execute("BEGIN IMMEDIATE")
    return database


def _tables(account: str, key: str, documents: int, pages: int) -> Iterator[tuple[str, str, Rows]]:
    now = int(datetime.now(UTC).timestamp() * 1_000_000)
    yield (
        "accounts",
        "id email plan is_suspended created_at documents pages active_keys month used edited_at",
        [(_OTHER, "other@example.org", "pro", False, 0, pages, pages, 0, "2026-01", 0, 0)],
    )
    session = (sha256(key.encode()).hexdigest(), account, now, now + 10**12)
    yield "sessions", "token_hash account_id created_at expires_at", [session]
    columns = (
        "id account_id title template_id theme_mode hides_badge slug published_at is_taken_down word_count created_at updated_at "
        "revision visibility page_width content"
    )
    yield "documents", columns, (_document(account, number) for number in range(documents))
    yield "documents", columns, (_published(number) for number in range(pages))
    yield (
        "document_words",
        "document_id account_id size title words",
        ((_account_document(number), account, 20, "document", _words(number)) for number in range(documents)),
    )
    body, version = b"\x1f\x8b" + bytes(PAGE_BYTES), stored_version(loads_fonts=False)
    yield (
        "pages",
        "document_id etag style_hash render_version revision has_badge body path",
        (
            (_id(number), f"etag{number}", "sha256-x", version, 1, True, body, f"/d/page-{number}")
            for number in range(pages)
        ),
    )
    for space in ("d", _OTHER):
        rows = ((space, f"page-{number}", 0, _id(number), 1) for number in range(pages))
        yield "addresses", "space slug since document_id number", rows


def _insert(database: Any, table: str, columns: str, rows: Rows) -> None:
    names = columns.split()
    if isinstance(database, sqlite3.Connection):
        marks = ", ".join("?" * len(names))
        database.executemany(f"INSERT INTO {table} ({', '.join(names)}) VALUES ({marks})", rows)
        return
    with database.cursor() as cursor, cursor.copy(f"COPY {table} ({', '.join(names)}) FROM STDIN") as copy:
        for row in rows:
            copy.write_row(row)


def _document(account: str, number: int) -> tuple[object, ...]:
    shared = (None, None, False, 2, number, number, 1, "link", "standard", "Some *common* text.")
    return (_account_document(number), account, "Document", "swiss", "light", False, *shared)


def _published(number: int) -> tuple[object, ...]:
    shared = (f"page-{number}", number + 1, False, 2, number, number, 1, "link", "standard", "Some *text*.")
    return (_id(number), _OTHER, "Document", "swiss", "light", False, *shared)


def _words(number: int) -> str:
    return f"common number{number}{' rare' if number == 50 else ''}"


def _print_times(name: str, empty: Server, full: Server, *, documents: int, pages: int, rounds: int) -> None:
    print(f"\n| {name}: {documents:,} documents in the account, {pages:,} pages | p50, ms | almost empty, ms | ratio |")
    print("|---|--:|--:|--:|")
    requests = {
        "list 20 documents": ("GET", "/v1/documents"),
        "list 20 documents from the middle": ("GET", "/v1/documents?limit=20&cursor=@MIDDLE@"),
        "list the last 20 documents": ("GET", "/v1/documents?limit=20&cursor=@END@"),
        **{f"search for {what}": ("GET", f"/documents?q={query}") for what, query in SEARCHES.items()},
        "get a document": ("GET", f"/v1/documents/{_account_document(50)}"),
        "view a page": ("GET", "/d/page-50"),
        "view a page for the first time": ("GET", "/d/page-@P@"),
        "create a document": ("POST", "/v1/documents"),
    }
    for what, (method, path) in requests.items():
        taken: dict[str, list[float]] = {"full": [], "empty": []}
        # Viewed again, a page is in memory.
        for _ in range(1 if "@P@" in path else rounds):
            for which, server, in_account, in_total in (("full", full, documents, pages), ("empty", empty, 100, 100)):
                at = path.replace("@MIDDLE@", _cursor(in_account // 2)).replace("@END@", _cursor(20))
                body = {"title": "New", "content": "Some *text*."} if method == "POST" else None
                cookie = f"session={server.key}"
                request = server.request(method, at, body, Accept_Encoding="gzip", Cookie=cookie)
                if "@P@" in path:
                    taken[which].append(_one_after_another(server, request, in_total))
                else:
                    taken[which].append(server.load(request, connections=1, seconds=0.5)["p50"])
        full_time, empty_time = median(taken["full"]), median(taken["empty"])
        print(f"| {what} | {full_time:.2f} | {empty_time:.2f} | {full_time / empty_time:.2f} |", flush=True)


def _one_after_another(server: Server, request: bytes, count: int) -> float:
    """Return the median milliseconds of first views of pages all over the database."""
    taken = []
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        for number in range(99):
            page = str(number * 7_919 % count).encode()
            began = perf_counter()
            exchange(connection, request.replace(b"@P@", page))
            taken.append(perf_counter() - began)
    return median(taken) * 1_000


def _cursor(number: int) -> str:
    """Return a cursor for the documents older than the one with this number in the account, 0 being the oldest."""
    return urlsafe_b64encode(number.to_bytes(8) + UUID(int=number + 10**9).bytes).decode()


def _account_document(number: int) -> str:
    """Return the id of a document in the account."""
    return str(UUID(int=number + 10**9))


def _id(number: int) -> str:
    return str(UUID(int=number + 10**12))
