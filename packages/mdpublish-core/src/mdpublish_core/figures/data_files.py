"""Tables in JSON files: defaults, theme variables, allow-lists."""

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from string import Template
from typing import Any


@cache
def read_data(path: Path) -> Any:
    """Return the content of a JSON file, which must not be changed."""
    return json.loads(path.read_text("utf-8"))


def filled(value: Any, values: Mapping[str, Any]) -> Any:
    """Return JSON with values for its placeholders: `$name` is any value, `${name}px` is text."""
    if isinstance(value, dict):
        return {Template(key).substitute(values): filled(each, values) for key, each in value.items()}
    if isinstance(value, list):
        return [filled(each, values) for each in value]
    if not isinstance(value, str):
        return value
    return values[value[1:]] if value[1:] in values else Template(value).substitute(values)
