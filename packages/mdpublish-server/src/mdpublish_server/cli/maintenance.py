"""`mdpublish-server migrate`, `cleanup`, `backup`, `restore`, `move` and `doctor`."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_server.cli.setup import load_settings, migrated_database, run_migrations, warn_of_unknown_settings

if TYPE_CHECKING:
    from mdpublish_server.storage.backups import Contents


@click.command()
def migrate() -> None:
    """Create the database or migrate it to the current schema. `serve` does this at startup."""
    from mdpublish_server.storage import redacted_url

    settings = load_settings()
    run_migrations(settings)
    click.echo(f"{redacted_url(settings.database_url)} is up to date")


@click.command()
def cleanup() -> None:
    """Delete expired demos and sessions and unused images, and end expired plans. The service does this every ten minutes."""
    from mdpublish_server.clock import utc_now
    from mdpublish_server.services.cleanup import CleanupTask
    from mdpublish_server.services.image_removal import ImageRemoval
    from mdpublish_server.storage.object_store import open_store

    with migrated_database() as database:
        removal = ImageRemoval(database, open_store(load_settings().image_store), utc_now)
        result = asyncio.run(CleanupTask(database, utc_now, removal).run_once())
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

    If the database is corrupt, no backup is written and none is deleted. --keep deletes only files that it has named.
    """
    from mdpublish_server.storage import backups

    if keep is not None and verify:
        raise click.UsageError("--keep writes a backup, --verify only reads one: give one of them")
    if file.is_dir() != (keep is not None):
        problem = "is a folder; name a file, or add --keep N" if keep is None else "is no folder, which --keep needs"
        raise click.UsageError(f"{file} {problem}")
    try:
        if verify:
            _print_contents(backups.verify(file))
            click.echo(f"{file} is a good backup", err=True)
            return
        settings = load_settings()
        if keep is None:
            backups.back_up(settings.database_url, file)
            click.echo(f"wrote {file}", err=True)
            return
        written, deleted, bad = backups.back_up_and_rotate(settings.database_url, file, keep=keep)
    except backups.BackupFailure as failure:
        raise click.ClickException(str(failure)) from None
    click.echo(f"wrote {written}", err=True)
    for each in deleted:
        click.echo(f"deleted {each}", err=True)
    for each in bad:
        click.echo(f"kept {each}, which is no good backup; see mdpublish-server backup --verify", err=True)


def _print_contents(contents: "Contents") -> None:
    from mdpublish_server.storage import unknown_revision

    reason = unknown_revision(contents.schema)
    for name, value in (
        ("database", contents.kind),
        ("schema", f"{contents.schema} ({reason})" if reason else contents.schema),
        ("written", f"{contents.written_at:%Y-%m-%d %H:%M:%S} UTC"),
        ("rows", f"{contents.rows}"),
        ("documents", f"{contents.documents}"),
    ):
        click.echo(f"{name:10}{value}")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def restore(file: Path) -> None:
    """Replace the SQLite database by the backup FILE, which is verified and migrated first.

    Stop the service first. The old database is kept beside the new one, with the time in its name. Archives of PostgreSQL are
    restored with pg_restore.
    """
    from mdpublish_server.storage import redacted_url
    from mdpublish_server.storage.backups import BackupFailure
    from mdpublish_server.storage.restores import restore as restore_file

    settings = load_settings()
    try:
        contents, old = restore_file(file, settings.database_url)
    except BackupFailure as failure:
        raise click.ClickException(str(failure)) from None
    click.echo(f"restored {contents.documents} documents to {redacted_url(settings.database_url)}", err=True)
    if old is not None:
        click.echo(f"the old database is {old}", err=True)


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def move(file: Path) -> None:
    """Copy the SQLite database FILE into the empty PostgreSQL database that MDPUBLISH_DATABASE_URL names.

    Stop the service first. All tables are copied in one transaction and counted; FILE is left as it is.
    """
    from mdpublish_server.storage import MigrationFailure, redacted_url

    settings = load_settings()
    try:
        # Late: it needs PostgreSQL's driver, which some platforms lack.
        from mdpublish_server.storage.moves import MoveFailure
        from mdpublish_server.storage.moves import move as move_rows
    except ImportError as error:
        raise click.ClickException(f"cannot move to PostgreSQL: {error}") from None
    try:
        counts = move_rows(file, settings.database_url)
    except (MoveFailure, MigrationFailure) as failure:
        raise click.ClickException(str(failure)) from None
    for table, count in sorted(counts.items()):
        click.echo(f"{table:20}{count:>10}")
    total = sum(counts.values())
    click.echo(f"moved {total:,} rows of {len(counts)} tables to {redacted_url(settings.database_url)}", err=True)


@click.command()
@click.option(
    "--deep", is_flag=True, help="Also check all indexes, rows and references of the database, which takes longer."
)
def doctor(deep: bool) -> None:
    """Check settings, database, counters, workers, Redis and figure engines, and print how to fix problems."""
    from mdpublish_server.services.health import run_checks

    settings = load_settings()
    warn_of_unknown_settings()
    is_ok = True
    for finding in run_checks(settings, is_deep=deep):
        is_ok = is_ok and finding.is_ok
        click.echo(f"{'ok   ' if finding.is_ok else 'ERROR'}  {finding.message}")
    if not is_ok:
        raise click.exceptions.Exit(1)
