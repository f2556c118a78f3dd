"""`mdpublish templates`: which there are."""

import click


@click.command()
def templates() -> None:
    """List the built-in templates."""
    from mdpublish_core import list_templates

    listed = list_templates()
    width = max(len(template.id) for template in listed)
    for template in listed:
        click.echo(f"{template.id:{width}}  {template.category:12}  {template.description}")
