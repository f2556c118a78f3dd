"""Put a backup in the place of a SQLite database, which stays beside it under another name.

A kill leaves the old database or the new one: the new file is complete, and the old one has no log, before one rename
replaces it. What is restored is copied, verified and migrated first.
"""

import os
import shutil
import sqlite3
from collections.abc import Callable
from contextlib import ExitStack, closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from mdpublish_server.storage.backups import BackupFailure, Contents, copy_sqlite, verify
from mdpublish_server.storage.database import MigrationFailure, migrate, sqlite_path, unknown_revision
from mdpublish_server.storage.integrity import file_problem, open_unchanged
from mdpublish_server.storage.private_files import unfinished_file
from mdpublish_server.storage.sqlite import is_corrupt, is_in_use, locked_connection


def restore(
    file: Path, database_url: str, *, bring_files: Callable[[], None] = lambda: None
) -> tuple[Contents, Path | None]:
    """Return what the backup held, and the name of the database that was replaced. Raises `BackupFailure`.

    `bring_files` is called before the database is replaced, so that each image has its file then.
    """
    path = sqlite_path(database_url)
    contents = verify(file)
    if path is None or contents.kind != "SQLite":
        target = "PostgreSQL" if path is None else "a SQLite database"
        raise BackupFailure(
            f"cannot restore a backup of {contents.kind} into {target}; restore archives of pg_dump with pg_restore, "
            "into a new database that MDPUBLISH_DATABASE_URL names then"
        )
    # A link stays.
    database = Path(os.path.realpath(path))
    if database.exists() and database.samefile(file):
        raise BackupFailure(f"{file} is the database itself; name a backup")
    if reason := unknown_revision(contents.schema):
        raise BackupFailure(f"{file} has the schema {contents.schema}, {reason}")
    try:
        # The lock is held until the file is replaced.
        with ExitStack() as lock, unfinished_file(database) as new:
            with closing(open_unchanged(file, is_at_rest=True)) as backup:
                copy_sqlite(backup, new)
            migrate(f"sqlite:///{new}")
            verify(new)
            bring_files()
            return contents, _keep(database, new, lock)
    except MigrationFailure as failure:
        raise BackupFailure(str(failure)) from failure
    except (OSError, sqlite3.Error) as error:
        raise BackupFailure(f"cannot write {database}: {error}; nothing was restored") from error


def _keep(database: Path, new: Path, lock: ExitStack) -> Path | None:
    """Give the old database, with all of its log, a second name; keep others from opening it."""
    old = database.with_name(f"{database.name}.replaced-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}")
    log, old_log = (Path(f"{each}-wal") for each in (database, old))
    if database.exists():
        if not _is_log_whole(database):
            _copy_log(log, old_log)
        try:
            connection = lock.enter_context(locked_connection(str(database)))
            connection.execute("COMMIT")
            # Writes the log into the database.
            connection.execute("PRAGMA journal_mode = DELETE")
            connection.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            if not is_corrupt(error):
                old_log.unlink(missing_ok=True)
            if is_in_use(error):
                raise BackupFailure(f"{database} is in use; stop the service first") from error
            if not is_corrupt(error):
                raise
        owner = database.stat()
        if os.name == "posix":
            with suppress(PermissionError):
                os.chown(new, owner.st_uid, owner.st_gid)
        os.link(database, old)
    # Left by a database that SQLite cannot open: it would apply them to the new one.
    if log.exists() and not old_log.exists():
        _copy_log(log, old_log)
    for suffix in ("-wal", "-shm", "-journal"):
        Path(f"{database}{suffix}").unlink(missing_ok=True)
    return old if old.exists() else None


def _is_log_whole(database: Path) -> bool:
    try:
        return file_problem(database) is None
    except sqlite3.Error:
        return False


def _copy_log(log: Path, old_log: Path) -> None:
    if log.exists() and log.stat().st_size:
        with unfinished_file(old_log) as copy:
            shutil.copyfile(log, copy)
