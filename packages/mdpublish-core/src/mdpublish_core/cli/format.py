"""The `format` command."""

from typing import TYPE_CHECKING, NamedTuple

import click

from mdpublish_core.cli.batch.plan import expand_folders
from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import ConfiguredDefaults
from mdpublish_core.cli.console import error_line, pluralize, write
from mdpublish_core.cli.fixes import print_diff
from mdpublish_core.cli.inputs import STANDARD_INPUT, display_name, error_message, read_markdown
from mdpublish_core.cli.notice_formats import print_json, report_format_option
from mdpublish_core.cli.options import extensions_option, wrap_option
from mdpublish_core.cli.progress import Progress

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdpublish_core.formatting import RefusedUnit

_MAX_REFUSED = 10
"""Changes of a file that are named although they are not made."""


class _Result(NamedTuple):
    """A file before and after; a `problem` says why it could not be read."""

    file: str
    before: str = ""
    after: str = ""
    refused: "Sequence[RefusedUnit]" = ()
    problem: str | None = None

    @property
    def is_changed(self) -> bool:
        return self.before != self.after

    def report(self) -> dict[str, object]:
        """Return what a program reads."""
        refused = [each._asdict() for each in self.refused]
        file = display_name(self.file)
        return {"file": file, "is_changed": self.is_changed, "refused": refused, "problem": self.problem}


@click.command(
    cls=ConfiguredCommand,
    input_name="files",
    examples=[
        ("format README.md docs", "Format a file, and all those in a folder."),
        ("format --check .", "Fail in CI if a file is not formatted."),
        ("format --diff --wrap 80 notes.md", "Show what lines of 80 columns would change."),
    ],
)
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@click.option("--check", is_flag=True, help="Write nothing; exit with status 1 if a file would change.")
@click.option("--diff", is_flag=True, help="Write nothing; print what would change, with status 1 if anything would.")
@click.option(
    "--repair", "repairs", is_flag=True, help="Before, repair what a chat, a terminal or a mail program spoiled."
)
@click.option(
    "--skip",
    "skipped",
    metavar="RULE",
    multiple=True,
    help="Leave what a rule would change; the page on formatting lists them.",
)
@report_format_option
@wrap_option("lines end where they do")
@extensions_option
def format(  # noqa: A001  (the command's name)
    *,
    files: tuple[str, ...],
    check: bool,
    diff: bool,
    repairs: bool,
    skipped: tuple[str, ...],
    is_json: bool,
    wrap: int | None,
    extensions: tuple[str, ...],
    configured: ConfiguredDefaults,
) -> None:
    """Format Markdown files in one style, by small changes of their source.

    A change that would lose or gain a word, URL, entity or link definition, or by which the text would be read
    differently, is not made, and named with its line on standard error. Between <!-- format off --> and <!-- format on
    -->, nothing is changed. Directories are searched recursively for Markdown files; - formats standard input to
    standard output.
    """
    from mdpublish_core.formatting.rules import RULES

    if unknown := set(skipped) - RULES.keys():
        raise click.UsageError(f"--skip must be one of {', '.join(RULES)} (got {', '.join(sorted(unknown))})")
    if is_json and (diff or (STANDARD_INPUT in files and not check)):
        raise click.UsageError("--output-format json prints no Markdown; add --check, and leave out --diff")
    names = extensions, configured.extensions
    tracked = Progress(is_silent=is_json).track(expand_folders(files))
    results = [_formatted(file, names, wrap, skipped, repairs=repairs) for file in tracked]
    for result in results:
        _name_refused(result)
        if diff:
            print_diff(result.file, result.before, result.after)
        elif check and result.is_changed and not is_json:
            click.echo(f"Would format {display_name(result.file)}")
        elif not check and (result.is_changed or (result.file == STANDARD_INPUT and result.problem is None)):
            write(result.file, result.after.encode())
    if is_json:
        print_json([result.report() for result in results])
    changed = sum(result.is_changed for result in results)
    failed = sum(result.problem is not None for result in results)
    if [result.file for result in results] != [STANDARD_INPUT]:
        click.echo(_summary(len(results), changed, failed, is_written=not (check or diff)), err=True)
    if failed or (changed and (check or diff)):
        raise SystemExit(1)


def _name_refused(result: _Result) -> None:
    if result.problem is not None:
        click.echo(error_line(result.problem), err=True)
    for each in result.refused[:_MAX_REFUSED]:
        click.echo(f"{display_name(result.file)}:{each.line}: not changed by {each.rule}: {each.reason}", err=True)
    if (more := len(result.refused) - _MAX_REFUSED) > 0:
        click.echo(f"{display_name(result.file)}: {pluralize(more, 'further change')} not made", err=True)


def _summary(files: int, changed: int, failed: int, *, is_written: bool) -> str:
    parts = [f"{pluralize(changed, 'file')} {'formatted' if is_written else 'would change'}"]
    if unchanged := files - changed - failed:
        parts.append(f"{unchanged:,} unchanged")
    if failed:
        parts.append(f"{failed:,} left alone")
    return ", ".join(parts)


def _formatted(
    file: str,
    extensions: "tuple[Sequence[str], Sequence[str]]",
    wrap: int | None,
    skipped: "Sequence[str]",
    *,
    repairs: bool,
) -> _Result:
    from mdpublish_core import MdpublishError
    from mdpublish_core.formatting import format_markdown
    from mdpublish_core.readers.markdown import added_extensions
    from mdpublish_core.repair import repair

    try:
        before = read_markdown(file)
        source = repair(before).markdown if repairs else before
        chosen = added_extensions(source, *extensions)
        formatted = format_markdown(source, extensions=chosen, width=wrap, skipped=skipped)
    except click.ClickException as error:
        return _Result(file, problem=error.message)
    except MdpublishError as error:
        return _Result(file, problem=f"{display_name(file)}: {error_message(error)}")
    return _Result(file, before, formatted.markdown, formatted.refused)
