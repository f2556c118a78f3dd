"""The `mdpublish-server` command.

Operators' mistakes end in one line and exit status 1. Standard output holds results for programs, standard error
messages. Slow modules are imported late.
"""

import click

from mdpublish_server import __version__
from mdpublish_server.cli.accounts import account, key, page
from mdpublish_server.cli.audit import audit
from mdpublish_server.cli.invitations import invitation
from mdpublish_server.cli.maintenance import backup, cleanup, doctor, migrate, move, restore
from mdpublish_server.cli.serving import serve


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mdpublish-server")
def main() -> None:
    """Convert Markdown over HTTP and publish it as web pages.

    Settings are read from environment variables named MDPUBLISH_….
    """


for command in (serve, migrate, account, key, invitation, page, audit, cleanup, backup, restore, move, doctor):
    main.add_command(command)
