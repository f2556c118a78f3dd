"""Front matter as YAML: plain where a reader finds the same value, otherwise in double quotes."""

import re
from collections.abc import Callable, Iterator, Mapping

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
    if all(map(_is_plain, _strings_in(value))):
        plain = f"{written}: {_flow(value, str)}"
        if _is_read(plain, key, value):
            return plain
    return f"{written}: {_flow(value, double_quoted)}"


def _strings_in(value: FrontMatterValue) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    else:
        for each in (*value, *value.values()) if isinstance(value, Mapping) else value:
            yield from _strings_in(each)


def _flow(value: FrontMatterValue, write: Callable[[str], str]) -> str:
    if isinstance(value, str):
        return write(value)
    if isinstance(value, Mapping):
        return f"{{{', '.join(f'{write(key)}: {_flow(each, write)}' for key, each in value.items())}}}"
    return f"[{', '.join(_flow(each, write) for each in value)}]"


def _is_plain(value: str) -> bool:
    return _PLAIN_VALUE.fullmatch(value) is not None


def _is_read(line: str, key: str, value: FrontMatterValue) -> bool:
    try:
        return read_pair(f"{line}\n") == (key, value)
    except UnreadableValue:
        return False
