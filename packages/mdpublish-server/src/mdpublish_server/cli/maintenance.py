"""`mdpublish-server migrate`, `cleanup`, `backup`, `move` and `doctor`."""

import asyncio
from pathlib import Path

import click

from mdpublish_server.cli.setup import load_settings, migrated_database, run_migrations


@click.command()
def migrate() -> None:
    """Create the database or migrate it to the current schema. `serve` does this at startup."""
    from mdpublish_server.storage import redacted_url

    settings = load_settings()
    run_migrations(settings)
    click.echo(f"{redacted_url(settings.database_url)} is up to date")


@click.command()
def cleanup() -> None:
    """Delete expired demos and sessions, and end expired plans. The service does this every ten minutes."""
    from mdpublish_server.clock import utc_now
    from mdpublish_server.services.cleanup import CleanupTask

    with migrated_database() as database:
        result = asyncio.run(CleanupTask(database, utc_now).run_once())
    click.echo(f"deleted {result.demos} demos and {result.sessions} sessions, ended {result.plans} plans")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Write a copy of the database to FILE, while the service runs. PostgreSQL is copied with pg_dump."""
    from mdpublish_server.storage.backups import BackupFailure, back_up

    settings = load_settings()
    try:
        back_up(settings.database_url, file)
    except BackupFailure as failure:
        raise click.ClickException(str(failure)) from None
    click.echo(f"wrote {file}", err=True)


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
def doctor() -> None:
    """Check settings, database, counters, workers, Redis and figure engines, and print how to fix problems."""
    from mdpublish_server.services.health import run_checks

    settings = load_settings()
    is_ok = True
    for finding in run_checks(settings):
        is_ok = is_ok and finding.is_ok
        click.echo(f"{'ok   ' if finding.is_ok else 'ERROR'}  {finding.message}")
    if not is_ok:
        raise click.exceptions.Exit(1)
