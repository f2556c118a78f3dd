"""What the audit log has, as `mdpublish-server audit --json` writes it."""

import json
from typing import Any

from tests.server.command import Run

Event = dict[str, Any]


def events(run: Run, *options: str) -> list[Event]:
    """Return the events of `mdpublish-server audit --json`, oldest first."""
    shown = run("audit", "--json", *options)
    assert shown.exit_code == 0, shown.stderr
    return [json.loads(line) for line in shown.stdout.splitlines()]


def kinds(run: Run, *options: str) -> list[str]:
    return [event["kind"] for event in events(run, *options)]
