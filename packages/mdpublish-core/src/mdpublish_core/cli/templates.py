"""The `templates` command."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.command import CommandGroup
from mdpublish_core.cli.console import STANDARD_OUTPUT, error_line, library_errors, write
from mdpublish_core.cli.notice_formats import print_json, report_format_option
from mdpublish_core.cli.options import table_options
from mdpublish_core.cli.theme_scaffold import check, new

if TYPE_CHECKING:
    from collections.abc import Sequence

    from mdpublish_core import Template
    from mdpublish_core.templates import Category, ThemeMode


@click.group(cls=CommandGroup, invoke_without_command=True)
@table_options("templates")
@report_format_option
@click.pass_context
def templates(context: click.Context, *, category: "Category | None", gallery: str | None, is_json: bool) -> None:
    """List the templates, built in and of installed plug-ins, or create and check your own."""
    if context.invoked_subcommand:
        return
    with library_errors():
        listed, problems = _templates(category)
    if not listed:
        click.echo(f"no templates in category {category}", err=True)
    if is_json:
        if gallery is not None:
            raise click.UsageError("--gallery writes HTML; leave out --output-format")
        shown = ("id", "name", "category", "description")
        print_json([{name: getattr(each, name) for name in shown} for each in listed])
    elif gallery is not None:
        _write_gallery(gallery, listed)
    elif sys.stdout.isatty():
        _print_grouped(listed)
    else:
        _print_lines(listed)
    for problem in problems:
        click.echo(error_line(problem), err=True)
    if problems:
        raise SystemExit(1)


def _templates(category: "Category | None") -> "tuple[Sequence[Template], Sequence[str]]":
    """Return the built-in templates and those of installed plug-ins by category, and what is wrong with plug-ins."""
    from mdpublish_core import get_template, list_templates
    from mdpublish_core.errors import PluginError
    from mdpublish_core.plugins import plugin_names
    from mdpublish_core.templates import CATEGORIES

    listed = list(list_templates(category))
    built_in = {template.id for template in list_templates()}
    problems = []
    for name in plugin_names("template"):
        if name in built_in:
            continue  # which `get_template` returns
        try:
            template = get_template(name)
        except PluginError as error:
            problems.append(str(error))
        else:
            if category in {None, template.category}:
                listed.append(template)
    # Stable: the built-in ones of a category come first, in their order.
    return sorted(listed, key=lambda each: CATEGORIES.index(each.category)), problems


templates.add_command(new)
templates.add_command(check)


def _write_gallery(output: str, listed: "Sequence[Template]") -> None:
    from mdpublish_core.gallery import gallery_page, specimen_page
    from mdpublish_core.templates import THEME_MODES

    if output == STANDARD_OUTPUT:
        write(output, gallery_page(listed).encode())
        return
    page = Path(output)
    folder = page.parent / f"{page.stem}-pages"

    def name(template: "Template", theme_mode: "ThemeMode") -> str:
        return f"{template.id}-{theme_mode}.html"

    write(output, gallery_page(listed, specimen_url=lambda *which: f"{folder.name}/{name(*which)}").encode())
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise click.ClickException(f"cannot write {folder}: {error.strerror}") from None
    for template in listed:
        for theme_mode in THEME_MODES:
            page_html = specimen_page(template, theme_mode, specimen_url=name, gallery_url=f"../{page.name}")
            write(str(folder / name(template, theme_mode)), page_html.encode())


def _print_lines(listed: "Sequence[Template]") -> None:
    width = _width(listed)
    for template in listed:
        click.echo(f"{template.id:{width}}  {template.category:12}  {template.description}")


def _print_grouped(listed: "Sequence[Template]") -> None:
    width = _width(listed)
    category = None
    for template in listed:
        if template.category != category:
            click.echo(("" if category is None else "\n") + click.style(template.category, fg="cyan", bold=True))
            category = template.category
        click.echo(f"  {click.style(f'{template.id:{width}}', bold=True)}  {template.description}")


def _width(listed: "Sequence[Template]") -> int:
    return max((len(template.id) for template in listed), default=0)
