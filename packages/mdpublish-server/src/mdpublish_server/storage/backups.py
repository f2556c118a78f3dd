"""Database backups, verified before they get their name. A corrupt database gets none."""

import os
import re
import shutil
import sqlite3
import subprocess
import tempfile
from collections import Counter
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy.engine import make_url

from mdpublish_server.errors import OperatorFailure
from mdpublish_server.storage.database import redacted_url, sqlite_path
from mdpublish_server.storage.image_copies import copy_folder, image_folder, sizes_by_stem
from mdpublish_server.storage.integrity import file_problem, in_one_line, open_unchanged, page_problems, tables_of
from mdpublish_server.storage.object_store import file_sizes
from mdpublish_server.storage.private_files import unfinished_file
from mdpublish_server.storage.sqlite import is_corrupt
from mdpublish_server.storage.tables import DOCUMENTS, IMAGES
from mdpublish_server.storage.transactions import POOLED

_SCHEMA_TABLE = "alembic_version"
_COPIED_TABLE = re.compile(rb"COPY (?:\S+\.)?(\w+) \(.*\) FROM stdin;\n")


class BackupFailure(OperatorFailure):
    """A failed backup or restore; the message says why."""


class Corruption(BackupFailure):
    """What should be copied or restored is corrupt."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Contents:
    """What a good backup holds."""

    kind: str
    schema: str
    rows: int
    documents: int
    images: int
    lost_images: int
    """Those without a file in the folder beside the backup, if there is one."""
    written_at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation:
    """A new backup in a folder, the number of its images, what was deleted, and newer files that are not good."""

    written: Path
    copied: int
    deleted: list[Path]
    bad: list[Path]


def back_up(database_url: str, file: Path, *, images: Path | None = None, earlier: Path | None = None) -> int:
    """Copy the live database and verify the copy, then copy the folder of images, if there is one, beside it.

    Return the number of images' files; those that an `earlier` backup has become links to them. Raises `BackupFailure`.
    """
    for each in (file, image_folder(file)):
        if os.path.lexists(each):
            raise BackupFailure(f"{each} already exists; backups never overwrite files")
    try:
        with unfinished_file(file) as temporary:
            if (path := sqlite_path(database_url)) is not None:
                _copy(Path(path), temporary)
            else:
                _dump(database_url, temporary)
            # After the rows, so that each of these has its file, and before the backup has its name.
            if images is None or not images.is_dir():
                return 0
            return copy_folder(images, image_folder(file), earlier=earlier and image_folder(earlier))
    except Corruption as failure:
        raise Corruption(f"{failure}; no backup was written, and earlier ones stay") from failure
    except (OSError, sqlite3.Error) as error:
        raise BackupFailure(f"cannot write {file}: {error}") from error


def back_up_and_rotate(database_url: str, folder: Path, *, keep: int, images: Path | None = None) -> Rotation:
    """Write a backup into a folder, and delete those older than the `keep` newest good ones. Raises `BackupFailure`."""
    path = sqlite_path(database_url)
    name = Path(path).stem if path is not None else make_url(database_url).database or "postgresql"
    written = folder / f"{name}-{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}{'.dump' if path is None else '.db'}"
    pattern = re.compile(rf"{re.escape(name)}-(\d{{8}}T\d{{6}}\.\d{{6}}Z)\.(?:db|dump)")
    others = {
        match[1]: each
        for each in folder.iterdir()
        if (match := pattern.fullmatch(each.name)) and each.is_file() and not each.is_symlink()
    }
    earlier = [file for _, file in sorted(others.items()) if image_folder(file).is_dir()]
    copied = back_up(database_url, written, images=images, earlier=earlier[-1] if earlier else None)
    good, deleted, bad = 1, [], []
    # Nothing to delete, nothing to verify.
    for _, file in sorted(others.items(), reverse=True) if len(others) >= keep else ():
        if good == keep:
            # First: a file without the folder is deleted next time, but a folder without the file would stay.
            shutil.rmtree(image_folder(file), ignore_errors=True)
            file.unlink(missing_ok=True)
            deleted.append(file)
        elif _is_good(file):
            good += 1
        else:
            bad.append(file)
    return Rotation(written=written, copied=copied, deleted=deleted, bad=bad)


def verify(file: Path, *, name: str | None = None) -> Contents:
    """Check all of a backup, which `name` stands for in messages; raises `BackupFailure`."""
    name = name or str(file)
    if not file.is_file():
        raise BackupFailure(f"no file at {name}")
    try:
        with file.open("rb") as opened:
            start = opened.read(16)
        if start.startswith(b"PGDMP"):
            return _verify_dump(file, name)
        if start.startswith(b"SQLite format 3"):
            return _verify_copy(file, name)
    except OSError as error:
        raise BackupFailure(f"cannot read {name}: {error.strerror}") from error
    fault = "it is neither a SQLite database nor an archive of pg_dump" if start else "it is empty"
    raise BackupFailure(f"{name} is no backup: {fault}")


def _corruption(name: str, problem: object, *, others: int = 0) -> Corruption:
    more = f" (and {others} more problems)" if others else ""
    return Corruption(f"{name} is corrupt: {in_one_line(problem)}{more}")


def copy_sqlite(source: sqlite3.Connection, file: Path) -> None:
    """Fill an empty file with a copy that has no log; raises `sqlite3.Error`."""
    with closing(sqlite3.connect(file)) as copy:
        # A killed copy leaves one file only.
        copy.execute("PRAGMA journal_mode = OFF")
        source.backup(copy)
        copy.execute("PRAGMA journal_mode = MEMORY")


def _copy(source: Path, file: Path) -> None:
    if not source.is_file():
        raise BackupFailure(f"no database at {source}")
    name = f"the database {source}"
    try:
        if problem := file_problem(source):
            raise _corruption(name, problem)
        with closing(open_unchanged(source)) as database:
            copy_sqlite(database, file)
        verify(file, name=name)
    except sqlite3.DatabaseError as error:
        if is_corrupt(error):
            raise _corruption(name, error) from error
        raise


def _verify_copy(file: Path, name: str) -> Contents:
    try:
        if problem := file_problem(file, is_at_rest=True):
            raise _corruption(name, problem)
        with closing(open_unchanged(file, is_at_rest=True)) as database:
            if problems := page_problems(database, is_deep=True):
                raise _corruption(name, problems[0], others=len(problems) - 1)
            counts = {
                table: database.execute(f'SELECT count(*) FROM "{table}"').fetchone()[0]  # noqa: S608  (its own name)
                for table in tables_of(database)
            }
            query = f"SELECT version_num FROM {_SCHEMA_TABLE}"  # noqa: S608
            row = database.execute(query).fetchone() if _SCHEMA_TABLE in counts else None
            lost = _lost_images(database, file) if IMAGES.name in counts else 0
    except sqlite3.Error as error:
        raise (
            _corruption(name, error) if is_corrupt(error) else BackupFailure(f"cannot read {name}: {error}")
        ) from error
    return _contents(file, name, "SQLite", row and row[0], counts, lost=lost)


def _lost_images(database: sqlite3.Connection, file: Path) -> int:
    """Return the number of images without a whole file beside the backup; 0 if it has no folder of them."""
    if not image_folder(file).is_dir():
        return 0
    sizes = sizes_by_stem(file_sizes(image_folder(file)))
    columns = "replace(id, '-', ''), bytes"
    rows = database.execute(f"SELECT {columns} FROM {IMAGES.name} WHERE removable_at IS NULL")  # noqa: S608  (our names)
    return sum(sizes.get(stem) != size for stem, size in rows)


def _verify_dump(file: Path, name: str) -> Contents:
    """Let pg_restore read all of an archive, and count its rows."""
    counts: Counter[str] = Counter()
    schema = table = None
    with tempfile.TemporaryFile() as errors:
        command = [_program("pg_restore"), "--file=-", str(file)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=errors) as process:  # noqa: S603  (our arguments)
            assert process.stdout is not None
            for line in process.stdout:
                if table is None:
                    match = _COPIED_TABLE.fullmatch(line)
                    table = match[1].decode() if match else None
                elif line == b"\\.\n":
                    table = None
                else:
                    counts[table] += 1
                    schema = line.decode().strip() if table == _SCHEMA_TABLE else schema
        errors.seek(0)
        if process.returncode:
            raise _corruption(name, errors.read().decode(errors="replace"))
    return _contents(file, name, "PostgreSQL", schema, counts)


def _contents(
    file: Path, name: str, kind: str, schema: str | None, counts: dict[str, int], *, lost: int = 0
) -> Contents:
    if schema is None:
        raise BackupFailure(f"{name} is no database of mdpublish: it has no schema version")
    return Contents(
        kind=kind,
        schema=schema,
        rows=sum(counts.values()) - counts[_SCHEMA_TABLE],
        documents=counts.get(DOCUMENTS.name, 0),
        images=counts.get(IMAGES.name, 0),
        lost_images=lost,
        written_at=datetime.fromtimestamp(file.stat().st_mtime, UTC),
    )


def _is_good(file: Path) -> bool:
    try:
        verify(file)
    except BackupFailure:
        return False
    return True


def _program(name: str) -> str:
    if (program := shutil.which(name)) is None:
        raise BackupFailure(f"{name} is not installed; install the PostgreSQL client package")
    return program


def _dump(database_url: str, file: Path) -> None:
    program = _program("pg_dump")
    url = make_url(database_url).set(drivername="postgresql").difference_update_query([POOLED])
    # Not on the command line, which other users can read.
    shown = url._replace(password=None).render_as_string(hide_password=False)
    environment = {**os.environ, "PGPASSWORD": str(url.password)} if url.password else None
    # pg_dump would create the file with the mode of the umask.
    with file.open("wb") as output:
        done = subprocess.run(  # noqa: S603  (pg_dump with the operator's own URL)
            [program, "--format=custom", shown], env=environment, stdout=output, stderr=subprocess.PIPE, check=False
        )
    if done.returncode:
        problem = in_one_line(done.stderr.decode(errors="replace"))
        raise BackupFailure(f"pg_dump of {redacted_url(database_url)} failed: {problem}")
    verify(file, name=f"the archive of {redacted_url(database_url)}")
