"""Environment variables that are no settings: misspelled ones stop the service, others are named."""

from collections.abc import Collection, Mapping

from mdpublish_server.errors import OperatorFailure
from mdpublish_server.slips import meant_by

OF_CLIENTS = frozenset(
    {
        "MDPUBLISH_API_KEY",
        "MDPUBLISH_CACHE",
        "MDPUBLISH_SLACK_TOKEN",
        "MDPUBLISH_SLACK_WEBHOOK",
        "MDPUBLISH_SMTP_PASSWORD",
        "MDPUBLISH_URL",
    }
)
"""Read by programs that use the service, or by the command, maybe on the same computer."""

_PREFIX = "MDPUBLISH_"


class UnknownVariable(OperatorFailure, ValueError):  # noqa: N818  (named after the fault)
    """A variable whose name is nearly that of settings. Its value, maybe a password, is not told."""

    def __init__(self, name: str, similar: Collection[str]) -> None:
        super().__init__(name, similar)
        self.name = name
        self.similar = similar

    def __str__(self) -> str:
        return f"unknown setting {self.name}; did you mean {' or '.join(self.similar)}?"


def refuse_slips(environment: Mapping[str, str], settings: Collection[str]) -> None:
    """Raise `UnknownVariable` for a slip of the names in `settings`, by the nearest of these."""
    for name in _foreign(environment, settings):
        if similar := meant_by(name, settings):
            raise UnknownVariable(name, similar)


def unknown_settings(environment: Mapping[str, str], settings: Collection[str]) -> list[str]:
    """Return the names that look like settings, and that neither the service nor a client reads."""
    return [name for name in _foreign(environment, settings) if name.startswith(_PREFIX)]


def _foreign(environment: Mapping[str, str], settings: Collection[str]) -> list[str]:
    """Return all other names; an empty variable counts as not set."""
    known = {*settings, *OF_CLIENTS}
    return sorted(name for name, value in environment.items() if value and name not in known)
