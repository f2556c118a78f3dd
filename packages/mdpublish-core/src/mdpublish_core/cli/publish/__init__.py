"""The `publish` command: files and folders as pages of a service."""

import os
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.batch.plan import expand_folders
from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import ConfiguredDefaults
from mdpublish_core.cli.console import error_line, library_errors, pluralize
from mdpublish_core.cli.inputs import ParseOptions
from mdpublish_core.cli.notice_formats import FileNotices, print_json, print_notices, report_format_option
from mdpublish_core.cli.options import extensions_option, table_options
from mdpublish_core.cli.progress import Progress
from mdpublish_core.cli.publish.pages_file import PagesFile, find_root
from mdpublish_core.cli.service_keys import service_and_key
from mdpublish_core.notices import shorten
from mdpublish_core.resources.repository import Repository
from mdpublish_core.resources.urls import web_url

if TYPE_CHECKING:
    from collections.abc import Iterable

    from mdpublish_core.cli.publish.publisher import Outcome

_FAILED = frozenset({"conflict", "failed"})


@click.command(cls=ConfiguredCommand, input_name="files")
@click.argument("files", metavar="FILE…", nargs=-1, required=True)
@table_options("service")
@table_options("publish")
@report_format_option
@extensions_option
def publish(
    *,
    files: tuple[str, ...],
    service_url: str | None,
    is_draft: bool,
    writes_ids: bool,
    repository: str | None,
    is_dry: bool,
    choice: str | None,
    prune: bool,
    opens: bool,
    is_json: bool,
    parsing: ParseOptions,
    configured: ConfiguredDefaults,  # noqa: ARG001  (`parsing` has what counts)
) -> None:
    """Publish Markdown files as pages of a service.

    Links between the files become links between their pages, and local images are uploaded. What leads nowhere is a
    notice. Which page belongs to which file is kept in .mdpublish/pages.json, or in the front matter. Without an API
    key, each file becomes a demo page with a link to claim it.
    """
    outcomes: Iterable[Outcome]
    checked_url = web_url(repository) if repository else None
    if repository and not checked_url:
        raise click.UsageError(f"--repository must be an http or https URL (got {shorten(repository)!r})")
    service_url, api_key = service_and_key(service_url)
    progress = Progress(is_silent=is_json)
    with library_errors():
        from mdpublish_core.client import Client

        with Client(service_url, api_key=api_key) as client:
            if not api_key:
                from mdpublish_core.cli.publish.demo import publish_demos

                outcomes = publish_demos(client, files, progress, parsing=parsing, is_dry=is_dry)
            else:
                from mdpublish_core.cli.publish.publisher import Publisher

                root = find_root([Path(os.path.realpath(file)) for file in files])
                pages = PagesFile(root, service_url)
                publisher = Publisher(
                    client,
                    pages,
                    parsing=parsing,
                    on_conflict=choice or "keep",
                    is_draft=is_draft,
                    is_dry=is_dry,
                    writes_ids=writes_ids,
                    repository=Repository(root, checked_url) if checked_url else None,
                    progress=progress.show,
                )
                located = expand_folders(map(os.path.realpath, files))
                paths = [Path(file).relative_to(root).as_posix() for file in located]
                outcomes = publisher.publish(paths)
                if prune:
                    outcomes = chain(outcomes, publisher.prune(_gone(pages, files, is_dry=is_dry)))
            done = _report(outcomes, progress, is_json=is_json, is_dry=is_dry)
    if opens:
        for outcome in done:
            if outcome.url and outcome.action != "uploaded":
                click.launch(outcome.url)
    if any(outcome.action in _FAILED for outcome in done):
        raise SystemExit(1)


def _gone(pages: PagesFile, files: "Iterable[str]", *, is_dry: bool) -> list[str]:
    """Return the files below the given ones that are gone, if the user agrees."""
    below = [Path(os.path.realpath(file)) for file in files]
    paths = [
        path
        for path in pages.pages
        if not (pages.root / path).exists() and any((pages.root / path).is_relative_to(folder) for folder in below)
    ]
    if paths and not is_dry:
        click.echo("\n".join(paths), err=True)
        if not click.confirm(f"Delete {pluralize(len(paths), 'page')} of files that are gone?", err=True):
            return []
    return paths


def _report(outcomes: "Iterable[Outcome]", progress: Progress, *, is_json: bool, is_dry: bool) -> "list[Outcome]":
    done = []
    try:
        for outcome in outcomes:
            done.append(outcome)
            progress.clear()
            if outcome.notices:
                print_notices([FileNotices(outcome.file, outcome.notices)])
            if outcome.problem:
                click.echo(error_line(f"{outcome.file}: {outcome.problem}"), err=True)
            elif not is_json and outcome.action != "unchanged":
                action = f"would be {outcome.action}" if is_dry else outcome.action
                click.echo(f"{outcome.file}: {action}" + (f" {outcome.url}" if outcome.url else ""))
    finally:
        progress.clear()
    if is_json:
        print_json([outcome._asdict() for outcome in done])
    changed = sum(outcome.action not in {"unchanged", *_FAILED} for outcome in done)
    failed = sum(outcome.action in _FAILED for outcome in done)
    summary = f"{pluralize(changed, 'change')}, {len(done) - changed - failed:,} unchanged"
    click.echo(summary + (f", {failed:,} failed" if failed else ""), err=True)
    return done
