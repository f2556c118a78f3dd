"""Service performance with many documents and pages."""

import socket
import sqlite3
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from hashlib import sha256
from statistics import median
from time import perf_counter
from uuid import UUID

from benchmarks.server import Server, exchange

# Gzipped; real pages have some thousand bytes.
PAGE_BYTES = 600

_DOCUMENT = (
    "INSERT INTO documents (id, account_id, title, template_id, theme_mode, hides_badge, slug, published_at, "
    "is_taken_down, word_count, created_at, updated_at, revision, visibility, page_width, content) "
    "VALUES (?, ?, 'Document', 'swiss', 'light', 0, ?, ?, 0, 2, ?, ?, 1, 'link', 'standard', 'Some *text*.')"
)
_PAGE = (
    "INSERT INTO pages (document_id, etag, style_hash, render_version, revision, has_badge, body, path) "
    "VALUES (?, ?, 'sha256-x', ?, 1, 1, ?, ?)"
)
_PERMALINK = "INSERT INTO addresses (space, slug, since, document_id, number) VALUES (?, ?, 0, ?, 1)"


def fill(database_url: str, key: str, *, documents: int, pages: int) -> None:
    """Insert documents and pages by SQL."""
    from mdpublish_server.services.pages import stored_version

    database = sqlite3.connect(database_url.removeprefix("sqlite:///"), isolation_level=None)
    database.execute("PRAGMA synchronous = OFF")
    key_hash = sha256(key.encode()).hexdigest()
    (account,) = database.execute("SELECT account_id FROM keys WHERE key_hash = ?", (key_hash,)).fetchone()
    other = str(UUID(int=1))
    database.execute("BEGIN IMMEDIATE")
    database.execute(
        "INSERT INTO accounts (id, email, plan, is_suspended, created_at, documents, pages, active_keys, month, used, "
        "edited_at) VALUES (?, 'other@example.org', 'pro', 0, 0, ?, ?, 0, '2026-01', 0, 0)",
        (other, pages, pages),
    )
    database.execute("UPDATE accounts SET documents = documents + ? WHERE id = ?", (documents, account))
    database.executemany(
        _DOCUMENT, ((str(UUID(int=number + 10**9)), account, None, None, number, number) for number in range(documents))
    )
    database.executemany(_DOCUMENT, _published(other, pages))
    body = b"\x1f\x8b" + bytes(PAGE_BYTES)
    version = stored_version(loads_fonts=False)
    database.executemany(
        _PAGE, ((_id(number), f"etag{number}", version, body, f"/d/page-{number}") for number in range(pages))
    )
    for space in ("d", other):
        database.executemany(_PERMALINK, ((space, f"page-{number}", _id(number)) for number in range(pages)))
    database.execute("COMMIT")
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


def print_scale(empty: Server, full: Server, *, rounds: int, documents: int, pages: int) -> None:
    print(
        f"\n| {documents:,} documents in the account, {pages:,} pages in total | p50, ms | almost empty database, ms | ratio |"
    )
    print("|---|--:|--:|--:|")
    requests = {
        "list 20 documents": ("GET", "/v1/documents"),
        "list 20 documents from the middle": ("GET", "/v1/documents?limit=20&cursor=@MIDDLE@"),
        "list the last 20 documents": ("GET", "/v1/documents?limit=20&cursor=@END@"),
        "get a document": ("GET", f"/v1/documents/{UUID(int=50 + 10**9)}"),
        "view a page": ("GET", "/d/page-50"),
        "view a different page each time": ("GET", "/d/page-@P@"),
    }
    for name, (method, path) in requests.items():
        taken: dict[str, list[float]] = {"full": [], "empty": []}
        for _ in range(rounds):
            for which, server, in_account, in_total in (("full", full, documents, pages), ("empty", empty, 100, 100)):
                at = path.replace("@MIDDLE@", _cursor(in_account // 2)).replace("@END@", _cursor(20))
                request = server.request(method, at, Accept_Encoding="gzip")
                if "@P@" in path:
                    taken[which].append(_one_after_another(server, request, in_total))
                else:
                    taken[which].append(server.load(request, connections=1, seconds=0.5)["p50"])
        full_time, empty_time = median(taken["full"]), median(taken["empty"])
        print(f"| {name} | {full_time:.2f} | {empty_time:.2f} | {full_time / empty_time:.2f} |", flush=True)


def _one_after_another(server: Server, request: bytes, count: int) -> float:
    """Return the median milliseconds of views of distinct pages all over the database."""
    taken = []
    with socket.create_connection(("127.0.0.1", server.port)) as connection:
        for number in range(300):
            page = str(number * 7_919 % count).encode()
            began = perf_counter()
            exchange(connection, request.replace(b"@P@", page))
            taken.append(perf_counter() - began)
    return median(taken) * 1_000


def _cursor(number: int) -> str:
    """Return a cursor for the documents older than the one with this number in the account, 0 being the oldest."""
    return urlsafe_b64encode(number.to_bytes(8) + UUID(int=number + 10**9).bytes).decode()


def _published(account: str, pages: int) -> Iterator[tuple[object, ...]]:
    return ((_id(number), account, f"page-{number}", number + 1, number, number) for number in range(pages))


def _id(number: int) -> str:
    return str(UUID(int=number + 10**12))
