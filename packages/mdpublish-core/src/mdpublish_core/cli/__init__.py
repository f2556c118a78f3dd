"""The `mdpublish` command.

Exit statuses: 0; 1, an input that cannot be converted or an output that cannot be written; 2, wrong options or
configuration; 130, Ctrl-C. Errors are one line on standard error. Commands import the converter lazily, to be fast.

Only the command reads files and configuration: the library's result depends on its arguments alone. Keys of the
configuration are the options' own names and types. What front matter may also say is passed beside the options
(`ConfiguredDefaults`), since only the parsed document tells which of the two counts; what does not apply to an output
is ignored, where an option would be refused.

To start fast, `__main__` imports nothing, the core imports its names when they are first used, and what few documents
need is imported, and its expressions compiled (`lazy_patterns`), where it is used. Small records are named tuples: a
frozen data class of eight fields takes 0.7 ms on import, a named tuple 0.1 ms. Short runs collect no garbage.

Each subcommand is a module or a package named like it (`import` is `import_file`). What they share:

options         options shared by commands, and what they choose for a document
theme_scaffold  templates new and templates check
inputs          reads documents, templates and stylesheets
console         writes files and messages
images          embeds image files into a document
remote_images   fetches images of other sites, if the user asks for it
imported        files of other formats and the clipboard as Markdown, and the images in them
progress        what long work is doing, on a terminal
notice_formats  notices as text, JSON, annotations for GitHub Actions, SARIF and JUnit's XML
rules           notices as rules of check: groups, examples, remedies
fixes           fixes of notices, by spans of a file's text
ignore_files    what .gitignore files and patterns leave out
check/          the command, and selection, checking, cache
clipboards/     one module per operating system
batch/          the command, and plan, links, cache, build
preview/        the command, and its local server: document, watch, images, server
site/           the command, and its local server: serve
publish/        the command, and publisher, pages_file, page_ids, links, demo; service_keys: the service, and the key for it
arrivals/       the command; specimens and places are data, the page a template
send/           the command, and mailing: messages; fields, recipients: who gets what
"""

import os
import sys
from importlib import import_module
from typing import Any, cast

import click

from mdpublish_core import __version__
from mdpublish_core.cli.command import CommandGroup, write_outputs
from mdpublish_core.data_files import read_pairs

COMMANDS = read_pairs(__file__, "commands.tsv")
"""Commands, with the module of this package and the function in it that each is."""

_INTERRUPTED = 130
"""Exit status after Ctrl-C, as a shell reports it: 128 and the number of SIGINT."""


def _drop_unwritable_output() -> None:
    """Python would write again what is buffered, when it ends, and fail with another status and message."""
    try:
        sys.stdout.flush()
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


class _Group(CommandGroup):
    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (KeyboardInterrupt, click.Abort):
            click.echo("\nAborted!", err=True)
            raise click.exceptions.Exit(_INTERRUPTED) from None
        except BrokenPipeError:  # click exits silently
            raise
        except OSError as error:
            problem = error.strerror or str(error)
            _drop_unwritable_output()
            raise click.ClickException(f"cannot access {error.filename or 'standard output'}: {problem}") from None

    def main(self, *args: Any, **kwargs: Any) -> Any:
        if os.environ.get("_MDPUBLISH_COMPLETE", "").startswith("powershell"):
            from mdpublish_core.cli.powershell import register

            register()
        return super().main(*args, **kwargs)

    def list_commands(self, _ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def get_command(self, _ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import the one command that runs; the help imports them all."""
        if cmd_name not in COMMANDS:
            return None
        name = COMMANDS[cmd_name]
        return cast("click.Command", getattr(import_module(f"{__name__}.{name}"), name))

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        super().format_epilog(ctx, formatter)
        write_outputs(formatter, has_files=True)


@click.group(
    cls=_Group,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="mdpublish")
@click.pass_context
def main(context: click.Context) -> None:
    """Convert Markdown for the web, email, office editors and chat."""
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":  # https://no-color.org
        context.color = False
