"""`mdpublish-server audit`."""

import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

import click

from mdpublish_server.cli.setup import migrated_database, parse_date, require_account

if TYPE_CHECKING:
    from collections.abc import Iterator

    from mdpublish_server.storage import Database
    from mdpublish_server.storage.audit import AuditEvent

_BATCH = 1_000
_POLL_SECONDS = 1.0

_LATE = timedelta(minutes=1)
"""In which PostgreSQL commits what has an earlier number than what is there: no change takes ten seconds."""


@click.command()
@click.option("--account", metavar="EMAIL|ID", default="", help="About or by this account; if deleted, by its id.")
@click.option("--kind", default="", help="Of this kind, such as key.revoked, or group of kinds, such as key.")
@click.option("--since", metavar="DATE", help="Since this time in UTC, such as 2027-01-31 or 2027-01-31T12:00:00Z.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON, an object a line.")
@click.option("--follow", is_flag=True, help="Go on with what is recorded from then on, until interrupted.")
def audit(account: str, kind: str, since: str | None, as_json: bool, follow: bool) -> None:
    """Show the audit log, oldest first: who did what, from where.

    Columns, separated by tabs: time, kind, account, by whom, address, object, and what changed.
    """
    from mdpublish_server.storage.audit import SENTENCES

    if kind and not any(f"{each}.".startswith(f"{kind}.") for each in SENTENCES):
        raise click.BadParameter(f"must be one of {', '.join(SENTENCES)} (got {kind!r})", param_hint="--kind")
    begin = parse_date(since) or datetime.fromtimestamp(0, UTC)
    with migrated_database() as database:
        if "@" in account:
            with database.read_transaction() as transaction:
                account = require_account(transaction, account).id
        for event, email in _events(database, begin, account, kind, follow=follow):
            click.echo(event.shown(email) if as_json else _line(event, email))


def _events(
    database: "Database", since: datetime, account_id: str, kind: str, *, follow: bool
) -> "Iterator[tuple[AuditEvent, str | None]]":
    """Yield each event once; with `follow`, one that was committed late comes after others."""
    from mdpublish_server.storage.audit import events_since

    number, seen = 0, set[int]()
    while True:
        with database.read_transaction() as transaction:
            found = events_since(
                transaction, number, since=since, account_id=account_id, kind=kind, limit=_BATCH + len(seen)
            )
        yield from (each for each in found if each[0].number not in seen)
        settled = datetime.now(UTC) - _LATE
        number = max((event.number for event, _ in found if event.at < settled), default=number)
        seen = {event.number for event, _ in found if event.number > number}
        if len(found) < _BATCH:
            if not follow:
                return
            time.sleep(_POLL_SECONDS)


def _line(event: "AuditEvent", email: str | None) -> str:
    by = " ".join(filter(None, (event.means, event.app))) or "-"
    other = f" of {event.actor_id}" if event.actor_id not in (None, event.account_id) else ""
    changes = " → ".join(filter(None, (event.before, event.after)))
    about = (email or event.account_id or "-", f"{by}{other}", event.address or "-", event.object or "-", changes)
    return "\t".join((f"{event.at:%Y-%m-%dT%H:%M:%SZ}", event.kind, *about))
