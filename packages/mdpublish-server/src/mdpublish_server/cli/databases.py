"""`mdpublish-server migrate`, `expire`, `backup` and `doctor`: the care of what is kept."""

import asyncio
from pathlib import Path

import click

from mdpublish_server.cli.opening import migrated, opened, settings_of


@click.command()
def migrate() -> None:
    """Prepare the database, or bring it up to date; `serve` does so by itself."""
    from mdpublish_server.storage import address_without_password

    settings = settings_of()
    migrated(settings)
    click.echo(f"{address_without_password(settings.database_url)} is up to date")


@click.command()
def expire() -> None:
    """Clear away now what has ended: demos past 72 hours, plans, sessions. The service does so every ten minutes."""
    from mdpublish_server.clock import utc_now
    from mdpublish_server.sweeping import Sweeper

    with opened() as database:
        swept = asyncio.run(Sweeper(database, utc_now).sweep())
    click.echo(f"cleared away: {swept.demos} demos, {swept.plans} plans, {swept.sessions} sessions")


@click.command()
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def backup(file: Path) -> None:
    """Write a copy of the database to FILE, while the service runs: SQLite's as a database, PostgreSQL's by pg_dump."""
    from mdpublish_server.storage.backups import BackupFailure, back_up

    settings = settings_of()
    try:
        back_up(settings.database_url, file)
    except BackupFailure as failure:
        raise click.ClickException(str(failure)) from None
    click.echo(f"wrote {file}", err=True)


@click.command()
def doctor() -> None:
    """Check settings, database, counters, workers and Redis; say what is wrong, and how to mend it."""
    from mdpublish_server.checkup import findings_of

    settings = settings_of()
    is_well = True
    for finding in findings_of(settings):
        is_well = is_well and finding.is_well
        click.echo(f"{'well ' if finding.is_well else 'WRONG'}  {finding.what}")
    if not is_well:
        raise click.exceptions.Exit(1)
