"""Reference of commands, from click."""

import inspect
import re
from collections.abc import Iterable, Iterator, Mapping

import click

import mdpublish_core.cli
import mdpublish_server.cli
from docs.reference.making.markdown import Row, either, joined, table, wrapped
from mdpublish_core.cli.command import ConfiguredCommand
from mdpublish_core.cli.configuration import COMMON_KEYS
from mdpublish_core.writers.outputs import DESTINATIONS

PROGRAMS: Mapping[str, click.Group] = {
    "mdpublish": mdpublish_core.cli.main,
    "mdpublish-server": mdpublish_server.cli.main,
}

METAVARS = {
    "DESTINATION": "destinations.md",
    "OUTPUT": "destinations.md",
    "TEMPLATE": "themes.md",
    "CATEGORY": "themes.md#categories",
    "EXTENSION": "library.md#extensions",
}
"""Values documented on another page."""

# A default written in the help text; click adds the others.
_WRITTEN_DEFAULT = re.compile(r"\s+\[(?:default: )?([^\]]+)\]$")

# Literals in help texts: options, suffixes, a lone "-", variables.
_LITERAL = re.compile(r"(?<![\w`-])(--?[a-z][\w-]*|-(?!\S*\w)|\.[a-z]{3,4}\b|MDPUBLISH_[A-Z_…]+)(?!\w)")


def program(name: str) -> str:
    group = PROGRAMS[name]
    return joined(
        f"## {name}",
        _usage(name, group),
        *(_as_markdown(each, group) for each in _help(group)),
        _options(name, group),
        _commands(name, group),
    )


def command(name: str) -> str:
    program, *path = name.split()
    cmd: click.Command = PROGRAMS[program]
    for subcommand in path:
        assert isinstance(cmd, click.Group)
        cmd = _subcommands(cmd)[subcommand]
    if isinstance(cmd, click.Group):
        options = _options(name, cmd) if cmd.params else ""
        return joined(f"### {name}", _usage(name, cmd), *_help(cmd), _commands(name, cmd), options)
    return joined(
        f"### {name}", _usage(name, cmd), *(_as_markdown(each, cmd) for each in _help(cmd)), _options(name, cmd)
    )


def configuration() -> str:
    """Keys of configuration files, the common ones first."""
    options: dict[str, list[tuple[str, click.Option]]] = {}
    for name, cmd in _subcommands(mdpublish_core.cli.main).items():
        if isinstance(cmd, ConfiguredCommand) and not cmd.reads_table:
            for key, option in cmd.configurable.items():
                options.setdefault(key, []).append((name, option))
    keys = [*COMMON_KEYS, *(key for key in options if key not in COMMON_KEYS)]
    return table(
        ("key", "value", "commands", "in a table only"),
        (
            (
                f"`{key}`",
                _configured_value(options[key][0][1]),
                ", ".join(f"[`{name}`](#mdpublish-{name})" for name, _ in options[key]),
                "" if key in COMMON_KEYS else "yes",
            )
            for key in keys
        ),
    )


def _configured_value(option: click.Option) -> str:
    if option.is_flag:
        return "`true` or `false`"
    if option.multiple:
        return "an array of strings, or one string"
    if isinstance(option.type, click.Choice):
        choices = (each for each in option.type.choices if each != "keep")  # refused in files that nobody named
        return either([f'`"{choice}"`' for choice in choices])
    return f"a number: {_choices(option).rstrip('.')}" if isinstance(option.type, click.IntRange) else "a string"


def names_of(program: str) -> Iterator[str]:
    return _names(program, PROGRAMS[program])


def _subcommands(group: click.Group) -> dict[str, click.Command]:
    context = click.Context(group)
    # click sorts what it lists; the order of declaration is meant.
    commands = {name: group.get_command(context, name) for name in group.commands or group.list_commands(context)}
    return {name: cmd for name, cmd in commands.items() if cmd}


def _names(name: str, group: click.Group) -> Iterator[str]:
    for subname, cmd in _subcommands(group).items():
        yield f"{name} {subname}"
        if isinstance(cmd, click.Group):
            yield from _names(f"{name} {subname}", cmd)


def _commands(name: str, group: click.Group) -> str:
    anchor = name.replace(" ", "-")
    return table(
        ("command", "description"),
        (
            (f"[`{each.name}`](#{anchor}-{each.name})", _as_markdown(_help(each)[0], each))
            for each in _subcommands(group).values()
        ),
    )


def _context(name: str, cmd: click.Command) -> click.Context:
    program = PROGRAMS[name.partition(" ")[0]]
    parent = None if cmd is program else click.Context(program, info_name=program.name, **program.context_settings)
    return click.Context(cmd, info_name=name, parent=parent, **cmd.context_settings)


def _usage(name: str, cmd: click.Command) -> str:
    return f"`{' '.join([name, *cmd.collect_usage_pieces(_context(name, cmd))])}`"


def _help(cmd: click.Command) -> list[str]:
    """Return the paragraphs; those that click must not wrap become code blocks."""
    assert cmd.help, f"{cmd.name} has no help"
    paragraphs = inspect.cleandoc(cmd.help).split("\n\n")
    return [f"```text\n{each[2:]}\n```" if each.startswith("\b\n") else wrapped(each) for each in paragraphs]


def _options(name: str, cmd: click.Command) -> str:
    context = _context(name, cmd)
    parameters = cmd.get_params(context) if cmd in PROGRAMS.values() else cmd.params
    rows = [_option(each, cmd, context) for each in parameters if isinstance(each, click.Option)]
    return table(("option", "default", "description"), rows) if rows else ""


def _option(option: click.Option, cmd: click.Command, context: click.Context) -> Row:
    names = ", ".join(f"`{name}`" for name in (*option.opts, *option.secondary_opts))
    assert option.help, f"{names} of {cmd.name} has no help"
    written_default = _WRITTEN_DEFAULT.search(option.help)
    default = option.get_help_extra(context).get("default", "")
    if default:
        default = f"`--{default}`" if option.secondary_opts else f"`{default}`"
    elif written_default:
        default = (
            f"`{written_default[1]}`"
            if re.fullmatch(r"\S+", written_default[1]) and written_default[1] != "required"
            else _as_markdown(written_default[1], cmd, DESTINATIONS)
        )
    meaning = _as_markdown(_WRITTEN_DEFAULT.sub("", option.help), cmd)
    choices = _choices(option)
    return f"{names} {_value(option, context)}".strip(), default, f"{meaning} {choices}".strip()


def _value(option: click.Option, context: click.Context) -> str:
    if option.is_flag or isinstance(option.type, click.Choice):
        return ""
    name = option.make_metavar(context)
    return f"[`{name}`]({METAVARS[name]})" if name in METAVARS else f"`{name}`"


def _choices(option: click.Option) -> str:
    if isinstance(option.type, click.Choice):
        return f"{either([f'`{choice}`' for choice in option.type.choices])}."
    if isinstance(option.type, click.IntRange):
        return f"{option.type.min} to {option.type.max}."
    return ""


def _as_markdown(paragraph: str, cmd: click.Command, names: Iterable[str] = ("generic",)) -> str:
    """Format literals and `names` as code."""
    if paragraph.startswith("```"):
        return paragraph
    paragraph = _LITERAL.sub(r"`\1`", paragraph)
    values = {value for each in cmd.params for value in re.findall(r"\b[A-Z]{2,}\b", each.metavar or "")}
    return re.sub(
        r"(?<![\w`-])([\w-]+)(?![\w`])",
        lambda word: f"`{word[1]}`" if word[1] in {*values, *names} else word[1],
        paragraph,
    )
