"""Whether a database is corrupt. No check changes a file: the last connection that may write deletes SQLite's log."""

import sqlite3
import struct
import sys
import time
from collections import Counter, deque
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from sqlalchemy import Connection

from mdpublish_server.storage.database import connected, sqlite_path
from mdpublish_server.storage.sqlite import BUSY_TIMEOUT_MS, file_uri
from mdpublish_server.storage.tables import METADATA

_ZEROS = "\0" * 16
"""Bytes of a lost page: the service stores no NUL. SQLite finds others, but not the last page of a long text."""

# https://www.sqlite.org/walformat.html
_WAL_HEADER = struct.Struct(">16s8s8s")
_WAL_MAGIC = {b"\x37\x7f\x06\x82": "<", b"\x37\x7f\x06\x83": ">"}
_WAL_FRAME = struct.Struct(">II8s")
_WAL_FRAME_HEADER_BYTES = 24
_WAL_INDEX = struct.Struct("=16xI12x8s")
_WAL_INDEX_USERS = 128
_POLL_SECONDS = 0.1


def find_problems(database_url: str, *, is_deep: bool) -> list[str]:
    """Return one line for each problem. Raises `MigrationFailure` if PostgreSQL cannot be reached."""
    if (path := sqlite_path(database_url)) is not None:
        return sqlite_problems(Path(path), is_deep=is_deep)
    with connected(database_url) as connection:
        return list(_postgresql_problems(connection.execution_options(isolation_level="AUTOCOMMIT"), is_deep=is_deep))


def sqlite_problems(file: Path, *, is_deep: bool, is_at_rest: bool = False) -> list[str]:
    """Run SQLite's check of pages, or with `is_deep` those of indexes, texts and foreign keys too."""
    try:
        if problem := file_problem(file, is_at_rest=is_at_rest):
            return [problem]
        with closing(open_unchanged(file, is_at_rest=is_at_rest)) as database:
            problems = page_problems(database, is_deep=is_deep)
            if is_deep and not problems:
                problems += _foreign_key_problems(database)
    except (OSError, sqlite3.Error) as error:
        return [in_one_line(error)]
    return problems


def page_problems(database: sqlite3.Connection, *, is_deep: bool) -> list[str]:
    """Check pages and, with `is_deep`, indexes and texts."""
    problems: list[str] = []
    try:
        for (message,) in database.execute(f"PRAGMA {'integrity_check' if is_deep else 'quick_check'}"):
            problems += [
                in_one_line(line) for line in message.split("\n") if line != "ok" and not line.startswith("***")
            ]
        if is_deep and not problems:
            problems += _text_problems(database)
    except sqlite3.Error as error:
        problems.append(in_one_line(error))
    return problems


def open_unchanged(file: Path, *, is_at_rest: bool = False) -> sqlite3.Connection:
    """Open a database to read it. Nobody writes to one `is_at_rest`, and its folder may be read-only."""
    uri = file_uri(str(file), mode="ro")
    if is_at_rest and not _log_of(file).exists():
        uri += "&immutable=1"
    database = sqlite3.connect(uri, uri=True, isolation_level=None)
    database.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    return database


def file_problem(file: Path, *, is_at_rest: bool = False) -> str | None:
    """Say what SQLite passes over in silence: half a page at the end, and a log that it cannot read to its end."""
    log = _log_of(file)
    if log.exists() and log.stat().st_size and not file.stat().st_size:
        return f"it is empty, but its log {log} is not"  # SQLite would delete that
    # Reads the log if nobody has it open, and writes where it ends to the file -shm. Closed before that is read:
    # closing any descriptor of a file ends the process's locks on it.
    with closing(open_unchanged(file, is_at_rest=is_at_rest)) as database:
        database.execute("SELECT count(*) FROM sqlite_master").fetchone()
        page_bytes: int = database.execute("PRAGMA page_size").fetchone()[0]
    if file.stat().st_size % page_bytes:
        return "its last page is cut off"
    index = Path(f"{file}-shm")
    end = _end_of(index)
    problem = _log_problem(log, end)
    deadline = time.monotonic() + BUSY_TIMEOUT_MS / 1000
    while problem and _is_shared(index) and time.monotonic() < deadline:
        time.sleep(_POLL_SECONDS)
        if _end_of(index) != end:
            return None  # what followed was a commit under way
    return problem


def in_one_line(problem: object) -> str:
    """Return a message, which may quote damaged bytes, as printable text."""
    return " ".join("".join(each if each.isprintable() else " " for each in str(problem)).split())


def _log_of(file: Path) -> Path:
    return Path(f"{file}-wal")


def _end_of(index: Path) -> tuple[int, bytes] | None:
    """Return the last frame of the log that SQLite knows, and the salt of all its frames."""
    try:
        last, salt = _WAL_INDEX.unpack(index.read_bytes()[: _WAL_INDEX.size])
    except (FileNotFoundError, struct.error):
        return None  # closed by the last connection meanwhile
    return last, salt


def _log_problem(log: Path, end: tuple[int, bytes] | None) -> str | None:
    """Look for commits behind the last frame that SQLite knows: it drops all that follow a damaged one."""
    if end is None:
        return None
    last, salt = end
    try:
        if log.stat().st_size <= _WAL_HEADER.size:
            return None
        with log.open("rb") as opened:
            header = opened.read(_WAL_HEADER.size)
            start, salt_of_log, checksum = _WAL_HEADER.unpack(header)
            if _checksum(header[:24]) != checksum:
                return f"the header of its log {log} is damaged; what was committed there is lost"
            frame_bytes = _WAL_FRAME_HEADER_BYTES + int.from_bytes(start[8:12], "big")
            number = last + 1
            while salt == salt_of_log:
                opened.seek(_WAL_HEADER.size + (number - 1) * frame_bytes)
                frame = opened.read(_WAL_FRAME.size)
                if len(frame) < _WAL_FRAME.size:
                    break
                _page, size_at_commit, salt_of_frame = _WAL_FRAME.unpack(frame)
                if size_at_commit and salt_of_frame == salt:
                    return f"its log {log} is damaged at frame {last + 1}; what was committed after it is lost"
                number += 1
    except (FileNotFoundError, struct.error):
        pass
    return None


def _is_shared(index: Path) -> bool:
    """Say whether another process has the database open: then it holds the lock of this byte."""
    if sys.platform == "win32":
        return True
    import fcntl

    try:
        with index.open("r+b") as opened:
            fcntl.lockf(opened, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _WAL_INDEX_USERS)
    except OSError:
        return True
    return False


def _checksum(header: bytes) -> bytes:
    if (endianness := _WAL_MAGIC.get(header[:4])) is None:
        return b""
    first = second = 0
    for one, other in struct.iter_unpack(f"{endianness}II", header):
        first = (first + one + second) & 0xFFFFFFFF
        second = (second + other + first) & 0xFFFFFFFF
    return struct.pack(">II", first, second)


def _text_problems(database: sqlite3.Connection) -> Iterator[str]:
    for table in tables_of(database):
        try:
            for row in database.execute(f'SELECT * FROM "{table}"'):  # noqa: S608  (its own name)
                if any(isinstance(value, str) and _ZEROS in value for value in row):
                    yield f"a text in {table} has lost a page"
                    break
        except sqlite3.OperationalError as error:
            yield f"{table}: {error}"


def tables_of(database: sqlite3.Connection) -> list[str]:
    """Return the names of tables, without those that an index of words keeps for itself."""
    rows = database.execute(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name NOT LIKE 'document_index%'"
    )
    return [name for (name,) in rows]


def _foreign_key_problems(database: sqlite3.Connection) -> list[str]:
    missing = Counter((table, parent) for table, _row, parent, _key in database.execute("PRAGMA foreign_key_check"))
    return [f"{count:,} rows of {table} name no row of {parent}" for (table, parent), count in missing.items()]


def _postgresql_problems(connection: Connection, *, is_deep: bool) -> Iterator[str]:
    """Read all rows, as pg_dump does, and use amcheck where it is installed and allowed."""
    allowed = set(
        connection.exec_driver_sql(
            "SELECT proname FROM pg_proc WHERE proname IN ('bt_index_check', 'verify_heapam') "
            "AND pg_function_is_visible(oid) AND has_function_privilege(oid, 'execute')"
        ).scalars()
    )
    relations = connection.exec_driver_sql(
        "SELECT c.oid::regclass::text, i.indexrelid IS NOT NULL FROM pg_class c LEFT JOIN pg_am a ON a.oid = c.relam "
        "LEFT JOIN pg_index i ON i.indexrelid = c.oid LEFT JOIN pg_class t ON t.oid = i.indrelid "
        "WHERE c.relnamespace = current_schema()::regnamespace AND (c.relkind = 'r' OR a.amname = 'btree') "
        "AND coalesce(t.relname, c.relname) = ANY(%s) ORDER BY 1",
        (list(METADATA.tables),),
    ).all()
    cursor: Any = connection.connection.cursor()
    for name, is_index in relations:
        try:
            if not is_index:
                with cursor.copy(f"COPY {name} TO STDOUT") as rows:
                    deque(rows, maxlen=0)
            if is_index and "bt_index_check" in allowed:
                cursor.execute("SELECT bt_index_check(%s, %s)", (name, is_deep))
            if not is_index and is_deep and "verify_heapam" in allowed:
                yield from (
                    f"{name}: {message}"
                    for (message,) in cursor.execute("SELECT DISTINCT msg FROM verify_heapam(%s) LIMIT 10", (name,))
                )
        except connection.dialect.loaded_dbapi.Error as error:
            yield f"{name}: {in_one_line(error)}"
