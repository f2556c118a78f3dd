"""`mdpublish templates`: which there are, as a list or as a page that shows them."""

import sys
from typing import TYPE_CHECKING

import click

from mdpublish_core.cli.writing import library_errors, write

if TYPE_CHECKING:
    from collections.abc import Sequence

    from click.shell_completion import CompletionItem

    from mdpublish_core import Template
    from mdpublish_core.templates import Category


def _complete_category(_ctx: click.Context, _param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
    from click.shell_completion import CompletionItem

    from mdpublish_core.templates import CATEGORIES

    return [CompletionItem(category) for category in CATEGORIES if category.startswith(incomplete)]


@click.command()
@click.option(
    "--category", metavar="CATEGORY", shell_complete=_complete_category, help="Only the templates of this category."
)
@click.option(
    "--gallery",
    type=click.Path(),
    metavar="OUT.html",
    help="Write a page that shows each, in both modes, instead of the list; - is standard output.",
)
def templates(*, category: "Category | None", gallery: str | None) -> None:
    """List the built-in templates, or show them on a page."""
    from mdpublish_core import list_templates

    with library_errors():
        listed = list_templates(category)
    if not listed:
        click.echo(f"the category {category} has no templates yet", err=True)
    if gallery is not None:
        from mdpublish_core.gallery import gallery_page

        write(gallery, gallery_page(listed).encode())
    elif sys.stdout.isatty():
        _print_shelves(listed)
    else:
        _print_lines(listed)


def _print_lines(listed: "Sequence[Template]") -> None:
    """Print a template a line, for programs that look for words in lines."""
    width = _width(listed)
    for template in listed:
        click.echo(f"{template.id:{width}}  {template.category:12}  {template.description}")


def _print_shelves(listed: "Sequence[Template]") -> None:
    """Print the templates below their categories, for people."""
    width = _width(listed)
    category = None
    for template in listed:
        if template.category != category:
            click.echo(("" if category is None else "\n") + click.style(template.category, fg="cyan", bold=True))
            category = template.category
        click.echo(f"  {click.style(f'{template.id:{width}}', bold=True)}  {template.description}")


def _width(listed: "Sequence[Template]") -> int:
    return max((len(template.id) for template in listed), default=0)
