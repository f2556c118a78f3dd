"""`mdpublish-server migrate`, `cleanup`, `backup`, `restore`, `move` and `doctor`."""

import asyncio
from functools import partial
from pathlib import Path

import click

from mdpublish_server.cli.setup import (
    load_settings,
    migrated_database,
    record_command,
    warn_of_unknown_settings,
)
from mdpublish_server.clock import utc_now
from mdpublish_server.errors import ServiceError
from mdpublish_server.services.image_audit import audit_images
from mdpublish_server.settings import Settings
from mdpublish_server.storage import backups, redacted_url, unknown_revision
from mdpublish_server.storage import migrate as migrate_database
from mdpublish_server.storage.image_copies import copy_missing, image_folder
from mdpublish_server.storage.object_store import FolderStore, is_bucket, open_store, redacted_store
from mdpublish_server.storage.restores import restore as restore_file


@click.command()
def migrate() -> None:
    """Create the database or migrate it to the current schema. `serve` does this at startup."""
    settings = load_settings()
    migrate_database(settings.database_url)
    click.echo(f"{redacted_url(settings.database_url)} is up to date")


@click.command()
def cleanup() -> None:
    """Delete expired demos and sessions and unused images, and end expired plans. The service does this every ten minutes."""
    from mdpublish_server.services.cleanup import CleanupTask
    from mdpublish_server.services.image_removal import ImageRemoval

    with migrated_database() as database:
        settings = load_settings()
        removal = ImageRemoval(database, open_store(settings.image_store), utc_now)
        task = CleanupTask(database, utc_now, removal, audit_days=settings.audit_days)
        result = asyncio.run(task.run_once())
    click.echo(
        f"deleted {result.demos} demos, {result.sessions} sessions and {result.images} images, ended {result.plans} plans"
    )


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option(
    "--keep",
    metavar="N",
    type=click.IntRange(1, 10_000),
    help="FILE is a folder: add a backup named by its time, then delete all but the N newest good ones.",
)
@click.option("--verify", is_flag=True, help="Check the backup FILE, and print what it holds.")
def backup(file: Path, keep: int | None, verify: bool) -> None:
    """Write a copy of the database to FILE, while the service runs, and verify it. PostgreSQL is copied with pg_dump.

    Images in a folder are copied to FILE.images. Those in a bucket are not: let the bucket keep versions.

    If the database is corrupt, no backup is written and none is deleted. --keep deletes only files that it has named.
    """
    if keep is not None and verify:
        raise click.UsageError("--keep writes a backup, --verify only reads one: give one of them")
    if file.is_dir() != (keep is not None):
        problem = "is a folder; name a file, or add --keep N" if keep is None else "is no folder, which --keep needs"
        raise click.UsageError(f"{file} {problem}")
    if verify:
        _print_contents(backups.verify(file))
        click.echo(f"{file} is a good backup", err=True)
        return
    settings = load_settings()
    images = None if is_bucket(settings.image_store) else Path(settings.image_store)
    rotation = None
    if keep is None:
        written, copied = file, backups.back_up(settings.database_url, file, images=images)
    else:
        rotation = backups.back_up_and_rotate(settings.database_url, file, keep=keep, images=images)
        written, copied = rotation.written, rotation.copied
    click.echo(f"wrote {written}", err=True)
    if copied:
        click.echo(f"copied {copied:,} image files to {image_folder(written)}", err=True)
    if images is None:
        click.echo(
            f"the images are not in it: let the bucket {redacted_store(settings.image_store)} keep versions, or copy "
            "it with its provider's tools",
            err=True,
        )
    for each in rotation.deleted if rotation else ():
        click.echo(f"deleted {each}", err=True)
    for each in rotation.bad if rotation else ():
        click.echo(f"kept {each}, which is no good backup; see mdpublish-server backup --verify", err=True)


def _print_contents(contents: backups.Contents) -> None:
    reason = unknown_revision(contents.schema)
    for name, value in (
        ("database", contents.kind),
        ("schema", f"{contents.schema} ({reason})" if reason else contents.schema),
        ("written", f"{contents.written_at:%Y-%m-%d %H:%M:%S} UTC"),
        ("rows", f"{contents.rows}"),
        ("documents", f"{contents.documents}"),
        (
            "images",
            f"{contents.images}" + (f" ({contents.lost_images} without a file)" if contents.lost_images else ""),
        ),
    ):
        click.echo(f"{name:10}{value}")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def restore(file: Path) -> None:
    """Replace the SQLite database by the backup FILE, which is verified and migrated first.

    Stop the service first. Images in FILE.images are copied back to the image store, which keeps what it has. The old
    database is kept beside the new one, with the time in its name. Archives of PostgreSQL are restored with pg_restore.
    """
    settings = load_settings()
    bring_files = partial(_bring_images, image_folder(file), settings.image_store)
    contents, old = restore_file(file, settings.database_url, bring_files=bring_files)
    _warn_of_lost_images(settings)
    record_command(str(file))
    click.echo(f"restored {contents.documents} documents to {redacted_url(settings.database_url)}", err=True)
    if old is not None:
        click.echo(f"the old database is {old}", err=True)


def _bring_images(folder: Path, location: str) -> None:
    """Copy the files of a folder that the image store lacks."""
    try:
        copied = asyncio.run(copy_missing(FolderStore(folder), open_store(location)))
    except ServiceError as error:
        raise click.ClickException(
            f"cannot copy the images of {folder} to {redacted_store(location)}: {error.__cause__}; the database is as it was"
        ) from None
    if copied:
        click.echo(f"copied {copied:,} image files to {redacted_store(location)}", err=True)


def _warn_of_lost_images(settings: Settings) -> None:
    audit = asyncio.run(audit_images(settings.database_url, open_store(settings.image_store)))
    if audit.lost:
        click.echo(
            f"{len(audit.lost):,} images have no file in {redacted_store(settings.image_store)}; copy their files to "
            "it, see mdpublish-server doctor --deep",
            err=True,
        )


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def move(file: Path) -> None:
    """Copy the SQLite database FILE into the empty PostgreSQL database that MDPUBLISH_DATABASE_URL names.

    Stop the service first. All tables are copied in one transaction and counted; FILE is left as it is. Images in
    FILE.images are copied to the image store, unless they are there.
    """
    settings = load_settings()
    try:
        # Late: it needs PostgreSQL's driver, which some platforms lack.
        from mdpublish_server.storage.moves import move as move_rows
    except ImportError as error:
        raise click.ClickException(f"cannot move to PostgreSQL: {error}") from None
    bring_files = partial(_bring_images, image_folder(file), settings.image_store)
    counts = move_rows(file, settings.database_url, bring_files=bring_files)
    _warn_of_lost_images(settings)
    record_command(str(file))
    for table, count in sorted(counts.items()):
        click.echo(f"{table:20}{count:>10}")
    total = sum(counts.values())
    click.echo(f"moved {total:,} rows of {len(counts)} tables to {redacted_url(settings.database_url)}", err=True)


@click.command()
@click.option(
    "--deep", is_flag=True, help="Also check all indexes, rows and references of the database, which takes longer."
)
def doctor(deep: bool) -> None:
    """Check settings, database, counters, port, workers, Redis, figure engines and fonts, and print how to fix problems."""
    from mdpublish_server.services.health import run_checks

    settings = load_settings()
    warn_of_unknown_settings()
    is_ok = True
    for finding in run_checks(settings, is_deep=deep):
        is_ok = is_ok and finding.is_ok
        click.echo(f"{'ok   ' if finding.is_ok else 'ERROR'}  {finding.message}")
    if not is_ok:
        raise click.exceptions.Exit(1)
