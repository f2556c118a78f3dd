"""Normalization of text diagrams."""

import re

from wcwidth import wcswidth

from mdpublish_core.figures.request import MAX_COLUMNS

_ENDS = re.compile(r"[ \t]+$", re.MULTILINE)


def normalize_text(output: str | None) -> str | None:
    """Strip the margins; return None if empty or too wide."""
    if output is None:
        return None
    lines = _ENDS.sub("", output).strip("\n").split("\n")
    indent = min((len(line) - len(line.lstrip(" ")) for line in lines if line), default=0)
    lines = [line[indent:] for line in lines]
    if not any(lines) or any(not 0 <= wcswidth(line) <= MAX_COLUMNS for line in lines):
        return None
    return "\n".join(lines)
