"""Front matter as YAML: plain where a reader finds the same value, otherwise in double quotes."""

import re

from mdpublish_core.front_matter import FrontMatter, FrontMatterValue
from mdpublish_core.readers.markdown.yaml_values import UnreadableValue, double_quoted, read_pair

_PLAIN_KEY = re.compile(r"[^\W_][\w.-]{0,60}(?:[ :][\w.-]{1,60}){0,3}|_\w[\w.-]{0,60}")
_PLAIN_VALUE = re.compile(r"[\w(/.][^\n#\[\]{},\x00-\x1f\x7f-\x9f]*")


def front_matter_lines(values: FrontMatter) -> list[str]:
    """Return the lines of front matter; none if it is empty."""
    lines = [_line(key, value) for key, value in values.items()]
    return ["---", *lines, "---"] if lines else []


def _line(key: str, value: FrontMatterValue) -> str:
    written = key if _PLAIN_KEY.fullmatch(key) else f'"{key}"'
    if isinstance(value, str):
        plain = f"{written}: {value}"
        return plain if _is_plain(value) and _is_read(plain, key, value) else f"{written}: {double_quoted(value)}"
    plain = f"{written}: [{', '.join(value)}]"
    if all(map(_is_plain, value)) and _is_read(plain, key, value):
        return plain
    return f"{written}: [{', '.join(map(double_quoted, value))}]"


def _is_plain(value: str) -> bool:
    return _PLAIN_VALUE.fullmatch(value) is not None


def _is_read(line: str, key: str, value: FrontMatterValue) -> bool:
    try:
        return read_pair(f"{line}\n") == (key, value)
    except UnreadableValue:
        return False
