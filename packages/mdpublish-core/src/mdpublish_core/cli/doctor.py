"""The `doctor` command."""

import platform

import click

from mdpublish_core import __version__
from mdpublish_core.cli.command import Command


@click.command(cls=Command, examples=[("doctor", "List engines and plug-ins.")])
def doctor() -> None:
    """Print which engine renders each kind of figure, and why, what writes PDFs, and the plug-ins that are installed.

    Exit status 1: some kind has none, and its figures are shown as their source.
    """
    # Late, as in the other commands.
    from mdpublish_core.errors import MdpublishError
    from mdpublish_core.figures.engines import find_engines
    from mdpublish_core.plugins import installed_plugins
    from mdpublish_core.writers.pdf.printing import engine_version

    click.echo(f"mdpublish-core {__version__}, Python {platform.python_version()}, {platform.platform()}")
    engines = find_engines()
    for status in engines:
        click.echo(f"{'ok   ' if status.engine else 'none '}  {status.kind}: {status.engine or status.problem}")
    try:
        click.echo(f"ok     pdf: WeasyPrint {engine_version()}")
    except MdpublishError as error:
        click.echo(f"none   pdf: {error}")
    for plugin in installed_plugins():
        click.echo(f"found  {plugin.label}")
    if not all(status.engine for status in engines):
        raise click.exceptions.Exit(1)
