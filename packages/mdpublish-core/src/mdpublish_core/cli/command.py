"""Commands with examples and outputs in their help, and with configured values.

A value comes from an option, else from the front matter, else from the configuration, else it is the default.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import cache
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from mdpublish_core.cli.configuration import (
    COMMON_KEYS,
    UNCONFIGURED,
    Configuration,
    ConfiguredDefaults,
    RunOption,
    find_configuration,
    read_configuration,
    toml_type,
    unknown_key,
)
from mdpublish_core.cli.dialects import chosen_dialect, with_detected_dialect
from mdpublish_core.cli.inputs import STANDARD_INPUT, ParseOptions
from mdpublish_core.data_files import read_table
from mdpublish_core.resources.figure_cache import keeping_figures
from mdpublish_core.resources.source_files import SUFFIXES

Examples = Sequence[tuple[str, str]]
"""Command lines without the program's name, and what each does."""

_DEFAULTS = {"to": "outputs", **{name: name for name in ConfiguredDefaults._fields}}
"""Options with a field in `ConfiguredDefaults`, whose `options` are those of outputs."""

_OTHER_PROGRAMS = {
    **dict.fromkeys(("-t", "--write"), "--to"),
    "-f": "--from",
    **dict.fromkeys(("-s", "--standalone"), "--output FILE.html"),
    "--extract-media": "--media-folder",
    "--json": "--output-format json",
}
"""Options of pandoc and its like, and what a command has instead."""


def _examples_of(command: str | None) -> Examples:
    return [(line, meaning) for name, line, meaning in read_table(__file__, "examples.tsv") if name == command]


class Command(click.Command):
    """A command whose help ends in examples, and in the outputs if it has an option for them."""

    def __init__(self, *args: Any, examples: Examples = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = examples or _examples_of(self.name)

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        try:
            if args and not ctx.resilient_parsing:
                for option in (given := self.make_parser(ctx).parse_args(list(args))[2]):
                    # The last value would go before the others in silence.
                    is_one = isinstance(option, click.Option) and not (option.multiple or option.is_flag)
                    if is_one and (number := given.count(option)) > 1:
                        raise click.UsageError(f"{option.opts[-1]} is there {number} times; it takes one value", ctx)
            return super().parse_args(ctx, args)
        except click.NoSuchOption as error:
            instead = _OTHER_PROGRAMS.get(error.option_name, "")
            if any(instead.partition(" ")[0] in param.opts for param in self.params):
                raise click.UsageError(f"No such option {error.option_name!r}; use {instead}.", ctx) from None
            raise
        except click.BadParameter as error:
            if error.param and isinstance(bounds := error.param.type, click.IntRange):
                value = error.message.partition(" is not ")[0]
                message = f"must be an integer from {bounds.min:,} to {bounds.max:,} (got {value})"
                raise click.BadParameter(message, ctx, error.param) from None
            raise

    def invoke(self, ctx: click.Context) -> Any:
        with keeping_figures() if ctx.params.pop("keeps_figures", ctx.params.get("cache")) else nullcontext():
            return super().invoke(ctx)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(self.examples, formatter)
        metavars = {param.metavar for param in self.params}
        if "OUTPUT" in metavars or "DESTINATION" in metavars:
            write_outputs(formatter, has_files="OUTPUT" in metavars)
        super().format_epilog(ctx, formatter)


class ConfiguredCommand(Command):
    """A command that reads the configuration of its input's folder.

    `input_name` is the parameter with the input: a file, `-`, a folder, or several. A command with options adds their
    keys, and gets those of parsing as `parsing`; one that `reads_table` itself gets it unchanged as the argument
    `configuration`, and checks its keys. One without an `input_name` gets a function of the values for a file as
    `configured`, and applies them.
    """

    def __init__(self, *args: Any, input_name: str | None, reads_table: bool = False, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.input_name = input_name
        self.reads_table = reads_table
        self.params += [
            RunOption(
                ["--config", "config_file"],
                metavar="FILE",
                type=click.Path(),
                help="Configuration file.  [default: mdpublish.toml or pyproject.toml, in the input's folder or above]",
            ),
            RunOption(["--no-config"], is_flag=True, help="Read no configuration file."),
        ]

    @property
    def configurable(self) -> dict[str, click.Option]:
        """Options by their keys."""
        from mdpublish_core.writers.options import declared_options

        excluded = {each.parameter for each in declared_options().values() if each.is_per_document}
        options = (each for each in self.params if isinstance(each, click.Option) and not isinstance(each, RunOption))
        return {option_key(option): option for option in options if option.name not in excluded}

    def invoke(self, ctx: click.Context) -> Any:
        find = _finder(ctx)
        if self.input_name is None:
            ctx.params["configured"] = lambda file: self._values(ctx, find(_folder(file)))
            return super().invoke(ctx)
        given = ctx.params[self.input_name] or STANDARD_INPUT
        configuration = find(_folder(given))
        values = _Values(self, ctx, configuration) if configuration else None
        configured = values.apply() if values else UNCONFIGURED
        is_named = chosen_dialect(ctx) or (configuration and "dialect" in configuration.table(self.name or ""))
        if "dialect" in self.configurable and given != STANDARD_INPUT and not is_named:
            configured = configured._replace(
                extensions=with_detected_dialect(ctx, _folder(given), configured.extensions)
            )
        ctx.params["configured"] = configured
        if self.reads_table:
            ctx.params["configuration"] = configuration
        elif "extensions" in ctx.params:
            ctx.params["parsing"] = _parsing(ctx.params, configured)
        return super().invoke(ctx)

    def _values(self, ctx: click.Context, configuration: Configuration | None) -> Mapping[str | None, Any]:
        merged = _Values(self, ctx, configuration).merged() if configuration else ()
        return {option.name: value for option, value in merged}


def _parsing(params: dict[str, Any], configured: ConfiguredDefaults) -> ParseOptions:
    """Take what a command's options say of parsing from its parameters."""
    raw_html, transforms = params.pop("raw_html", "sanitize"), params.pop("transforms", ())
    return ParseOptions(raw_html, params.pop("extensions"), transforms, configured.extensions)


def _finder(ctx: click.Context) -> Callable[[Path], Configuration | None]:
    """Return what finds the configuration for the files of a folder."""
    file, is_off = ctx.params.pop("config_file"), ctx.params.pop("no_config")
    if file is not None and is_off:
        raise click.UsageError("--config cannot be used with --no-config", ctx)
    configuration = read_configuration(Path(file)) if file is not None else None
    return cache(find_configuration) if file is None and not is_off else lambda _folder: configuration


def _folder(given: Any) -> Path:
    """Return the folder of an input, the one above several, the current one for standard input."""
    import os

    inputs = [given] if isinstance(given, str | Path) else list(given)
    folders = []
    for each in inputs:
        path = Path() if each == STANDARD_INPUT else Path(each)
        try:
            is_folder = path.is_dir()
        except ValueError:  # such as a null character; reading it will tell
            return Path()
        folders.append(str(Path.cwd() / (path if is_folder else path.parent)))
    try:
        return Path(os.path.commonpath(folders))
    except ValueError:  # two drives of Windows
        return Path(folders[0])


class _Values:
    """The values of a configuration for one command."""

    def __init__(self, command: ConfiguredCommand, ctx: click.Context, configuration: Configuration) -> None:
        self._ctx = ctx
        self._configuration = configuration
        self._options = command.configurable
        self._name = command.name or ""
        self._reads_table = command.reads_table

    def apply(self) -> ConfiguredDefaults:
        """Set the parameters that neither the command line nor the front matter sets; return the others."""
        from mdpublish_core.writers.options import declared_options

        defaults: dict[str, Any] = {}
        names = {each.parameter: name for name, each in declared_options().items()}
        options: dict[str, Any] = {}
        for option, value in self.merged():
            assert option.name
            if option.name in names:
                options[names[option.name]] = value
            elif option.name in _DEFAULTS:
                name = _DEFAULTS[option.name]
                defaults[name] = (value,) if name == "outputs" and isinstance(value, str) else value
            elif self._ctx.get_parameter_source(option.name) in {None, ParameterSource.DEFAULT}:
                self._ctx.params[option.name] = value
        return ConfiguredDefaults(**defaults, options=options, folder=self._configuration.file.parent)

    def merged(self) -> Iterator[tuple[click.Option, Any]]:
        values = {key: ("", value) for key, value in self._configuration.values.items() if key in COMMON_KEYS}
        if not self._reads_table:
            for key, value in self._configuration.table(self._name).items():
                if key not in self._options:
                    raise unknown_key(self._configuration, f"{self._name}.{key}", tuple(self._options))
                values[key] = (f"{self._name}.", value)
        merged = {
            key: self._checked(f"{table}{key}", self._options[key], value, is_common=not table)
            for key, (table, value) in values.items()
            if key in self._options
        }
        # Names of extensions are those of a dialect, too.
        if (dialect := merged.pop("dialect", None)) and not chosen_dialect(self._ctx):
            merged["extensions"] = (*merged.get("extensions", ()), dialect)
        yield from ((self._options[key], checked) for key, checked in merged.items() if checked is not None)

    def _checked(self, name: str, option: click.Option, value: Any, *, is_common: bool) -> Any:
        if option.name == "theme_mode" and is_common and value == "auto":
            # Commands without pages do not have it.
            return "auto" if "auto" in getattr(option.type, "choices", ()) else None
        if option.is_flag:
            return self._typed(name, value, bool, "true or false")
        if isinstance(option.type, click.IntRange):
            return self._number(name, option.type, value)
        if option.multiple:
            if option.name == "per_file_ignores" and isinstance(value, dict):
                value = self._pairs(name, value)
            values = [value] if isinstance(value, str) else self._typed(name, value, list, "an array of strings")
            return tuple(self._string(name, option, each) for each in values)
        return self._string(name, option, value)

    def _pairs(self, name: str, table: Mapping[str, Any]) -> list[str]:
        """Return a table of patterns with their rules as the option has it."""
        expected = "an array of strings"
        values = {key: [each] if isinstance(each, str) else each for key, each in table.items()}
        return [f"{key}:{each}" for key in values for each in self._typed(f"{name}.{key}", values[key], list, expected)]

    def _number(self, name: str, allowed: click.IntRange, value: Any) -> int:
        expected = f"a number from {allowed.min} to {allowed.max}"
        number: int = self._typed(name, value, int, expected)
        if isinstance(value, bool) or not (allowed.min or 0) <= number <= (allowed.max or number):
            raise self._configuration.error(name, f"must be {expected} (got {toml_type(value)})")
        return number

    def _string(self, name: str, option: click.Option, value: Any) -> str:
        if isinstance(option.type, click.Choice):
            choices = tuple(option.type.choices)
            if value not in choices:
                from mdpublish_core.errors import did_you_mean

                suggestion = did_you_mean(value, choices) if isinstance(value, str) else ""
                expected = f"must be one of {', '.join(choices)} (got {toml_type(value)}){suggestion}"
                raise self._configuration.error(name, expected)
        string: str = self._typed(name, value, str, "a string")
        if not string.strip():
            raise self._configuration.error(name, "must not be empty; leave out the key")
        if option.name == "raw_html" and string == "keep" and not self._configuration.is_named:
            raise self._configuration.error(
                name, "keep is for authors whom you trust: use --raw-html keep, or name this file by --config"
            )
        if option.name == "smtp_url" and not self._configuration.is_named:
            raise self._configuration.error(
                name,
                "decides who gets mails and a password: use --smtp, MDPUBLISH_SMTP_URL, or name this file by --config",
            )
        if option.name in {"css_file", "reference_doc"} or (option.name == "template" and string.endswith(".toml")):
            return self._configuration.path(name, string)
        if problem := _problem(option.name, string):
            raise self._configuration.error(name, problem)
        return string

    def _typed(self, name: str, value: Any, kind: type, expected: str) -> Any:
        if not isinstance(value, kind):
            raise self._configuration.error(name, f"must be {expected} (got {toml_type(value)})")
        return value


def option_key(option: click.Option) -> str:
    """Return an option's key in a configuration: its name, in the plural for lists."""
    name = max((each for each in option.opts), key=len).removeprefix("--").replace("-", "_")
    return f"{name}s" if option.multiple and option.name == f"{name}s" else name


def _problem(option: str | None, value: str) -> str | None:
    """Return what the library says of a name."""
    from mdpublish_core import MdpublishError, get_template, parse, select_extensions
    from mdpublish_core.cli.inputs import error_message
    from mdpublish_core.cli.rules import codes_of, format_rules
    from mdpublish_core.writers.language import language_tag
    from mdpublish_core.writers.outputs import get_output

    checks: Mapping[str, Callable[[str], object]] = {
        "to": get_output,
        "outputs": get_output,
        "template": get_template,
        "extensions": lambda name: select_extensions([name]),
        "transforms": lambda name: parse("", transform=[name]),
        "lang": language_tag,
        "select": lambda rule: codes_of([rule]),
        "ignore": lambda rule: codes_of([rule]),
        **dict.fromkeys(("only", "also", "skip"), lambda rule: format_rules((), [rule], (), ())),
        "per_file_ignores": lambda pair: codes_of([pair.rpartition(":")[2]]),
    }
    try:
        checks.get(option or "", str)(value)
    except MdpublishError as error:
        return error_message(error)
    except click.ClickException as error:
        return error.message
    except ValueError as error:
        return str(error)
    return None


def write_examples(examples: Examples, formatter: click.HelpFormatter) -> None:
    if examples:
        with formatter.section("Examples"):
            for line, meaning in examples:
                formatter.write(f"{'':{formatter.current_indent}}mdpublish {line}\n")
                with formatter.indentation(), formatter.indentation():
                    formatter.write_text(meaning)


def write_outputs(formatter: click.HelpFormatter, *, has_files: bool) -> None:
    from mdpublish_core.writers.outputs import OUTPUTS, destination_names, output_names

    names = output_names() if has_files else destination_names()
    with formatter.section("Outputs" if has_files else "Destinations"):
        formatter.write_dl(
            [(name, OUTPUTS[name].summary if name in OUTPUTS else "of an installed plug-in") for name in names]
        )


class CommandGroup(click.Group):
    """A group whose help ends in examples, and that suggests commands for misspelled ones."""

    def __init__(self, *args: Any, examples: Examples = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.examples = examples or _examples_of(self.name)

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        write_examples(self.examples, formatter)
        super().format_epilog(ctx, formatter)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        name = args[0]
        if name.startswith("-") or ctx.resilient_parsing or self.get_command(ctx, name):
            return super().resolve_command(ctx, args)
        from mdpublish_core.errors import nearest

        names = self.list_commands(ctx)
        if suggestion := nearest(name, names, 0.65):
            raise click.UsageError(f"no such command {name!r}; did you mean {suggestion!r}?", ctx)
        if Path(name).suffix.lower() in SUFFIXES:
            raise click.UsageError(f"no such command {name!r}; to convert a file: mdpublish convert {name}", ctx)
        raise click.UsageError(f"no such command {name!r}; choose from: {', '.join(names)}", ctx)
