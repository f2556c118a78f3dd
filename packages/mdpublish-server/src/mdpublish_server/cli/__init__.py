"""The `mdpublish-server` command: runs the service, and does what its operator has to do beside it.

    serving    serve
    maintenance  migrate, backup, doctor, cleanup
    accounts   account …, key …, page …
    invitations  invitation …

An operator's mistake (a wrong setting, a port in use, a database that cannot be opened, an unknown account) ends in one line
on standard error and exit status 1, never in a traceback. Modules that take long to load are loaded by the commands that
need them.
"""

import click

from mdpublish_server import __version__
from mdpublish_server.cli.accounts import account, key, page
from mdpublish_server.cli.invitations import invitation
from mdpublish_server.cli.maintenance import backup, cleanup, doctor, migrate
from mdpublish_server.cli.serving import serve


@click.group(context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="mdpublish-server")
def main() -> None:
    """Convert Markdown over HTTP and publish it to web pages.

    Settings are read from the environment: the variables MDPUBLISH_….
    """


for command in (serve, migrate, account, key, invitation, page, cleanup, backup, doctor):
    main.add_command(command)
