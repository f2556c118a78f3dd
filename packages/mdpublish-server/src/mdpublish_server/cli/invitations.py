"""`mdpublish-server invitation`: links that let people sign up where registration is by invitation.

What a program reads stands on standard output: a new link, a list. Everything else is said on standard error.
"""

from datetime import UTC, datetime, timedelta

import click

from mdpublish_server.cli.setup import load_settings, migrated_database, write_transaction


@click.group()
def invitation() -> None:
    """Invite people, where signing up takes that: make links, list and revoke them."""


@invitation.command("add")
@click.option("--note", metavar="TEXT", default="", help="For whom it is, for the list.")
@click.option("--days", type=click.IntRange(1, 365), default=7, show_default=True, help="How long it holds.")
def add_invitation(note: str, days: int) -> None:
    """Make a link that lets one person sign up, and print it: it is shown this once."""
    from mdpublish_server.services.invitations import invitation_path, invite

    settings = load_settings()
    with write_transaction() as transaction:
        token = invite(transaction, note=note, now=datetime.now(UTC), lifetime=timedelta(days=days))
    click.echo(f"{settings.dashboard_url}{invitation_path(token)}")
    if settings.registration != "invitation":
        click.echo(
            f"MDPUBLISH_REGISTRATION is {settings.registration}; set it to invitation for links to count", err=True
        )


@invitation.command("list")
def list_invitations() -> None:
    """List invitations that can be used: id, when it was made, until when it holds, note; tabs between."""
    from mdpublish_server.services.invitations import id_of
    from mdpublish_server.services.invitations import list_invitations as usable

    with migrated_database() as database, database.read_transaction() as transaction:
        for each in usable(transaction, now=datetime.now(UTC)):
            times = (f"{time:%Y-%m-%dT%H:%M:%SZ}" for time in (each.created_at, each.expires_at))
            click.echo("\t".join((id_of(each), *times, each.note)))


@invitation.command("revoke")
@click.argument("invitation_id", metavar="ID")
def revoke_invitation(invitation_id: str) -> None:
    """Take an invitation back, named by its id in the list."""
    from mdpublish_server.services.invitations import revoke

    with write_transaction() as transaction:
        revoke(transaction, invitation_id)
    click.echo(f"revoked {invitation_id}", err=True)
