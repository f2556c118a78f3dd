"""The `mdpublish-server` command.

Operators' mistakes end in one line and exit status 1. Standard output holds results for programs, standard error
messages. A command's module is imported when it runs.
"""

from importlib import import_module
from typing import cast

import click

from mdpublish_server import __version__
from mdpublish_server.errors import OperatorFailure, ServiceError

_MODULES = {
    "serve": "serving",
    "migrate": "maintenance",
    "account": "accounts",
    "key": "accounts",
    "invitation": "invitations",
    "page": "accounts",
    "audit": "audit",
    "cleanup": "maintenance",
    "backup": "maintenance",
    "restore": "maintenance",
    "move": "maintenance",
    "doctor": "maintenance",
}
"""Modules of this package, by the commands in them."""


class _Group(click.Group):
    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (OperatorFailure, ServiceError) as failure:
            raise click.ClickException(str(failure)) from None

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return sorted(_MODULES)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the one command that runs; the help imports them all."""
        if cmd_name not in _MODULES:
            return None
        return cast("click.Command", getattr(import_module(f"{__name__}.{_MODULES[cmd_name]}"), cmd_name))


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mdpublish-server")
def main() -> None:
    """Convert Markdown over HTTP and publish it as web pages.

    Settings are read from environment variables named MDPUBLISH_….
    """
