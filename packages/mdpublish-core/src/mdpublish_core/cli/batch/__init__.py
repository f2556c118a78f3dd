"""The `batch` command: worker processes read and write the files, so that no document travels between processes.

`convert_many` converts strings in any executor, and fails with it; here, a worker that dies loses only its document.
`cache` records what an output depends on: the document, the style, and each path looked up with what was found. Pages
of a folder link to their parents alone, since a menu would change every page whenever one is added.
"""

import time
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

import click

from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import ConfiguredDefaults
from mdpublish_core.cli.console import library_errors, pluralize
from mdpublish_core.cli.inputs import ParseOptions
from mdpublish_core.cli.notice_formats import output_format_option, print_folder_notices
from mdpublish_core.cli.options import (
    declared_values,
    markdown_options,
    output_options,
    page_style_options,
    read_style,
    require_flags,
    table_options,
    with_files,
)
from mdpublish_core.cli.progress import Progress
from mdpublish_core.writers.outputs import get_output

if TYPE_CHECKING:
    from mdpublish_core.cli.batch.cache import CacheEntry
    from mdpublish_core.cli.batch.plan import OutputOptions, Plan
    from mdpublish_core.cli.notice_formats import NoticeFormat
    from mdpublish_core.templates import PageThemeMode


@click.command(cls=ConfiguredCommand, input_name="source")
@click.argument("source", metavar="SRC", type=click.Path(path_type=Path))
@click.argument("target", metavar="DST", type=click.Path(path_type=Path))
@table_options("batch to")
@page_style_options
@markdown_options
@output_options(has_per_document=False)
@table_options("batch")
@table_options("cache")
@output_format_option("standard output (text: to standard error)")
def batch(
    *,
    source: Path,
    target: Path,
    to: str | None,
    template: str | None,
    theme_mode: "PageThemeMode | None",
    css_file: str | None,
    parsing: ParseOptions,
    base_url: str | None,
    workers: int | None,
    force: bool,
    notice_format: "NoticeFormat",
    configured: ConfiguredDefaults,
    **values: Any,
) -> None:
    """Convert a directory of Markdown files.

    Converts every Markdown file in and below SRC into DST. Links between documents lead to the converted pages;
    linked images and files are copied. Unchanged files are skipped, and a file that fails does not stop the others.
    """
    from mdpublish_core.cli.batch.plan import OutputOptions

    with library_errors():
        given = declared_values(values)
        options = OutputOptions(
            output=get_output(to or configured.to or "page"),
            parsing=parsing,
            style=read_style(template, theme_mode, css_file, configured),
            given=with_files(given),
            base_url=base_url,
            configured=configured._replace(options=with_files(configured.options)),
        )
        require_flags(options.output, given)
        if options.base_url and not options.output.is_page:
            raise click.UsageError(f"--base-url requires --to page (got --to {options.output.name})")
        options.check()
    run = _Run(_plan(source, target, options), force=force)
    run.convert(workers, Progress(is_silent=notice_format != "text"))
    run.report(notice_format)


def _plan(source: Path, target: Path, options: "OutputOptions") -> "Plan":
    from mdpublish_core.cli.batch.plan import make_plan

    if source.is_file():
        raise click.UsageError(f"{source} is a file; use: mdpublish convert {source}")
    if source.exists() and target.exists() and source.samefile(target):
        raise click.UsageError(f"SRC and DST are the same directory: {target}")
    plan = make_plan(source, target, options)
    if not plan.outputs:
        raise click.ClickException(f"no Markdown files (.md, .markdown, .mdx) found in {source}")
    target.mkdir(parents=True, exist_ok=True)
    return plan


class _Run:
    def __init__(self, plan: "Plan", *, force: bool) -> None:
        from mdpublish_core.cli.batch.cache import is_unchanged, read_cache

        self._started = time.monotonic()
        self._plan = plan
        self._problems: dict[PurePosixPath, str] = {}
        cache = {} if force else read_cache(plan)
        self._entries: dict[PurePosixPath, CacheEntry] = {
            document: cache[document]
            for document in plan.outputs
            if document in cache and is_unchanged(plan, document, cache[document])
        }
        self._unchanged = len(self._entries)

    def convert(self, workers: int | None, progress: Progress) -> None:
        from mdpublish_core.cli.batch.build import convert_document
        from mdpublish_core.cli.batch.cache import write_cache
        from mdpublish_core.site.pool import run_all

        documents = [document for document in self._plan.outputs if document not in self._entries]
        try:
            results = run_all(convert_document, self._plan, [(each,) for each in documents], workers)
            for number, result in progress.track(results, len(documents), lambda each: documents[each[0]]):
                if isinstance(result, str):
                    self._problems[documents[number]] = result
                else:
                    self._entries[documents[number]] = result
        finally:
            write_cache(self._plan, self._entries)

    def report(self, notice_format: "NoticeFormat") -> None:
        notices = sum(len(entry.notices) for entry in self._entries.values())
        problems = {
            document: f"has the same output file as {other}" for document, other in self._plan.collisions.items()
        }
        problems |= self._problems
        noticed = {document: entry.notices for document, entry in self._entries.items()}
        print_folder_notices(self._plan.source, noticed, problems, notice_format)
        counts = {
            "converted": len(self._entries) - self._unchanged,
            "unchanged": self._unchanged,
            "failed": len(problems),
        }
        summary = ", ".join(f"{number:,} {word}" for word, number in counts.items() if number or word == "converted")
        seconds = time.monotonic() - self._started
        click.echo(f"{summary}; {pluralize(notices, 'notice')}; {seconds:.1f} s", err=True)
        if problems:
            raise SystemExit(1)
