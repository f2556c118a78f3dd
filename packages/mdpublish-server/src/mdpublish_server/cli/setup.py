"""Settings and database for commands, with errors in one line."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

import click

from mdpublish_server.auth.passwords import validate_email
from mdpublish_server.settings import NAMES, Settings, read_settings
from mdpublish_server.storage import Account, Database, Transaction, migrate, open_database
from mdpublish_server.storage.accounts import find_account_by_email
from mdpublish_server.storage.audit import act_as, record
from mdpublish_server.variables import unknown_settings


def load_settings(overrides: dict[str, str | None] | None = None) -> Settings:
    """Read settings from the environment; `overrides` that are not None take precedence."""
    given = {name: value for name, value in (overrides or {}).items() if value is not None}
    return read_settings({**os.environ, **given})


def warn_of_unknown_settings() -> None:
    if names := unknown_settings(os.environ, NAMES):
        click.echo(f"Warning: unknown settings are ignored: {', '.join(names)}", err=True)


@contextmanager
def migrated_database() -> Iterator[Database]:
    """Open the database after migrations."""
    settings = load_settings()
    migrate(settings.database_url)
    _, _, command = click.get_current_context().command_path.partition(" ")
    act_as("command", app=command)
    database = open_database(settings.database_url)
    try:
        yield database
    finally:
        database.close()


@contextmanager
def write_transaction() -> Iterator[Transaction]:
    """Open a transaction that commits at the end of the block."""
    with migrated_database() as database, database.write_transaction() as transaction:
        yield transaction


@contextmanager
def named_account(email: str) -> Iterator[tuple[Transaction, Account]]:
    """As `write_transaction`, with an account; without it, end the command with an error."""
    with write_transaction() as transaction:
        yield transaction, require_account(transaction, email)


def record_command(*arguments: str) -> None:
    """Record that this command ran, which no other kind of event says."""
    with write_transaction() as transaction:
        record(transaction, "command.ran", None, after={"arguments": arguments})


def require_account(transaction: Transaction, email: str) -> Account:
    """Return an account, or end the command with an error."""
    if (account := find_account_by_email(transaction, validate_email(email))) is None:
        raise click.ClickException(f"no account has the address {email}; see mdpublish-server account list")
    return account


def parse_date(until: str | None) -> datetime | None:
    """Parse ISO 8601: a date is its midnight, a time without zone is UTC."""
    if until is None:
        return None
    try:
        time = datetime.fromisoformat(until)
    except ValueError:
        raise click.BadParameter(f"must be a date such as 2027-01-31 or 2027-01-31T12:00:00Z (got {until!r})") from None
    return time.replace(tzinfo=UTC) if time.tzinfo is None else time.astimezone(UTC)
