"""The `check` command."""

from collections import Counter
from collections.abc import Callable, Sequence
from itertools import chain
from operator import attrgetter
from pathlib import Path
from time import sleep
from typing import TYPE_CHECKING, NamedTuple

import click

from mdpublish_core.cli.batch.plan import expand_folders
from mdpublish_core.cli.check.selection import Selection
from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import ConfiguredDefaults
from mdpublish_core.cli.console import STANDARD_OUTPUT, library_errors, pluralize, write
from mdpublish_core.cli.fixes import is_fixable, print_diff
from mdpublish_core.cli.inputs import STANDARD_INPUT, ParseOptions
from mdpublish_core.cli.notice_formats import FileNotices, output_format_option, print_notices
from mdpublish_core.cli.options import markdown_options, table_options
from mdpublish_core.cli.progress import Progress
from mdpublish_core.cli.rules import explain, read_rules
from mdpublish_core.resources.ignore_files import IgnoredFiles

if TYPE_CHECKING:
    from mdpublish_core.cli.check.checking import CheckOptions, Fixed
    from mdpublish_core.cli.notice_formats import NoticeFormat

_WATCH_SECONDS = 0.5
"""Seconds between two looks at the files."""


@click.command(cls=ConfiguredCommand, input_name="files")
@click.argument("files", metavar="[FILE…]", nargs=-1)
@table_options("check")
@markdown_options
@output_format_option("standard output")
def check(
    *,
    files: tuple[str, ...],
    outputs: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    per_file_ignores: tuple[str, ...],
    exclude: tuple[str, ...],
    respect_gitignore: bool,
    fix: bool,
    unsafe_fixes: bool,
    diff: bool,
    statistics: bool,
    watch: bool,
    explained_rule: str | None,
    cache: bool,
    has_delivery: bool,
    parsing: ParseOptions,
    notice_format: "NoticeFormat",
    configured: ConfiguredDefaults,
) -> None:
    """Report problems in Markdown files.

    Notices are printed with file, line and column. Directories, by default the current one, are searched recursively
    for Markdown files. Links and images whose file does not exist, and links to missing headings, are reported as well.
    Exits with status 1 if notices are left or files are unreadable, 2 for a mistake in the options or the
    configuration.
    """
    from mdpublish_core import parse
    from mdpublish_core.cli.check.checking import CheckOptions
    from mdpublish_core.writers.outputs import get_output

    if explained_rule is not None:
        click.echo(explain(explained_rule))
        return
    if watch and (fix or diff):
        raise click.UsageError("--watch cannot be used with --fix or --diff")
    root = configured.folder or Path()
    with library_errors():
        parse("", transform=parsing.transforms)  # an unknown one is a mistake of the command, not of a file
        options = CheckOptions(
            [get_output(to).name for to in outputs],
            configured.outputs or ("generic",),
            parsing,
            has_delivery,
        )
    try:
        selection = Selection.of(select, ignore, per_file_ignores, root)
        left_out = IgnoredFiles(exclude, root, respects_gitignore=respect_gitignore)
    except ValueError as error:
        raise click.UsageError(str(error)) from None
    run = _Run(
        options,
        selection,
        files or (".",),
        left_out,
        root if cache else None,
        Progress(is_silent=notice_format != "text"),
    )
    report = _Report(notice_format, statistics)
    if watch:
        _watch(run, report)
    is_clean = (
        report.print_fixes(run.fix(unsafe=unsafe_fixes), is_written=not diff)
        if fix or diff
        else report.print(run.check())
    )
    if not is_clean:
        raise SystemExit(1)


class _Run(NamedTuple):
    options: "CheckOptions"
    selection: Selection
    inputs: Sequence[str]
    left_out: IgnoredFiles
    cache_root: Path | None
    progress: Progress

    def files(self, **reporting: Callable[[str], object]) -> Sequence[str]:
        return list(dict.fromkeys(expand_folders(self.inputs, self.left_out.leaves_out, **reporting)))

    def check(self) -> Sequence[FileNotices]:
        from mdpublish_core.cli.check.cache import FOLDER_NAME, CheckCache
        from mdpublish_core.cli.check.checking import check_files

        files = self.files()
        # A file that is named alone is checked faster than a cache is read.
        is_cached = any(Path(each).is_dir() for each in self.inputs) and not self.options.has_delivery
        cache = CheckCache(self.cache_root / FOLDER_NAME, self.options) if self.cache_root and is_cached else None
        results = {file: result for file in files if cache and (result := cache.get(file))}
        unknown = [file for file in files if file not in results]
        tracked = self.progress.track(check_files(unknown, self.options), len(unknown), attrgetter("result.file"))
        for checked in tracked:
            results[checked.result.file] = checked.result
            if cache:
                cache.add(checked)
        if cache:
            cache.write()
        return [self._selected(results[file]) for file in files]

    def fix(self, *, unsafe: bool) -> "Sequence[Fixed]":
        from mdpublish_core.cli.check.checking import fix_file

        tracked = self.progress.track(self.files())
        fixed = (fix_file(file, self.options, self.selection, unsafe=unsafe) for file in tracked)
        return [each._replace(result=self._selected(each.result)) for each in fixed]

    def _selected(self, result: FileNotices) -> FileNotices:
        return result._replace(notices=self.selection.reported(result.file, result.notices))


class _Report(NamedTuple):
    notice_format: "NoticeFormat"
    has_statistics: bool

    def print(self, results: Sequence[FileNotices], *, fixed: int = 0, err: bool = False) -> bool:
        """Print notices and a summary; return whether there are none."""
        if self.has_statistics:
            _print_statistics(results, err=err)
        else:
            print_notices(results, self.notice_format, err=err)
        notices = list(chain.from_iterable(each.notices for each in results))
        unread = sum(each.problem is not None for each in results)
        safe = sum(is_fixable(notice, unsafe=False) for notice in notices)
        guessed = sum(map(is_fixable, notices)) - safe
        parts = (
            f"{pluralize(len(notices), 'notice')} in {pluralize(len(results), 'file')}",
            unread and f"{unread:,} unreadable",
            fixed and f"{fixed:,} fixed",
            safe and f"{safe:,} to be fixed by --fix",
            guessed and f"{guessed:,} by --fix --unsafe-fixes",
        )
        click.echo(", ".join(str(part) for part in parts if part), err=True)
        return not (notices or unread)

    def print_fixes(self, fixed: "Sequence[Fixed]", *, is_written: bool) -> bool:
        """Write the fixes and report what is left, or print the difference; return whether all is well."""
        changed = [each for each in fixed if each.before != each.after]
        count = sum(each.fixed for each in fixed)
        if is_written:
            for each in changed:
                if each.result.file != STANDARD_INPUT:
                    write(each.result.file, each.after.encode())
            is_filter = [each.result.file for each in fixed] == [STANDARD_INPUT]
            if is_filter:
                write(STANDARD_OUTPUT, fixed[0].after.encode())
            return self.print([each.result for each in fixed], fixed=count, err=is_filter)
        for each in changed:
            print_diff(each.result.file, each.before, each.after)
        problems = [each.result for each in fixed if each.result.problem]
        print_notices(problems, err=True)
        click.echo(f"{pluralize(count, 'notice')} would be fixed in {pluralize(len(changed), 'file')}", err=True)
        return not (changed or problems)


def _print_statistics(results: Sequence[FileNotices], *, err: bool) -> None:
    counts = Counter(notice.code for each in results for notice in each.notices)
    for code, count in counts.most_common():
        mark = {"safe": "[*]", "unsafe": "[-]"}.get(read_rules()[code].fix or "", "   ")
        click.echo(f"{count:>6,} {mark} {code}", err=err)


def _watch(run: _Run, report: _Report) -> None:
    """Check until Ctrl-C; files that links lead to are looked at again when a document changes."""
    seen: object = None
    while True:
        files = run.files(report=lambda _line: None)
        stamps = [(file, path.stat().st_mtime_ns) for file in files if (path := Path(file)).exists()]
        if stamps != seen:
            seen = stamps
            click.clear()
            report.print(run.check())
        sleep(_WATCH_SECONDS)
