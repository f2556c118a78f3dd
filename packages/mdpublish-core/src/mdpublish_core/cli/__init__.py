"""The `mdpublish` command.

User errors exit with one line on stderr and status 1 (2 for usage errors). Commands import the converter lazily, to
keep the command fast.
"""

import os
from importlib import import_module
from typing import cast

import click

from mdpublish_core import __version__

COMMANDS = ("convert", "copy", "preview", "check", "batch", "site", "templates", "mcp", "doctor", "completion")
"""Modules of this package, each with a command of its name."""


class _Group(click.Group):
    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # click exits silently
            raise
        except OSError as error:
            problem = error.strerror or str(error)
            raise click.ClickException(f"cannot access {error.filename or 'standard output'}: {problem}") from None

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the one command that runs; the help imports them all."""
        if cmd_name not in COMMANDS:
            return None
        return cast("click.Command", getattr(import_module(f"{__name__}.{cmd_name}"), cmd_name))


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="mdpublish")
@click.pass_context
def main(context: click.Context) -> None:
    """Convert Markdown for the web, email, office editors and chat."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":  # https://no-color.org
        context.color = False
