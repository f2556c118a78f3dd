"""Settings of MkDocs, as `mkdocs.yml` has them: what its tags stand for is a program's to say.

Source: MkDocs' user guide, "Configuration", with "Configuration Inheritance".
"""

import os
from collections.abc import Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from mdpublish_core.front_matter import FrontMatterValue
from mdpublish_core.readers.markdown.yaml_values import UnreadableValue, read_tagged
from mdpublish_core.resources.folder_files import read_within, repository_root

_MAX_BYTES = 1_000_000

_MAX_INHERITED = 8
"""Files, each of which inherits the next."""


def read_mkdocs(file: Path, root: Path | None = None, left: int = _MAX_INHERITED) -> Mapping[str, FrontMatterValue]:
    """Return the settings of a file, and those that it inherits from files in `root`, by default its repository.

    Where these cannot be read, the key `INHERIT` is left. Raises `ValueError` with the problem.
    """
    root = root or repository_root(file.parent.resolve())
    try:
        content = read_within(root, file, _MAX_BYTES + 1)
        values = read_tagged(content.decode("utf-8-sig"))
    except (OSError, UnicodeDecodeError, UnreadableValue) as error:
        raise ValueError(f"cannot be read: {getattr(error, 'strerror', None) or error}") from None
    if len(content) > _MAX_BYTES or not isinstance(values, Mapping):
        raise ValueError(f"must be a mapping of YAML of at most {_MAX_BYTES:,} bytes")
    values = {key: value for key, value in values.items() if value != ""}
    if isinstance(inherited := values.get("INHERIT"), str) and left:
        with suppress(ValueError):
            base = read_mkdocs(file.parent / inherited, root, left - 1)
            return _merged(base, {key: value for key, value in values.items() if key != "INHERIT"})
    return values


def extensions_of(values: Mapping[str, FrontMatterValue]) -> Mapping[str, FrontMatterValue]:
    """Return the names of listed extensions, with their options."""
    listed = values.get("markdown_extensions", ())
    items = (listed,) if isinstance(listed, str | Mapping) else listed
    return {
        name.removeprefix("markdown.extensions."): options
        for item in items
        for name, options in (item.items() if isinstance(item, Mapping) else [(str(item), "")])
    }


class Snippets(NamedTuple):
    """Where included files are, and which of them are added to each document."""

    bases: tuple[Path, ...] = ()
    appended: tuple[str, ...] = ()


def snippets_of(folder: Path, root: Path) -> Snippets:
    """Return what the nearest configuration says, in a folder or above it, up to `root`."""
    for each in (folder, *folder.parents):
        for file in (each / "mkdocs.yml", each / "mkdocs.yaml"):
            if each.is_relative_to(root) and file.is_file():
                return _snippets_in(file, file.stat().st_mtime_ns)
    return Snippets()


@lru_cache(maxsize=8)
def _snippets_in(file: Path, _version: int) -> Snippets:
    try:
        values = read_mkdocs(file)
    except ValueError:
        return Snippets()
    listed = extensions_of(values).get("pymdownx.snippets", "")
    options = listed if isinstance(listed, Mapping) else {}
    bases, appended = (
        (each,) if isinstance(each, str) else each
        for each in (options.get("base_path", "."), options.get("auto_append", ()))
    )
    folders = {"$docs_dir": str(values.get("docs_dir", "docs")), "$config_dir": "."}
    # `mkdocs build` runs in its configuration's folder.
    paths = (Path(os.path.normpath(file.parent / folders.get(str(each), str(each)))) for each in bases)
    return Snippets(tuple(paths), tuple(map(str, appended)))


def _merged(base: FrontMatterValue, values: Mapping[str, FrontMatterValue]) -> Mapping[str, FrontMatterValue]:
    """Return mappings merged in depth; a list takes the place of another."""
    merged = dict(base) if isinstance(base, Mapping) else {}
    for key, value in values.items():
        merged[key] = _merged(merged.get(key, ""), value) if isinstance(value, Mapping) else value
    return merged
