"""Tables in files beside modules: names, words, defaults, theme variables, allow-lists, expressions.

What is returned is shared, and must not be changed.
"""

import re
from collections.abc import Callable, Mapping
from functools import cache
from importlib import import_module
from os.path import dirname, join
from typing import Any, cast

_FRAGMENT = re.compile(r"\(\?&(\w+)\)")

_FLAGS = {"": True, "no": False}


def _content(module_file: str, name: str) -> str:
    # Without pathlib, which takes longer to import than the smallest tables to read, and without a buffer.
    with open(join(dirname(module_file), name), "rb", buffering=0) as file:  # noqa: PTH118, PTH120, PTH123
        return file.read().decode()


@cache
def read_data(module_file: str, name: str) -> Any:
    """Return the content of a JSON file."""
    import json  # late, as most processes read tables alone

    return json.loads(_content(module_file, name))


@cache
def read_table(module_file: str, name: str) -> list[list[str]]:
    """Return the rows of a file with tabs, but for those that begin with `# `.

    `(?&name)` is the expression that a row `fragment` above gives the name.
    """
    fragments: dict[str, str] = {}
    rows = []
    for line in _content(module_file, name).splitlines():
        if line.startswith("# "):
            continue
        cells = _FRAGMENT.sub(lambda reference: fragments[reference[1]], line) if "(?&" in line else line
        row = cells.split("\t")
        if row[0] == "fragment":
            fragments[row[1]] = row[2]
        else:
            rows.append(row)
    return rows


@cache
def read_patterns(module_file: str, name: str) -> dict[str, re.Pattern[str]]:
    """Return the expressions of a table of names and expressions."""
    return {row[0]: re.compile(row[1]) for row in read_table(module_file, name)}


@cache
def read_pairs(module_file: str, name: str) -> dict[str, str]:
    """Return the rows of a table of two columns."""
    return {row[0]: row[1] for row in read_table(module_file, name)}


@cache
def read_names(module_file: str, name: str) -> dict[str, dict[str, str]]:
    """Return the rows of a table of three columns: by kind, what each name stands for."""
    tables: dict[str, dict[str, str]] = {}
    for kind, each, meaning in read_table(module_file, name):
        tables.setdefault(kind, {})[each] = meaning
    return tables


@cache
def read_words(module_file: str, name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the words of a table of two columns by kind; a kind may have several rows."""
    words: dict[str, tuple[str, ...]] = {}
    for kind, more in read_table(module_file, name):
        words[kind] = (*words.get(kind, ()), *more.split(" "))
    return words


def read_fields(cell: str) -> dict[str, Any]:
    """Return the fields of a cell such as `level=1 modes=light, is_file is_text=no`: a comma makes a tuple."""
    fields: dict[str, Any] = {}
    for each in cell.split():
        name, _, value = each.partition("=")
        if "," in value:
            fields[name] = tuple(filter(None, value.split(",")))
        else:
            fields[name] = int(value) if value.isdecimal() else _FLAGS.get(value, value)
    return fields


def load_function(package: str, reference: str) -> Callable[..., Any]:
    """Return the function that a table names, `module.function` of a package. Its module is imported now."""
    module, _, name = reference.partition(".")
    return cast("Callable[..., Any]", getattr(import_module(f"{package}.{module}"), name))


def filled(value: Any, values: Mapping[str, Any]) -> Any:
    """Return JSON with values for its placeholders: `$name` is any value, `${name}px` is text."""
    from string import Template

    if isinstance(value, dict):
        return {Template(key).substitute(values): filled(each, values) for key, each in value.items()}
    if isinstance(value, list):
        return [filled(each, values) for each in value]
    if not isinstance(value, str):
        return value
    return values[value[1:]] if value[1:] in values else Template(value).substitute(values)
