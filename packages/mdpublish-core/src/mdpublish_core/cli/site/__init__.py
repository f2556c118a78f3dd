"""The `site` command."""

import os
import time
from collections.abc import Mapping
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from mdpublish_core.cli import configuration as config
from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.console import library_errors, pluralize
from mdpublish_core.cli.dialects import chosen_dialect, dialect_in
from mdpublish_core.cli.notice_formats import output_format_option, print_folder_notices
from mdpublish_core.cli.options import markdown_options, options_of, read_style, table_options
from mdpublish_core.cli.progress import Progress
from mdpublish_core.site.projects import FOLDERS, PROGRAMS, find_project
from mdpublish_core.site.settings import SiteSettings

if TYPE_CHECKING:
    from mdpublish_core.cli.notice_formats import NoticeFormat
    from mdpublish_core.site import SiteReport
    from mdpublish_core.site.projects.project import Project


@click.command(cls=ConfiguredCommand, input_name="folder", reads_table=True)
@click.argument("folder", metavar="FOLDER", type=click.Path(path_type=Path))
@click.argument("out", metavar="OUT", type=click.Path(path_type=Path))
@click.option(
    "--from",
    "program",
    cls=config.RunOption,
    type=click.Choice([*PROGRAMS, FOLDERS]),
    help="Program whose configuration says what is in the menu, or the folders alone.  [default: that which is there]",
)
@table_options("site")
@markdown_options
@options_of(SiteSettings)
@table_options("site 2")
@table_options("cache")
@output_format_option("standard output (text: to standard error)")
def site(
    *,
    folder: Path,
    out: Path,
    program: str | None,
    strict: bool,
    force: bool,
    workers: int | None,
    serve: bool,
    port: int,
    notice_format: "NoticeFormat",
    configured: config.ConfiguredDefaults,
    configuration: config.Configuration | None,
    **values: Any,
) -> None:
    """Build a website from a folder of Markdown files.

    Pages have a menu, search, breadcrumbs, and links to the previous and the next page. Settings are read from the
    table [site] of mdpublish.toml, or [tool.mdpublish.site] of pyproject.toml, in FOLDER or above it; options go before
    them. What they do not say is as mkdocs.yml, docusaurus.config.js with its sidebars, or mdBook's SUMMARY.md say.
    Only changed pages are written.
    """
    if folder.is_file():
        raise click.UsageError(f"{folder} is a file; use: mdpublish convert {folder} --to page")

    def build(*, is_rebuild: bool) -> bool:
        """Return whether every page was built, and with --strict, whether every link leads somewhere."""
        from mdpublish_core.site import build_site

        started = time.monotonic()
        with library_errors():
            current = config.reread(configuration) if is_rebuild and configuration else configuration
            project = find_project(folder, islice(config.folders_above(folder), 1, None), program)
            settings = _settings(values, configured, current, project)
            progress = Progress(is_silent=notice_format != "text")
            try:
                report = build_site(
                    project.root if project else folder,
                    out,
                    settings,
                    force=force and not is_rebuild,
                    workers=workers,
                    progress=progress.show,
                )
            finally:
                progress.clear()
        if project and project.notices:
            report.notices[os.path.relpath(project.file, project.folder)] = tuple(project.notices)
        _print(report, project.folder if project else folder / settings.docs, notice_format, time.monotonic() - started)
        return not report.problems and not (strict and report.broken_links)

    is_good = build(is_rebuild=False)
    if serve:
        from mdpublish_core.cli.site.serve import serve_site

        serve_site(folder, out, port, _files(values, configuration), lambda: build(is_rebuild=True))
    elif not is_good:
        raise SystemExit(1)


def _settings(
    values: dict[str, Any],
    configured: config.ConfiguredDefaults,
    configuration: config.Configuration | None,
    project: "Project | None",
) -> SiteSettings:
    """Return the settings of options, else of the table `[site]`, else of the keys for all commands, else of a project."""
    from mdpublish_core.site.settings import settings_of

    table = _trusted_table(configuration) if configuration else {}
    source = click.get_current_context().get_parameter_source
    options = {name: value for name, value in values.items() if source(name) not in {None, ParameterSource.DEFAULT}}
    configured_dialect = dialect_in(configured.extensions)
    common = {name: value for name, value in values.items() if name not in options}
    common |= {
        "template": configured.template,
        "theme_mode": configured.theme_mode,
        "extensions": configured.extensions[: len(configured.extensions) - len(configured_dialect)],
        "page_width": configured.options.get("page_width"),
        "lang": configured.options.get("lang"),
    }
    in_table = {"css_file" if key == "css" else key.replace("-", "_") for key in table}
    given = {name: value for name, value in common.items() if name not in in_table} | options
    style = read_style(
        given.pop("template", None), given.pop("theme_mode", None), given.pop("css_file", None), config.UNCONFIGURED
    )
    given |= {"template": style.template, "theme_mode": style.theme_mode, "css": style.css}
    chosen = {name: value for name, value in given.items() if value not in (None, ())}
    base = (
        SiteSettings(**project.settings, docs=os.path.relpath(project.folder, project.root))
        if project
        else SiteSettings()
    )
    if configuration:
        base = settings_of(table, configuration.file.parent, config.display_path(configuration.file), base)
    names = chosen.get("extensions", base.extensions)
    dialect = chosen_dialect(click.get_current_context()) or (() if base.dialect else configured_dialect)
    if dialect and not dialect_in(names):
        chosen |= {"dialect": None, "extensions": (*dialect, *names)}
    return replace(base, **chosen)


def _trusted_table(configuration: config.Configuration) -> Mapping[str, Any]:
    """Return the table `[site]`. A file that was found, not named, may come with a stranger's documents."""
    table = configuration.table("site")
    for key in ("css", "template"):
        value = table.get(key)
        if isinstance(value, str) and (key == "css" or value.endswith(".toml")):
            configuration.path(f"site.{key}", value)
    for key in ("raw_html", "raw-html"):
        if table.get(key) == "keep" and not configuration.is_named:
            problem = "keep is for authors whom you trust: use --raw-html keep, or name this file by --config"
            raise configuration.error(f"site.{key}", problem)
    return table


def _files(values: dict[str, Any], configuration: config.Configuration | None) -> list[Path]:
    """Return what a site is made of besides its folder."""
    named = [Path(values[name]) for name in ("css_file", "template") if values[name]]
    return [file for file in named if file.is_file()] + ([configuration.file] if configuration else [])


def _print(report: "SiteReport", folder: Path, notice_format: "NoticeFormat", seconds: float) -> None:
    print_folder_notices(folder, report.notices, report.problems, notice_format)
    modified = (f"{name} was changed since it was built, and is left" for name in report.modified)
    for line in (*report.left_out, *modified):
        click.echo(line, err=True)
    counts = (
        f"{report.written:,} written",
        f"{pluralize(report.drafts, 'draft')} left out" if report.drafts else "",
        f"{len(report.deleted):,} deleted" if report.deleted else "",
        f"{len(report.problems):,} failed" if report.problems else "",
        pluralize(report.broken_links, "broken link") if report.broken_links else "",
    )
    details = ", ".join(filter(None, counts))
    click.echo(f"{pluralize(report.pages, 'page')}: {details}; {seconds:.1f} s", err=True)
