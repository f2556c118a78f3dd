"""Front matter in TOML between lines of `+++`, as Hugo and Zola read it; scalars are strings, as those of YAML."""

import tomllib
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time

from mdpublish_core.front_matter import FrontMatter, FrontMatterValue
from mdpublish_core.readers.markdown.yaml_values import MAX_DEPTH, UnreadableValue
from mdpublish_core.strings.lazy_patterns import compile_lazily
from mdpublish_core.strings.positions import MAX_SOURCE_CHARACTERS, SourcePosition

_KEY = compile_lazily(r"[ \t]*\[{0,2}[ \t]*[\"']?([\w-]+)")


def read_toml(lines: Sequence[str]) -> FrontMatter:
    """Read the lines below the first of a document, which opens the front matter. Raises `UnreadableValue`."""
    try:
        # Its own parser recurses, and numbers may be too long for Python.
        values = {key: _value(value, 1) for key, value in tomllib.loads("\n".join(lines), parse_float=str).items()}
    except (ValueError, RecursionError) as error:
        raise UnreadableValue(str(error)) from None
    positions: dict[str, SourcePosition] = {}
    for number, line in enumerate(lines, 2):
        if match := _KEY.match(line):
            positions.setdefault(match[1], SourcePosition(number, 1, line.rstrip(" \t")[:MAX_SOURCE_CHARACTERS]))
    return FrontMatter(values, positions)


def _value(value: object, depth: int) -> FrontMatterValue:
    if depth > MAX_DEPTH:
        raise UnreadableValue(f"values nest deeper than {MAX_DEPTH} levels")
    if isinstance(value, Mapping):
        return FrontMatter({key: _value(each, depth + 1) for key, each in value.items()})
    if isinstance(value, list):
        return tuple(_value(each, depth + 1) for each in value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    return str(value).lower() if isinstance(value, bool) else str(value)
