"""JSON of which each value is a line of its own, also for programs that end lines as `str.splitlines` does."""

import json

_LINE_ENDS = str.maketrans({character: f"\\u{ord(character):04x}" for character in "\x85\u2028\u2029"})
"""Ends of lines that JSON allows in strings."""


def json_line(value: object) -> str:
    return f"{json.dumps(value, ensure_ascii=False).translate(_LINE_ENDS)}\n"
