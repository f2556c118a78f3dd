"""The `mcp` command."""

import os
import shutil
import sys

import click

from mdpublish_core.cli.command import Command


@click.command(cls=Command, examples=[("mcp", "The command line that an assistant's configuration names.")])
def mcp() -> None:
    """Serve the converter to an AI assistant (MCP).

    Speaks the Model Context Protocol on standard input and output. Assistants start it themselves: name the command in
    their configuration. Nothing leaves this machine.
    """
    try:
        from mdpublish_core.cli.mcp.server import build_server
    except ModuleNotFoundError as error:
        if error.name is None or error.name.partition(".")[0] != "mcp":
            raise
        raise click.ClickException("the package mcp is not installed; run: pip install 'mdpublish-core[mcp]'") from None
    from mdpublish_core.cli.clipboards import find_clipboard

    try:
        clipboard = find_clipboard(sys.platform, os.environ, shutil.which)
    except click.ClickException:
        # Its tool is not offered.
        clipboard = None
    build_server(clipboard).run()
