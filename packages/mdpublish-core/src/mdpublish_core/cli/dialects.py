"""The dialect of a command's input: what `--dialect` names, else what marks of its folder say.

Marks are files of the program for which the folder is written, never what a text looks like. MkDocs reads only what
its configuration lists.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, cast

import click

from mdpublish_core.cli.configuration import display_path, folders_above
from mdpublish_core.cli.inputs import STANDARD_INPUT, folder_of
from mdpublish_core.data_files import read_words
from mdpublish_core.options.extensions import DEFAULT_EXTENSIONS, DIALECTS, Extension
from mdpublish_core.resources.folder_files import repository_root

if TYPE_CHECKING:
    from mdpublish_core.readers.markdown.included_files import IncludedFiles

_KEY = f"{__name__}.dialect"

_MAX_BYTES = 1_000_000
"""Of the settings of a vault."""

_EXTENSIONS = cast("Mapping[str, tuple[Extension, ...]]", read_words(__file__, "mkdocs_extensions.tsv"))
"""Extensions that read what those of Python-Markdown read, but for what is read anyway."""


def keep_dialect(ctx: click.Context, _param: click.Parameter, name: str | None) -> None:
    """Keep what `--dialect` names until the names of extensions are read, before which it stands."""
    ctx.meta[_KEY] = name


def chosen_dialect(ctx: click.Context) -> tuple[str, ...]:
    """Return the name that `--dialect` was given, if any."""
    return tuple(filter(None, [ctx.meta.get(_KEY)]))


def dialect_in(names: Sequence[str]) -> Sequence[str]:
    """Return the name of a dialect, and those that follow it."""
    return next((names[index:] for index, name in enumerate(names) if name in DIALECTS), ())


def with_detected_dialect(ctx: click.Context, folder: Path, configured: tuple[str, ...]) -> tuple[str, ...]:
    """Return configured names of extensions with what marks of a folder say, which is printed, unless they have a dialect."""
    if dialect_in(configured) or (detected := find_dialect(folder)) is None:
        return configured
    if ctx.params.get("notice_format", "text") == "text":
        click.echo(f"{display_path(detected[1])}: read as {detected[0][0]}; --dialect gfm switches it off", err=True)
    return (*configured, *detected[0])


def find_dialect(folder: Path) -> tuple[tuple[str, ...], Path] | None:
    """Return names for `named_extensions`, first that of a dialect, and the nearest mark in a folder or above it."""
    for each in folders_above(folder):
        for name, names_of in _MARKS.items():
            if (each / name).exists() and (names := names_of(each / name)):
                return names, each / name
    return None


def included_files(file: str) -> "IncludedFiles | None":
    """Return what reads the files that a document includes; standard input has no folder."""
    from mdpublish_core.readers.markdown.included_files import IncludedFiles

    folder = folder_of(file).resolve()
    return None if file == STANDARD_INPUT else IncludedFiles(folder, partial(_project_root, folder))


def _project_root(folder: Path) -> Path:
    """Return the repository, or without one, the folder of the nearest mark, such as mkdocs.yml."""
    roots = [repository_root(folder), *(mark.parent for _, mark in filter(None, [find_dialect(folder)]))]
    return min(roots, key=lambda root: len(root.parts))


def _mkdocs(file: Path) -> tuple[str, ...]:
    """Return the dialect without what a configuration of MkDocs does not list, and with what else it lists."""
    from mdpublish_core.readers.markdown.mkdocs_settings import extensions_of, read_mkdocs

    try:
        values = read_mkdocs(file)
    except ValueError:
        return ("mkdocs",)
    # One that inherits another may list nothing itself.
    if "INHERIT" in values and "markdown_extensions" not in values:
        return ("mkdocs",)
    read = {each for name in extensions_of(values) for each in _EXTENSIONS.get(name, ())}
    known = {each for extensions in _EXTENSIONS.values() for each in extensions}
    missing = (DIALECTS["mkdocs"] - DEFAULT_EXTENSIONS) & (known - read)
    return ("mkdocs", *sorted(read - DIALECTS["mkdocs"]), *(f"no-{name}" for name in sorted(missing)))


def _obsidian(folder: Path) -> tuple[str, ...]:
    """Return the dialect, whose line ends break lines unless the vault's settings say otherwise."""
    import json  # only in a vault

    try:
        with (folder / "app.json").open("rb") as opened:
            settings = json.loads(opened.read(_MAX_BYTES))
        is_strict = isinstance(settings, dict) and settings.get("strictLineBreaks") is True
    except (OSError, ValueError, RecursionError):
        is_strict = False
    return ("obsidian", "no-breaks") if is_strict else ("obsidian",)


def _hugo(file: Path) -> tuple[str, ...]:
    # Other programs have configurations of this name.
    return ("hugo",) if file.stem == "hugo" or (file.parent / "content").is_dir() else ()


_MARKS: Mapping[str, Callable[[Path], tuple[str, ...]]] = {
    "mkdocs.yml": _mkdocs,
    "mkdocs.yaml": _mkdocs,
    ".obsidian": _obsidian,
    "hugo.toml": _hugo,
    "hugo.yaml": _hugo,
    "hugo.json": _hugo,
    "config.toml": _hugo,
}
