"""The `doctor` command."""

import os
import platform
import shutil
import sys
import webbrowser
from importlib.util import find_spec
from typing import TYPE_CHECKING

import click

from mdpublish_core import __version__
from mdpublish_core.cli.clipboards import find_clipboard
from mdpublish_core.cli.command import Command
from mdpublish_core.cli.notice_formats import print_json, report_format_option
from mdpublish_core.data_files import read_table

if TYPE_CHECKING:
    from mdpublish_core.figures.engines import EngineStatus

EXTRAS = {name: (purpose, modules.split()) for name, modules, purpose in read_table(__file__, "extras.tsv")}
"""What each extra of the package but `all` is for, and the modules that show that it is installed."""


@click.command(cls=Command)
@report_format_option
def doctor(*, is_json: bool) -> None:
    """Print what draws figures and writes PDFs, fonts, the cache of figures, the clipboard, the browser, extras and plug-ins.

    What is missing says how to get it.

    Exit status 1: some kind has none, and its figures are shown as their source.
    """
    # Late, as in the other commands.
    from mdpublish_core.errors import MdpublishError
    from mdpublish_core.figures.engines import EngineStatus, find_engines
    from mdpublish_core.plugins import installed_plugins
    from mdpublish_core.writers.pdf.printing import engine_version, find_fonts

    engines = find_engines()
    try:
        pdf = EngineStatus("pdf", f"WeasyPrint {engine_version()}")
    except MdpublishError as error:
        pdf = EngineStatus("pdf", None, str(error))
    fonts = [find_fonts()] if pdf.engine else []
    listed = [*engines, pdf, *fonts, _parser(), _figure_cache(), _clipboard(), _browser(), *map(_extra, EXTRAS)]
    plugins = [plugin.label for plugin in installed_plugins()]
    versions = {"version": __version__, "python": platform.python_version(), "platform": platform.platform()}
    if is_json:
        print_json({**versions, "found": listed, "plugins": plugins})
    else:
        click.echo("mdpublish-core {version}, Python {python}, {platform}".format(**versions))
        width = max(len(each.kind) for each in listed)
        for each in listed:
            click.echo(f"{'ok   ' if each.engine else 'none '}  {each.kind:{width}}  {each.engine or each.problem}")
        for label in plugins:
            click.echo(f"found  {label}")
    if not all(status.engine for status in engines):
        raise click.exceptions.Exit(1)


def _parser() -> "EngineStatus":
    from mdpublish_core.figures.engines import EngineStatus
    from mdpublish_core.readers.markdown import blocks

    is_compiled = not str(blocks.__file__).endswith(".py")
    return EngineStatus(
        "parser", "compiled" if is_compiled else "interpreted; the wheels of a release have it compiled"
    )


def _figure_cache() -> "EngineStatus":
    from mdpublish_core.figures.engines import EngineStatus
    from mdpublish_core.resources.figure_cache import MAX_BYTES, FigureCache, user_folder

    figures = FigureCache(user_folder())
    try:
        entries = figures.entries() if figures.key else []
    except OSError as error:
        return EngineStatus("cache", None, f"none for figures: {error.filename}: {error.strerror}")
    megabytes = sum(entry[1] for entry in entries) / 1_000_000
    counted = f"{len(entries):,} figures, {megabytes:.1f} of {MAX_BYTES // 1_000_000} MB"
    return EngineStatus("cache", f"{counted}, in {figures.folder}")


def _clipboard() -> "EngineStatus":
    from mdpublish_core.figures.engines import EngineStatus

    try:
        return EngineStatus("clipboard", find_clipboard(sys.platform, os.environ, shutil.which).name)
    except click.ClickException as error:
        return EngineStatus("clipboard", None, error.message)


def _browser() -> "EngineStatus":
    from mdpublish_core.figures.engines import EngineStatus

    try:
        browser = webbrowser.get()
    except webbrowser.Error:
        return EngineStatus("browser", None, "none for `preview` and --open; install one, or name it: BROWSER=firefox")
    return EngineStatus("browser", getattr(browser, "name", "") or "the system's")


def _extra(extra: str) -> "EngineStatus":
    """Describe an extra, and how to install it; or that a package of it has no wheel for this platform."""
    from mdpublish_core.errors import install_command
    from mdpublish_core.figures.engines import EngineStatus
    from mdpublish_core.figures.platforms import missing_wheel

    purpose, modules = EXTRAS[extra]
    missing = [module for module in modules if find_spec(module) is None]
    if not missing:
        return EngineStatus(f"extra {extra}", purpose)
    problem = next(filter(None, map(missing_wheel, missing)), f"not installed; run: {install_command(extra)}")
    return EngineStatus(f"extra {extra}", None, f"{purpose} ({problem})")
