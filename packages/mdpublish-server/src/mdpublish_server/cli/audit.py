"""`mdpublish-server audit`."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import click
from msgspec import json

from mdpublish_server.cli.setup import migrated_database, parse_date, require_account
from mdpublish_server.storage import Database
from mdpublish_server.storage.audit import SENTENCES, events_since

_BATCH = 1_000
_POLL_SECONDS = 1.0

_LATE = timedelta(minutes=1)
"""In which PostgreSQL commits what has an earlier number than what is there: no change takes ten seconds."""


@click.command()
@click.option(
    "--account", metavar="ACCOUNT", default="", help="About or by this account: its email address, or its id."
)
@click.option("--kind", default="", help="Of this kind, such as key.revoked, or group of kinds, such as key.")
@click.option("--since", metavar="DATE", help="Since this time in UTC, such as 2027-01-31 or 2027-01-31T12:00:00Z.")
@click.option("--json", "as_json", is_flag=True, help="Write JSON, an object a line.")
@click.option("--follow", is_flag=True, help="Go on with what is recorded from then on, until interrupted.")
def audit(account: str, kind: str, since: str | None, as_json: bool, follow: bool) -> None:
    """Show the audit log, oldest first: who did what, from where.

    Columns, separated by tabs: time, kind, account, by whom, address, object, and what changed.
    """
    if kind and not any(f"{each}.".startswith(f"{kind}.") for each in SENTENCES):
        raise click.BadParameter(f"must be one of {', '.join(SENTENCES)} (got {kind!r})", param_hint="--kind")
    with migrated_database() as database:
        if "@" in account:
            with database.read_transaction() as transaction:
                account = require_account(transaction, account).id
        chosen = {"since": parse_date(since) or datetime.fromtimestamp(0, UTC), "account_id": account, "kind": kind}
        for event in _events(database, chosen, follow=follow):
            changes = " → ".join(json.encode(event[name]).decode() for name in ("before", "after") if event[name])
            by = " ".join(filter(None, (event["means"], event["app"], event["actor_id"])))
            about = (event["email"] or event["account_id"], by, event["address"], event["object"], changes)
            line = (f"{event['at']:%Y-%m-%dT%H:%M:%SZ}", event["kind"], *(each or "-" for each in about))
            click.echo(json.encode(event) if as_json else "\t".join(line))


def _events(database: Database, chosen: dict[str, Any], *, follow: bool) -> Iterator[dict[str, Any]]:
    """Yield each event once; with `follow`, one that was committed late comes after others."""
    number, seen = 0, set[int]()
    while True:
        limit = _BATCH + len(seen)
        with database.read_transaction() as transaction:
            events = events_since(transaction, number, **chosen, limit=limit)
        yield from (event for event in events if event["number"] not in seen)
        settled = datetime.now(UTC) - _LATE
        number = max((event["number"] for event in events if event["at"] < settled), default=number)
        seen = {event["number"] for event in events if event["number"] > number}
        if len(events) < limit:
            if not follow:
                return
            time.sleep(_POLL_SECONDS)
