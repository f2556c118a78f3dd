"""The `mcp` command."""

import os
import shutil
import sys
from pathlib import Path

import click

from mdpublish_core.cli.command import Command
from mdpublish_core.cli.options import table_options
from mdpublish_core.errors import MissingExtra


@click.command(cls=Command)
@table_options("mcp")
def mcp(folders: tuple[Path, ...]) -> None:
    """Serve the converter to an AI assistant (MCP).

    Speaks the Model Context Protocol on standard input and output. Assistants start it themselves: name the command in
    their configuration. Nothing leaves this machine, but files of a folder that the assistant publishes, to the service
    of mdpublish login.
    """
    try:
        from mdpublish_core.cli.mcp.folders import Folders
        from mdpublish_core.cli.mcp.server import build_server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "mcp":
            raise
        raise click.ClickException(str(MissingExtra("mcp", "mcp"))) from None
    from mdpublish_core.cli.clipboards import find_clipboard

    try:
        clipboard = find_clipboard(sys.platform, os.environ, shutil.which)
    except click.ClickException:
        # Its tool is not offered.
        clipboard = None
    build_server(clipboard, Folders(folders) if folders else None).run()
