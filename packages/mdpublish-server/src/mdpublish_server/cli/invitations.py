"""`mdpublish-server invitation`."""

from datetime import timedelta

import click

from mdpublish_server.cli.setup import load_settings, migrated_database, write_transaction
from mdpublish_server.clock import utc_now
from mdpublish_server.services import invitations


@click.group()
def invitation() -> None:
    """Manage invitations: add, list, revoke."""


@invitation.command("add")
@click.option("--note", metavar="TEXT", default="", help="Note for the list, such as the recipient.")
@click.option("--days", type=click.IntRange(1, 365), default=7, show_default=True, help="Days until it expires.")
def add_invitation(note: str, days: int) -> None:
    """Create a link with which one person can sign up, and print it. It is shown only once."""
    settings = load_settings()
    with write_transaction() as transaction:
        token = invitations.invite(transaction, note=note, now=utc_now(), lifetime=timedelta(days=days))
    click.echo(f"{settings.dashboard_url}{invitations.invitation_path(token)}")
    if settings.registration != "invitation":
        click.echo(
            f"MDPUBLISH_REGISTRATION is {settings.registration}; invitations take effect if it is invitation", err=True
        )


@invitation.command("list")
def list_invitations() -> None:
    """List pending invitations as tab-separated values: id, created, expires, note."""
    with migrated_database() as database, database.read_transaction() as transaction:
        for each in invitations.list_invitations(transaction, now=utc_now()):
            times = (f"{time:%Y-%m-%dT%H:%M:%SZ}" for time in (each.created_at, each.expires_at))
            click.echo("\t".join((invitations.id_of(each), *times, each.note)))


@invitation.command("revoke")
@click.argument("invitation_id", metavar="ID")
def revoke_invitation(invitation_id: str) -> None:
    """Revoke an invitation, given its id from the list."""
    with write_transaction() as transaction:
        invitations.revoke(transaction, invitation_id)
    click.echo(f"revoked {invitation_id}", err=True)
