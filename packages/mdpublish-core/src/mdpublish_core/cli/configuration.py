"""Configuration files: `mdpublish.toml`, or the table `tool.mdpublish` of `pyproject.toml`.

Values are looked up as the front matter of the whole project: the front matter of a document overrides them, and
options override both. A file that was found, not named, may come with documents of strangers: it can neither trust
their HTML nor read files outside its folder.
"""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import click

from mdpublish_core.notices import shorten

if TYPE_CHECKING:
    from mdpublish_core.templates import PageThemeMode

FILE_NAME = "mdpublish.toml"

PROJECT_FILE_NAME = "pyproject.toml"

_READER_KEYS = ("raw_html", "dialect", "extensions", "transforms")

COMMON_KEYS = ("to", "template", "theme_mode", "css", "page_width", "lang", *_READER_KEYS)
"""Keys outside the commands' tables, for all commands that have the option."""

TABLES = ("convert", "copy", "preview", "check", "format", "batch", "site", "publish", "send")
"""Commands that have a table. A key in it wins over a common one."""

_MAX_BYTES = 200_000
"""Enough for any pyproject.toml."""

_MAX_DOTS = 1_000
"""Dots in a line: tomllib's time and memory for a key are quadratic in them."""


class RunOption(click.Option):
    """An option that says what one run is to do, or asks the network for, which no configuration should."""


class ConfigurationError(click.ClickException):
    """A configuration file that cannot be used: one line, with the exit status of a usage error."""

    exit_code = 2


class Configuration(NamedTuple):
    """A configuration file as it was read: its tables are known ones, their values unchecked."""

    file: Path
    values: Mapping[str, Any]
    """The values by key, tables included."""

    is_named: bool
    """Whether the user named the file, by `--config`."""

    def table(self, command: str) -> Mapping[str, Any]:
        table: Mapping[str, Any] = self.values.get(command, {})
        return table

    def error(self, key: str, problem: str) -> ConfigurationError:
        return ConfigurationError(f"{display_path(self.file)}: {key}: {problem}")

    def path(self, key: str, value: str) -> str:
        """Return the path of a file that a value names, in the configuration's folder. Raises if it is no path."""
        folder = self.file.parent
        path = folder / value
        if not self.is_named and not path.resolve().is_relative_to(folder.resolve()):
            problem = (
                f"must be in the folder of the configuration (got {shorten(value)!r}); use the option, or --config"
            )
            raise self.error(key, problem)
        if not path.is_file():
            raise self.error(key, f"there is no file {display_path(path)}")
        return display_path(path)


class ConfiguredDefaults(NamedTuple):
    """Valid values of the configuration that count where neither an option nor the front matter says anything.

    Where one does not apply, such as `paper` to a web page, it is ignored: it is there for other runs of the command.
    """

    outputs: tuple[str, ...] = ()
    template: str | None = None
    theme_mode: "PageThemeMode | None" = None
    extensions: tuple[str, ...] = ()
    options: Mapping[str, Any] = {}
    """Values of outputs' options, and of the sender of mails."""
    base_url: str | None = None
    folder: Path | None = None
    """The configuration's folder, to which patterns are relative."""

    @property
    def to(self) -> str | None:
        return self.outputs[0] if self.outputs else None


UNCONFIGURED = ConfiguredDefaults()


def find_configuration(folder: Path) -> Configuration | None:
    """Return the nearest configuration in a folder or above it."""
    for each in folders_above(folder):
        for name in (FILE_NAME, PROJECT_FILE_NAME):
            if (each / name).is_file() and (configuration := _read(each / name, is_named=False)) is not None:
                return configuration
    return None


def folders_above(folder: Path) -> Iterator[Path]:
    """Yield a folder and those above it, up to the repository's root or the user's home."""
    start = os.path.abspath(folder)  # noqa: PTH100  (a link's own folder counts, which Path.resolve would leave)
    home = os.path.expanduser("~")  # noqa: PTH111  (without an exception where there is none)
    for each in (Path(start), *Path(start).parents):
        yield each
        if str(each) == home or (each / ".git").exists():
            break


def read_configuration(file: Path) -> Configuration:
    """Read a file that the user named."""
    if (configuration := _read(file, is_named=True)) is None:
        raise ConfigurationError(f"{display_path(file)} has no table [tool.mdpublish]")
    return configuration


def reread(configuration: Configuration) -> Configuration | None:
    """Read the file again, which may have changed."""
    return _read(configuration.file, is_named=configuration.is_named)


def display_path(path: Path) -> str:
    """Return a path as short as possible: relative to the current folder if it is below."""
    try:
        return str(Path(os.path.normpath(path)).relative_to(Path.cwd()))
    except (OSError, ValueError):
        return os.path.normpath(path)


def _read(file: Path, *, is_named: bool) -> Configuration | None:
    """Return None for a `pyproject.toml` of a project that does not configure mdpublish."""
    try:
        with file.open("rb") as opened:
            content = opened.read(_MAX_BYTES + 1)
    except OSError as error:
        raise ConfigurationError(f"cannot read {display_path(file)}: {error.strerror}") from None
    is_project = file.name == PROJECT_FILE_NAME
    if is_project and b"mdpublish" not in content[:_MAX_BYTES]:
        return None
    if len(content) > _MAX_BYTES:
        raise ConfigurationError(f"{display_path(file)}: must be at most {_MAX_BYTES:,} bytes")
    values: Any = _parse(file, content)
    if is_project:
        tools = values.get("tool", {})
        values = tools.get("mdpublish") if isinstance(tools, dict) else None
        if values is None:
            return None
    configuration = Configuration(file, values if isinstance(values, dict) else {}, is_named)
    if not isinstance(values, dict):
        raise configuration.error("tool.mdpublish", f"must be a table (got {toml_type(values)})")
    _check_keys(configuration)
    return configuration


def _parse(file: Path, content: bytes) -> Mapping[str, Any]:
    import tomllib  # only where there is a file

    if any(line.count(b".") > _MAX_DOTS for line in content.split(b"\n")):
        raise ConfigurationError(f"{display_path(file)} must have at most {_MAX_DOTS:,} dots in a line")
    try:
        return tomllib.loads(content.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        problem = f"is not valid UTF-8 (byte {error.start + 1}); save it as UTF-8"
    except tomllib.TOMLDecodeError as error:
        problem = f"is not valid TOML: {error}"
    except RecursionError:
        problem = "is nested too deeply"
    raise ConfigurationError(f"{display_path(file)} {problem}")


def _check_keys(configuration: Configuration) -> None:
    for key, value in configuration.values.items():
        if key in TABLES:
            if not isinstance(value, dict):
                raise configuration.error(key, f"must be a table, [{key}] (got {toml_type(value)})")
        elif key not in COMMON_KEYS:
            raise unknown_key(configuration, key, COMMON_KEYS, f"; or a table: {', '.join(TABLES)}", TABLES)


def unknown_key(
    configuration: Configuration, key: str, known: tuple[str, ...], more: str = "", others: tuple[str, ...] = ()
) -> ConfigurationError:
    from mdpublish_core.errors import choose_from

    choose = choose_from(known, key.rpartition(".")[2].replace("-", "_"), *others)
    return configuration.error(shorten(key), f"unknown key{choose}{more}")


def toml_type(value: object) -> str:
    """Return what a value is in TOML, for messages."""
    if isinstance(value, str):
        return repr(shorten(value))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, dict | list):
        return "a table" if isinstance(value, dict) else "an array"
    return shorten(str(value))
