"""`mdpublish-server account`, `key` and `page`."""

import sys
from datetime import UTC, datetime
from typing import TYPE_CHECKING

import click

from mdpublish_server.cli.setup import load_settings, migrated_database, parse_date, require_account, write_transaction

if TYPE_CHECKING:
    from mdpublish_server.services.security_mails import Event
    from mdpublish_server.storage import Account, Database

_PLANS = ("free", "pro")


@click.group()
def account() -> None:
    """Manage accounts: add, list, set the plan, suspend, delete."""


@account.command("add")
@click.argument("email")
@click.option("--password-stdin", is_flag=True, help="Read a password from standard input, for signing in to the site.")
@click.option("--username", metavar="NAME", help="Username, which is part of the URLs of the account's pages.")
@click.option("--plan", type=click.Choice(_PLANS), default="free", show_default=True, help="Plan of the account.")
def add_account(email: str, password_stdin: bool, username: str | None, plan: str) -> None:
    """Create an account. Without a password it can use API keys, but not sign in to the site."""
    from mdpublish_server.auth.passwords import hash_password, validate_password
    from mdpublish_server.services.accounts import create_account

    with write_transaction() as transaction:
        password_hash = None
        if password_stdin:
            password_hash = hash_password(validate_password(sys.stdin.readline().rstrip("\r\n")))
        created = create_account(
            transaction, email=email, password_hash=password_hash, username=username, plan=plan, now=datetime.now(UTC)
        )
    click.echo(f"added {created.email} ({created.plan})", err=True)


@account.command("list")
def list_accounts() -> None:
    """List accounts as tab-separated values.

    Columns: email address, username, plan, documents, published pages, API requests this month, state. The state
    is active, deactivated or suspended, followed by operator for operators.
    """
    from mdpublish_server.storage.accounts import list_accounts as all_accounts

    with migrated_database() as database, database.read_transaction() as transaction:
        for each in all_accounts(transaction):
            until = f" until {each.plan_until:%Y-%m-%dT%H:%M:%SZ}" if each.plan_until else ""
            barred = "deactivated" if each.is_deactivated else "suspended" if each.is_suspended else "active"
            state = barred + (" operator" if each.is_operator else "")
            fields = (
                each.email,
                each.username or "-",
                f"{each.plan}{until}",
                str(each.documents),
                str(each.pages),
                f"{each.month}: {each.used}",
                state,
            )
            click.echo("\t".join(fields))


@account.command("plan")
@click.argument("email")
@click.argument("plan", type=click.Choice(_PLANS))
@click.option(
    "--until",
    metavar="DATE",
    help="End of the plan in UTC, such as 2027-01-31 or 2027-01-31T12:00:00Z; then Free applies again.",
)
def set_plan(email: str, plan: str, until: str | None) -> None:
    """Set an account's plan, permanently or until a date."""
    from mdpublish_server.storage.accounts import set_plan as store_plan

    if (end := parse_date(until)) is not None and plan == "free":
        raise click.UsageError("--until does not apply to the Free plan")
    with write_transaction() as transaction:
        target = require_account(transaction, email)
        store_plan(transaction, target.id, plan, until=end)
    click.echo(f"{target.email} is on {plan}" + (f" until {end:%Y-%m-%dT%H:%M:%SZ}" if end else ""), err=True)


@account.command("username")
@click.argument("email")
@click.argument("name")
def set_username(email: str, name: str) -> None:
    """Set an account's username. Its pages move, and their old URLs redirect."""
    from mdpublish_server.services.accounts import set_username as store_username

    with write_transaction() as transaction:
        target = require_account(transaction, email)
        created = store_username(transaction, target, name, now=datetime.now(UTC), is_limited=False)
    click.echo(f"{created.email} has the username {created.username}", err=True)


@account.command("password")
@click.argument("email")
def set_password(email: str) -> None:
    """Set an account's password, read from standard input. Ends all of its sessions."""
    from mdpublish_server.auth.passwords import hash_password, validate_password
    from mdpublish_server.services.accounts import set_password as store_password
    from mdpublish_server.services.security_mails import PASSWORD_CHANGED

    with write_transaction() as transaction:
        target = require_account(transaction, email)
        password_hash = hash_password(validate_password(sys.stdin.readline().rstrip("\r\n")))
        store_password(transaction, target, password_hash)
    _mail_owner(PASSWORD_CHANGED, target)
    click.echo(f"changed the password of {target.email}", err=True)


@account.command("suspend")
@click.argument("email")
@click.option("--end", is_flag=True, help="End the suspension.")
def suspend(email: str, end: bool) -> None:
    """Suspend an account: keys and sign-in are refused, pages return 404, nothing is deleted."""
    from mdpublish_server.services.accounts import suspend as store_suspended
    from mdpublish_server.services.security_mails import RESTORED, SUSPENDED

    with write_transaction() as transaction:
        target = require_account(transaction, email)
        store_suspended(transaction, target, suspended=not end)
    if target.is_suspended == end:
        _mail_owner(RESTORED if end else SUSPENDED, target)
    click.echo(f"{target.email} is {'active' if end else 'suspended'}", err=True)


@account.command("deactivate")
@click.argument("email")
@click.option("--end", is_flag=True, help="Let the person sign in again; keys and apps that ended do not come back.")
def deactivate(email: str, end: bool) -> None:
    """End all that has access to an account, and refuse it from then on. Pages stay; see hand-over."""
    from mdpublish_server.services.accounts import deactivate as store_deactivated

    with write_transaction() as transaction:
        target = require_account(transaction, email)
        store_deactivated(transaction, target, deactivated=not end, now=datetime.now(UTC))
    click.echo(f"{target.email} is {'active' if end else 'deactivated'}", err=True)


@account.command("hand-over")
@click.argument("email")
@click.argument("to")
def hand_over(email: str, to: str) -> None:
    """Give all documents of an account to another, with their pages, revisions and images. Former URLs redirect.

    Each is given by itself: after an error, run the command again for those that are left.
    """
    from mdpublish_server.auth.plans import plans_of
    from mdpublish_server.errors import ServiceError
    from mdpublish_server.services.hand_over import hand_over as give
    from mdpublish_server.storage.documents import document_ids

    with migrated_database() as database:
        with database.read_transaction() as transaction:
            giver, taker = require_account(transaction, email), require_account(transaction, to)
            ids = document_ids(transaction, giver.id)
        if taker.is_barred or taker.id == giver.id:
            raise click.UsageError(f"{taker.email} must be another account, neither suspended nor deactivated")
        plan, done = plans_of(load_settings()).of(taker, now=datetime.now(UTC)), 0
        for document_id in ids:
            try:
                with database.write_transaction() as transaction:
                    done += give(transaction, document_id, giver, taker, plan)
            except ServiceError as error:
                left = f"handed over {done} of {len(ids)} documents; run the command again for the others"
                raise click.ClickException(f"{taker.email}: {error.message}; {left}") from None
    click.echo(f"handed over {done} documents to {taker.email}", err=True)


@account.command("unlink")
@click.argument("email")
def unlink(email: str) -> None:
    """Forget who an account is at the OpenID Connect provider: the next person with its address gets it."""
    from mdpublish_server.storage.accounts import set_subject

    with write_transaction() as transaction:
        target = require_account(transaction, email)
        set_subject(transaction, target.id, None, None)
    click.echo(f"{target.email} is linked at the next sign-in", err=True)


@account.command("second-factor")
@click.argument("email")
def remove_second_factor(email: str) -> None:
    """Remove an account's second factor, of who lost both phone and recovery codes."""
    from mdpublish_server.services.security_mails import SECOND_FACTOR_OFF
    from mdpublish_server.storage.accounts import set_second_factor

    with write_transaction() as transaction:
        target = require_account(transaction, email)
        set_second_factor(transaction, target.id, None)
    _mail_owner(SECOND_FACTOR_OFF, target)
    click.echo(f"{target.email} signs in without a second factor", err=True)


@account.command("operator")
@click.argument("email")
@click.option("--end", is_flag=True, help="Revoke the operator role.")
def set_operator(email: str, end: bool) -> None:
    """Make an account an operator: it can review reported pages, take pages down, and invite people."""
    from mdpublish_server.storage.accounts import set_operator as store_operator

    with write_transaction() as transaction:
        target = require_account(transaction, email)
        store_operator(transaction, target.id, operator=not end)
    click.echo(f"{target.email} is {'no longer an operator' if end else 'an operator'}", err=True)


@account.command("delete")
@click.argument("email")
@click.option("--yes", is_flag=True, help="Skip the confirmation.")
def delete(email: str, yes: bool) -> None:
    """Delete an account with its documents, pages, keys and sessions. Its username is never reused."""
    from mdpublish_server.clock import utc_now
    from mdpublish_server.services.accounts import delete_account
    from mdpublish_server.services.security_mails import DELETED

    with migrated_database() as database:
        with database.read_transaction() as transaction:
            target = require_account(transaction, email)
        if not yes:
            click.confirm(f"Delete {target.email} with {target.documents} documents?", abort=True, err=True)
        with database.write_transaction() as transaction:
            delete_account(transaction, target, now=utc_now())
        while _deletes_batch(database):
            pass
    _mail_owner(DELETED, target)
    click.echo(f"deleted {target.email}", err=True)


@click.group()
def key() -> None:
    """Manage API keys: add, list, revoke."""


@key.command("add")
@click.argument("email")
@click.option("--name", default="", help="Name of the key, such as the program that uses it.")
def add_key(email: str, name: str) -> None:
    """Create an API key for an account and print it. It is shown only once."""
    from mdpublish_server.services.accounts import add_key as create_key
    from mdpublish_server.services.security_mails import KEY_CREATED

    with write_transaction() as transaction:
        target = require_account(transaction, email)
        created = create_key(transaction, target, name=name, now=datetime.now(UTC))
    click.echo(created.raw)
    _mail_owner(KEY_CREATED, target)


@key.command("list")
@click.argument("email")
def list_keys(email: str) -> None:
    """List an account's keys as tab-separated values: id, last four characters, name, created, last used, state."""
    from mdpublish_server.storage.keys import list_keys as all_keys

    with migrated_database() as database, database.read_transaction() as transaction:
        for each in all_keys(transaction, require_account(transaction, email).id):
            state = f"revoked {each.revoked_at:%Y-%m-%dT%H:%M:%SZ}" if each.revoked_at else "active"
            used = f"{each.used_at:%Y-%m-%dT%H:%M:%SZ}" if each.used_at else "never used"
            fields = (each.id, f"…{each.last_four}", each.name, f"{each.created_at:%Y-%m-%dT%H:%M:%SZ}", used, state)
            click.echo("\t".join(fields))


@key.command("revoke")
@click.argument("email")
@click.argument("last_four_or_id")
def revoke_key(email: str, last_four_or_id: str) -> None:
    """Revoke an API key, given its last four characters or its id."""
    from mdpublish_server.services.accounts import revoke_key as revoke_account_key
    from mdpublish_server.storage.keys import list_keys as all_keys

    with write_transaction() as transaction:
        target = require_account(transaction, email)
        active = [each for each in all_keys(transaction, target.id) if each.revoked_at is None]
        named = [each for each in active if last_four_or_id in (each.id, each.last_four)]
        if len(named) != 1:
            what = "more than one active key" if named else "no active key"
            raise click.ClickException(f"{target.email} has {what} {last_four_or_id!r}; see mdpublish-server key list")
        revoke_account_key(transaction, target, named[0].id, now=datetime.now(UTC))
    click.echo(f"revoked …{named[0].last_four}", err=True)


@click.group()
def page() -> None:
    """Manage published pages: take one down."""


@page.command("takedown")
@click.argument("url")
def takedown(url: str) -> None:
    """Permanently take down the page at URL.

    A demo is deleted with its text; an account keeps the document, but cannot publish it again.
    """
    from urllib.parse import urlsplit

    from mdpublish_server.services.accounts import take_page_down
    from mdpublish_server.storage.permalinks import find_page

    path = urlsplit(url).path
    with write_transaction() as transaction:
        if (resolved := find_page(transaction, path)) is None:
            raise click.ClickException(f"no page at {load_settings().public_url}{path}")
        take_page_down(transaction, resolved.document_id)
    click.echo(f"took down {resolved.path}", err=True)


def _mail_owner(event: "Event", account: "Account") -> None:
    """Mail an account's owner what the operator did, if a mail server responds in seconds; failures are logged."""
    from anyio import run

    from mdpublish_server.services.security_mails import security_email
    from mdpublish_server.state import make_mailer

    if (mailer := make_mailer(settings := load_settings())) is not None:
        mailer.start()
        mailer.enqueue(security_email(event, account, None, settings=settings, now=datetime.now(UTC)))
        run(mailer.stop)


def _deletes_batch(database: "Database") -> bool:
    from mdpublish_server.services.cleanup import delete_account_batch

    with database.write_transaction() as transaction:
        return delete_account_batch(transaction)
