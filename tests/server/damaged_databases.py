"""SQLite databases with documents, and ways to damage them."""

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

PAGE_BYTES = 4096
ADD = (
    "INSERT INTO documents (id, title, template_id, theme_mode, hides_badge, is_taken_down, word_count, created_at, "
    "updated_at, revision, content) VALUES (?, 'Title', 'swiss', 'light', 0, 0, 1, 1, 1, 1, ?)"
)

_ADD_AND_DIE = f"""
import os, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA journal_mode = WAL")
database.execute("PRAGMA wal_autocheckpoint = 0")
for number in range(int(sys.argv[2])):
    database.execute({ADD!r}, (os.urandom(8).hex(), "word " * 1000))
os._exit(0)
"""

_ADD_PAIRS = f"""
import itertools, sqlite3, sys
database = sqlite3.connect(sys.argv[1], isolation_level=None)
database.execute("PRAGMA journal_mode = WAL")
for number in itertools.count():
    database.execute("BEGIN IMMEDIATE")
    for half in "ab":
        database.execute({ADD!r}, (f"pair-{{number}}-{{half}}", "word " * 1000))
    database.execute("COMMIT")
    print(number, flush=True)
"""


def fill(file: Path, documents: int = 40) -> None:
    """Add documents of many pages, and free some pages."""
    with closing(sqlite3.connect(file)) as database, database:
        rows = [
            (f"document-{number:03}", f"wörd {number} " * (200 * (number % 9 + 1))) for number in range(documents + 3)
        ]
        database.executemany(ADD, rows)
        database.execute("DELETE FROM documents WHERE id >= ?", (f"document-{documents:03}",))


def leave_log(file: Path, documents: int) -> Path:
    """Add documents, each in a transaction, that a killed process leaves in the log."""
    subprocess.run([sys.executable, "-c", _ADD_AND_DIE, str(file), str(documents)], check=True)
    return Path(f"{file}-wal")


def start_writer(file: Path) -> "subprocess.Popen[str]":
    """Start a process that adds pairs of documents until it is killed; it has added the first."""
    process = subprocess.Popen([sys.executable, "-c", _ADD_PAIRS, str(file)], stdout=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "0\n"
    return process


def pages_of(file: Path, table: str, kind: str) -> list[int]:
    with closing(sqlite3.connect(file)) as database:
        query = "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY path"
        return [number for (number,) in database.execute(query, (table, kind))]


def overwrite(file: Path, page: int, content: bytes = b"\xa5" * PAGE_BYTES) -> None:
    with file.open("r+b") as opened:
        opened.seek((page - 1) * PAGE_BYTES)
        opened.write(content)


def detach_index(file: Path) -> None:
    """Add a row while the schema hides an index, which then lacks it."""
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        schema = database.execute("SELECT sql FROM sqlite_master WHERE name = 'ix_documents_expires_at'").fetchone()[0]
        root = database.execute("SELECT rootpage FROM sqlite_master WHERE name = 'ix_documents_expires_at'").fetchone()[
            0
        ]
        database.execute("PRAGMA writable_schema = ON")
        database.execute("DELETE FROM sqlite_master WHERE name = 'ix_documents_expires_at'")
        database.execute("PRAGMA schema_version = 999")
    with closing(sqlite3.connect(file, isolation_level=None)) as database:
        database.execute(ADD, ("unindexed", "word"))
        database.execute("PRAGMA writable_schema = ON")
        database.execute(
            "INSERT INTO sqlite_master VALUES ('index', 'ix_documents_expires_at', 'documents', ?, ?)", (root, schema)
        )
        database.execute("PRAGMA schema_version = 1000")


def ids(file: Path) -> list[str]:
    """Return the ids of all documents of a database that must be whole."""
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        return [identifier for (identifier,) in database.execute("SELECT id FROM documents ORDER BY id")]


def page(table: str, kind: str, content: bytes = b"\xa5" * PAGE_BYTES) -> Callable[[Path], None]:
    def damage(file: Path) -> None:
        overwrite(file, pages_of(file, table, kind)[-1], content)

    return damage


def lose_the_last_page_of_a_text(file: Path) -> None:
    """Zeros are a valid end of a text."""
    overwrite(file, pages_of(file, "documents", "overflow")[-1], b"\0" * PAGE_BYTES)


def spoil_freelist(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database:
        assert database.execute("PRAGMA freelist_count").fetchone()[0] > 0
    overwrite(file, int.from_bytes(file.read_bytes()[32:36], "big"))


def break_text(file: Path) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("UPDATE documents SET title = CAST(x'ff' AS TEXT) WHERE id = 'document-000'")


def truncate(file: Path, size: int) -> None:
    os.truncate(file, size if size >= 0 else file.stat().st_size + size)


def break_schema(file: Path) -> None:
    """The message of SQLite quotes it."""
    content = file.read_bytes()
    file.write_bytes(content.replace(b"CREATE TABLE usernames", b"CREATE \x1b[31m\nE user", 1))


# What a quick check notices, what a deep one does, and what is no database.
QUICK: dict[str, Callable[[Path], object]] = {
    "header": lambda file: overwrite(file, 1),
    "schema": lambda file: overwrite(file, 1, file.read_bytes()[:100] + b"\xa5" * (PAGE_BYTES - 100)),
    "statement of the schema": break_schema,
    "interior page": page("documents", "internal"),
    "leaf": page("documents", "leaf"),
    "zeroed leaf": page("documents", "leaf", b"\0" * PAGE_BYTES),
    "overflow page": page("documents", "overflow"),
    "index": page("ix_documents_expires_at", "leaf"),
    "free page": spoil_freelist,
    "half the file": lambda file: truncate(file, file.stat().st_size // 8192 * PAGE_BYTES),
    "half a page": lambda file: truncate(file, -1000),
}
DEEP: dict[str, Callable[[Path], object]] = {
    "row without its index": detach_index,
    "lost page of a text": lose_the_last_page_of_a_text,
    "text that is no UTF-8": break_text,
}
NO_DATABASE: dict[str, Callable[[Path], object]] = {
    "empty": lambda file: truncate(file, 0),
    "text": lambda file: file.write_text("no database, but long enough to be taken for one " * 100),
}
