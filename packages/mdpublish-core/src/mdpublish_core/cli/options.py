"""Options shared by several commands, and what they choose for a document."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict, TypeVar

import click

from mdpublish_core.cli.configuration import ConfiguredDefaults, RunOption
from mdpublish_core.cli.dialects import chosen_dialect, keep_dialect
from mdpublish_core.cli.inputs import (
    STANDARD_INPUT,
    error_message,
    read_bytes,
    read_css,
    read_template,
)
from mdpublish_core.data_files import read_table
from mdpublish_core.options.extensions import DIALECTS
from mdpublish_core.resources.characters import replace_surrogates

if TYPE_CHECKING:
    from email.headerregistry import Address

    from click.shell_completion import CompletionItem

    from mdpublish_core import Conversion, Document, Template
    from mdpublish_core.resources.known_images import KnownImages
    from mdpublish_core.templates import PageThemeMode
    from mdpublish_core.writers.options.declared import Option
    from mdpublish_core.writers.outputs import Output

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


def read_mailbox(value: str) -> "Address":
    """Return an option's email address. Raises `UsageError`."""
    from mdpublish_core.mail.headers import parse_mailbox

    try:
        return parse_mailbox(value)
    except ValueError as error:
        raise click.UsageError(str(error)) from None


def _outputs() -> Iterable[str]:
    from mdpublish_core.writers.outputs import output_names

    return output_names()


def _destinations() -> Iterable[str]:
    from mdpublish_core.writers.outputs import destination_names

    return destination_names()


def _categories() -> Iterable[str]:
    from mdpublish_core.templates import CATEGORIES

    return CATEGORIES


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


def _check_extensions(ctx: click.Context, _param: click.Parameter, names: tuple[str, ...]) -> tuple[str, ...]:
    """Return names that are valid, behind that of the dialect."""
    from mdpublish_core import select_extensions
    from mdpublish_core.errors import UnknownExtension

    try:
        select_extensions(names)
    except UnknownExtension as error:
        raise click.BadParameter(error_message(error)) from None
    return (*chosen_dialect(ctx), *names)


UNICODE = _UnicodeParam()

_KINDS: Mapping[str, Any] = {
    "": None,
    "built-in template": _NameParam(_templates),
    "category": _NameParam(_categories),
    "destination": _NameParam(_destinations),
    "folder": click.Path(path_type=Path),
    "folder to read": click.Path(exists=True, file_okay=False, path_type=Path),
    "output": _NameParam(_outputs),
    "path": click.Path(),
    "template": _NameParam(_templates, or_file=True),
    "text": UNICODE,
    "transform": _NameParam(_transforms),
}
"""Types of options in the table, but for flags, choices and numbers."""


def table_options(group: str) -> Callable[[Command], Command]:
    """Add a group of `options.tsv`. A kind with `*` may be repeated, one with `!` is a `RunOption`; a default with `$` is a variable of the environment."""

    def add(command: Command) -> Command:
        for name, flags, kind, metavar, default, help_text in reversed(read_table(__file__, "options.tsv")):
            if name != group:
                continue
            named = kind.rstrip("!*")
            declared: dict[str, Any] = {"help": help_text, "metavar": metavar or None, "multiple": "*" in kind}
            declared["cls"] = RunOption if "!" in kind else click.Option
            if named in {"flag", "switch", "maybe"}:
                initial = {"flag": False, "switch": True}.get(named)
                declared |= {"is_flag": True, "default": initial, "show_default": bool(default)}
            elif named.startswith("="):
                declared["flag_value"] = named[1:]
            elif ".." in named:
                minimum, _, maximum = named.partition("..")
                declared["type"] = click.IntRange(int(minimum), int(maximum))
            elif "|" in named:
                declared["type"] = click.Choice(named.split("|"))
            else:
                declared["type"] = _KINDS[named]
            if default.startswith("$"):
                declared |= {"envvar": default[1:], "show_envvar": True}
            elif default and named != "switch":
                declared |= {"default": default, "show_default": "[default" not in help_text}
            command = click.option(*flags.split(), **declared)(command)
        return command

    return add


style_options = table_options("style")

page_style_options = table_options("page style")  # of output that can be a page


def declared_option(declared: "Option") -> Callable[[Command], Command]:
    """Return the option that a field declares; its value is None, or an empty tuple, if it is not given."""
    flag = f"--{declared.flag}"
    kind: Any = click.Path() if declared.is_file else UNICODE
    if declared.is_switch:
        flag, kind = f"{flag}/--no-{declared.flag}", None
    elif declared.choices:
        kind = click.Choice(declared.choices)
    elif declared.bounds:
        kind = click.IntRange(declared.bounds[0], declared.bounds[-1])
    return click.option(
        flag,
        declared.parameter,
        type=kind,
        default=None,
        metavar=declared.metavar,
        multiple=declared.is_list,
        help=declared.help + (f"  [default: {declared.initial}]" if declared.initial else ""),
    )


def options_of(kind: type) -> Callable[[Command], Command]:
    """Add the options that a dataclass declares."""
    from mdpublish_core.writers.options.declared import declared_in

    return _adding([each for each in declared_in(kind).values() if each.help])


def output_options(*, has_per_document: bool) -> Callable[[Command], Command]:
    """Add the options of outputs, and to a command that `has_per_document` those of one document, such as its title."""
    from mdpublish_core.writers.options import declared_options

    return _adding([each for each in declared_options().values() if has_per_document or not each.is_per_document])


def _adding(options: Sequence["Option"]) -> Callable[[Command], Command]:
    def add(command: Command) -> Command:
        for each in reversed(options):
            command = declared_option(each)(command)
        return command

    return add


def declared_values(values: dict[str, Any]) -> dict[str, Any]:
    """Take the outputs' options from a command's values; return those that are given, by the names of their fields."""
    from mdpublish_core.writers.options import declared_options

    declared = declared_options().values()
    taken = {each.name: values.pop(each.parameter, None) for each in declared}
    return {name: value for name, value in taken.items() if value not in (None, ())}


def with_files(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return values of outputs' options with the contents of files for their paths."""
    from mdpublish_core.writers.options import declared_options

    files = {name for name, declared in declared_options().items() if declared.is_file}
    return {name: read_bytes(value) if name in files else value for name, value in values.items()}


def require_flags(output: "Output", given: Iterable[str]) -> None:
    """Refuse options that an output does not have, by the names of their fields."""
    from mdpublish_core.writers.options import declared_options
    from mdpublish_core.writers.outputs import FILES

    for name in given:
        if name not in output.flags:
            remedy = " or ".join(f"--to {each.name}" for each in FILES.values() if name in each.flags)
            raise click.UsageError(f"--{declared_options()[name].flag} requires {remedy} (got --to {output.name})")


_dialect_option = click.option(
    "--dialect",
    type=click.Choice(list(DIALECTS)),
    callback=keep_dialect,
    expose_value=False,
    is_eager=True,
    help="Program for which the Markdown is written.  [default: gfm; to convert or check, as mkdocs.yml, .obsidian or hugo.toml say]",
)

_extension_option = click.option(
    "--extension",
    "extensions",
    type=_NameParam(_extensions),
    metavar="EXTENSION",
    multiple=True,
    callback=_check_extensions,
    help="Markdown extension to add, or with no- in front, to remove; can be repeated.",
)


def extensions_option(command: Command) -> Command:
    """Add the options of the dialect and of extensions, as the parameter `extensions`, names for `select_extensions`."""
    return _dialect_option(_extension_option(command))


def markdown_options(command: Command) -> Command:
    """Add the options of parsing. Names of extensions are for `select_extensions`, those of transforms for `parse`."""
    return table_options("raw html")(extensions_option(table_options("transforms")(command)))


class StyleArguments(TypedDict):
    """Arguments of `render` for the style."""

    template: "Template | None"
    theme_mode: "PageThemeMode | None"
    css: str | None


class StyleOptions(NamedTuple):
    """How to style the output; where one is None, the front matter chooses, then the configuration."""

    template: "Template | None"
    theme_mode: "PageThemeMode | None"
    css: str | None
    configured_template: "Template | None" = None
    configured_theme_mode: "PageThemeMode | None" = None

    def for_document(self, document: "Document", output: "Output") -> StyleArguments:
        """Return arguments of `render`. A configured `auto` is light where there is no page."""
        from mdpublish_core.writers.document_defaults import defaults_of

        written = defaults_of(document)
        configured_mode = self.configured_theme_mode
        if configured_mode not in output.theme_modes:
            configured_mode = None
        return {
            "template": self.template or (None if written.template_id else self.configured_template),
            "theme_mode": self.theme_mode or (None if written.theme_mode else configured_mode),
            "css": self.css,
        }


def read_style(
    template: str | None, theme_mode: "PageThemeMode | None", css_file: str | None, configured: ConfiguredDefaults
) -> StyleOptions:
    return StyleOptions(
        read_template(template) if template else None,
        theme_mode,
        read_css(css_file),
        read_template(configured.template) if configured.template and not template else None,
        configured.theme_mode,
    )


def output_values(given: Mapping[str, Any], configured: ConfiguredDefaults, document: "Document") -> dict[str, Any]:
    """Return the values of outputs' options; the configuration counts after the front matter."""
    from mdpublish_core.writers.document_defaults import defaults_of

    return {**configured.options, **dict.fromkeys(defaults_of(document).options), **given}


def default_title(file: str) -> str | None:
    """Return the title of a document that has none: its file's name."""
    return None if file == STANDARD_INPUT else replace_surrogates(Path(file).stem)


def render_output(
    document: "Document",
    output: "Output",
    values: Mapping[str, Any],
    style: StyleOptions,
    images: "KnownImages | None" = None,
) -> "Conversion":
    """Render a document with those of the values that the output has as options, and with its images in it."""
    from mdpublish_core import render

    return render(
        document,
        to=output,
        options=output.options_from(values),
        media_url="data:",
        images=images,
        plain_text=False,
        **style.for_document(document, output),
    )
