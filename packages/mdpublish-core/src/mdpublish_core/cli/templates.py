"""The `templates` command."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.console import STANDARD_OUTPUT, library_errors, write
from mdpublish_core.cli.theme_scaffold import check, new

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.shell_completion import CompletionItem

    from mdpublish_core import Template
    from mdpublish_core.templates import Category, ThemeMode


def _complete_category(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    from click.shell_completion import CompletionItem

    from mdpublish_core.templates import CATEGORIES

    return [CompletionItem(category) for category in CATEGORIES if category.startswith(incomplete)]


@click.group(invoke_without_command=True)
@click.option(
    "--category", metavar="CATEGORY", shell_complete=_complete_category, help="Show only templates of this category."
)
@click.option(
    "--gallery",
    type=click.Path(),
    metavar="OUT.html",
    help="Write an HTML gallery instead of the list, and full-page samples to a directory next to it; with -, write "
    "only the gallery to standard output.",
)
@click.pass_context
def templates(context: click.Context, *, category: "Category | None", gallery: str | None) -> None:
    """List the built-in templates, or create and check your own."""
    if context.invoked_subcommand:
        return
    from mdpublish_core import list_templates

    with library_errors():
        listed = list_templates(category)
    if not listed:
        click.echo(f"no templates in category {category}", err=True)
    if gallery is not None:
        _write_gallery(gallery, listed)
    elif sys.stdout.isatty():
        _print_grouped(listed)
    else:
        _print_lines(listed)


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
            page_html, _ = specimen_page(template, theme_mode, specimen_url=name, gallery_url=f"../{page.name}")
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
