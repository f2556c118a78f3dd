"""Options shared by several commands."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from mdpublish_core.cli.inputs import error_message, replace_surrogates

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

Command = TypeVar("Command", bound=Callable[..., Any])


class _NameParam(click.types.StringParamType):
    """Validated by the library, completed from `names`."""

    def __init__(self, names: Callable[[], Iterable[str]], *, or_file: bool = False) -> None:
        self._names = names
        self._or_file = or_file

    def shell_complete(self, _ctx: click.Context, _param: click.Parameter, incomplete: str) -> "list[CompletionItem]":
        from click.shell_completion import CompletionItem

        matches = [CompletionItem(name) for name in self._names() if name.startswith(incomplete)]
        return matches or ([CompletionItem(incomplete, type="file")] if self._or_file else [])


class _UnicodeParam(click.types.StringParamType):
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        return replace_surrogates(super().convert(value, param, ctx))


def _destinations() -> Iterable[str]:
    from mdpublish_core.writers import destination_names

    return destination_names()


def _templates() -> Iterable[str]:
    from mdpublish_core import list_templates
    from mdpublish_core.plugins import plugin_names

    return (*(template.id for template in list_templates()), *plugin_names("template"))


def _transforms() -> Iterable[str]:
    from mdpublish_core.plugins import plugin_names

    return plugin_names("transform")


def _extensions() -> Iterable[str]:
    from mdpublish_core import ALL_EXTENSIONS

    names = sorted(ALL_EXTENSIONS)
    return [*names, *(f"no-{name}" for name in names)]


def _check_extensions(_ctx: click.Context, _param: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    from mdpublish_core import UnknownExtension, select_extensions

    try:
        select_extensions(names)
    except UnknownExtension as error:
        raise click.BadParameter(error_message(error)) from None
    return names


DESTINATION = _NameParam(_destinations)

BUILT_IN_TEMPLATE = _NameParam(_templates)

TEMPLATE = _NameParam(_templates, or_file=True)  # id, or path of a theme file

UNICODE = _UnicodeParam()


def destination_option(
    default: str | None = "generic", *, help_text: str = "Destination of the output."
) -> Callable[[Command], Command]:
    return click.option(
        "--to",
        "destination",
        type=DESTINATION,
        metavar="DESTINATION",
        default=default,
        show_default=default is not None,
        help=help_text,
    )


def style_options(command: Command) -> Command:
    return _add_style_options(command, ("light", "dark"), "Theme mode.")


def page_style_options(command: Command) -> Command:
    """Add the options of output that can be a page, whose theme mode can be `auto`."""
    return _add_style_options(
        command, ("light", "dark", "auto"), "Theme mode; auto follows the reader's system (pages and generic only)."
    )


def _add_style_options(command: Command, theme_modes: tuple[str, ...], theme_mode_help: str) -> Command:
    for option in (
        click.option(
            "--css",
            "css_file",
            type=click.Path(),
            metavar="FILE",
            help="Custom stylesheet, applied on top of the template's.",
        ),
        click.option(
            "--theme-mode",
            "theme_mode",
            type=click.Choice(theme_modes),
            help=f"{theme_mode_help}  [default: from the front matter, or light]",
        ),
        click.option(
            "--template",
            type=TEMPLATE,
            metavar="TEMPLATE",
            help="Template id, or path of a theme file (.toml).  [default: from the front matter, or swiss]",
        ),
    ):
        command = option(command)
    return command


def page_extras_options(command: Command) -> Command:
    """Add the options of what a page has beside its text."""
    for option in (
        click.option(
            "--copy-code", is_flag=True, help="Add copy buttons to the code of pages, with their only script."
        ),
        click.option("--reading-time", is_flag=True, help="Show the reading time of pages."),
    ):
        command = option(command)
    return command


_raw_html_option = click.option(
    "--raw-html",
    type=click.Choice(["sanitize", "escape", "keep"]),
    default="sanitize",
    show_default=True,
    help="Handling of raw HTML; use keep only for trusted input.",
)

_extensions_option = click.option(
    "--extension",
    "extensions",
    type=_NameParam(_extensions),
    metavar="EXTENSION",
    multiple=True,
    callback=_check_extensions,
    help="Markdown extension to add, or with no- in front, to remove; can be repeated.",
)


_transforms_option = click.option(
    "--transform",
    "transforms",
    type=_NameParam(_transforms),
    metavar="TRANSFORM",
    multiple=True,
    help="Transform of an installed plug-in to apply; can be repeated.",
)


def markdown_options(command: Command) -> Command:
    """Add the options of parsing. Names of extensions are for `select_extensions`, those of transforms for `parse`."""
    return _raw_html_option(_extensions_option(_transforms_option(command)))
