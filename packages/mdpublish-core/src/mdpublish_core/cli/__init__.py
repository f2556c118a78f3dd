"""The `mdpublish` command.

User errors exit with one line on stderr and status 1 (2 for usage errors). Commands import the converter lazily, to
keep `--help` and completion fast.
"""

import os

import click

from mdpublish_core import __version__
from mdpublish_core.cli import batch, check, completion, convert, copy, doctor, mcp, preview, templates

COMMANDS = (
    convert.convert,
    copy.copy,
    preview.preview,
    check.check,
    batch.batch,
    templates.templates,
    mcp.mcp,
    doctor.doctor,
    completion.completion,
)


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
        return list(self.commands)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="mdpublish")
@click.pass_context
def main(context: click.Context) -> None:
    """Convert Markdown for the web, email, office editors and chat."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":  # https://no-color.org
        context.color = False


for command in COMMANDS:
    main.add_command(command)
