"""The `mdpublish` command: files and standard input in, the library's output out.

It only reads, calls the library and writes. A user's mistake ends in one line on standard error and exit status 1 (2 for
a wrong option), never in a traceback. Notices go to standard error as `file:line: message`.

Each command is a module, and a line of the table below. None imports at its top what converts, so that help and
completion come at once.
"""

import os

import click

from mdpublish_core import __version__
from mdpublish_core.cli import batch, check, completion, convert, copy, preview, templates

COMMANDS = (
    convert.convert,
    copy.copy,
    preview.preview,
    check.check,
    batch.batch,
    templates.templates,
    completion.completion,
)
"""In the order in which help lists them."""


class _Group(click.Group):
    """The commands in the order of the table; where the system refuses what none of them expects, a message ends them."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # whoever reads has enough; click ends in silence
            raise
        except OSError as error:
            problem = error.strerror or str(error)
            raise click.ClickException(f"cannot use {error.filename or 'standard output'}: {problem}") from None

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(self.commands)


@click.group(cls=_Group, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, prog_name="mdpublish")
@click.pass_context
def main(context: click.Context) -> None:
    """Convert Markdown into what its destination takes: a web page, a mail, a document, plain text."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":  # https://no-color.org
        context.color = False


for command in COMMANDS:
    main.add_command(command)
