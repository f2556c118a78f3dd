"""`mdpublish-server account`, `key` and `page`."""

import sys
from urllib.parse import urlsplit

import click

from mdpublish_server.auth.passwords import hash_password, validate_password
from mdpublish_server.auth.plans import FREE, PRO, plans_of
from mdpublish_server.cli.setup import (
    load_settings,
    migrated_database,
    named_account,
    parse_date,
    require_account,
    write_transaction,
)
from mdpublish_server.clock import utc_now
from mdpublish_server.errors import ServiceError
from mdpublish_server.services import accounts, security_mails
from mdpublish_server.services.hand_over import hand_over as give
from mdpublish_server.storage import Account
from mdpublish_server.storage import accounts as accounts_table
from mdpublish_server.storage import keys as keys_table
from mdpublish_server.storage.documents import document_ids
from mdpublish_server.storage.permalinks import find_page

_PLANS = (FREE, PRO)


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
    with write_transaction() as transaction:
        password_hash = None
        if password_stdin:
            password_hash = hash_password(validate_password(sys.stdin.readline().rstrip("\r\n")))
        created = accounts.create_account(
            transaction, email=email, password_hash=password_hash, username=username, plan=plan, now=utc_now()
        )
    click.echo(f"added {created.email} ({created.plan})", err=True)


@account.command("list")
def list_accounts() -> None:
    """List accounts as tab-separated values.

    Columns: email address, username, plan, documents, published pages, API requests this month, state. The state
    is active, deactivated or suspended, followed by operator for operators.
    """
    with migrated_database() as database, database.read_transaction() as transaction:
        for each in accounts_table.list_accounts(transaction):
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
    if (end := parse_date(until)) is not None and plan == "free":
        raise click.UsageError("--until does not apply to the Free plan")
    with named_account(email) as (transaction, target):
        accounts_table.set_plan(transaction, target.id, plan, until=end)
    click.echo(f"{target.email} is on {plan}" + (f" until {end:%Y-%m-%dT%H:%M:%SZ}" if end else ""), err=True)


@account.command("username")
@click.argument("email")
@click.argument("name")
def set_username(email: str, name: str) -> None:
    """Set an account's username. Its pages move, and their old URLs redirect."""
    with named_account(email) as (transaction, target):
        created = accounts.set_username(transaction, target, name, now=utc_now(), is_limited=False)
    click.echo(f"{created.email} has the username {created.username}", err=True)


@account.command("password")
@click.argument("email")
def set_password(email: str) -> None:
    """Set an account's password, read from standard input. Ends all of its sessions."""
    with named_account(email) as (transaction, target):
        password_hash = hash_password(validate_password(sys.stdin.readline().rstrip("\r\n")))
        accounts.set_password(transaction, target, password_hash)
    _mail_owner(security_mails.PASSWORD_CHANGED, target)
    click.echo(f"changed the password of {target.email}", err=True)


@account.command("suspend")
@click.argument("email")
@click.option("--end", is_flag=True, help="End the suspension.")
def suspend(email: str, end: bool) -> None:
    """Suspend an account: keys and sign-in are refused, pages return 404, nothing is deleted."""
    with named_account(email) as (transaction, target):
        accounts.suspend(transaction, target, suspended=not end)
    if target.is_suspended == end:
        _mail_owner(security_mails.RESTORED if end else security_mails.SUSPENDED, target)
    click.echo(f"{target.email} is {'active' if end else 'suspended'}", err=True)


@account.command("deactivate")
@click.argument("email")
@click.option("--end", is_flag=True, help="Let the person sign in again; keys and apps that ended do not come back.")
def deactivate(email: str, end: bool) -> None:
    """End all that has access to an account, and refuse it from then on. Pages stay; see hand-over."""
    with named_account(email) as (transaction, target):
        accounts.deactivate(transaction, target, deactivated=not end, now=utc_now())
    click.echo(f"{target.email} is {'active' if end else 'deactivated'}", err=True)


@account.command("hand-over")
@click.argument("email")
@click.argument("to")
def hand_over(email: str, to: str) -> None:
    """Give all documents of an account to another, with their pages, revisions and images. Former URLs redirect.

    Each is given by itself: after an error, run the command again for those that are left.
    """
    with migrated_database() as database:
        with database.read_transaction() as transaction:
            giver, taker = require_account(transaction, email), require_account(transaction, to)
            ids = document_ids(transaction, giver.id)
        if taker.is_barred or taker.id == giver.id:
            raise click.UsageError(f"{taker.email} must be another account, neither suspended nor deactivated")
        plan, done = plans_of(load_settings()).of(taker, now=utc_now()), 0
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
    with named_account(email) as (transaction, target):
        accounts_table.set_subject(transaction, target.id, None, None)
    click.echo(f"{target.email} is linked at the next sign-in", err=True)


@account.command("second-factor")
@click.argument("email")
def remove_second_factor(email: str) -> None:
    """Remove an account's second factor, of who lost both phone and recovery codes."""
    with named_account(email) as (transaction, target):
        accounts_table.set_second_factor(transaction, target.id, None)
    _mail_owner(security_mails.SECOND_FACTOR_OFF, target)
    click.echo(f"{target.email} signs in without a second factor", err=True)


@account.command("operator")
@click.argument("email")
@click.option("--end", is_flag=True, help="Revoke the operator role.")
def set_operator(email: str, end: bool) -> None:
    """Make an account an operator: it can review reported pages, take pages down, and invite people."""
    with named_account(email) as (transaction, target):
        accounts_table.set_operator(transaction, target.id, operator=not end)
    click.echo(f"{target.email} is {'no longer an operator' if end else 'an operator'}", err=True)


@account.command("delete")
@click.argument("email")
@click.option("--yes", is_flag=True, help="Skip the confirmation.")
def delete(email: str, yes: bool) -> None:
    """Delete an account with its documents, pages, keys and sessions. Its username is never reused."""
    from mdpublish_server.services.cleanup import delete_account_batch

    with migrated_database() as database:
        with database.read_transaction() as transaction:
            target = require_account(transaction, email)
        if not yes:
            click.confirm(f"Delete {target.email} with {target.documents} documents?", abort=True, err=True)
        with database.write_transaction() as transaction:
            accounts.delete_account(transaction, target, now=utc_now())
        is_left = True
        while is_left:
            with database.write_transaction() as transaction:
                is_left = delete_account_batch(transaction)
    _mail_owner(security_mails.DELETED, target)
    click.echo(f"deleted {target.email}", err=True)


@click.group()
def key() -> None:
    """Manage API keys: add, list, revoke."""


@key.command("add")
@click.argument("email")
@click.option("--name", default="", help="Name of the key, such as the program that uses it.")
def add_key(email: str, name: str) -> None:
    """Create an API key for an account and print it. It is shown only once."""
    with named_account(email) as (transaction, target):
        created = accounts.add_key(transaction, target, name=name, now=utc_now())
    click.echo(created.raw)
    _mail_owner(security_mails.KEY_CREATED, target)


@key.command("list")
@click.argument("email")
def list_keys(email: str) -> None:
    """List an account's keys as tab-separated values: id, last four characters, name, created, last used, state."""
    with migrated_database() as database, database.read_transaction() as transaction:
        for each in keys_table.list_keys(transaction, require_account(transaction, email).id):
            state = f"revoked {each.revoked_at:%Y-%m-%dT%H:%M:%SZ}" if each.revoked_at else "active"
            used = f"{each.used_at:%Y-%m-%dT%H:%M:%SZ}" if each.used_at else "never used"
            fields = (each.id, f"…{each.last_four}", each.name, f"{each.created_at:%Y-%m-%dT%H:%M:%SZ}", used, state)
            click.echo("\t".join(fields))


@key.command("revoke")
@click.argument("email")
@click.argument("last_four_or_id")
def revoke_key(email: str, last_four_or_id: str) -> None:
    """Revoke an API key, given its last four characters or its id."""
    with named_account(email) as (transaction, target):
        active = [each for each in keys_table.list_keys(transaction, target.id) if each.revoked_at is None]
        named = [each for each in active if last_four_or_id in (each.id, each.last_four)]
        if len(named) != 1:
            what = "more than one active key" if named else "no active key"
            raise click.ClickException(f"{target.email} has {what} {last_four_or_id!r}; see mdpublish-server key list")
        accounts.revoke_key(transaction, target, named[0].id, now=utc_now())
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
    path = urlsplit(url).path
    with write_transaction() as transaction:
        if (resolved := find_page(transaction, path)) is None:
            raise click.ClickException(f"no page at {load_settings().public_url}{path}")
        accounts.take_page_down(transaction, resolved.document_id)
    click.echo(f"took down {resolved.path}", err=True)


def _mail_owner(event: security_mails.Event, account: Account) -> None:
    """Mail an account's owner what the operator did, if a mail server responds in seconds; failures are logged."""
    from anyio import run

    from mdpublish_server.state import make_mailer

    if (mailer := make_mailer(settings := load_settings())) is not None:
        mailer.start()
        mailer.enqueue(security_mails.security_email(event, account, None, settings=settings, now=utc_now()))
        run(mailer.stop)
