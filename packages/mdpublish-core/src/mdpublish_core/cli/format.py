"""The `format` command."""

from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mdpublish_core.cli.batch.plan import expand_folders
from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import RunOption
from mdpublish_core.cli.console import STANDARD_OUTPUT, error_line, pluralize, write
from mdpublish_core.cli.fixes import print_diff
from mdpublish_core.cli.inputs import STANDARD_INPUT, display_name, error_message, read_markdown
from mdpublish_core.cli.notice_formats import print_json, report_format_option
from mdpublish_core.cli.options import extensions_option, table_options
from mdpublish_core.cli.progress import Progress
from mdpublish_core.cli.rules import UnknownRule, format_rules

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from mdpublish_core.formatting import RefusedUnit

_RULE_OPTIONS = "only", "also", "skip"

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
        return {"file": self.file, "is_changed": self.is_changed, "refused": refused, "problem": self.problem}


def _line_range(value: str) -> tuple[int, int]:
    first, dash, last = value.partition("-")
    numbers = [int(each) for each in (first, last if dash else first) if each.isdecimal() and len(each) < 10]
    if len(numbers) < 2 or not 0 < numbers[0] <= numbers[1]:
        raise click.BadParameter(f"must be a range of lines, such as 10-20 (got {value!r})")
    return numbers[0], numbers[1]


@click.command(cls=ConfiguredCommand, input_name=None)
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@table_options("format")
@click.option(
    "--lines", cls=RunOption, type=_line_range, metavar="RANGE", multiple=True, help="Lines to change, such as 10-20."
)
@table_options("format 2")
@report_format_option
@table_options("format wrap")
@extensions_option
def format(  # noqa: A001  (the command's name)
    *,
    files: tuple[str, ...],
    check: bool,
    diff: bool,
    is_json: bool,
    lines: tuple[tuple[int, int], ...],
    stdin_filename: str | None,
    configured: "Callable[[str], Mapping[str | None, Any]]",
    **given: Any,
) -> None:
    """Format Markdown files in one style, by small changes of their source.

    A change that would lose or gain a word, URL, entity or link definition, or by which the text would be read
    differently, is not made, and named with its line on standard error. Between <!-- format off --> and <!-- format on
    -->, nothing is changed. Directories are searched recursively for Markdown files; - formats standard input to
    standard output. The configuration that is nearest to a file counts. Exits with status 1 if --check or --diff find a
    change, 2 for a file that cannot be formatted, or a mistake in the options or the configuration.
    """
    if stdin_filename and files != (STANDARD_INPUT,):
        raise click.UsageError("--stdin-filename requires - as the only file")
    if is_json and (diff or (STANDARD_INPUT in files and not check)):
        raise click.UsageError("--output-format json prints no Markdown; add --check, and leave out --diff")
    sources = list(expand_folders(files))
    if lines and (given["repairs"] or len(sources) > 1):
        raise click.UsageError("--lines requires one file, and cannot be used with --repair")
    format_rules((), *(given[name] for name in _RULE_OPTIONS))
    results = [
        _formatted(file, stdin_filename, lines, given, configured(stdin_filename or file))
        for file in Progress(is_silent=is_json).track(sources)
    ]
    for file, result in zip(sources, results, strict=True):
        _deliver(file, result, check=check, diff=diff, is_json=is_json)
    if is_json:
        print_json([result.report() for result in results])
    changed = sum(result.is_changed for result in results)
    failed = sum(result.problem is not None for result in results)
    if sources != [STANDARD_INPUT]:
        click.echo(_summary(len(results), changed, failed, is_written=not (check or diff)), err=True)
    if failed or (changed and (check or diff)):
        raise SystemExit(2 if failed else 1)


def _deliver(file: str, result: _Result, *, check: bool, diff: bool, is_json: bool) -> None:
    for each in result.refused[:_MAX_REFUSED]:
        click.echo(f"{result.file}:{each.line}: not changed by {each.rule}: {each.reason}", err=True)
    if (more := len(result.refused) - _MAX_REFUSED) > 0:
        click.echo(f"{result.file}: {pluralize(more, 'further change')} not made", err=True)
    if result.problem is not None:
        click.echo(error_line(result.problem), err=True)
    elif diff:
        print_diff(result.file, result.before, result.after)
    elif check:
        if result.is_changed and not is_json:
            click.echo(f"Would format {result.file}")
    elif file == STANDARD_INPUT:
        write(STANDARD_OUTPUT, result.after.encode())
    elif result.is_changed:
        write(file, result.after.encode())


def _summary(files: int, changed: int, failed: int, *, is_written: bool) -> str:
    parts = [f"{pluralize(changed, 'file')} {'formatted' if is_written else 'would change'}"]
    if unchanged := files - changed - failed:
        parts.append(f"{unchanged:,} unchanged")
    if failed:
        parts.append(f"{failed:,} left alone")
    return ", ".join(parts)


def _formatted(
    file: str,
    name: str | None,
    lines: "Sequence[tuple[int, int]]",
    given: "Mapping[str, Any]",
    configured: "Mapping[str | None, Any]",
) -> _Result:
    from mdpublish_core import MdpublishError
    from mdpublish_core.formatting import format_markdown
    from mdpublish_core.readers.markdown import added_extensions
    from mdpublish_core.repair import repair

    name = name or display_name(file)
    try:
        before = read_markdown(file)
        source = repair(before).markdown if not lines and (given["repairs"] or configured.get("repairs")) else before
        formatted = format_markdown(
            source,
            extensions=added_extensions(source, given["extensions"], configured.get("extensions", ())),
            width=given["wrap"] or configured.get("wrap"),
            rules=_rules(name, source, given, configured),
            lines=lines,
        )
    except click.ClickException as error:
        return _Result(name, problem=error.message)
    except MdpublishError as error:
        return _Result(name, problem=f"{name}: {error_message(error)}")
    return _Result(name, before, formatted.markdown, formatted.refused)


def _rules(
    name: str, markdown: str, given: "Mapping[str, Any]", configured: "Mapping[str | None, Any]"
) -> frozenset[str]:
    """Return the rules for a file: options come after its front matter, and that after the configuration."""
    from mdpublish_core.formatting.rules import DEFAULT_RULES
    from mdpublish_core.readers.markdown import read_front_matter
    from mdpublish_core.readers.markdown.front_matter import words_of

    values, _ = read_front_matter(markdown)
    written = {key: words_of(values.get(f"format_{key}", "")) for key in _RULE_OPTIONS}
    rules = format_rules(DEFAULT_RULES, *(configured.get(key, ()) for key in _RULE_OPTIONS))
    try:
        rules = format_rules(rules, *written.values())
    except UnknownRule as error:
        click.echo(f"{name}: rules in the front matter are ignored: {error}", err=True)
    return format_rules(rules, *(given[key] for key in _RULE_OPTIONS))
