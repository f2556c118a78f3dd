"""Tables in files: defaults, theme variables, allow-lists, expressions."""

import json
import re
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Any

_FRAGMENT = re.compile(r"\(\?&(\w+)\)")


@cache
def read_data(path: Path) -> Any:
    """Return the content of a JSON file, which must not be changed."""
    return json.loads(path.read_text("utf-8"))


@cache
def read_table(path: Path) -> list[list[str]]:
    """Return the rows of a file with tabs; `(?&name)` is the expression that a row `fragment` above gives the name."""
    fragments: dict[str, str] = {}
    rows = []
    for line in path.read_text("utf-8").splitlines():
        kind, name, *others = _FRAGMENT.sub(lambda reference: fragments[reference[1]], line).split("\t")
        if kind == "fragment":
            fragments[name] = others[0]
        else:
            rows.append([kind, name, *others])
    return rows


@cache
def read_names(path: Path) -> dict[str, dict[str, str]]:
    """Return the rows of a table of three columns: by kind, what each name stands for. It must not be changed."""
    tables: dict[str, dict[str, str]] = {}
    for kind, name, meaning in read_table(path):
        tables.setdefault(kind, {})[name] = meaning
    return tables


def filled(value: Any, values: Mapping[str, Any]) -> Any:
    """Return JSON with values for its placeholders: `$name` is any value, `${name}px` is text."""
    if isinstance(value, dict):
        return {Template(key).substitute(values): filled(each, values) for key, each in value.items()}
    if isinstance(value, list):
        return [filled(each, values) for each in value]
    if not isinstance(value, str):
        return value
    return values[value[1:]] if value[1:] in values else Template(value).substitute(values)
