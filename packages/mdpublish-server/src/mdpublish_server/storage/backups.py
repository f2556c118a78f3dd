"""Database backups."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path

from sqlalchemy.engine import make_url

from mdpublish_server.storage.database import redacted_url
from mdpublish_server.storage.private_files import unfinished_file


class BackupFailure(Exception):  # noqa: N818  (named after the fault)
    """A failed backup; the message says why."""


def back_up(database_url: str, file: Path) -> None:
    """Copy the live database; raises `BackupFailure`."""
    if file.exists():
        raise BackupFailure(f"{file} already exists; backups never overwrite files")
    if database_url.startswith("sqlite:"):
        _copy(Path(database_url.removeprefix("sqlite:///")), file)
    else:
        _dump(database_url, file)


def _copy(source: Path, file: Path) -> None:
    if not source.is_file():
        raise BackupFailure(f"no database at {source}")
    try:
        with (
            unfinished_file(file) as temporary,
            closing(sqlite3.connect(source)) as database,
            closing(sqlite3.connect(temporary)) as copy,
        ):
            database.backup(copy)
    except (OSError, sqlite3.Error) as error:
        raise BackupFailure(f"cannot write {file}: {error}") from error


def _dump(database_url: str, file: Path) -> None:
    program = shutil.which("pg_dump")
    if program is None:
        raise BackupFailure("pg_dump is not installed; install the PostgreSQL client package")
    url = make_url(database_url).set(drivername="postgresql")
    # Not on the command line, which other users can read.
    shown = url._replace(password=None).render_as_string(hide_password=False)
    environment = {**os.environ, "PGPASSWORD": str(url.password)} if url.password else None
    try:
        # pg_dump would create the file with the mode of the umask.
        with unfinished_file(file) as temporary, temporary.open("wb") as output:
            done = subprocess.run(  # noqa: S603  (pg_dump with the operator's own URL)
                [program, "--format=custom", shown], env=environment, stdout=output, stderr=subprocess.PIPE, check=False
            )
            if done.returncode:
                problem = done.stderr.decode(errors="replace").strip()
                raise BackupFailure(f"pg_dump of {redacted_url(database_url)} failed: {problem}")
    except OSError as error:
        raise BackupFailure(f"cannot write {file}: {error}") from error
